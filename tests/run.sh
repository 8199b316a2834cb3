#!/bin/sh
# run.sh ARGS...: installs missing packages, then builds and runs all tests: first
# in the release configuration, then under AddressSanitizer and
# UndefinedBehaviorSanitizer. Tests of damaged files (test_*_hostile) run only
# under sanitizers, which detect everything that the release would, and more.
# Tests that sanitizers would only repeat run only in the release (CMakeLists.txt).
# Arguments are passed to ctest (-R cli, -j1). Two tests more than there are cores
# run at a time, because tests of windows and of sound mostly wait; meanwhile the
# second configuration is built with what processor time they leave. Finally lists
# the skipped tests and the reasons.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
jobs=$(nproc)

# skipped FOLDER: prints "TEST: FUNCTION: WHY" for each test that the last run of ctest in the folder skipped, from
# its log. A cmocka program prints "skipped: WHY" and, if the whole test was skipped, then its name.
skipped() {
    awk '
        function tell() { if (why != "") print test ": " why; why = "" }
        /^[0-9]+\/[0-9]+ Test: / { tell(); test = $3 }
        /^skipped: / { tell(); why = substr($0, 10) }
        /^\[  SKIPPED \] [a-z0-9_]+$/ && why != "" { why = $4 ": " why; tell() }
        /^\[       OK \]/ { tell() }
        END { tell() }' "$1/Testing/Temporary/LastTest.log" | sort | uniq -c |
        sed 's/^ *1 /  /; s/^ *\([0-9][0-9]*\) \(.*\)/  \2 (\1 times)/'
}

# run_tests NAME FOLDER ARGS...: runs the tests in the folder, and notes failures and skipped tests.
run_tests() {
    name=$1 folder=$2
    shift 2
    echo "== tests, $name"
    ctest --test-dir "$folder" --output-on-failure --parallel "$((jobs + 2))" "$@" || failed="$failed $name"
    list=$(skipped "$folder")
    report="$report
== skipped, $name
${list:-  nothing}"
}

sh "$root/third_party/install.sh"
cd "$root"
failed=
report=
log=build/sanitize.log
[ -f build/build.ninja ] || cmake --preset release >&2
[ -f build/sanitize/build.ninja ] || cmake --preset sanitize >&2
cmake --build build --parallel "$jobs" >&2
nice -n 19 ninja -C build/sanitize -j "$jobs" >"$log" 2>&1 &
builder=$!
trap 'kill "$builder" 2>/dev/null || :' EXIT
trap 'exit 130' INT TERM HUP
run_tests release build -LE damaged "$@"
wait "$builder" || {
    cat "$log" >&2
    exit 1
}
trap - EXIT INT TERM HUP
run_tests sanitize build/sanitize "$@"
echo "$report"
[ -z "$failed" ] || {
    echo "failed:$failed" >&2
    exit 1
}
