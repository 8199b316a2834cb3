/* Picture files, and pixel masks for diff and check. */
#ifndef ODORI_PICTURE_H
#define ODORI_PICTURE_H

#include "mmd/compare.h"
#include "mmd/image.h"

/* Reads a picture of any kind that mmd_image_decode knows. Finish the image in either case. The error names
 * the file. */
mmd_status picture_read(const char *path, mmd_image *image, mmd_error *error);

/* Reads a mask in the same way: also OpenEXR, which is black where it shows nothing (exr_read_mask). */
mmd_status picture_read_mask(const char *path, mmd_image *image, mmd_error *error);

/* Creates a mask of this size with all pixels set; reuses the memory of a mask that has this size already.
 * Returns false if out of memory. The mask must be zeroed before the first call; mask_finish frees it. */
bool mask_start(mmd_mask *mask, uint32_t width, uint32_t height);
void mask_finish(mmd_mask *mask);

/* Applies an action to the pixels closer than distance to an edge: where model or material change, or, if
 * labels is NULL, where neighbouring pixels of the picture differ by more than levels. MMD_ERROR_MEMORY. */
mmd_status mask_near_edges(mmd_mask *mask, const mmd_label_plane *labels, const mmd_image *picture,
                           uint8_t levels, uint32_t distance, mmd_mask_action action, mmd_error *error);

#endif
