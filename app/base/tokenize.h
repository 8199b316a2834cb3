/* Cuts a line into tokens: blanks lie between them, double quotes hold blanks together, with \" and \\ inside;
 * # starts a comment where a token would start. */
#ifndef ODORI_TOKENIZE_H
#define ODORI_TOKENIZE_H

#include <stdbool.h>
#include <stddef.h>

#include "mmd/cursor.h"

typedef enum tokenize_result { TOKENIZE_DONE, TOKENIZE_TOO_MANY, TOKENIZE_OPEN_QUOTE } tokenize_result;

/* Splits a line. storage: length + 2 bytes, where the tokens lie; tokens: max of them. */
tokenize_result tokenize(const char *line, size_t length, char *storage, char **tokens, size_t max,
                         size_t *count);

/* Writes text as one token in double quotes, as tokenize reads it again; line breaks become blanks. */
void token_quote(const char *text, mmd_buffer *out);

/* Returns the index of a token in a list, or count. */
size_t token_find(const char *const *list, size_t count, const char *token);

#endif
