# What the scripts of this folder share. They are given the source folder, $source, and a folder for files, $folder.

# Prints the declarations of all public headers as one C file without comments and macros.
declarations() {
    for header in "$source"/engine/include/mmd/*.h; do
        echo "#include \"mmd/${header##*/}\""
    done >"$folder/headers.c"
    echo '#include <stdarg.h>'
    echo '#include <stddef.h>'
    echo '#include <stdint.h>'
    cc -std=c17 -E -I "$source/engine/include" "$folder/headers.c" |
        awk '/^# [0-9]/ { public = index($3, "/engine/include/mmd/") > 0; next } public && NF'
}

# functions FILE.c [ARGUMENT...]: prints "NAME PLACE" for each function that the file or a header of engine/include
# declares, sorted by name.
functions() {
    cc -std=c17 -fsyntax-only -aux-info "$folder/prototypes" "$@"
    awk '/^\/\* / && !/ static / && match($0, /[ *]mmd_[a-z0-9_]+ \(/) {
        place = $2
        sub(/:[0-9]+:.*/, "", place)
        print substr($0, RSTART + 1, RLENGTH - 3), place
    }' "$folder/prototypes" | LC_ALL=C sort -u
}

# probe FILE.h OUT.so [ARGUMENT...]: compiles the declarations to a library with a variable for each function, whose type
# is that of a pointer to it. Its debug information describes the whole ABI, and takes less than a second.
probe() {
    declared=$1 library=$2
    shift 2
    {
        echo "#include \"$declared\""
        functions -x c "$declared" "$@" | cut -d' ' -f1 |
            sed 's/.*/extern __typeof__(\&&) const pointer_to_&; __typeof__(\&&) const pointer_to_& = 0;/'
    } >"$folder/probe.c"
    cc -std=c17 -g -O0 -fPIC -shared -o "$library" "$folder/probe.c" "$@"
}
