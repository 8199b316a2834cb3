#!/bin/sh
# test_cli_mascot.sh ODORI CHECKERBOARD: tests `play --mascot` in front of a checkerboard, without a compositor and with
# picom: what is seen behind her, that her pixels are those of `shot`, where the mouse reaches her, dragging, size,
# menu, keys and what she costs while she is paused. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1
checkerboard=$2
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool xprop import convert picom
board='' compositor=''
stop_helpers() {
    [ -z "$compositor" ] || kill "$compositor" 2>/dev/null || true
    [ -z "$board" ] || kill "$board" 2>/dev/null || true
    finish
}
trap stop_helpers EXIT
start_display
"$checkerboard" >clicks &
board=$!

root() { import -window root "ppm:$1" 2>/dev/null; }
# Prints the window's left, upper and lower border and its size: X Y BOTTOM WIDTH HEIGHT.
place() {
    xdotool getwindowgeometry --shell "$window" |
        sed -n 's/^X=/x=/p;s/^Y=/y=/p;s/^WIDTH=/w=/p;s/^HEIGHT=/h=/p' >place.txt
    . ./place.txt
    echo "$x $y $((y + h)) $w $h"
}
place_is() { [ "$(place)" = "$1" ]; }
# pixel FILE X Y: prints the colour of a pixel.
pixel() { convert "$1" -format "%[fx:round(255*p{$2,$3}.r)] %[fx:round(255*p{$2,$3}.g)] %[fx:round(255*p{$2,$3}.b)]" info:; }
pixel_is() { root now.png && [ "$(pixel now.png "$1" "$2")" = "$3" ]; }
# Tests whether something is drawn in the lowest rows of the window, which has a plain background.
has_feet() { root now.png && [ "$(convert now.png -crop "${w}x5+$x+$((y + h - 5))" -format %k info:)" -gt 5 ]; }
printf 'pause\nframe.set 120\n' >still.txt
pale='224 232 245'

# Without a compositor she has a background, and a sentence says so. She stands on the lower edge of the screen, in a
# window that stays above others. A compositor that starts later makes it transparent.
start --mascot --audio none --exec still.txt
wait_for "a sentence about the compositor" log_has 'no compositor is running, so the dancer has a background'
place >/dev/null
[ "$((y + h))" -eq 900 ] || fail "she is at $(place)"
[ "$h" -eq 405 ] && [ "$w" -gt 200 ] && [ "$w" -lt 500 ] || fail "her size is $(place)"
wait_for "a pale background" pixel_is $((x + 2)) $((y + 2)) "$pale"
wait_for "feet on the lower edge" has_feet
xprop -id "$window" _NET_WM_STATE | grep -q '_NET_WM_STATE_ABOVE' || fail "she does not stay above others"
xprop -id "$window" _MOTIF_WM_HINTS | grep -q '= 0x2, 0x0, 0x0' || fail "she has a frame"
picom --config /dev/null --backend xrender >picom.log 2>&1 &
compositor=$!
dark='32 64 192' light='224 192 96' # of the checkerboard
color=$dark
[ $(((x + 2) / 16 % 2)) -eq $(((y + 2) / 16 % 2)) ] || color=$light
wait_for "the checkerboard behind her" pixel_is $((x + 2)) $((y + 2)) "$color"

# Paused she costs almost nothing.
seen
before=$(ticks)
sleep 2
after=$(ticks)
[ $((after - before)) -le 10 ] || fail "paused, she takes $((after - before)) hundredths of two seconds"
focus
xdotool key Escape
ended

# Before the checkerboard, her opaque pixels are those of `shot`, half transparent ones are mixed with the checkerboard,
# and where nothing is drawn that is unchanged. The compositor multiplies and rounds once more than the file, which has
# straight alpha: two steps of 255.
printf 'camera.set -22 0 11 0 0 0 0 30\ncamera.perspective off\n' >camera.txt
cat camera.txt still.txt >stand.txt
start --mascot --audio none --msaa 4 --size 300x400 --exec stand.txt
"$odori" shot dancer --motion dancer --physics on --frame 120 --msaa 4 --size 300x400 --background transparent \
    --ground-shadow off --exec camera.txt -o her.png 2>>log
