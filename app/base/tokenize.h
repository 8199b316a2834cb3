/* Splits a line of commands into tokens. Blanks separate tokens. Double quotes keep blanks within a token and
 * allow \" and \\. A # at the start of a token begins a comment. */
#ifndef ODORI_TOKENIZE_H
#define ODORI_TOKENIZE_H

#include <stdbool.h>
#include <stddef.h>

#include "mmd/cursor.h"

typedef enum tokenize_result { TOKENIZE_DONE, TOKENIZE_TOO_MANY, TOKENIZE_OPEN_QUOTE } tokenize_result;

/* Splits a line of length bytes. storage receives the texts of the tokens (length + 2 bytes), tokens has space for
 * max pointers to them. */
tokenize_result tokenize(const char *line, size_t length, char *storage, char **tokens, size_t max,
                         size_t *count);

/* Writes text as one token in double quotes that tokenize reads back. Line breaks become blanks. */
void token_quote(const char *text, mmd_buffer *out);

/* Returns the index of a token in a list, or count when it is not in it. */
size_t token_find(const char *const *list, size_t count, const char *token);

#endif
