#!/bin/sh
# options.sh SOURCE_FOLDER: checks that programs can fill every struct of options so that it may get fields later. For
# each struct mmd_NAME_options, _limits, _input, _desc and _host of the public headers there must be mmd_default_NAME_…, or
# the comment on it must say that it may be zeroed; and docs/library.md, Compatibility, must list it.
set -eu
cd "$1"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed -n '/^## Compatibility$/,/^## Headers$/p' docs/library.md >"$folder/section"

# Prints the name of each struct, and whether its comment allows zeros.
awk '
    /^\/\*/ { comment = "" }
    /^\/\*/, /\*\// { comment = comment " " $0 }
    /^$/ { comment = "" }
    /^typedef struct mmd_[a-z0-9_]*_?(options|limits|input|desc|host) \{/ {
        print $3, comment ~ /Zeroed is valid|Zero it/ ? "zero" : "-"
    }
' engine/include/mmd/*.h >"$folder/structs"

failed=0
while read -r name zero; do
    default=mmd_default_${name#mmd_}
    if [ "$zero" = - ] && ! grep -q "^$name $default(void);" engine/include/mmd/*.h; then
        echo "$name: there is no $default(), and its comment does not say \"Zeroed is valid\"" >&2
        failed=1
    fi
    if ! grep -q "$name\`\|$default" "$folder/section"; then
        echo "$name: docs/library.md, Compatibility, does not list it" >&2
        failed=1
    fi
done <"$folder/structs"
[ "$(wc -l <"$folder/structs")" -ge 8 ] || {
    echo "only $(wc -l <"$folder/structs") structs were found; the pattern of this script is out of date" >&2
    failed=1
}
exit $failed
