# hands.sh: editing with the mouse and keys in the player's window, for tests that
# have sourced window.sh: key bindings for command lines, and dragging of handles at
# the positions that `gizmo.tell` reports. The window's scale is 1.

mkdir -p config/odori
: >config/odori/keys.conf
letters=abcdefghijklmnopqrstuvwxyz

# binds NAME LINE: binds a key to a command line. Must be called before the player starts.
binds() {
    letter=${letters%"${letters#?}"} letters=${letters#?}
    [ -n "$letter" ] || fail "more keys than letters"
    echo "Alt+$(echo "$letter" | tr a-z A-Z) $2" >>config/odori/keys.conf
    eval "key_of_$1=alt+$letter"
}
# presses NAME...: presses the keys and so runs the command lines.
presses() {
    for name; do
        eval "xdotool key \$key_of_$name"
    done
}

# drags HANDLE PIXELS: drags a handle in its direction. Needs `binds where gizmo.tell`. The mouse button stays down
# if $holds is not empty.
gizmos() { grep -c '^{"gizmo"' out || true; }
gizmo_is_told() { [ "$(gizmos)" -gt "$before" ]; }
drags() {
    handle=$1 far=$2
    before=$(gizmos)
    presses where
    wait_for "handles" gizmo_is_told
    set -- $(grep '^{"gizmo"' out | tail -1 |
        sed -n "s/.*\"handle\":\"$handle\",\"at\":\[\([^]]*\)\],\"way\":\[\([^]]*\)\].*/\1,\2/p" | tr , ' ')
    [ $# -eq 4 ] || fail "no handle $handle: $(tail -1 out)"
    xdotool mousemove --window "$window" "${1%.*}" "${2%.*}" sleep 0.05 mousedown 1 sleep 0.05
    for part in 0.5 1; do
        xdotool mousemove --window "$window" $(awk -v x="$1" -v y="$2" -v a="$3" -v b="$4" -v far="$far" \
            -v part=$part 'BEGIN { printf "%d %d", x + part * far * a, y + part * far * b }') sleep 0.05
    done
    [ -n "${holds:-}" ] || xdotool mouseup 1
}
