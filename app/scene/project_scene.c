/* A project read, its files found, and all of it put on the stage. */
#include "project_scene.h"

#include <math.h>
#include <string.h>

#include "accessory.h"
#include "base/message.h"
#include "background.h"
#include "mmd/memory.h"
#include "files/project_files.h"

typedef struct opening {
    odori_scene *scene;
    const char *path; /* of the project, the scene's */
    mmd_project *project;
    const mmd_pose_options *options;
    const mmd_log *log;
    project_places places;
    size_t *models; /* numbers in the scene, or PROJECT_NOT_THERE */
    size_t there;   /* how many models and accessories are */
    bool failed;    /* out of memory: the scene is not to be used */
} opening;

/* Reads and adds a file that the project names; false, and told, where it is not there. */
static bool add_file(opening *o, const char *name)
{
    char path[PATH_MAX];
    model_file file;
    mmd_error error = {0};
    if (!project_find(&o->places, name, path)) {
        message("%s: \"%.300s\" is neither in its folder nor in the two above", o->path, name);
        return false;
    }
    if (model_file_read(path, &file, &error) != MMD_OK) {
        report(&error);
        return false;
    }
    if (!scene_add_placed(o->scene, path, &file, o->options)) {
        o->failed = true;
        return false;
    }
    o->scene->models[o->scene->model_count - 1].project = o->path;
    o->there++;
    return true;
}

/* A motion that lies in the project: it belongs to the scene, but not to those who come later. */
static bool keep_motion(opening *o, mmd_motion *motion, size_t model)
{
    if (!motion || !scene_add_motion_to(o->scene, o->path, motion, model))
        return false;
    o->scene->motions[o->scene->motion_count - 1].is_of_project = true;
    return true;
}

/* --- Models --- */

static void stage_model(opening *o, const mmd_project_model *m, size_t index)
{
    mmd_staging staging = mmd_default_staging();
    float edge = scene_bounded((double)m->edge_width);
    staging.draw_order = m->draw_order;
    staging.additive = m->add_blend != 0;
    staging.self_shadow = m->self_shadow != 0;
    staging.edge_scale = edge > 0 ? edge : 0;
    mmd_stage_set_staging(o->scene->stage, index, &staging);
}

/* Version 0001 leaves the names of bones and morphs to the model's file. */
static void name_bones(opening *o, uint32_t number, const scene_model *model)
{
    mmd_error error = {0};
    if (mmd_project_version(o->project) != 1)
        return;
    mmd_status status = mmd_project_take_names(o->project, number, model->model, &error);
    if (status == MMD_ERROR_COUNT)
        mmd_log_message(o->log, MMD_LOG_WARNING,
                        "%s: %s: it is another version of this model; keys of what differs are left out",
                        model->path, error.message);
    else if (status != MMD_OK)
        o->failed = true;
}

static void add_model(opening *o, uint32_t number)
{
    const mmd_project_model *m = &o->project->models[number];
    o->models[number] = PROJECT_NOT_THERE;
    if (!add_file(o, m->path.text))
        return;
    size_t index = o->models[number] = o->scene->model_count - 1;
    stage_model(o, m, index);
    name_bones(o, number, &o->scene->models[index]);
    if (!keep_motion(o, mmd_project_model_motion(m), index))
        o->failed = true;
}

/* --- Accessories --- */

/* The one drawn next: of the lowest order not below this one's, behind it in the list where orders are equal.
 */
static const mmd_project_accessory *next_accessory(const mmd_project *p, const mmd_project_accessory *last)
{
    const mmd_project_accessory *next = NULL;
    for (uint32_t i = 0; i < p->accessory_count; i++) {
        const mmd_project_accessory *a = &p->accessories[i];
        bool is_behind =
            !last || a->draw_order > last->draw_order || (a->draw_order == last->draw_order && a > last);
        if (is_behind && (!next || a->draw_order < next->draw_order))
            next = a;
    }
    return next;
}

static void add_accessories(opening *o, const project_models *models)
{
    const mmd_project_accessory *a = NULL;
    while (!o->failed && (a = next_accessory(o->project, a)) != NULL)
        if (add_file(o, a->path.text) && !project_stage_accessory(o->scene, models, a, o->log))
            o->failed = true;
}

/* --- The scene --- */

static void warn(const opening *o, bool is_so, const char *sentence)
{
    if (is_so)
        mmd_log_message(o->log, MMD_LOG_WARNING, "%s: %s", o->path, sentence);
}

/* What this version draws otherwise than MMD, and what the reader mended. */
static void tell_differences(const opening *o)
{
    const mmd_project *p = o->project;
    warn(o, p->repair_count > 0, "some of its lists of keys were damaged and are mended");
    bool has_noise = false;
    for (uint32_t i = 0; i < p->gravity_count; i++)
        has_noise |= p->gravity_keys[i].noise_on != 0;
    warn(o, has_noise, "its gravity has noise, which is random in MMD; here it has none");
}

static uint32_t pixels(int32_t size)
{
    return size < 1 ? 1 : size > 16384 ? 16384 : (uint32_t)size;
}

