/* Japanese sentences for the messages that the player shows most. Messages are written in English everywhere,
 * also on the terminal; the panels translate them where they are shown. */
#ifndef ODORI_MESSAGE_WORDS_H
#define ODORI_MESSAGE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a message in Japanese. Returns false, and writes nothing, if there is no sentence for it. */
bool message_in_japanese(const char *text, char *out, size_t size);

/* Returns the English sentence of a number, from 0 on, with its {1}, {2}; NULL behind the last. */
const char *message_words_from(size_t i);

/* Returns the Japanese sentence of a number, from 0 on, with its {1}, {2}; NULL behind the last. */
const char *message_words_at(size_t i);

#ifdef __cplusplus
}
#endif

#endif
