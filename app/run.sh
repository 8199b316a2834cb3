#!/bin/sh
# run.sh ARGS...: installs missing packages, builds the release configuration,
# libodori.so and the bundled dancer if needed, and runs build/odori ARGS... in the
# caller's directory (without arguments: play). Only the program's output
# goes to stdout; that of the build goes to stderr.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

(
    sh "$root/third_party/install.sh"
    cd "$root"
    [ -f build/build.ninja ] || cmake --preset release
    cmake --build build --target odori odori_shared manual --parallel "$(nproc)"
) >&2 </dev/null

[ $# -gt 0 ] || set -- play
exec "$root/build/odori" "$@"
