#!/bin/sh
# test_cli_plugged.sh ODORI ONLY_Y: tests a plug-in that restricts one bone to rotation about Y in the player's
# window: given on the command line, unloaded, and loaded again. Rings are dragged by mouse: on the right arm the X
# ring does nothing and reports why, and the Y ring turns; the other arm turns freely. Exits 77 (skipped) if a tool is
# missing.
set -eu
odori=$1 plugin=$2
case $plugin in /*) ;; *) plugin=$PWD/$plugin ;; esac
. "$(dirname "$0")/../../support/window.sh"
. "$(dirname "$0")/../../support/hands.sh"
need_tools Xvfb xdotool import compare convert awk
binds right "edit.select /models/#0/bones/右腕"
binds left "edit.select /models/#0/bones/左腕"
binds where gizmo.tell
binds tell edit.tell
binds list plugin.list
binds load "plugin.load $plugin"
binds unload "plugin.unload only_y"
binds undo undo
printf 'window.size 640 560\n' >config/odori/settings.conf
printf 'panels off\npanels.timeline off\npause\ncamera.orbit 28 14\n' >still.txt

# Prints the quaternion of the bone's user:rotate as four numbers, from the output of edit.tell.
told() { grep -c '^{"path"' out || true; }
is_told() { [ "$(told)" -gt "$count" ]; }
turn() {
    count=$(told)
    presses tell
    wait_for "what is selected" is_told
    grep '^{"path"' out | tail -1 | sed 's/.*"user:rotate"[^[]*\[\([^]]*\)\].*/\1/' | tr , ' '
}
# is_turned ABOUT: tests the rotation: y: by more than ten degrees about Y alone; none: not at all; other: about X.
is_turned() {
    turn | awk -v about="$1" '
        function far(x) { return x < 0 ? -x : x }
        { x = far($1) > 0.001; y = far($2) > 0.087; z = far($3) > 0.001 }
        END { exit !(about == "none" ? !x && !z && far($2) < 1e-6 : about == "y" ? y && !x && !z : far($1) > 0.087) }'
}
chain_has() { grep '^{"chain"' out | tail -1 | grep -q "$1"; }
lists() { grep -c '^{"chain"' out || true; }
list_is_told() { [ "$(lists)" -gt "$count" ]; }
lists_chain() {
    count=$(lists)
    presses list
    wait_for "the chain" list_is_told
}

theirs_here
start_display
start theirs/dancer.pmx --msaa 1 --physics off --plugin "$plugin" --exec still.txt
wait_for "a picture that stands" picture_is_drawn
presses right
point 20 20
settled 1-before.png

# --- On the command line ---
holds=yes
drags x 45
settled 2-about-x.png
xdotool mouseup 1
holds=
is_turned none || fail "the right arm turned about X: $(turn)"
grep -q "only_y lets it turn about Y, and nothing else" log || fail "nobody says why"
drags y 45
point 20 20
settled 3-about-y.png
is_turned y || fail "the right arm did not turn about Y: $(turn)"
different 1-before.png 3-about-y.png || fail "it is not seen"
presses left
drags x 45
point 20 20
settled 4-other-arm.png
is_turned other || fail "the left arm did not turn about X: $(turn)"

# --- Unloaded at run time: the arm is free, and edits through the plug-in are undone ---
presses undo unload right
lists_chain
chain_has only_y && fail "it is in the chain: $(tail -1 out)"
drags x 45
is_turned other || fail "the arm is not free: $(turn)"
presses undo
is_turned y || fail "the turn about Y has gone: $(turn)"
presses undo
is_turned none || fail "what the plug-in did cannot be undone: $(turn)"

# --- Loaded at run time ---
presses load
lists_chain
chain_has '"only_y","physics"' || fail "it is not at the head of the chain: $(tail -1 out)"
drags x 45
is_turned none || fail "the right arm turned about X: $(turn)"
drags y 45
is_turned y || fail "the right arm did not turn about Y: $(turn)"
presses load
wait_for "that it is there already" log_has "only_y is loaded already"
point 20 20
settled 5-loaded.png
stop
echo "a plug-in's bone turns about Y alone, as long as it is loaded"
