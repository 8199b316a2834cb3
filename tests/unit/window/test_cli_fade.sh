#!/bin/sh
# test_cli_fade.sh ODORI: tests the fade from one dance of a playlist to the next, and to an opened motion, in the
# player's window. The first picture of the next dance is the last one of the dance before, hair included, and pictures
# during the fade are drawn again by `check`. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare identify
mkdir -p config/odori
cat >config/odori/keys.conf <<EOT
F2 screenshot before.png
F3 screenshot begins.png
F4 screenshot between.png
F5 screenshot cut.png
F6 screenshot opened.png
F7 frame.set 60
F8 frame.set 150
F9 motion.fade 0
F10 motion.fade 4
Ctrl+F10 file.open theirs/dance.vmd
EOT
printf 'panels.timeline off\npause\nmotion.fade 4\nframe.set 150\n' >still.txt
start_display
theirs_here
for entry in 1 2 3; do
    echo "theirs/dancer.pmx --motion theirs/dance.vmd"
done >tonight.txt

has() { [ -s "$1" ] && identify "$1" >/dev/null 2>&1; }
# shoot KEY FILE: takes a picture.
shoot() {
    seen
    key "$1"
    wait_for "$2" has "$2"
}
same() { [ "$(compare -metric AE "$1" "$2" null: 2>&1 || true)" = 0 ]; }
checked() { "$odori" check "$1" >check.log 2>&1 || fail "check $1: $(cat check.log)"; }

start --playlist tonight.txt --exec still.txt
wait_for "frame 150" title_has 'frame 150 - paused'
shoot F2 before.png
key n
wait_for "the next dance" title_has 'frame 0 - paused'
shoot F3 begins.png
same before.png begins.png || fail "the next dance does not begin with the pose and the hair of the one before"
checked begins.png
key F7
wait_for "the middle of the fade" title_has 'frame 60 - paused'
shoot F4 between.png
checked between.png

# Without a fade it begins with its own pose, and the dance that is opened here again fades.
key F9 n
wait_for "the third dance" title_has 'frame 0 - paused'
shoot F5 cut.png
! same before.png cut.png || fail "motion.fade 0 is not a cut"
checked cut.png
key F10 F8
wait_for "frame 150 again" title_has 'frame 150 - paused'
key ctrl+F10
wait_for "the opened motion" title_has 'frame 0 - paused'
shoot F6 opened.png
same before.png opened.png || fail "an opened motion does not begin with the pose before"
checked opened.png

key space
wait_for "the dance" title_has 'fps'
stop
grep -q 'motion.fade 4' config/odori/settings.conf || fail "the length of fades was not kept"
