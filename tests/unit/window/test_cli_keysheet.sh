#!/bin/sh
# test_cli_keysheet.sh ODORI: tests the key sheet and the curve editor in the player's window by mouse. Each edit,
# saved, gives byte for byte the file that commands make without a window, and is one step of undo. Positions are for
# a window of 1280 by 720 pixels at scale 1. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare convert awk cmp
mkdir -p config/odori
cat >config/odori/keys.conf <<EOT
F6 edit.translate 0 1 0
F7 frame.set 100
F8 motion.save saved.vmd
F9 edit.tell
F10 frame.set 60
F11 key.delete 0
F3 frame.set 60.5
F4 key.set
EOT
printf 'panels.timeline off\npause\nframe.set 60\n' >still.txt
sheet=1280x230+0+425
row=495 summary=477
key_x() { echo $((142 + 7 * $1)); } # x of a frame

start_display
theirs_here
start theirs/dancer.pmx --motion theirs/dance.vmd --physics off --msaa 1 --exec still.txt
wait_for "a picture that stands" picture_is_drawn
point 900 300
settled plain.png

# The files that commands make from the dance, each edit starting with the original.
cat >made.txt <<EOT
frame.set 37
edit.select /models/#0/bones/センター
key.delete 0
key.rest
motion.save rested.vmd
undo
undo
key.move 15 20
motion.save moved.vmd
undo
edit.join on
key.delete 30
key.delete 37
edit.join off
motion.save deleted.vmd
undo
edit.join on
key.copy 30 100
key.copy 37 107
edit.join off
motion.save copied.vmd
undo
key.curve 37 rotation 20 20 107 107
motion.save straight.vmd
key.curve 37 rotation 0 127 107 107
motion.save corner.vmd
undo
undo
edit.translate 0 1 0
key.set
motion.save posed.vmd
undo
undo
key.mode on
edit.translate 0 1 0
motion.save recorded.vmd
EOT
"$odori" dump theirs/dancer.pmx --motion theirs/dance.vmd --physics off --frames 60 --exec made.txt \
    >/dev/null 2>made.log || fail "$(cat made.log)"
is_saved() {
    key F8
    sleep 0.1
    cmp -s saved.vmd "$1"
}
hand_made() {
    wait_for "$1 by hand" is_saved "$1.vmd"
    key ctrl+z
    wait_for "$1, undone in one step" is_saved theirs/dance.vmd
}
told() { tail -1 out | grep -q -e "$1"; }

# --- Its key opens the sheet, which then uses no CPU time ---
key d
wait_for "a sheet" part_differs $sheet plain.png
settled all.png
before=$(ticks)
sleep 1
after=$(ticks)
[ $((after - before)) -le 4 ] || fail "$((after - before)) ticks of CPU under the sheet"

# --- A name selects its bone ---
click 40 $row
wait_for "rows of what is selected" part_differs $sheet all.png
key F9
wait_for "the bone of the row" told '/bones/センター"'

point 900 300
settled row.png
# chosen FRAME: waits until the key is shown as selected, because keys pressed before would go to the window.
chosen() { wait_for "a chosen key at $1" part_differs "8x8+$(($(key_x "$1") - 4))+$((row - 4))" row.png; }

# --- A key is dragged ---
drag "$(key_x 15)" $row "$(key_x 20)" $row
hand_made moved
drag "$(key_x 15)" $summary "$(key_x 20)" $summary
hand_made moved

# --- Keys selected by a box are deleted; keys selected one by one are copied ---
drag "$(key_x 26)" $((row - 7)) "$(key_x 41)" $((row + 7))
chosen 37
key Delete
hand_made deleted
click "$(key_x 30)" $row
chosen 30
xdotool keydown ctrl
click "$(key_x 37)" $row
chosen 37
xdotool keyup ctrl
key ctrl+c
seen
key F7 ctrl+v
hand_made copied

# --- A double click goes to the key and shows its curve ---
double_click() { # on a slow machine the second click may be too late
    xdotool click --repeat 2 --delay 40 1
    seen
    title_has 'frame 37 - paused'
}
point "$(key_x 37)" $row
seen
wait_for "the key's frame" double_click
click 1164 516 # straight curve
wait_for "a straight curve" is_saved straight.vmd
point 1012 582
seen
xdotool mousedown 1
point 1000 500
seen
point 970 430
seen
xdotool mouseup 1
wait_for "a handle in the corner" is_saved corner.vmd
key ctrl+z
wait_for "the drag of the handle undone in one step" is_saved straight.vmd
key ctrl+z
wait_for "the curve of before" is_saved theirs/dance.vmd

# --- The button sets keys of the pose; recording sets them at once ---
key Escape # deselects the key, not the bone
key F6
seen
click 49 437
wait_for "a key of the pose" is_saved posed.vmd
key ctrl+z ctrl+z
wait_for "none of it" is_saved theirs/dance.vmd
click 24 437
point 500 600
wait_for "the red dot" part_differs 20x20+14+427 all.png
key F6
hand_made recorded
click 24 437
point 500 600
wait_for "no red dot" part_is 20x20+14+427 all.png

# --- Where the first key is not at frame 0, a button sets a key at rest there ---
key F11
wait_for "the button" part_differs 80x16+370+428 row.png
click 410 436
wait_for "a key at rest" is_saved rested.vmd
key ctrl+z ctrl+z
wait_for "the first key" is_saved theirs/dance.vmd
point 500 600
wait_for "no button" part_is 80x16+370+428 row.png

# --- The sheet shows refusals; pausing stops at a whole frame ---
said=200x20+430+427
key F3 F4
wait_for "no key within a frame" log_has 'whole frames of the motion, and 60.5 is not one'
wait_for "why there is none" part_differs $said row.png
key space
sleep 0.5
key space
wait_for "a pause" title_has paused
key F6 F4
has_key() {
    key F8
    sleep 0.1
    ! cmp -s saved.vmd theirs/dance.vmd
}
wait_for "a key where it stopped" has_key
[ "$(grep -c 'whole frames' log)" -eq 1 ] || fail "it stopped within a frame"
key ctrl+z ctrl+z
wait_for "no key again" is_saved theirs/dance.vmd

# --- Its button closes the sheet, and the settings remember its state ---
key d Escape F10
point 900 300
wait_for "no sheet" part_is $sheet plain.png
key d
stop
grep -q '^panels.sheet on' config/odori/settings.conf || fail "the sheet is not remembered"
echo "keys are chosen, dragged, deleted, copied and written, and curves shaped"
