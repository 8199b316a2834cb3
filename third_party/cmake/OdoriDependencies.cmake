# Every dependency by find_package or pkg-config; third_party/packages.txt
# names the Debian package of each.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenGL REQUIRED COMPONENTS EGL)
find_package(glfw3 3.3 REQUIRED)
pkg_check_modules(cglm REQUIRED IMPORTED_TARGET cglm)
pkg_check_modules(stb REQUIRED IMPORTED_TARGET stb)
pkg_check_modules(libpng REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(jansson REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(libutf8proc REQUIRED IMPORTED_TARGET libutf8proc)
if(ODORI_TESTS OR ODORI_FUZZ)
  pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)
endif()
