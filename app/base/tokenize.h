/* A line cut into words: blanks lie between them, double quotes hold blanks together, with \" and \\ inside;
 * # starts a comment where a word would start. */
#ifndef ODORI_TOKENIZE_H
#define ODORI_TOKENIZE_H

#include <stdbool.h>
#include <stddef.h>

#include "mmd/cursor.h"

typedef enum tokenize_result { TOKENIZE_DONE, TOKENIZE_TOO_MANY, TOKENIZE_OPEN_QUOTE } tokenize_result;

/* Writes text as one word in double quotes, as tokenize reads it again; line breaks become blanks. */
void token_quote(const char *text, mmd_buffer *out);

/* Index of a word in a list, or count. */
size_t token_find(const char *const *list, size_t count, const char *word);

/* storage: length + 2 bytes, where the words lie; words: max of them. */
tokenize_result tokenize(const char *line, size_t length, char *storage, char **words, size_t max,
                         size_t *count);

#endif
