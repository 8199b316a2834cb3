/* Finds the paths of files on this machine, in the kit and for MMD on Windows, and copies them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/paths.h"
#include "kit.h"
#include "check/internal.h"
#include "mmd/platform.h"
#include "mmd/text.h"

enum { KIT_FILES_GROW = 64, PMM_PATH_SIZE = 256, VAC_SIZE_MAX = 65536 };

static bool no_memory(problem *why)
{
    return problem_out_of_memory(why);
}

/* --- Windows --- */

/* Returns whether a path is an absolute Windows folder: "C:\folder" or "\\server\share". */
static bool is_windows_folder(const char *path)
{
    bool letter = (path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z');
    if (letter && path[1] == ':')
        return path[2] == '\0' || path[2] == '\\';
    return path[0] == '\\' && path[1] == '\\' && path[2] != '\0' && path[2] != '\\';
}

bool kit_set_root(kit_options *options, const char *value, option_error *error)
{
    size_t length = strlen(value);
    if (length >= PMM_PATH_SIZE)
        return option_fail(error, EXIT_USAGE, "the path is longer than a project can store");
    strcpy(options->root, value);
    for (char *c = options->root; *c; c++)
        if (*c == '/')
            *c = '\\';
    while (length > 2 && options->root[length - 1] == '\\')
        options->root[--length] = '\0';
    if (!is_windows_folder(options->root))
        return option_fail(error, EXIT_USAGE, "\"%.100s\" is not an absolute Windows path like C:\\models",
                           value);
    options->root_given = true;
    return true;
}

/* Returns whether CP932, the encoding of paths in MMD, can represent a text. */
static bool is_cp932(const char *text)
{
    bool lossy = false;
    mmd_cp932_from_utf8(text, strlen(text), NULL, 0, &lossy);
    return !lossy;
}

/* Returns the Windows path of a file for a project, in the arena of the kit. */
static const char *windows_path(kit *k, const char *target, problem *why)
{
    char path[2 * MMD_FILE_PATH_MAX];
    snprintf(path, sizeof path, "%s\\%s", k->options->root, target);
    if (!is_cp932(path)) {
        problem_set(why, EXIT_INPUT,
                    "%.800s: MMD cannot open it, because its path has characters that CP932 lacks%s", target,
                    k->options->copy ? "" : "; use --copy, which renames it");
        return NULL;
    }
    if (mmd_cp932_from_utf8(path, strlen(path), NULL, 0, NULL) >= PMM_PATH_SIZE) {
        problem_set(why, EXIT_INPUT, "%.800s: its path is longer than the %d bytes that a project can store",
                    target, PMM_PATH_SIZE - 1);
        return NULL;
    }
    const char *path_copy = mmd_arena_text(&k->arena, path, strlen(path));
    if (!path_copy)
        no_memory(why);
    return path_copy;
}

/* --- This machine --- */

/* Appends the parts of a path to an absolute one that does not end with a slash, and resolves `.` and `..`.
 * least: the length of its root. False: the path is too long. */
static bool add_parts(char path[MMD_FILE_PATH_MAX], size_t least, const char *parts)
{
    size_t used = strlen(path);
    while (*parts) {
        size_t length = strcspn(parts, "/");
        if (length == 2 && strncmp(parts, "..", 2) == 0) {
            while (used > least && path[--used] != '/')
                ;
            path[used] = '\0';
        } else if (length > 0 && !(length == 1 && parts[0] == '.')) {
            if (used + length + 2 > MMD_FILE_PATH_MAX)
                return false;
            used += (size_t)sprintf(path + used, "/%.*s", (int)length, parts);
        }
        parts += length + (parts[length] == '/');
    }
    return true;
}

/* Makes a path absolute without resolving links. The root has no slash at its end: it is "", or "C:". False:
 * the path is too long. */
static bool make_absolute(const char *path, char absolute[MMD_FILE_PATH_MAX])
{
    char here[MMD_FILE_PATH_MAX];
    size_t root = platform_path_root(path);
    const bool is_relative = root == 0;
    if (is_relative && !platform_current_folder(here))
        return false;
    const char *from = is_relative ? here : path;
    root = platform_path_root(from);
    const size_t least = root > 0 ? root - 1 : 0;
    snprintf(absolute, MMD_FILE_PATH_MAX, "%.*s", (int)least, from);
    return add_parts(absolute, least, from + root) && (!is_relative || add_parts(absolute, least, path));
}

/* Returns whether path is below folder, both absolute. */
static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* Writes the folder that the names of a texture source are relative to: that of the file without the part
 * that leads to it from there. */
static void root_of(const mmd_texture_location *location, const char *file, char root[MMD_FILE_PATH_MAX])
{
    char folder[MMD_FILE_PATH_MAX], resolved[MMD_FILE_PATH_MAX];
    mmd_path_folder(file, folder, sizeof folder);
    snprintf(root, MMD_FILE_PATH_MAX, "%s", platform_path_resolve(folder, resolved) ? resolved : folder);
    size_t length = strlen(root), below = strlen(location->folder);
    if (below && below < length && strcmp(root + length - below, location->folder) == 0)
        root[length - below - 1] = '\0';
}

/* Returns the file that MMD opens: for a .vac the .x file that it names, otherwise the file itself. */
static const char *accessory_file(const char *path, char file[MMD_FILE_PATH_MAX])
{
    char root[MMD_FILE_PATH_MAX], found[MMD_PATH_MAX];
    mmd_bytes bytes = {0};
    mmd_vac *vac = NULL;
    mmd_texture_location location = {0};
    platform_info about;
    /* A .vac has six lines, so large files are not read. */
    bool may_be_vac = platform_stat(path, &about) && about.size < VAC_SIZE_MAX;
    if (may_be_vac && mmd_file_read(path, &bytes, NULL) == MMD_OK &&
        mmd_file_detect(bytes.data, bytes.size) == MMD_FILE_VAC &&
        mmd_vac_read(bytes.data, bytes.size, &vac, NULL) == MMD_OK)
        location = mmd_textures_beside(path, MMD_NAMED_ACCESSORY);
    bool there = location.source && mmd_textures_find(&location, vac->file, found, NULL) == MMD_OK;
    if (there) {
        root_of(&location, path, root);
        path_join(file, root, "%s", found);
    }
    mmd_source_destroy(location.source);
    mmd_vac_destroy(vac);
    mmd_bytes_finish(&bytes);
    return there ? file : path;
}

/* Moves the base up to the nearest folder that contains this model, or the .x file that its .vac names. Files
 * that cannot be read are reported when they are loaded. */
static bool widen_to(kit *k, const scene_input *input, problem *why)
{
    char file[MMD_FILE_PATH_MAX], absolute[MMD_FILE_PATH_MAX];
    bool is_dancer = input->is_dancer;
    mmd_error error = {0};
    if (is_dancer && !*k->dancer.model && bundled_find(&k->dancer, &error) != MMD_OK)
        return problem_from(why, &error);
    if (!make_absolute(accessory_file(is_dancer ? k->dancer.model : input->path, file), absolute))
        return problem_set(why, EXIT_INPUT, "%.800s: the path is too long", input->given);
    if (!*absolute) /* "" is the root of the file system, which is not a model */
        return true;
    while (!is_below(absolute, k->base)) {
        char *slash = strrchr(k->base, '/');
        if (!slash)
            return problem_set(why, EXIT_INPUT, "%.800s: on another disk than the suite; use --copy",
                               input->given);
        *slash = '\0';
    }
    return true;
}

bool kit_find_base(kit *k, problem *why)
{
    if (!make_absolute(k->options->copy ? k->options->output : k->suite.folder, k->base))
        return problem_set(why, EXIT_FACILITY, "%s: the path is too long", k->options->output);
    for (size_t i = 0; i < k->scene_count && !k->options->copy; i++) {
        const scene_options *p = &k->scenes[i].scene->recipe.scene;
        for (size_t m = 0; m < p->files.count; m++)
            if (!widen_to(k, &p->files.items[m], why))
                return false;
        if (p->stage.given && !widen_to(k, &p->stage, why))
            return false;
    }
    return true;
}

/* --- Writing and copying --- */

bool kit_write(const kit *k, const char *target, const void *data, size_t size, problem *why)
{
    char path[MMD_FILE_PATH_MAX], folder[MMD_FILE_PATH_MAX];
    mmd_error error = {0};
    if (strlen(k->options->output) + strlen(target) + 2 > sizeof path)
        return problem_set(why, EXIT_INPUT, "%.800s: the path is too long", target);
    path_join(path, k->options->output, "%s", target);
    mmd_path_folder(path, folder, sizeof folder);
    if (!path_make_folder(folder))
        return problem_set(why, EXIT_FACILITY, "%.800s: the folder cannot be created", path);
    if (mmd_file_write(path, data, size, &error) == MMD_OK)
        return true;
    return problem_set(why, EXIT_FACILITY, "%.800s: cannot be written: %s", path, error.message);
}

/* Returns the copy of a file, or NULL when it was not copied yet. */
static const kit_file *find_copy(const kit *k, const char *absolute)
{
    for (size_t i = 0; i < k->file_count; i++)
        if (strcmp(k->files[i].path, absolute) == 0)
            return &k->files[i];
    return NULL;
}

/* Records that a file was copied to target. NULL: out of memory. */
static const kit_file *record_copy(kit *k, const char *absolute, const char *target)
{
    if (k->file_count % KIT_FILES_GROW == 0) {
        kit_file *grown = mmd_arena_alloc(&k->arena, k->file_count + KIT_FILES_GROW, sizeof *grown);
        if (!grown)
            return NULL;
        if (k->file_count)
            memcpy(grown, k->files, k->file_count * sizeof *grown);
        k->files = grown;
    }
    kit_file *added = &k->files[k->file_count];
    added->path = mmd_arena_text(&k->arena, absolute, strlen(absolute));
    added->target = mmd_arena_text(&k->arena, target, strlen(target));
    if (!added->path || !added->target)
        return NULL;
    k->file_count++;
    return added;
}

/* Writes a name that MMD can open: the name itself, or `instead` with its extension when CP932 cannot
 * represent it. */
static void safe_name(const char *name, const char *instead, char *safe, size_t capacity)
{
    const char *dot = strrchr(name, '.');
    if (is_cp932(name))
        snprintf(safe, capacity, "%s", name);
    else
        snprintf(safe, capacity, "%s%.16s", instead, dot && is_cp932(dot) ? dot : "");
}

/* Finds the deepest folder of the source that contains the model and all its textures. */
static void common_folder(const stored_model *m, const mmd_texture_files *textures, char folder[MMD_PATH_MAX])
{
    snprintf(folder, MMD_PATH_MAX, "%s", m->location.folder);
    for (uint32_t i = 0; i < textures->count; i++) {
        const char *found = textures->items[i].path;
        while (found && *folder && !is_below(found, folder)) {
            char *slash = strrchr(folder, '/');
            *(slash ? slash : folder) = '\0';
        }
    }
}

/* Returns the part of a path after a folder of the source. */
static const char *below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return path + length + (length > 0 && path[length] == '/');
}

