# window.sh: what the tests of the player's window share, sourced by them with
# the program's path in $odori:
#
#     odori=$1
#     . "$(dirname "$0")/../support/window.sh"
#     need_tools Xvfb xdotool import compare
#     start_display
#     start theirs/dancer.pmx --exec still.txt
#     ...
#     stop
#
# Sourcing it makes a folder of the test's own, goes there, keeps settings in
# it, and ends what was started when the test ends, also when it is stopped
# from outside. ODORI_KEEP_SCREENSHOTS=folder keeps the pictures and the log.
# What functions leave behind: $player and $window of the player that runs.

folder=$(mktemp -d)
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
# The GLX driver leaves memory behind; what the program leaves, other tests see.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
unset WAYLAND_DISPLAY

fail() {
    echo "failed: $1" >&2
    [ -z "$window" ] || echo "title: $(title)" >&2
    cat "$folder/log" >&2
    exit 1
}

# Exits 77 (skipped) where a tool is missing.
need_tools() {
    for tool; do
        command -v "$tool" >/dev/null 2>&1 || {
            echo "skipped: no $tool"
            exit 77
        }
    done
}

# wait_for WHAT COMMAND...: until the command succeeds, or $PATIENCE seconds have passed.
wait_for() {
    what=$1
    shift
    deadline=$(($(date +%s) + ${PATIENCE:-120}))
    until "$@"; do
        [ "$(date +%s)" -lt "$deadline" ] || fail "$what"
        sleep 0.1
    done
}

# A display of its own, of a number that nobody has. There is no window manager.
start_display() {
    mkfifo number
    Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp -noreset 3>number 2>xvfb.log &
    server=$!
    read -r display <number
    export DISPLAY=":$display"
}

# theirs_here: the bundled dancer's files in ./theirs, to be written to.
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
# start ARGUMENTS of play...: until it has a window. One sample a pixel, if not asked for more: that is half the work.
start() {
    "$odori" play --msaa 1 "$@" >out 2>log &
    player=$!
    window=
    wait_for "a window" find_window
    focus
}
# ended: until it has ended by itself, well.
ended() {
    code=0
    wait "$player" || code=$?
    player=
    [ "$code" -eq 0 ] || fail "exit code $code"
}
stop() {
    focus
    xdotool key q
    ended
}
# CPU time that it has used, in ticks of 1/100 s.
ticks() { awk '{print $14 + $15}' "/proc/$player/stat"; }

# --- What is seen ---

title() { xdotool getwindowname "$window"; }
title_has() { title | grep -q -e "$1"; }
log_has() { grep -q -e "$1" log; }
# What the window shows, as raw pixels whatever the file is called: much less work than PNG.
picture() { import -window "$window" "ppm:$1" 2>/dev/null; }
# Two raw pictures differ where their bytes do; others (those that the program writes) are decoded.
different() {
    case $(head -c 2 "$1")$(head -c 2 "$2") in
    P6P6) ! cmp -s "$1" "$2" ;;
    *) [ "$(compare -metric AE "$1" "$2" null: 2>&1 || true)" != 0 ] ;;
    esac
}
# far_apart A B: how many pixels differ by more than a tenth.
far_apart() {
    pixels=$(compare -metric AE -fuzz 10% "$1" "$2" null: 2>&1 || true)
    echo "${pixels%%.*}"
}
colors_of() { identify -format %k "$1"; }
# The pictures that an event causes may come late: wait until two are alike.
picture_stands() {
    seen
    picture before.png && sleep 0.2 && seen && picture after.png && ! different before.png after.png
}
# A window is empty until its first picture, which may take its time.
picture_is_drawn() { picture_stands && [ "$(colors_of after.png)" -gt 10 ]; }
# Is what is seen now another picture than before.png, of the last picture_stands?
picture_changed() { picture after.png && different before.png after.png; }
# settled FILE: keeps the picture when it stands.
settled() {
    wait_for "a picture that stands" picture_stands
    cp after.png "$1"
}
# Parts of the picture, as WxH+X+Y.
part() { convert "$1" -crop "$2" +repage "ppm:$3"; }
# part_is PART FILE: the part of now and that of the file are the same.
part_is() {
    picture now.png && part now.png "$1" now-part.png && part "$2" "$1" then-part.png &&
        ! different now-part.png then-part.png
}
part_differs() {
    picture now.png && part now.png "$1" now-part.png && part "$2" "$1" then-part.png &&
        different now-part.png then-part.png
}

# --- What is done ---

key() { xdotool key --delay 50 "$@"; }
# Waits until what was done has been seen: display and player have nothing to do at three looks in a row, however
# slow the machine is. While a dance goes on they always have; then it takes two seconds at most.
seen() {
    quiet=0 looks=0
    while [ $quiet -lt 3 ] && [ $looks -lt 60 ]; do
        sleep 0.03
        looks=$((looks + 1)) quiet=$((quiet + 1))
        if cat "/proc/$server/stat" "/proc/$player"/task/*/stat 2>/dev/null | grep -q ') [RD] '; then
            quiet=0
        fi
    done
}
point() { xdotool mousemove --window "$window" "$1" "$2"; }
# The pointer comes, is seen there, and clicks, which is seen too.
click() {
    point "$1" "$2"
    seen
    xdotool click 1
    seen
}
# The panels of a window of 1280 by 720 at scale 1: pages are chosen by buttons in rows of three, and below them
# a page has lines of one height, the first is 0.
panel_page() {
    button=0
    for page in models morphs bones edit materials physics view statistics messages; do
        [ "$page" != "$1" ] || break
        button=$((button + 1))
    done
    click $((1014 + 104 * (button % 3))) $((22 + 27 * (button / 3)))
}
panel_line() { echo $((119 + 27 * $1)); }
# drag X Y X2 Y2: with the left button, by way of the middle.
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
