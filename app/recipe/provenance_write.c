/* Writes the chunk of a picture: the files and options that were given, and hashes of the files. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/background.h"
#include "scene/bundled.h"
#include "scene/presence.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/text.h"
#include "contents.h"
#include "edit/plugins.h"
#include "provenance.h"

/* Returns a JSON string. File names and arguments may be arbitrary bytes, so invalid UTF-8 is replaced. */
static json_t *text_value(const char *text)
{
    size_t size = mmd_text_clean(text, false, NULL, 0) + 1;
    char *clean = mmd_alloc(size);
    if (!clean)
        return NULL;
    mmd_text_clean(text, false, clean, size);
    json_t *value = json_string(clean);
    mmd_free(clean);
    return value;
}

/* Returns a JSON number with nine digits, which identify a float; null for NaN and infinities, which JSON
 * does not have. */
static json_t *real(double value)
{
    char text[40];
    if (!isfinite(value))
        return json_null();
    if (value == floor(value) && fabs(value) < 1e15)
        return json_integer((json_int_t)value);
    snprintf(text, sizeof text, "%.9g", value);
    return json_real(strtod(text, NULL));
}

static json_t *reals(const float *values, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, real((double)values[i]));
    return list;
}

static json_t *file_value(const provenance_file *file)
{
    return json_pack("{so ss}", "path", text_value(file->path), "hash", file->hash.text);
}

/* Does the same for a file with its contents, unless they are more than the *left bytes of the picture. */
static json_t *listed_file_value(const provenance_file *file, size_t *left)
{
    json_t *value = file_value(file);
    const size_t size = file->contents ? strlen(file->contents) : 0;
    if (size && size <= *left) {
        json_object_set_new(value, "contents", json_string_nocheck(file->contents)); /* base64 */
        *left -= size;
    }
    return value;
}

static json_t *model_value(const provenance_model *m, size_t *left)
{
    json_t *value = listed_file_value(&m->file, left), *textures = json_array();
    for (size_t i = 0; m->model && i < m->textures.count; i++)
        json_array_append_new(textures, json_pack("{so ss}", "name", text_value(m->model->textures[i]),
                                                  "hash", m->textures.items[i].text));
    json_object_set_new(value, "textures", textures);
    if (m->accessory)
        json_object_set_new(
            value, "accessory",
            json_pack("{so ss}", "name", text_value(m->accessory), "hash", m->accessory_hash.text));
    return value;
}

static void set_switch(json_t *view, const char *name, bool on)
{
    json_object_set_new(view, name, json_string(on ? "on" : "off"));
}

static void set_background(json_t *view, const float rgba[4])
{
    char text[16] = "transparent";
    if (rgba[3] > 0.0f)
        snprintf(text, sizeof text, "%02x%02x%02x", (unsigned)lroundf(255.0f * rgba[0]),
                 (unsigned)lroundf(255.0f * rgba[1]), (unsigned)lroundf(255.0f * rgba[2]));
    json_object_set_new(view, "background", json_string(text));
}

/* Writes which physics lines are shown; nothing if there are none. */
static void set_show(json_t *view, const mmd_view_options *options)
{
    char text[32];
    snprintf(text, sizeof text, "%s%s%s", options->show_bodies ? ",bodies" : "",
             options->show_joints ? ",joints" : "", options->show_contacts ? ",contacts" : "");
    if (*text)
        json_object_set_new(view, "show", json_string(text + 1));
    else
        json_object_del(view, "show");
}

/* Records the limit of textures where it has an effect. */
static void set_texture_memory(json_t *view, const mmd_texture_memory *textures)
{
    char mib[32];
    snprintf(mib, sizeof mib, "%llu", (unsigned long long)textures->limit >> 20);
    if (textures->smaller[mmd_texture_memory_size(textures)] || mmd_texture_memory_leaves_out(textures))
        json_object_set_new(view, "texture_memory", json_string(mib));
}

