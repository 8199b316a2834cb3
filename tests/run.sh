#!/bin/sh
# run.sh ARGS...: installs missing packages, then builds and runs all tests: first
# in the release configuration, then under AddressSanitizer and
# UndefinedBehaviorSanitizer. Tests of damaged files (test_*_hostile) run only
# under sanitizers, which detect everything that the release would, and more.
# Tests that sanitizers would only repeat run only in the release (CMakeLists.txt).
# Arguments are passed to ctest (-R cli, -j1). One test more than there are cores
# runs at a time, because tests of windows and of sound mostly wait. Finally lists
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

sh "$root/third_party/install.sh"
cd "$root"
failed=
report=
for preset in release sanitize; do
    folder=build but='-LE damaged'
    [ "$preset" = release ] || folder=build/$preset but=
    if [ ! -f "$folder/build.ninja" ]; then
        cmake --preset "$preset" >&2
    fi
    cmake --build "$folder" --parallel "$jobs" >&2
    echo "== tests, $preset"
    # shellcheck disable=SC2086
    ctest --test-dir "$folder" --output-on-failure --parallel "$((jobs + 1))" $but "$@" || failed="$failed $preset"
    list=$(skipped "$folder")
    report="$report
== skipped, $preset
${list:-  nothing}"
done
echo "$report"
[ -z "$failed" ] || {
    echo "failed:$failed" >&2
    exit 1
}
