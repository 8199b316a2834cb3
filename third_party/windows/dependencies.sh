#!/bin/sh
# dependencies.sh FOLDER: builds the libraries that odori needs on Windows from Debian's source packages, with mingw.
# Headers, libraries and files for pkg-config and CMake lie in FOLDER/deps, licences in FOLDER/deps/licences. Packages
# come from the mirrors that apt uses on this machine, but with lists of their own (FOLDER/apt): neither the machine's
# sources nor its lists are changed. A library is built again if its version or its recipe below has changed; the stamp
# in FOLDER/deps/stamps names both.
#
# Everything is static, except for libsndfile with its decoders, which the LGPL wants to be replaceable.
#
# shellcheck disable=SC2016 # ${prefix} is for pkg-config
set -eu
recipes=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/$(basename -- "$0")
mkdir -p "$1"
work=$(CDPATH='' cd -- "$1" && pwd)
deps=$work/deps
jobs=$(nproc)
host=x86_64-w64-mingw32
export CC="$host-gcc-posix" CXX="$host-g++-posix" AR="$host-ar" RANLIB="$host-ranlib" STRIP="$host-strip"
export CFLAGS='-O2 -ffp-contract=off -D__USE_MINGW_ANSI_STDIO=1' CXXFLAGS='-O2 -ffp-contract=off -D__USE_MINGW_ANSI_STDIO=1'
# Paths of the machine would make the libraries differ from folder to folder.
CFLAGS="$CFLAGS -ffile-prefix-map=$work=." CXXFLAGS="$CXXFLAGS -ffile-prefix-map=$work=."
export PKG_CONFIG_LIBDIR="$deps/lib/pkgconfig" PKG_CONFIG_PATH=

