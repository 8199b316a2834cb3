/* Texts of the key list: the group that a key belongs to, and its help text in Japanese. */
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

/* Returns the group in which the key list shows a command line, BINDINGS_WINDOW if none is known. */
binding_group binding_group_of(const char *command);

/* Returns the help text of a command line in Japanese, or NULL when there is none. The line must be equal to
 * that of the default bindings. English texts are in the bindings themselves (bindings.h). */
const char *binding_japanese(const char *command);

/* Returns Japanese help text i, or NULL past the last one. The font is built with the glyphs of all of them.
 */
const char *binding_help_at(size_t i);

#ifdef __cplusplus
}
#endif

#endif
