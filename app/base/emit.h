/*
 * JSON written as it comes, without a tree: a dump of many frames takes no
 * memory. Numbers have nine significant digits, which give back the same
 * float; what is not finite becomes null. Texts are valid UTF-8 whatever the
 * file said.
 */
#ifndef ODORI_EMIT_H
#define ODORI_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct emitter {
    FILE *out;
    bool comma; /* a value stands before the next one */
} emitter;

void emit_open(emitter *j, char bracket); /* '{' or '[' */
void emit_close(emitter *j, char bracket);
void emit_key(emitter *j, const char *key);
void emit_real(emitter *j, double value);
void emit_whole(emitter *j, int64_t value);
void emit_bool(emitter *j, bool value);
void emit_null(emitter *j);
void emit_text(emitter *j, const char *text);

/* Write a key and its value. */
void emit_member_real(emitter *j, const char *key, double value);
void emit_member_whole(emitter *j, const char *key, int64_t value);
void emit_member_bool(emitter *j, const char *key, bool value);
void emit_member_text(emitter *j, const char *key, const char *text);
void emit_member_floats(emitter *j, const char *key, const float *values, size_t count);

#endif
