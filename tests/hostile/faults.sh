#!/bin/sh
# faults.sh ODORI FAULT [--long | --short [WRITER]]: lets every writer of the program meet a full disk, a folder that
# cannot be written, and signals, each at a step of its writing (fault.c), on file systems with and without files that
# have no name. Afterwards each file has to be the old one or the new one, whole, and nothing may lie beside it, except
# at most one hidden file after SIGKILL. Prints a table of what was left: the new files, the old ones, some of each
# (part), or nothing where there was nothing. --long tries every step, or $HOSTILE_STEPS (20) of them (half an hour).
# WRITER: only those whose name contains it.
odori=$1 fault=$2 long=${3:-} only=${4:-}
. "$(dirname "$0")/../support/hostile.sh"
root=$work
export XDG_CONFIG_HOME="$root/w/config" XDG_STATE_HOME="$root/w/state" FAULT_STEPS="$root/steps"
mkdir "$root/in" && cd "$root/in" || exit 1

# --- What the writers read ---

positions=AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA # (0 0 0) (1 0 0) (0 1 0)
cat >tri.gltf <<END
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}],
 "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,$positions"}]}
END
cat >save.txt <<END
bone.rotate 頭 0 30 0
pose.save p.vpd
key.set
motion.save m.vmd
camera.save c.vmd
END
suite='{"baselines": "BASE", "defaults": {"size": [32, 32], "frames": "0:1"}, "scenes": [{"name": "a", "model": "IN/tri.pmx"}]}'
{
    "$odori" convert tri.gltf tri.pmx
    "$odori" shot tri.gltf --frame 0 --size 32x32 -o a.png
    "$odori" shot dancer --frame 0 --size 32x32 -o b.png
    printf '%s\n' "$suite" | sed "s|BASE|$root/in/base|; s|IN|$root/in|" >suite.json
    printf '%s\n' "$suite" | sed "s|BASE|$root/w/base|; s|IN|$root/in|" >accept.json
    "$odori" check suite.json --accept
    "$odori" check suite.json --report part
    "$odori" render tri.gltf --frames 0:5 --size 32x32 --shard 1/2 -o 1.mkv
    "$odori" render tri.gltf --frames 0:5 --size 32x32 --shard 2/2 -o 2.mkv
} >log 2>&1
ls tri.pmx a.png b.png part/results.json 1.mkv 2.mkv >/dev/null || {
    cat log >&2
    exit 1
}

# --- One run ---

# runs ARGUMENTS...: runs the program in the folder w.
runs() {
    (cd "$root/w" && HOME=$home exec "$@") >"$root/out" 2>&1 </dev/null
    code=$?
}

# list FOLDER: lists its files.
list() {
    (cd "$1" && find . -type f | sort)
}

# is_recovered FILE: returns whether it is what play recovered, whose name is the time.
is_recovered() {
    case $1 in
    */recovered/*.vpd) ;;
    *) return 1 ;;
    esac
    for recovered in "$root"/new/state/odori/recovered/* "$root"/old/state/odori/recovered/*; do
        ! cmp -s "$root/w/$1" "$recovered" || return 0
    done
    return 1
}

# look CODE: compares the folder w with "old" and "new" and sets $found to what was left: old, new, both (several files,
# some new), and what must not be. Runs that are continued later may keep what they have ($kept, a pattern).
look() {
    news=0 olds=0 hidden=0 found=
    list "$root/w" >"$root/files"
    while read -r file; do
        if cmp -s "$root/w/$file" "$root/new/$file"; then
            news=$((news + 1))
        elif cmp -s "$root/w/$file" "$root/old/$file"; then
            olds=$((olds + 1))
        elif expr "$file" : '.*/\.mmd-[0-9a-f]*\.tmp$' >/dev/null; then
            hidden=$((hidden + 1))
        elif is_recovered "$file"; then
            news=$((news + 1))
        elif [ -z "$kept" ] || ! expr "$file" : "$kept" >/dev/null; then
            found="$found BROKEN:$file"
        fi
    done <"$root/files"
    # What was there before must not have gone.
    list "$root/old" >"$root/before"
    [ -z "$start_old" ] || while read -r file; do
        [ -e "$root/w/$file" ] || [ ! -e "$root/new/$file" ] || found="$found GONE:$file"
    done <"$root/before"
    [ $hidden -eq 0 ] || { [ "$kind" = KILL ] && [ $hidden -eq 1 ]; } || found="$found HIDDEN:$hidden"
    [ $hidden -eq 0 ] || found="$found +hidden"
    case $kind,$1 in
    none,1 | *,"$finished" | KILL,137 | TERM,143 | INT,130 | HUP,129 | full,[1-4] | readonly,[1-4] | size,[1-4] | *,0) ;;
    *) found="$found EXIT:$1" ;;
    esac
    case $kind,$1 in
    # A window goes on, but tells what it could not keep.
    full,0 | readonly,0 | size,0)
        [ $news -eq "$new_count" ] || grep -q 'not be written' "$root/out" || found="$found UNSAID"
        ;;
    esac
    # Files that the program replaces by nothing new are equal in both.
    if [ $news -eq 0 ] && [ $olds -eq 0 ]; then
        found="nothing$found"
    elif [ $news -eq 0 ]; then
        found="old$found"
    elif [ $olds -eq 0 ] && [ $news -eq "$new_count" ]; then
        found="new$found"
    else
        found="part$found"
    fi
}

