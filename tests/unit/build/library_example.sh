#!/bin/sh
# library_example.sh SOURCE_FOLDER PROGRAM ODORI: checks that the example of docs/library.md is examples/picture.c, and
# that it draws what odori draws. odori's picture also stores how it was made, so the files differ.
set -eu
source=$1 program=$2 odori=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed -n '/^```c$/,/^```$/p' "$source/docs/library.md" | sed '/^```$/q' | sed '1d;$d' >"$folder/example.c"
cmp "$folder/example.c" "$source/examples/picture.c"
dancer=$(dirname -- "$odori")/dancer
model=$dancer/dancer.pmx motion=$dancer/dance.vmd
cd "$folder"
"$program" "$model" "$motion" 300 out.png
"$odori" shot "$model" --motion "$motion" --frame 300 -o shot.png
"$odori" diff out.png shot.png >&2
