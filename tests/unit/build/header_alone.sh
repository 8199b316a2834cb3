#!/bin/sh
# header_alone.sh c|cpp ROOT[:ROOT...] HEADER: compiles a public header on its own, as C17 or C++17 with all warnings.
set -eu
case $1 in
c) compiler="${CC:-cc} -std=c17 -x c" ;;
cpp) compiler="${CXX:-c++} -std=c++17 -x c++" ;;
esac
roots=$(printf '%s' "$2" | tr ':' '\n')
header=$3
set --
for root in $roots; do
    set -- "$@" -I "$root"
done
printf '#include "%s"\nextern int not_empty;\n' "$header" |
    $compiler -fsyntax-only -Wall -Wextra -Wpedantic -Werror "$@" -
