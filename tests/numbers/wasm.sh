#!/bin/sh
# wasm.sh SCENES [FOLDER]: builds the engine's core and Bullet for WebAssembly (32 bits, no threads) with Debian's
# emscripten, and writes the hashes of the scenes in the folder SCENES (make.sh) by node to FOLDER/hashes/wasm32.txt
# (build/numbers). Prints the table of all lists there; exit code 1: some hashes are not those of expected.txt.
#
# Bullet, jansson and utf8proc are compiled from Debian's sources, which apt reads by a list of its own in FOLDER: the
# mirrors that are configured, with deb-src. Needs the packages emscripten, nodejs, dpkg-dev and libxxhash-dev.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
scenes=$(cd "$1" && pwd)
folder=${2:-$source/build/numbers}
mkdir -p "$folder/hashes" "$folder/wasm"
folder=$(cd "$folder" && pwd)
cd "$folder/wasm"

# Puts the sources of a Debian package into the folder of its name.
fetch() {
    [ ! -d "$1" ] || return 0
    if [ ! -d apt ]; then
        mkdir -p apt/parts apt/lists/partial apt/cache/archives/partial
        for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
            [ ! -f "$list" ] || sed -n 's/^deb /deb-src /p' "$list" >>apt/parts/sources.list
        done
        for list in /etc/apt/sources.list.d/*.sources; do
            [ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"apt/parts/${list##*/}"
        done
        printf 'Dir::Etc::SourceList "/dev/null";\nDir::Etc::SourceParts "%s/apt/parts";\nDir::State::Lists "%s/apt/lists";\nDir::Cache "%s/apt/cache";\n' \
            "$PWD" "$PWD" "$PWD" >apt/apt.conf
        APT_CONFIG=$PWD/apt/apt.conf apt-get -qq update
    fi
    mkdir -p packages
    (cd packages && APT_CONFIG=../apt/apt.conf apt-get -qq source --download-only "$1" && rm -rf "../$1.new" &&
        dpkg-source --no-check -x "$1"_*.dsc "../$1.new")
    mv "$1.new" "$1"
}
fetch bullet
fetch jansson
fetch utf8proc

# The header that the system's compiler has in /usr/include, without the others there; and OpenGL's types.
mkdir -p include/glad objects
echo '#include <GLES3/gl3.h>' >include/glad/gl.h
cp /usr/include/xxhash.h include
sed 's/@json_inline@/inline/; s/@json_have_long_long@/1/; s/@json_have_localeconv@/0/; s/@json_have_atomic_builtins@/1/; s/@json_have_sync_builtins@/1/' \
    jansson/src/jansson_config.h.in >jansson/src/jansson_config.h
: >jansson/src/jansson_private_config.h
cc -O1 -D_POSIX_C_SOURCE=200809L -I"$source/engine/include" -o make_cp932 "$source/engine/base/tools/make_cp932.c"
./make_cp932 include/cp932_table.h

# Compiles files given as absolute paths, with the flags, into an archive. Objects of dependencies are kept.
compile() {
    library=$1 flags=$2
    shift 2
    mkdir -p "objects/$library"
    rm -f "objects/$library.a"
    # shellcheck disable=SC2016
    printf '%s\n' "$@" | xargs -P "${ODORI_JOBS:-$(nproc)}" -I FILE sh -c '
        object=objects/$1/$(echo "$3" | tr "/" "_").o
        [ "$object" -nt "$3" ] && [ "$1" != engine ] && exit
        emcc $2 -c "$3" -o "$object" || exit 255' sh "$library" "$flags" FILE
    emar rcs "objects/$library.a" objects/"$library"/*.o
}

# The nine functions of Bullet's mathematics are the engine's, as in the program.
renamed=
for name in sinf cosf tanf acosf asinf atan2f expf powf sincosf; do
    renamed="$renamed -D$name=mmd_$name"
done
strict="-O2 -ffp-contract=off -fno-math-errno -Wno-everything"
bullet="$strict $renamed -I$PWD/bullet/src"
compile bullet "$bullet" "$PWD"/bullet/src/bt*All.cpp "$PWD"/bullet/src/BulletSoftBody/*.cpp
compile jansson "$strict -DHAVE_STDINT_H=1 -I$PWD/jansson/src" "$PWD"/jansson/src/*.c
compile utf8proc "$strict -DUTF8PROC_STATIC" "$PWD/utf8proc/utf8proc.c"

roots="-I$source/engine/include -I$source/engine/private -I$source/engine/base/internal -I$source/engine/exchange -I$source/app"
for module in base motion model format pose actor physics physscene exchange view render; do
    roots="$roots -I$source/engine/$module"
done
roots="$roots -I$PWD/include -I$PWD/jansson/src -I$PWD/utf8proc -I$PWD/bullet/src"
# Not the files that need a system, pictures or zlib. Nothing that the scenes need calls them; a call would end the run.
files=$(find "$source"/engine/base "$source"/engine/motion "$source"/engine/model "$source"/engine/format \
    "$source"/engine/pose "$source"/engine/actor "$source"/engine/physics "$source"/engine/physscene \
    "$source"/engine/exchange \( -name '*.c' -o -name '*.cpp' \) ! -path '*/tools/*' ! -path '*/format/x/*' \
    ! -name file_draft.c ! -name 'platform_*' ! -name write_material.c)
# shellcheck disable=SC2086
compile engine "-D_POSIX_C_SOURCE=200809L -DODORI_VERSION=\"\\\"wasm\\\"\" -DUTF8PROC_STATIC -DXXH_INLINE_ALL $strict $roots" $files "$source/engine/view/soft.c" "$source/engine/render/soft.c" \
    "$source/app/base/parse.c" "$source/app/files/digest.c" "$source/app/tools/dump_hash.c"
# -O1, because emscripten's optimiser of JavaScript needs modules that nodejs of another origin than Debian's does not find.
# shellcheck disable=SC2086
emcc -D_POSIX_C_SOURCE=200809L $strict -O1 $roots "$source/tests/numbers/dump_core.c" objects/engine.a objects/bullet.a \
    objects/jansson.a objects/utf8proc.a -o dump_core.js \
    -sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0 -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sWASM_ASYNC_COMPILATION=0 -sALLOW_MEMORY_GROWTH=1

sh "$source/tests/numbers/hashes.sh" "$scenes" node "$PWD/dump_core.js" >"$folder/hashes/wasm32.txt"
sh "$source/tests/numbers/table.sh" "$source/tests/numbers/expected.txt" "$folder"/hashes/*.txt
