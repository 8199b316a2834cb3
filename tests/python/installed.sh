#!/bin/sh
# installed.sh CMAKE PYTHON BUILD_FOLDER: installs the Python package and the library below a temporary prefix, moves
# them elsewhere, and uses them there: the package finds the library by its own place, and pytest finds the plug-in.
set -eu
cmake=$1 python=$2 build=$3
for module in numpy cffi pytest; do
    "$python" -c "import $module" 2>/dev/null || {
        echo "skipped: $python has no $module (install python3-$module)"
        exit 77
    }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "failed: $1" >&2
    cat "$folder/log" >&2
    exit 1
}
for component in library python; do
    "$cmake" --install "$build" --prefix "$folder/first" --component "$component" >"$folder/log" 2>&1 ||
        fail "cmake --install --component $component"
done
mv "$folder/first" "$folder/usr"
! grep -rlF -e "$build" -e "$folder" "$folder/usr/lib/python3" >"$folder/log" || fail "files name folders of the build"
export PYTHONPATH="$folder/usr/lib/python3/dist-packages" LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
unset ODORI_LIBRARY LD_LIBRARY_PATH 2>/dev/null || true
cd "$folder"
cat >use.py <<'PY'
import sys, odori, odori._library
picture = odori.shot(sys.argv[1], frame=0, size=(64, 48))
maps = open("/proc/self/maps").read()
print(odori.__file__, picture.shape, picture.std() > 5, sys.argv[2] in maps)
PY
"$python" use.py "$build/dancer/dancer.pmx" "$folder/usr/lib" >out 2>log || fail "the installed package draws nothing"
[ "$(cat out)" = "$PYTHONPATH/odori/__init__.py (48, 64, 4) True True" ] || fail "another package or library: $(cat out)"

"$python" -m pytest -p no:cacheprovider --help >help 2>log || fail "pytest --help"
grep -q -e --odori-accept help || fail "pytest does not load the plug-in"
version=$("$python" -c 'import importlib.metadata, odori; print(importlib.metadata.version("odori"), odori.version())')
[ "${version% *}" = "${version#* }" ] || fail "package and library have the versions $version"

# Without a library there is one sentence that says what to do.
find usr -name 'libodori*' -delete
"$python" use.py "$build/dancer/dancer.pmx" x >out 2>log && ! ldconfig -p | grep -q libodori && fail "draws without a library"
tail -n 1 log | grep -q '^ImportError: odori: the library cannot be loaded .*set ODORI_LIBRARY' ||
    ldconfig -p | grep -q libodori || fail "no clear error"
