/* A growing list of indices into a table. */
#ifndef ODORI_INDICES_H
#define ODORI_INDICES_H

#include <stddef.h>
#include <stdint.h>

#include "mmd/memory.h"

/* Zero-initialise it. When memory runs out, the list stays unchanged and failed is set. */
typedef struct indices {
    uint32_t *items;
    size_t count, capacity;
    bool failed;
} indices;

/* Appends an index. */
static inline void indices_add(indices *list, uint32_t index)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 32;
        uint32_t *grown = mmd_realloc(list->items, capacity * sizeof *grown);
        if (!grown) {
            list->failed = true;
            return;
        }
        list->items = grown;
        list->capacity = capacity;
    }
    list->items[list->count++] = index;
}

static inline void indices_finish(indices *list)
{
    mmd_free(list->items);
    *list = (indices){0};
}

#endif
