#!/bin/sh
# test_cli_picking.sh ODORI: tests in the player's window what clicks select: what animators move, with Alt one level
# up, with Ctrl the very bone; that a key selects what moves it; that the light has no handle before it is selected;
# and the sets of keys. Positions are for a window of 1280 by 720 pixels at scale 1. Exits 77 (skipped) if a tool is
# missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare convert
mkdir -p config/odori
cat >config/odori/keys.conf <<EOF
F6 input.keys mmd
F7 input.keys blender
F9 edit.tell
Home frame.set 7
EOF
printf 'panels.timeline off\npause\nframe.set 0\n' >still.txt
stage=900x600+0+0

start_display
theirs_here
start theirs/dancer.pmx --motion theirs/dance.vmd --physics off --exec still.txt
wait_for "a picture that stands" picture_is_drawn
point 900 300
settled plain.png

told() { tail -1 out | grep -q -e "$1"; }
tells() {
    key F9
    wait_for "$1 is told of, not $(tail -1 out | cut -c 1-80)" told "$1"
}
click_with() { # KEY X Y
    xdotool keydown "$1"
    click "$2" "$3"
    xdotool keyup "$1"
    seen
}

# --- Legs lead to the IK goal ---
click 665 480
wait_for "the name of the selection over the picture" part_differs 200x40+0+0 plain.png
tells '/bones/左足ＩＫ"'
click_with alt 665 480
tells '/bones/左足IK親"'
click_with alt 665 480
tells '/bones/全ての親"'
key Escape
click_with alt 665 480
tells '/bones/左足IK親"'
click_with ctrl 665 480
tells '/bones/左[^ＩI]*D"'
key ctrl+Up
tells '/bones/左足ＩＫ"'
key alt+Up
tells '/bones/左足IK親"'

# --- The light's handle is there when the light is selected, not when its page is open ---
key Escape Tab
seen
panel_page models
point 900 300
settled plain.png
panel_page edit
point 900 300
wait_for "the page shows no handle" part_is $stage plain.png
key shift+l
wait_for "the light's handle" part_differs $stage plain.png
key Escape Tab

# --- The page of bones lists them by display frames, which open by a click; a bone there is selected ---
key Tab
seen
panel_page bones
point 900 300
settled closed.png
ik_frame=212 # the fourth group; its first bone is below it
click 1010 $ik_frame
point 900 300
wait_for "an open group" part_differs 290x300+962+150 closed.png
settled open.png
click 1030 $((ik_frame + 21))
tells '/bones/[^"]*ＩＫ"\|/bones/[^"]*IK[^"]*"'
xdotool keydown shift
click 1030 $((ik_frame + 42))
xdotool keyup shift
seen
: >out
key F9
wait_for "two bones by Shift" eval '[ "$(grep -c "\"path\"" out)" -ge 2 ]'
key Escape
click 1010 $ik_frame
point 900 300
wait_for "a closed group" part_is 290x300+962+150 closed.png
panel_page edit
key Tab

# --- Sets of keys, and keys.conf over them ---
key F6
key a
key F9
wait_for "all bones by MMD's A" eval '[ "$(grep -c /bones/ out)" -gt 100 ]'
key F7
key alt+a
: >out
key F9
key shift+Right
wait_for "the last frame by Blender's Shift+Right" title_has 'frame 1200 - paused'
[ ! -s out ] || fail "Blender's Alt+A leaves $(wc -l <out) items selected"
key Home
wait_for "the user's Home in Blender's set" title_has 'frame 7 - paused'
stop
grep -q -x 'input.keys blender' config/odori/settings.conf || fail "the set is not kept"
start theirs/dancer.pmx --motion theirs/dance.vmd --physics off --exec still.txt
wait_for "a picture that stands" picture_is_drawn
key shift+Right
wait_for "the set of the last time" title_has 'frame 1200 - paused'
stop
echo "clicks, levels, controllers, the light and sets of keys answer"
