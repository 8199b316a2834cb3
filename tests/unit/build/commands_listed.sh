#!/bin/sh
# commands_listed.sh DOCUMENT ODORI: checks that the reference of commands has every
# command of the program, and no other.
set -eu
document=$1 odori=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo help | "$odori" shot dancer --exec - --size 8x8 -o "$folder/out.png" 2>&1 | awk '{ print $1 }' | sort >"$folder/program"
sed -n '/^## Commands/,$p' "$document" | awk -F ' [|] ' '/^[|] `/ { print $1 }' | grep -o '`[^`]*`' | tr -d '`' |
    awk '{ print $1 }' | sort -u >"$folder/document"
diff "$folder/program" "$folder/document"
