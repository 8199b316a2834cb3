#!/bin/sh
# test_cli_panels.sh ODORI: the player's panels and timeline in a real window
# on a virtual display, by real keys and a real mouse. Places are those of a
# window of 1280 by 720 at scale 1. Exits 77 (skipped) where a tool is missing.
set -eu
odori=$1
for tool in Xvfb xdotool import compare convert; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "skipped: no $tool"
        exit 77
    }
done
folder=$(mktemp -d)
server= player=
finish() {
    [ -z "$player" ] || kill "$player" 2>/dev/null || true
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
fail() {
    echo "failed: $1" >&2
    cat "$folder/log" >&2
    exit 1
}
# Waits some 20 seconds, more under load, for a condition.
wait_for() {
    what=$1
    shift
    tries=60
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || fail "$what"
        sleep 0.1
    done
}
cd "$folder"
mkfifo number
Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp -noreset 3>number 2>xvfb.log &
server=$!
read -r display <number
export DISPLAY=":$display" LIBGL_ALWAYS_SOFTWARE=1 LC_ALL=C.UTF-8
unset WAYLAND_DISPLAY
# The GLX driver leaves memory behind; what the program leaves, other tests see.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
export XDG_CONFIG_HOME="$folder/config" XDG_STATE_HOME="$folder/state"

start() {
    "$odori" play "$@" >out 2>log &
    player=$!
    wait_for "a window" find_window
    wait_for "a picture that stands" picture_is_drawn
    xdotool windowfocus --sync "$window" || true
}
stop() {
    xdotool windowfocus --sync "$window" || true
    xdotool key q
    code=0
    wait "$player" || code=$?
    player=
    [ "$code" -eq 0 ] || fail "exit code $code"
}
find_window() { window=$(xdotool search --pid "$player" --name odori 2>/dev/null | tail -1) && [ -n "$window" ]; }
title_has() { xdotool getwindowname "$window" | grep -q -e "$1"; }
picture() { import -window "$window" "$1" 2>/dev/null; }
different() { [ "$(compare -metric AE "$1" "$2" null: 2>&1 || true)" != 0 ]; }
picture_stands() {
    picture before.png && sleep 0.3 && picture after.png && ! different before.png after.png
}
picture_is_drawn() { picture_stands && [ "$(identify -format %k after.png)" -gt 100 ]; }
# Parts of the picture: the dancer's, the timeline's, the panels'.
part() { convert "$1" -crop "$2" +repage "$3"; }
dancer=900x600+0+0 timeline=1280x60+0+660 panels=300x600+970+0
part_is() { # PART of now and of FILE are the same
    picture now.png && part now.png "$1" now-part.png && part "$2" "$1" then-part.png &&
        ! different now-part.png then-part.png
}
part_differs() {
    picture now.png && part now.png "$1" now-part.png && part "$2" "$1" then-part.png &&
        different now-part.png then-part.png
}
point() { xdotool mousemove --window "$window" "$1" "$2"; }
# The pointer comes, is seen there, and clicks.
click() {
    point "$1" "$2"
    sleep 0.3
    xdotool click 1
}
settled() {
    wait_for "a picture that stands" picture_stands
    cp after.png "$1"
}

printf 'pause\nframe.set 30\n' >still.txt
start --exec still.txt
settled plain.png

# The timeline comes with the pointer and goes with it; the dancer stays as she is.
point 400 300
point 410 310
wait_for "a timeline" part_differs $timeline plain.png
wait_for "the dancer as she was" part_is $dancer plain.png
xdotool mousemove 1390 890
wait_for "no timeline" part_is $timeline plain.png

# Tab opens the panels and closes them; nothing moves and nothing is drawn while they stand.
xdotool key Tab
wait_for "panels by Tab" part_differs $panels plain.png
settled models.png
part_is $dancer plain.png || fail "panels change the dancer"
ticks_before=$(awk '{print $14 + $15}' "/proc/$player/stat")
sleep 2
ticks_after=$(awk '{print $14 + $15}' "/proc/$player/stat")
[ $((ticks_after - ticks_before)) -le 4 ] || fail "$((ticks_after - ticks_before)) ticks of CPU under panels"
xdotool key Tab
wait_for "no panels" part_is $panels plain.png
xdotool key Tab
wait_for "panels again" part_is $panels models.png

# A morph's slider: the face changes while it is dragged, Ctrl+Z takes the drag back whole.
click 1075 22
wait_for "the page of morphs" part_differs $panels models.png
settled morphs.png
point 970 173
sleep 0.3
xdotool mousedown 1
for x in 1000 1040 1080; do
    point $x 173
    sleep 0.2
done
xdotool mouseup 1
wait_for "another face" part_differs $dancer plain.png
settled dragged.png
xdotool key ctrl+z
wait_for "the face of before" part_is $dancer plain.png

# What is typed into a filter is no key of the player.
click 1100 92
sleep 0.3
xdotool type --delay 60 "blink"
wait_for "a shorter list" part_differs $panels morphs.png
title_has 'frame 30 - paused' || fail "a letter of the filter was a key"
xdotool key space
sleep 0.5
title_has 'frame 30 - paused' || fail "a blank in the filter was a key"
xdotool key ctrl+a BackSpace Escape
kill -0 "$player" || fail "Escape in the filter quits"
point 400 300
wait_for "the whole list" part_differs $panels dragged.png

# A material is hidden, drawn alone, and all are back.
click 1230 22
sleep 0.3
click 972 152
wait_for "no skin" part_differs $dancer plain.png
click 1040 119
wait_for "all materials" part_is $dancer plain.png

# The orbit of a camera does not start on a panel, and starts beside it.
point 1100 400
sleep 0.3
xdotool mousedown 3 mousemove_relative --sync 0 60 mouseup 3
sleep 0.5
part_is $dancer plain.png || fail "a drag on the panels turns the camera"

# Scrubbing: frames by the track, the picture follows.
click 640 671
wait_for "another frame by the track" title_has 'frame 600 - paused'
point 645 671
sleep 0.3
xdotool mousedown 1
point 300 671
sleep 0.3
point 112 671
sleep 0.3
xdotool mouseup 1
wait_for "a frame by dragging" title_has 'frame 9[0-9] - paused'
wait_for "another picture" part_differs $dancer plain.png

# The button plays, and pauses.
click 87 699
wait_for "playing by the button" title_has ' fps'
click 87 699
wait_for "a pause by the button" title_has 'paused'
stop

# Pictures know nothing of panels.
"$odori" shot --help >/dev/null
printf 'panels on\npanels.language ja\npanels.scale 2\npanels.page bones\n' >panels.txt
cat still.txt panels.txt >both.txt
start --exec both.txt
stop

# As words of the command table, with what is wrong with them.
refuses() {
    printf '%s\n' "$1" >wrong.txt
    code=0
    "$odori" play --exec wrong.txt >out 2>log || code=$?
    [ "$code" -eq 2 ] || fail "exit code $code of $1"
}
refuses 'panels.page nothing'
refuses 'panels.language de'
refuses 'panels.scale 9'
refuses 'material.show 999 off'
refuses 'material.solo -1'
echo "panels, sliders, filters, materials, track and button answer"
