/* On Windows no library can be put in front of malloc (heap_count.h). */
#include "heap_count.h"

#include <stddef.h>

void heap_count_preload(int argc, char **argv)
{
    (void)argc, (void)argv;
}

atomic_uint_least64_t *heap_count_find(void)
{
    return NULL;
}
