/* Writes the corpus of fuzz_pmm: make_corpus_projects FOLDER, where pmm/ exists. */
#include "sample_projects.h"
#include "support.h"

static void save(const char *folder, const char *name, const uint8_t *data, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/pmm/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(3);
    }
}

static void save_project(const char *folder, const char *name, const mmd_project *project)
{
    mmd_buffer out = {0};
    write_project(project, &out);
    save(folder, name, out.data, out.size);
    mmd_buffer_finish(&out);
}

static void save_version_1(const char *folder, const char *name, mmd_project *project)
{
    mmd_buffer out = {0};
    write_project_1(project, &out);
    save(folder, name, out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_project_destroy(project);
}

/* The ends of version 0001 are in the manual of mmd_project.end_1. */
static void save_ends(const char *folder)
{
    mmd_project *project = sample_small_project();
    project->end_1 = 1;
    save_version_1(folder, "order_1.pmm", project);
    static const char *const names[] = {"whole_1.pmm", "shadow_1.pmm", "follow_1.pmm"};
    for (uint8_t end = 2; end <= 4; end++) {
        project = sample_project();
        project->end_1 = end;
        project->trailing_size = 0;
        save_version_1(folder, names[end - 2], project);
    }
}

static void save_small(const char *folder)
{
    mmd_project *project = sample_small_project();
    save_project(folder, "model.pmm", project);
    /* Numbers of keyframes with gaps; no selectors, as before MMD 9.24. */
    project->models[0].bones[0].keys[1].at.number = 70;
    project->models[0].bones[1].keys[2].at.record = 0;
    project->has_selectors = false;
    save_project(folder, "old.pmm", project);
    mmd_project_destroy(project);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    mmd_project *project = sample_project();
    save_project(arguments[1], "everything.pmm", project);
    mmd_project_destroy(project);
    project = mmd_project_create();
    save_project(arguments[1], "empty.pmm", project);
    mmd_project_destroy(project);
    save_small(arguments[1]);
    save_version_1(arguments[1], "everything_1.pmm", sample_project());
    save_version_1(arguments[1], "model_1.pmm", sample_small_project());
    save_version_1(arguments[1], "empty_1.pmm", mmd_project_create());
    save_ends(arguments[1]);
    return 0;
}
