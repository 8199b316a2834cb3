/* libFuzzer target for projects: a project that can be read is written unchanged or repaired once, and gives
 * motions. */
#include "mmd/project.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void make_motions(const mmd_project *project)
{
    mmd_motion *motion = mmd_project_scene_motion(project);
    require(motion != NULL);
    mmd_motion_destroy(motion);
    for (uint32_t i = 0; i < project->model_count; i++) {
        motion = mmd_project_model_motion(&project->models[i]);
        require(motion != NULL);
        mmd_motion_destroy(motion);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mmd_project *project, *again;
    mmd_error error;
    if (mmd_pmm_read(data, size, &project, &error) != MMD_OK)
        return 0;
    require(project->arena.used <= MMD_PROJECT_MEMORY_FACTOR * size + MMD_PROJECT_MEMORY_EXTRA);
    make_motions(project);
    mmd_buffer first = {0}, second = {0};
    require(mmd_pmm_write(project, &first, &error) == MMD_OK);
    require(project->repair_count || (first.size == size && memcmp(first.data, data, size) == 0));
    /* In version 1, repaired keyframes may be compatible with other numbers of bones, or with none. */
    if (mmd_project_version(project) == 2 || project->repair_count == 0) {
        require(mmd_pmm_read(first.data, first.size, &again, &error) == MMD_OK && again->repair_count == 0);
        require(mmd_pmm_write(again, &second, &error) == MMD_OK);
        require(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
        mmd_project_destroy(again);
    }
    mmd_project_destroy(project);
    mmd_buffer_finish(&first);
    mmd_buffer_finish(&second);
    return 0;
}
