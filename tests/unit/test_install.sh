#!/bin/sh
# test_install.sh CMAKE BUILD_FOLDER: installs to a folder of its own; there
# `odori play` without a display finds the dancer and draws her, and says
# where it looked once she is gone.
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
    share/icons/hicolor/scalable/apps/odori.svg share/man/man1/odori.1 \
    share/bash-completion/completions/odori; do
    [ -s "$folder/usr/$file" ] || fail "$file is not installed"
done

# Every subcommand has its place in the manual and is completed, with its options.
for name in $("$folder/usr/bin/odori" --help | sed -n 's/^  \([a-z-]*\)  .*/\1/p'); do
    sed 's/\\//g' "$folder/usr/share/man/man1/odori.1" | grep -q "^\.B[RI]* $name " || fail "the manual lacks $name"
done
if command -v bash >/dev/null 2>&1; then
    completed=$(PATH="$folder/usr/bin:$PATH" bash -c ". '$folder/usr/share/bash-completion/completions/odori'
        COMP_WORDS=(odori conv) COMP_CWORD=1; _odori; echo \"\${COMPREPLY[*]}\"
        COMP_WORDS=(odori convert --dial) COMP_CWORD=2; _odori; echo \"\${COMPREPLY[*]}\"")
    [ "$(echo "$completed" | tr '\n' ' ')" = "convert --dialect " ] || fail "completed: $completed"
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
