#!/bin/sh
# make_exports.sh NM OUT LIBRARY...: writes a module definition file with the functions and tables mmd_* of libraries,
# which a program for Windows exports to its plug-ins. What exports.list is elsewhere.
set -eu
nm=$1 out=$2
shift 2
{
    echo EXPORTS
    "$nm" -g --defined-only "$@" | awk '
        $2 == "T" && $3 ~ /^mmd_/ { print "    " $3 }
        $2 ~ /^[BDR]$/ && $3 ~ /^mmd_/ { print "    " $3 " DATA" }' | LC_ALL=C sort -u
} >"$out.new"
mv "$out.new" "$out"
