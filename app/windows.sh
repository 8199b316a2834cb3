#!/bin/sh
# windows.sh: builds odori for Windows on Debian 12: build/windows/odori.exe, and build/windows/odori-VERSION-windows.zip
# with everything that it needs. Installs missing packages, builds the libraries from Debian's source packages
# (third_party/windows/dependencies.sh; once, they are kept in build/windows/deps), and the programs that the build runs
# on this machine. Messages go to stderr; the path of the archive to stdout.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build="$root/build/windows"
jobs=$(nproc)

# pack: writes the archive. Its files have the time of the last commit, so that equal sources make equal archives.
pack() {
    version=$(sed -n 's/^project(odori VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
    archive="$build/odori-$version-windows.zip"
    folder="$build/pack/odori-$version"
    rm -rf "$build/pack" "$archive"
    mkdir -p "$folder/manual" "$folder/licences"
    cp "$build/odori.exe" "$build"/deps/bin/libsndfile.dll "$folder"
    cp -R "$build/dancer" "$folder"
    mkdir -p "$folder/plug-ins/include/mmd" # what a plug-in is compiled and linked with
    cp "$build/libodori.exe.a" "$folder/plug-ins"
    cp engine/include/mmd/*.h "$folder/plug-ins/include/mmd"
    pages
    licences
    if stamp=$(git log -1 --format=%cI 2>/dev/null); then
        find "$folder" -exec touch -d "$stamp" {} +
    fi
    (cd "$build/pack" && find "odori-$version" | LC_ALL=C sort | TZ=UTC zip -q -X -9 "$archive" -@)
    echo "$archive"
}

# pages: writes the manual as pages, whose links name each other. Links to what the archive lacks become plain text.
pages() {
    for source in README.md CHANGELOG.md docs/*.md; do
        [ "$source" != docs/README.md ] || continue # the front page lists the manual too
        page="$folder/manual/$(basename "$source" .md).html"
        title=$(sed -n 's/^# //p' "$source" | head -n 1)
        {
            printf '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>%s</title>\n' "$title"
            printf '<style>body{max-width:50em;margin:2em auto;padding:0 1em;font-family:sans-serif;line-height:1.5}'
            printf 'pre{background:#eee;padding:.6em;overflow:auto}td,th{padding:.2em .6em;text-align:left;'
            printf 'vertical-align:top;border-bottom:1px solid #ccc}</style></head><body>\n'
            cmark-gfm --unsafe -e table -e autolink "$source" |
                sed 's,href="\(docs/\|\.\./\)*\([A-Za-z0-9_-]*\)\.md,href="\2.html,g; s,src="assets/,src="manual/,g
                    s,<a href="\(CONTRIBUTING\.html\|LICENSE\|examples\|[a-z._]*/\)[^"]*">\(\(<code>\)\?[^<]*\(</code>\)\?\)</a>,\2,g'
            printf '</body></html>\n'
        } >"$page"
    done
    cp assets/dance.gif assets/report.png "$folder/manual"
    cp "$folder/manual/README.html" "$folder/README.html"
    sed -i 's,href="\([A-Za-z0-9_-]*\)\.html,href="manual/\1.html,g' "$folder/README.html"
    rm "$folder/manual/README.html"
    find "$folder/manual" -name '*.html' -exec sed -i 's,href="README\.html,href="../README.html,g' {} +
}

# licences: copies those of everything in the archive, and says where the sources are.
licences() {
    cp LICENSE "$folder/LICENSE.txt"
    # In the order in which they are built; only tests use cmocka.
    libraries=$(sed -n '/^library cmocka/d; s/^library \([a-z0-9_]*\) .*/\1/p' third_party/windows/dependencies.sh)
    for name in $libraries; do
        [ -f "$build/deps/stamps/$name" ] || {
            echo "dependencies.sh has not built $name: its version is unknown" >&2
            exit 1
        }
        cp "$build/deps/licences/$name.txt" "$folder/licences"
    done
    for name in GPL-2 GPL-3 LGPL-2 LGPL-2.1 Apache-2.0; do # the others refer to these
        cp "/usr/share/common-licenses/$name" "$folder/licences/$name.txt"
    done
    cp /usr/share/doc/gcc-mingw-w64-base/copyright "$folder/licences/gcc.txt"
    cp /usr/share/doc/mingw-w64-common/copyright "$folder/licences/mingw-w64.txt"
    cp /usr/share/doc/python3-glad/copyright "$folder/licences/glad.txt"
    {
        echo "These libraries were built from Debian's source packages by third_party/windows/dependencies.sh of odori."
        echo "flac, lame, libogg, libsndfile, libvorbis, mpg123 and opus are in libsndfile.dll, which may be replaced by"
        echo "another build; the others are in odori.exe. The sources are at https://snapshot.debian.org."
        echo
        for name in $libraries; do
            echo "$name $(sed -n 2p "$build/deps/stamps/$name")"
        done
    } >"$folder/licences/SOURCES.txt"
    find "$folder" -name '*.txt' -exec sed -i 's/$/\r/' {} +
}

cd "$root"
{
    sh third_party/install.sh "$root/third_party/windows/packages.txt"
    [ -f build/build.ninja ] || cmake --preset release
    cmake --build build --target make_cp932 dancer --parallel "$jobs"
    sh third_party/windows/dependencies.sh "$build"
    [ -f "$build/build.ninja" ] || cmake --preset windows
    cmake --build "$build" --target odori dancer --parallel "$jobs"
} >&2 </dev/null
pack
