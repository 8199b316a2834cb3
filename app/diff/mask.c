/* The mask of a pair from the options: rectangles, a picture, edges, bones. */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "internal.h"
#include "mmd/memory.h"

enum { STEP_LEVELS = 12 }; /* a step in a picture that counts as an edge where there are no ids */

bool mask_wanted(const diff_options *o)
{
    return o->rectangle_count || o->mask || o->mask_edges || o->mask_bones.count || o->mask_physics;
}

/* Sets the rectangle's pixels. */
static void fill(mmd_mask *mask, const diff_rectangle *r)
{
    int64_t left = r->x > 0 ? r->x : 0, top = r->y > 0 ? r->y : 0;
    int64_t right = (int64_t)r->x + r->width, bottom = (int64_t)r->y + r->height;
    right = right < mask->width ? right : mask->width;
    bottom = bottom < mask->height ? bottom : mask->height;
    for (int64_t y = top; y < bottom && left < right; y++)
        memset(mask->pixels + y * mask->width + left, 255, (size_t)(right - left));
}

/* Kept is what lies in any of the rectangles to keep, all where there are none, less those to remove. */
static void apply_rectangles(const diff_options *o, mmd_mask *mask)
{
    bool keep = false;
    for (size_t i = 0; i < o->rectangle_count; i++)
        keep = keep || o->rectangles[i].keep;
    memset(mask->pixels, keep ? 0 : 255, (size_t)mask->width * mask->height);
    for (size_t i = 0; i < o->rectangle_count; i++)
        if (o->rectangles[i].keep)
            fill(mask, &o->rectangles[i]);
    for (size_t i = 0; i < o->rectangle_count; i++) {
        const diff_rectangle *r = &o->rectangles[i];
        if (!r->keep)
            mmd_mask_rectangle(mask, r->x, r->y, r->width, r->height, MMD_MASK_REMOVE);
    }
}

static int apply_picture(const diff_options *o, const mmd_image *picture, mmd_mask *mask)
{
    if (picture->width != mask->width || picture->height != mask->height) {
        message("%s: the mask has %ux%u pixels, A has %ux%u", o->mask, picture->width, picture->height,
                mask->width, mask->height);
        return EXIT_INPUT;
    }
    mmd_mask_picture(mask, picture, MMD_MASK_REMOVE);
    return EXIT_DONE;
}

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

static bool is_masked_bone(const diff_options *o, const ids_part *bone)
{
    if (o->mask_physics && bone->physics)
        return true;
    for (size_t i = 0; i < o->mask_bones.count; i++)
        if (is_in_list(bone->name, o->mask_bones.items[i]))
            return true;
    return false;
}

static bool is_bone(const ids_picture *ids, const char *name, size_t length)
{
    for (size_t i = 0; i < ids->bone_count; i++)
        if (strlen(ids->bones[i].name) == length && memcmp(ids->bones[i].name, name, length) == 0)
            return true;
    return false;
}

/* A mistyped name would mask nothing and say nothing. */
static int check_names(const diff_options *o, const ids_picture *ids)
{
    for (size_t i = 0; i < o->mask_bones.count; i++) {
        const char *name = o->mask_bones.items[i];
        for (;;) {
            size_t length = strcspn(name, ",");
            if (!is_bone(ids, name, length)) {
                message("--mask-bones: no model of A has a bone \"%.*s\"", (int)length, name);
                return EXIT_USAGE;
            }
            if (!name[length])
                break;
            name += length + 1;
        }
    }
    return EXIT_DONE;
}

static int apply_bones(const diff_options *o, const ids_picture *ids, const mmd_label_plane *labels,
                       mmd_mask *mask)
{
    if (!ids) {
        message("%s needs the ids of A's pixels: NAME.ids.png beside A, which `odori shot --ids` writes, or "
                "--ids",
                o->mask_physics ? "--mask-physics" : "--mask-bones");
        return EXIT_INPUT;
    }
    int result = check_names(o, ids);
    if (result != EXIT_DONE)
        return result;
    uint32_t *list = mmd_alloc((ids->bone_count + 1) * sizeof *list);
    size_t count = 0;
    if (!list) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    for (size_t i = 0; i < ids->bone_count; i++)
        if (is_masked_bone(o, &ids->bones[i]))
            list[count++] = (uint32_t)i + 1;
    mmd_mask_labels(mask, labels, MMD_LABEL_BONE, list, count, MMD_MASK_REMOVE);
    mmd_free(list);
    return EXIT_DONE;
}

static int apply_edges(const diff_options *o, const mmd_image *a, const mmd_label_plane *labels,
                       mmd_mask *mask)
{
    mmd_error error = {0};
    mmd_status status = labels ? mmd_mask_edges(mask, labels, MMD_LABEL_MODEL | MMD_LABEL_MATERIAL,
                                                o->mask_edges, MMD_MASK_REMOVE, &error)
                               : mmd_mask_steps(mask, a, STEP_LEVELS, o->mask_edges, MMD_MASK_REMOVE, &error);
    return status == MMD_OK ? EXIT_DONE : report(&error);
}

int mask_make(const diff_options *o, const mmd_image *a, const mmd_image *picture, const ids_picture *ids,
              mmd_mask *mask)
{
    mmd_label_plane labels = {
        .width = a->width, .height = a->height, .ids = ids ? (const uint32_t(*)[3])ids->ids : NULL};
    int result = EXIT_DONE;
    apply_rectangles(o, mask);
    if (picture)
        result = apply_picture(o, picture, mask);
    if (result == EXIT_DONE && (o->mask_bones.count || o->mask_physics))
        result = apply_bones(o, ids, &labels, mask);
    if (result == EXIT_DONE && o->mask_edges)
        result = apply_edges(o, a, ids ? &labels : NULL, mask);
    return result;
}
