#!/bin/sh
# compare.sh MAKE_SCENES DANCER PROGRAM...: makes the scenes, and compares their hashes by PROGRAM... with expected.txt.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
maker=$1 dancer=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sh "$here/make.sh" "$maker" "$dancer" "$folder/scenes"
sh "$here/hashes.sh" "$folder/scenes" "$@" >"$folder/hashes"
grep -v '^#' "$here/expected.txt" | diff - "$folder/hashes" || {
    echo "the numbers are not those of tests/numbers/expected.txt (< expected, > here)"
    exit 1
}
