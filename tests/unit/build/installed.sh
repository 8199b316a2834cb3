#!/bin/sh
# installed.sh CMAKE SOURCE_FOLDER BUILD_FOLDER: installs the libraries below a temporary prefix, moves them elsewhere, and
# there compiles a program as users do: with pkg-config, as C and C++, with libodori.a, and by CMake's find_package. Every
# program prints what `odori dump` prints.
set -eu
cmake=$1 source=$2 build=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "failed: $1" >&2
    cat "$folder/log" >&2
    exit 1
}
for component in library development; do
    "$cmake" --install "$build" --prefix "$folder/first" --component "$component" >"$folder/log" 2>&1 ||
        fail "cmake --install --component $component"
done
mv "$folder/first" "$folder/usr"
diff -r "$source/engine/include/mmd" "$folder/usr/include/mmd" >"$folder/log" || fail "the headers are others"
pc=$(find "$folder/usr" -name odori.pc)
lib=$(dirname "$(dirname "$pc")")
for file in "$lib/libodori.so" "$lib/libodori.so.0" "$lib/libodori.a" "$lib/cmake/odori/odoriConfig.cmake"; do
    [ -s "$file" ] || fail "$file is not installed"
done
! grep -rlF -e "$build" -e "$source" -e "$folder" "$lib/pkgconfig" "$lib/cmake" >"$folder/log" ||
    fail "files name folders of the build"

export PKG_CONFIG_PATH="$lib/pkgconfig"
export LC_ALL=C.UTF-8
flags=$(pkg-config --cflags --libs odori)
wanted=$("$build/odori" dump "$build/dancer/dancer.pmx" --motion "$build/dancer/dance.vmd" --frames 300 --what bones)

# prints PROGRAM NAME: runs a program, which has to print the bone as odori does.
prints() {
    LD_LIBRARY_PATH=$lib "$1" "$build/dancer/dancer.pmx" "$build/dancer/dance.vmd" 300 頭 >"$folder/log" 2>&1 ||
        fail "$2: exit code $?"
    bone=$(cat "$folder/log")
    case $wanted in
    *"$bone"*) ;;
    *) fail "$2: odori dump has no such bone" ;;
    esac
    [ "${#bone}" -gt 50 ] || fail "$2: too short"
}
strict="-Wall -Wextra -pedantic -Werror"
cp "$source/tests/unit/build/installed.c" "$folder/example.c"
cd "$folder"
gcc -std=c17 $strict example.c $flags -o shared >log 2>&1 || fail "gcc with pkg-config --libs"
prints ./shared "the shared library"
readelf -d shared | grep -q 'NEEDED.*\[libodori\.so\.0\]' || fail "the program does not need libodori.so.0"
[ "$(readelf -d shared | grep -c NEEDED)" -le 2 ] || fail "the program needs more than libodori and libc"

for header in usr/include/mmd/*.h; do
    echo "#include \"mmd/${header##*/}\""
done >all.cpp
cat example.c >>all.cpp
g++ -std=c++17 $strict all.cpp $flags -o cxx >log 2>&1 || fail "g++ with pkg-config --libs"
prints ./cxx "C++"

gcc -std=c17 $strict example.c $(pkg-config --cflags --static --libs odori | sed 's/-lodori/-l:libodori.a/') -o with_static \
    >log 2>&1 || fail "gcc with pkg-config --static"
prints ./with_static "libodori.a"
! readelf -d with_static | grep -q 'NEEDED.*libodori' || fail "the static program needs libodori.so"

# The lines of docs/library.md, with the shared library and then with the other one.
for target in odori static; do
    mkdir $target
    cp example.c $target
    awk '/^```cmake$/ { block = ""; inside = 1; next }
        /^```$/ { if (inside && block ~ /find_package/) printf "%s", block; inside = 0 }
        inside { block = block $0 "\n" }' "$source/docs/library.md" |
        sed "s/odori::odori/odori::$target/" >$target/CMakeLists.txt
    { "$cmake" -S $target -B $target/build -G Ninja -DCMAKE_PREFIX_PATH="$folder/usr" -DCMAKE_BUILD_TYPE=Release &&
        "$cmake" --build $target/build; } >log 2>&1 || fail "find_package(odori), odori::$target"
    prints $target/build/example "odori::$target"
done
readelf -d odori/build/example | grep -q 'NEEDED.*\[libodori\.so\.0\]' || fail "odori::odori is not libodori.so"
! readelf -d static/build/example | grep -q 'NEEDED.*libodori' || fail "odori::static is libodori.so"
