/* Accessories made in memory: .x texts, their binary forms, and both compressed. */
#ifndef ODORI_SAMPLE_ACCESSORIES_H
#define ODORI_SAMPLE_ACCESSORIES_H

#include "mmd/format.h"

/*
 * Returns a text with everything that the reader supports and much that it has to skip: templates, comments,
 * nested frames, inline materials and references to later ones, polygons of 3 to 5 corners, with and without
 * separate normal indices, colours, CP932 names whose second bytes are braces. NUL-terminated.
 */
const char *sample_x_text(void);

/* Returns a text with a mesh that frames refer to before and after its definition, and packed vertex data
 * (DeclData): normals, colours, half-float texture coordinates. NUL-terminated. */
const char *sample_x_shared_text(void);

/* Appends the tokens of a .x text as a binary file. Numbers with a decimal point become floats of real_size
 * bytes (4 or 8). Consecutive numbers of one type become lists. */
void sample_x_binary(const char *text, uint32_t real_size, mmd_buffer *out);

/* Appends a .x file, text or binary, in compressed form: MSZIP blocks of 32 KiB. */
void sample_x_compressed(const void *data, size_t size, mmd_buffer *out);

/* Appends a grid of quads with normals, about 60 bytes of text per vertex. */
void sample_x_grid(uint32_t side, mmd_buffer *out);

#endif
