/*
 * Planes of a picture as OpenEXR files: depth, normals and ids of every pixel. NAME.exr beside NAME.png has
 * one part of scan lines, ZIP compression, and the channels Z (float), N.X, N.Y, N.Z (float), id.model,
 * id.material and id.bone (uint, numbered as in pictures of ids). The names of ids are in the attribute
 * `odori.ids`, as in mmd/ids.h; how the picture was made is in `odori.scene`.
 */
#ifndef ODORI_EXR_H
#define ODORI_EXR_H

#include "mmd/ids.h"
#include "mmd/view.h"

/* Depth of pixels that show nothing, as Blender writes and expects it. */
#define EXR_NO_DEPTH 1e10f

enum { EXR_DEPTH = 1, EXR_NORMALS = 2, EXR_IDS = 4 };

/* Planes to write. ids is needed for all of them. */
typedef struct exr_planes {
    unsigned kinds; /* EXR_DEPTH | ... */
    const mmd_ids_plane *ids;
    const mmd_view_surface *surfaces; /* as of mmd_view_surfaces; NULL for ids alone */
    const char *origin;               /* the text of odori.scene, or NULL */
} exr_planes;

/* Appends the file. MMD_ERROR_MEMORY. */
mmd_status exr_write(const exr_planes *planes, mmd_buffer *exr, mmd_error *error);

/* Returns whether a file begins like an OpenEXR file. */
bool exr_is(const void *data, size_t size);

/*
 * Read a file with one part of scan lines, not compressed or with RLE, ZIPS or ZIP, and at most 64 channels.
 * exr_read_ids reads ids for a picture of the given size, with the errors of mmd_ids_decode. exr_read_mask
 * makes a picture that is black where the file shows nothing: all channels are 0 (Z also from 1e10 on) or a
 * channel A is; elsewhere it is white. MMD_ERROR_MAGIC: not OpenEXR; MMD_ERROR_UNSUPPORTED: another kind;
 * MMD_ERROR_SYNTAX: damaged; MMD_ERROR_LIMIT: too large; MMD_ERROR_MEMORY. Finish the result in either case.
 */
mmd_status exr_read_ids(const void *data, size_t size, uint32_t width, uint32_t height, mmd_ids *ids,
                        mmd_error *error);
mmd_status exr_read_mask(const void *data, size_t size, mmd_image *image, mmd_error *error);

/* Reads ids of a picture of the given size from a file of either kind, EXR or PNG. The error names the file.
 * Finish the ids in either case. */
mmd_status exr_or_png_read_ids(const char *path, uint32_t width, uint32_t height, mmd_ids *ids,
                               mmd_error *error);

/* Reads a mask from a file of any kind: an EXR, or a picture that mmd_image_read knows. Finish the image in
 * either case. */
mmd_status exr_or_picture_read_mask(const char *path, mmd_image *image, mmd_error *error);

/* Writes "dir/NAME.exr" for "dir/NAME.png" (any extension). Returns false if it is too long, or the same
 * path. */
bool exr_path_beside(const char *picture, char *path, size_t capacity);

#endif
