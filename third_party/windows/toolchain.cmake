# CMake's toolchain file for Windows: mingw of Debian 12 with POSIX threads, and the libraries that dependencies.sh
# has built into ODORI_WINDOWS_DEPS. Programs are linked statically, so that few DLLs lie beside them.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_CROSSCOMPILING_EMULATOR wine) # ctest runs the tests with it

set(ODORI_WINDOWS_DEPS "${CMAKE_CURRENT_LIST_DIR}/../../build/windows/deps" CACHE PATH
  "Folder deps of third_party/windows/dependencies.sh")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ODORI_WINDOWS_DEPS)
set(CMAKE_FIND_ROOT_PATH "${ODORI_WINDOWS_DEPS}" /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_PREFIX_PATH "${ODORI_WINDOWS_DEPS}")
set(ENV{PKG_CONFIG_LIBDIR} "${ODORI_WINDOWS_DEPS}/lib/pkgconfig")
set(ENV{PKG_CONFIG_PATH} "")

# Without the time of the link, so that equal sources make equal programs.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -Wl,--no-insert-timestamp")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-static -Wl,--no-insert-timestamp")