/* Copies the textures of a model to target, with their paths below the common folder. Only pictures are
 * copied; what is missing here is missing in the kit too. */
static bool copy_textures(const kit *k, const mmd_texture_files *textures, const stored_model *m,
                          const char *common, const char *target, problem *why)
{
    char copy[MMD_FILE_PATH_MAX];
    uint64_t budget = TEXTURES_DECODED_MAX;
    bool ok = true;
    for (uint32_t i = 0; ok && i < textures->count; i++) {
        const mmd_texture_file *texture = &textures->items[textures->order[i]];
        mmd_bytes bytes = {0};
        mmd_error error = {0};
        if (!texture->path || texture->first != textures->order[i])
            continue;
        if (mmd_source_read(m->location.source, texture->path, &bytes, &error) != MMD_OK)
            message("%.800s: texture %s is not copied: %s", m->key.path, texture->path, error.message);
        else if (!mmd_image_is_picture(bytes.data, bytes.size, texture->path, &budget))
            message("%.800s: texture %s is not copied: it is not a picture, or too large to decode",
                    m->key.path, texture->path);
        else
            ok = kit_write(k, path_join(copy, target, "%s", below(texture->path, common)), bytes.data,
                           bytes.size, why);
        mmd_bytes_finish(&bytes);
    }
    return ok;
}

