#!/bin/sh
# run.sh PYTHON SOURCE_FOLDER BUILD_FOLDER LIBRARY PROGRAM TEST MATHEMATICS: runs a file of tests of the Python package
# by pytest, in a temporary folder. Exits with 77 where a package of Debian's is missing.
set -eu
python=$1 source=$2 build=$3 test=$6
export ODORI_LIBRARY="$4" ODORI_PROGRAM="$5" ODORI_BUILD="$build" ODORI_SOURCE="$source"
for module in numpy cffi pytest; do
    "$python" -c "import $module" 2>/dev/null || {
        echo "skipped: $python has no $module (install python3-$module)"
        exit 77
    }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM
export PYTHONPATH="$source/python" PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8
export PYTEST_DISABLE_PLUGIN_AUTOLOAD=1
unset PYTEST_ADDOPTS DISPLAY WAYLAND_DISPLAY 2>/dev/null || true
cd "$folder"
# MATHEMATICS gives Bullet inside of Python the functions of the program's, so that physics gives the same numbers.
LD_PRELOAD="$7" "$python" -m pytest -q -p no:cacheprovider --basetemp "$folder/temporary" --rootdir "$source/tests/python" "$test"
