#!/bin/sh
# test_cli_first.sh ODORI: tests the first page: odori without arguments shows it, with recent files and edits of earlier
# runs, and playing ends it; a file that cannot be opened is told there. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import convert
start_display
theirs_here

mkdir -p config/odori
echo 'F2 playlist.add' >config/odori/keys.conf

# The page covers this part of a window of 1280x720; the dancer stands beside it.
page=400x300+50+220
begin() {
    "$odori" "$@" >out 2>log &
    player=$!
    window=
    wait_for "a window" find_window
    focus
    wait_for "a picture that stands" picture_is_drawn
}
# page_is_there, page_is_gone: the background of the bundled scene has one colour where there is no page.
page_is_there() { picture now.png && part now.png $page now-part.png && [ "$(colors_of now-part.png)" -gt 20 ]; }

# --- Without arguments, and without a display ---
code=0
env -u DISPLAY "$odori" 2>told || code=$?
[ $code = 2 ] && grep -q 'no subcommand' told || fail "without a display: $code, $(cat told)"
begin
wait_for "the first page" page_is_there
title_has ' - frame 0 - paused' || fail "the dance plays behind the page"
settled first.png
wakes() { cat "/proc/$player"/task/*/status | awk '/^voluntary/ { n += $2 } END { print n }'; }
seen
sleep 0.6 # the title
before=$(ticks) woken=$(wakes)
sleep 2
used=$(($(ticks) - before)) woken=$(($(wakes) - woken))
[ "$used" -le 20 ] || fail "the page takes $used ticks in two seconds"
[ "$woken" -le 10 ] || fail "the page wakes the player $woken times in two seconds"
key space
wait_for "the dance" title_has ' fps'
stop

# --- Files of the dancer that change meanwhile are read again, and the page stays: a texture that needs the memory of
# others, the music ---
mkdir own
cp "$odori" own
cp -r theirs own/dancer
needed=$(own/odori shot own/dancer/dancer.pmx --frame 0 --physics off --size 32x32 --texture-memory 1 -o small.png 2>&1 |
    sed -n 's/.* need \([0-9]*\) MiB.*/\1/p')
ours=$odori odori=own/odori
begin play --first-page --texture-memory $((needed + 2))
odori=$ours
wait_for "the first page" page_is_there
sleep 1.2 # changes are noticed from the second check of the file on
convert theirs/tex/white.png -resize '1024x1024!' own/grown.png
cp own/grown.png own/dancer/tex/white.png
wait_for "the texture that grew" log_has 'white.png: reloaded'
log_has 'drawn smaller' || fail "the textures have enough memory"
music=$(find own/dancer -name '*.wav')
sleep 1.2
touch "$music"
wait_for "the music" log_has 'wav: reloaded'
wait_for "the page" page_is_there
title_has ' - frame 0 - paused' || fail "the dance plays behind the page"
stop

# --- A recent file plays at a click. Edits that were not saved are listed above it. ---
[ -d state/odori ] || fail "no folder of states"
mkdir -p state/odori/recovered
cp theirs/dance.vmd "state/odori/recovered/2026-01-02T03-04-05 dance.vmd"
echo "$folder/theirs/dancer.pmx" >state/odori/recent
begin
wait_for "the first page" page_is_there
settled with-files.png
different first.png with-files.png || fail "no files are listed"
click 100 423
wait_for "the dancer that was opened" title_has '^dancer.pmx'
wait_for "the dance" title_has ' fps'
# It does not have the pale background of the bundled dancer.
is_white() { picture now.png && convert ppm:now.png -crop 1x1+40+400 -depth 8 txt: | grep -qi '#ffffff'; }
wait_for "MMD's white background" is_white
key F2
wait_for "a playlist" log_has 'dancer - dance is number 1 of the playlist'
stop

# --- The scene of last time goes on where it was left, and the playlist is there. ---
[ -s state/odori/last.png ] || fail "the scene is not kept"
[ "$(head -n 1 state/odori/last)" = dancer.pmx ] || fail "state/odori/last: $(cat state/odori/last)"
begin
wait_for "the first page" page_is_there
settled known.png
different with-files.png known.png || fail "the last scene is not offered"
click 150 285
wait_for "the scene of last time, playing on" title_has '^dancer.pmx - frame [0-9]* - .*fps'
key space
wait_for "a pause" title_has paused
key N
wait_for "the first of the playlist, from its beginning" title_has '^dancer - dance - frame 0 - paused'
stop

# --- An edit of an earlier run opens on the model that it was made for. ---
cp theirs/dancer.pmx theirs/own.pmx
printf 'model "%s"' "$folder/theirs/own.pmx" >"state/odori/recovered/.2026-01-02T03-04-05 dance.vmd.of"
begin
wait_for "the first page" page_is_there
click 100 392 # below the scene of last time and the playlist
wait_for "the model of the edit" title_has '^own.pmx'
wait_for "its dance" title_has ' fps'
stop

# --- With many files, in a small window, the page fits into the picture beside the panels. ---
for i in 01 02 03 04 05 06 07 08; do
    : >"state/odori/recovered/2026-01-$i dance.vmd"
    cp theirs/dancer.pmx "theirs/recent-$i.pmx"
    echo "$folder/theirs/recent-$i.pmx" >>state/odori/recent
done
cp config/odori/settings.conf before.conf
printf 'window.size 800 600\nmessages.toasts off\npanels.language en\n' >config/odori/settings.conf
begin
key Tab
panels_are_there() { picture now.png && [ "$(convert now.png -crop 250x8+520+0 +repage -format '%[fx:mean < 0.3]' info:)" = 1 ]; }
wait_for "the panels" panels_are_there
settled now.png
[ "$(convert now.png -crop 300x8+80+0 +repage -format '%[fx:mean > 0.7]' info:)" = 1 ] || fail "the page is too high"
[ "$(convert now.png -crop 60x20+40+30 +repage -format '%[fx:mean < 0.3]' info:)" = 1 ] || fail "there is no page"
stop
cp before.conf config/odori/settings.conf

# --- A file that cannot be opened is told on the page; without that option it is an error. ---
printf rubbish >bad.pmx
begin play --first-page bad.pmx
wait_for "the first page" page_is_there
log_has 'bad.pmx.*no model' || fail "no message"
settled bad.png
stop
code=0
"$odori" play bad.pmx 2>told || code=$?
[ $code = 3 ] || fail "without --first-page: $code"
begin play --first-page theirs/dancer.pmx
wait_for "a model that plays at once" title_has '^dancer.pmx.*fps'
stop

# --- The timeline and a hint of the keys are there in the first seconds, and leave. Later starts have no hint. ---
# shows BAR HINT: tests the brightness of three parts of the window, whose background is white: above the others there
# is nothing (a new window is black), and of timeline and hint it meets the conditions.
mean() { convert now.png -crop "$1" +repage -format "%[fx:mean $2]" info:; }
shows() {
    picture now.png && [ "$(mean 60x16+60+200 '> 0.8')$(mean 80x30+150+440 "$1")$(mean 60x16+60+376 "$2")" = 111 ]
}
greeted() { # SETTING HINT
    printf 'window.size 640 480\n%s\n' "$1" >config/odori/settings.conf
    "$odori" play --msaa 1 --physics off theirs/dancer.pmx >out 2>log &
    player=$!
    window=
    wait_for "a window" find_window
    focus
    wait_for "a timeline at the start, and a hint $2" shows '< 0.45' "$2"
}
greeted '# nothing' '< 0.45'
key space
wait_for "nothing after some seconds" shows '> 0.8' '> 0.8'
title_has paused || fail "Space does not pause"
stop
grep -q -x 'panels.hint 4' config/odori/settings.conf || fail "the hint was not counted"
greeted 'panels.hint 0' '> 0.8'
stop
echo "the first page says what can be done"
