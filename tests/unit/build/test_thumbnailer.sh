#!/bin/sh
# test_thumbnailer.sh CMAKE BUILD_FOLDER: installs to a temporary folder, and asks tumblerd, the service of file
# managers, on a bus of the test's own for thumbnails of a model, a motion and a damaged model. Checks the types of
# files too, by their names and by their first bytes. Exit code 77: a program for that is not installed.
set -eu
cmake=$1 build=$2
for program in tumblerd dbus-run-session gdbus gio update-mime-database compare; do
    if [ "$program" = tumblerd ]; then
        [ -f /usr/share/dbus-1/services/org.xfce.Tumbler.Thumbnailer1.service ] && continue
    elif command -v "$program" >/dev/null 2>&1; then
        continue
    fi
    echo "skipped: $program is not installed"
    exit 77
done
[ -f "$build/dancer/dancer.pmx" ] || { echo "skipped: the build did not generate the dancer"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset DISPLAY WAYLAND_DISPLAY
fail() {
    echo "failed: $1" >&2
    tail -5 "$folder/err" >&2
    exit 1
}

"$cmake" --install "$build" --prefix "$folder/usr" >"$folder/err" 2>&1 || fail "cmake --install"
mkdir -p "$folder/home" "$folder/run" "$folder/files/踊り 子"
chmod 700 "$folder/run"
export HOME="$folder/home" XDG_CACHE_HOME="$folder/cache" XDG_CONFIG_HOME="$folder/config" \
    XDG_DATA_HOME="$folder/data" XDG_DATA_DIRS="$folder/usr/share:/usr/share" XDG_RUNTIME_DIR="$folder/run" \
    PATH="$folder/usr/bin:$PATH" GIO_USE_VFS=local
cd "$folder/files"

# --- Types of files, as file managers find them ---
update-mime-database "$folder/usr/share/mime" >"$folder/err" 2>&1 || fail "update-mime-database"
# is TYPE NAME BYTES: a file with that name and those first bytes has that type.
is() {
    printf '%b' "$3" >"$2"
    found=$(gio info -a standard::content-type "$2" | sed -n 's/.*content-type: //p')
    [ "$found" = "$1" ] || fail "$2 with \"$3\" has the type $found instead of $1"
}
# is_either TYPE NAME BYTES: so has one with a name that says nothing.
is_either() {
    is "$@"
    is "$1" without "$3"
}
is_either model/x-mmd-pmx a.pmx 'PMX \0000\0000\0000\0100'
is_either model/x-mmd-pmd a.pmd 'Pmd\0000\0000\0200\0077'
is_either application/x-mmd-vmd a.vmd 'Vocaloid Motion Data 0002\0000'
is_either application/x-mmd-vpd a.vpd 'Vocaloid Pose Data file\n'
is_either application/x-mmd-pmm a.pmm 'Polygon Movie maker 0002\0000'
is_either model/x-directx a.x 'xof 0302txt 0064\n'
is application/x-mmd-vac a.vac 'hat\nhat.x\n1.0\n'
is application/x-ragdoll+json a.rag '{"schema": 1}'

# Every type that the thumbnailer takes can be opened by the player too, and is known.
types() {
    sed -n 's/^MimeType=//p' "$1" | tr ';' '\n' | grep . | sort
}
types "$folder/usr/share/thumbnailers/odori.thumbnailer" >"$folder/types"
types "$folder/usr/share/applications/odori.desktop" >"$folder/played"
[ "$(wc -l <"$folder/types")" -ge 10 ] || fail "types of the thumbnailer"
cmp -s "$folder/types" "$folder/played" || fail "the thumbnailer and the player have different types"
while read -r type; do
    [ -f "$folder/usr/share/mime/$type.xml" ] || [ -f "/usr/share/mime/$type.xml" ] || fail "$type is not known"
done <"$folder/types"

# --- Thumbnails ---
# The service runs programs at the lowest priority. What it has to do is kept little, because the machine may be busy:
# no textures, shaders that were compiled before, and the usual priority where that can be had again.
mkdir "$folder/bin"
cat >"$folder/bin/odori" <<ODORI
#!/bin/sh
renice -n 0 -p \$\$ >/dev/null 2>&1
"$folder/usr/bin/odori" "\$@" 2>>"$folder/said"
echo "exit code \$?" >>"$folder/said"
ODORI
chmod +x "$folder/bin/odori"
cp "$build/dancer/dancer.pmx" "踊り 子"
cp "$build/dancer/dance.vmd" .
head -c 5000 "$build/dancer/dancer.pmx" >damaged.pmx
odori thumbnail "踊り 子/dancer.pmx" --size 128 -o wanted.png 2>"$folder/err" || fail "thumbnail of the model"
odori thumbnail dance.vmd --size 128 -o moved.png 2>"$folder/err" || fail "thumbnail of the motion"
cat >"$folder/ask.sh" <<'ASK'
# Queues one file after another: tumblerd 4.18 mixes up the answers to requests that it handles at the same time.
uri() {
    gio info -a standard::name "$1" | sed -n 's/^uri: //p'
}
thumbnail() {
    echo "$XDG_CACHE_HOME/thumbnails/normal/$(printf %s "$(uri "$1")" | md5sum | cut -c1-32).png"
}
queue() {
    gdbus call --session --dest org.freedesktop.thumbnails.Thumbnailer1 \
        --object-path /org/freedesktop/thumbnails/Thumbnailer1 \
        --method org.freedesktop.thumbnails.Thumbnailer1.Queue "['$(uri "$1")']" "['$2']" normal default "uint32 0"
}
# wait_until TEST: waits for at most 55 seconds until the test holds.
wait_until() {
    for i in $(seq 275); do
        [ ! "$@" ] || return 0
        sleep 0.2
    done
    echo "in vain: $*"
    exit 1
}
queue damaged.pmx model/x-mmd-pmx
wait_until -s "$FOLDER/said"
sleep 1 # until tumblerd has seen the end of the program
queue "踊り 子/dancer.pmx" model/x-mmd-pmx
wait_until -s "$(thumbnail "踊り 子/dancer.pmx")"
queue dance.vmd application/x-mmd-vmd
wait_until -s "$(thumbnail dance.vmd)"
[ ! -e "$(thumbnail damaged.pmx)" ] || { echo "the damaged model has a thumbnail"; exit 1; }
cp "$(thumbnail "踊り 子/dancer.pmx")" model.png
cp "$(thumbnail dance.vmd)" motion.png
uri "踊り 子/dancer.pmx" >model.uri
ASK
FOLDER="$folder" PATH="$folder/bin:$PATH" dbus-run-session -- sh "$folder/ask.sh" >"$folder/err" 2>&1 || fail "no thumbnails from tumblerd"
[ "$(grep -c "exit code 3" "$folder/said")" = 1 ] || fail "the damaged model: $(cat "$folder/said")"

for pair in "model wanted" "motion moved"; do
    set -- $pair
    differing=$(compare -metric AE "$1.png" "$2.png" null: 2>&1) || true
    [ "$differing" = 0 ] || fail "tumblerd's thumbnail of the $1 is another picture: $differing"
done
identify -verbose model.png | grep -qF "Thumb::URI: $(cat model.uri)" || fail "tumblerd's thumbnail lacks its keys"
