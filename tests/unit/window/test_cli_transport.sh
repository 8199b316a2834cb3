#!/bin/sh
# test_cli_transport.sh ODORI: tests the player on a virtual display by keys and mouse: speed, repeats, cuts,
# mirroring, full screen, pictures, playlists, custom key bindings, files that change. Exits 77 (skipped) if a tool is
# missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare convert
theirs_here

# A small window is quick to draw; the size is remembered for the next window.
mkdir -p config/odori
printf 'window.size 640 360\n' >config/odori/settings.conf

start_display
# Presses a key and waits until the picture has changed and is still.
shows() {
    wait_for "a still picture" picture_is_drawn
    key "$1"
    wait_for "a change by $1: $2" picture_changed
    wait_for "a picture that stands" picture_is_drawn
}

# --- Time ---
printf 'panels.timeline off\npause\nplay.bpm 120\n' >still.txt
start theirs/dancer.pmx --motion theirs/dance.vmd --camera theirs/camera.vmd --physics off --exec still.txt
wait_for "a pause, and beats" title_has 'frame 0 - beat 1.1 - paused'
key bracketleft bracketleft
wait_for "slower by [" title_has '0.75x'
key BackSpace
wait_for "frame 0 at full speed" title_has 'beat 1.1 - paused'
key ctrl+Right
wait_for "a beat on" title_has 'frame 15 - beat 1.2'
key Next
wait_for "a camera cut by PageDown" title_has 'frame [2-9]'
cut=$(title | sed 's/.*frame \([0-9]*\).*/\1/')
[ "$cut" -gt 15 ] || fail "no cut: $cut"
key Prior
wait_for "the start by PageUp" title_has 'frame 0 '
key l
wait_for "A by L" title_has 'A at 0'
key shift+Right shift+Right
wait_for "frame 20" title_has 'frame 20 '
key l
wait_for "B by L" title_has 'repeats 0 to 20'
key space
sleep 2
for i in 1 2 3 4 5 6 7 8; do
    frame=$(title | sed 's/.*frame \([0-9]*\).*/\1/')
    [ "$frame" -le 20 ] || fail "frame $frame of a repeat from 0 to 20"
    sleep 0.3
done
key space
wait_for "a pause" title_has paused
key l
wait_for "no repeat by L" title_has 'frame [0-9]* - beat [0-9.]* - paused'
key Home
wait_for "the start" title_has 'frame 0 '

# --- Cameras ---
shows KP_2 "the front"
cp after.png front.png
shows KP_8 "the back"
shows KP_4 "the left"
cp after.png left.png
shows KP_5 "the top"
shows KP_1 "the front, as Blender's"
different front.png after.png && fail "two keys for the front show two pictures"
shows f "the dancer is followed"
shows shift+Right "she is followed to another frame"
key f
shows r "the default camera"
cp after.png before_mirror.png
shows m "mirrored"
shows m "not mirrored"
different before_mirror.png after.png && fail "mirrored twice is another picture"
shows c "the motion's camera"
shows g "the grid"
shows g "no grid"

# --- The list of key bindings ---
key F1
wait_for "the list of keys" log_has 'Space, P  *Play or pause'
key F1

# --- Full screen and back ---
size_of_window() { xdotool getwindowgeometry --shell "$window" | grep -q "WIDTH=$1"; }
key F11
wait_for "full screen" size_of_window 1400
wait_for "a picture that fills it" picture_is_drawn
cp after.png full.png
key Escape
wait_for "a window again" size_of_window 640
wait_for "a picture that stands" picture_is_drawn

# --- A picture, opened again ---
key F12
wait_for "a picture by F12" test -s dancer-10.png
pixels=$(far_apart after.png dancer-10.png)
[ "$pixels" -lt 4000 ] || fail "the picture of F12 differs in $pixels pixels from the window"
"$odori" check dancer-10.png >check.txt 2>&1 || true

