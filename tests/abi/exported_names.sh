#!/bin/sh
# exported_names.sh SOURCE_FOLDER BUILD_FOLDER: checks that libodori.so exports exactly the functions that installed
# headers declare, which are those of engine/library/exports.list, and that libodori.a defines no other global symbol.
set -eu
source=$1 build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$source/tests/abi/public.sh"
list=$source/engine/library/exports.list
failed=0

# complain NAMES SENTENCE: prints the sentence for each name of the file.
complain() {
    [ -s "$1" ] || return 0
    failed=1
    sed "s|\$| $2|" "$1" >&2
}
declarations >/dev/null
functions "$folder/headers.c" -I "$source/engine/include" >"$folder/places"
cut -d' ' -f1 "$folder/places" >"$folder/declared"
nm -D --defined-only "$build/libodori.so" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort >"$folder/shared"
nm -g --defined-only "$build/libodori.a" | awk 'NF == 3 { print $3 }' | LC_ALL=C sort >"$folder/static"
[ "$(wc -l <"$folder/declared")" -gt 100 ] || {
    echo "the compiler lists only $(wc -l <"$folder/declared") functions of the public headers" >&2
    exit 1
}
LC_ALL=C sort -u "$list" | cmp -s - "$list" || {
    echo "engine/library/exports.list is not sorted: LC_ALL=C sort -u" >&2
    failed=1
}

LC_ALL=C sort -u "$list" >"$folder/listed"
comm -23 "$folder/declared" "$folder/listed" >"$folder/missing"
complain "$folder/missing" "is declared in a public header: add this line to engine/library/exports.list, or move it to engine/private"
comm -13 "$folder/declared" "$folder/listed" >"$folder/gone"
complain "$folder/gone" "is in engine/library/exports.list, but no public header declares it: remove the line, or declare it; programs that call it will not start"
for library in shared static; do
    comm -23 "$folder/listed" "$folder/$library" >"$folder/undefined"
    complain "$folder/undefined" "is in engine/library/exports.list, but the $library library does not define it"
    comm -13 "$folder/listed" "$folder/$library" >"$folder/leaked"
    complain "$folder/leaked" "is a global symbol of the $library library, but not in engine/library/exports.list"
done
grep -v '^mmd_' "$folder/shared" >"$folder/foreign" || :
complain "$folder/foreign" "is exported, but its name does not begin with mmd_"
readelf -d "$build/libodori.so" | grep -q 'SONAME.*\[libodori\.so\.[0-9]*\]' || {
    echo "libodori.so has no SONAME" >&2
    failed=1
}
[ "$failed" -eq 0 ] && echo "$(wc -l <"$folder/shared") functions are exported"
exit "$failed"
