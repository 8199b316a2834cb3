/*
 * Ids of a picture: which model, material and bone each of its pixels shows, and their names. With them, a
 * comparison says where two pictures differ, and masks leave out parts of a model.
 *
 * They are kept beside a picture. NAME.ids.png is a PNG, RGB, three times as high as NAME.png: planes of
 * model, material and dominant bone from top to bottom, each pixel a 24-bit number with R as its high byte: 0
 * nothing, else index + 1 (of a material or bone: within its model). The text chunk `odori.ids` names them:
 * {"models":[{"name","materials":["…"],"bones":[{"name","physics":true}]}]}.
 *
 * All functions may be called from any thread.
 */
#ifndef MMD_IDS_H
#define MMD_IDS_H

#include "mmd/compare.h"
#include "mmd/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Reading --- */

/* A material or a bone. Those of all models are in one list. */
typedef struct mmd_ids_part {
    const char *name;
    uint32_t model, index; /* index within its model */
    bool physics;          /* a bone that is driven by a rigid body */
} mmd_ids_part;

/* Ids in memory, finished with mmd_ids_finish. Zeroed is valid and empty. */
typedef struct mmd_ids {
    uint32_t width, height;
    uint32_t (*ids)[3]; /* per pixel, top row first: model, material, bone; 0 for nothing, otherwise 1 + index
                           into the lists below */
    const char **models; /* names */
    mmd_ids_part *materials, *bones;
    size_t model_count, material_count, bone_count;
    mmd_arena arena; /* of everything above */
} mmd_ids;

/*
 * Reads the ids of a picture of the given size from a PNG. Fails with MMD_ERROR_MAGIC (not a PNG, or one
 * without names), MMD_ERROR_SYNTAX (names that are not the expected JSON), MMD_ERROR_VALUE (another size),
 * MMD_ERROR_INDEX (an id without a name), MMD_ERROR_LIMIT (over 65,536 models, materials or bones),
 * MMD_ERROR_TRUNCATED (damaged) and MMD_ERROR_MEMORY. Finish the ids in either case.
 */
mmd_status mmd_ids_decode(const void *data, size_t size, uint32_t width, uint32_t height, mmd_ids *ids,
                          mmd_error *error);

/* Reads a file likewise. Fails also like mmd_file_read; the error names the file. */
mmd_status mmd_ids_read(const char *path, uint32_t width, uint32_t height, mmd_ids *ids, mmd_error *error);

void mmd_ids_finish(mmd_ids *ids);

/*
 * Completes ids that were read from another format, whose numbers are those of a file: takes the names from
 * the JSON of odori.ids, and makes numbers within a model indices into the lists of all. Fails like
 * mmd_ids_decode.
 */
mmd_status mmd_ids_apply_names(mmd_ids *ids, const char *names, mmd_error *error);

/* Returns the ids for the functions of compare.h. They belong to ids. */
static inline mmd_label_plane mmd_ids_labels(const mmd_ids *ids)
{
    const mmd_label_plane labels = {ids->width, ids->height, (const uint32_t(*)[3])ids->ids};
    return labels;
}

/* Writes the name of the file beside a picture: "dir/NAME.ids.png" for "dir/NAME.png" (any extension).
 * Returns false if it is too long. */
bool mmd_ids_path_beside(const char *picture, char *path, size_t capacity);

/* --- Masks --- */

/* Some models, materials or bones. */
typedef struct mmd_ids_choice {
    unsigned part;            /* MMD_LABEL_MODEL, _MATERIAL or _BONE */
    const char *const *names; /* all of these names, of any model */
    size_t name_count;
    bool physics; /* also the bones that are driven by a rigid body; part is MMD_LABEL_BONE */
} mmd_ids_choice;

/*
 * Selects the pixels of a mask (compare.h) that show what is chosen. ids have the mask's size. Fails with
 * MMD_ERROR_NOT_FOUND if no model has one of the names, which would select nothing without notice, and with
 * MMD_ERROR_MEMORY; the mask is as it was then.
 */
mmd_status mmd_mask_ids(mmd_mask *mask, const mmd_ids *ids, const mmd_ids_choice *choice,
                        mmd_mask_action action, mmd_error *error);

/* --- Writing --- */

/* Writes ids to a PNG file that mmd_ids_read reads. Nobody sees an incomplete file (mmd_file_write). Fails with
 * MMD_ERROR_IO, MMD_ERROR_VALUE (no pixels) and MMD_ERROR_MEMORY; the error names the file. */
mmd_status mmd_ids_write(const char *path, const mmd_ids *ids, mmd_error *error);

/* The names of one model. */
typedef struct mmd_ids_bone {
    const char *name;
    bool physics;
} mmd_ids_bone;

typedef struct mmd_ids_model {
    const char *name;
    const char *const *materials;
    size_t material_count;
    const mmd_ids_bone *bones;
    size_t bone_count;
} mmd_ids_model;

/* Ids in the caller's memory, numbered as in files: 0 for nothing, 1 + index of the model, and for material and
 * bone 1 + index within that model. (mmd_view_ids counts from 0, with MMD_VIEW_NO_ID for nothing: add 1.) */
typedef struct mmd_ids_plane {
    uint32_t width, height;
    const uint32_t (*ids)[3];
    const mmd_ids_model *models;
    size_t model_count;
} mmd_ids_plane;

/* Copies ids that were just drawn, as if they had been written and read again. Fails like mmd_ids_decode.
 * Finish the ids in either case. */
mmd_status mmd_ids_make(const mmd_ids_plane *plane, mmd_ids *ids, mmd_error *error);

/* Appends the PNG. Fails with MMD_ERROR_VALUE (no pixels), MMD_ERROR_LIMIT (an id over 24 bits) and MMD_ERROR_MEMORY. */
mmd_status mmd_ids_encode(const mmd_ids_plane *plane, mmd_buffer *png, mmd_error *error);

/* Appends the names as JSON, with a terminator, for other formats. Fails with MMD_ERROR_MEMORY. */
mmd_status mmd_ids_names(const mmd_ids_plane *plane, mmd_buffer *json, mmd_error *error);

#ifdef __cplusplus
}
#endif

#endif