/* Copies a file of this machine to the kit. */
static bool copy_file(const kit *k, const char *from, const char *target, problem *why)
{
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    bool ok = mmd_file_read(from, &bytes, &error) == MMD_OK;
    mmd_error_set_file(&error, from);
    ok = ok ? kit_write(k, target, bytes.data, bytes.size, why) : problem_from(why, &error);
    mmd_bytes_finish(&bytes);
    return ok;
}

/* Writes the name of a folder, "models/1-miku". Numbers distinguish models of the same name. */
static void name_folder(const kit *k, const char *kind, const char *path, char folder[256])
{
    char name[200], safe[200];
    snprintf(name, sizeof name, "%s", mmd_path_name(path));
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = '\0';
    safe_name(name, kind, safe, sizeof safe);
    snprintf(folder, 256, "%ss/%zu-%s", kind, k->file_count + 1, safe);
}

/* Copies a model with its textures to a folder of the kit. NULL: the problem is filled. */
static const kit_file *copy_model(kit *k, const stored_model *m, const char *absolute, problem *why)
{
    char target[256], common[MMD_PATH_MAX], name[256], copy[MMD_FILE_PATH_MAX];
    mmd_texture_files textures;
    if (!mmd_texture_files_find(&textures, m->model, &m->location)) {
        mmd_texture_files_finish(&textures);
        no_memory(why);
        return NULL;
    }
    name_folder(k, "model", absolute, target);
    common_folder(m, &textures, common);
    safe_name(mmd_path_name(absolute), "model", name, sizeof name);
    const char *inner = below(m->location.folder, common);
    path_join(copy, target, "%s%s%s", inner, *inner ? "/" : "", name);
    bool copied = copy_file(k, absolute, copy, why) && copy_textures(k, &textures, m, common, target, why);
    mmd_texture_files_finish(&textures);
    if (!copied)
        return NULL;
    const kit_file *file = record_copy(k, absolute, copy);
    if (!file)
        no_memory(why);
    return file;
}

