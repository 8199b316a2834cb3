/*
 * Counts heap allocations: malloc, calloc and realloc that count a call and pass it on to glibc. `odori bench`
 * preloads this object (LD_PRELOAD), so that the calls of the GL driver are counted too. No other subcommand uses it.
 */
#include <stdatomic.h>
#include <stdlib.h>

/* Number of calls so far. It is global because malloc has no context argument. bench looks it up by name. */
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
