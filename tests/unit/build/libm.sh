#!/bin/sh
# libm.sh BUILD_FOLDER: checks that no object of the engine's modules, of the program's rooms, of the dancer's generator
# and of the models that tests make calls a function of the C library's mathematics whose result C does not fix to the bit:
# mmd/elementary.h has them. Room ui may, because its numbers are only shown in the window.
set -eu
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
exact='(sqrt|fabs|floor|ceil|trunc|l?l?round|l?l?rint|nearbyint|fmod|remainder|remquo|ldexp|frexp|modf|scalbl?n|ilogb|logb|copysign|nextafter|fma|finite|isinf|isnan)[fl]?'
nm -D --defined-only "$("${CC:-cc}" -print-file-name=libm.so.6)" | sed 's/.* //; s/@.*//' | LC_ALL=C sort -u |
    grep -vxE "$exact" >"$folder/inexact"
for name in sinf powf fmax exp; do
    grep -qx "$name" "$folder/inexact" || {
        echo "the C library's list of functions lacks $name" >&2
        exit 1
    }
done
set -- "$build"/engine/libmmd_*.a "$build"/app/libroom_*.a "$build/assets/libdancer_parts.a" "$build/tests/libtest_support.a"
[ $# -gt 20 ] || {
    echo "$build has only $# modules and rooms" >&2
    exit 1
}
for archive; do
    case $archive in
    */libroom_ui.a) continue ;;
    */libtest_support.a) members='figure_|every_joint|hair_model|long_dance' ;;
    *) members= ;;
    esac
    nm -A --undefined-only "$archive" | grep -E "^[^:]*:($members)" | sed 's/^[^:]*\///; s/ *[Uw] / /'
done | awk 'NR == FNR { inexact[$1] = 1; next } $2 in inexact { print $1 " calls the C library'\''s " $2 "; use mmd/elementary.h" }' \
    "$folder/inexact" - >"$folder/found"
cat "$folder/found" >&2
[ ! -s "$folder/found" ]
