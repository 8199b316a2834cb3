/*
 * Kept inputs: what the models and motions of baselines hold, in full detail, beside the baselines. With them
 * a check says how many vertices, offsets and keys have changed, where pictures only know their groups. Files
 * are named after the hash of the input, so all frames, scenes and drivers share them:
 *   BASELINES/inputs/HASH.contents
 */
#include <string.h>

#include "base/message.h"
#include "base/paths.h"
#include "internal.h"
#include "mmd/memory.h"
#include "mmd/source.h"

/* Returns whether a hash, which may come from a stranger's picture, has the digits that name a file. */
static bool is_hash(const char *hash)
{
    return strlen(hash) == 32 && strspn(hash, "0123456789abcdef") == 32;
}

static const char *kept_path(const suite *s, const char *hash, char path[MMD_FILE_PATH_MAX])
{
    return path_join(path, s->baselines, "inputs/%s.contents", hash);
}

/* Returns whether there is such a file that can be read. One that is damaged is told, since it will be
 * replaced. */
static bool is_kept(const char *path)
{
    contents c = {0};
    mmd_bytes bytes = {0};
    if (mmd_file_read(path, &bytes, NULL) != MMD_OK)
        return false;
    const bool whole = contents_unpack(&c, bytes.data, bytes.size, CONTENTS_KEPT_MAX);
    if (!whole)
        message("%s: the file was damaged, and is written anew", path);
    contents_finish(&c);
    mmd_bytes_finish(&bytes);
    return whole;
}

/* Writes a file unless it is there and whole. */
static bool write_kept(const suite *s, const char *hash, const mmd_model *model, const mmd_motion *motion,
                       problem *why)
{
    char path[MMD_FILE_PATH_MAX], folder[MMD_FILE_PATH_MAX], reason[PATH_WHY_MAX];
    contents c = {0};
    mmd_buffer packed = {0};
    mmd_error error = {0};
    bool ok = true;
    if (!is_hash(hash))
        return true;
    if (!path_scope_has(&s->scope, kept_path(s, hash, path), reason))
        return problem_set(why, EXIT_INPUT, "%.800s: %.1200s", path, reason);
    if (is_kept(path))
        return true;
    if (!(model ? contents_of_model(&c, model, true) : contents_of_motion(&c, motion, true)))
        ok = problem_out_of_memory(why);
    contents_pack(&c, CONTENTS_FULL, &packed);
    contents_finish(&c);
    mmd_path_folder(path, folder, sizeof folder);
    if (ok && packed.failed)
        ok = problem_out_of_memory(why);
    else if (ok && !path_make_folder(folder))
        ok = problem_set(why, EXIT_FACILITY, "%s: the folder cannot be created", folder);
    else if (ok && mmd_file_write(path, packed.data, packed.size, &error) != MMD_OK)
        ok = problem_set(why, EXIT_FACILITY, "%s: %s", path, error.message);
    mmd_buffer_finish(&packed);
    return ok;
}

bool kept_write(const suite *s, const recipe_stage *stage, problem *why)
{
    bool ok = true;
    for (size_t i = 0; i < stage->scene.model_count && ok; i++) {
        const stored_model *m = stage->models[i];
        /* What a file with the same hash holds can be another thing if it refers to other files. */
        if (!m->is_of_project && !m->document && !m->vac)
            ok = write_kept(s, m->file.text, m->model, NULL, why);
    }
    for (size_t i = 0; i < stage->scene.motion_count && ok; i++) {
        const stored_motion *m = store_find_motion(stage->store, stage->scene.motions[i].motion);
        if (m)
            ok = write_kept(s, m->file.text, NULL, m->motion, why);
    }
    return ok;
}

/* Lists a file of the stage in full detail. */
static bool list_input(const recipe_stage *stage, const char *hash, contents *found)
{
    for (size_t i = 0; i < stage->scene.model_count; i++)
        if (strcmp(stage->models[i]->file.text, hash) == 0)
            return contents_of_model(found, stage->models[i]->model, true);
    for (size_t i = 0; i < stage->scene.motion_count; i++) {
        const stored_motion *m = store_find_motion(stage->store, stage->scene.motions[i].motion);
        if (m && strcmp(m->file.text, hash) == 0)
            return contents_of_motion(found, m->motion, true);
    }
    return false;
}

bool kept_find(const suite *s, const recipe_stage *stage, bool is_baseline, const char *hash, contents *found)
{
    char path[MMD_FILE_PATH_MAX], why[PATH_WHY_MAX];
    mmd_bytes bytes = {0};
    if (!is_baseline)
        return list_input(stage, hash, found);
    if (!is_hash(hash) || !path_scope_has(&s->scope, kept_path(s, hash, path), why) ||
        mmd_file_read(path, &bytes, NULL) != MMD_OK)
        return false;
    const bool ok = contents_unpack(found, bytes.data, bytes.size, CONTENTS_KEPT_MAX);
    mmd_bytes_finish(&bytes);
    return ok;
}
