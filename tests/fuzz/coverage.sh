#!/bin/sh
# coverage.sh [TARGET...]: prints how many lines of each reader the seeds and the corpora of the fuzz targets reach,
# and writes the lines that none reaches to build/fuzz-coverage/unreached/TARGET. Corpora are those of run.sh.
# FUZZ_CORPORA: another folder of corpora.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
build=$root/build/fuzz-coverage
corpora=${FUZZ_CORPORA:-$root/build/fuzz/corpora}
cd "$root"
[ -f "$build/build.ninja" ] || cmake --preset fuzz-coverage >&2
cmake --build "$build" --parallel "$(nproc)" --target fuzzers >&2
mkdir -p "$build/profiles" "$build/unreached"

# reader TARGET: the files of the reader that a target is for.
reader() {
    case $1 in
    arguments) echo app/base/options.c app/base/tokenize.c app/base/parse.c app/scene/options.c app/recipe/recipe.c ;;
    commands) echo app/command/*.c app/base/tokenize.c app/base/parse.c ;;
    contents) echo app/recipe/contents_pack.c app/recipe/contents_compare*.c ;;
    exchange) echo engine/exchange/*.c engine/exchange/*/*.c ;;
    exr) echo app/files/exr.c ;;
    glb | gltf) echo engine/exchange/gltf/[!blw]*.c engine/exchange/json.c engine/exchange/read.c ;;
    ids) echo engine/image/ids.c ;;
    image) echo engine/image/bmp.c engine/image/broken.c engine/image/dds.c engine/image/dxt.c engine/image/image.c \
        engine/image/png_read.c engine/image/reduce.c engine/image/stb.c ;;
    keys) echo app/document/bindings.c ;;
    pack) echo engine/archive/*.c ;;
    playlist) echo app/document/playlist.c ;;
    pmd) echo engine/format/pmd_read.c engine/format/model_reader.c ;;
    pmm) echo engine/format/pmm/pmm_[cil]*.c ;;
    pmx) echo engine/format/pmx_read.c engine/format/model_reader.c ;;
    png_text) echo app/files/png_text.c ;;
    provenance) echo app/recipe/provenance_read.c ;;
    ragdoll) echo engine/exchange/ragdoll/read.c engine/exchange/json.c ;;
    settings) echo app/document/preferences.c ;;
    sound) echo app/media/audio_file.c ;;
    suite) echo app/check/suite.c app/check/suite_*.c app/check/json_where.c ;;
    vac | vpd) echo "engine/format/$1_read.c" ;;
    vmd) echo engine/format/vmd_read.c engine/format/vmd_records.c ;;
    x) echo engine/format/x/*.c ;;
    esac
}

# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(ls tests/fuzz/fuzz_*.c | sed '/fuzz_folder\|fuzz_session/d; s/.*fuzz_//; s/\.c$//')
printf '%-12s %8s %8s %8s\n' target lines reached percent
for target in "$@"; do
    profile=$build/profiles/$target
    folders=
    names=$target
    [ "$target" != exchange ] || names="exchange gltf glb ragdoll"
    for name in $names; do
        for folder in "$root/tests/fuzz/corpus/$name" "$corpora/$name"; do
            [ ! -d "$folder" ] || folders="$folders $folder"
        done
    done
    # shellcheck disable=SC2086
    LLVM_PROFILE_FILE=$profile.raw "$build/fuzz_$target" -runs=0 -max_len=65536 $folders >"$profile.log" 2>&1 ||
        echo "$target: stopped, see $profile.log" >&2
    llvm-profdata-14 merge -o "$profile" "$profile.raw"
    # shellcheck disable=SC2046
    llvm-cov-14 show "$build/fuzz_$target" -instr-profile="$profile" $(reader "$target") |
        awk -v root="$root" -v target="$target" -v unreached="$build/unreached/$target" '
            BEGIN { printf "" >unreached }
            /^\/.*:$/ { file = substr($0, length(root) + 2) }
            /^ +[0-9]+\| +[0-9]/ {
                lines++
                split($0, part, "|")
                if (part[2] + 0 > 0) reached++
                else print file (part[1] + 0) ":" substr($0, length(part[1] part[2]) + 3) >unreached
            }
            END { printf "%-12s %8d %8d %7.1f%%\n", target, lines, reached, lines ? 100 * reached / lines : 0 }'
done
