# odori_embed_shaders(TARGET OUTPUT.h FILE...)
#
# Writes a header with one `static const char NAME[]` a shader file, where
# NAME is shader_<file name with . as _>. The text is kept as it is, so that line
# numbers in the driver's messages are those of the file.
function(odori_embed_shaders output)
  set(script "${PROJECT_SOURCE_DIR}/third_party/cmake/embed_text.cmake")
  add_custom_command(OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DINPUTS=${ARGN}" -P "${script}"
    DEPENDS ${ARGN} "${script}" VERBATIM
    COMMENT "Embedding shaders")
endfunction()
