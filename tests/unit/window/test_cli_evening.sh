#!/bin/sh
# test_cli_evening.sh ODORI DROP_FILES: tests a whole session with the player by keyboard, mouse and dropped files
# only: opens an archive, drops a dance and a camera, plays, scrubs, repeats, slows down, adds a second dancer, moves
# a slider, fills the screen, saves a picture and a pose and reproduces the picture, drops a broken file, repaints
# textures. Each step is checked by what the window shows. Positions are for a window of 1280 by 720 pixels at scale
# 1. Exits 77 (skipped) if a tool is missing.
# ODORI_KEEP_SCREENSHOTS=folder keeps the screenshots 01-….png and so on.
set -eu
odori=$1 drop_files=$2
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare convert cmake
theirs_here

# Like a download: an archive with a folder in it and Japanese names.
mkdir 配布
cp -r theirs 配布/踊り子
rm -f 配布/踊り子/*.vmd 配布/踊り子/*.wav 配布/踊り子/dancer21.pmx
mv 配布/踊り子/dancer.pmx 配布/踊り子/踊り子.pmx
cmake -E tar cf 踊り子.zip --format=zip 配布
printf 'this is no model\n' >broken.pmx
mkdir -p config/odori
printf 'Ctrl+S pose.save pose.vpd\nF2 model.place -6 0 0 0 0 0 1\n' >config/odori/keys.conf

drop() { "$drop_files" "$window" "$@" || fail "dropping $*"; }
pictures=0
# shown NAME: waits for a still picture and keeps it.
shown() {
    wait_for "a picture that stands" picture_is_drawn
    pictures=$((pictures + 1))
    cp after.png "$(printf %02d $pictures)-$1.png"
    cp after.png "$1.png"
}
frame() { title | sed 's/.*frame \([0-9]*\).*/\1/'; }
# Moves the pointer out of the window, which hides the timeline.
away() {
    point 640 300
    xdotool mousemove 1395 895
}
faces=900x600+0+0

# --- An archive ---
start_display
xdotool mousemove 1395 895
start 踊り子.zip
wait_for "the model's name" title_has '踊り子'
shown archive

# --- A dance and a camera ---
drop theirs/dance.vmd theirs/camera.vmd
wait_for "playing" title_has ' fps'
wait_for "movement" picture_changed
key space
wait_for "a pause" title_has paused
shown dance
different archive.png dance.png || fail "the dance shows nothing"

# --- Scrubbing: the frame follows the pointer ---
point 640 500
point 640 671
seen
xdotool mousedown 1
for x in 400 900 640; do
    point $x 671
    seen
done
shown scrubbing
xdotool mouseup 1
wait_for "the frame under the pointer" title_has 'frame 600 - paused'
away
shown frame600

# --- Repeating a part ---
key l
wait_for "A" title_has 'A at 600'
key shift+Right
wait_for "frame 610" title_has 'frame 610 '
key l
wait_for "B" title_has 'repeats 600 to 610'
key space
for i in 1 2 3 4 5 6; do
    sleep 0.2
    at=$(frame)
    [ "$at" -ge 600 ] && [ "$at" -le 610 ] || fail "frame $at of a repeat from 600 to 610"
done
key space
wait_for "a pause" title_has paused
point 640 600
shown repeat
away
key l
wait_for "no repeat" title_has 'frame 6[0-9]* - paused'

# --- Speed ---
key bracketleft bracketleft bracketleft
wait_for "half the speed" title_has '0.5x'
key space
before=$(frame) time_before=$(date +%s%N)
sleep 3
gone=$(($(frame) - before)) hundredths=$((($(date +%s%N) - time_before) / 10000000))
key space
[ $((gone * 100)) -le $((20 * hundredths)) ] || fail "$gone frames in $hundredths/100 s at half the speed"
key BackSpace

# --- A second dancer ---
key Home
wait_for "the start" title_has 'frame 0 '
key r
shown alone
drop theirs/dancer21.pmx theirs/dance.vmd
wait_for "a second dancer inside the first" part_differs $faces alone.png
settled inside.png
key F2
wait_for "her beside the first" part_differs $faces inside.png
away
shown two

# --- Sliders ---
key Tab
shown panels
panel_page morphs
shown morphs
drag 970 "$(panel_line 4)" 1080 "$(panel_line 4)"
shown face
part_differs $faces morphs.png || fail "a slider changes nothing"
key Tab
away
shown closed

# --- Full screen ---
size_is() { picture now.png && [ "$(identify -format %wx%h now.png)" = "$1" ]; }
key F11
wait_for "the full screen" size_is 1400x900
shown full
key F11
wait_for "a window again" size_is 1280x720
shown window

# --- Saving ---
key F12
wait_for "a picture" test -s 踊り子-0.png
key ctrl+s
wait_for "a pose" test -s pose.vpd
"$odori" info pose.vpd >pose.txt || fail "the pose cannot be read"
apart=$(far_apart window.png 踊り子-0.png)
[ "$apart" -lt 9000 ] || fail "the picture differs from the window in $apart pixels"
"$odori" check 踊り子-0.png >check.txt || fail "the picture is made again otherwise: $(cat check.txt)"

# --- A broken file ---
drop broken.pmx
wait_for "the reason" log_has 'broken.pmx'
away
shown broken
different window.png broken.png && fail "a broken file changed the picture"

# --- A repainted texture ---
for texture in theirs/tex/*.png; do
    convert "$texture" -modulate 100,100,60 new.png
    cp new.png "$texture"
done
wait_for "other colours" part_differs $faces broken.png
log_stands() { lines=$(wc -l <log) && sleep 1 && [ "$(wc -l <log)" -eq "$lines" ]; }
wait_for "the last of them" log_stands
shown painted
title_has 'frame 0 ' || fail "a painted texture moved the dance"
stop
echo "an evening of $pictures pictures; F12's differs from the window in $apart pixels"
