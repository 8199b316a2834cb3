/* Builds the mask of a pair from the options: rectangles, a picture, edges, materials and bones. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "mmd/memory.h"

enum { STEP_LEVELS = 12 }; /* difference in levels that counts as an edge in a picture without ids */

bool mask_wanted(const diff_options *o)
{
    return o->rectangle_count || o->mask || o->mask_edges || mask_needs_ids(o);
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

/* A mask by the names of materials or bones. */
typedef struct name_mask {
    const char *option;
    const text_list *names; /* lists that are separated by commas */
    unsigned label;         /* MMD_LABEL_MATERIAL or MMD_LABEL_BONE */
    bool physics;           /* also the bones that physics moves */
    mmd_mask_action action;
} name_mask;

/* Reports names that no material or bone has, which would mask nothing without notice. */
static bool check_names(const name_mask *m, const mmd_ids_part *parts, size_t count, problem *why)
{
    for (size_t i = 0; m->names && i < m->names->count; i++) {
        for (const char *name = m->names->items[i];;) {
            size_t length = strcspn(name, ","), found = 0;
            while (found < count &&
                   (strlen(parts[found].name) != length || memcmp(parts[found].name, name, length) != 0))
                found++;
            if (found == count)
                return problem_set(why, EXIT_USAGE, "%s: no model in A has a %s \"%.*s\"", m->option,
                                   m->label == MMD_LABEL_BONE ? "bone" : "material", (int)length, name);
            if (!name[length])
                break;
            name += length + 1;
        }
    }
    return true;
}

/* Masks by names. */
static bool apply_names(const name_mask *m, const mmd_ids *ids, const mmd_label_plane *labels, mmd_mask *mask,
                        problem *why)
{
    if (!ids)
        return problem_set(why, EXIT_INPUT,
                           "%s needs the ids of the pixels of A: give a file with --ids, or NAME.ids.png "
                           "beside A, which `odori shot --ids` writes",
                           m->option);
    const mmd_ids_part *parts = m->label == MMD_LABEL_BONE ? ids->bones : ids->materials;
    size_t part_count = m->label == MMD_LABEL_BONE ? ids->bone_count : ids->material_count, count = 0;
    if (!check_names(m, parts, part_count, why))
        return false;
    uint32_t *list = mmd_alloc((part_count + 1) * sizeof *list);
    if (!list)
        return problem_out_of_memory(why);
    for (size_t i = 0; i < part_count; i++) {
        bool masked = m->physics && parts[i].physics;
        for (size_t k = 0; m->names && k < m->names->count && !masked; k++)
            masked = is_in_list(parts[i].name, m->names->items[k]);
        if (masked)
            list[count++] = (uint32_t)i + 1;
    }
    mmd_mask_labels(mask, labels, m->label, list, count, m->action);
    mmd_free(list);
    return true;
}

bool mask_needs_ids(const diff_options *o)
{
    return o->mask_bones.count || o->mask_physics || o->mask_materials.count || o->keep_materials.count;
}

/* Masks by the names of all options. */
static bool apply_all_names(const diff_options *o, const mmd_ids *ids, const mmd_label_plane *labels,
                            mmd_mask *mask, problem *why)
{
    const name_mask all[] = {
        {"--keep-materials", &o->keep_materials, MMD_LABEL_MATERIAL, false, MMD_MASK_KEEP},
        {"--mask-materials", &o->mask_materials, MMD_LABEL_MATERIAL, false, MMD_MASK_REMOVE},
        {"--mask-bones", &o->mask_bones, MMD_LABEL_BONE, false, MMD_MASK_REMOVE},
        {"--mask-physics", NULL, MMD_LABEL_BONE, o->mask_physics, MMD_MASK_REMOVE},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if ((all[i].physics || (all[i].names && all[i].names->count)) &&
            !apply_names(&all[i], ids, labels, mask, why))
            return false;
    return true;
}

bool mask_make(const diff_options *o, const mmd_image *a, const mmd_image *picture, const mmd_ids *ids,
               mmd_mask *mask, problem *why)
{
    const mmd_label_plane labels = ids ? mmd_ids_labels(ids) : (mmd_label_plane){0};
    mmd_error error = {0};
    if (mmd_mask_init(mask, a->width, a->height, NULL) != MMD_OK)
        return problem_out_of_memory(why);
    apply_rectangles(o, mask);
    if (picture && (picture->width != mask->width || picture->height != mask->height))
        return problem_set(why, EXIT_INPUT, "%s: the mask has %ux%u pixels, but A has %ux%u", o->mask,
                           picture->width, picture->height, mask->width, mask->height);
    if (picture)
        mmd_mask_picture(mask, picture, MMD_MASK_REMOVE);
    if (!apply_all_names(o, ids, &labels, mask, why))
        return false;
    if (o->mask_edges && mmd_mask_edges_or_steps(mask, ids ? &labels : NULL, a, STEP_LEVELS, o->mask_edges,
                                                 MMD_MASK_REMOVE, &error) != MMD_OK)
        return problem_from(why, &error);
    return true;
}
