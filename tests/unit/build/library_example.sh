#!/bin/sh
# library_example.sh SOURCE_FOLDER PROGRAM ODORI: checks that docs/library.md shows the programs of examples, and what
# tests/render/test_host.c draws with, as they are; and that the program, which is examples/picture.c, draws what odori
# draws. odori's picture also stores how it was made, so the files differ.
set -eu
source=$1 program=$2 odori=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk -v folder="$folder" '/^```$/ { inside = 0 }
    inside { print >(folder "/shown" count ".c") }
    /^```c$/ { inside = 1; count++ }' "$source/docs/library.md"
for file in "$source"/examples/*.c "$source/tests/render/library_host.h"; do
    found=
    for shown in "$folder"/shown*.c; do
        ! cmp -s "$shown" "$file" || found=$shown
    done
    [ "$found" ] || {
        echo "docs/library.md does not show ${file#"$source"/} as it is" >&2
        exit 1
    }
    rm "$found"
done
[ -z "$(ls "$folder")" ] || {
    echo "docs/library.md shows a program that is no example: $(head -n 1 "$folder"/*)" >&2
    exit 1
}
dancer=$(dirname -- "$odori")/dancer
model=$dancer/dancer.pmx motion=$dancer/dance.vmd
cd "$folder"
"$program" "$model" "$motion" 300 out.png
"$odori" shot "$model" --motion "$motion" --frame 300 -o shot.png
"$odori" diff out.png shot.png >&2
