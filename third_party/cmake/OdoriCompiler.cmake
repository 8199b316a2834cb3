# One interface target with the flags of every target of the project.
# Floating point: no contraction, so that a result does not depend on where
# the compiler could fuse a multiplication with an addition.
add_library(odori_flags INTERFACE)

target_compile_definitions(odori_flags INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(odori_flags INTERFACE
  -ffp-contract=off -fno-math-errno -fno-trapping-math
  -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wpointer-arith -Wwrite-strings -Wvla -Werror
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition>)

if(ODORI_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(odori_flags INTERFACE ${sanitizers})
  target_link_options(odori_flags INTERFACE ${sanitizers})
  # LLVM's linker, where it is installed: some 200 tests with debug information take GNU's three times as long.
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
