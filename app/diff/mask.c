/* Builds the mask of a pair from the options: rectangles, a picture, edges and bones. */
#include <stdlib.h>
#include <string.h>

#include "files/picture.h"
#include "internal.h"
#include "mmd/memory.h"

enum { STEP_LEVELS = 12 }; /* difference in levels that counts as an edge in a picture without ids */

bool mask_wanted(const diff_options *o)
{
    return o->rectangle_count || o->mask || o->mask_edges || o->mask_bones.count || o->mask_physics;
}

/* Masks everything outside of the rectangles to keep, if there are any, and the rectangles to remove. */
static void apply_rectangles(const diff_options *o, mmd_mask *mask)
{
    bool keep = false;
    for (size_t i = 0; i < o->rectangle_count; i++) {
        const diff_rectangle *r = &o->rectangles[i];
        keep = keep || r->keep;
        if (r->keep)
            mmd_mask_rectangle(mask, r->x, r->y, r->width, r->height, MMD_MASK_REMOVE);
    }
    for (size_t i = 0; keep && i < (size_t)mask->width * mask->height; i++)
        mask->pixels[i] = (uint8_t)~mask->pixels[i];
    for (size_t i = 0; i < o->rectangle_count; i++) {
        const diff_rectangle *r = &o->rectangles[i];
        if (!r->keep)
            mmd_mask_rectangle(mask, r->x, r->y, r->width, r->height, MMD_MASK_REMOVE);
    }
}

/* Returns whether a bone of the picture has this name. */
static bool is_bone(const ids_picture *ids, const char *name, size_t length)
{
    for (size_t i = 0; i < ids->bone_count; i++)
        if (strlen(ids->bones[i].name) == length && memcmp(ids->bones[i].name, name, length) == 0)
            return true;
    return false;
}

/* Returns whether a list that is separated by commas contains a name. */
static bool is_in_list(const char *name, const char *list)
{
    size_t size = strlen(name);
    for (;;) {
        size_t length = strcspn(list, ",");
        if (length == size && memcmp(name, list, size) == 0)
            return true;
        if (!list[length])
            return false;
        list += length + 1;
    }
}

/* Masks the pixels that the bones of --mask-bones move, and with --mask-physics those that physics moves. */
static bool apply_bones(const diff_options *o, const ids_picture *ids, const mmd_label_plane *labels,
                        mmd_mask *mask, problem *why)
{
    if (!ids)
        return problem_set(why, EXIT_INPUT,
                           "%s needs the ids of the pixels of A: give a file with --ids, or NAME.ids.png "
                           "beside A, which `odori shot --ids` writes",
                           o->mask_physics ? "--mask-physics" : "--mask-bones");

    /* Reports names that no bone has, which would mask nothing without notice. */
    for (size_t i = 0; i < o->mask_bones.count; i++) {
        for (const char *name = o->mask_bones.items[i];;) {
            size_t length = strcspn(name, ",");
            if (!is_bone(ids, name, length))
                return problem_set(why, EXIT_USAGE, "--mask-bones: no model in A has a bone \"%.*s\"", (int)length,
                                   name);
            if (!name[length])
                break;
            name += length + 1;
        }
    }

    uint32_t *list = mmd_alloc((ids->bone_count + 1) * sizeof *list);
    size_t count = 0;
    if (!list)
        return problem_out_of_memory(why);
    for (size_t i = 0; i < ids->bone_count; i++) {
        bool masked = o->mask_physics && ids->bones[i].physics;
        for (size_t k = 0; k < o->mask_bones.count && !masked; k++)
            masked = is_in_list(ids->bones[i].name, o->mask_bones.items[k]);
        if (masked)
            list[count++] = (uint32_t)i + 1;
    }
    mmd_mask_labels(mask, labels, MMD_LABEL_BONE, list, count, MMD_MASK_REMOVE);
    mmd_free(list);
    return true;
}

bool mask_make(const diff_options *o, const mmd_image *a, const mmd_image *picture, const ids_picture *ids,
               mmd_mask *mask, problem *why)
{
    const mmd_label_plane labels = {
        .width = a->width, .height = a->height, .ids = ids ? (const uint32_t(*)[3])ids->ids : NULL};
    mmd_error error = {0};
    if (!mask_start(mask, a->width, a->height))
        return problem_out_of_memory(why);
    apply_rectangles(o, mask);
    if (picture && (picture->width != mask->width || picture->height != mask->height))
        return problem_set(why, EXIT_INPUT, "%s: the mask has %ux%u pixels, but A has %ux%u", o->mask, picture->width,
                           picture->height, mask->width, mask->height);
    if (picture)
        mmd_mask_picture(mask, picture, MMD_MASK_REMOVE);
    if ((o->mask_bones.count || o->mask_physics) && !apply_bones(o, ids, &labels, mask, why))
        return false;
    if (o->mask_edges && mask_near_edges(mask, ids ? &labels : NULL, a, STEP_LEVELS, o->mask_edges,
                                         MMD_MASK_REMOVE, &error) != MMD_OK)
        return problem_from(why, &error);
    return true;
}
