/* Files that take the places of old ones together: all of them, or none. Until then they lie beside them
 * under hidden names. */
#ifndef ODORI_FILE_SET_H
#define ODORI_FILE_SET_H

#include "base/message.h"
#include "mmd/memory.h"

typedef struct file_set_item file_set_item;

/* Zero-initialise. */
typedef struct file_set {
    file_set_item *items;
    size_t count;
    mmd_arena arena;
    bool is_begun;
} file_set;

/* Writes a new file beside its target, and creates the folders above. Holds signals that end the program
 * until file_set_end. */
bool file_set_add(file_set *set, const char *target, const void *data, size_t size, problem *why);

/* Puts all files in place. If one cannot be, the old ones come back. Two for one place are refused. */
bool file_set_finish(file_set *set, problem *why);

/* Removes what is left under hidden names, and folders that were made and stay empty. Call it in any case. */
void file_set_end(file_set *set);

#endif
