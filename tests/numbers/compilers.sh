#!/bin/sh
# compilers.sh [FOLDER]: builds the program with gcc and clang, without optimisation and with -O3, and with the instructions
# of this processor (FMA, AVX), and compares the hashes of all scenes with expected.txt. Prints a table. FOLDER
# (build/numbers) keeps the builds and one list of hashes for each; lists of other platforms there (wasm.sh) are compared
# too. Exit code 1: some hashes are not the same. ODORI_BUILDS: which of the builds (all).
# ODORI_JOBS: compilers that run at once (number of processors).
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$source/build/numbers}
mkdir -p "$folder/hashes"
folder=$(cd "$folder" && pwd)
build() {
    name=$1 cc=$2 cxx=$3 flags=$4
    cmake -S "$source" -B "$folder/$name" -G Ninja -DCMAKE_BUILD_TYPE=None -DODORI_TESTS=ON \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" >"$folder/$name.log"
    cmake --build "$folder/$name" --parallel "${ODORI_JOBS:-$(nproc)}" --target odori dancer make_scenes >>"$folder/$name.log" || {
        tail -n 30 "$folder/$name.log"
        exit 2
    }
    rm -rf "$folder/scenes"
    sh "$source/tests/numbers/make.sh" "$folder/$name/make_scenes" "$folder/$name/dancer" "$folder/scenes"
    for threads in 1 4; do
        sh "$source/tests/numbers/hashes.sh" "$folder/scenes" "$folder/$name/odori" dump --log error --threads $threads \
            >"$folder/hashes/$name-$threads.txt"
    done
}
for name in ${ODORI_BUILDS:-gcc-O0 gcc-O3 gcc-native clang-O0 clang-O3}; do
    case $name in
    gcc-native) build "$name" gcc g++ "-O3 -march=native" ;;
    gcc-*) build "$name" gcc g++ "-${name#gcc-}" ;;
    clang-*) build "$name" clang-14 clang++-14 "-${name#clang-}" ;;
    esac
done
sh "$source/tests/numbers/table.sh" "$source/tests/numbers/expected.txt" "$folder"/hashes/*.txt
