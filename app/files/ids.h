/*
 * The picture of ids beside a picture: which model, material and bone each
 * pixel shows. NAME.ids.png is a PNG, RGB, three times as high as NAME.png:
 * planes of model, material and dominant bone from top to bottom, each pixel
 * a 24-bit number with R as its high byte: 0 nothing, else index + 1 (of a
 * material or bone: within its model). The text chunk `odori.ids` names them:
 * {"models":[{"name","materials":["…"],"bones":[{"name","physics":true}]}]}.
 */
#ifndef ODORI_IDS_H
#define ODORI_IDS_H

#include "mmd/cursor.h"
#include "mmd/memory.h"

/* A material or a bone, of all models in one row. */
typedef struct ids_part {
    const char *name;
    uint32_t model, index; /* index within its model */
    bool physics;          /* a bone that is driven by a rigid body */
} ids_part;

/* An id picture in memory. Valid and empty when zeroed. */
typedef struct ids_picture {
    uint32_t width, height;
    uint32_t (*ids)[3]; /* model, material, bone; 0 for nothing, otherwise 1 + index into the arrays below */
    const char **models;
    ids_part *materials, *bones;
    size_t model_count, material_count, bone_count;
    mmd_arena arena;
} ids_picture;

/*
 * Reads ids for a picture of the given size. MMD_ERROR_MAGIC: not a PNG, or one without names;
 * MMD_ERROR_SYNTAX: names that are not the expected JSON; MMD_ERROR_VALUE: another size; MMD_ERROR_INDEX: an
 * id without a name; MMD_ERROR_LIMIT: over 65536 models, materials or bones; MMD_ERROR_TRUNCATED,
 * MMD_ERROR_MEMORY. Call ids_finish in either case.
 */
mmd_status ids_decode(const void *data, size_t size, uint32_t width, uint32_t height, ids_picture *ids,
                      mmd_error *error);

/*
 * Completes an id picture whose numbers are those of a file: takes the names from the JSON of odori.ids, and
 * makes numbers within a model indices into the lists of all. Errors of ids_decode.
 */
mmd_status ids_apply_names(ids_picture *ids, const char *names, mmd_error *error);

/* Reads ids from a file, a PNG or planes in OpenEXR (exr.h). Also errors of mmd_file_read; the error's file
 * is set. */
mmd_status ids_read(const char *path, uint32_t width, uint32_t height, ids_picture *ids, mmd_error *error);
void ids_finish(ids_picture *ids);

/* Names of one model, for writing. */
typedef struct ids_model_bone {
    const char *name;
    bool physics;
} ids_model_bone;
typedef struct ids_model {
    const char *name;
    const char *const *materials;
    size_t material_count;
    const ids_model_bone *bones;
    size_t bone_count;
} ids_model;

/* Contents of an id picture to write. Material and bone ids are 1 + index within their model. */
typedef struct ids_plane {
    uint32_t width, height;
    const uint32_t (*ids)[3];
    const ids_model *models;
    size_t model_count;
} ids_plane;

/* Returns the names as JSON, to be freed with free; NULL: out of memory. */
char *ids_names(const ids_plane *plane);

/* Appends the PNG. MMD_ERROR_LIMIT: an id over 24 bits; MMD_ERROR_MEMORY. */
mmd_status ids_write(const ids_plane *plane, mmd_buffer *png, mmd_error *error);

/* Writes "dir/NAME.ids.png" for "dir/NAME.png" (any extension). Returns false if it is too long. */
bool ids_path_beside(const char *picture, char *path, size_t capacity);

#endif