const char *kit_place_model(kit *k, const stored_model *m, problem *why)
{
    char absolute[MMD_FILE_PATH_MAX], file_path[MMD_FILE_PATH_MAX];
    if (!make_absolute(accessory_file(m->key.path, file_path), absolute)) {
        problem_set(why, EXIT_INPUT, "%.800s: the path is too long", m->key.path);
        return NULL;
    }
    if (!k->options->copy && is_below(absolute, k->base))
        return windows_path(k, absolute + strlen(k->base) + 1, why);
    if (!k->options->copy) {
        problem_set(why, EXIT_INPUT, "%.800s: the file is no longer below %.800s", m->key.path, k->base);
        return NULL;
    }
    const kit_file *file = find_copy(k, absolute);
    if (!file)
        file = copy_model(k, m, absolute, why);
    return file ? windows_path(k, file->target, why) : NULL;
}

/* Copies a motion to the kit, unless it is there already. */
static bool copy_motion(kit *k, const char *path, problem *why)
{
    char absolute[MMD_FILE_PATH_MAX], name[256], target[MMD_FILE_PATH_MAX];
    if (!make_absolute(path, absolute))
        return problem_set(why, EXIT_INPUT, "%.800s: the path is too long", path);
    if (find_copy(k, absolute))
        return true;
    safe_name(mmd_path_name(absolute), "motion", name, sizeof name);
    snprintf(target, sizeof target, "motions/%zu-%s", k->file_count + 1, name);
    if (!copy_file(k, path, target, why))
        return false;
    return record_copy(k, absolute, target) || no_memory(why);
}

bool kit_copy_motions(kit *k, const odori_scene *scene, problem *why)
{
    for (size_t i = 0; k->options->copy && i < scene->motion_count; i++)
        if (!copy_motion(k, scene->motions[i].path, why))
            return false;
    return true;
}
