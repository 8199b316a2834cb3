#!/bin/sh
# test_cli_retold.sh ODORI ONLY_Y: takes pictures by F12 after every kind of edit in the window, with nothing saved:
# keys of bones, morphs, camera, light, self shadow and IK; placements of bodies and joints; light and camera; scaled
# nodes. `odori check` draws each of them again, equal, and reports a missing plug-in. Exits 77 (skipped) if a tool is
# missing.
set -eu
odori=$1 plugin=$2
case $plugin in /*) ;; *) plugin=$PWD/$plugin ;; esac
. "$(dirname "$0")/../../support/window.sh"
. "$(dirname "$0")/../../support/hands.sh"
need_tools Xvfb xdotool import compare
printf 'window.size 320 300\n' >config/odori/settings.conf
printf 'panels off\npanels.timeline off\npause\nframe.set 20\n' >still.txt

# Commands that are bound to keys and pressed in this order; "shot" is F12.
steps=
number=0
while IFS= read -r line; do
    number=$((number + 1))
    [ "$line" = shot ] || binds "step_$number" "$line"
    steps="$steps $([ "$line" = shot ] && echo shot || echo "step_$number")"
done <<EOF
body.place 40 3 18 0 0 0.6 0 0.8 1 1 1
shot
edit.select /models/#0/joints/#30
edit.translate 2 15 1
shot
edit.select /light
edit.translate 1 -1 0.2
shot
light.color 0.9 0.4 0.3
edit.select /camera
edit.rotate 10 40 5
shot
edit.select /models/#0/bones/右腕
edit.rotate 10 20 50
shot
key.set
key.curve 20 rotation 10 100 30 127
key.move 20 25
shot
key.mode on
key.morph 笑い 0.9
edit.rotate 0 0 20
key.shadow 2 3000
key.ik 右足ＩＫ off
shot
camera.set -35 0 12 0 0 20 0 30
light.color 0.9 0.9 0.3
shot
key.mode off
edit.select /models/#1/bones/part
edit.scale 2.5 1.2 1
shot
plugin.load $plugin
edit.rotate 0 0 40
shot
EOF
pictures() { ls dancer-*.png 2>/dev/null | wc -l; }
one_more() { [ "$(pictures)" -gt "$had" ]; }
shoots() {
    had=$(pictures)
    key F12
    wait_for "a picture" one_more
}

theirs_here
# A glTF with one triangle on a child node.
cat >part.gltf <<EOF
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
 "nodes":[{"name":"top","children":[1],"translation":[0.5,0.5,0]},{"name":"part","mesh":0}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
 "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[-0.3,0,0],"max":[0.3,0.6,0]}],
 "bufferViews":[{"buffer":0,"byteLength":36}],
 "buffers":[{"byteLength":36,
  "uri":"data:application/octet-stream;base64,mpmZvgAAAAAAAAAAmpmZPgAAAAAAAAAAAAAAAJqZGT8AAAAA"}]}
EOF
start_display
start theirs/dancer.pmx part.gltf --motion theirs/dance.vmd --msaa 1 --exec still.txt
wait_for "a picture that stands" picture_is_drawn
for step in $steps; do
    if [ "$step" = shot ]; then shoots; else presses "$step"; fi
done
sleep 0.3 # until the last picture is written
stop
grep -v -e 'picture of frame' -e OpenGL -e 'its handlers take part in edits' -e 'unsaved edits were written to' log && fail "something was refused"

# --- All pictures differ, and each is drawn again equal ---
last=
for picture in dancer-20.png dancer-20-?.png dancer-20-10.png; do
    [ -z "$last" ] || different "$last" "$picture" || fail "$last and $picture are the same"
    last=$picture
done
"$odori" check dancer-20*.png >checked 2>log || fail "not drawn again: $(cat checked)"
[ "$(grep -c ': equal$' checked)" -eq 10 ] || fail "not equal: $(cat checked)"
[ "$(grep -c 'plug-in: only_y -> (none)' log)" -eq 1 ] || fail "no word of the plug-in"
[ "$(wc -l <log)" -eq 1 ] || fail "something else is told"

# --- Pictures of `shot` record plug-ins, and drawing them again writes no files ---
cat >edits.txt <<EOF
plugin.load $plugin
edit.select /models/#0/bones/右腕
edit.rotate 10 20 30
pose.save posed.vpd
EOF
"$odori" shot theirs/dancer.pmx --size 320x300 --exec edits.txt -o plugged.png 2>log || fail "no picture"
[ -s posed.vpd ] || fail "no pose"
rm posed.vpd
"$odori" check plugged.png >checked 2>log && fail "without the plug-in it cannot be the same"
grep -q 'plug-in: only_y -> (none)' log || fail "no word of the plug-in"
[ ! -e posed.vpd ] || fail "a picture has written a file"
"$odori" diff dancer-20-9.png dancer-20-10.png >told 2>&1 || true
grep -q 'plug-in: (none) -> only_y' told || fail "diff does not tell of the plug-in: $(cat told)"
echo "pictures tell what was edited by hand, and are drawn again equal"
