/* A line cut into words: blanks lie between them, double quotes hold blanks together, with \" and \\ inside;
 * # starts a comment where a word would start. */
#ifndef ODORI_WORDS_H
#define ODORI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum words_result { WORDS_DONE, WORDS_TOO_MANY, WORDS_OPEN_QUOTE } words_result;

/* storage: length + 2 bytes, where the words lie; words: max of them. */
words_result words_split(const char *line, size_t length, char *storage, char **words, size_t max,
                         size_t *count);

#endif
