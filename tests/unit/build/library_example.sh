#!/bin/sh
# library_example.sh SOURCE_FOLDER PROGRAM ODORI: checks that the first example of docs/library.md is
# examples/picture.c, that it draws what odori draws, and that the second is what tests/render/test_host.c draws with. odori's
# picture also stores how it was made, so the files differ.
set -eu
source=$1 program=$2 odori=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk -v folder="$folder" '/^```$/ { inside = 0 }
    inside { print >(folder "/example" count ".c") }
    /^```c$/ { inside = 1; count++ }' "$source/docs/library.md"
cmp "$folder/example1.c" "$source/examples/picture.c"
cmp "$folder/example2.c" "$source/tests/render/library_host.h"
dancer=$(dirname -- "$odori")/dancer
model=$dancer/dancer.pmx motion=$dancer/dance.vmd
cd "$folder"
"$program" "$model" "$motion" 300 out.png
"$odori" shot "$model" --motion "$motion" --frame 300 -o shot.png
"$odori" diff out.png shot.png >&2
