#!/bin/sh
# make.sh MAKE_SCENES DANCER FOLDER: puts the files of all scenes into a folder: what the program make_scenes writes, the
# bundled dancer, her motions and her music from the folder DANCER, and the scenes of tests/scenes.
set -eu
maker=$1 dancer=$2 folder=$3
mkdir -p "$folder"
"$maker" "$folder"
cp "$dancer/dancer.pmx" "$dancer/dancer21.pmx" "$dancer/dance.vmd" "$dancer/camera.vmd" "$dancer/music.wav" \
    "$(dirname "$0")"/../scenes/*.gltf "$folder"