/* Returns the options as given, overridden by the view's final state. */
static json_t *view_value(const recipe_settings *settings, const mmd_view_options *options)
{
    json_t *view = json_object();
    for (size_t i = 0; i < settings->count; i++) {
        char name[64];
        if (recipe_is_physics(settings->items[i].name))
            continue;
        snprintf(name, sizeof name, "%s", settings->items[i].name);
        for (char *c = name; *c; c++)
            if (*c == '-')
                *c = '_';
        json_object_set_new(view, name, text_value(settings->items[i].value));
    }
    char samples[16];
    snprintf(samples, sizeof samples, "%u", options->samples);
    set_background(view, options->background);
    set_switch(view, "grid", options->grid);
    set_switch(view, "edge", options->edge);
    set_switch(view, "self_shadow", options->self_shadow);
    set_switch(view, "ground_shadow", options->ground_shadow);
    json_object_set_new(view, "shading",
                        json_string(options->shading == MMD_SHADING_SMOOTH ? "smooth" : "mmd"));
    set_switch(view, "mip_maps", options->mip_maps);
    json_object_set_new(view, "msaa", json_string(samples));
    json_object_set_new(view, "pixel_centers",
                        json_string(options->pixel_centers == MMD_PIXEL_CENTERS_GL ? "gl" : "d3d9"));
    set_show(view, options);
    json_object_set_new(view, "sdef", json_string(options->sdef == MMD_SDEF_SLERP ? "slerp" : "linear"));
    return view;
}

/* Returns the physics settings at the start; later changes are recorded as commands. Settings that affect
 * only time or memory are omitted. */
static json_t *physics_value(const odori_scene *scene)
{
    const physics_settings *p = &scene->physics;
    const mmd_physics_options *o = &p->options;
    bool has_keys = scene->settings.project.gravity_keys && !p->gravity_given;
    if (!p->on)
        return json_string("off");
    return json_pack("{so ss ss si ss}", "gravity",
                     has_keys ? json_string(PROVENANCE_OF_PROJECT) : reals(o->gravity, 3), "ground",
                     o->ground ? "on" : "off", "world", o->shared_world ? "shared" : "own", "rate",
                     (int)o->rate, "lever", o->joint_lever == MMD_LEVER_STOCK ? "stock" : "own");
}

static json_t *state_value(const mmd_stage *stage)
{
    const mmd_camera *camera = mmd_stage_camera(stage);
    const mmd_light *light = mmd_stage_light(stage);
    return json_pack("{s{so so so so sb} s{so so}}", "camera", "distance", real((double)camera->distance),
                     "position", reals(camera->position, 3), "rotation", reals(camera->rotation, 3), "fov",
                     real((double)camera->fov), "perspective", (int)camera->perspective, "light", "color",
                     reals(light->color, 3), "direction", reals(light->direction, 3));
}

/* Returns the quality settings that have an effect; a shutter without motion blur has none. */
static json_t *quality_value(const draw_quality *q, double interval)
{
    json_t *value = json_pack("{si si}", "bits", (int)q->bits, "supersample", (int)q->supersample);
    if (q->moments > 1) {
        json_object_set_new(value, "motion_blur", json_integer((json_int_t)q->moments));
        json_object_set_new(value, "shutter", real(q->shutter));
        json_object_set_new(value, "interval", real(interval));
    }
    return value;
}

static json_t *motion_value(const provenance_motion *m, size_t *left)
{
    json_t *value = listed_file_value(&m->file, left);
    if (m->owner)
        json_object_set_new(value, "model", json_integer((json_int_t)m->owner - 1));
    return value;
}

/* Returns the plug-ins that edits used. Edits of a plug-in that has been unloaded are recorded like any other
 * edit. */
static json_t *plugins_value(const odori_plugins *plugins)
{
    json_t *list = json_array();
    for (size_t i = 0; i < plugins_count(plugins); i++) {
        const plugin_info told = plugins_get(plugins, i);
        json_array_append_new(list,
                              json_pack("{so ss}", "name", text_value(told.name), "hash", told.hash.text));
    }
    return list;
}

/* Returns the background files that projects name. */
static json_t *backgrounds_value(const odori_scene *scene)
{
    json_t *list = json_array();
    for (uint32_t i = 0; background_path(scene, i); i++) {
        const provenance_file file = {.path = background_path(scene, i),
                                      .hash = file_digest(background_path(scene, i))};
        json_array_append_new(list, file_value(&file));
    }
    return list;
}

/* Makes the path of a file absolute, unless it is the bundled dancer. value may be NULL. */
static void lead_from(json_t *value, const char *folder)
{
    char path[MMD_FILE_PATH_MAX];
    const char *given = json_string_value(json_object_get(value, "path"));
    if (given && platform_path_root(given) == 0 && !bundled_is_meant(given) &&
        snprintf(path, sizeof path, "%s/%s", folder, given) < (int)sizeof path)
        json_object_set_new(value, "path", text_value(path));
}

