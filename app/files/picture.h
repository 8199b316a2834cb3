/* Picture files, and masks of pixels that both diff and check make of pictures and ids. */
#ifndef ODORI_PICTURE_H
#define ODORI_PICTURE_H

#include "mmd/compare.h"
#include "mmd/image.h"

/* Reads a picture of any kind that mmd_image_decode knows. Finish the image in any case. The error names the
 * file. */
mmd_status picture_read(const char *path, mmd_image *image, mmd_error *error);

/* Makes a mask of this size that names every pixel; keeps the memory of one that has the size already. False:
 * out of memory. mask is zeroed at first; mask_finish frees it. */
bool mask_start(mmd_mask *mask, uint32_t width, uint32_t height);
void mask_finish(mmd_mask *mask);

/*
 * Names the pixels fewer than distance from an edge: from where model or
 * material change, or, where labels is NULL, from a step of more than levels
 * in the picture. MMD_ERROR_MEMORY.
 */
mmd_status mask_near_edges(mmd_mask *mask, const mmd_label_plane *labels, const mmd_image *picture,
                           uint8_t levels, uint32_t distance, mmd_mask_action action, mmd_error *error);

#endif
