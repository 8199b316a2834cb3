/* Searches for the ends of a Windows path, longest first, in the project's folder and those above it. */
#include <stdio.h>
#include <string.h>

#include "mmd/assemble.h"
#include "mmd/platform.h"

/* Names the folders to search after the project's path as it was given. */
static void name_folders(mmd_project_folders *places, const char *project)
{
    char full[MMD_FILE_PATH_MAX];
    mmd_path_folder(project, places->folders[0], MMD_FILE_PATH_MAX);
    places->count = 1;
    if (!platform_path_resolve(places->folders[0], full))
        return;
    while (places->count < MMD_PROJECT_LEVELS && full[platform_path_root(full)]) {
        char *folder = places->folders[places->count++];
        mmd_path_folder(full, folder, MMD_FILE_PATH_MAX);
        strcpy(full, folder);
    }
}

/* Names the folders to search inside the project's archive. Returns false if the project is not in one. */
static bool name_inner_folders(mmd_project_folders *places, const char *project)
{
    char folder[MMD_PATH_MAX], above[MMD_PATH_MAX];
    if (mmd_locate_open_source(project, &places->archive, folder, NULL) != MMD_OK || !places->archive)
        return false;
    bool is_root = strcmp(folder, ".") == 0;
    size_t inner = (is_root ? 0 : strlen(folder) + 1) + strlen(mmd_path_name(project));
    snprintf(places->outer, sizeof places->outer, "%.*s", (int)(strlen(project) - inner - 1), project);
    while (places->count < MMD_PROJECT_LEVELS) {
        is_root = strcmp(folder, ".") == 0;
        snprintf(places->folders[places->count++], MMD_FILE_PATH_MAX, "%s", is_root ? "" : folder);
        if (is_root)
            break;
        mmd_path_folder(folder, above, sizeof above);
        strcpy(folder, above);
    }
    return true;
}

bool mmd_project_folders_init(mmd_project_folders *places, const char *project)
{
    *places = (mmd_project_folders){0};
    if (name_inner_folders(places, project))
        return true;
    name_folders(places, project);
    for (int i = 0; i < places->count; i++) {
        places->sources[i] = mmd_source_folder(places->folders[i]);
        if (!places->sources[i])
            return false;
    }
    return true;
}

void mmd_project_folders_finish(mmd_project_folders *places)
{
    for (int i = 0; i < MMD_PROJECT_LEVELS; i++)
        mmd_source_destroy(places->sources[i]);
    mmd_source_destroy(places->archive);
    *places = (mmd_project_folders){0};
}

static bool is_separator(char c)
{
    return c == '\\' || c == '/';
}

/* Tests for a regular file. Devices and pipes, which a stranger's project may name, could block reading. */
static bool is_file(const char *path)
{
    platform_info about;
    return platform_stat(path, &about) && about.kind == PLATFORM_FILE;
}

static bool join(char path[MMD_FILE_PATH_MAX], const char *folder, const char *name)
{
    bool is_here = strcmp(folder, ".") == 0;
    int length = snprintf(path, MMD_FILE_PATH_MAX, "%s%s%s", is_here ? "" : folder, is_here ? "" : "/", name);
    return length > 0 && length < MMD_FILE_PATH_MAX;
}

/* Tests whether a file may be opened. If not, notes why. */
static bool is_allowed(mmd_project_folders *places, const char *path)
{
    char outermost[MMD_FILE_PATH_MAX], resolved[MMD_FILE_PATH_MAX], why[MMD_PROJECT_WHY_MAX];
    bool is_inside = platform_path_resolve(places->folders[places->count - 1], outermost) &&
                     platform_path_resolve(path, resolved) && mmd_path_is_inside(resolved, outermost);
    if (is_inside && (!places->permit || places->permit(places->permit_user, path, why)))
        return true;
    if (is_inside)
        memcpy(places->why, why, sizeof why);
    else
        snprintf(places->why, sizeof places->why, "is a link that leads out of %.800s", outermost);
    return false;
}

static bool find_end(mmd_project_folders *places, const char *end, char path[MMD_FILE_PATH_MAX])
{
    char found[MMD_PATH_MAX];
    for (int i = 0; places->archive && i < places->count; i++)
        if (mmd_source_find_from(places->archive, places->folders[i], end, found))
            return join(path, places->outer, found);
    if (places->archive)
        return false;
    for (int i = 0; i < places->count; i++)
        if (mmd_source_find(places->sources[i], end, found) && join(path, places->folders[i], found) &&
            is_file(path) && is_allowed(places, path))
            return true;
    return false;
}

/*
 * Tests whether a path begins with "..", which cannot be below the searched folders; what follows it may be.
 */
static bool leads_up(const char *end)
{
    return end[0] == '.' && (is_separator(end[1]) || (end[1] == '.' && is_separator(end[2])));
}

const char *mmd_project_missing(const mmd_project_folders *places)
{
    return *places->why ? places->why : "is neither in its folder nor in the two above";
}

bool mmd_project_find(mmd_project_folders *places, const char *name, char path[MMD_FILE_PATH_MAX])
{
    places->why[0] = '\0';
    for (const char *end = name; *end;) {
        while (is_separator(*end))
            end++;
        if (*end && !leads_up(end) && find_end(places, end, path))
            return true;
        while (*end && !is_separator(*end))
            end++;
    }
    return false;
}

bool mmd_project_find_sound(mmd_project_folders *places, const mmd_project *project, const char *project_path,
                            const mmd_log *log, char path[MMD_FILE_PATH_MAX])
{
    if (!project->wave_on || !*project->wave.text)
        return false;
    if (mmd_project_find(places, project->wave.text, path))
        return true;
    mmd_log_message(log, MMD_LOG_INFO, "%s: the sound \"%.300s\" %s, so there is no sound", project_path,
                    project->wave.text, mmd_project_missing(places));
    return false;
}
