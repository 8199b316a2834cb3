#!/bin/sh
# regular.sh ODORI [--table]: gives pipes, devices, sockets, folders and files of /proc and /sys to every option that
# reads a file. Each has to end with exit code 3 and one sentence, without waiting for anything. With --table, prints
# the exit code and the time of each run and goes on after failures.
set -u
odori=$1
table=${2:-}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset DISPLAY WAYLAND_DISPLAY
export HOME="$work" XDG_CONFIG_HOME="$work/config" XDG_STATE_HOME="$work/state" EGL_LOG_LEVEL=fatal
failures=0

# Kinds of what is no regular file. A link gives each the ending that the option expects.
mkfifo pipe
mkdir folder
kinds="$work/pipe /dev/zero /dev/full $work/folder /proc/self/environ"
[ -r /sys/kernel/notes ] && kinds="$kinds /sys/kernel/notes"

# The scene of a suite with the hostile file as its model, motion, pose, sound or mask.
suite() {
    printf '{"name": "s", "scenes": [{"name": "a", "frames": [0], "size": [32, 32], %s}]}\n' "$1" >suite.json
}

# Runs the program on what the link leads to. WANTED: the expected exit code.
expect() {
    wanted=$1
    shift
    begun=$(date +%s%N)
    timeout 20 "$odori" "$@" >out 2>err </dev/null
    code=$?
    took=$((($(date +%s%N) - begun) / 1000000))
    lines=$(grep -c '^odori: ' err)
    bad=
    [ $code -eq "$wanted" ] || bad="exit code $code, not $wanted"
    [ "$lines" -ge 1 ] || bad="$bad nothing was said"
    [ $took -lt 10000 ] || bad="$bad took $took ms"
    [ -z "$table" ] || echo "$kind: odori $*: exit $code, $took ms: $(grep '^odori: ' err | tail -1)"
    [ -z "$bad" ] && return
    failures=$((failures + 1))
    echo "FAILED: $kind: odori $*: $bad: $(cat err)" >&2
}

# Points a link with an ending at the hostile file and prints nothing.
hostile() {
    rm -f "h.$1"
    ln -s "$kind" "h.$1"
}

"$odori" shot dancer --frame 0 --size 32x32 -o good.png || exit 1
for kind in $kinds; do
    is_folder=
    [ "$kind" = "$work/folder" ] && is_folder=yes
    for ending in pmx glb vmd vpd wav png json so list pmm; do
        hostile $ending
    done
    expect 3 info h.pmx
    expect 3 shot h.pmx --frame 0 -o x.png
    expect 3 shot dancer --motion h.vmd --frame 0 -o x.png
    expect 3 shot dancer --pose h.vpd --frame 0 -o x.png
    expect 3 shot dancer --camera h.vmd --frame 0 -o x.png
    expect 3 shot dancer --exec h.list --frame 0 -o x.png
    expect 3 shot dancer --background-picture h.png --frame 0 -o x.png
    expect 3 shot dancer --plugin h.so --frame 0 -o x.png
    expect 3 shot h.pmm --frame 0 -o x.png
    expect 3 dump h.pmx --frames 0
    expect 3 bake h.pmx --motion h.vmd -o x.vmd
    expect 3 bench h.pmx
    expect 3 convert h.glb x.pmx
    expect 3 check h.json
    expect 3 check h.png
    expect 3 check good.png --exec h.list
    expect 3 check --merge h.json --report report
    expect 3 diff good.png h.png
    expect 3 diff h.png good.png
    expect 3 diff good.png good.png --mask h.png
    expect 3 diff good.png good.png --ids h.png
    expect 3 render dancer --frames 0:1 --size 32x32 --audio h.wav -o x.mp4
    expect 3 render --join h.mkv h.mkv -o x.mp4
    expect 3 play --playlist h.list --no-settings
    echo "h.pmx --audio none" >one.list
    expect 3 play --playlist one.list --no-settings
    expect 3 capture-kit h.json -o kit
    suite '"files": ["h.pmx"]'
    expect 3 check suite.json
    expect 3 capture-kit suite.json -o kit
    suite '"files": ["dancer"], "motions": ["h.vmd"]'
    expect 3 check suite.json
    suite '"files": ["dancer"], "masks": [{"picture": "h.png"}]'
    expect 3 check suite.json
done
[ $failures -eq 0 ] || {
    echo "$failures runs failed" >&2
    exit 1
}
