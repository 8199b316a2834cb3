/* Base64 (RFC 4648), for what pages carry inside of them. */
#ifndef ODORI_BASE64_H
#define ODORI_BASE64_H

#include <stddef.h>
#include <stdio.h>

/* How many characters so many bytes become, without a NUL. */
#define BASE64_LENGTH(size) (((size) + 2) / 3 * 4)

/* Writes BASE64_LENGTH(size) characters and a NUL. */
void base64_text(const void *data, size_t size, char *text);

/* The same to a stream, without the NUL; errors are the stream's. */
void base64_put(FILE *out, const void *data, size_t size);

#endif
