# odori_module(NAME HEADERS x.h y.h [USES base motion] [LINKS PkgConfig::png])
#
# Adds an engine module: a static library mmd_NAME of all C sources in engine/NAME
# and its subfolders, except for tools/, which contains separate programs. Files
# include "folder/x.h", or headers of the same folder by name. All public headers
# are in engine/include/mmd/. Each module gets a separate include root with links to
# only its own headers. A file therefore sees the headers of the modules that it
# USES (and that they use) and no others, and an upward include does not compile.
function(odori_module name)
  cmake_parse_arguments(ARG "" "" "HEADERS;USES;LINKS" ${ARGN})
  set(root "${PROJECT_BINARY_DIR}/include/${name}")
  file(REMOVE_RECURSE "${root}")
  file(MAKE_DIRECTORY "${root}/mmd")
  foreach(header ${ARG_HEADERS})
    set(source "${PROJECT_SOURCE_DIR}/engine/include/mmd/${header}")
    if(NOT EXISTS "${source}")
      message(FATAL_ERROR "module ${name}: no header ${source}")
    endif()
    file(CREATE_LINK "${source}" "${root}/mmd/${header}" SYMBOLIC COPY_ON_ERROR)
    set_property(GLOBAL APPEND PROPERTY ODORI_PUBLIC_HEADERS "${header}")
  endforeach()
  set(folder "${CMAKE_CURRENT_SOURCE_DIR}/${name}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/*.c")
  list(FILTER sources EXCLUDE REGEX "^tools/")
  list(TRANSFORM sources PREPEND "${folder}/")
  add_library(mmd_${name} STATIC ${sources})
  target_include_directories(mmd_${name} PUBLIC "${root}"
    PRIVATE "${folder}" "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  list(TRANSFORM ARG_USES PREPEND mmd_)
  target_link_libraries(mmd_${name} PUBLIC ${ARG_USES}
    PRIVATE $<BUILD_INTERFACE:odori_flags> mmd_internal ${ARG_LINKS})
  target_link_libraries(mmd_engine INTERFACE mmd_${name})
endfunction()
