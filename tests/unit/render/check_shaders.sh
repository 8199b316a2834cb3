#!/bin/sh
# check_shaders.sh SHADERS: compiles every shader in a folder with glslangValidator, assembled as the engine
# does (engine/gpu/program.c): #version, defines, the parts named by its "uses:" comments, the rest. Each shader
# is compiled without defines, with each of its defines alone, and with all of them.
set -u
folder=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
checked=0
failed=0

check() { # FILE DEFINE...
    file=$1
    shift
    name=$(basename "$file")
    out="$scratch/shader.${name##*.}"
    {
        head -n 1 "$file"
        for define in "$@"; do
            echo "#define $define 1"
        done
        for part in $(sed -n 's|^// uses: ||p' "$file"); do
            echo '#line 1 1'
            cat "$folder/$part"
        done
        echo '#line 2 0'
        tail -n +2 "$file"
    } > "$out"
    checked=$((checked + 1))
    if ! message=$(glslangValidator "$out"); then
        failed=$((failed + 1))
        printf '%s with defines [%s]:\n%s\n' "$name" "$*" "$message"
    fi
}

for file in "$folder"/*.vert "$folder"/*.geom "$folder"/*.frag; do
    case $(head -n 1 "$file") in
    '#version 330 core') ;;
    *)
        echo "$file: the first line is not #version 330 core"
        exit 1
        ;;
    esac
    # The names in #ifdef and defined(), also of its parts. Names with a default value in the file are not features.
    parts=$(sed -n "s|^// uses: |$folder/|p" "$file")
    # shellcheck disable=SC2086
    defines=$(grep -ohE '#ifdef [A-Z_]+|defined\([A-Z_]+\)' "$file" $parts | grep -oE '[A-Z_]{3,}' | sort -u)
    check "$file"
    for define in $defines; do
        check "$file" "$define"
    done
    # shellcheck disable=SC2086
    [ -n "$defines" ] && check "$file" $defines
done
for part in "$folder"/*.glsl; do
    if ! grep -qs "^// uses: $(basename "$part")" "$folder"/*.vert "$folder"/*.geom "$folder"/*.frag; then
        echo "$part: no shader uses it"
        failed=$((failed + 1))
    fi
done
echo "$checked shaders checked, $failed failed"
[ "$failed" -eq 0 ] && [ "$checked" -gt 0 ]