# --- Files that change ---
convert -size 64x64 xc:lime lime.png
texture=$(ls theirs/tex/*.png | head -1)
shown=$(ls theirs/tex/*.png | wc -l)
[ "$shown" -gt 0 ] || fail "no textures"
for t in theirs/tex/*.png; do
    size=$(identify -format %wx%h "$t")
    convert lime.png -resize "$size!" new.png
    cp "$t" "$t.old"
    cat new.png >"$t"
done
wait_for "textures that were written" log_has 'tex/.*reloaded'
log_stands() { lines=$(wc -l <log) && sleep 2 && [ "$(wc -l <log)" -eq "$lines" ]; }
wait_for "the last of them" log_stands
wait_for "another picture" picture_changed
wait_for "a picture that stands" picture_is_drawn
cp after.png lime_dancer.png
title_has 'frame 10 ' || fail "a texture that was written moved the dance"
printf 'no picture' >"$texture"
wait_for "a bad texture's reason" log_has "$(basename "$texture")"
wait_for "a picture that stands" picture_is_drawn
different lime_dancer.png after.png && fail "a bad texture changed the picture"
for t in theirs/tex/*.png; do cat "$t.old" >"$t"; done
wait_for "textures as they were" picture_changed
sleep 1.5
wait_for "a picture that stands" picture_is_drawn
printf 'no motion' >bad.vmd
cp theirs/dance.vmd good.vmd
cp bad.vmd theirs/dance.vmd
wait_for "a bad motion's reason" log_has 'dance.vmd.*the scene is unchanged'
cp after.png was.png
wait_for "a picture that stands" picture_is_drawn
different was.png after.png && fail "a bad motion changed the picture"
cp theirs/camera.vmd theirs/dance.vmd
wait_for "another motion" log_has 'dance.vmd: reloaded'
wait_for "a picture that stands" picture_is_drawn
different was.png after.png || fail "another motion shows the same"
cp good.vmd theirs/dance.vmd
was_again() { picture after.png && ! different was.png after.png; }
wait_for "the motion as it was" was_again
printf 'no model' >bad.pmx
cp theirs/dancer.pmx good.pmx
cp bad.pmx theirs/dancer.pmx
wait_for "a bad model's reason" log_has 'dancer.pmx.*the scene is unchanged'
wait_for "a picture that stands" picture_is_drawn
different was.png after.png && fail "a bad model changed the picture"
cp good.pmx theirs/dancer.pmx
wait_for "the model again" log_has 'dancer.pmx: reloaded'
wait_for "the same picture" was_again
title_has 'frame 10 ' || fail "a model that was written moved the dance"
stop

# --- Count-in, the end of a dance, playlists ---
printf 'theirs/dancer.pmx --motion theirs/dance.vmd\ntheirs/dancer.pmx --motion theirs/camera.vmd\n' >list.txt
printf 'panels.timeline off\npause\nplay.loop off\nplay.count-in 2\nframe.set 1000000\nframe.step -40\n' >last.txt
start --playlist list.txt --physics off --exec last.txt
wait_for "a pause" title_has 'frame [1-9][0-9]* - paused'
key Home space
wait_for "counting in" title_has 'frame 0 - starts in [12]'
wait_for "the dance" title_has 'fps'
key Next
wait_for "the next entry by PageDown" title_has 'dancer.pmx'
key Prior
seen
wait_for "the first entry by PageUp" title_has 'fps'
key space End Left space
wait_for "the end of the first entry" title_has 'frame 11[0-9][0-9] '
wait_for "the next entry, which plays by itself" title_has 'frame [0-9]\{1,3\} - .*fps'
stop

# --- Custom key bindings, the left button, settings ---
printf 'F2 frame.set 77\nF3 input.preset left\nQ none\nF4 quit\nHyper+Q quit\n' >config/odori/keys.conf
start theirs/dancer.pmx --physics off --exec still.txt
wait_for "a pause" title_has paused
grep -q 'window.size 640 360' config/odori/settings.conf || fail "settings were not kept"
grep -q dancer.pmx state/odori/recent || fail "recent files were not kept"
grep -q 'keys.conf:5' log || fail "a wrong line of keys.conf is not told"
key F2
wait_for "a key of one's own" title_has 'frame 77 '
key F3
wait_for "a still picture" picture_is_drawn
xdotool mousemove --window "$window" 300 200 mousedown 1 mousemove_relative --sync 120 40 mouseup 1
wait_for "a turn by the left button" picture_changed
key q F4
ended
echo "the evening was as it should be; the picture of F12 and the window: $pixels pixels apart"
