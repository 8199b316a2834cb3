/* The files that a scene is made of, by which --accept-from tells whether a report is still of them. */
#include <stdio.h>
#include <string.h>

#include "internal.h"
#include "mmd/source.h"
#include "mmd/text.h"
#include "scene/background.h"

/* --- The list --- */

/* Adds a file. path: whatever its owner names, of which only valid UTF-8 stays. */
static json_t *add_input(json_t *list, const char *path, const char *hash)
{
    char clean[4096];
    mmd_text_clean(path, false, clean, sizeof clean);
    json_t *input = json_pack("{ss ss}", "path", clean, "hash", hash);
    json_array_append_new(list, input);
    return input;
}

/* Adds a model. What only a project names is found in other folders on every machine. */
static void add_model(json_t *list, const scene_model *m, const stored_model *stored)
{
    json_t *input = add_input(list, m->project ? mmd_path_name(m->path) : m->given, stored->file.text);
    json_object_set_new(input, "textures", json_string(stored->textures.all.text));
    /* Files that refer to others: glTF to its buffers, .vac to the accessory. */
    if (stored->document || stored->vac || *stored->accessory.text)
        json_object_set_new(input, "contents", json_string(stored->contents.text));
}

json_t *check_inputs(const recipe_stage *stage, const provenance_files *files)
{
    const odori_scene *scene = &stage->scene;
    json_t *list = json_array();
    for (size_t i = 0; i < scene->model_count; i++)
        add_model(list, &scene->models[i], stage->models[i]);
    for (size_t i = 0; i < files->model_count; i++)
        if (!files->models[i].model) /* a project */
            add_input(list, files->models[i].file.path, files->models[i].file.hash.text);
    for (uint32_t i = 0; background_path(scene, i); i++)
        add_input(list, mmd_path_name(background_path(scene, i)),
                  file_digest(background_path(scene, i)).text);
    for (size_t i = 0; i < files->motion_count; i++)
        add_input(list, files->motions[i].file.path, files->motions[i].file.hash.text);
    if (files->camera.path)
        add_input(list, files->camera.path, files->camera.hash.text);
    return list;
}

/* --- Comparing --- */

/* Returns whether a hash of two files differs. */
static bool differs(const json_t *before, const json_t *now, const char *key)
{
    return strcmp(check_text(before, key), check_text(now, key)) != 0;
}

/* Returns whether two files are the same. Otherwise the sentence says what has changed. */
static bool is_same(const json_t *before, const json_t *now, problem *why)
{
    const char *was = check_text(before, "path"), *is = check_text(now, "path");
    if (differs(before, now, "hash") && strcmp(was, is) != 0)
        return problem_set(why, EXIT_INPUT, "it is made of %.400s now, but the report of %.400s", is, was);
    if (differs(before, now, "hash"))
        return problem_set(why, EXIT_INPUT, "%.400s has changed since the report was made", is);
    if (differs(before, now, "textures"))
        return problem_set(why, EXIT_INPUT, "textures of %.400s have changed since the report was made", is);
    return !differs(before, now, "contents") ||
           problem_set(why, EXIT_INPUT, "what %.400s refers to has changed since the report was made", is);
}

/* Compares two lists of files. */
static bool compare_inputs(const json_t *before, const json_t *now, problem *why)
{
    size_t were = json_array_size(before), are = json_array_size(now);
    if (!json_is_array(before))
        return problem_set(why, EXIT_INPUT,
                           "the report does not say which files it is made of; draw it again");
    for (size_t i = 0; i < were && i < are; i++)
        if (!is_same(json_array_get(before, i), json_array_get(now, i), why))
            return false;
    return were == are ||
           problem_set(why, EXIT_INPUT, "it was made of %zu files, and is made of %zu now", were, are);
}

bool check_inputs_same(const suite_scene *scene, const json_t *before, recipe_store *store, problem *why)
{
    recipe bare = scene->recipe; /* without what takes time and changes no file */
    recipe_stage stage;
    provenance_files files = {0};
    mmd_error error = {0};
    option_error ignored = {0};
    bare.exec = "";
    bare.exec_lead = 0;
    bare.frame_count = 0;
    bare.start = 0;
    recipe_set(&bare.settings, "physics", "off", &ignored);
    bool ok = recipe_open_from_store(&stage, &bare, store, &error) == MMD_OK || problem_from(why, &error);
    if (ok && !provenance_files_read(&files, &stage.scene, &stage, false))
        ok = problem_out_of_memory(why);
    if (ok) {
        json_t *now = check_inputs(&stage, &files);
        ok = compare_inputs(before, now, why);
        json_decref(now);
    }
    provenance_files_finish(&files);
    recipe_close(&stage);
    return ok;
}
