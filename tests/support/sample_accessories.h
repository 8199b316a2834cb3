/* Accessories made in memory: .x texts, the same as binary tokens, either compressed. */
#ifndef ODORI_SAMPLE_ACCESSORIES_H
#define ODORI_SAMPLE_ACCESSORIES_H

#include "mmd/format.h"

/*
 * A text with everything that the reader knows and much that it has to skip:
 * templates, comments, frames in frames, materials in place and by name before
 * they come, polygons of 3 to 5 corners, normals by lists of their own and
 * none, colours, CP932 names whose second bytes are braces. Ends in a NUL.
 */
const char *sample_x_text(void);

/*
 * A text with a mesh that frames name, before it comes and again, and packed
 * vertex data (DeclData): normals, colours, half-float texture coordinates. Ends in a NUL.
 */
const char *sample_x_shared_text(void);

/*
 * Appends a .x text's tokens as a binary file: numbers with a point are floats
 * of real_size bytes (4 or 8), runs of numbers of one kind become lists.
 */
void sample_x_binary(const char *text, uint32_t real_size, mmd_buffer *out);

/* Appends a .x file, text or binary, as a compressed one: MSZIP blocks of 32 KiB. */
void sample_x_compressed(const void *data, size_t size, mmd_buffer *out);

/* Appends a grid of quads with normals: about 60 bytes of text a vertex. */
void sample_x_grid(uint32_t side, mmd_buffer *out);

#endif
