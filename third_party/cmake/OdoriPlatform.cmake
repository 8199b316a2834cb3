# odori_platform_sources(LIST)
#
# Removes from a list of sources those of other systems. The end of a name says where a file is compiled:
# _windows, _linux, _posix (all but Windows), _other (all but Linux), _x11 (with X11), _none (neither Windows nor X11),
# _egl and _wgl (GL contexts; on Windows WGL, elsewhere EGL).
function(odori_platform_sources list)
  set(sources ${${list}})
  if(WIN32)
    set(foreign "posix|linux|egl|x11|none")
  elseif(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(foreign "windows|wgl|other")
  else()
    set(foreign "windows|wgl|linux")
  endif()
  if(TARGET PkgConfig::x11)
    string(APPEND foreign "|none")
  elseif(NOT WIN32)
    string(APPEND foreign "|x11")
  endif()
  list(FILTER sources EXCLUDE REGEX "_(${foreign})\\.(c|cpp)$")
  set(${list} "${sources}" PARENT_SCOPE)
endfunction()
