#!/bin/sh
# subdirectory.sh SOURCE_FOLDER: checks that a project which adds odori as a subdirectory, with the CMake lines of
# docs/library.md, configures, finds the headers that its example includes, and has a rule for all that its program is
# linked of. The engine is not compiled again for it: what it is linked with is the same in odori's own build, where
# render/library_example links and runs the example.
set -eu
source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s "$source" "$folder/odori"
cp "$source/examples/picture.c" "$folder/example.c"
awk '/^```cmake$/ { block = ""; inside = 1; next }
    /^```$/ { if (inside && block ~ /add_subdirectory/) printf "%s", block; inside = 0 }
    inside { block = block $0 "\n" }' "$source/docs/library.md" >"$folder/CMakeLists.txt"
cat >>"$folder/CMakeLists.txt" <<'CMAKE'
add_executable(with_shared example.c)
target_link_libraries(with_shared PRIVATE odori::odori)
add_executable(with_static example.c)
target_link_libraries(with_static PRIVATE odori::static)
CMAKE
cmake -S "$folder" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
    -DCMAKE_CXX_FLAGS_DEBUG=-O0 # no debug information, to be quick
ninja -C "$folder/build" CMakeFiles/example.dir/example.c.o CMakeFiles/with_shared.dir/example.c.o
# Ninja's dry run would end at CMake's rule for making build.ninja again.
sed '/^build build[.]ninja/,/^$/d' "$folder/build/build.ninja" >"$folder/build/plan.ninja"
ninja -C "$folder/build" -f plan.ninja -n example with_shared with_static
