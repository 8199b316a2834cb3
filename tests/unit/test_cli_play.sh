#!/bin/sh
# test_cli_play.sh ODORI: the player in a real window on a virtual display, by
# real keys and a real mouse. Exits 77 (skipped) where a tool is missing.
set -eu
odori=$1
for tool in Xvfb xdotool import compare; do
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
# Waits up to 60 seconds for a condition.
wait_for() {
    what=$1
    shift
    tries=600
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || fail "$what"
        sleep 0.1
    done
}
cd "$folder"
export XDG_CONFIG_HOME="$folder/config" XDG_STATE_HOME="$folder/state"
mkfifo number
Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp -noreset 3>number 2>xvfb.log &
server=$!
read -r display <number
export DISPLAY=":$display" LIBGL_ALWAYS_SOFTWARE=1
unset WAYLAND_DISPLAY
# The GLX driver leaves memory behind; what the program leaves, other tests see.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"

echo 'panels.timeline off' >bare.txt # it comes and goes with the pointer (test_cli_panels.sh)
"$odori" play --log info --exec bare.txt >out 2>log &
player=$!
find_window() { window=$(xdotool search --pid "$player" --name odori 2>/dev/null | tail -1) && [ -n "$window" ]; }
title() { xdotool getwindowname "$window"; }
title_has() { title | grep -q -e "$1"; }
picture() { import -window "$window" "$1"; }
different() { [ "$(compare -metric AE "$1" "$2" null: 2>&1 || true)" != 0 ]; }

picture_changed() { picture after.png && different before.png after.png; }
# The pictures that an event causes may come late: wait until two are alike.
picture_stands() {
    picture before.png && sleep 0.3 && picture after.png && ! different before.png after.png
}

wait_for "a window" find_window
wait_for "playing at once" title_has ' fps'
xdotool windowfocus --sync "$window" || true

picture a.png
colors=$(identify -format %k a.png)
[ "$colors" -gt 100 ] || fail "a picture of $colors colours"
cp a.png before.png
wait_for "movement" picture_changed

xdotool key space
wait_for "a pause by space" title_has paused
wait_for "a still picture" picture_stands
picture c.png
title_before=$(title)
ticks_before=$(awk '{print $14 + $15}' "/proc/$player/stat")
sleep 2
ticks_after=$(awk '{print $14 + $15}' "/proc/$player/stat")
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

drag() {
    wait_for "a still picture" picture_stands
    xdotool mousemove --window "$window" 600 300 mousedown "$1" mousemove_relative --sync 120 40 mouseup "$1"
    wait_for "a change by $2" picture_changed
}
drag 3 "the right button"
drag 2 "the middle button"
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
xdotool key k # nothing may touch just now
xdotool key b j k
is_plain() { picture after.png && ! different plain.png after.png; }
wait_for "no lines after b, j and k" is_plain
xdotool windowsize --sync "$window" 800 600
small_picture() {
    picture small.png && [ "$(identify -format %wx%h small.png)" = 800x600 ] &&
        [ "$(identify -format %k small.png)" -gt 100 ]
}
wait_for "a picture after resizing" small_picture

xdotool key p
wait_for "playing by P" title_has ' fps'
xdotool key q
code=0
wait "$player" || code=$?
player=
[ "$code" -eq 0 ] || fail "exit code $code"
grep -q "OpenGL .*(window)" log || fail "the log does not name the context"

# A window is empty until its first picture, which may take its time.
picture_is_drawn() { picture_stands && [ "$(identify -format %k after.png)" -gt 1 ]; }

# Antialiasing: a still picture has colours between those without it. Also: the context is named without --log.
colors_with() {
    printf 'panels.timeline off\npause\nframe.set 30\n' >still.txt
    "$odori" play --exec still.txt --msaa "$1" 2>log &
    player=$!
    wait_for "a window with $1 samples" find_window
    wait_for "a picture that stands" picture_is_drawn
    picture "msaa$1.png"
    grep -q "OpenGL .*(window)" log || fail "the context is not named at the start"
    xdotool windowfocus --sync "$window" || true
    xdotool key q
    wait "$player" || fail "exit code $?"
    player=
    colors=$(identify -format %k "msaa$1.png")
}
colors_with 0
plain=$colors
colors_with 4
[ "$colors" -gt "$plain" ] || fail "$colors colours with --msaa 4, $plain without"
echo "$plain colours without antialiasing, $colors with"
