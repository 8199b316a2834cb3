#!/bin/sh
# abi.sh SOURCE_FOLDER: compares the ABI of the public headers with the recorded one, by abidiff. New functions are
# compatible; everything else that differs is listed. Exits with 77 without abidiff (package abigail-tools).
set -eu
source=$1
command -v abidiff >/dev/null 2>&1 || {
    echo "skipped: abidiff is not installed (package abigail-tools)"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$source/tests/abi/public.sh"
declarations >"$folder/current.h"
probe "$source/tests/abi/recorded.h" "$folder/recorded.so"
probe "$folder/current.h" "$folder/current.so"
abidiff --no-added-syms "$folder/recorded.so" "$folder/current.so" >"$folder/report" && code=0 || code=$?
[ "$code" -eq 0 ] || {
    sed "s/pointer_to_mmd_/mmd_/g; s|$folder/||g" "$folder/report" >&2
    cat >&2 <<'TEXT'

The ABI differs from the recorded one: programs that were compiled before may not work with this library. Take the
change back, or, if it is wanted, record it: sh tests/abi/record.sh. If a release has the recorded ABI, raise the number
ODORI_ABI in CMakeLists.txt, too.
TEXT
    exit 1
}
echo "compatible with the recorded ABI ($(grep -c 'pointer_to_' "$folder/probe.c") functions)"
