# Every dependency by find_package or pkg-config; third_party/packages.txt
# names the Debian package of each. GLOBAL: a project that has this one as a
# subdirectory links the engine, and so these.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED GLOBAL)
find_package(OpenGL REQUIRED GLOBAL COMPONENTS EGL)
find_package(glfw3 3.3 REQUIRED)
pkg_check_modules(cglm REQUIRED IMPORTED_TARGET GLOBAL cglm)
pkg_check_modules(bullet REQUIRED IMPORTED_TARGET GLOBAL bullet)
pkg_check_modules(stb REQUIRED IMPORTED_TARGET GLOBAL stb)
pkg_check_modules(libpng REQUIRED IMPORTED_TARGET GLOBAL libpng)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET GLOBAL zlib)
pkg_check_modules(jansson REQUIRED IMPORTED_TARGET GLOBAL jansson)
pkg_check_modules(libxxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(libutf8proc REQUIRED IMPORTED_TARGET GLOBAL libutf8proc)
if(ODORI_TESTS OR ODORI_FUZZ)
  pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET GLOBAL cmocka)
endif()
