# odori_room(NAME [USES base scene] [LINKS PkgConfig::png] [SOURCES generated.h])
#
# A room of the program: static library room_NAME of all sources in app/NAME
# and its subfolders.
# Its headers are included as "NAME/x.h", through an include root of its own
# that holds nothing but this room, so that a file sees the rooms that its own
# USES (and those that they use) and no others: an upward include does not
# compile. Within a folder headers are included by their names alone.
function(odori_room name)
  cmake_parse_arguments(ARG "" "" "USES;LINKS;SOURCES" ${ARGN})
  set(root "${PROJECT_BINARY_DIR}/rooms/${name}")
  file(MAKE_DIRECTORY "${root}")
  file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/${name}" "${root}/${name}" SYMBOLIC)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.c" "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  add_library(room_${name} STATIC ${sources} ${ARG_SOURCES})
  target_include_directories(room_${name} PUBLIC "${root}" PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
  # XOPEN: realpath, readlink, open_memstream.
  target_compile_definitions(room_${name} PRIVATE ODORI_VERSION="${PROJECT_VERSION}" $<$<COMPILE_LANGUAGE:C>:_XOPEN_SOURCE=700>)
  list(TRANSFORM ARG_USES PREPEND room_)
  target_link_libraries(room_${name} PUBLIC mmd::engine ${ARG_USES} PRIVATE odori_flags ${ARG_LINKS} m)
endfunction()
