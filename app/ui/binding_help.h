/* What keys do, for people: grouped, and in Japanese. */
#ifndef ODORI_BINDING_HELP_H
#define ODORI_BINDING_HELP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum keys_group { KEYS_TIME, KEYS_CAMERA, KEYS_VIEW, KEYS_EDIT, KEYS_WINDOW, KEYS_GROUPS } keys_group;

/* Whose a line of the command table is. */
keys_group keys_group_of(const char *command);

/* What it does, in Japanese; NULL: only English is known. */
const char *keys_japanese(const char *command);

/* Text number i of those that there are; NULL behind the last: for fonts. */
const char *keys_words_at(size_t i);

#ifdef __cplusplus
}
#endif

#endif
