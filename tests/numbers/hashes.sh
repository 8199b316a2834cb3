#!/bin/sh
# hashes.sh FOLDER PROGRAM...: prints what expected.txt lists: hashes of the files of all scenes in the folder (make.sh),
# and the hashes that PROGRAM... ARGUMENTS --hash gives for each scene, with the arguments of scenes.txt.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
shift
for file in *.pmx *.vmd *.wav *.gltf; do
    echo "$file file $(sha256sum "$file" | cut -c 1-32)"
done
grep -v '^#' "$here/scenes.txt" | while read -r scene arguments; do
    # The arguments have no blanks and no patterns.
    # shellcheck disable=SC2086
    output=$("$@" $arguments --hash </dev/null) || exit 1
    printf '%s\n' "$output" | tr -d '\r' | sed -n 's/.*"hash":{"frames":[0-9]*,\(.*\)}}$/\1/p' | tr ',' '\n' |
        sed "s/\"\\(.*\\)\":\"\\(.*\\)\"/$scene \\1 \\2/"
done
