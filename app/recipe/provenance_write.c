/* Writing the chunk: what was given, and hashes of what it named. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/background.h"
#include "mmd/memory.h"
#include "mmd/text.h"
#include "edit/plugins.h"
#include "provenance.h"

/* Texts of files and arguments may be any bytes; JSON's are UTF-8. */
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

/* NaN and infinity have no JSON; nine digits give the same float back. */
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

static json_t *model_value(const provenance_model *m)
{
    json_t *value = file_value(&m->file), *textures = json_array();
    for (size_t i = 0; i < m->textures->count; i++)
        json_array_append_new(textures, json_pack("{so ss}", "name", text_value(m->model->textures[i]),
                                                  "hash", m->textures->items[i].text));
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

/* What is shown of physics; where that is nothing, nothing is said of it. */
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

/* The options as given, and over them the view as it was in the end. */
static json_t *view_value(const plan_settings *settings, const mmd_view_options *options)
{
    json_t *view = json_object();
    for (size_t i = 0; i < settings->count; i++) {
        char name[64];
        if (plan_is_physics(settings->items[i].name))
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
    json_object_set_new(view, "msaa", json_string(samples));
    json_object_set_new(view, "pixel_centers",
                        json_string(options->pixel_centers == MMD_PIXEL_CENTERS_GL ? "gl" : "d3d9"));
    set_show(view, options);
    json_object_set_new(view, "sdef", json_string(options->sdef == MMD_SDEF_SLERP ? "slerp" : "linear"));
    return view;
}

/* As it was started; what commands changed since is among them. What only costs time or memory is left out.
 */
static json_t *physics_value(const odori_scene *scene)
{
    const physics_settings *p = &scene->physics;
    const mmd_physics_options *o = &p->options;
    bool has_keys = scene->settings.gravity_keys && !p->gravity_given;
    if (!p->on)
        return json_string("off");
    return json_pack("{so ss ss si ss}", "gravity",
                     has_keys ? json_string(PROVENANCE_OF_PROJECT) : reals(o->gravity, 3), "ground",
                     o->ground ? "on" : "off", "world", o->shared_world ? "shared" : "own", "rate", (int)o->rate,
                     "lever", o->joint_lever == MMD_LEVER_STOCK ? "stock" : "own");
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

/* What does not count is left out: a shutter without motion blur. */
static json_t *quality_value(const render_quality *q, double interval)
{
    json_t *value = json_pack("{si si}", "bits", (int)q->bits, "supersample", (int)q->supersample);
    if (q->moments > 1) {
        json_object_set_new(value, "motion_blur", json_integer((json_int_t)q->moments));
        json_object_set_new(value, "shutter", real(q->shutter));
        json_object_set_new(value, "interval", real(interval));
    }
    return value;
}

static json_t *motion_value(const provenance *p, size_t motion)
{
    json_t *value = file_value(&p->motions[motion]);
    if (p->owners && p->owners[motion])
        json_object_set_new(value, "model", json_integer((json_int_t)p->owners[motion] - 1));
    return value;
}

/* Whose handlers edits went by. What was edited while one was there that is gone is told as any other edit.
 */
static json_t *plugins_value(const odori_plugins *plugins)
{
    json_t *list = json_array();
    for (size_t i = 0; i < plugins_count(plugins); i++) {
        const plugin_told told = plugins_tell(plugins, i);
        json_array_append_new(list,
                              json_pack("{so ss}", "name", text_value(told.name), "hash", told.hash.text));
    }
    return list;
}

/* A project names them; what is in them is told here. */
static json_t *backgrounds_value(const odori_scene *scene)
{
    json_t *list = json_array();
    for (uint32_t i = 0; background_path(scene, i); i++) {
        const provenance_file file = {background_path(scene, i), file_digest(background_path(scene, i))};
        json_array_append_new(list, file_value(&file));
    }
    return list;
}

char *provenance_write(const provenance *p)
{
    json_t *models = json_array(), *motions = json_array();
    for (size_t i = 0; i < p->model_count; i++)
        json_array_append_new(models, model_value(&p->models[i]));
    for (size_t i = 0; i < p->motion_count; i++)
        json_array_append_new(motions, motion_value(p, i));
    json_t *root =
        json_pack("{si ss so so}", "format", 1, "odori", ODORI_VERSION, "models", models, "motions", motions);
    if (p->stage)
        json_object_set_new(root, "stage", model_value(p->stage));
    if (p->camera.path)
        json_object_set_new(root, "camera", file_value(&p->camera));
    json_object_set_new(root, "frame", real(p->frame));
    if (!isnan(p->start) && (p->start < p->frame || p->start > p->frame))
        json_object_set_new(root, "start", real(p->start));
    json_object_set_new(root, "size", json_pack("[ii]", (int)p->size.width, (int)p->size.height));
    json_object_set_new(root, "view", view_value(p->settings, &p->session->view));
    if (background_path(p->session->scene, 0))
        json_object_set_new(root, "backgrounds", backgrounds_value(p->session->scene));
    json_object_set_new(root, "exec", text_value(p->exec));
    json_object_set_new(root, "physics", physics_value(p->session->scene));
    if (plugins_count(p->session->history.plugins))
        json_object_set_new(root, "plugins", plugins_value(p->session->history.plugins));
    if (p->quality && !render_quality_is_plain(p->quality))
        json_object_set_new(root, "quality", quality_value(p->quality, p->interval));
    json_object_set_new(root, "state", state_value(p->session->scene->stage));
    json_object_set_new(root, "gl",
                        json_pack("{ss ss ss}", "vendor", p->gpu->vendor, "renderer", p->gpu->renderer,
                                  "version", p->gpu->version));
    char *text = json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(root);
    return text;
}

/* Plans. */

static provenance_file file_of(const plan_stage *s, const plan_input *input, const digest *hash)
{
    return (provenance_file){plan_stage_given(s, input), *hash};
}

char *provenance_of_plan(const plan_stage *s, double frame, const mmd_gpu_info *gpu)
{
    const plan *p = s->plan;
    size_t motions = p->motions.count + p->poses.count;
    size_t stages = p->stage.given ? 1 : 0; /* the last of the scene's models */
    provenance_model *models = mmd_alloc((p->models.count + stages) * sizeof *models);
    provenance_file *files = mmd_alloc(motions * sizeof *files);
    size_t *owners = mmd_alloc(motions * sizeof *owners);
    char *text = NULL;
    for (size_t i = 0; models && i < p->models.count + stages; i++) {
        const plan_input *input = i < p->models.count ? &p->models.items[i] : &p->stage;
        const stored_model *m = s->inputs[i];
        static const texture_digests none = {0};
        if (m)
            models[i] = (provenance_model){file_of(s, input, &m->file), m->model, &m->textures,
                                           m->vac ? m->vac->file : NULL, m->accessory};
        else
            models[i] = (provenance_model){file_of(s, input, &s->projects[i]), NULL, &none, NULL, {""}};
    }
    for (size_t i = 0; files && i < motions; i++)
        files[i] =
            file_of(s, i < p->motions.count ? &p->motions.items[i] : &p->poses.items[i - p->motions.count],
                    &s->motions[i]);
    for (size_t i = 0; owners && i < motions; i++)
        owners[i] = i < p->motions.count ? p->motions.items[i].owner : 0;
    provenance all = {
        .models = models,
        .model_count = p->models.count,
        .stage = models && stages ? &models[p->models.count] : NULL,
        .motions = files,
        .owners = owners,
        .motion_count = motions,
        .frame = frame,
        .start = *p->exec ? (isnan(p->start) ? p->frames[0] : p->start) : frame,
        .settings = &p->settings,
        .exec = p->exec,
        .session = &s->session,
        .size = p->size,
        .gpu = gpu,
    };
    if (p->camera.given)
        all.camera = file_of(s, &p->camera, &s->motions[motions]);
    if (models && files && owners)
        text = provenance_write(&all);
    mmd_free(owners);
    mmd_free(models);
    mmd_free(files);
    return text;
}

/* Shots. */

/* All that a project brought is named by the project; that its textures have changed is not told. */
static void hash_project(const char *path, provenance_files *files)
{
    const size_t none = files->textures_read++;
    files->textures[none] = (texture_digests){0};
    files->models[files->model_count++] =
        (provenance_model){{path, file_digest(path)}, NULL, &files->textures[none], NULL, {""}};
}

static bool hash_model(const scene_model *m, provenance_files *files)
{
    texture_digests *textures = &files->textures[files->textures_read++];
    provenance_model *model = &files->models[files->model_count++];
    *model = (provenance_model){{m->given, file_digest(m->path)}, m->model, textures, NULL, {""}};
    if (m->vac) {
        model->accessory = m->vac->file;
        model->accessory_hash = accessory_digest(m->path, m->vac);
    }
    return texture_digests_read(textures, m->model, &m->textures);
}

/* A copy's file and textures are told of with the model that it is one of; false: that is not among them. */
static bool hash_copy(const scene_model *m, provenance_files *files)
{
    for (size_t i = 0; i < files->model_count; i++) {
        if (files->models[i].file.path != m->given)
            continue;
        const size_t none = files->textures_read++;
        files->textures[none] = (texture_digests){0};
        files->models[files->model_count++] =
            (provenance_model){files->models[i].file, NULL, &files->textures[none], NULL, {""}};
        return true;
    }
    return false;
}

static bool hash_models(const odori_scene *scene, provenance_files *files)
{
    const char *project = NULL; /* of the model before */
    files->models = mmd_alloc(scene->model_count * sizeof *files->models);
    files->textures = mmd_alloc(scene->model_count * sizeof *files->textures);
    for (size_t i = 0; files->models && files->textures && i < scene->model_count; i++) {
        const scene_model *m = &scene->models[i];
        if (m->project && m->project != project)
            hash_project(m->project, files);
        else if (!m->project && !(m->is_copy && hash_copy(m, files)) && !hash_model(m, files))
            return false;
        project = m->project;
    }
    return files->models && files->textures;
}

static bool hash_motions(const odori_scene *scene, provenance_files *files)
{
    files->motions = mmd_alloc(scene->motion_count * sizeof *files->motions);
    files->owners = mmd_alloc(scene->motion_count * sizeof *files->owners);
    for (size_t i = 0; files->motions && files->owners && i < scene->motion_count; i++) {
        const scene_motion *m = &scene->motions[i];
        if (m->is_of_project)
            continue;
        files->owners[files->motion_count] = m->target >= 0 ? (size_t)m->target + 1 : 0;
        files->motions[files->motion_count++] = (provenance_file){m->given, file_digest(m->path)};
    }
    return files->motions && files->owners;
}

bool provenance_files_read(provenance_files *files, const odori_scene *scene)
{
    return hash_models(scene, files) && hash_motions(scene, files);
}

void provenance_files_finish(provenance_files *files)
{
    for (size_t i = 0; i < files->textures_read; i++)
        texture_digests_finish(&files->textures[i]);
    mmd_free(files->models);
    mmd_free(files->textures);
    mmd_free(files->motions);
    mmd_free(files->owners);
    *files = (provenance_files){0};
}

char *provenance_of_shot(const provenance_shot *shot)
{
    const provenance_files *files = shot->files;
    size_t cameras = shot->wanted->camera ? 1 : 0; /* the last one of the scene's */
    size_t models = files->model_count - (shot->wanted->stage ? 1 : 0);
    provenance all = {
        .models = files->models,
        .model_count = models,
        .stage = models < files->model_count ? &files->models[models] : NULL,
        .motions = files->motions,
        .owners = files->owners,
        .motion_count = files->motion_count - cameras,
        .frame = shot->session->frame,
        .start = *shot->exec ? shot->start : shot->session->frame,
        .settings = shot->settings,
        .exec = shot->exec,
        .session = shot->session,
        .size = shot->size,
        .quality = shot->quality,
        .interval = shot->interval,
        .gpu = shot->gpu,
    };
    if (cameras)
        all.camera = files->motions[files->motion_count - 1];
    return provenance_write(&all);
}
