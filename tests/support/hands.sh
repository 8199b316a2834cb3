# hands.sh: editing by hand in the player's window, for tests that have sourced
# window.sh: keys for lines of the command table, and handles that are dragged
# where `gizmo.tell` says that they are seen. The window's scale is 1.

mkdir -p config/odori
: >config/odori/keys.conf
letters=abcdefghijklmnopqrstuvwxyz

# binds NAME LINE: a key that runs the line; before the player starts.
binds() {
    letter=${letters%"${letters#?}"} letters=${letters#?}
    [ -n "$letter" ] || fail "more keys than letters"
    echo "Alt+$(echo "$letter" | tr a-z A-Z) $2" >>config/odori/keys.conf
    eval "key_of_$1=alt+$letter"
}
# presses NAME...: runs the lines.
presses() {
    for name; do
        eval "xdotool key \$key_of_$name"
    done
}

# drags HANDLE PIXELS: the handle along the way that it goes; needs `binds where gizmo.tell`. The button stays
# down where $holds is not empty.
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
