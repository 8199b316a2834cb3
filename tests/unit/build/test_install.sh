#!/bin/sh
# test_install.sh CMAKE BUILD_FOLDER: installs to a temporary folder. There `odori play` without a display finds and
# draws the dancer, and without her file reports where it searched.
set -eu
cmake=$1 build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset DISPLAY WAYLAND_DISPLAY
fail() {
    echo "failed: $1" >&2
    cat "$folder/err" >&2
    exit 1
}

"$cmake" --install "$build" --prefix "$folder/usr" >"$folder/err" 2>&1 || fail "cmake --install"
for file in bin/odori share/odori/dancer/dancer.pmx share/odori/dancer/dance.vmd share/odori/dancer/camera.vmd \
    share/odori/dancer/music.wav share/applications/odori.desktop share/mime/packages/odori.xml \
    share/thumbnailers/odori.thumbnailer \
    share/icons/hicolor/scalable/apps/odori.svg share/man/man1/odori.1.gz \
    share/bash-completion/completions/odori share/zsh/site-functions/_odori \
    share/fish/vendor_completions.d/odori.fish; do
    [ -s "$folder/usr/$file" ] || fail "$file is not installed"
done

# Every option in a subcommand's help is in the manual, and is completed by each shell that is installed here.
PATH="$folder/usr/bin:$PATH"
completions=$folder/usr/share
gzip -cd "$completions/man/man1/odori.1.gz" | sed 's/\\//g' >"$folder/manual"
in_manual() {
    sed -n "/^\.SS odori $1\$/,/^\.SS /p" "$folder/manual" | sed -n 's/^\.B "\(.*\)"$/\1/p' | tr ',' '\n' |
        sed -n 's/^ *\(-[^ ]*\).*/\1/p'
}
in_bash() {
    bash -c ". '$completions/bash-completion/completions/odori'
        COMP_WORDS=(odori $1 -) COMP_CWORD=2; _odori; printf '%s\n' \"\${COMPREPLY[@]}\""
}
in_zsh() {
    zsh -fc ". '$completions/zsh/site-functions/_odori'; _odori_options odori $1" | cut -d: -f1
}
in_fish() {
    fish --no-config -c "source '$completions/fish/vendor_completions.d/odori.fish'; complete -C 'odori $1 -'" |
        cut -f1
}
subcommands=$(odori --help | sed -n 's/^  \([a-z][a-z-]*\)  *[a-z].*/\1/p')
[ "$(echo "$subcommands" | wc -l)" -ge 12 ] || fail "subcommands: $subcommands"
places=in_manual
for shell in bash zsh fish; do
    if command -v "$shell" >/dev/null 2>&1; then
        places="$places in_$shell"
    else
        echo "not looked at: completion of $shell, which is not installed"
    fi
done
for name in $subcommands; do
    grep -q "^\.B[RI]* $name " "$folder/manual" || fail "the manual lacks $name"
    odori "$name" --help | sed -n 's/^  \(-[^ ]*\).*/\1/p; s/^  -[A-Za-z], \(--[^ ]*\).*/\1/p' | tr -d ',' | sort -u \
        >"$folder/options"
    [ "$(wc -l <"$folder/options")" -ge 2 ] || fail "$name has no options"
    for place in $places; do
        "$place" "$name" | sort -u >"$folder/$place"
        missing=$(comm -23 "$folder/options" "$folder/$place" | tr '\n' ' ')
        [ -z "$missing" ] || fail "$place of $name lacks $missing"
    done
done
grep -q '^\.B "play.toggle"$' "$folder/manual" || fail "the manual lacks the command table"

# Subcommands and values are completed too.
if command -v bash >/dev/null 2>&1; then
    completed=$(bash -c ". '$completions/bash-completion/completions/odori'
        COMP_WORDS=(odori conv) COMP_CWORD=1; _odori; echo \"\${COMPREPLY[*]}\"
        COMP_WORDS=(odori shot --shading '') COMP_CWORD=3; _odori; echo \"\${COMPREPLY[*]}\"" | tr '\n' ' ')
    [ "$completed" = "convert mmd smooth " ] || fail "bash completed: $completed"
