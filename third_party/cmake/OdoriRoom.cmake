# odori_room(NAME [USES base scene] [LINKS PkgConfig::png] [SOURCES generated.h])
#
# Adds a room of the program: a static library room_NAME of all sources in app/NAME
# and its subfolders. Other rooms include its headers as "NAME/x.h", through a
# separate include root that contains only this room. A file therefore sees the
# rooms that its own room USES (and that they use) and no others, and an upward
# include does not compile. Headers of the same folder are included by name.
# With sanitizers, rooms without loops over pixels or samples are not optimised: clang
# takes three times as long to optimise them as to compile them.
function(odori_room name)
  cmake_parse_arguments(ARG "" "" "USES;LINKS;SOURCES" ${ARGN})
  set(root "${PROJECT_BINARY_DIR}/rooms/${name}")
  file(MAKE_DIRECTORY "${root}")
  file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/${name}" "${root}/${name}" SYMBOLIC)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.c" "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  odori_platform_sources(sources)
  add_library(room_${name} STATIC ${sources} ${ARG_SOURCES})
  target_include_directories(room_${name} PUBLIC "${root}" PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
  # _XOPEN_SOURCE declares realpath, readlink and open_memstream.
  target_compile_definitions(room_${name} PRIVATE ODORI_VERSION="${PROJECT_VERSION}" $<$<COMPILE_LANGUAGE:C>:_XOPEN_SOURCE=700>)
  if(ODORI_SANITIZE AND NOT ODORI_FUZZ AND NOT name MATCHES "^(files|media|recipe)$")
    target_compile_options(room_${name} PRIVATE -O0)
  endif()
  list(TRANSFORM ARG_USES PREPEND room_)
  target_link_libraries(room_${name} PUBLIC mmd::engine mmd::private ${ARG_USES} PRIVATE odori_flags ${ARG_LINKS} m)
endfunction()
