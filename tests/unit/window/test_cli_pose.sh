#!/bin/sh
# test_cli_pose.sh ODORI POSE_COMPARE [MODEL]: tests a whole pose made in the player's window: keys select bones, and
# their handles are dragged where `gizmo.tell` reports them. The pose is saved as a VPD and read by another process.
# All bone matrices must equal those of the window, and those of the evaluation that tests/mmd compares with MMD.
# Poses the bundled dancer without MODEL, or if that does not exist. Exits 77 (skipped) if a tool is
# missing.
set -eu
odori=$1 compare=$2 model=${3:-}
. "$(dirname "$0")/../../support/window.sh"
. "$(dirname "$0")/../../support/hands.sh"
need_tools Xvfb xdotool import compare awk

# --- Key bindings, each to a command ---
bone() { binds "$1" "edit.select /models/#0/bones/$2"; }
bone center センター
bone waist 下半身
bone chest 上半身
bone neck 首
bone head 頭
bone shoulder 左肩
bone arm 右腕
bone elbow 右ひじ
bone wrist 左手首
bone foot_right 右足ＩＫ
bone foot_left 左足ＩＫ
bone thumb 左親指１
bone finger 右人指１
binds finger_too "edit.add /models/#0/bones/右中指１"
binds finger_third "edit.add /models/#0/bones/右薬指１"
binds move "gizmo.mode translate"
binds turn "gizmo.mode rotate"
binds world "gizmo.space world"
binds local "gizmo.space local"
binds mirrored "edit.mirror on"
binds single "edit.mirror off"
binds where "gizmo.tell"
binds all "edit.all"
binds tell "edit.tell"
binds save "pose.save saved.vpd"
if [ -n "$model" ] && [ -f "$model" ]; then
    whose=$(basename "$model")
else
    theirs_here
    model=theirs/dancer.pmx whose=dancer.pmx
fi
printf 'window.size 640 560\n' >config/odori/settings.conf
printf 'panels off\npanels.timeline off\npause\ncamera.orbit 28 14\n' >still.txt
start_display
start "$model" --msaa 1 --physics off --exec still.txt
wait_for "a picture that stands" picture_is_drawn
xdotool mousemove --window "$window" 20 20

presses center move
drags y -30
drags z -30
presses waist turn
drags y 25
presses chest
drags x 18
drags z 20
presses neck
drags y -20
presses head
drags center 45
presses mirrored arm
drags z 40
drags y -25
presses elbow
drags y 45
presses single shoulder
drags z -15
presses wrist
drags x 40
presses foot_right move
drags xy 40
presses turn
drags y 30
presses foot_left world move
drags z 35
presses local thumb turn
drags z 30
presses finger finger_too finger_third
drags z -45
settled posed.png
presses save
wait_for "a pose" test -s saved.vpd
xdotool key Escape
presses all tell
bones=$("$odori" info "$model" --json | sed -n 's/.*"bones":\([0-9]*\).*/\1/p' | head -1)
all_told() { [ "$(grep -c '"world":' out)" -ge "${bones:-1}" ]; }
wait_for "matrices of all bones" all_told
[ "$(grep -c '"path"' out)" -gt 0 ] || fail "nothing is told"
stop

"$odori" dump "$model" --pose saved.vpd --physics off --frames 0 --what bones -o again.json 2>log ||
    fail "the pose is not read"
"$compare" "$model" saved.vpd out again.json || fail "another pose"
echo "$whose is posed by hand, saved and read again"
