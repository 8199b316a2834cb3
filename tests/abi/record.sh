#!/bin/sh
# record.sh: records the ABI of the public headers, with which the test build/abi compares later ones, and the names that
# libodori exports. Record after adding public functions; after changing what there is, only if no release has it, or
# together with a new ODORI_ABI in CMakeLists.txt.
set -eu
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$source/tests/abi/public.sh"
declarations >"$folder/recorded.h"
functions "$folder/headers.c" -I "$source/engine/include" | cut -d' ' -f1 >"$folder/exports.list"
cp "$folder/recorded.h" "$source/tests/abi/recorded.h"
cp "$folder/exports.list" "$source/engine/library/exports.list"
git -C "$source" diff --stat -- tests/abi engine/library 2>/dev/null || :
