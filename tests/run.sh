#!/bin/sh
# run.sh ARGS...: installs what is missing, builds and runs all tests: those of
# the release configuration, then those under AddressSanitizer and
# UndefinedBehaviorSanitizer. Damaged files (test_*_hostile) are read under
# sanitizers alone, which say all that the release would, and more; what
# sanitizers would only repeat runs in the release alone (CMakeLists.txt).
# Arguments go to ctest (-R cli, -j1). One test more than there are cores runs
# at a time: those of windows and of sound mostly wait. In the end it lists what
# was skipped, and why.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
jobs=$(nproc)

# skipped FOLDER: "TEST: FUNCTION: WHY" of what the last run of ctest there skipped, from its log. A cmocka program
# says "skipped: WHY", and then, if that was a whole test, which one.
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
    folder=build but='-LE hostile'
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
