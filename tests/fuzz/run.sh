#!/bin/sh
# run.sh MINUTES [TARGET...]: builds the fuzz targets and runs all of them, or only those named (pmx image), in
# turn, on all cores. Each gets the same part of the time. Corpora are kept in build/fuzz/corpora/TARGET, grow from
# run to run, and start with the seeds in tests/fuzz/corpus. Afterwards each is reduced to the inputs that its
# coverage needs. Prints a table: executions, the seconds of a core that they took, how many there were per such
# second, inputs in the corpus, and branches reached. Ends with 1 if a target stopped at a crash, a leak, or an
# input that took longer than ten seconds; the input is then in build/fuzz/found.
# FUZZ_CORES: processes at a time; FUZZ_BUILD: the build folder, which is then not built again.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
if ! [ "${1:-}" -gt 0 ] 2>/dev/null; then
    sed -n '2,/^set/s/^# //p' "$0" >&2
    exit 2
fi
minutes=$1
shift
cores=${FUZZ_CORES:-$(nproc)}
if [ -z "${FUZZ_BUILD:-}" ]; then
    FUZZ_BUILD=$root/build/fuzz
    cd "$root"
    [ -f "$FUZZ_BUILD/build.ninja" ] || cmake --preset fuzz >&2
    cmake --build "$FUZZ_BUILD" --parallel "$cores" --target fuzzers >&2
fi
build=$(CDPATH='' cd -- "$FUZZ_BUILD" && pwd)
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(cd "$root/tests/fuzz" && ls fuzz_*.c | sed '/^fuzz_folder\|^fuzz_session/d; s/^fuzz_//; s/\.c$//')
seconds=$((minutes * 60 / $#))
[ "$seconds" -gt 0 ] || seconds=1

# limits TARGET: the largest input in bytes. Small ones are several times as fast; the slow targets take large ones.
limits() {
    case $1 in
    commands) echo 768 ;;
    exchange) echo 65536 ;;
    gltf | glb | ragdoll) echo 2048 ;;
    pmx | pmd | pmm | vmd) echo 12288 ;;
    sound | pack) echo 5120 ;;
    *) echo 4096 ;;
    esac
}

# schedule TARGET: entropic scheduling takes most of the time where an input reaches thousands of branches.
schedule() {
    case $1 in
    commands | settings | exchange) echo -entropic=0 ;;
    esac
}

# closed TARGET: which output to close, 1 stdout, 2 stderr: some targets print messages for most inputs.
closed() {
    case $1 in
    arguments | settings) echo 3 ;;
    *) echo 1 ;;
    esac
}

# dictionary TARGET: the option that names its dictionary, if it has one.
dictionary() {
    case $1 in
    glb) set -- gltf ;;
    esac
    [ ! -f "$root/tests/fuzz/$1.dict" ] || echo "-dict=$root/tests/fuzz/$1.dict"
}

# seeds TARGET: its folders of seeds. The slow target of interchange files takes those of the fast ones, too.
seeds() {
    [ "$1" != exchange ] || set -- exchange gltf glb ragdoll
    for name in "$@"; do
        [ ! -d "$root/tests/fuzz/corpus/$name" ] || echo "$root/tests/fuzz/corpus/$name"
    done
}

# executions LOGS: how many there were, how many seconds of a core they took, and how many per such second.
executions() {
    awk '$1 == "stat::number_of_executed_units:" { count += $2 }
        /^[0-9]+m[0-9.]+s [0-9]+m[0-9.]+s$/ { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); busy += 60 * t[1] + t[2] } }
        END { printf "%12d %8d %10d", count, busy, busy ? count / busy : 0 }' "$@"
}

# fuzz TARGET: runs one target on all cores, then reduces its corpus.
fuzz() {
    program=$build/fuzz_$1
    corpus=$build/corpora/$1
    logs=$build/logs/$1
    mkdir -p "$corpus" "$build/found" "$logs"
    rm -f "$logs"/*
    # shellcheck disable=SC2046
    set -- "$1" -max_total_time="$seconds" -max_len="$(limits "$1")" -timeout=10 -reload=10 -print_final_stats=1 \
        -artifact_prefix="$build/found/$1-" -close_fd_mask="$(closed "$1")" $(schedule "$1") $(dictionary "$1") "$corpus" $(seeds "$1")
    target=$1
    shift
    core=0
    while [ "$core" -lt "$cores" ]; do
        ("$program" "$@" || echo "stopped $?"; times) >"$logs/$core" 2>&1 &
        core=$((core + 1))
    done
    wait
    rm -rf "$corpus.reduced"
    mkdir "$corpus.reduced"
    # shellcheck disable=SC2046
    if "$program" -merge=1 -max_len="$(limits "$target")" "$corpus.reduced" "$corpus" $(seeds "$target") \
        >"$logs/merge" 2>&1; then
        rm -rf "$corpus"
        mv "$corpus.reduced" "$corpus"
    fi
    stopped=$(grep -la '^stopped ' "$logs"/[0-9]* | wc -l)
    printf '%-12s %s %8s %9s %s\n' "$target" "$(executions "$logs"/[0-9]*)" "$(ls "$corpus" | wc -l)" \
        "$(sed -n 's/.*cov: \([0-9]*\).*/\1/p' "$logs/0" | tail -1)" "$stopped"
    [ "$stopped" -eq 0 ]
}

failed=0
printf '%-12s %12s %8s %10s %8s %9s %s\n' target executions seconds per-second corpus branches stopped
for target in "$@"; do
    fuzz "$target" || failed=1
done
exit "$failed"