# Sets up apt with the machine's Debian mirrors as sources of source packages.
prepare_apt() {
    apt="$work/apt"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$work/packages"
    # shellcheck disable=SC2016 # the words are apt's
    apt-get indextargets --format '$(SITE) $(RELEASE) $(SIGNED_BY)' 'Created-By: Packages' 'Component: main' |
        awk '$2 ~ /^bookworm/ && !seen[$1 $2]++ {
            print "deb-src" ($3 ~ /^\// ? " [signed-by=" $3 "]" : "") " " $1 " " $2 " main" }' >"$apt/sources.list.new"
    [ -s "$apt/sources.list.new" ] || {
        echo "No mirror of Debian 12 is configured in /etc/apt." >&2
        exit 1
    }
    cat >"$apt/apt.conf" <<EOF
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "$apt/lists";
Dir::Cache "$apt/cache";
APT::Sandbox::User "root";
EOF
    export APT_CONFIG="$apt/apt.conf"
    # The lists are fetched once, and again when the mirrors change or a week has passed.
    if ! cmp -s "$apt/sources.list.new" "$apt/sources.list" || [ -z "$(find "$apt/updated" -mtime -7 2>/dev/null)" ]; then
        mv "$apt/sources.list.new" "$apt/sources.list"
        apt-get update -qq
        touch "$apt/updated"
    fi
}

# versions PACKAGE: prints the versions of a source package that the mirrors list, the newest first.
versions() {
    apt-cache showsrc --only-source "$1" | sed -n 's/^Version: //p' | sort -urV
}

# unpack PACKAGE: fetches the newest source that a mirror really has and unpacks it, with Debian's patches, into
# $work/source/PACKAGE. A version whose files are missing on the mirror (security updates that were replaced) gives way
# to the next one. Sets $version.
unpack() {
    source="$work/source/$1"
    rm -rf "$source"
    mkdir -p "$work/source"
    for version in $(versions "$1"); do
        # A detached signature by the authors is not needed: apt has compared the hashes with Debian's signed lists.
        (cd "$work/packages" && apt-get source -qq --download-only "$1=$version") >"$source.fetched" 2>&1 || :
        file=$(cd "$work/packages" && ls "$1"_"${version#*:}".dsc 2>/dev/null) || continue
        unsigned="$work/packages/$1.unsigned.dsc"
        if without_signatures "$work/packages/$file" >"$unsigned" &&
            dpkg-source --no-check -x "$unsigned" "$source" >/dev/null; then
            return 0
        fi
    done
    cat "$source.fetched" >&2
    echo "No mirror has the source package $1." >&2
    exit 1
}

# without_signatures DSC: prints the description of a source package without detached signatures. Fails if another file
# that it names is missing, or has not the hash that it names.
without_signatures() {
    sed -n '/^Checksums-Sha256:/,/^[^ ]/s/^ \([0-9a-f]*\) [0-9]* \(.*\)$/\1  \2/p' "$1" | grep -v '[.]asc$' |
        (cd "$(dirname -- "$1")" && sha256sum -c --quiet -) >&2 || return 1
    grep -v '^ .*[.]asc$' "$1" | sed -n '/^Format:/,/^-----BEGIN PGP SIGNATURE/{/^-----/d;p}'
}

# compile TARGET.a FLAGS... -- SOURCES...: compiles C and C++ sources in parallel into a static library in deps/lib.
compile() {
    target="$deps/lib/$1" flags=''
    shift
    while [ "$1" != -- ]; do
        flags="$flags '$1'"
        shift
    done
    shift
    rm -rf objects
    mkdir objects
    cat >objects/one.sh <<EOF
case \$1 in
*.c) $CC $CFLAGS $flags -c "\$1" -o "objects/\$(echo "\$1" | tr / _).o" ;;
*) $CXX $CXXFLAGS $flags -c "\$1" -o "objects/\$(echo "\$1" | tr / _).o" ;;
esac
EOF
    printf '%s\n' "$@" | xargs -P "$jobs" -n 1 sh objects/one.sh
    rm -f "$target"
    "$AR" rcs "$target" objects/*.o
}

# with_cmake TARGET OPTIONS...: configures a library that uses CMake in build-windows and builds a target: install, or
# one of the library's own.
with_cmake() {
    target=$1
    shift
    cmake -S . -B build-windows -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_SYSTEM_PROCESSOR=x86_64 -DCMAKE_RC_COMPILER="$host-windres" \
        -DCMAKE_INSTALL_PREFIX="$deps" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_C_FLAGS_RELEASE=-DNDEBUG -DCMAKE_CXX_FLAGS_RELEASE=-DNDEBUG \
        -DCMAKE_FIND_ROOT_PATH="$deps;/usr/$host" -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER \
        -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY \
        -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF "$@"
    ninja -C build-windows -j "$jobs" "$target"
}

# with_configure OPTIONS...: configures, builds and installs a library that uses autoconf.
with_configure() {
    ./configure --host="$host" --prefix="$deps" --disable-shared --enable-static "$@"
    make -j "$jobs" install
}

# describe NAME VERSION LIBS [CFLAGS]: writes the file for pkg-config.
describe() {
    mkdir -p "$deps/lib/pkgconfig"
    cat >"$deps/lib/pkgconfig/$1.pc" <<EOF
prefix=\${pcfiledir}/../..
Name: $1
Description: $1 for Windows
Version: $2
Libs: -L\${prefix}/lib $3
Cflags: -I\${prefix}/include ${4-}
EOF
}

# Recipes. Each runs in the folder of the unpacked source.

build_glfw3() {
    with_cmake install -DGLFW_BUILD_DOCS=OFF -DGLFW_BUILD_EXAMPLES=OFF -DGLFW_BUILD_TESTS=OFF
}

# The functions of single precision are odori's own (engine/base), so that physics does not depend on the C library. They
# are renamed in the objects, because C++ calls them as the compiler's built-in functions, which macros cannot rename.
build_bullet() {
    cd src
    # shellcheck disable=SC2046 # words
    compile libbullet.a -I. -D__CRT__NO_INLINE -- $(find LinearMath BulletCollision BulletDynamics BulletSoftBody -name '*.cpp' | sort)
    for name in sinf cosf tanf acosf asinf atan2f expf powf sincosf; do
        echo "$name mmd_$name"
    done >names
    "$host-objcopy" --redefine-syms=names "$deps/lib/libbullet.a"
    mkdir -p "$deps/include/bullet"
    find . -name '*.h' -exec cp --parents -t "$deps/include/bullet" {} +
    describe bullet "$version" -lbullet '-I${prefix}/include/bullet'
}

# Its format of integers is C's, as that of printf is with __USE_MINGW_ANSI_STDIO.
build_jansson() {
    sed -i "s/I64d/lld/" CMakeLists.txt
    with_cmake install -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF
    describe jansson "$version" -ljansson
}

build_utf8proc() {
    compile libutf8proc.a -DUTF8PROC_STATIC -- utf8proc.c
    cp utf8proc.h "$deps/include"
    describe libutf8proc "$version" -lutf8proc -DUTF8PROC_STATIC
}

# Debian's zlib for mingw, without the import library beside it, which the linker would prefer.
build_zlib() {
    cp "/usr/$host/lib/libz.a" "$deps/lib"
    cp "/usr/$host/include/zlib.h" "/usr/$host/include/zconf.h" "$deps/include"
    describe zlib "$version" -lz
}

build_libpng16() {
    with_cmake install -DPNG_SHARED=OFF -DPNG_TESTS=OFF -DPNG_EXECUTABLES=OFF \
        -DZLIB_ROOT="$deps" -DZLIB_INCLUDE_DIR="$deps/include" -DZLIB_LIBRARY="$deps/lib/libz.a"
    describe libpng "$version" '-lpng16 -lz'
}

build_libdeflate() {
    # shellcheck disable=SC2046 # words
    compile libdeflate.a -I. -- $(find lib -name '*.c' | sort)
    cp libdeflate.h "$deps/include"
    describe libdeflate "$version" -ldeflate
}

build_xxhash() {
    compile libxxhash.a -- xxhash.c
    cp xxhash.h "$deps/include"
    describe libxxhash "$version" -lxxhash
}

build_xz_utils() {
    with_cmake install
}

build_bzip2() {
    compile libbz2.a -- blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c
    cp bzlib.h "$deps/include"
}

build_libzstd() {
    # shellcheck disable=SC2046 # words
    compile libzstd.a -DZSTD_DISABLE_ASM -Ilib -- $(find lib/common lib/compress lib/decompress -name '*.c' | sort)
    cp lib/zstd.h lib/zstd_errors.h "$deps/include"
}

build_libarchive() {
    CFLAGS="$CFLAGS -DLIBARCHIVE_STATIC -DLZMA_API_STATIC"
    with_cmake archive_static -DENABLE_TEST=OFF -DENABLE_TAR=OFF -DENABLE_CPIO=OFF -DENABLE_CAT=OFF \
        -DENABLE_OPENSSL=OFF -DENABLE_LIBXML2=OFF -DENABLE_EXPAT=OFF -DENABLE_LZ4=OFF -DENABLE_ICONV=OFF \
        -DENABLE_NETTLE=OFF -DENABLE_PCREPOSIX=OFF -DENABLE_WERROR=OFF -DENABLE_CNG=ON \
        -DCMAKE_CROSSCOMPILING_EMULATOR=false \
        -DZLIB_INCLUDE_DIR="$deps/include" -DZLIB_LIBRARY="$deps/lib/libz.a"
    cp build-windows/libarchive/libarchive_static.a "$deps/lib/libarchive.a"
    cp libarchive/archive.h libarchive/archive_entry.h "$deps/include"
    describe libarchive "$version" '-larchive -llzma -lbz2 -lzstd -lz -lbcrypt' -DLIBARCHIVE_STATIC
}

build_libstb() {
    for name in stb_image stb_image_write; do
        echo "#define $(echo $name | tr '[:lower:]' '[:upper:]')_IMPLEMENTATION
#include \"$name.h\"" >windows_$name.c
    done
    compile libstb.a -fwrapv -- windows_stb_image.c windows_stb_image_write.c stb_rect_pack_truetype.c
    mkdir -p "$deps/include/stb"
    cp stb*.h "$deps/include/stb"
    describe stb "$version" -lstb '-I${prefix}/include/stb'
}

# As Debian's Makefile for imgui, with the backends that odori uses.
build_imgui() {
    compile libimgui.a -I. "-I$deps/include" -DIMGUI_DISABLE_STB_RECT_PACK_IMPLEMENTATION \
        '-DIMGUI_STB_RECT_PACK_FILENAME=<stb/stb_rect_pack.h>' -DIMGUI_DISABLE_STB_TRUETYPE_IMPLEMENTATION \
        '-DIMGUI_STB_TRUETYPE_FILENAME=<stb/stb_truetype.h>' -- \
        imgui.cpp imgui_demo.cpp imgui_draw.cpp imgui_tables.cpp imgui_widgets.cpp misc/cpp/imgui_stdlib.cpp \
        backends/imgui_impl_glfw.cpp backends/imgui_impl_opengl3.cpp
    mkdir -p "$deps/include/imgui/backends"
    cp ./*.h misc/cpp/imgui_stdlib.h "$deps/include/imgui"
    cp backends/imgui_impl_glfw.h backends/imgui_impl_opengl3.h "$deps/include/imgui/backends"
    describe imgui "$version" '-limgui -lstb -lopengl32 -lgdi32 -limm32 -ldwmapi' \
        '-I${prefix}/include/imgui -I${prefix}/include/stb'
}

build_imath() {
    with_cmake install -DIMATH_INSTALL_PKG_CONFIG=OFF
}

# Only the C library, OpenEXRCore.
build_openexr() {
    with_cmake OpenEXRCore -DOPENEXR_INSTALL_TOOLS=OFF -DOPENEXR_BUILD_TOOLS=OFF -DOPENEXR_INSTALL_EXAMPLES=OFF \
        -DZLIB_INCLUDE_DIR="$deps/include" -DZLIB_LIBRARY="$deps/lib/libz.a"
    mkdir -p "$deps/include/OpenEXR"
    cp src/lib/OpenEXRCore/openexr*.h build-windows/cmake/*Config.h "$deps/include/OpenEXR"
    cp "$(find build-windows -name 'libOpenEXRCore*.a')" "$deps/lib/libOpenEXRCore.a"
    describe OpenEXR "$version" '-lOpenEXRCore -lz' '-I${prefix}/include/OpenEXR'
}

build_libogg() {
    with_cmake install -DINSTALL_DOCS=OFF
}

build_libvorbis() {
    with_cmake install
}

build_flac() {
    with_cmake install -DBUILD_CXXLIBS=OFF -DBUILD_PROGRAMS=OFF -DBUILD_EXAMPLES=OFF -DBUILD_DOCS=OFF -DINSTALL_MANPAGES=OFF \
        -DWITH_STACK_PROTECTOR=OFF
}

build_opus() {
    with_configure --disable-doc --disable-extra-programs --disable-stack-protector
}

build_mpg123() {
    with_configure --enable-int-quality --with-default-audio=dummy --disable-components --enable-libmpg123
}

build_lame() {
    with_configure --disable-frontend --disable-decoder --disable-gtktest
}

build_libsndfile() {
    CFLAGS="$CFLAGS -DFLAC__NO_DLL"
    with_cmake install -DBUILD_SHARED_LIBS=ON -DBUILD_PROGRAMS=OFF -DBUILD_EXAMPLES=OFF -DENABLE_CPACK=OFF \
        -DENABLE_PACKAGE_CONFIG=OFF -DINSTALL_MANPAGES=OFF -DENABLE_EXTERNAL_LIBS=ON -DENABLE_MPEG=ON \
        -DCMAKE_SHARED_LINKER_FLAGS='-static -Wl,--no-insert-timestamp' -DCMAKE_C_STANDARD_LIBRARIES="-lshlwapi -lssp"
    "$STRIP" "$deps"/bin/libsndfile.dll
    describe sndfile "$version" -lsndfile
}

build_cmocka() {
    with_cmake cmocka-static -DWITH_STATIC_LIB=ON -DWITH_EXAMPLES=OFF -DUNIT_TESTING=OFF
    cp build-windows/src/libcmocka-static.a "$deps/lib/libcmocka.a"
    cp include/cmocka*.h "$deps/include"
    describe cmocka "$version" -lcmocka
}

# library NAME PACKAGE [LICENCE...]: builds a library unless it is there. A package that begins with = is a binary
# package of this machine.
library() {
    name=$1 package=$2
    recipe=$(sed -n "/^build_$name() {/,/^}/p; /^export C/p; /^CFLAGS/p; /^with_/,/^}/p; /^compile/,/^}/p" "$recipes" |
        sha256sum | cut -c 1-16)
    case $package in
    =*) newest=$(dpkg-query -W -f '${Version}' "${package#=}") ;;
    *) newest=$(versions "$package" | head -n 1) ;;
    esac
    stamp="$deps/stamps/$name"
    [ "$(sed -n 1p "$stamp" 2>/dev/null)" != "$newest $recipe" ] || return 0
    echo "== $name $newest"
    started=$(date +%s)
    case $package in
    =*)
        version=$newest
        source="$work/source/$name"
        rm -rf "$source"
        mkdir -p "$source/debian"
        cp "/usr/share/doc/${package#=}/copyright" "$source/debian"
        ;;
    *) unpack "$package" ;;
    esac
    full=$version
    version=$(echo "$full" | sed 's/^[0-9]*://; s/-[^-]*$//; s/[+~].*//')
    mkdir -p "$deps/include" "$deps/lib" "$deps/bin" "$deps/licences" "$deps/stamps"
    # In the background, because a command before || would not stop at errors.
    (
        cd "$source"
        "build_$name"
    ) >"$work/source/$name.log" 2>&1 </dev/null &
    wait "$!" || {
        tail -n 40 "$work/source/$name.log" >&2
        echo "Could not build $name for Windows; all messages: $work/source/$name.log" >&2
        exit 1
    }
    cp "$source/debian/copyright" "$deps/licences/$name.txt"
    rm -rf "$source"
    printf '%s\n%s\n%s seconds\n' "$newest $recipe" "$full" "$(($(date +%s) - started))" >"$stamp"
}

prepare_apt
library zlib =libz-mingw-w64-dev
library jansson jansson
library utf8proc utf8proc
library libpng16 libpng1.6
library libdeflate libdeflate
library xxhash xxhash
library libstb libstb
library xz_utils xz-utils
library bzip2 bzip2
library libzstd libzstd
library libarchive libarchive
library bullet bullet
library cmocka cmocka
library imath imath
library openexr openexr
library glfw3 glfw3
library imgui imgui
library libogg libogg
library libvorbis libvorbis
library flac flac
library opus opus
library mpg123 mpg123
library lame lame
library libsndfile libsndfile
