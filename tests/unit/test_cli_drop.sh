#!/bin/sh
# test_cli_drop.sh ODORI DROP_FILES: files dropped on the player's window on
# a virtual display, as a file manager drops them. Exits 77 (skipped) where a
# tool is missing. KEEP=folder keeps the screenshots.
set -eu
odori=$1 drop_files=$2
for tool in Xvfb xdotool import compare; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "skipped: no $tool"
        exit 77
    }
done
folder=$(mktemp -d)
server= player=
finish() {
    [ -z "$player" ] || kill "$player" 2>/dev/null || true
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "${KEEP:-}" ] || cp "$folder"/*.png "$KEEP"
    rm -rf "$folder"
}
trap finish EXIT
fail() {
    echo "failed: $1" >&2
    cat "$folder/log" >&2
    exit 1
}
# Waits up to 60 seconds for a condition.
wait_for() {
    what=$1
    shift
    tries=600
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || fail "$what"
        sleep 0.1
    done
}
cd "$folder"
export XDG_CONFIG_HOME="$folder/config" XDG_STATE_HOME="$folder/state"
cat >fan.x <<'END'
xof 0303txt 0032
Mesh {
 4;
 -0.2;0;0;, 0.2;0;0;, 0.2;0.3;0;, -0.2;0.3;0;;
 2;
 4;0,1,2,3;, 4;3,2,1,0;;
}
END
export LIBGL_ALWAYS_SOFTWARE=1 ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
dancer=$("$odori" info dancer --json | sed -n 's/.*"file":"\([^"]*\)".*/\1/p' | head -1)
[ -f "$dancer" ] || fail "no dancer at \"$dancer\""
ln -s "$(dirname "$dancer")" theirs

# What is dropped: a picture of a scene with camera, pose, place and view of its own.
printf 'camera.set -30 0 12 0 0.2 0.6 0 40\nmorph.set 笑い 1\nmodel.place 3 0 0 0 20 0 1\n' >scene.txt
"$odori" shot theirs/dancer.pmx --motion theirs/dance.vmd --frame 600 --size 1280x720 --msaa 4 --grid on \
    --background 204060 --exec scene.txt -o scene.png
printf 'this is no model\n' >bad.pmx

mkfifo number
Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp -noreset 3>number 2>xvfb.log &
server=$!
read -r display <number
export DISPLAY=":$display"
unset WAYLAND_DISPLAY

printf 'panels.timeline off\npause\nframe.set 30\ncamera.reset\n' >still.txt
"$odori" play --exec still.txt >out 2>log &
player=$!
find_window() { window=$(xdotool search --pid "$player" --name . 2>/dev/null | tail -1) && [ -n "$window" ]; }
title_has() { xdotool getwindowname "$window" | grep -q -e "$1"; }
picture() { import -window "$window" "$1" 2>/dev/null; }
difference() { compare -metric AE "$1" "$2" null: 2>&1 || true; }
different() { [ "$(difference "$1" "$2")" != 0 ]; }
picture_changed() { picture after.png && different before.png after.png; }
picture_stands() {
    picture before.png && sleep 0.3 && picture after.png && ! different before.png after.png &&
        [ "$(identify -format %k after.png)" -gt 100 ]
}
drop() { "$drop_files" "$window" "$@" || fail "dropping $*"; }

wait_for "a window" find_window
wait_for "a picture that stands" picture_stands
cp before.png start.png

drop bad.pmx
wait_for "the reason in the title" title_has 'bad.pmx'
grep -q 'bad.pmx' log || fail "the log does not say why"
wait_for "a picture that stands" picture_stands
different start.png before.png && fail "a bad file changed the picture"

drop fan.x
wait_for "a change by an accessory" picture_changed
wait_for "a picture that stands" picture_stands
cp before.png fan.png

drop scene.png
wait_for "the scene's name in the title" title_has '^scene.png - frame 600 - paused'
wait_for "a picture that stands" picture_stands
cp before.png restored.png
# The window's samples lie elsewhere than the picture's: outlines may differ.
pixels=$(compare -metric AE -fuzz 10% restored.png scene.png null: 2>&1 || true)
pixels=${pixels%%.*}
[ "$pixels" -lt 9000 ] || fail "the restored scene differs from its picture in $pixels pixels"

drop theirs/dancer.pmx theirs/camera.vmd
wait_for "a change by another model" picture_changed
wait_for "a picture that stands" picture_stands
cp before.png added.png

# An archive, and what is in a folder of it.
mkdir deep
sed 's/0\.2/0.9/g; s/0\.3/1.9/g' fan.x >deep/board.x
tar -cf packed.tar deep
drop packed.tar
wait_for "a change by an archive" picture_changed
wait_for "a picture that stands" picture_stands
cp before.png packed.png
printf 'PK\003\004' >bad.zip
drop bad.zip
wait_for "the reason in the title" title_has 'bad.zip'

xdotool windowfocus --sync "$window" || true
xdotool key q
code=0
wait "$player" || code=$?
player=
[ "$code" -eq 0 ] || fail "exit code $code"

# A file of interchange takes the dancer's place without her dance, and physics goes on without an end.
cat >fall.gltf <<'END'
{"asset":{"version":"2.0"},"extensionsUsed":["OMI_physics_body","OMI_physics_shape"],
 "extensions":{"OMI_physics_shape":{"shapes":[{"type":"box","box":{"size":[1,1,1]}}]}},
 "scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"Cube","extensions":{"OMI_physics_body":
 {"motion":{"type":"dynamic"},"collider":{"shape":0}}}}]}
END
"$odori" play >out 2>log &
player=$!
window=
wait_for "a window" find_window
drop fall.gltf
wait_for "physics that goes on" title_has '^fall.gltf - frame [1-9][0-9]'
xdotool windowfocus --sync "$window" || true
xdotool key q
wait "$player" || fail "exit code of the second player"
player=
echo "$pixels of 921600 pixels of the restored scene differ from its picture"
