#!/bin/sh
# test_cli_first.sh ODORI: tests the first page: odori without arguments shows it, with recent files and edits of earlier
# runs, and playing ends it; a file that cannot be opened is told there. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import convert
start_display
theirs_here

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
before=$(ticks)
sleep 2
used=$(($(ticks) - before))
[ "$used" -le 20 ] || fail "the page takes $used ticks in two seconds"
key space
wait_for "the dance" title_has ' fps'
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
stop

# --- An edit of an earlier run opens on the model that it was made for. ---
cp theirs/dancer.pmx theirs/own.pmx
printf 'model "%s"' "$folder/theirs/own.pmx" >"state/odori/recovered/.2026-01-02T03-04-05 dance.vmd.of"
begin
wait_for "the first page" page_is_there
click 100 369
wait_for "the model of the edit" title_has '^own.pmx'
wait_for "its dance" title_has ' fps'
stop

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
echo "the first page says what can be done"
