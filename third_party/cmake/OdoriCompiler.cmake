# An interface target with the compiler flags of every target of the project.
# Results must not depend on the machine. -ffp-contract=off: compilers fuse no multiplication with an addition.
# -fno-fast-math: not even if a project that has this one as a subdirectory asks for it.
add_library(odori_flags INTERFACE)

target_compile_definitions(odori_flags INTERFACE _POSIX_C_SOURCE=200809L)
if(WIN32)
  # printf as in C17 (%zu, digits of floats), which attributes are to check too, offsets of 64 bits, and what Windows 10
  # offers.
  target_compile_definitions(odori_flags INTERFACE
    __USE_MINGW_ANSI_STDIO=1 __printf__=__gnu_printf__ _FILE_OFFSET_BITS=64 _WIN32_WINNT=0x0A00 WIN32_LEAN_AND_MEAN NOMINMAX UNICODE _UNICODE)
endif()
target_compile_options(odori_flags INTERFACE
  -fno-fast-math -ffp-contract=off -fno-math-errno -fno-trapping-math
  -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wpointer-arith -Wwrite-strings -Wvla -Werror
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition>)

# With instructions that fuse (-march=native), gcc 12 fuses in vectors of sums and differences in spite of
# -ffp-contract=off.
include(CheckCSourceCompiles)
check_c_source_compiles("#if !defined(__FMA__) && !defined(__AVX512F__)\n#error\n#endif\nint main(void) { return 0; }"
  ODORI_HAS_FMA)
if(ODORI_HAS_FMA)
  target_compile_options(odori_flags INTERFACE -fno-tree-slp-vectorize)
endif()

# x87, which 32-bit code uses by default, rounds to other digits.
if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(i.86|x86|x86_64|AMD64)$")
  target_compile_options(odori_flags INTERFACE -msse2 -mfpmath=sse)
endif()

if(ODORI_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(odori_flags INTERFACE ${sanitizers})
  target_link_options(odori_flags INTERFACE ${sanitizers})
  # Uses LLVM's linker if it is installed. GNU's takes three times as long for some 200 tests with debug information.
  include(CheckLinkerFlag)
  check_linker_flag(C -fuse-ld=lld ODORI_HAS_LLD)
  if(ODORI_HAS_LLD)
    target_link_options(odori_flags INTERFACE -fuse-ld=lld)
  endif()
endif()
if(ODORI_COVERAGE)
  target_compile_options(odori_flags INTERFACE --coverage)
  target_link_options(odori_flags INTERFACE --coverage)
endif()
if(ODORI_FUZZ)
  target_compile_options(odori_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(odori_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
