#!/bin/sh
# test_cli_play.sh ODORI: tests the player in a window on a virtual display, by keys and mouse. Exits 77 (skipped) if
# a tool is missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare
start_display

echo 'panels.timeline off' >bare.txt # it would appear with the pointer (test_cli_panels.sh)
start --log info --exec bare.txt
wait_for "playing at once" title_has ' fps'
focus

picture a.png
colors=$(colors_of a.png)
[ "$colors" -gt 100 ] || fail "a picture of $colors colours"
cp a.png before.png
wait_for "movement" picture_changed

xdotool key space
wait_for "a pause by space" title_has paused
wait_for "a still picture" picture_stands
picture c.png
title_before=$(title)
ticks_before=$(ticks)
sleep 2
ticks_after=$(ticks)
picture d.png
[ "$(title)" = "$title_before" ] || fail "time goes on while paused"
different c.png d.png && fail "a paused picture moves"
[ $((ticks_after - ticks_before)) -le 4 ] || fail "$((ticks_after - ticks_before)) ticks of CPU while paused"

xdotool key Home
wait_for "frame 0 by Home" title_has 'frame 0 '
xdotool key Right
wait_for "frame 1 by Right" title_has 'frame 1 '
xdotool key shift+Right
wait_for "frame 11 by shift+Right" title_has 'frame 11 '
xdotool key Left
wait_for "frame 10 by Left" title_has 'frame 10 '

drag_by() {
    wait_for "a still picture" picture_stands
    xdotool mousemove --window "$window" 600 300 mousedown "$1" mousemove_relative --sync 120 40 mouseup "$1"
    wait_for "a change by $2" picture_changed
}
drag_by 3 "the right button"
drag_by 2 "the middle button"
wait_for "a still picture" picture_stands
xdotool mousemove --window "$window" 600 300 click 4
wait_for "a change by the wheel" picture_changed
wait_for "a picture that stands" picture_stands
cp after.png plain.png
for key in b j; do
    cp after.png before.png
    xdotool key $key
    wait_for "lines by $key" picture_changed
    wait_for "a picture that stands" picture_stands
done
xdotool key k # there may be no contact to show
xdotool key b j k
is_plain() { picture after.png && ! different plain.png after.png; }
wait_for "no lines after b, j and k" is_plain
xdotool windowsize --sync "$window" 800 600
small_picture() {
    picture small.png && [ "$(identify -format %wx%h small.png)" = 800x600 ] &&
        [ "$(colors_of small.png)" -gt 100 ]
}
wait_for "a picture after resizing" small_picture

xdotool key p
wait_for "playing by P" title_has ' fps'
fps=$(title | sed 's/.* \([0-9]*\) fps.*/\1/')
[ "$fps" -le 80 ] || fail "$fps pictures a second, where a monitor shows 60"

# While the window is hidden playback continues, but nothing is drawn and little CPU time is used.
frame() { title | sed 's/.*frame \([0-9]*\).*/\1/'; }
not_drawn() { title_has 'frame [0-9]*$'; }
xdotool windowunmap --sync "$window"
wait_for "a title without pictures" not_drawn
frame_before=$(frame)
ticks_before=$(ticks)
sleep 3
gone=$(($(frame) - frame_before))
ticks_unseen=$(($(ticks) - ticks_before))
[ "$gone" -ge 30 ] || [ "$gone" -lt 0 ] || fail "$gone frames in three seconds without being seen"
[ "$ticks_unseen" -le 90 ] || fail "$ticks_unseen ticks of CPU in three seconds without being seen"
xdotool windowmap --sync "$window"
wait_for "pictures again" title_has ' fps'
wait_for "a picture after it was not seen" small_picture
focus
stop
grep -q "OpenGL .*(window)" log || fail "the log does not name the context"

# With antialiasing a picture has more colours. Also checks that the context is logged without --log.
colors_with() {
    printf 'panels.timeline off\npause\nframe.set 30\n' >still.txt
    start --exec still.txt --msaa "$1"
    wait_for "a picture that stands" picture_is_drawn
    picture "msaa$1.png"
    grep -q "OpenGL .*(window)" log || fail "the context is not named at the start"
    stop
    colors=$(colors_of "msaa$1.png")
}
colors_with 0
plain=$colors
colors_with 4
[ "$colors" -gt "$plain" ] || fail "$colors colours with --msaa 4, $plain without"
echo "$plain colours without antialiasing, $colors with"
