#!/bin/sh
# readme.sh ODORI DANCER_FOLDER: draws the README's picture, readme.png beside
# this file: three moments of the bundled dance. Needs ImageMagick.
set -eu
odori=$1 dancer=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# moment NAME WIDTH FRAME CAMERA: distance, target, rotation, field of view.
moment() {
    echo "camera.set $4" >"$scratch/camera"
    "$odori" shot "$dancer/dancer.pmx" --motion "$dancer/dance.vmd" --frame "$3" --size "$2"x1080 \
        --exec "$scratch/camera" --background eef1fb --msaa 4 -o "$scratch/$1.png"
}
moment 1 560 1150 "-41 0.7 10.6 0 0 0.3 0 32"
moment 2 780 828 "-17.5 -0.5 16.2 0 0 0.1 0 30"
moment 3 580 899 "-41 0.1 10.6 0 0 -0.6 0 32"
convert "$scratch/1.png" "$scratch/2.png" "$scratch/3.png" +append -resize 50% -strip "$here/readme.png"
