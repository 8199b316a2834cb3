#!/bin/sh
# test_cli_key_list.sh ODORI: the list of keys (F1) fits a window of 1280x720 in both languages, so that nothing scrolls,
# and begins with the mouse.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import convert
start_display
mkdir -p config/odori
printf 'window.size 1280 720\npanels.language en\n' >config/odori/settings.conf
printf 'F6 input.preset left\nF7 panels.language ja\n' >config/odori/keys.conf
printf 'panels.timeline off\npause\n' >still.txt

# fits LANGUAGE: turns the wheel over the list. A list that does not fit would move.
fits() {
    settled still.ppm
    xdotool click --repeat 3 --delay 50 5
    settled turned.ppm
    ! different still.ppm turned.ppm || fail "the list of keys scrolls ($1)"
}
start dancer --physics off --exec still.txt
xdotool mousemove --window "$window" 640 360
settled plain.ppm
key F1
wait_for "the list of keys" picture_changed
fits en
key F6 # only the rows of the mouse change
wait_for "the other mouse layout" picture_changed
settled left.ppm
changed=$(convert still.ppm left.ppm -compose difference -composite -threshold 1% -format %@ info:)
x=${changed#*+} y=${changed##*+} x=${x%+*} height=${changed%%+*} height=${height#*x}
[ "$x" -lt 400 ] && [ $((y + height)) -lt 300 ] || fail "the mouse is not at the beginning of the list: $changed"
key F7
wait_for "the other language" picture_changed
fits ja
stop