# begin: makes the folder w as it is before the writer starts: with the old files, or without.
begin() {
    rm -rf "$root/w"
    if [ -n "$start_old" ]; then cp -a "$root/old" "$root/w"; else mkdir "$root/w"; fi
}

# try KIND STEP OPTION ARGUMENTS...: one fault.
try() {
    kind=$1 step=$2 option=$3
    shift 3
    begin
    # shellcheck disable=SC2086
    runs timeout 60 "$fault" $option "$root/w" "$kind" "$step" "$odori" "$@"
    look $code
    tell
}

# tell: counts what was found for the table, and complains.
tell() {
    echo "$found" >>"$root/found.$kind"
    case $found in
    *[A-Z]*:* | *UNSAID* | *[a-z]none)
        fail "$name, $kind at step $step ${option:-} ${start_old:+over old files}: $found (exit $code): $(tail -3 "$root/out")"
        ;;
    esac
}

# writer NAME ARGUMENTS...: tries all faults on a writer.
index=0
all=${HOSTILE_STEPS:-20}
most=$all
kept=
also=
home=$root
writer() {
    name=$1
    shift
    index=$((index + 1))
    case $name in
    *"$only"*) ;;
    *) return ;;
    esac
    rm -rf "$root"/found.* "$root/new" "$root/old"
    start_old=
    begin
    runs "$fault" "$root/w" none 0 "$odori" "$@"
    case $code in
    0 | 1) ;;
    *)
        fail "$name: exit $code: $(cat "$root/out")"
        return
        ;;
    esac
    finished=$code
    steps=$(cat "$FAULT_STEPS")
    cp -a "$root/w" "$root/new"
    new_count=$(list "$root/new" | wc -l)
    # The old files are the new ones with something appended, which their readers ignore.
    cp -a "$root/w" "$root/old"
    find "$root/old" -type f | while read -r file; do echo "  " >>"$file"; done
    kind=none option=-n start_old=yes
    begin
    runs "$fault" -n "$root/w" none 0 "$odori" "$@"
    look $code
    tell
    named=$(cat "$FAULT_STEPS")
    middle=$((1 + 5 * index % named))
    if [ "$long" = --long ]; then
        for option in "" -n; do
            for start_old in "" yes; do
                each_step "$@"
            done
        done
    else
        # One signal a writer, and a step that differs from writer to writer.
        start_old=yes
        try full $middle -n "$@"
        for at in $also; do
            try full "$at" -n "$@"
        done
        try readonly 1 "" "$@"
        case $((index % 3)) in
        0) try TERM "$named" -n "$@" ;;
        1) try INT "$middle" -n "$@" ;;
        2) try HUP "$named" -n "$@" ;;
        esac
        try KILL "$named" -n "$@"
        try KILL "$((steps + 1))" "" "$@"
    fi
    small_files "$@"
    line=$(printf '%-24s %5d' "$name" "$steps")
    for kind in full size readonly TERM INT HUP KILL; do
        [ -e "$root/found.$kind" ] || : >"$root/found.$kind"
        line="$line | $(printf '%-20s' "$(sort "$root/found.$kind" | uniq -c | awk '{n = $1; $1 = ""; printf "%s%s %d", s, $0, n; s = ","}' | sed 's/^ //')")"
    done
    echo "$line"
    kept=
    also=
    most=$all
}

# each_step ARGUMENTS...: tries all faults at all steps, but at most at about $most.
each_step() {
    step_by=$((1 + steps / most))
    try readonly 1 "$option" "$@"
    at=1
    while [ $at -le $((steps + 2)) ]; do
        for each in full TERM INT HUP KILL; do
            try $each $at "$option" "$@"
        done
        at=$((at + step_by))
    done
}

# small_files ARGUMENTS...: lets no file grow beyond half a kilobyte, and 2 and 16 where there is time: without a
# helper, and as quotas do, within a file.
small_files() {
    kind=size option=
    sizes=1
    [ "$long" != --long ] || sizes="1 4 32"
    for step in $sizes; do
        start_old=yes
        begin
        (
            cd "$root/w" || exit 1
            trap '' XFSZ
            ulimit -f "$step"
            HOME=$home exec timeout 60 "$odori" "$@"
        ) 2>&1 </dev/null | cat >"$root/out"
        # The exit code is lost in the pipe, through which the output has to go, because it is a file otherwise.
        code=0
        [ "$(list "$root/w" | while read -r file; do cmp "$root/w/$file" "$root/new/$file"; done 2>&1)" = "" ] || code=4
        [ -s "$root/out" ] || code=0
        look $code
        tell
    done
}

