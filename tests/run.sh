#!/bin/sh
# run.sh ARGS...: installs what is missing, builds and runs all tests: those of
# the release configuration, then those under AddressSanitizer and
# UndefinedBehaviorSanitizer. Arguments go to ctest (-R cli, -j1). One test more
# than there are cores runs at a time: those of windows and of sound mostly wait.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
jobs=$(nproc)

sh "$root/third_party/install.sh"
cd "$root"
failed=
for preset in release sanitize; do
    folder=build
    [ "$preset" = release ] || folder=build/$preset
    if [ ! -f "$folder/build.ninja" ]; then
        cmake --preset "$preset" >&2
    fi
    cmake --build "$folder" --parallel "$jobs" >&2
    echo "== tests, $preset"
    ctest --test-dir "$folder" --output-on-failure --parallel "$((jobs + 1))" "$@" || failed="$failed $preset"
done
[ -z "$failed" ] || {
    echo "failed:$failed" >&2
    exit 1
}
