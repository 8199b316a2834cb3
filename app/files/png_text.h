/* Text chunks of a PNG file, whoever wrote it. */
#ifndef ODORI_PNG_TEXT_H
#define ODORI_PNG_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Tells whether the bytes begin as a PNG does. */
bool png_is(const void *data, size_t size);

/*
 * Returns the text of the first chunk with this key (tEXt, zTXt or iTXt before the
 * pixels), at most 16 MiB; from mmd_alloc, the caller's. NULL: none, no PNG,
 * a broken one, or out of memory.
 */
char *png_text_read(const void *data, size_t size, const char *key);

/* Does the same with a file; NULL also where it cannot be read. */
char *png_text_of_file(const char *path, const char *key);

#endif
