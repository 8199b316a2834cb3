/* What modules of the engine ask of an arena beyond mmd/memory.h. */
#ifndef MMD_ARENA_H
#define MMD_ARENA_H

#include "mmd/memory.h"

/* Whether memory lies in what the arena handed out. */
bool mmd_arena_has(const mmd_arena *arena, const void *memory);

#endif
