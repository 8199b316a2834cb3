/*
 * What every part of the generator needs: memory that is there or the program
 * ends with a sentence, and files written whole. A build tool may do that; the
 * engine may not.
 */
#ifndef DANCER_TOOL_H
#define DANCER_TOOL_H

#include "mmd/cursor.h"
#include "mmd/memory.h"

#if defined(__GNUC__)
#define TOOL_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TOOL_PRINTF(text, first)
#endif

/* Says what is wrong on stderr and ends the program with 1. */
_Noreturn void tool_die(const char *format, ...) TOOL_PRINTF(1, 2);

/* Elements of an array. */
#define TOOL_COUNT(array) (sizeof(array) / sizeof *(array))

/* count zeroed elements of size bytes in the arena; never NULL. */
void *tool_alloc(mmd_arena *arena, size_t count, size_t size);

/* A formatted text in the arena. */
const char *tool_text(mmd_arena *arena, const char *format, ...) TOOL_PRINTF(2, 3);

/* Makes a folder where it is missing. */
void tool_folder(const char *path);

/* Writes bytes to directory/name: to a temporary name, then renamed. Frees the buffer. */
void tool_write(const char *directory, const char *name, mmd_buffer *bytes);

/*
 * A growing array: `T *items; uint32_t count, capacity` as the caller's own
 * variables. Gives the new, zeroed last element.
 */
#define TOOL_PUSH(items, count, capacity)                                                                    \
    ((items) = tool_grow((items), (count), &(capacity), sizeof *(items)), &(items)[(count)++])
void *tool_grow(void *items, uint32_t count, uint32_t *capacity, size_t size);

#endif
