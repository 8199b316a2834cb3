/*
 * A JSON writer that streams to a file without building a tree, so that a dump of many frames needs no memory.
 * Numbers have nine significant digits, which are enough to restore every float. Numbers that are not finite are
 * written as null. Texts are always valid UTF-8: invalid bytes are replaced. Characters
 * that act on a terminal are escaped (\u202e), which a reader undoes.
 */
#ifndef ODORI_EMIT_H
#define ODORI_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct emitter {
    FILE *out;
    bool comma; /* a value precedes the next one, so that a comma is due */
} emitter;

/* Begin and end an object ('{', '}') or an array ('[', ']'). */
void emit_open(emitter *j, char bracket);
void emit_close(emitter *j, char bracket);

/* Write a key of an object, and values: elements of an array or what follows a key. */
void emit_key(emitter *j, const char *key);
void emit_real(emitter *j, double value);
void emit_whole(emitter *j, int64_t value);
void emit_bool(emitter *j, bool value);
void emit_null(emitter *j);
void emit_text(emitter *j, const char *text);

/* Writes JSON that another writer made, with the same characters escaped. */
void emit_json(FILE *out, const char *json);

/* Each of the following writes a key and its value. */
void emit_member_real(emitter *j, const char *key, double value);
void emit_member_whole(emitter *j, const char *key, int64_t value);
void emit_member_bool(emitter *j, const char *key, bool value);
void emit_member_text(emitter *j, const char *key, const char *text);
void emit_member_floats(emitter *j, const char *key, const float *values, size_t count);

#endif
