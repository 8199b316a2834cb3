#include "confine.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/message.h"
#include "base/sandbox.h"
#include "command/commands.h"
#include "files/png_text.h"
#include "mmd/assemble.h"
#include "mmd/format.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "provenance.h"

static bool is_begun;

void confine_begin(const common_options *common, bool draws)
{
    is_begun = common->sandbox != SANDBOX_OFF &&
               (common->sandbox == SANDBOX_ON || !draws || !sandbox_has_untried_driver());
    if (is_begun)
        sandbox_begin(draws);
}

/* --- Files of scenes --- */

/* Returns whether a file is an MMD project, by its first bytes. */
static bool is_project(const char *path)
{
    char head[32];
    size_t got;
    return mmd_file_read_head(path, head, sizeof head, &got, NULL) == MMD_OK &&
           mmd_file_detect(head, got) == MMD_FILE_PMM;
}

/* Adds what the projects in a folder may name. */
static void add_projects(const char *folder)
{
    platform_folder *entries = platform_folder_open(folder);
    for (const char *entry; entries && (entry = platform_folder_next(entries));) {
        char path[MMD_FILE_PATH_MAX];
        const char *ending = strrchr(entry, '.');
        if (ending && strcasecmp(ending, ".pmm") == 0 &&
            snprintf(path, sizeof path, "%s/%s", folder, entry) < (int)sizeof path && is_project(path)) {
            sandbox_read_around(path);
            break;
        }
    }
    platform_folder_close(entries);
}

void confine_file(const char *path)
{
    char archive[MMD_FILE_PATH_MAX];
    if (!is_begun)
        return;
    if (mmd_locate_archive(path, archive)) {
        sandbox_read(archive);
    } else if (is_project(path)) {
        sandbox_read_around(path);
    } else {
        sandbox_read_beside(path);
    }
}

void confine_scene(const char *path)
{
    confine_file(path);
    if (is_begun)
        add_projects(path);
}

/* Adds inputs that need nothing beside them: motions and poses. */
static void add_alone(const scene_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        if (!inputs->items[i].is_dancer)
            sandbox_read(inputs->items[i].path);
}

void confine_recipe(const recipe *r)
{
    const scene_options *scene = &r->scene;
    if (!is_begun)
        return;
    for (size_t i = 0; i < scene->files.count; i++)
        if (!scene->files.items[i].is_dancer && scene->files.items[i].kind != INPUT_COPY)
            confine_scene(scene->files.items[i].path);
    add_alone(&scene->motions);
    add_alone(&scene->poses);
    if (scene->camera.given && !scene->camera.is_dancer)
        sandbox_read(scene->camera.path);
    if (scene->stage.given && !scene->stage.is_dancer)
        confine_scene(scene->stage.path);
    if (r->sound.path)
        sandbox_read(r->sound.path);
}

void confine_picture(const char *path, const text_list *folders)
{
    char *text = is_begun ? png_text_of_file(path, PROVENANCE_KEY) : NULL;
    mmd_arena arena = {0};
    recipe picture;
    /* Whoever draws the picture enforces the limits. */
    const provenance_search search = {path, folders, UINT32_MAX, UINT64_MAX, false};
    if (text && provenance_read(text, &search, &arena, &picture, NULL) == MMD_OK)
        confine_recipe(&picture);
    mmd_arena_finish(&arena);
    mmd_free(text);
}

/* --- Commands --- */

static void add_file_of_command(void *user, const char *path, bool is_written)
{
    (void)user;
    if (is_written)
        sandbox_write(path);
    else
        sandbox_read(path);
}

/* Adds a file of commands and the files that they name. One that cannot be read is reported when it runs.
 */
static void add_commands(const char *path)
{
    mmd_bytes bytes = {0};
    sandbox_read(path);
    if (mmd_file_read(path, &bytes, NULL) == MMD_OK)
        commands_list_files((const char *)bytes.data, bytes.size, add_file_of_command, NULL);
    mmd_bytes_finish(&bytes);
}

void confine_commands(common_options *common)
{
    if (!is_begun)
        return;
    for (size_t i = 0; i < common->plugins.count; i++)
        sandbox_read(common->plugins.items[i]);
    for (size_t i = 0; i < common->exec.count; i++) {
        if (strcmp(common->exec.items[i], "-") != 0) {
            add_commands(common->exec.items[i]);
        } else if (!common->has_stdin) {
            common->has_stdin = commands_read_stdin(&common->stdin_text);
            if (common->has_stdin)
                commands_list_files((const char *)common->stdin_text.data, common->stdin_text.size,
                                    add_file_of_command, NULL);
        }
    }
}

/* --- Entering --- */

void confine_enter(const common_options *common)
{
    if (!is_begun)
        return;
    const mmd_log log = stderr_log(common->log_level);
    const char *how = sandbox_enter();
    mmd_log_message(&log, MMD_LOG_DEBUG, "sandbox: %s", *how ? how : "none");
    is_begun = false;
}

void confine(const recipe *r, common_options *common, const char *output, bool draws)
{
    confine_begin(common, draws);
    confine_recipe(r);
    confine_commands(common);
    if (output && is_begun)
        sandbox_write(output);
    confine_enter(common);
}
