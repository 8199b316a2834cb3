/*
 * JSON written as it comes, without a tree: a dump of many frames takes no
 * memory. Numbers have nine significant digits, which give back the same
 * float; what is not finite becomes null. Texts are valid UTF-8 whatever the
 * file said.
 */
#ifndef ODORI_JSON_H
#define ODORI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *out;
    bool comma;  /* a value stands before the next one */
} json;

void json_open(json *j, char bracket); /* '{' or '[' */
void json_close(json *j, char bracket);
void json_key(json *j, const char *key);
void json_real(json *j, double value);
void json_whole(json *j, int64_t value);
void json_bool(json *j, bool value);
void json_null(json *j);
void json_text(json *j, const char *text);
void json_floats(json *j, const float *values, size_t count); /* an array */

/* Key and value in one go. */
void json_member_real(json *j, const char *key, double value);
void json_member_whole(json *j, const char *key, int64_t value);
void json_member_bool(json *j, const char *key, bool value);
void json_member_text(json *j, const char *key, const char *text);
void json_member_floats(json *j, const char *key, const float *values, size_t count);

#endif
