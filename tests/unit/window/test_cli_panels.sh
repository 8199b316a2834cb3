#!/bin/sh
# test_cli_panels.sh ODORI: tests the player's panels and timeline in a window on a virtual display, by keys and
# mouse. Positions are for a window of 1280 by 720 pixels at scale 1. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare convert
start_display

start_drawn() {
    start "$@"
    wait_for "a picture that stands" picture_is_drawn
}
# Regions of the window: the dancer, whose picture is smaller beside the panels; the timeline; the panels.
dancer=900x600+0+0 timeline=1280x60+0+660 panels=300x600+970+0

printf 'pause\nframe.set 30\n' >still.txt
start_drawn --exec still.txt
settled plain.png

# The timeline appears with the pointer and disappears with it; the dancer does not change.
point 400 300
point 410 310
wait_for "a timeline" part_differs $timeline plain.png
wait_for "the dancer as she was" part_is $dancer plain.png
xdotool mousemove 1390 890
wait_for "no timeline" part_is $timeline plain.png

# Tab opens and closes the panels. They use no CPU time while open.
xdotool key Tab
wait_for "panels by Tab" part_differs $panels plain.png
settled models.png
ticks_before=$(ticks)
sleep 2
ticks_after=$(ticks)
[ $((ticks_after - ticks_before)) -le 4 ] || fail "$((ticks_after - ticks_before)) ticks of CPU under panels"
xdotool key Tab
wait_for "no panels" part_is $panels plain.png
xdotool key Tab
wait_for "panels again" part_is $panels models.png

# A morph's slider changes the face during the drag, and Ctrl+Z undoes the whole drag.
panel_page morphs
wait_for "the page of morphs" part_differs $panels models.png
settled morphs.png
slider=$(panel_line 3) # first slider, below the filter, a button and the heading of eyes
point 970 "$slider"
seen
xdotool mousedown 1
for x in 1000 1040 1080; do
    point $x "$slider"
    seen
done
xdotool mouseup 1
wait_for "another face" part_differs $dancer morphs.png
settled dragged.png
xdotool key ctrl+z
wait_for "the face of before" part_is $dancer morphs.png

# Text typed into a filter does not trigger key bindings.
click 1100 "$(panel_line 0)"
seen
xdotool type --delay 60 "blink"
wait_for "a shorter list" part_differs $panels morphs.png
title_has 'frame 30 - paused' || fail "a letter of the filter was a key"
xdotool key space
seen
title_has 'frame 30 - paused' || fail "a blank in the filter was a key"
xdotool key ctrl+a BackSpace Escape
kill -0 "$player" || fail "Escape in the filter quits"
point 400 300
wait_for "the whole list" part_differs $panels dragged.png

# The button shows all materials again.
panel_page materials
seen
click 972 "$(panel_line 2)"
wait_for "no skin" part_differs $dancer morphs.png
click 1040 "$(panel_line 1)"
wait_for "all materials" part_is $dancer morphs.png

# A camera drag cannot begin on a panel.
point 1100 400
seen
xdotool mousedown 3 mousemove_relative --sync 0 60 mouseup 3
seen
part_is $dancer morphs.png || fail "a drag on the panels turns the camera"

# Scrubbing on the track changes the frame and the picture.
click 640 671
wait_for "another frame by the track" title_has 'frame 600 - paused'
point 645 671
seen
xdotool mousedown 1
point 300 671
seen
point 112 671
seen
xdotool mouseup 1
wait_for "a frame by dragging" title_has 'frame 9[0-9] - paused'
wait_for "another picture" part_differs $dancer morphs.png

# The button plays and pauses.
click 87 699
wait_for "playing by the button" title_has ' fps'
click 87 699
wait_for "a pause by the button" title_has 'paused'
stop

# Commands for panels are accepted.
"$odori" shot --help >/dev/null
printf 'panels on\npanels.language ja\npanels.scale 2\npanels.page bones\n' >panels.txt
cat still.txt panels.txt >both.txt
start_drawn --exec both.txt
stop

# Wrong arguments of commands for panels are errors.
refuses() {
    printf '%s\n' "$1" >wrong.txt
    code=0
    "$odori" play --exec wrong.txt >out 2>log || code=$?
    [ "$code" -eq 2 ] || fail "exit code $code of $1"
}
refuses 'panels.page nothing'
refuses 'panels.language de'
refuses 'panels.scale 9'
refuses 'panels.width 5'
refuses 'sheet.height 5000'
refuses 'messages.list nothing'
refuses 'messages.close 99'
refuses 'material.show 999 off'
refuses 'material.solo -1'
echo "panels, sliders, filters, materials, track and button answer"
