/*
 * Heap, buffers and arenas. All heap memory of the engine is allocated here, so that tests can check for
 * leaks and `odori bench` can count allocations.
 */
#ifndef MMD_MEMORY_H
#define MMD_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* malloc, realloc and free with counting. mmd_alloc(0) returns a valid pointer. They return NULL when out of
 * memory. May be called from any thread. */
void *mmd_alloc(size_t size);
void *mmd_realloc(void *memory, size_t size);
void mmd_free(void *memory);

/* Return the number of mmd_alloc and mmd_realloc calls since the program started, and of blocks not yet
 * freed. May be called from any thread. */
uint64_t mmd_heap_allocations(void);
uint64_t mmd_heap_blocks_in_use(void);

/*
 * A growing byte buffer, to which writers of files append. Zeroed is valid and empty. If memory runs out,
 * failed is set and whatever is written later is dropped.
 */
typedef struct mmd_buffer {
    uint8_t *data;
    size_t size;
    size_t capacity;
    bool failed;
} mmd_buffer;

/* Frees the data and makes the buffer empty. */
void mmd_buffer_finish(mmd_buffer *buffer);

/*
 * An arena allocates from a chain of blocks and frees everything at once. May be used by one thread at a
 * time. Zero-initialise it (`mmd_arena a = {0}`); a zeroed arena is valid and empty.
 */
typedef struct mmd_arena_block mmd_arena_block;
typedef struct mmd_arena {
    mmd_arena_block *block; /* the current block; it links to older ones */
    size_t used;            /* bytes allocated, including padding */
    size_t limit;           /* upper limit of `used`; 0: no limit */
} mmd_arena;

/*
 * Ensures that the next size bytes come from one block. Returns false when out of memory or over the limit.
 */
bool mmd_arena_reserve(mmd_arena *arena, size_t size);

/*
 * Allocates count zeroed elements of size bytes, aligned to 32 bytes and valid until mmd_arena_finish.
 * Returns NULL when out of memory, over the limit, or if count * size overflows. A count of 0 gives a valid
 * pointer.
 */
void *mmd_arena_alloc(mmd_arena *arena, size_t count, size_t size);

/* Copies length bytes of text and appends a NUL. Returns NULL as mmd_arena_alloc does. */
char *mmd_arena_text(mmd_arena *arena, const char *text, size_t length);

/* Frees all memory. The arena is empty then and can be used again. */
void mmd_arena_finish(mmd_arena *arena);

#ifdef __cplusplus
}
#endif

#endif