# --- The writers ---

in=$root/in
printf '%-24s %5s | %-20s | %-20s | %-20s | %-20s | %-20s | %-20s | %-20s\n' writer steps full "small files" readonly TERM INT HUP KILL
writer "shot" shot "$in/tri.gltf" --frame 0 --size 32x32 -o x.png
writer "shot --ids" shot "$in/tri.gltf" --frame 0 --size 32x32 --ids -o x.png
writer "thumbnail" thumbnail "$in/tri.gltf" --size 32 -o x.png
writer "dump" dump "$in/tri.gltf" --frames 0 -o x.json
writer "convert to pmx" convert "$in/tri.gltf" x.pmx --report r.json
writer "convert to glb" convert "$in/tri.pmx" x.glb
writer "convert to gltf" convert "$in/tri.pmx" x.gltf
writer "convert to Ragdoll" convert "$in/tri.pmx" x.json
writer "bake" bake dancer --motion dancer --frames 0:1 -o x.vmd
writer "pose, motion, camera" shot dancer --motion dancer --camera dancer --frame 0 --size 32x32 --exec "$in/save.txt" -o x.png
writer "render pictures" render "$in/tri.gltf" --frames 0:2 --size 32x32 -o "%05d.png"
writer "render video" render "$in/tri.gltf" --frames 0:2 --size 32x32 -o x.mp4
kept='.*\.mkv' # continued by the next run
writer "render --resume" render "$in/tri.gltf" --frames 0:9 --size 32x32 --resume -o x.mp4
writer "render --join" render --join "$in/1.mkv" "$in/2.mkv" -o x.mp4
writer "check --accept" check "$in/accept.json" --accept --keep-inputs --root "$root/w"
kept='.*/state\.jsonl' # continued by the next run
writer "check --report" check "$in/suite.json" --report report --jobs 1
also="4 6 8" # a file that went before its successor came would be missing at one of them
writer "check --merge" check --merge "$in/part" --report report
writer "diff --report" diff "$in/a.png" "$in/b.png" --report report
writer "diff --json" diff "$in/a.png" "$in/b.png" --json=x.json
writer "capture-kit" capture-kit "$in/suite.json" -o kit --copy
home=$root/w # a helper outside of the sandbox creates and names the files
writer "shot, at home" shot "$in/tri.gltf" --frame 0 --size 32x32 -o x.png
writer "convert, at home" convert "$in/tri.pmx" x.gltf
writer "render pictures, at home" render "$in/tri.gltf" --frames 0:2 --size 32x32 -o "%05d.png"
writer "render video, at home" render "$in/tri.gltf" --frames 0:2 --size 32x32 -o x.mp4
home=$root
most=3
[ "$long" != --long ] || writer "play without a window" play "$in/tri.gltf" --no-settings
# A hidden file that a killed run left goes with the next run; nobody has it locked.
if [ -z "$only" ]; then
    name="runs after SIGKILL" kind=KILL option=-n start_old=
    begin
    for _ in 1 2 3; do
        runs "$fault" -n "$root/w" KILL 3 "$odori" shot "$in/tri.gltf" --frame 0 --size 32x32 -o x.png
        [ "$(list "$root/w" | grep -c '/\.mmd-[0-9a-f]*\.tmp$')" = 1 ] ||
            fail "not one hidden file after SIGKILL: $(list "$root/w")"
    done
    runs "$odori" shot "$in/tri.gltf" --frame 0 --size 32x32 -o x.png
    [ "$(list "$root/w")" = ./x.png ] || fail "hidden files stay: $(list "$root/w")"
fi

# The settings and states that the window writes, and the edits that it recovers. A key ends it.
if [ "$long" = --long ] && command -v Xvfb >/dev/null && command -v xdotool >/dev/null; then
    Xvfb -displayfd 3 -screen 0 320x240x24 3>"$root/display" 2>"$root/log" &
    server=$!
    trap 'kill $server; rm -rf "$root"' EXIT
    while [ ! -s "$root/display" ]; do sleep 0.1; done
    DISPLAY=:$(cat "$root/display")
    export DISPLAY ALSOFT_DRIVERS=null
    while sleep 0.3 && kill -0 $server; do
        for id in $(xdotool search --name dancer); do xdotool windowfocus "$id" key q; done
    done >"$root/log" 2>&1 &
    printf 'bone.rotate 頭 0 30 0\npause\n' >"$in/edit.txt"
    [ "$most" -le 4 ] || most=4
    writer "play" play dancer --physics off --exec "$in/edit.txt"
fi
finish
