/*
 * The player's keys: which line of the command table each one runs. A table
 * of data; the user's file of keys changes it. Knows no window: keys have
 * names ("Space", "Ctrl+Z", "Num5"), which window.c finds for what is pressed.
 */
#ifndef ODORI_BINDINGS_H
#define ODORI_BINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { KEY_NAME_MAX = 40, KEY_COMMAND_MAX = 256, BINDINGS_MAX = 160 };

/* In the order of names: Ctrl+Alt+Shift+Super+Z. */
enum { KEY_CONTROL = 1, KEY_ALT = 2, KEY_SHIFT = 4, KEY_SUPER = 8 };

typedef struct key_binding {
    char key[KEY_NAME_MAX];
    char command[KEY_COMMAND_MAX];
    const char *help; /* NULL: the command says it */
    bool repeats;     /* while it is held down */
} key_binding;

typedef struct key_bindings {
    key_binding entries[BINDINGS_MAX];
    size_t count;
} key_bindings;

/* As they are where nobody says otherwise. */
void bindings_init(key_bindings *k);

/*
 * A file of keys: lines `KEY command…`, or `KEY none` to free a key; # starts
 * a comment where a line does. They take the place of the same keys before
 * them. Wrong lines are left out. Returns the number of the first of those, or
 * 0; why in why (size bytes).
 */
size_t bindings_read(key_bindings *k, const char *text, size_t length, char *why, size_t size);

/* What a key does; NULL: nothing. modifiers: KEY_… bits; name: as key_is_known knows it. */
const key_binding *bindings_find(const key_bindings *k, int modifiers, const char *name);

/* Whether a key may be called so, without modifiers; as it is written then, else NULL. */
const char *binding_known_name(const char *name);

/*
 * The list for people: row i of bindings_list, "Space, P" and what they do; keys
 * of one command share a row. false: there is no such row.
 */
typedef struct binding_row {
    char keys[2 * KEY_NAME_MAX];
    const char *help;    /* what they do, or the command */
    const char *command; /* that they run */
} binding_row;
bool bindings_list(const key_bindings *k, size_t i, binding_row *row);

/* The same as lines of text, each with a line break. Returns its length without the NUL; writes at most size
 * bytes. */
size_t bindings_text(const key_bindings *k, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
