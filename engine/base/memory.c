/* Counting heap functions and arenas. Tests use the counters to find leaks. */
#include "mmd/memory.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "mmd_arena.h"

/* Relaxed order suffices, since nothing in the engine depends on these counters. */
static atomic_uint_fast64_t heap_allocations;
static atomic_uint_fast64_t heap_blocks;

/* Counts a new block, unless there was no memory for it. Returns it. */
static void *counted(void *memory)
{
    if (memory) {
        atomic_fetch_add_explicit(&heap_allocations, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&heap_blocks, 1, memory_order_relaxed);
    }
    return memory;
}

void *mmd_alloc(size_t size)
{
    return counted(malloc(size ? size : 1));
}

void *mmd_alloc_zeroed(size_t size)
{
    return counted(calloc(size ? size : 1, 1));
}

void *mmd_realloc(void *memory, size_t size)
{
    if (!memory)
        return mmd_alloc(size);
    void *moved = realloc(memory, size ? size : 1);
    if (moved)
        atomic_fetch_add_explicit(&heap_allocations, 1, memory_order_relaxed);
    return moved;
}

void mmd_free(void *memory)
{
    if (!memory)
        return;
    atomic_fetch_sub_explicit(&heap_blocks, 1, memory_order_relaxed);
    free(memory);
}

uint64_t mmd_heap_allocations(void)
{
    return atomic_load_explicit(&heap_allocations, memory_order_relaxed);
}
uint64_t mmd_heap_blocks_in_use(void)
{
    return atomic_load_explicit(&heap_blocks, memory_order_relaxed);
}

enum { ARENA_ALIGN = 32, ARENA_BLOCK_MIN = 64 * 1024 };

struct mmd_arena_block {
    mmd_arena_block *older;
    size_t size; /* bytes after the header */
    size_t used;
};

/* Returns the first aligned byte after the block's header. */
static uint8_t *block_data(mmd_arena_block *block)
{
    uintptr_t start = (uintptr_t)(block + 1);
    return (uint8_t *)block +
           (((start + ARENA_ALIGN - 1) & ~(uintptr_t)(ARENA_ALIGN - 1)) - (uintptr_t)block);
}

/* Rounds a size up to the arena's alignment. */
static size_t align_up(size_t size)
{
    return (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
}

/* Largest request that cannot overflow when it is rounded up and a header is added. */
static const size_t arena_request_max = SIZE_MAX / 2;

bool mmd_arena_reserve(mmd_arena *arena, size_t size)
{
    assert(arena);
    if (size > arena_request_max)
        return false;
    size = align_up(size);
    if (arena->limit && size > arena->limit - arena->used)
        return false;
    mmd_arena_block *block = arena->block;
    if (block && block->size - block->used >= size)
        return true;
    size_t want = size > ARENA_BLOCK_MIN ? size : ARENA_BLOCK_MIN;
    mmd_arena_block *fresh = mmd_alloc_zeroed(sizeof *fresh + ARENA_ALIGN + want);
    if (!fresh)
        return false;
    fresh->size = want;
    fresh->older = block;
    arena->block = fresh;
    return true;
}

void *mmd_arena_alloc(mmd_arena *arena, size_t count, size_t size)
{
    assert(arena);
    assert(size > 0);
    if (count > arena_request_max / size || !mmd_arena_reserve(arena, count * size))
        return NULL;
    mmd_arena_block *block = arena->block;
    void *memory = block_data(block) + block->used;
    size_t step = align_up(count * size);
    block->used += step;
    arena->used += step;
    return memory;
}

char *mmd_arena_text(mmd_arena *arena, const char *text, size_t length)
{
    assert(arena);
    assert(text || length == 0);
    char *copy = length < SIZE_MAX ? mmd_arena_alloc(arena, length + 1, 1) : NULL;
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

bool mmd_arena_has(const mmd_arena *arena, const void *memory)
{
    assert(arena);
    for (mmd_arena_block *block = arena->block; block; block = block->older) {
        uintptr_t from = (uintptr_t)block_data(block), at = (uintptr_t)memory;
        if (at >= from && at - from < block->used)
            return true;
    }
    return false;
}

void mmd_arena_finish(mmd_arena *arena)
{
    assert(arena);
    for (mmd_arena_block *block = arena->block; block;) {
        mmd_arena_block *older = block->older;
        mmd_free(block);
        block = older;
    }
    /* The limit is a setting and survives. */
    size_t limit = arena->limit;
    *arena = (mmd_arena){.limit = limit};
}
