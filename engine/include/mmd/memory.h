/*
 * The heap and the arena. All heap memory of the engine comes from here, so
 * that tests see every byte return and `odori bench` can count.
 */
#ifndef MMD_MEMORY_H
#define MMD_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* malloc, realloc and free with counting. mmd_alloc(0) gives a valid pointer. NULL when out of memory. Any
 * thread. */
void *mmd_alloc(size_t size);
void *mmd_realloc(void *memory, size_t size);
void mmd_free(void *memory);

/* Calls of mmd_alloc and mmd_realloc since the program started, and blocks not yet freed. Any thread. */
uint64_t mmd_heap_allocations(void);
uint64_t mmd_heap_blocks_in_use(void);

/*
 * An arena: memory handed out in order from a chain of blocks, given back all
 * at once. Not for two threads at a time. Zero-initialise (`mmd_arena a = {0}`)
 * before use; a zeroed arena is valid and empty.
 */
typedef struct mmd_arena_block mmd_arena_block;
typedef struct mmd_arena {
    mmd_arena_block *block; /* the block in use; older ones hang behind it */
    size_t used;            /* bytes handed out, padding included */
    size_t limit;           /* largest `used` allowed; 0: none */
} mmd_arena;

/* Makes sure that the next size bytes come from one block. False when out of memory or over the limit. */
bool mmd_arena_reserve(mmd_arena *arena, size_t size);

/*
 * count elements of size bytes, zeroed, aligned to 32 bytes, valid until
 * mmd_arena_finish. NULL when out of memory, over the limit, or when count *
 * size overflows. A count of 0 gives a valid pointer to nothing.
 */
void *mmd_arena_alloc(mmd_arena *arena, size_t count, size_t size);

/* A copy of length bytes of text with a NUL behind them. NULL as above. */
char *mmd_arena_text(mmd_arena *arena, const char *text, size_t length);

/* Gives all memory back; the arena is empty and can be used again. */
void mmd_arena_finish(mmd_arena *arena);

#ifdef __cplusplus
}
#endif

#endif
