/* Counting the heap allocations of the whole process, including the GL driver. */
#ifndef ODORI_HEAP_COUNT_H
#define ODORI_HEAP_COUNT_H

#include <stdatomic.h>

/*
 * Executes the program again with preload/heap_count.c preloaded. Returns if that was done already, or cannot
 * be done, in which case allocations of the driver are not counted.
 */
void heap_count_preload(int argc, char **argv);

/* Returns the counter of preload/heap_count.c, or NULL when it is not preloaded. */
atomic_uint_least64_t *heap_count_find(void);

#endif