/* Makes the paths of all files of a picture absolute. */
static void lead_all_from(json_t *root, const char *folder)
{
    static const char *const lists[] = {"models", "motions", "backgrounds"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        json_t *list = json_object_get(root, lists[i]);
        for (size_t k = 0; k < json_array_size(list); k++)
            lead_from(json_array_get(list, k), folder);
    }
    lead_from(json_object_get(root, "stage"), folder);
    lead_from(json_object_get(root, "camera"), folder);
}

char *provenance_write(const provenance_shot *p)
{
    const provenance_files *files = p->files;
    const odori_session *session = p->session;
    const double frame = session->frame, start = *p->exec ? p->start : frame;
    const size_t model_count = files->model_count - files->has_stage;
    size_t left = PROVENANCE_ALL_CONTENTS;
    json_t *models = json_array(), *motions = json_array();
    for (size_t i = 0; i < model_count; i++)
        json_array_append_new(models, model_value(&files->models[i], &left));
    for (size_t i = 0; i < files->motion_count; i++)
        json_array_append_new(motions, motion_value(&files->motions[i], &left));
    json_t *root =
        json_pack("{si ss so so}", "format", 1, "odori", ODORI_VERSION, "models", models, "motions", motions);
    if (files->has_stage)
        json_object_set_new(root, "stage", model_value(&files->models[model_count], &left));
    if (files->camera.path)
        json_object_set_new(root, "camera", listed_file_value(&files->camera, &left));
    json_object_set_new(root, "frame", real(frame));
    if (start < frame || start > frame)
        json_object_set_new(root, "start", real(start));
    json_object_set_new(root, "size", json_pack("[ii]", (int)p->size.width, (int)p->size.height));
    json_t *view = view_value(p->settings, &session->view);
    if (p->textures)
        set_texture_memory(view, p->textures);
    json_object_set_new(root, "view", view);
    if (background_path(session->scene, 0))
        json_object_set_new(root, "backgrounds", backgrounds_value(session->scene));
    if (p->folder)
        lead_all_from(root, p->folder);
    json_object_set_new(root, "exec", text_value(p->exec));
    json_object_set_new(root, "physics", physics_value(session->scene));
    if (plugins_count(session->history.plugins))
        json_object_set_new(root, "plugins", plugins_value(session->history.plugins));
    if (p->quality && !draw_quality_is_plain(p->quality))
        json_object_set_new(root, "quality", quality_value(p->quality, p->interval));
    json_object_set_new(root, "state", state_value(session->scene->stage));
    json_object_set_new(root, "gl",
                        json_pack("{ss ss ss}", "vendor", p->gpu->vendor, "renderer", p->gpu->renderer,
                                  "version", p->gpu->version));
    char *text = json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(root);
    return text;
}

char *provenance_of_stage(const recipe_stage *stage, const provenance_files *files, const mmd_gpu_info *gpu)
{
    const provenance_shot shot = {.files = files,
                                  .settings = &stage->recipe.settings,
                                  .session = &stage->session,
                                  .start = recipe_start_frame(stage),
                                  .exec = stage->recipe.exec,
                                  .size = stage->size,
                                  .gpu = gpu,
                                  .textures = &stage->textures};
    return provenance_write(&shot);
}

/* --- The files of a scene --- */

static bool hash_model(const scene_model *m, const stored_model *known, provenance_model *told)
{
    *told = (provenance_model){.file = {.path = m->given}, .model = m->model, .is_borrowed = known != NULL};
    told->file.hash = known ? known->file : file_digest(m->path);
    told->file.contents =
        known ? known->listed : contents_text_of_model(m->model, PROVENANCE_MODEL_CONTENTS);
    told->file.owns_contents = !known;
    if (m->vac) {
        told->accessory = m->vac->file;
        told->accessory_hash = known ? known->accessory : accessory_digest(m->path, m->vac);
    }
    if (known)
        told->textures = known->textures;
    return known || texture_digests_read(&told->textures, m->model, &m->textures);
}

/* Shares the entry of a crowd's copy with the original. Returns false if the original is not listed. */
static bool tell_copy(const scene_model *m, provenance_files *files)
{
    for (size_t i = 0; i < files->model_count; i++) {
        if (files->models[i].file.path != m->given)
            continue;
        const provenance_file original = files->models[i].file;
        files->models[files->model_count++] =
            (provenance_model){.file = {.path = original.path, .hash = original.hash}};
        return true;
    }
    return false;
}

/* The models to list, in this order, and the numbers that they get. */
typedef struct listed_models {
    size_t *models, *numbers;
    size_t count;
} listed_models;

