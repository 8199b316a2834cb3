/* Arena functions for the engine's modules in addition to mmd/memory.h. */
#ifndef MMD_ARENA_H
#define MMD_ARENA_H

#include "mmd/memory.h"

/* Returns whether memory was allocated from the arena. */
bool mmd_arena_has(const mmd_arena *arena, const void *memory);

#endif
