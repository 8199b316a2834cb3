/*
 * malloc, calloc and realloc in front of glibc's, which count and pass on. The
 * loader prefers the program's to the library's, for the GL driver's calls too.
 */
#include "heap_count.h"

#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HEAP_NOT_OURS
#endif
#endif
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEAP_NOT_OURS
#endif

#ifdef HEAP_NOT_OURS

bool heap_is_counted(void)
{
    return false;
}

uint64_t heap_count(void)
{
    return 0;
}

#else

#include <stdatomic.h>

/* The one thing in the program that cannot be handed around: malloc has no context. */
static atomic_uint_least64_t calls;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size)
{
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    return __libc_realloc(memory, size);
}

bool heap_is_counted(void)
{
    return true;
}

uint64_t heap_count(void)
{
    return atomic_load_explicit(&calls, memory_order_relaxed);
}

#endif