/* MMD's number is a tenth of what bodies fall with (MMD.md 5.1). False: out of memory. */
static bool take_physics(odori_scene *scene, const mmd_project *p)
{
    scene_settings *settings = &scene->settings;
    mmd_gravity_key *keys = mmd_arena_alloc(&scene->arena, p->gravity_count, sizeof *keys);
    size_t count = 0;
    if (!keys)
        return false;
    settings->physics = p->physics_mode != MMD_PROJECT_PHYSICS_OFF;
    settings->physics_ground = p->physics_ground != 0;
    for (uint32_t i = 0; i < p->gravity_count; i++) {
        const mmd_project_gravity_key *key = &p->gravity_keys[i];
        if (count && keys[count - 1].frame == key->at.frame)
            count--; /* of several keys of a frame the last one counts */
        keys[count] = (mmd_gravity_key){.frame = key->at.frame,
                                        .strength = scene_bounded(10.0 * (double)key->acceleration)};
        for (int k = 0; k < 3; k++)
            keys[count].direction[k] = scene_bounded((double)key->direction[k]);
        count++;
    }
    for (int k = 0; k < 3; k++)
        settings->gravity[k] = scene_bounded((double)keys[0].strength * (double)keys[0].direction[k]);
    settings->gravity_keys = count > 1 ? keys : NULL;
    settings->gravity_key_count = count > 1 ? count : 0;
    return true;
}

static void take_settings(opening *o)
{
    const mmd_project *p = o->project;
    float brightness = p->ground_shadow_brightness;
    char sound[PATH_MAX];
    bool has_sound = project_find_sound(&o->places, p, o->path, sound);
    o->scene->settings = (scene_settings){
        .given = true,
        .grid = p->show_axis != 0,
        .self_shadow = p->self_shadow_on != 0,
        .ground_shadow = p->show_ground_shadow != 0,
        .ground_shadow_transparent = p->ground_shadow_transparent != 0,
        .ground_shadow_brightness = brightness >= 0 && brightness <= 1 ? brightness : 1,
        .black = p->black_background != 0,
        .frame = p->frame > 0 ? p->frame : 0,
        .width = pixels(p->view_width),
        .height = pixels(p->view_height),
        .sound = has_sound ? mmd_arena_text(&o->scene->arena, sound, strlen(sound)) : NULL,
    };
    o->failed = o->failed || !take_physics(o->scene, p) ||
                !background_open(o->scene, &o->places, p, o->path);
}

/* Camera, light and self shadow, and whom the camera follows. */
static bool add_scene_keys(opening *o, const project_models *models)
{
    const mmd_project *p = o->project;
    bool is_there = true, follows = false;
    if (!keep_motion(o, mmd_project_scene_motion(p), 0))
        return false;
    const mmd_motion *motion = o->scene->motions[o->scene->motion_count - 1].motion;
    mmd_outside_key *keys = mmd_alloc(p->camera_count * sizeof *keys);
    if (!keys)
        return false;
    for (uint32_t i = 0; i < p->camera_count; i++) {
        keys[i] = (mmd_outside_key){.frame = p->camera_keys[i].at.frame};
        is_there &= project_find_parent(o->scene, models, &p->camera_keys[i].follow, &keys[i].parent,
                                        &keys[i].parent_bone);
        follows |= keys[i].parent != NULL;
    }
    warn(o, !is_there, "the bone that its camera follows is not there; it follows none then");
    bool done = !follows || mmd_stage_set_camera_follow(o->scene->stage, motion, keys, p->camera_count,
                                                        NULL) == MMD_OK;
    mmd_free(keys);
    return done;
}

static int put_on_stage(opening *o)
{
    o->models = mmd_alloc((o->project->model_count + 1) * sizeof *o->models);
    if (!o->models || !project_places_init(&o->places, o->path)) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    for (uint32_t i = 0; i < o->project->model_count && !o->failed; i++)
        add_model(o, i);
    const project_models models = {o->project, o->models};
    o->failed = o->failed || !project_hang_models(o->scene, &models, o->log);
    add_accessories(o, &models);
    if (o->failed || !add_scene_keys(o, &models))
        return EXIT_FACILITY;
    take_settings(o);
    if (o->failed)
        return EXIT_FACILITY;
    tell_differences(o);
    if (o->there)
        return EXIT_DONE;
    message(o->project->model_count + o->project->accessory_count ? "%s: none of its models is there"
                                                                  : "%s: a project without models",
            o->path);
    return EXIT_INPUT;
}

int project_open(odori_scene *s, const char *path, const mmd_bytes *bytes, const mmd_pose_options *options,
                 const mmd_log *log)
{
    mmd_project *project;
    mmd_error error = {0};
    if (mmd_pmm_read(bytes->data, bytes->size, &project, &error) != MMD_OK) {
        mmd_error_set_file(&error, path);
        return report(&error);
    }
    opening o = {.scene = s,
                 .path = mmd_arena_text(&s->arena, path, strlen(path)),
                 .project = project,
                 .options = options,
                 .log = log};
    int result = o.path ? put_on_stage(&o) : EXIT_FACILITY;
    project_places_finish(&o.places);
    mmd_free(o.models);
    mmd_project_destroy(project);
    return result;
}
