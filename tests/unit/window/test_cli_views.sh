#!/bin/sh
# test_cli_views.sh ODORI: tests overlays (list of keys, pixel inspector), wireframe and clay views, mouse buttons as
# in MMD, and the stored state of models and panels, in a window by keys and mouse. Positions are for a window of 1280
# by 720 pixels at scale 1. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare convert
start_display
body=600x600+340+0 card=320x600+12+12 middle=700x400+290+110

printf 'pause\nframe.set 30\npanels.timeline off\n' >still.txt
start --exec still.txt
wait_for "a picture that stands" picture_is_drawn
settled plain.png

# F1 opens and closes the list of keys; Escape closes it without quitting.
xdotool key F1
wait_for "the list of keys" part_differs $middle plain.png
xdotool key F1
wait_for "no list of keys" part_is $middle plain.png
xdotool key F1
wait_for "the list of keys again" part_differs $middle plain.png
xdotool key Escape
wait_for "no list by Escape" part_is $middle plain.png
kill -0 "$player" || fail "Escape in the list quits"

# A click with Ctrl and Alt prints the layers of the pixel as JSON and shows them on a card; Escape closes that.
point 655 195
seen
xdotool keydown ctrl keydown alt click 1 keyup alt keyup ctrl
wait_for "a pixel's card" part_differs $card plain.png
wait_for "a pixel's JSON" grep -q '"layers":\[{' out
for key in '"model":0' '"draw_order":0' '"toon_place":' '"light":1' '"highlight":' '"share":1' '"corners":\[{"vertex":' \
    '"name":"頭","weight":1' '"bone_name":"'; do
    grep -q "$key" out || fail "no $key in $(cat out)"
done
settled card.png
xdotool key Escape
wait_for "no card" part_is $card plain.png
kill -0 "$player" || fail "Escape on the card quits"
# A pixel beside the dancer has no layers.
: >out
point 100 300
seen
xdotool keydown ctrl keydown alt click 1 keyup alt keyup ctrl
wait_for "an empty pixel" grep -q '^{"layers":\[\]}$' out
xdotool key Escape
wait_for "no card of nothing" part_is $card plain.png
# Where there is nothing to close, Escape does not quit. The message is closed again.
xdotool key Escape
seen
kill -0 "$player" || fail "Escape quits"

# Wireframe and clay views can be switched on and off.
xdotool key w
wait_for "wires" part_differs $body plain.png
xdotool key w
wait_for "no wires" part_is $body plain.png
xdotool key shift+w
wait_for "clay" part_differs $body plain.png
xdotool key shift+w
wait_for "her own colours" part_is $body plain.png

# With the right button, Ctrl zooms and Shift pans.
drag() { # KEY FROM-Y TO-Y
    point 640 "$2"
    seen
    xdotool keydown "$1" mousedown 3
    seen
    point 640 "$3"
    seen
    xdotool mouseup 3 keyup "$1"
}
drag ctrl 400 340
wait_for "coming nearer" part_differs $body plain.png
xdotool key r
settled near.png
xdotool key r
drag shift 400 340
wait_for "moving" part_differs $body near.png
stop

# The state stored for a model has morph weights, hidden materials, placement and physics; the settings have the
# language and size of panels. A session without edits stores the same state.
theirs_here
printf '%s\n' pause 'frame.set 12' 'morph.set まばたき 0.75' 'material.show 5 off' 'model.place 1 2 3 0 90 0 1.5' \
    'physics off' 'panels.language ja' 'panels.scale 1.5' 'audio.volume 0.5' 'play.continue on' >mine.txt
start theirs/dancer.pmx --exec mine.txt
wait_for "a picture that stands" picture_is_drawn
settled mine.png
stop
state=$(echo "$XDG_STATE_HOME"/odori/models/*)
[ -f "$state" ] || fail "no state of a model: $state"
for line in 'morph.set "まばたき" 0.75' 'material.show 5 off' 'model.place 1 2 3 0 90' 'physics off' \
    'frame.set 12'; do
    grep -q "^$line" "$state" || fail "no $line in $(cat "$state")"
done
for line in 'panels.language ja' 'panels.scale 1.5' 'audio.volume 0.5' 'play.continue on'; do
    grep -q -x -e "$line" "$XDG_CONFIG_HOME/odori/settings.conf" || fail "no $line in the settings"
done
cp "$state" before.txt
start theirs/dancer.pmx
wait_for "the same picture as before" part_is $body mine.png
stop
cmp before.txt "$state" || fail "another state: $(cat "$state")"

# Without that setting the same model begins at the start. The pale look is that of the bundled scene.
corner() { picture now.png && convert ppm:now.png -crop 1x1+8+8 +repage -depth 8 txt: | grep -o '#[0-9A-F]\{6\}'; }
sed -i 's/^play.continue on/play.continue off/' "$XDG_CONFIG_HOME/odori/settings.conf"
printf 'pause\n' >paused.txt
start theirs/dancer.pmx --exec paused.txt
wait_for "the first frame" title_has 'frame 0 '
wait_for "a picture that stands" picture_is_drawn
[ "$(corner)" = '#FFFFFF' ] || fail "the background is $(corner), not MMD's white"
stop
printf 'view.look pale\n' >>"$XDG_CONFIG_HOME/odori/settings.conf"
start theirs/dancer.pmx --exec paused.txt
wait_for "a picture that stands" picture_is_drawn
[ "$(corner)" = '#E0E8F5' ] || fail "the background is $(corner), not pale"
stop
grep -q '^view.look pale' "$XDG_CONFIG_HOME/odori/settings.conf" || fail "the look is not kept"
start theirs/dancer.pmx --background 336699 --exec paused.txt
wait_for "a picture that stands" picture_is_drawn
[ "$(corner)" = '#336699' ] || fail "the look overrides an option: $(corner)"
stop
sed -i '/^view.look/d' "$XDG_CONFIG_HOME/odori/settings.conf"

# An option overrides the stored state and is not stored itself.
start theirs/dancer.pmx --physics on --exec still.txt
wait_for "a picture that stands" picture_is_drawn
stop
grep -q physics "$state" && fail "physics that was asked for is kept"

# Commands that a state file must not have are ignored, and wrong ones are reported.
printf 'quit\nmodel.attach 0 x\nfile.open /dev/null\nmorph.set nobody 1\nmaterial.show 999 off\npause\n' >"$state"
start theirs/dancer.pmx --exec still.txt
wait_for "a picture that stands" picture_is_drawn
log_has 'nobody' || fail "a wrong morph is not told"
log_has '999' || fail "a wrong material is not told"
stop
echo "keys, pixels, views and what is kept are as they should be"
