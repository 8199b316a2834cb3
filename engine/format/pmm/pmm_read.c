/* MMD's projects, read: the walk over a copy of the file that the project keeps. */
#include "pmm_io.h"

#include <assert.h>
#include <string.h>

uint32_t mmd_project_version(const mmd_project *project)
{
    enum { DIGIT = 23 };
    uint32_t version = (uint32_t)project->magic[DIGIT] - '0';
    return version == 1 || version == 2 ? version : 0;
}

/* A project in an arena of its own, with a copy of the bytes. NULL: out of memory. */
static mmd_project *start(const void *data, size_t size, uint8_t **copy)
{
    mmd_arena arena = {0};
    mmd_project *project = mmd_arena_alloc(&arena, 1, sizeof *project);
    *copy = mmd_arena_alloc(&arena, size, 1);
    if (!project || !*copy) {
        mmd_arena_finish(&arena);
        return NULL;
    }
    if (size)
        memcpy(*copy, data, size);
    project->arena = arena;
    return project;
}

mmd_status mmd_pmm_read(const void *data, size_t size, mmd_project **result, mmd_error *error)
{
    assert(data || size == 0);
    *result = NULL;
    if (size > INT32_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "header", 0, "a project of over two gigabytes");
    uint8_t *copy;
    mmd_project *project = start(data, size, &copy);
    if (!project)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "header", 0, "no memory for the project");
    pmm_io io = {.cursor = mmd_cursor_make(copy, size, error), .project = project, .owner = -1};
    pmm_project(&io);
    mmd_arena_finish(&io.scratch);
    if (pmm_ok(&io))
        *result = project;
    else
        mmd_project_destroy(project);
    return io.cursor.status;
}

void mmd_project_destroy(mmd_project *project)
{
    if (!project)
        return;
    /* The project itself lies in its arena. */
    mmd_arena arena = project->arena;
    mmd_arena_finish(&arena);
}

static bool set_name(mmd_project *project, mmd_project_text *name, const char *text)
{
    const char *copy = mmd_arena_text(&project->arena, text, strlen(text));
    if (copy)
        name->text = copy;
    return copy != NULL;
}

/* Whose IK a model's file lists, into list (NULL: none of them); returned is how many. */
static uint32_t list_ik(const mmd_model *model, int32_t *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->pmd_ik_count; i++, count++)
        if (list)
            list[count] = model->pmd_ik_bones[i];
    for (uint32_t i = 0; model->origin != MMD_ORIGIN_PMD && i < model->bone_count; i++) {
        if (!(model->bones[i].flags & MMD_BONE_IK))
            continue;
        if (list)
            list[count] = (int32_t)i;
        count++;
    }
    return count;
}

mmd_status mmd_project_take_names(mmd_project *project, uint32_t number, const mmd_model *model,
                                  mmd_error *error)
{
    assert(project && model && number < project->model_count);
    mmd_project_model *to = &project->models[number];
    uint32_t bones = 0, ik = list_ik(model, NULL);
    while (bones < model->bone_count && !model->bones[bones].internal)
        bones++;
    /* The reader of PMD leaves out `base`, the first morph. */
    uint32_t base = model->origin == MMD_ORIGIN_PMD && to->morph_count == model->morph_count + 1;
    bool same_bones = to->bone_count == bones, same_morphs = to->morph_count == model->morph_count + base;
    bool has_room = true;
    for (uint32_t i = 0; same_bones && i < bones && has_room; i++)
        has_room = set_name(project, &to->bones[i].name, model->bones[i].name);
    for (uint32_t i = 0; same_morphs && i < to->morph_count && has_room; i++)
        has_room = set_name(project, &to->morphs[i].name, i < base ? "base" : model->morphs[i - base].name);
    if (!has_room)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "model", MMD_NO_OFFSET, "no memory for the names");
    if (same_bones && to->ik_count == ik)
        list_ik(model, to->ik_bones);
    if (same_bones && same_morphs && to->ik_count == ik)
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_COUNT, "model", MMD_NO_OFFSET,
                         "it has %u bones, %u morphs and %u IK, where the project has keys for %u, %u and %u",
                         bones, model->morph_count + base, ik, to->bone_count, to->morph_count, to->ik_count);
}