/* Lists all models, or only those on the stage. Returns false if out of memory. */
static bool list_models(const odori_scene *scene, bool only_present, listed_models *list)
{
    list->models = mmd_alloc((scene->model_count + 1) * sizeof *list->models);
    list->numbers = mmd_alloc((scene->model_count + 1) * sizeof *list->numbers);
    if (!list->models || !list->numbers)
        return false;
    for (size_t i = 0; i < scene->model_count; i++)
        list->numbers[i] = i;
    if (only_present)
        scene_number_present(scene, list->numbers);
    for (size_t i = 0; i < scene->model_count; i++)
        if (list->numbers[i] < scene->model_count) {
            list->models[list->numbers[i]] = i;
            list->count++;
        }
    return true;
}

/* Lists the files of the models. Files that a project brings are identified by the project; changes of their
 * textures are not recorded. */
static bool read_models(provenance_files *files, const odori_scene *scene, const recipe_stage *stage,
                        const listed_models *list)
{
    const char *project = NULL; /* project of the previous model */
    files->models = mmd_alloc((list->count + 1) * sizeof *files->models);
    for (size_t k = 0; files->models && k < list->count; k++) {
        const size_t i = list->models[k];
        const scene_model *m = &scene->models[i];
        if (m->project && m->project != project)
            files->models[files->model_count++] =
                (provenance_model){.file = {.path = m->project_given, .hash = file_digest(m->project)}};
        else if (!m->project && !(m->is_copy && tell_copy(m, files)) &&
                 !hash_model(m, stage ? stage->models[i] : NULL, &files->models[files->model_count++]))
            return false;
        project = m->project;
    }
    files->has_stage = list->count && scene->models[list->models[list->count - 1]].is_backdrop;
    return files->models;
}

/* number: of the only model that it moves, from 1; 0: it moves all dancers. */
static provenance_motion tell_motion(const scene_motion *m, const recipe_stage *stage, size_t number)
{
    const stored_motion *known = stage ? store_find_motion(stage->store, m->motion) : NULL;
    const provenance_file file = {
        m->given, known ? known->file : file_digest(m->path),
        known       ? known->listed
        : m->motion ? contents_text_of_motion(m->motion, PROVENANCE_MOTION_CONTENTS)
                    : NULL,
        !known};
    return (provenance_motion){file, number};
}

/* Lists the motions, those that were danced before last, except for those of models that are not listed. If
 * only the last file has camera and light, it is recorded as camera; otherwise camera files are listed like
 * motions. */
static bool read_motions(provenance_files *files, const odori_scene *scene, const recipe_stage *stage,
                         const listed_models *list)
{
    files->motions = mmd_alloc((scene->motion_count + scene->faded_count) * sizeof *files->motions);
    for (size_t i = 0; files->motions && i < scene->motion_count; i++) {
        const scene_motion *m = &scene->motions[i];
        const size_t target = m->target >= 0 ? list->numbers[scene_holder(scene, (size_t)m->target)] : 0;
        if (m->is_of_project || (m->target >= 0 && target >= scene->model_count))
            continue;
        const provenance_motion told = tell_motion(m, stage, m->target >= 0 ? target + 1 : 0);
        if (m->is_camera && i + 1 == scene->motion_count)
            files->camera = told.file;
        else
            files->motions[files->motion_count++] = told;
    }
    for (size_t i = 0; files->motions && i < scene->faded_count; i++)
        files->motions[files->motion_count++] =
            tell_motion(&scene->faded[i].file, stage, (size_t)scene->faded[i].file.target + 1);
    return files->motions;
}

bool provenance_files_read(provenance_files *files, const odori_scene *scene, const recipe_stage *stage,
                           bool only_present)
{
    listed_models list = {0};
    bool done = list_models(scene, only_present, &list) && read_models(files, scene, stage, &list) &&
                read_motions(files, scene, stage, &list);
    mmd_free(list.models);
    mmd_free(list.numbers);
    return done;
}

static void finish_file(provenance_file *file)
{
    if (file->owns_contents)
        mmd_free(file->contents);
}

void provenance_files_finish(provenance_files *files)
{
    for (size_t i = 0; i < files->model_count; i++) {
        if (!files->models[i].is_borrowed)
            texture_digests_finish(&files->models[i].textures);
        finish_file(&files->models[i].file);
    }
    for (size_t i = 0; i < files->motion_count; i++)
        finish_file(&files->motions[i].file);
    finish_file(&files->camera);
    mmd_free(files->models);
    mmd_free(files->motions);
    *files = (provenance_files){0};
}
