/* Finds lines and columns in a JSON text, which the library that parses it does not record. */
#ifndef ODORI_JSON_WHERE_H
#define ODORI_JSON_WHERE_H

#include <stddef.h>

/* One step from a value to a part of it: the key of a member, or with key NULL the index of an element. */
typedef struct json_step {
    const char *key;
    size_t index;
} json_step;

typedef struct json_position {
    unsigned line, column; /* from 1; columns are characters */
} json_position;

/*
 * Returns the position of the key of a member or of an element, as far as the steps can be followed. Without
 * steps it is that of the whole value. text is valid JSON in UTF-8.
 */
json_position json_where(const char *text, size_t size, const json_step *steps, size_t count);

/* Returns the position of the byte at offset, or of the end when offset >= size. text is any UTF-8. */
json_position json_position_at(const char *text, size_t size, size_t offset);

#endif
