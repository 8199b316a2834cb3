/* Functions of heap and arenas for the engine's modules in addition to mmd/memory.h. */
#ifndef MMD_ARENA_H
#define MMD_ARENA_H

#include "mmd/memory.h"

/* Allocates zeroed memory as mmd_alloc does. Costs nothing where the system's pages are zeroed already. */
void *mmd_alloc_zeroed(size_t size);

/* Returns whether memory was allocated from the arena. */
bool mmd_arena_has(const mmd_arena *arena, const void *memory);

#endif
