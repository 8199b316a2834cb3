#!/bin/sh
# test_cli_layout.sh ODORI: tests in a window on a virtual display that picture, panels, keyframe sheet and timeline
# lie side by side. The background has a colour that no panel has, so the pixels of that colour show where the
# picture is. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare convert identify xprop
mkdir -p config/odori
cat >config/odori/keys.conf <<EOT
F2 window.size 800 600
F3 window.size 1280 720
F4 window.size 640 400
F5 window.size 3000 2000
F8 panels.sheet off
F9 edit.tell
EOT
printf 'pause\nframe.set 30\nphysics off\nview.background ff00ff\n' >still.txt
printf 'panels on\npanels.sheet on\n' >open.txt

# picture_takes WxH: waits until the pixels of the background's colour, which fill the corners of the picture, begin at
# the window's top left and extend so far. The black border makes convert cut away all but them.
picture_place() {
    picture now.png && convert now.png -fill black +opaque '#ff00ff' -bordercolor black -border 1 -trim \
        -format '%wx%h%O' info: 2>/dev/null
}
picture_is() { [ "$(picture_place)" = "$1+1+1" ]; }
picture_takes() { wait_for "a picture of $1" picture_is "$1"; }
told() { [ "$(grep -c '"path"' out)" -ge "$1" ]; }
bone_told() { grep '"path"' out | sed -n "$1s/.*\"path\":\"\([^\"]*\)\".*/\1/p"; }

start_display
start --exec still.txt
picture_takes 1280x720
settled alone.png

# A click on the face, without panels and with them.
click 600 265
key F9
wait_for "what was clicked" told 1
key Escape Tab
picture_takes 950x656
click 439 241
key F9
wait_for "what was clicked beside the panels" told 2
key Escape d
picture_takes 950x420
click 452 155
key F9
wait_for "what was clicked above the sheet" told 3
[ -n "$(bone_told 1)" ] && [ "$(bone_told 1)" = "$(bone_told 2)" ] && [ "$(bone_told 1)" = "$(bone_told 3)" ] ||
    fail "other bones: $(bone_told 1) $(bone_told 2) $(bone_told 3)"
key Escape
# A click on a panel is none on the picture.
click 1100 400
key F9
sleep 0.5
[ "$(grep -c '"path"' out)" -eq 3 ] || fail "a click on the panels selects $(bone_told 4)"

# Where there is little room, panels and sheet take less, and the sheet goes below the panels.
key F2
picture_takes 470x300
key F4
picture_takes 320x168
# A window is never larger than the display.
key F5
fits() { xdotool getwindowgeometry "$window" | grep -q 'Geometry: 1400x900'; }
wait_for "a window as large as the display" fits
key F3
picture_takes 950x420

# F12 writes the picture that is seen, without panels.
xdotool mousemove 1395 895
settled beside.png
key F12
wait_for "a picture by F12" test -s odori-30.png
[ "$(identify -format %wx%h odori-30.png)" = 950x420 ] || fail "F12's picture: $(identify odori-30.png)"
part beside.png 950x420+0+0 seen.png
[ "$(far_apart seen.png odori-30.png)" -lt 20 ] ||
    fail "F12's picture differs from the window in $(far_apart seen.png odori-30.png) pixels"

# In full screen, panels and sheet are hidden; Tab shows the panels there; a window has them again.
point 700 400
key F11
picture_takes 1400x900
settled full.png
point 705 405
seen
part_is 1400x60+0+840 full.png || fail "the timeline is shown where the pointer is not near it"
point 700 870
wait_for "the timeline at the lower edge" part_differs 1400x60+0+840 full.png
point 700 400
wait_for "no timeline" part_is 1400x60+0+840 full.png
key Tab
picture_takes 1070x836
key F11
picture_takes 950x420

# Edges are dragged.
drag 952 200 852 200
picture_takes 850x420
drag 300 422 300 372
picture_takes 850x370
stop
grep -q '^panels.width 430$' config/odori/settings.conf || fail "another width: $(cat config/odori/settings.conf)"
grep -q '^sheet.height 286$' config/odori/settings.conf || fail "another height: $(cat config/odori/settings.conf)"
start --exec still.txt --exec open.txt
picture_takes 850x370
stop

# On a display with twice the usual resolution all is twice as large.
rm config/odori/settings.conf
xprop -root -f RESOURCE_MANAGER 8s -set RESOURCE_MANAGER 'Xft.dpi: 192'
start --exec still.txt --exec open.txt
picture_takes 640x296
stop
echo "picture, panels, sheet and timeline lie side by side"
