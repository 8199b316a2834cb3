# cmake -DOUTPUT=file.h -DPREFIX=shader_ -DINPUTS=a;b -P embed_text.cmake: writes text files as C arrays of bytes,
# and the SHA-256 of scripts and styles, by which a page's policy allows them.
set(text "/* Made by embed_text.cmake; do not edit. */\n")
foreach(input ${INPUTS})
  get_filename_component(name "${input}" NAME)
  string(REPLACE "." "_" name "${name}")
  file(READ "${input}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(REPEAT "." 84 line) # twelve bytes
  string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
  string(APPEND text "static const char ${PREFIX}${name}[] = {\n${bytes}0\n};\n")
  if(input MATCHES "[.](js|css)$")
    file(SHA256 "${input}" hash)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " hash "${hash}")
    string(APPEND text "static const unsigned char ${PREFIX}${name}_sha256[] = {\n${hash}\n};\n")
  endif()
endforeach()
file(WRITE "${OUTPUT}.new" "${text}")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
