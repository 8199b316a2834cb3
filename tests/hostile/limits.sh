#!/bin/sh
# limits.sh ODORI FAULT [--table]: runs subcommands with ten sizes of memory each. Each run has to end with the result
# that it has without a limit, or with a sentence and exit code 3 or 4, without a file that is half written. A crash of
# the program is a failure. OpenGL drivers and LLVM crash without memory: where gdb is installed, the place of a crash
# is looked up and printed, and has to be theirs. Subcommands without OpenGL never crash.
odori=$1 table=${3:-}
. "$(dirname "$0")/../support/hostile.sh"
export DEBUGINFOD_URLS=
model=$("$odori" info dancer | head -1)

# bad TEXT...: fails with the size and what the program said.
bad() {
    fail "$size MiB: odori $*: $(head -c 1000 err)"
}

# whose ARGUMENTS...: prints the innermost function of a crash that is not in libc, from gdb.
whose() {
    for _ in 1 2 3; do
        gdb -q -batch -ex "set exec-wrapper sh -c 'ulimit -v $((size * 1024)); exec \"\$0\" \"\$@\"'" -ex run -ex bt \
            --args "$odori" "$@" >trace 2>&1 </dev/null
        grep '^#' trace | grep -v -e '/libc' -e nptl -e sysdeps -e stdlib -e libstdc++ -e ' raise ' -e ' abort ' |
            head -1 >place
        [ ! -s place ] || break
    done
    sed 's/^#[0-9]* *//' place
}

# limited SIZE RESULT ARGUMENTS...: runs the program with so many MiB of address space. RESULT: the file that it writes.
limited() {
    size=$1 result=$2
    shift 2
    rm -f "$result"
    (
        ulimit -c 0
        ulimit -v $((size * 1024))
        exec timeout 60 "$odori" "$@"
    ) >out 2>err </dev/null
    code=$?
    said=$(grep '^odori: ' err | grep -v '^odori: warning' | tail -1)
    [ -z "$table" ] || echo "$size MiB: odori $1: exit $code $said"
    case $code in
    0) cmp -s "$result" "whole.$result" || { [ "$1" != shot ] && grep -q "no memory for the picture" err; } ||
        bad "$* has another result than with more memory, and does not say so;" ;;
    3 | 4)
        [ -n "$said" ] || bad "$* says nothing;"
        [ ! -e "$result" ] || bad "$* leaves a file;"
        ;;
    134 | 139)
        [ "$1" = shot ] || bad "$* crashes;"
        command -v gdb >/dev/null || return
        place=$(whose "$@")
        echo "$size MiB: odori $1: crash in ${place:-a place that differs from run to run}"
        case $place in
        *dri.so* | *libLLVM* | *llvm::* | *LLVM* | *gallium* | *libEGL* | *libGL* | "") ;;
        *) bad "$* crashes in $place;" ;;
        esac
        ;;
    *) bad "$* ends with exit code $code;" ;;
    esac
}

# ten FIRST STEP RESULT ARGUMENTS...: tries ten sizes, and first without a limit.
ten() {
    size=$1 step=$2 result=$3
    shift 3
    "$odori" "$@" >out 2>err && mv "$result" "whole.$result" || bad "$*"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        limited "$size" "$result" "$@"
        size=$((size + step))
    done
}

# The least size in which the program can be loaded.
least=20
while ! (ulimit -v $((least * 1024)) && exec "$odori" --help) >out 2>&1; do
    least=$((least + 2))
    [ $least -lt 4000 ] || exit 1
done
ten "$least" 12 x.glb convert "$model" x.glb
ten "$least" 4 x.json dump "$model" --frames 0,5 --physics on -o x.json
ten "$least" 60 x.png shot "$model" --frame 0 --size 64x64 -o x.png
# info writes to a pipe, of which nothing but whole lines may be kept.
result=info.txt
"$odori" info "$model" >whole.info.txt
for more in 0 2 4 6 8 10 12 16 20 40; do
    size=$((least + more))
    (ulimit -v $((size * 1024)) && exec "$odori" info "$model") >info.txt 2>err
    code=$?
    said=$(grep '^odori: ' err)
    [ -z "$table" ] || echo "$size MiB: odori info: exit $code $said"
    case $code in
    0) cmp -s info.txt whole.info.txt || grep -q "no memory for the picture" info.txt || bad "info has another result;" ;;
    3 | 4) [ -n "$said" ] || bad "info says nothing;" ;;
    *) bad "info ends with exit code $code;" ;;
    esac
done
finish
