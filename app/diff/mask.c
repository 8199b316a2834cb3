/* Builds the mask of a pair from the options: rectangles, a picture, edges, materials and bones. */
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

/* A mask by the names of materials or bones. */
typedef struct name_mask {
    const char *option;
    const text_list *lists; /* of names that are separated by commas */
    mmd_ids_choice choice;
    mmd_mask_action action;
} name_mask;

/* Adds the names of all lists to the choice, in the arena. Returns false when out of memory. */
static bool split_names(name_mask *m, mmd_arena *arena)
{
    size_t count = 0;
    for (size_t i = 0; i < m->lists->count; i++)
        for (const char *at = m->lists->items[i]; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
            count++;
    const char **names = mmd_arena_alloc(arena, count, sizeof *names);
    m->choice.names = names;
    for (size_t i = 0; names && i < m->lists->count; i++) {
        const char *at = m->lists->items[i];
        for (size_t length = 0; at; at = at[length] ? at + length + 1 : NULL) {
            length = strcspn(at, ",");
            const char *name = mmd_arena_text(arena, at, length);
            if (!name)
                return false;
            names[m->choice.name_count++] = name;
        }
    }
    return names;
}

/* Masks by names. */
static bool apply_names(name_mask *m, const mmd_ids *ids, mmd_mask *mask, problem *why)
{
    mmd_arena arena = {0};
    mmd_error error = {0};
    if (!ids)
        return problem_set(why, EXIT_INPUT,
                           "%s needs the ids of the pixels of A: give a file with --ids, or NAME.ids.png "
                           "beside A, which `odori shot --ids` writes",
                           m->option);
    mmd_status status = MMD_ERROR_MEMORY;
    if (!m->lists || split_names(m, &arena))
        status = mmd_mask_ids(mask, ids, &m->choice, m->action, &error);
    mmd_arena_finish(&arena);
    if (status == MMD_ERROR_NOT_FOUND)
        return problem_set(why, EXIT_USAGE, "%s: %s", m->option, error.message);
    return status == MMD_OK || problem_out_of_memory(why);
}

bool mask_needs_ids(const diff_options *o)
{
    return o->mask_bones.count || o->mask_physics || o->mask_materials.count || o->keep_materials.count;
}

/* Masks by the names of all options. */
static bool apply_all_names(const diff_options *o, const mmd_ids *ids, mmd_mask *mask, problem *why)
{
    const mmd_ids_choice materials = {.part = MMD_LABEL_MATERIAL}, bones = {.part = MMD_LABEL_BONE};
    const mmd_ids_choice physics = {.part = MMD_LABEL_BONE, .physics = o->mask_physics};
    name_mask all[] = {
        {"--keep-materials", &o->keep_materials, materials, MMD_MASK_KEEP},
        {"--mask-materials", &o->mask_materials, materials, MMD_MASK_REMOVE},
        {"--mask-bones", &o->mask_bones, bones, MMD_MASK_REMOVE},
        {"--mask-physics", NULL, physics, MMD_MASK_REMOVE},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if ((all[i].lists ? all[i].lists->count > 0 : all[i].choice.physics) &&
            !apply_names(&all[i], ids, mask, why))
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
    if (!apply_all_names(o, ids, mask, why))
        return false;
    if (o->mask_edges && mmd_mask_edges_or_steps(mask, ids ? &labels : NULL, a, STEP_LEVELS, o->mask_edges,
                                                 MMD_MASK_REMOVE, &error) != MMD_OK)
        return problem_from(why, &error);
    return true;
}
