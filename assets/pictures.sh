#!/bin/sh
# pictures.sh ODORI DANCER_FOLDER: draws the pictures of README.md beside this file: dance.gif, some seconds of the
# bundled dance, and report.png, the report of a comparison. Needs ffmpeg and chromium.
set -eu
odori=$(realpath "$1") dancer=$(realpath "$2")
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# The dance: five seconds at 15 pictures a second, in the colours that they need.
"$odori" render "$dancer/dancer.pmx" --motion "$dancer/dance.vmd" --camera "$dancer/camera.vmd" --frames 760:910:2 \
    --size 640x400 --supersample 2 --self-shadow on --background e9eefb -o dance/%05d.png
ffmpeg -v error -y -framerate 15 -pattern_type glob -i 'dance/*.png' \
    -vf 'split[a][b];[a]palettegen=max_colors=128:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle' \
    -loop 0 "$here/dance.gif"

# The report: a frame before and after the hair's texture was recoloured.
cp -r "$dancer" new
ffmpeg -v error -y -i "$dancer/tex/hair.png" -vf hue=h=-60 new/tex/hair.png
for model in "$dancer" new; do
    "$odori" shot "$model/dancer.pmx" --motion "$dancer/dance.vmd" --camera "$dancer/camera.vmd" --frame 828 \
        --size 640x480 --msaa 4 --ids -o "$(basename "$model").png"
done
"$odori" diff "$(basename "$dancer").png" new.png --report report || true
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,900 --virtual-time-budget=3000 \
    --screenshot="$scratch/page.png" "file://$scratch/report/index.html" 2>/dev/null
ffmpeg -v error -y -i page.png -vf 'split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none' "$here/report.png"
