/* Tells people what keys do: grouped, and in Japanese. */
#ifndef ODORI_BINDING_HELP_H
#define ODORI_BINDING_HELP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum binding_group {
    BINDINGS_TIME,
    BINDINGS_CAMERA,
    BINDINGS_VIEW,
    BINDINGS_EDIT,
    BINDINGS_WINDOW,
    BINDINGS_GROUPS
} binding_group;

/* Returns the group of a line of the command table. */
binding_group binding_group_of(const char *command);

/* Returns what it does, in Japanese; NULL: only English is known. */
const char *binding_japanese(const char *command);

/* Returns text number i of those that there are; NULL behind the last: for fonts. */
const char *binding_help_at(size_t i);

#ifdef __cplusplus
}
#endif

#endif
