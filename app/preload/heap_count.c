/*
 * malloc, calloc and realloc in front of glibc's, which count and pass on.
 * `odori bench` preloads this object, so that the GL driver's calls are counted,
 * too; no other subcommand has it.
 */
#include <stdatomic.h>
#include <stdlib.h>

/* The one thing that cannot be handed around: malloc has no context. bench looks it up by its name. */
extern atomic_uint_least64_t odori_heap_calls;
atomic_uint_least64_t odori_heap_calls;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size)
{
    atomic_fetch_add_explicit(&odori_heap_calls, 1, memory_order_relaxed);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    atomic_fetch_add_explicit(&odori_heap_calls, 1, memory_order_relaxed);
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    atomic_fetch_add_explicit(&odori_heap_calls, 1, memory_order_relaxed);
    return __libc_realloc(memory, size);
}
