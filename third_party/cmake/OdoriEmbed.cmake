# odori_embed_text(OUTPUT.h PREFIX FILE...)
#
# Writes a header with a `static const char NAME[]` for each text file, where NAME
# is PREFIX and the file's name with . replaced by _. The text is not changed, so
# that line numbers in messages of the shader compiler are those of the file.
function(odori_embed_text output prefix)
  set(script "${PROJECT_SOURCE_DIR}/third_party/cmake/embed_text.cmake")
  get_filename_component(name "${output}" NAME)
  add_custom_command(OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DPREFIX=${prefix}" "-DINPUTS=${ARGN}" -P "${script}"
    DEPENDS ${ARGN} "${script}" VERBATIM
    COMMENT "Embedding ${name}")
endfunction()
