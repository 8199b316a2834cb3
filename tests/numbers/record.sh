#!/bin/sh
# record.sh BUILD: writes expected.txt anew, with the program of a build folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sh "$here/make.sh" "$build/make_scenes" "$build/dancer" "$folder/scenes"
sh "$here/hashes.sh" "$folder/scenes" "$build/odori" dump --log error >"$folder/hashes"
{
    echo "# Hashes of the files of scenes, and of the parts of scenes.txt (hashes.sh). Written by record.sh."
    cat "$folder/hashes"
} >"$here/expected.txt"
