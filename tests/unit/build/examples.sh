#!/bin/sh
# examples.sh CMAKE SOURCE_FOLDER BUILD_FOLDER MATHEMATICS: installs the library below a temporary prefix, compiles
# examples/*.c with the command that docs/library.md gives, and checks what they do.
set -eu
cmake=$1 source=$2 build=$3 mathematics=$4
for tool in Xvfb xvfb-run convert; do
    command -v "$tool" >/dev/null || {
        echo "skipped: no $tool"
        exit 77
    }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "failed: $1" >&2
    exit 1
}
for component in library development; do
    "$cmake" --install "$build" --prefix "$folder/usr" --component "$component" >/dev/null
done
lib=$(dirname "$(dirname "$(find "$folder/usr" -name odori.pc)")")
export PKG_CONFIG_PATH="$lib/pkgconfig" LD_LIBRARY_PATH="$lib" LC_ALL=C.UTF-8
cd "$folder"
for file in "$source"/examples/*.c; do
    name=$(basename "$file" .c)
    [ "$(wc -l <"$file")" -le "$([ "$name" = own_scene ] && echo 120 || echo 80)" ] || fail "$name.c is too long"
    gcc -std=c17 -Wall -Wextra -pedantic -Werror "$file" $(pkg-config --cflags --libs odori) $(pkg-config --libs glfw3) \
        -ldl -lm -o "$name" || fail "$name.c does not compile"
done
# Gives the examples' Bullet the functions of odori's, as docs/library.md says, so that physics gives the same numbers.
export LD_PRELOAD="$mathematics"
model=$build/dancer/dancer.pmx motion=$build/dancer/dance.vmd

# A picture is that of odori, and that of another frame is not.
./picture "$model" "$motion" 300 out.png
"$build/odori" shot "$model" --motion "$motion" --frame 300 --ids -o shot.png
"$build/odori" shot "$model" --motion "$motion" --frame 310 -o other.png
[ "$(./compare shot.png out.png)" = equal ] || fail "picture.c draws another picture than odori"
code=0
./compare shot.png other.png 20 >said || code=$?
[ $code = 1 ] || fail "compare.c ends with $code"
grep -q 'in material スカート of おどり' said || fail "compare.c says: $(cat said)"
code=0
./compare shot.png missing.png >said 2>&1 || code=$?
[ $code = 2 ] && grep -q missing.png said || fail "compare.c of a missing file says: $(cat said)"

# Bones are those of a dump, with physics.
./pose "$model" "$motion" >bones.csv
"$build/odori" dump "$model" --motion "$motion" --frames 45 --what bones --physics on |
    sed 's/{"index":/\n&/g' |
    sed -n 's/^{"index":[0-9]*,"name":"\([^"]*\)","world":\[\([^]]*\)\].*/\1,\2/p' |
    awk -F, '{ printf "45,%s,%s,%s,%s\n", $1, $14, $15, $16 }' >dumped.csv
[ "$(wc -l <dumped.csv)" -gt 50 ] || fail "the dump has another form"
grep '^45,' bones.csv | cmp - dumped.csv || fail "pose.c prints other bones than odori dump"

# The cube is before the dancer, and half a turn later behind her; the background stays.
for frame in 0 94; do
    xvfb-run -a ./own_scene "$model" "$motion" --out own-$frame.png $frame || fail "own_scene.c does not run"
    [ -z "${ODORI_KEEP_SCREENSHOTS:-}" ] || cp own-$frame.png "$ODORI_KEEP_SCREENSHOTS"
    [ "$(convert own-$frame.png -format '%[pixel:p{20,20}]' info:)" = "srgb(204,26,26)" ] ||
        fail "the background is $(convert own-$frame.png -format '%[pixel:p{20,20}]' info:)"
done
# The colours of the middle: that of the cube, which is much more blue than red, and that of her clothes.
blue() {
    convert "$1" -crop 20x20+470+340 +repage -resize 1x1! -format '%[fx:p.b-p.r > 0.3]' info:
}
[ "$(blue own-0.png)" = 1 ] || fail "the cube is not before the dancer"
[ "$(blue own-94.png)" = 0 ] || fail "the cube is not behind the dancer"