place >/dev/null
[ "$w $h $((y + h))" = "300 400 900" ] || fail "with --size she is at $(place)"
! log_has 'no compositor' || fail "the compositor is not seen"
convert -size 16x16 xc:'rgb(32,64,192)' xc:'rgb(224,192,96)' +append upper.png
convert upper.png \( upper.png -flop \) -append tile.png
convert -size 1400x900 tile:tile.png +repage board.png
convert board.png -crop "300x400+$x+$y" +repage behind.png
convert behind.png her.png -composite ppm:expected.png
convert her.png -alpha extract alpha.png
# differs WHICH: prints the largest difference, in steps of 255, where a mask is white.
differs() {
    convert difference.png "$1" -compose multiply -composite -format '%[fx:round(255*maxima)]' info:
}
is_as_expected() {
    root now.png
    convert now.png -crop "300x400+$x+$y" +repage ppm:shown.png
    convert expected.png shown.png -compose difference -composite -channel RGB -separate -evaluate-sequence max \
        difference.png
    [ "$(differs clear.png)" = 0 ] && [ "$(differs opaque.png)" = 0 ] && [ "$(differs half.png)" -le 2 ]
}
convert alpha.png -threshold 0 -negate clear.png
convert alpha.png -threshold 99.9% opaque.png
convert clear.png opaque.png -compose plus -composite -negate half.png
for mask in clear opaque half; do
    [ "$(convert $mask.png -format '%[fx:round(mean*120000)]' info:)" -gt 200 ] || fail "no $mask pixels in her picture"
done
wait_for "her picture over the checkerboard" is_as_expected
for picture in now board; do # the rest of the screen stays as it was
    convert $picture.png -fill black -draw "rectangle $x,$y $((x + 299)),$((y + 399))" -depth 8 "ppm:$picture-beside.png"
done
! different now-beside.png board-beside.png || fail "the screen beside her has changed"

# The mouse reaches what is behind her everywhere but on her.
on_board() { grep -q "^click $1 $2\$" clicks; }
: >clicks
point 12 30
seen
xdotool click 1
wait_for "a click beside her" on_board $((x + 12)) $((y + 30))
point 150 150
seen
xdotool click 1
seen
point 288 30
xdotool click 1
wait_for "a click at her other side" on_board $((x + 288)) $((y + 30))
[ "$(wc -l <clicks)" -eq 2 ] || fail "a click on her reaches the checkerboard: $(cat clicks)"

# The left button drags her. Near the lower edge she falls on it. The wheel changes her size, around her feet.
# carry DX DY: drags her, with a stop halfway.
carry() {
    point 150 150
    seen
    xdotool mousedown 1
    xdotool mousemove_relative -- $(($1 / 2)) $(($2 / 2))
    seen
    xdotool mousemove_relative -- $(($1 - $1 / 2)) $(($2 - $2 / 2))
    seen
    xdotool mouseup 1
}
carry -101 -131
wait_for "her window at another place" place_is "$((x - 101)) $((y - 131)) $((y + 269)) 300 400"
left=$x
carry 101 120
wait_for "her window on the lower edge" place_is "$((left)) 500 900 300 400"
point 150 150
seen
xdotool click 4
wait_for "a larger window" place_is "$((left - 15)) 460 900 330 440"

# The right button opens a menu, which takes the mouse also beside her. Escape closes it; its last line ends all.
# menu_is SHOWN: tests whether a place beside her is as dark as the menu.
menu_is() {
    root now.png
    set -- "$1" $(pixel now.png $((left - 15 + 255)) $((460 + 300)))
    [ "$1" = "$([ $(($2 + $3 + $4)) -lt 150 ] && echo open || echo closed)" ]
}
menu_is closed || fail "the place of the menu is dark"
focus
point 190 250
seen
xdotool click 3
wait_for "the menu" menu_is open
: >clicks
point 255 253 # its border
seen
xdotool click 1
seen
[ ! -s clicks ] || fail "a click on the menu reaches the checkerboard"
xdotool key Escape
wait_for "no menu" menu_is closed
kill -0 "$player" || fail "Escape in the menu ends the program"
point 190 250
seen
xdotool click 3
wait_for "the menu again" menu_is open
click 215 330
ended

# Without its own option or a display it says so.
code=0
"$odori" play --size 300x400 2>refused || code=$?
[ $code -eq 2 ] && grep -q 'are for a --mascot' refused || fail "--size without --mascot: $code, $(cat refused)"
code=0
env -u DISPLAY "$odori" play --mascot --no-settings 2>refused || code=$?
[ $code -eq 4 ] && grep -q 'mascot needs a display' refused || fail "without a display: $code, $(cat refused)"
