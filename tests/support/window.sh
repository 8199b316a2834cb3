# window.sh: shared functions of the tests of the player's window. Tests source it
# with the program's path in $odori:
#
#     odori=$1
#     . "$(dirname "$0")/../support/window.sh"
#     need_tools Xvfb xdotool import compare
#     start_display
#     start theirs/dancer.pmx --exec still.txt
#     ...
#     stop
#
# Sourcing it makes a temporary folder, changes to it, and stores settings in it.
# The started processes end with the test, also when it is killed.
# ODORI_KEEP_SCREENSHOTS=folder keeps the images and the log. Functions set $player
# and $window to the process id and the window of the running player.

folder=$(mktemp -d)
screen=${odori%/*}/screen # unit/window/screen.c
server='' player='' window=''
finish() {
    [ -z "$player" ] || kill "$player" 2>/dev/null || true
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    if [ -n "${ODORI_KEEP_SCREENSHOTS:-}" ]; then
        mkdir -p "$ODORI_KEEP_SCREENSHOTS"
        for kept in "$folder"/*.png; do
            convert "$kept" "$ODORI_KEEP_SCREENSHOTS/${kept##*/}" 2>/dev/null || true
        done
        cp "$folder/log" "$ODORI_KEEP_SCREENSHOTS" 2>/dev/null || true
    fi
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

case ${ODORI_KEEP_SCREENSHOTS:-/} in
/*) ;;
*) ODORI_KEEP_SCREENSHOTS=$PWD/$ODORI_KEEP_SCREENSHOTS ;;
esac
cd "$folder"
: >log
export XDG_CONFIG_HOME="$folder/config" XDG_STATE_HOME="$folder/state"
export LIBGL_ALWAYS_SOFTWARE=1 ALSOFT_DRIVERS=null LC_ALL=C.UTF-8
# The GLX driver leaks memory. Other tests detect leaks of the program.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
unset WAYLAND_DISPLAY

fail() {
    echo "failed: $1" >&2
    [ -z "$window" ] || echo "title: $(title)" >&2
    cat "$folder/log" >&2
    exit 1
}

# need_tools TOOL...: exits with 77 (skipped) if a tool is missing.
need_tools() {
    for tool; do
        command -v "$tool" >/dev/null 2>&1 || {
            echo "skipped: no $tool"
            exit 77
        }
    done
}

# wait_for WHAT COMMAND...: waits until the command succeeds. Fails after $PATIENCE seconds.
wait_for() {
    what=$1
    shift
    deadline=$(($(date +%s) + ${PATIENCE:-120}))
    until "$@"; do
        [ "$(date +%s)" -lt "$deadline" ] || fail "$what"
        sleep 0.1
    done
}

# Starts a virtual display with an unused number and no window manager.
start_display() {
    mkfifo number
    Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp -noreset 3>number 2>xvfb.log &
    server=$!
    read -r display <number
    export DISPLAY=":$display"
}

# theirs_here: copies the bundled dancer's files to ./theirs and makes them writable.
theirs_here() {
    dancer=$("$odori" info dancer --json | sed -n 's/.*"file":"\([^"]*\)".*/\1/p' | head -1)
    [ -f "$dancer" ] || fail "no dancer at \"$dancer\""
    cp -r "$(dirname "$dancer")" theirs
    chmod -R u+w theirs
}

# --- The player ---

find_window() {
    window=$(xdotool search --onlyvisible --pid "$player" --name . 2>/dev/null | tail -1) && [ -n "$window" ]
}
focus() { xdotool windowfocus --sync "$window" 2>/dev/null || true; }
# start ARGUMENTS of play...: starts the player and waits for its window. Draws one sample per pixel by default, which
# is half the work. Messages are not shown over the picture unless $toasts is on.
start() {
    echo "messages.toasts ${toasts:-off}" >toasts.txt
    "$odori" play --msaa 1 --exec toasts.txt "$@" >out 2>log &
    player=$!
    window=
    wait_for "a window" find_window
    focus
}
# ended: waits until the player has ended by itself, with exit code 0.
ended() {
    code=0
    wait "$player" || code=$?
    player=
    [ "$code" -eq 0 ] || fail "exit code $code"
}
stop() {
    focus
    xdotool key shift+q
    ended
}
# Prints the CPU time that the player has used, in ticks of 1/100 s.
ticks() { awk '{print $14 + $15}' "/proc/$player/stat"; }

