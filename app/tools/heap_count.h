/* How often anybody in the process, the GL driver included, asked the C library for memory. */
#ifndef ODORI_HEAP_COUNT_H
#define ODORI_HEAP_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/* False where the C library or a sanitizer does not let us count; then the count stays 0. */
bool heap_is_counted(void);
uint64_t heap_count(void);

#endif
