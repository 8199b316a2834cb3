/* MMD's projects, read: the walk over a copy of the file that the project keeps. */
#include "pmm_io.h"

#include <assert.h>
#include <string.h>

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
