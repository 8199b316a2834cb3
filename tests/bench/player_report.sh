#!/bin/sh
# player_report.sh ODORI WINDOW_WATCH MODEL MOTION: measures the player in a window
# on a virtual display and prints one result per line: CPU time while nothing moves
# and while the window is hidden, the time from a press on the timeline until it is
# visible and until the frame is reached, gaps between frames while the window is
# being resized. Not a test, because the results depend on the machine. A keyframe at
# frame 5400 extends MOTION to three minutes.
#     ninja -C build window_watch
#     sh tests/bench/player_report.sh build/odori build/window_watch miku.pmx dance.vmd
set -eu
odori=$(realpath "$1") watch=$(realpath "$2") model=$(realpath "$3") motion=$(realpath "$4")
. "$(dirname "$0")/../support/window.sh"
need_tools Xvfb xdotool import compare awk
PATIENCE=300
start_display
away() {
    point 640 300
    xdotool mousemove 1395 895
}
now() { date +%s.%N; }
# cpu NAME: measures the share of one core that the player uses for ten seconds.
cpu() {
    sleep 1
    from=$(ticks)
    sleep 10
    echo "CPU, $1: $(awk "BEGIN{print ($(ticks) - $from) / 10}") % of a core"
}
# rate FILE NAME [SINCE]: prints from a file of window_watch the frame rate since a time, and the median and longest
# time between two frames.
rate() {
    awk -v name="$2" -v from="${3:-0}" 'NR > 1 && $1 >= from { if (last) gap[n++] = $1 - last; last = $1 }
        END {
            for (i = 1; i < n; i++) for (j = i; j && gap[j - 1] > gap[j]; j--) {
                t = gap[j]; gap[j] = gap[j - 1]; gap[j - 1] = t }
            sum = 0; for (i in gap) sum += gap[i]
            if (n) printf "%s: %.1f pictures a second, median %.0f ms apart, longest %.0f ms\n", name, n / sum,
                1000 * gap[int(n / 2)], 1000 * gap[n - 1] }' "$1"
}

# --- A keyframe of a bone that does not exist makes the dance three minutes long ---
{
    printf 'Vocaloid Motion Data 0002'
    printf '\0\0\0\0\0%020d' 0
    printf '\001\0\0\0'         # one keyframe
    printf 'nobody'             # of this bone, 15 bytes
    printf '\0\0\0\0\0\0\0\0\0'
    printf '\030\025\0\0'       # frame 5400
    printf '\0\0\0\0\0\0\0\0\0\0\0\0' # no translation
    printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077' # no rotation
    for i in 1 2 3 4 5 6 7 8; do printf '\024\024\024\024\153\153\153\153'; done # linear interpolation
    printf '\0\0\0\0\0\0\0\0\0\0\0\0' # no morphs, no camera, no light
} >long.vmd
"$odori" info long.vmd | grep 'last frame'

# --- At rest ---
printf 'pause\nframe.set 30\n' >still.txt
start "$model" --motion "$motion" --motion long.vmd --exec still.txt --no-settings
wait_for "a picture" picture_is_drawn
xdotool mousemove 1395 895
cpu "paused"
point 640 600
cpu "paused, with the timeline"
key Tab
cpu "paused, with panels"
key Tab
away

# --- Scrubbing ---
# press NAME X SECONDS: measures the time from a press on the track until it is visible there, and until the frame is
# reached.
press() {
    point "$2" 669
    sleep 1
    "$watch" "$window" "$3" 0 660 1280 24 >track.txt &
    one=$!
    "$watch" "$window" "$3" 500 100 280 400 >picture.txt &
    two=$!
    sleep 0.5
    at=$(now)
    xdotool mousedown 1 mouseup 1
    wait "$one" "$two"
    awk -v name="$1" -v at="$at" 'FNR > 1 && $1 > at {
            if (FILENAME == "track.txt" && !seen) seen = $1
            if (FILENAME == "picture.txt") { if (!first) first = $1; last = $1; n++ } }
        END {
            if (!seen || !n) { printf "press, %s: nothing was seen\n", name; exit }
            printf "press, %s: seen on the track after %.0f ms, in the picture after %.0f ms, ", name,
                1000 * (seen - at), 1000 * (first - at)
            printf "the last of %d pictures after %.0f ms\n", n, 1000 * (last - at) }' track.txt picture.txt
    title | sed 's/^/    /'
}
press "near, to 0:02" 24 4
press "far forward, to 2:00" 847 25
press "far backward, to 0:10" 82 4
press "far forward again, to 1:55" 813 4
press "to the end" 1260 25
press "to 1:00" 430 4
away

# --- Playing, resizing, full screen, hidden ---
key Home space
wait_for "playing" title_has ' fps'
xdotool mousemove 1395 895
sleep 1
"$watch" "$window" 5 500 100 280 400 >playing.txt
rate playing.txt "playing, 1280x720"
cpu "playing"
"$watch" "$window" 12 200 100 280 300 >resize.txt &
one=$!
sleep 0.5
for i in 1 2 3 4 5 6 7 8 9 10; do
    xdotool windowsize "$window" $((900 + 30 * i)) $((500 + 20 * i))
    sleep 0.2
    xdotool windowsize "$window" $((1200 - 20 * i)) $((700 - 10 * i))
    sleep 0.2
done
wait "$one"
rate resize.txt "playing, 20 sizes one after another"
"$watch" "$window" 8 300 100 600 300 >full.txt &
one=$!
sleep 1
for i in 1 2; do
    key F11
    sleep 1.5
    key F11
    sleep 1.5
done
wait "$one"
rate full.txt "playing, to the full screen and back, twice"
xdotool windowunmap --sync "$window"
cpu "playing, the window not shown"
title | sed "s/^/    /"
xdotool windowmap --sync "$window"
stop
