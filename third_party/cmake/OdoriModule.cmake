# Makes the include root of a module with links to its headers of engine/FOLDER/mmd.
function(odori_include_root name folder headers)
  set(root "${PROJECT_BINARY_DIR}/${folder}/${name}")
  file(REMOVE_RECURSE "${root}")
  file(MAKE_DIRECTORY "${root}/mmd")
  foreach(header ${headers})
    set(source "${PROJECT_SOURCE_DIR}/engine/${folder}/mmd/${header}")
    if(NOT EXISTS "${source}")
      message(FATAL_ERROR "module ${name}: no header ${source}")
    endif()
    file(CREATE_LINK "${source}" "${root}/mmd/${header}" SYMBOLIC COPY_ON_ERROR)
  endforeach()
endfunction()

# odori_module(NAME HEADERS x.h y.h [PRIVATE_HEADERS z.h] [USES base motion] [LINKS PkgConfig::png])
#
# Adds an engine module: a static library mmd_NAME of all C sources in engine/NAME
# and its subfolders, except for tools/, which contains separate programs. Files
# include "folder/x.h", or headers of the same folder by name. All public headers
# are in engine/include/mmd/; private ones, which other modules, the program and tests
# include alike as "mmd/z.h" and which are not installed, in engine/private/mmd/. Each
# module gets separate include roots with links to only its own headers. A file
# therefore sees the headers of the modules that it USES (and that they use) and no
# others, and an upward include does not compile. mmd::engine has the public headers,
# mmd::private the private ones in addition.
#
# The program links the modules; libodori.so and libodori.a (engine/library) are made of
# the same objects. These are therefore position independent. -fno-semantic-interposition
# lets the compiler inline and call public functions as in a program. The global
# properties ODORI_MODULES and ODORI_MODULE_LINKS list the modules and their LINKS.
function(odori_module name)
  cmake_parse_arguments(ARG "" "" "HEADERS;PRIVATE_HEADERS;USES;LINKS" ${ARGN})
  odori_include_root(${name} include "${ARG_HEADERS}")
  odori_include_root(${name} private "${ARG_PRIVATE_HEADERS}")
  set(folder "${CMAKE_CURRENT_SOURCE_DIR}/${name}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/*.c")
  list(FILTER sources EXCLUDE REGEX "^tools/")
  odori_platform_sources(sources)
  list(TRANSFORM sources PREPEND "${folder}/")
  add_library(mmd_${name} STATIC ${sources})
  set_target_properties(mmd_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(mmd_${name} PRIVATE -fno-semantic-interposition)
  set_property(GLOBAL APPEND PROPERTY ODORI_MODULES mmd_${name})
  set_property(GLOBAL APPEND PROPERTY ODORI_MODULE_LINKS ${ARG_LINKS})
  target_include_directories(mmd_${name} PUBLIC "${PROJECT_BINARY_DIR}/include/${name}"
    PRIVATE "${folder}" "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  # The private headers of a module and of those that it uses, apart from the module so that mmd::engine has none.
  add_library(mmd_${name}_private INTERFACE)
  target_include_directories(mmd_${name}_private INTERFACE "${PROJECT_BINARY_DIR}/private/${name}")
  foreach(used ${ARG_USES})
    target_link_libraries(mmd_${name}_private INTERFACE mmd_${used}_private)
  endforeach()
  list(TRANSFORM ARG_USES PREPEND mmd_)
  target_link_libraries(mmd_${name} PUBLIC ${ARG_USES}
    PRIVATE $<BUILD_INTERFACE:odori_flags> $<BUILD_INTERFACE:mmd_${name}_private> mmd_internal ${ARG_LINKS})
  target_link_libraries(mmd_engine INTERFACE mmd_${name})
  target_link_libraries(mmd_private INTERFACE mmd_${name}_private)
endfunction()
