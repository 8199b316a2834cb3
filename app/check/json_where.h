/* Where in a JSON text something stands: the library that reads it forgets. */
#ifndef ODORI_JSON_WHERE_H
#define ODORI_JSON_WHERE_H

#include <stddef.h>

/* One step from a value into it: a member's key, or with key NULL an element's number. */
typedef struct json_step {
    const char *key;
    size_t index;
} json_step;

typedef struct json_place {
    unsigned line, column; /* from 1; columns are characters */
} json_place;

/*
 * Finds the place of a member's key or of an element, as deep as the steps lead;
 * without steps that of the whole value. text is valid JSON in UTF-8.
 */
json_place json_where(const char *text, size_t size, const json_step *steps, size_t count);

/* Returns the place of a byte, or with offset == size of the end. text is any UTF-8. */
json_place json_place_at(const char *text, size_t size, size_t offset);

#endif
