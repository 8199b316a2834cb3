#!/bin/sh
# subdirectory.sh SOURCE_FOLDER: checks that a project which adds odori as a subdirectory, with the CMake lines of
# docs/library.md, configures and builds its example.
set -eu
source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s "$source" "$folder/odori"
cp "$source/tests/unit/build/library_example.c" "$folder/example.c"
sed -n '/^```cmake$/,/^```$/p' "$source/docs/library.md" | sed '1d;$d' >"$folder/CMakeLists.txt"
cmake -S "$folder" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
    -DCMAKE_CXX_FLAGS_DEBUG=-O0 # no debug information, to be quick
cmake --build "$folder/build" --target example
status=0
"$folder/build/example" || status=$?
[ "$status" -eq 2 ] # without arguments it fails with its usage
