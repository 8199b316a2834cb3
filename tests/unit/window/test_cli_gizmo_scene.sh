#!/bin/sh
# test_cli_gizmo_scene.sh ODORI: tests edits of camera, light (by its sun), joints and a model's placement by mouse: a
# slider's drag is one step of undo, and another button cancels a drag. Positions are for a window of 1280 by 720
# pixels at scale 1. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare convert
mkdir -p config/odori
echo 'F9 edit.tell' >config/odori/keys.conf
printf 'panels.timeline off\npause\nframe.set 0\n' >still.txt
all=1280x720+0+0 legs=300x280+480+420 picture=900x500+0+0
sun_x=523 sun_y=151 ring_x=502 ring_y=283 place_line=182

start_display
theirs_here
start theirs/dancer.pmx --motion theirs/dance.vmd --physics off --exec still.txt
wait_for "a picture that stands" picture_is_drawn
point 900 300
settled plain.png

told() { tail -1 out | grep -q -e "$1"; }
tells() {
    key F9
    wait_for "$1 is told of" told "$1"
}
away() { point 900 300; }

# --- The camera's ring changes the view, and one undo restores it ---
key shift+c y
tells '"/camera"'
grip_camera() {
    point 600 360
    seen
    xdotool mousedown 1
    point 570 361
    seen
    point 540 362
    seen
}
grip_camera
xdotool mouseup 1
wait_for "another view" part_differs $legs plain.png
key Escape ctrl+z
away
wait_for "the view of before" part_is $all plain.png
key shift+c
grip_camera
wait_for "another view again" part_differs $legs plain.png
xdotool click 3
xdotool mouseup 1
key Escape
away
wait_for "another button takes the drag back" part_is $all plain.png

# --- The sun is shown when the light is selected, no sooner; a click on it keeps it selected; it is turned ---
key Tab
seen
panel_page models
away
settled other.png
panel_page edit
away
settled page.png
part_is 900x600+0+0 other.png || fail "the page shows handles of what is not selected"
key shift+l
wait_for "the sun" part_differs 900x600+0+0 page.png
click $sun_x $sun_y
tells '"/light"'
away
settled lit.png
drag $ring_x $ring_y $((ring_x + 60)) $ring_y
away
wait_for "light from elsewhere" part_differs 500x300+400+0 lit.png
key ctrl+z
wait_for "light of before" part_is 500x300+400+0 lit.png
key Escape

# --- Joints are selected when shown ---
key Tab j
click 559 395
tells '/joints/右スカート2-3"'
key j Escape Tab
seen

# --- A slider's drag of a model's placement is one step ---
panel_page models
away
settled models.png
drag 1084 $place_line 1144 $place_line
away
wait_for "a model elsewhere" part_differs $picture models.png
key ctrl+z
away
wait_for "the model where it was" part_is $picture models.png
key Tab
stop
echo "camera and light are turned, a joint is picked, a model is placed"
