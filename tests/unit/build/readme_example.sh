#!/bin/sh
# readme_example.sh SOURCE_FOLDER PROGRAM ODORI SHARED: the example of the
# README is the program that is compiled here, and draws what odori draws (whose
# file also says how it was made).
set -eu
source=$1 program=$2 odori=$3 shared=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed -n '/^```c$/,/^```$/p' "$source/README.md" | sed '1d;$d' >"$folder/readme.c"
cmp "$folder/readme.c" "$source/tests/unit/build/readme_example.c"
[ -d "$shared/data" ] || exit 0
model="$shared/data/models/miku/初音ミク.pmx" motion="$shared/data/motions/kishimen.vmd"
cd "$folder"
"$program" "$model" "$motion"
"$odori" shot "$model" --motion "$motion" --frame 300 -o shot.png
"$odori" diff out.png shot.png >&2
