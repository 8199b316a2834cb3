#!/bin/sh
# test_cli_saving.sh ODORI DROP_FILES: tests saving in the window: Ctrl+S asks for names once, Ctrl+Shift+S asks again, and closing
# with unsaved edits asks whether to save them, to discard them, or to go on. Exits 77 (skipped) if a tool is missing.
set -eu
odori=$1 drop_files=$2
. "$(dirname "$0")/../../support/window.sh"
need_tools Xvfb xdotool import compare convert xclip
start_display
theirs_here
unset DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR
mkdir -p config/odori work
export HOME="$folder"
cp theirs/dance.vmd work/dance.vmd

# Edits of a motion and of a pose, and keys for further edits.
edits='frame.set 12
key.mode on
edit.select /models/#0/bones/右腕
edit.rotate 0 0 30
key.mode off
edit.clear
bone.rotate 頭 0 20 0
pause
'
printf 'F2 bone.rotate 首 0 5 0\nF3 motion.save theirs-motion.vmd\nF4 pose.save theirs-pose.vpd\nF6 save.name 1 "work/mine"\n' >config/odori/keys.conf
printf '%s' "$edits" >edits.txt
begin() {
    start theirs/dancer.pmx --motion work/dance.vmd --physics off --exec edits.txt
    wait_for "a star in the title" title_has '^dancer.pmx[*] - frame 12'
    settled plain.png
}
asks() { picture now.png && [ "$(far_apart now.png plain.png)" -gt 20000 ]; }
asks_not() { picture now.png && [ "$(far_apart now.png plain.png)" -lt 20000 ]; }
recovered() { ls state/odori/recovered 2>/dev/null | wc -l; }

# --- Ctrl+S lists a motion and a pose; Escape closes the list, Enter saves both. ---
begin
key ctrl+s
wait_for "a list of what is unsaved" asks
settled list.png
key space q
seen
kill -0 "$player" || fail "the list does not take the keys"
key Escape
wait_for "no list after Escape" asks_not
[ ! -e theirs/dancer.vpd ] || fail "Escape saves"
key ctrl+s
wait_for "the list again" asks
key Return
wait_for "a saved pose" test -e theirs/dancer.vpd
wait_for "a title without a star" title_has '^dancer.pmx - frame 12'
cmp -s work/dance.vmd theirs/dance.vmd && fail "the motion was not saved to its file"
key F3 F4
wait_for "a pose to compare" test -e theirs-pose.vpd
cmp work/dance.vmd theirs-motion.vmd || fail "another motion is saved than by motion.save"
cmp theirs/dancer.vpd theirs-pose.vpd || fail "another pose is saved than by pose.save"

# --- The names are known now: Ctrl+S saves at once. ---
cp theirs/dancer.vpd first.vpd
key F2
wait_for "a star after another edit" title_has '^dancer.pmx[*]'
key ctrl+s
wait_for "a title without a star, at once" title_has '^dancer.pmx - frame 12'
cmp -s theirs/dancer.vpd first.vpd && fail "the second edit is not saved"
# What is saved can be saved under other names, too. The list darkens all; a message would change few pixels.
darkened() { picture now.png && [ "$(far_apart now.png plain.png)" -gt 100000 ]; }
key ctrl+shift+s
wait_for "a list, although everything is saved" darkened
key Escape
wait_for "no list" asks_not
stop
[ "$(recovered)" = 0 ] || fail "saved edits are recovered"

# --- Closing asks. Escape goes on. Discard ends and keeps nothing. The lines are those of a window of 1280x720. ---
pose_field='640 360' discard='523 408'
cp theirs/dance.vmd work/dance.vmd
rm theirs/dancer.vpd
begin
key q
wait_for "a question before the end" asks
key Escape
wait_for "no question after Escape" asks_not
key ctrl+o
wait_for "the page of files" asks
settled page.png
"$drop_files" "$window" # closes it as a window manager does
is_page() { picture now.png && [ "$(far_apart now.png page.png)" -lt 20000 ]; }
is_question() { ! is_page; }
wait_for "the question, before the page of files" is_question
key Escape
wait_for "the page of files after the question" is_page
key Escape
wait_for "keys that act again" asks_not
"$drop_files" "$window"
wait_for "the question after closing the window" asks
settled asked.png
rm -f state/odori/last.png
click $discard
ended
[ "$(recovered)" = 0 ] && [ ! -e theirs/dancer.vpd ] || fail "discarded edits are kept"
[ ! -e state/odori/last.png ] || fail "the scene of last time has discarded edits"
cmp work/dance.vmd theirs/dance.vmd || fail "discarded keyframes are saved"

# --- Save with a name that is typed ends and saves; what is left out is recovered. ---
begin
key q
wait_for "a question before the end" asks
click $pose_field
# A name that is too long for a command is refused with a sentence.
printf 'work/%01100d' 1 | xclip -selection clipboard
key ctrl+a ctrl+v Return
wait_for "that the name is too long" log_has 'that is too long'
click $pose_field
key ctrl+a
xdotool type --delay 30 work/mine
key Return
seen
settled named.png
different named.png asked.png || fail "the name was not typed"
[ ! -e work/mine.vpd ] || fail "the Enter that ends a name saves"
click 360 273
settled left.png
key Return
ended
[ -s work/mine.vpd ] || fail "the pose is not saved under its name"
cmp work/dance.vmd theirs/dance.vmd || fail "what was left out is saved"
[ "$(recovered)" = 1 ] || fail "what was left out is not recovered"

# --- Shift+Q ends at once, and what is unsaved is recovered. ---
begin
stop
[ "$(recovered)" = 3 ] || fail "edits are lost by Shift+Q"
echo "edits are saved where the user says"
