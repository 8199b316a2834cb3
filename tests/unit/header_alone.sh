#!/bin/sh
# header_alone.sh c|cpp INCLUDE_ROOT HEADER: compiles a public header alone, as C17 or C++17, strictly.
set -eu
case $1 in
c) compiler="${CC:-cc} -std=c17 -x c" ;;
cpp) compiler="${CXX:-c++} -std=c++17 -x c++" ;;
esac
printf '#include "%s"\nextern int not_empty;\n' "$3" |
    $compiler -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I "$2" -
