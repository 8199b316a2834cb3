/*
 * The player's key bindings: a table of keys and the command lines that they run. It begins with one of
 * several sets, which the user's file of keys changes. It does not depend on a window: keys have names
 * ("Space", "Ctrl+Z", "Num5"), to which window.c converts key events.
 */
#ifndef ODORI_BINDINGS_H
#define ODORI_BINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { KEY_NAME_MAX = 40, KEY_COMMAND_MAX = 256, BINDINGS_MAX = 160 };

/* Bits of modifiers, in the order of key names: Ctrl+Alt+Shift+Super+Z. */
enum { KEY_CONTROL = 1, KEY_ALT = 2, KEY_SHIFT = 4, KEY_SUPER = 8 };

typedef struct key_binding {
    char key[KEY_NAME_MAX];
    char command[KEY_COMMAND_MAX];
    const char *help; /* NULL: there is none, and the command is shown in its stead */
    bool repeats;     /* while the key is held down */
} key_binding;

/* Sets of keys. MMD's and Blender's are laid over odori's: keys that these programs do not have stay. */
typedef enum key_set { KEYS_OF_ODORI, KEYS_OF_MMD, KEYS_OF_BLENDER, KEY_SETS } key_set;

typedef struct key_bindings {
    key_binding entries[BINDINGS_MAX];
    size_t count;
    key_set set;        /* that the table began with */
    bool told_of_wrong; /* a wrong line of the user's file was reported */
} key_bindings;

/* Fill the table with odori's bindings, or with those of a set. */
void bindings_init(key_bindings *k);
void bindings_init_set(key_bindings *k, key_set set);

/* Returns the name of a set in command lines, and finds a set by its name. */
const char *bindings_set_name(key_set set);
bool bindings_find_set(const char *name, key_set *set);

/*
 * Reads a file of keys: lines `KEY command…`, or `KEY none` to free a key. A line that starts with # is a
 * comment. Each line replaces earlier bindings of its key. Wrong lines are skipped. Returns the number of the
 * first wrong line, with the reason in why (size bytes), or 0.
 */
size_t bindings_read(key_bindings *k, const char *text, size_t length, char *why, size_t size);

/* Returns the binding of a key, or NULL. modifiers: KEY_… bits; name: without modifiers, in any case. */
const key_binding *bindings_find(const key_bindings *k, int modifiers, const char *name);

/* Returns the first key that runs a command line, or NULL if none does. */
const char *bindings_key_of(const key_bindings *k, const char *command);

/* Returns the normal form of the name of a key without modifiers, or NULL if there is no such key. */
const char *binding_known_name(const char *name);

/* A row of the list of keys that is shown to the user: "Space, P" and what they do. Keys of one command share
 * a row. */
typedef struct binding_row {
    char keys[2 * KEY_NAME_MAX];
    const char *help;    /* help text, or the command when there is none */
    const char *command; /* that the keys run */
} binding_row;

/* Fills the rows, whose texts are those of the bindings. Returns how many there are. */
size_t bindings_list(const key_bindings *k, binding_row rows[BINDINGS_MAX]);

/* Writes the list as lines of text, at most size bytes. Returns the full length without the NUL. */
size_t bindings_text(const key_bindings *k, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
