# find_package(odori): the targets odori::odori (libodori.so) and odori::static (libodori.a).
include("${CMAKE_CURRENT_LIST_DIR}/odoriTargets.cmake")
