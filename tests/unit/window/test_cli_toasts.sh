#!/bin/sh
# test_cli_toasts.sh ODORI DROP_FILES: tests messages over the picture in a window on a virtual display: errors stay
# until they are closed, also in full screen, and news and refused files go by themselves. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1 drop_files=$2
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare convert
printf 'this is no model\n' >bad.pmx
printf 'panels.timeline off\npause\nframe.set 30\nphysics off\ncamera.reset\n' >still.txt
mkdir -p config/odori
printf 'F2 model.select 99\nF3 messages.list errors\nF4 messages.list edits\nF5 morph.set 笑い 1\n' \
    >config/odori/keys.conf
drop() { "$drop_files" "$window" "$@" || fail "dropping $*"; }
# Files of the scene that break lose something: an error.
breaks() {
    sleep 1.2 # changes are noticed from the second check of the file on
    printf 'rubbish %s' "$1" >theirs/dancer.pmx
}
toasts=on
start_display
theirs_here
xdotool mousemove 1395 895
start theirs/dancer.pmx --audio none --exec still.txt
wait_for "a picture that stands" picture_is_drawn
corner=360x200+1040+0 # the upper right corner of the screen
key F11
wait_for "full screen" picture_is_drawn
settled full.png

# A refused file is nothing that an audience should see for long.
drop bad.pmx
wait_for "a refusal over the full screen" part_differs $corner full.png
wait_for "a screen without it" part_is $corner full.png
# Escape closes it, and does nothing else then.
drop bad.pmx
wait_for "a refusal again" part_differs $corner full.png
key Escape
wait_for "a screen without it at once" part_is $corner full.png
picture now.png
[ "$(identify -format %w now.png)" -eq 1400 ] || fail "Escape left full screen with a refusal over it"

# An error stays. It costs nothing while nothing changes.
breaks 1
wait_for "an error over the picture" part_differs $corner full.png
title_has 'bad.pmx' && fail "the title has the error"
settled error.png
before=$(ticks)
sleep 2
after=$(ticks)
[ $((after - before)) -le 4 ] || fail "$((after - before)) ticks of CPU under a message"

# News and refusals come above it, and go.
key F12
wait_for "news" part_differs $corner error.png
wait_for "the error alone" part_is $corner error.png
key F2
wait_for "a refusal" part_differs $corner error.png
wait_for "the error alone again" part_is $corner error.png

# They go while the dance plays, too.
key space F2
wait_for "a refusal while the dance plays" part_differs $corner error.png
wait_for "the error alone while the dance plays" part_is $corner error.png
key space
wait_for "a pause" title_has paused

# A click closes it, and so does Escape, which does nothing else then.
click 1200 25
xdotool mousemove 1395 895
wait_for "no error after a click" part_is $corner full.png
breaks 2
wait_for "the error again" part_differs $corner full.png
key Escape
wait_for "no error after Escape" part_is $corner full.png
picture now.png
[ "$(identify -format %w now.png)" -eq 1400 ] || fail "Escape also left full screen"
key Escape
window_again() { picture now.png && [ "$(identify -format %w now.png)" -eq 1280 ]; }
wait_for "a window" window_again

# All are on the page of messages, errors apart from edits.
key Tab
panel_page messages
xdotool mousemove 1395 895
settled all.png
list=300x500+965+130
key F3
wait_for "errors only" part_differs $list all.png
settled errors.png
key F4
wait_for "edits only" part_differs $list errors.png
stop
log_has 'bad.pmx' || fail "the terminal does not have the error"
echo "messages are shown, stay or go, and are closed"