fi
if command -v zsh >/dev/null 2>&1; then
    completed=$(zsh -fc ". '$completions/zsh/site-functions/_odori'; _odori_values odori shot --shading
        _odori_subcommands odori | sed -n 's/^convert:.*/convert/p'" | tr '\n' ' ')
    [ "$completed" = "mmd smooth convert " ] || fail "zsh completed: $completed"
fi
if command -v fish >/dev/null 2>&1; then
    completed=$(fish --no-config -c "source '$completions/fish/vendor_completions.d/odori.fish'
        complete -C 'odori shot --shading '; complete -C 'odori conv'" | cut -f1 | tr '\n' ' ')
    [ "$completed" = "mmd smooth convert " ] || fail "fish completed: $completed"
fi

# The packages contain the same files, the libraries in a folder of the architecture, and their program runs.
if command -v dpkg-deb >/dev/null 2>&1 && command -v dpkg-shlibdeps >/dev/null 2>&1; then
    (cd "$folder" && "${cmake%cmake}cpack" --config "$build/CPackConfig.cmake" -G DEB -B "$folder/packed") \
        >"$folder/err" 2>&1 || fail "cpack"
    for package in odori libodori0 libodori-dev python3-odori; do
        dpkg-deb -x "$folder/packed/${package}"_*.deb "$folder/root"
    done
    architecture=$(gcc -print-multiarch)
    (cd "$folder/usr" && find . ! -type d | sort) >"$folder/installed"
    (cd "$folder/root/usr" && find . ! -type d) | sed "s|^./lib/$architecture/|./lib/|; /doc\/libodori/d" | sort \
        >"$folder/unpacked"
    diff "$folder/installed" "$folder/unpacked" >"$folder/err" || fail "the packages hold other files than cmake --install"
    [ -s "$folder/root/usr/lib/$architecture/libodori.so.0" ] || fail "the library is in no folder of the architecture"
    for package in odori libodori0; do
        dpkg-deb -f "$folder/packed/${package}"_*.deb Depends | grep -q libc6 || fail "$package depends on nothing"
    done
    dpkg-deb -f "$folder"/packed/libodori-dev_*.deb Depends | grep -q '^libodori0 (= ' || fail "libodori-dev is alone"
    dpkg-deb -I "$folder"/packed/libodori0_*.deb shlibs | grep -q '^libodori 0 libodori0 ' || fail "no shlibs"
    "$folder/root/usr/bin/odori" shot dancer --frame 0 --size 64x64 -o "$folder/packed.png" 2>"$folder/err" ||
        fail "the packaged program does not draw the dancer"
    if command -v lintian >/dev/null 2>&1; then
        lintian --fail-on error "$folder"/packed/*.deb >"$folder/err" 2>&1 || fail "lintian"
    else
        echo "not looked at: what lintian says of the packages"
    fi
else
    echo "not looked at: the packages, for want of dpkg-dev"
fi

mkdir "$folder/work"
cd "$folder/work"
../usr/bin/odori play --msaa 1 >out 2>../err || fail "play exits $?"
grep -q '^odori-clip/00000.png to ' out || fail "play does not say where the pictures are"
[ -s odori-clip/00000.png ] || fail "no picture"
if command -v ffmpeg >/dev/null 2>&1; then
    [ -s odori-clip/odori.mp4 ] || fail "no video"
fi

rm -r "$folder/usr/share"
code=0
../usr/bin/odori play >out 2>../err || code=$?
[ "$code" -eq 3 ] || fail "without the dancer: exit code $code"
grep -q "$folder/usr/bin/dancer" ../err || fail "the folder beside the program is not named"
grep -q "usr/bin/../share/odori/dancer" ../err || fail "the installed folder is not named"
[ "$(wc -l <../err)" -eq 1 ] || fail "more than one sentence"
