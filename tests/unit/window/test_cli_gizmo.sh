#!/bin/sh
# test_cli_gizmo.sh ODORI: tests posing in the player's window by mouse: clicks select bones, the gizmo's ring turns
# an arm, one undo takes it back, the pose saved and read again is the same, and the logged commands of the drag
# reproduce it to the last bit. Positions are for a window of 1280 by 720 pixels at scale 1. Exits 77 (skipped) if a
# tool is missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare convert awk
mkdir -p config/odori
cat >config/odori/keys.conf <<EOF
F6 edit.add /models/#0/bones/右ひじ
F7 edit.add /models/#0/bones/右手首
F8 pose.save saved.vpd
F9 edit.tell
EOF
printf 'panels.timeline off\npause\nframe.set 0\n' >still.txt
all=1280x720+0+0 arm=200x240+480+190 legs=300x280+480+420
shoulder_x=589 shoulder_y=224

start_display
theirs_here
start theirs/dancer.pmx --motion theirs/dance.vmd --physics off --exec still.txt --log info
wait_for "a picture that stands" picture_is_drawn
point 900 300
settled plain.png

told() { tail -1 out | grep -q -e "$1"; }
tells() {
    key F9
    wait_for "$1 is told of" told "$1"
}
away() { point 900 300; }
shift_click() {
    xdotool keydown shift
    click "$1" "$2"
    xdotool keyup shift
    seen
}
click_shoulder() { click $((shoulder_x + 3)) $((shoulder_y + 2)); }

# --- A click selects what is under it, or nothing ---
click 622 197
away
wait_for "marks of what was clicked" part_differs $all plain.png
tells '/bones/頭"'
settled head.png
click 200 300
away
wait_for "nothing is selected" part_is $all plain.png

# --- With bones shown, clicks select their marks; Shift adds and removes ---
key shift+b
wait_for "bones" part_differs $all plain.png
settled bones.png
point $((shoulder_x + 3)) $((shoulder_y + 2))
wait_for "the bone under the pointer" part_differs $all bones.png
settled hover.png
click_shoulder
tells '/bones/右腕"'
shift_click 622 197
tells '/bones/[^右]*"'
tail -2 out | head -1 | grep -q '/bones/右腕"' || fail "Shift takes the others away"
settled several.png
shift_click 622 197
key Escape
click_shoulder
tells '/bones/右腕"'
key shift+b
away
settled selected.png

# --- With bodies shown, clicks select them ---
key Escape b
click 562 268
tells '/bodies/右二の腕"'
settled body.png
key Escape
key b shift+b
click_shoulder
tells '/bones/右腕"'
key shift+b
away
wait_for "selected as before" part_is $all selected.png

# --- The outer ring turns the arm in the plane of the picture ---
grip() {
    point $((shoulder_x + 110)) $shoulder_y
    seen
    settled hovered.png
    xdotool mousedown 1
    point $((shoulder_x + 105)) $((shoulder_y + 32))
    seen
    point $((shoulder_x + 95)) $((shoulder_y + 55))
    seen
}
grip
settled dragging.png
xdotool mouseup 1
away
wait_for "a turned arm" part_differs $arm selected.png
settled turned.png
part_is $legs plain.png || fail "the legs have moved"
key F6 F7
seen
tells '/bones/右手首"'
tail -3 out >live.txt
sed -n 's/^odori: \(edit[.].*\)/\1/p' log >drag.txt
key F8
wait_for "a pose" test -s saved.vpd

# --- Undo and redo; Escape during a drag makes no step ---
key ctrl+z
key Escape
wait_for "nothing selected, and the arm of before" part_is $all plain.png
key ctrl+y
wait_for "the arm again" part_differs $arm plain.png
key ctrl+z
wait_for "the arm of before" part_is $all plain.png
key shift+b
click_shoulder
key shift+b
away
wait_for "selected again" part_is $all selected.png
grip
wait_for "a drag" part_differs $arm hovered.png
key Escape
xdotool mouseup 1
away
wait_for "taken back" part_is $all selected.png
key Escape
key ctrl+y
wait_for "what could be done again still can" part_differs $arm plain.png
key ctrl+z
wait_for "the arm of before" part_is $all plain.png

# --- Another mode and space; the camera's buttons still move the camera ---
key shift+b
click_shoulder
key shift+b
key t
away
settled moving.png
part_differs $arm selected.png || fail "T shows the handles of before"
key x
wait_for "other axes" part_differs $arm moving.png
settled parent.png
point $shoulder_x $shoulder_y
seen
xdotool mousedown 3
point $((shoulder_x + 60)) $shoulder_y
seen
xdotool mouseup 3
wait_for "another view" part_differs $legs plain.png
key Tab
seen
click 1015 49
settled page.png
key Tab
away
stop

cat >tell.txt <<EOF
edit.select /models/#0/bones/右腕
edit.add /models/#0/bones/右ひじ
edit.add /models/#0/bones/右手首
edit.tell
EOF

# --- The logged commands of the drag give the same to the last bit ---
cat drag.txt tell.txt >same.txt
"$odori" dump theirs/dancer.pmx --motion theirs/dance.vmd --physics off --frames 0 --exec same.txt >same.out 2>log ||
    fail "the drag's lines are not read"
grep '"path"' same.out | head -3 >same.live
grep -q edit.rotate drag.txt || fail "the drag is not told: $(cat drag.txt)"
cmp live.txt same.live || fail "other values"

# --- The pose, read again, has the same matrices ---
"$odori" dump theirs/dancer.pmx --pose saved.vpd --physics off --frames 0 --exec tell.txt >again.txt 2>log ||
    fail "the pose is not read"
numbers() { sed 's/.*"world":\[//; s/\].*//' | tr ',' '\n'; }
grep '"path"' again.txt | head -3 | numbers >again.numbers
numbers <live.txt >live.numbers
[ "$(wc -l <live.numbers)" -eq 48 ] || fail "no matrices of three bones: $(cat live.txt)"
paste live.numbers again.numbers | awk '
    { d = $1 - $2; if (d < 0) d = -d; if (d > most) most = d; if (NF != 2) bad = 1 }
    END { print "largest difference of the pose read again: " most + 0; exit bad || !(most < 1e-5) }' ||
    fail "another pose"
echo "bones are selected, turned, undone, saved and read again"