# --- Screenshots ---

title() { xdotool getwindowname "$window"; }
title_has() { title | grep -q -e "$1"; }
log_has() { grep -q -e "$1" log; }
# picture FILE: saves the window's contents as raw pixels, whatever the file's name.
picture() { "$screen" grab "$window" "$1" 2>/dev/null; }
# different A B: tests whether two images differ. Raw images are compared byte by byte, others (those that the program
# writes) are decoded.
different() {
    case $(head -c 2 "$1")$(head -c 2 "$2") in
    P6P6) ! cmp -s "$1" "$2" ;;
    *) [ "$(compare -metric AE "$1" "$2" null: 2>&1 || true)" != 0 ] ;;
    esac
}
# far_apart A B: prints the number of pixels that differ by more than a tenth.
far_apart() {
    pixels=$(compare -metric AE -fuzz 10% "$1" "$2" null: 2>&1 || true)
    echo "${pixels%%.*}"
}
colors_of() { "$screen" colors "$1"; }
# Tests whether the window's contents are stable. An event may be drawn late, so two successive images must be equal.
picture_stands() {
    seen
    picture before.png && sleep 0.2 && seen && picture after.png && ! different before.png after.png
}
# Tests whether something has been drawn. A new window is empty for a while.
picture_is_drawn() { picture_stands && [ "$(colors_of after.png)" -gt 10 ]; }
# Tests whether the window differs from before.png, which the last picture_stands saved.
picture_changed() { picture after.png && different before.png after.png; }
# settled FILE: waits until the window's contents are stable, and saves them.
settled() {
    wait_for "a picture that stands" picture_stands
    cp after.png "$1"
}
# part FILE PART OUT: cuts out a part of an image, given as WxH+X+Y. An image that the program wrote is decoded first.
part() { "$screen" part "$1" "$2" "$3" || convert "$1" -crop "$2" +repage "ppm:$3"; }
# part_is PART FILE: tests whether a part of the window equals that part of the file.
part_is() {
    picture now.png && part now.png "$1" now-part.png && part "$2" "$1" then-part.png &&
        ! different now-part.png then-part.png
}
part_differs() {
    picture now.png && part now.png "$1" now-part.png && part "$2" "$1" then-part.png &&
        different now-part.png then-part.png
}

# --- Input ---

key() { xdotool key --delay 50 "$@"; }
# Waits until input has been handled: the display and the player are idle three times in a row. This works on slow
# machines too. While a dance plays they are never idle, and it waits at most two seconds.
seen() { "$screen" rest "$server" "$player"; }
point() { xdotool mousemove --window "$window" "$1" "$2"; }
# click X Y: moves the pointer and clicks, and waits after each until it has been handled.
click() {
    point "$1" "$2"
    seen
    xdotool click 1
    seen
}
# Panels in a window of 1280 by 720 at scale 1: buttons in rows of three choose the page, and the lines of the page
# below them have equal heights. panel_line prints the y of a line; the first is 0.
panel_page() {
    button=0
    for page in models morphs bones edit materials physics view statistics messages; do
        [ "$page" != "$1" ] || break
        button=$((button + 1))
    done
    click $((1014 + 104 * (button % 3))) $((22 + 27 * (button / 3)))
}
panel_line() { echo $((119 + 27 * $1)); }
# drag X Y X2 Y2: drags with the left button, with a stop halfway.
drag() {
    point "$1" "$2"
    seen
    xdotool mousedown 1
    point $((($1 + $3) / 2)) $((($2 + $4) / 2))
    seen
    point "$3" "$4"
    seen
    xdotool mouseup 1
    seen
}
