#!/bin/sh
# test_cli_drop.sh ODORI DROP_FILES: tests files dropped on the player's window on a virtual display, as a file
# manager drops them. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1 drop_files=$2
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare

cat >fan.x <<'END'
xof 0303txt 0032
Mesh {
 4;
 -0.2;0;0;, 0.2;0;0;, 0.2;0.3;0;, -0.2;0.3;0;;
 2;
 4;0,1,2,3;, 4;3,2,1,0;;
}
END
theirs_here

# The picture to drop: a scene with camera, pose, placement and view settings.
printf 'camera.set -30 0 12 0 0.2 0.6 0 40\nmorph.set 笑い 1\nmodel.place 3 0 0 0 20 0 1\n' >scene.txt
"$odori" shot theirs/dancer.pmx --motion theirs/dance.vmd --frame 600 --size 1280x720 --msaa 4 --grid on \
    --background 204060 --exec scene.txt -o scene.png
printf 'this is no model\n' >bad.pmx

start_display
printf 'panels.timeline off\npause\nframe.set 30\ncamera.reset\n' >still.txt
start --msaa 4 --exec still.txt
drop() { "$drop_files" "$window" "$@" || fail "dropping $*"; }

wait_for "a picture that stands" picture_is_drawn
cp before.png start.png

drop bad.pmx
wait_for "the reason" log_has 'bad.pmx: '
grep -q 'bad.pmx' log || fail "the log does not say why"
wait_for "a picture that stands" picture_is_drawn
different start.png before.png && fail "a bad file changed the picture"

drop fan.x
wait_for "a change by an accessory" picture_changed
wait_for "a picture that stands" picture_is_drawn
cp before.png fan.png

drop scene.png
wait_for "the scene's name in the title" title_has '^scene.png - frame 600 - paused'
wait_for "a picture that stands" picture_is_drawn
cp before.png restored.png
# The window's multisampling positions differ from those of the picture, so outlines may differ.
pixels=$(far_apart restored.png scene.png)
[ "$pixels" -lt 9000 ] || fail "the restored scene differs from its picture in $pixels pixels"

drop theirs/dancer.pmx theirs/camera.vmd
wait_for "a change by another model" picture_changed
wait_for "a picture that stands" picture_is_drawn
cp before.png added.png

# An archive with a model in a folder.
mkdir deep
sed 's/0\.2/0.9/g; s/0\.3/1.9/g' fan.x >deep/board.x
tar -cf packed.tar deep
drop packed.tar
wait_for "a change by an archive" picture_changed
wait_for "a picture that stands" picture_is_drawn
cp before.png packed.png
printf 'PK\003\004' >bad.zip
drop bad.zip
wait_for "the reason" log_has 'bad.zip: '

stop

# An interchange file replaces the dancer and her dance; its physics runs without an end.
cat >fall.gltf <<'END'
{"asset":{"version":"2.0"},"extensionsUsed":["OMI_physics_body","OMI_physics_shape"],
 "extensions":{"OMI_physics_shape":{"shapes":[{"type":"box","box":{"size":[1,1,1]}}]}},
 "scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"Cube","extensions":{"OMI_physics_body":
 {"motion":{"type":"dynamic"},"collider":{"shape":0}}}}]}
END
start
drop fall.gltf
wait_for "physics that goes on" title_has '^fall.gltf - frame [1-9][0-9]'
stop
echo "$pixels of 921600 pixels of the restored scene differ from its picture"
