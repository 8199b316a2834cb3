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
# They do not even wake the player.
wakes() { cat "/proc/$player"/task/*/status | awk '/^voluntary/ { n += $2 } END { print n }'; }
seen
sleep 0.6 # the title
ticks_before=$(ticks) wakes_before=$(wakes)
sleep 2
ticks_after=$(ticks) wakes_after=$(wakes)
[ $((ticks_after - ticks_before)) -le 4 ] || fail "$((ticks_after - ticks_before)) ticks of CPU under panels"
[ $((wakes_after - wakes_before)) -le 10 ] || fail "$((wakes_after - wakes_before)) wake-ups in two seconds"
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

# The loudspeaker mutes, and the wheel over it changes the volume and ends that.
speaker=30x30+1148+684
point 1163 500
settled sound.png
click 1163 699
point 1163 500
wait_for "a loudspeaker that is crossed out" part_differs $speaker sound.png
point 1163 699
xdotool click 5
point 1163 500
wait_for "the sound again" part_is $speaker sound.png
key shift+m
wait_for "no sound by Shift+M" part_differs $speaker sound.png
stop

# --- The page of models: two of the same name are told apart, hidden, renamed, ordered, replaced and removed ---
theirs_here
dancer=900x600+0+0 # of the window; theirs_here sets it to a file
cp theirs/dancer.pmx theirs/another.pmx
mkdir -p config/odori
printf 'F6 view.background transparent\nCtrl+F6 screenshot clear.png\nF7 edit.select /models/#1\nF9 edit.tell\n' \
    >config/odori/keys.conf
cat >two.txt <<EOF
panels.page models
view.edge off
material.solo 0
model.select 1
material.solo 0
model.place -8 0 0 0 0 0 1
model.select 0
camera.fit
EOF
cat still.txt two.txt >models.txt
start_drawn theirs/dancer.pmx theirs/dancer.pmx --physics off --exec models.txt
settled two.png
# Of the page: check box and title of the second model, its name, order and buttons.
second=146 name_line=374 order_line=401 buttons=428
click 972 $second
wait_for "a hidden model" part_differs $dancer two.png
click 972 $second
wait_for "both models" part_is $dancer two.png
click 1050 $second
point 900 300
wait_for "the second model chosen" part_differs 290x120+960+100 two.png
settled chosen.png
click 1245 $order_line # to a higher draw order, and back
wait_for "another order" part_differs 130x20+1064+391 chosen.png
click 1217 $order_line
wait_for "the order of before" part_is 130x20+1064+391 chosen.png
click 1150 $name_line
key ctrl+a
xdotool type --delay 60 "Hana"
key Return
point 900 300
wait_for "another name in the list" part_differs 200x20+990+137 chosen.png
key F7 F9
told() { tail -1 out | grep -q -e "$1"; }
wait_for "the name in paths" told '"/models/Hana"'
key Escape ctrl+z
point 900 300
wait_for "the name of before" part_is 200x20+990+137 chosen.png
click 1180 $buttons
wait_for "the page of files" part_differs 290x200+960+440 chosen.png
key Escape
point 900 300
wait_for "no page of files after Escape" part_is 290x200+960+440 chosen.png
click 1180 $buttons
wait_for "the page of files again" part_differs 290x200+960+440 chosen.png
seen
xdotool type --delay 60 another
seen
key Return
point 900 300
wait_for "no page of files any more" part_is 290x28+970+2 chosen.png
wait_for "another file" part_differs 200x20+990+137 chosen.png
key ctrl+z
wait_for "the file of before" part_is 200x20+990+137 chosen.png
wait_for "the picture of before" part_is $dancer chosen.png
click 1030 $buttons
wait_for "a removed model" part_differs $dancer chosen.png
key ctrl+z
point 900 300
wait_for "the model again" part_is $dancer chosen.png

# --- A transparent background is a checkerboard in the window, and transparent in pictures ---
key F6
is_checkered() { picture now.png && [ "$(convert ppm:now.png -crop 64x1+10+500 +repage -depth 8 -unique-colors txt: | grep -c '#999999\|#777777')" = 2 ]; }
wait_for "a checkerboard" is_checkered
key ctrl+F6
wait_for "a picture" test -s clear.png
is_clear() { [ "$(identify -format '%[fx:p{10,10}.a]' clear.png)" = 0 ]; }
wait_for "its transparent corner" is_clear
stop

# Commands for panels are accepted. Names of motions are in the font: two names that differ in one kanji, which no other
# text has, look different.
printf 'panels on\npanels.language ja\npanels.scale 2\npanels.page bones\npanels.scale 1\npanels.page models\n' >panels.txt
cat still.txt panels.txt >both.txt
cp theirs/dance.vmd 鬱.vmd
cp theirs/dance.vmd 籠.vmd
start_drawn theirs/dancer.pmx --motion 鬱.vmd --motion 籠.vmd --exec both.txt
settled motions.png
part motions.png "16x20+990+451" first.png
part motions.png "16x20+990+478" second.png
[ "$(colors_of first.png)" -gt 4 ] || fail "no name of a motion"
different first.png second.png || fail "two names of motions look the same"
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
refuses 'panels.hint 1.5'
refuses 'messages.list nothing'
refuses 'messages.close 99'
refuses 'material.show 999 off'
refuses 'material.solo -1'
echo "panels, sliders, filters, materials, track and button answer"
