# Finds every dependency by find_package or pkg-config. third_party/packages.txt
# lists their Debian packages. GLOBAL is needed because a project that has this one
# as a subdirectory links the engine and with it these libraries.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED GLOBAL)
if(NOT WIN32) # there the engine uses WGL
  find_package(OpenGL REQUIRED GLOBAL COMPONENTS EGL)
endif()
find_package(glfw3 3.3 REQUIRED)
pkg_check_modules(bullet REQUIRED IMPORTED_TARGET GLOBAL bullet)
pkg_check_modules(stb REQUIRED IMPORTED_TARGET GLOBAL stb)
pkg_check_modules(libpng REQUIRED IMPORTED_TARGET GLOBAL libpng)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET GLOBAL zlib)
pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET GLOBAL libdeflate)
# Only the C library of OpenEXR; pkg-config names the C++ libraries too.
pkg_check_modules(openexr REQUIRED OpenEXR>=3.1)
find_library(openexr_core_library NAMES OpenEXRCore OpenEXRCore-3_1 HINTS ${openexr_LIBRARY_DIRS} REQUIRED)
add_library(openexr_core INTERFACE IMPORTED GLOBAL)
target_include_directories(openexr_core SYSTEM INTERFACE ${openexr_INCLUDE_DIRS})
target_link_libraries(openexr_core INTERFACE "${openexr_core_library}")
pkg_check_modules(jansson REQUIRED IMPORTED_TARGET GLOBAL jansson)
pkg_check_modules(libxxhash REQUIRED IMPORTED_TARGET libxxhash)
if(ODORI_ARCHIVES OR ODORI_TESTS OR ODORI_FUZZ) # tests make archives with it
  pkg_check_modules(libarchive REQUIRED IMPORTED_TARGET GLOBAL libarchive)
endif()
pkg_check_modules(sndfile REQUIRED IMPORTED_TARGET sndfile)
pkg_check_modules(imgui REQUIRED IMPORTED_TARGET imgui)
pkg_check_modules(libutf8proc REQUIRED IMPORTED_TARGET GLOBAL libutf8proc)
if(NOT WIN32) # Windows has sound, fonts and dialogs of its own
  pkg_check_modules(openal REQUIRED IMPORTED_TARGET openal)
  pkg_check_modules(fontconfig REQUIRED IMPORTED_TARGET fontconfig)
  pkg_check_modules(dbus REQUIRED IMPORTED_TARGET dbus-1)
  pkg_check_modules(libmd REQUIRED IMPORTED_TARGET libmd)
endif()
if(UNIX AND NOT APPLE) # the part of the mascot's window that takes the mouse
  pkg_check_modules(x11 REQUIRED IMPORTED_TARGET x11 xext)
endif()
if(ODORI_TESTS OR ODORI_FUZZ)
  pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET GLOBAL cmocka)
endif()
