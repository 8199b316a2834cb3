/* MMD's projects, written: the same walk as the reader's, over a copy of the project's outermost struct. */
#include "pmm_io.h"

#include <assert.h>

mmd_status mmd_pmm_write(const mmd_project *project, mmd_buffer *out, mmd_error *error)
{
    assert(project && out);
    assert(project->model_count <= MMD_PROJECT_MODEL_MAX &&
           project->accessory_count <= MMD_PROJECT_MODEL_MAX);
    mmd_project copy = *project;
    pmm_io io = {.out = out, .cursor = mmd_cursor_make(NULL, 0, error), .project = &copy, .owner = -1};
    pmm_project(&io);
    mmd_arena_finish(&io.scratch);
    if (out->failed)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "header", MMD_NO_OFFSET, "no memory for the file");
    if (pmm_ok(&io) && io.lossy)
        return mmd_error_set(error, MMD_ERROR_TEXT, "header", MMD_NO_OFFSET,
                             "names with characters that CP932 lacks have `?' in their place");
    return io.cursor.status;
}
