/* Memory and files for the generator: functions that end the program with a message instead of failing, and
 * files that are written whole. A build tool may do that; the engine may not. */
#ifndef DANCER_TOOL_H
#define DANCER_TOOL_H

#include "mmd/memory.h"

#if defined(__GNUC__)
#define TOOL_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TOOL_PRINTF(text, first)
#endif

/* Prints an error on stderr and exits with 1. */
_Noreturn void tool_die(const char *format, ...) TOOL_PRINTF(1, 2);

/* Number of elements of an array. */
#define TOOL_COUNT(array) (sizeof(array) / sizeof *(array))

/* Allocates count zeroed elements of size bytes in the arena. Never NULL. */
void *tool_alloc(mmd_arena *arena, size_t count, size_t size);

/* Formats a text in the arena. */
const char *tool_text(mmd_arena *arena, const char *format, ...) TOOL_PRINTF(2, 3);

/* Creates a folder if it is missing. */
void tool_folder(const char *path);

/* Writes bytes to directory/name through a temporary file. Frees the buffer. */
void tool_write(const char *directory, const char *name, mmd_buffer *bytes);

/* Appends a zeroed element to a growing array, `T *items; uint32_t count, capacity` as the caller's
 * variables, and returns it. */
#define TOOL_PUSH(items, count, capacity)                                                                    \
    ((items) = tool_grow((items), (count), &(capacity), sizeof *(items)), &(items)[(count)++])
void *tool_grow(void *items, uint32_t count, uint32_t *capacity, size_t size);

#endif
