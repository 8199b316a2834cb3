/* A line cut into words: blanks lie between them, double quotes hold blanks together, with \" and \\ inside;
 * # starts a comment where a word would start. */
#ifndef ODORI_WORDS_H
#define ODORI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "mmd/cursor.h"

typedef enum words_result { WORDS_DONE, WORDS_TOO_MANY, WORDS_OPEN_QUOTE } words_result;

/* Writes text as one word in double quotes, as words_split reads it again; line breaks become blanks. */
void words_quote(const char *text, mmd_buffer *out);

/* Index of a word in a list, or count. */
size_t words_find(const char *const *list, size_t count, const char *word);

/* storage: length + 2 bytes, where the words lie; words: max of them. */
words_result words_split(const char *line, size_t length, char *storage, char **words, size_t max,
                         size_t *count);

#endif
