/* Text chunks of PNG files of any origin. */
#ifndef ODORI_PNG_TEXT_H
#define ODORI_PNG_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Tests whether the bytes begin like a PNG. */
bool png_is(const void *data, size_t size);

/* Returns the text of the first chunk with this key (tEXt, zTXt or iTXt before the pixels), at most 16 MiB,
 * allocated with mmd_alloc. NULL: no such chunk, not a PNG, a broken PNG, or out of memory. */
char *png_text_read(const void *data, size_t size, const char *key);

/* Does the same for a file; also NULL if it cannot be read. */
char *png_text_of_file(const char *path, const char *key);

#endif
