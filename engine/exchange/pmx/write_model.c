/*
 * A model as a PMX program can do with it: names that are there and of which
 * each is one bone's or morph's only, tails to draw bones by, and the frames
 * of the display, without which MMD shows neither bones nor morphs. All else
 * stays as its reader made it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "write.h"

/* ----------------------------------------------------------------- names */

typedef struct named {
    const char *name;
    uint32_t number;
} named;

static int compare_named(const void *a, const void *b)
{
    const named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static bool is_taken(const named *sorted, uint32_t count, const char *name)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(sorted[middle].name, name);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Of equal names all but the first get a number that no other has. */
static void make_unique(pmx_target *target, named *sorted, uint32_t count, const char **names)
{
    unsigned next = 2;
    for (uint32_t i = 1; i < count && !target->failed; i++) {
        char text[512];
        bool same = strcmp(sorted[i].name, sorted[i - 1].name) == 0;
        next = same ? next : 2;
        if (!same)
            continue;
        do {
            snprintf(text, sizeof text, "%.480s %u", sorted[i].name, next++);
        } while (is_taken(sorted, count, text));
        names[sorted[i].number] = target_text(target, text);
    }
}

static void unite(pmx_target *target, const char **names, uint32_t count)
{
    named *sorted = target_alloc(target, count, sizeof *sorted);
    for (uint32_t i = 0; sorted && i < count; i++)
        sorted[i] = (named){names[i], i};
    if (!sorted || count == 0)
        return;
    qsort(sorted, count, sizeof *sorted, compare_named);
    make_unique(target, sorted, count, names);
}

int32_t target_find_bone(pmx_target *target, const char *name)
{
    const mmd_model *model = &target->model;
    if (!target->bones_by_name) {
        named *sorted = target_alloc(target, model->bone_count, sizeof *sorted);
        uint32_t *order = target_alloc(target, model->bone_count, sizeof *order);
        if (target->failed)
            return -1;
        for (uint32_t i = 0; i < model->bone_count; i++)
            sorted[i] = (named){model->bones[i].name, i};
        if (model->bone_count)
            qsort(sorted, model->bone_count, sizeof *sorted, compare_named);
        for (uint32_t i = 0; i < model->bone_count; i++)
            order[i] = sorted[i].number;
        target->bones_by_name = order;
    }
    uint32_t low = 0, high = model->bone_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(model->bones[target->bones_by_name[middle]].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < model->bone_count && strcmp(model->bones[target->bones_by_name[low]].name, name) == 0;
    return found ? (int32_t)target->bones_by_name[low] : -1;
}

/* ----------------------------------------------------------------- bones */

static bool same_place(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Bones without a tail point to their first child. */
static void point_to_children(mmd_model *model)
{
    for (uint32_t i = model->bone_count; i-- > 0;) {
        int32_t number = model->bones[i].parent;
        mmd_bone *parent = number < 0 ? NULL : &model->bones[number];
        if (!parent || same_place(parent->position, model->bones[i].position))
            continue;
        parent->flags |= MMD_BONE_TAIL_IS_BONE;
        parent->tail_bone = (int32_t)i;
    }
}

static void write_bones(pmx_target *target)
{
    mmd_model *model = &target->model;
    mmd_bone *bones = target_alloc(target, model->bone_count, sizeof *bones);
    const char **names = target_alloc(target, model->bone_count, sizeof *names);
    if (target->failed)
        return;
    for (uint32_t i = 0; i < model->bone_count; i++) {
        bones[i] = model->bones[i];
        names[i] = target_name(target, bones[i].name, "node", i);
    }
    model->bones = bones;
    unite(target, names, model->bone_count);
    for (uint32_t i = 0; i < model->bone_count; i++)
        bones[i].name = names[i];
    if (model->origin == MMD_ORIGIN_GLTF)
        point_to_children(model);
}

static void write_morphs(pmx_target *target)
{
    mmd_model *model = &target->model;
    mmd_morph *morphs = target_alloc(target, model->morph_count, sizeof *morphs);
    const char **names = target_alloc(target, model->morph_count, sizeof *names);
    if (target->failed)
        return;
    for (uint32_t i = 0; i < model->morph_count; i++) {
        morphs[i] = model->morphs[i];
        names[i] = target_name(target, morphs[i].name, "morph", i);
    }
    model->morphs = morphs;
    unite(target, names, model->morph_count);
    for (uint32_t i = 0; i < model->morph_count; i++)
        morphs[i].name = names[i];
}

static void write_materials(pmx_target *target)
{
    mmd_model *model = &target->model;
    mmd_material *materials = target_alloc(target, model->material_count, sizeof *materials);
    for (uint32_t i = 0; materials && i < model->material_count; i++) {
        materials[i] = model->materials[i];
        materials[i].name = target_name(target, materials[i].name, "material", i);
    }
    if (materials)
        model->materials = materials;
}

/* ---------------------------------------------------------------- frames */

static const mmd_frame_item *items_of(pmx_target *target, uint8_t kind, uint32_t first, uint32_t count)
{
    mmd_frame_item *items = target_alloc(target, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; i++)
        items[i] = (mmd_frame_item){.kind = kind, .index = (int32_t)(first + i)};
    return items;
}

/* The two that every PMX begins with, and one of all other bones. */
static void write_frames(pmx_target *target)
{
    mmd_model *model = &target->model;
    uint32_t bones = model->bone_count;
    if (model->frame_count)
        return;
    mmd_display_frame *frames = target_alloc(target, 3, sizeof *frames);
    if (!frames)
        return;
    frames[0] = (mmd_display_frame){"Root", "Root", 1, bones > 0, items_of(target, 0, 0, bones > 0)};
    frames[1] =
        (mmd_display_frame){"表情", "Exp", 1, model->morph_count, items_of(target, 1, 0, model->morph_count)};
    if (bones > 1)
        frames[2] = (mmd_display_frame){"ボーン", "Bones", 0, bones - 1, items_of(target, 0, 1, bones - 1)};
    model->frames = frames;
    model->frame_count = bones > 1 ? 3 : 2;
}

/* ------------------------------------------------------------------- all */

/* The file's name without its ending. */
static const char *stem_of(pmx_target *target)
{
    const mmd_exchange_options *options = target->job->options;
    const char *name = options && options->name && options->name[0] ? options->name : "model.pmx";
    char text[256];
    const char *end = strrchr(name, '.');
    int length = end && end > name ? (int)(end - name) : (int)strlen(name);
    snprintf(text, sizeof text, "%.*s", length, name);
    return target_text(target, text);
}

void target_write_model(pmx_target *target)
{
    mmd_model *model = &target->model;
    const char *stem = stem_of(target);
    if (target->job->model)
        *model = *target->job->model;
    else
        *model = (mmd_model){.name = "", .name_en = "", .comment = "", .comment_en = ""};
    if (!model->name[0])
        model->name = stem;
    model->physscene = NULL;
    model->body_count = model->joint_count = 0;
    if (target->job->source != MMD_EXCHANGE_PMX)
        model->layout = (mmd_pmx_layout){.encoding = 0};
    write_bones(target);
    write_morphs(target);
    write_materials(target);
    write_frames(target);
}
