/* Time, poses, camera and light of a scene. */
#include "scene_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/framing.h"
#include "mmd/memory.h"
#include "mmd_math.h"

static const double degree = 3.14159265358979323846 / 180;

/* --- What is there --- */

size_t mmd_scene_model_count(const mmd_scene *scene)
{
    assert(scene);
    return scene->model_count;
}

/* Returns a model of the scene, or NULL if there is none of this index. */
static const scene_member *member(const mmd_scene *scene, size_t model)
{
    assert(scene);
    return model < scene->model_count ? &scene->models[model] : NULL;
}

/* Returns the data of a model, or those of a model without anything. */
static const mmd_model *data_of(const mmd_scene *scene, size_t model)
{
    static const mmd_model none = {.name = "", .name_en = "", .comment = "", .comment_en = ""};
    const scene_member *m = member(scene, model);
    return m ? m->model : &none;
}

const mmd_model *mmd_scene_model(const mmd_scene *scene, size_t model)
{
    const scene_member *m = member(scene, model);
    return m ? m->model : NULL;
}

mmd_actor *mmd_scene_actor(const mmd_scene *scene, size_t model)
{
    const scene_member *m = member(scene, model);
    return m ? m->actor : NULL;
}

mmd_stage *mmd_scene_stage(const mmd_scene *scene)
{
    assert(scene);
    return scene->stage;
}

const char *mmd_scene_name(const mmd_scene *scene, size_t model)
{
    return data_of(scene, model)->name;
}

const char *mmd_scene_path(const mmd_scene *scene, size_t model)
{
    const scene_member *m = member(scene, model);
    return m ? m->path : "";
}

size_t mmd_scene_bone_count(const mmd_scene *scene, size_t model)
{
    return data_of(scene, model)->bone_count;
}

const char *mmd_scene_bone_name(const mmd_scene *scene, size_t model, size_t bone)
{
    const mmd_model *m = data_of(scene, model);
    return bone < m->bone_count ? m->bones[bone].name : "";
}

int32_t mmd_scene_find_bone(const mmd_scene *scene, size_t model, const char *name)
{
    assert(name);
    return mmd_model_find_bone(data_of(scene, model), name);
}

size_t mmd_scene_morph_count(const mmd_scene *scene, size_t model)
{
    return data_of(scene, model)->morph_count;
}

const char *mmd_scene_morph_name(const mmd_scene *scene, size_t model, size_t morph)
{
    const mmd_model *m = data_of(scene, model);
    return morph < m->morph_count ? m->morphs[morph].name : "";
}

int32_t mmd_scene_find_morph(const mmd_scene *scene, size_t model, const char *name)
{
    assert(name);
    return mmd_model_find_morph(data_of(scene, model), name);
}

size_t mmd_scene_material_count(const mmd_scene *scene, size_t model)
{
    return data_of(scene, model)->material_count;
}

const char *mmd_scene_material_name(const mmd_scene *scene, size_t model, size_t material)
{
    const mmd_model *m = data_of(scene, model);
    return material < m->material_count ? m->materials[material].name : "";
}

/* --- Time --- */

mmd_status mmd_scene_set_physics(mmd_scene *scene, const mmd_physics_options *options, mmd_error *error)
{
    assert(scene);
    scene->physics_on = options != NULL;
    scene->physics_given = true;
    if (options)
        scene->physics = *options;
    scene->stale_physics = true;
    return scene_settle(scene, error);
}

/* Returns the options of physics that the files say: those of the first model with a world of its own, and of
 * the project. */
static mmd_physics_options options_of_files(const mmd_scene *scene)
{
    mmd_physics_options options = scene->physics;
    for (size_t i = 0; i < scene->model_count; i++)
        if (scene->models[i].model->physscene) {
            mmd_physics_options_take(&options, &scene->models[i].model->physscene->world);
            break;
        }
    if (scene->has_project) {
        memcpy(options.gravity, scene->project.gravity, sizeof options.gravity);
        options.ground = scene->project.physics_ground;
    }
    return options;
}

/* Starts physics for what is on the stage now. */
static mmd_status start_physics(mmd_scene *scene, mmd_error *error)
{
    if (!scene->stale_physics)
        return MMD_OK;
    const bool by_files = !scene->physics_given,
               is_on = scene->physics_on && !(by_files && scene->has_project && !scene->project.physics);
    const mmd_physics_options options = by_files ? options_of_files(scene) : scene->physics;
    const bool has_keys = by_files && scene->has_project && scene->project.gravity_keys;
    mmd_status status =
        mmd_stage_set_gravity_keys(scene->stage, has_keys ? scene->project.gravity_keys : NULL,
                                   has_keys ? scene->project.gravity_key_count : 0, error);
    if (status == MMD_OK)
        status = mmd_stage_set_physics(scene->stage, is_on ? &options : NULL, error);
    if (status != MMD_OK) {
        mmd_stage_set_physics(scene->stage, NULL, NULL);
        scene->physics_on = false;
    }
    scene->stale_physics = false;
    return status;
}

mmd_status mmd_scene_set_frame(mmd_scene *scene, double frame, mmd_error *error)
{
    assert(scene);
    if (!(frame >= 0 && frame <= MMD_SCENE_FRAMES))
        return mmd_error_set(error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET,
                             "frame %g instead of a number from 0 to %d", frame, MMD_SCENE_FRAMES);
    mmd_status status = start_physics(scene, error);
    if (status != MMD_OK)
        return status;
    scene->frame = frame;
    mmd_stage_set_frame(scene->stage, frame);
    scene->stale = false;
    return MMD_OK;
}

mmd_status scene_settle(mmd_scene *scene, mmd_error *error)
{
    return scene->stale || scene->stale_physics ? mmd_scene_set_frame(scene, scene->frame, error) : MMD_OK;
}

double mmd_scene_frame(const mmd_scene *scene)
{
    assert(scene);
    return scene->frame;
}

double mmd_scene_last_frame(const mmd_scene *scene)
{
    assert(scene);
    return mmd_stage_last_frame(scene->stage);
}

/* --- Poses --- */

/* Returns whether all of some numbers are finite. */
static bool are_finite(const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return false;
    return true;
}

bool mmd_scene_set_bone(mmd_scene *scene, size_t model, size_t bone, const float translation[3],
                        const float rotation[4])
{
    static const float none[3] = {0, 0, 0};
    float unit[4] = {0, 0, 0, 1};
    if (bone >= mmd_scene_bone_count(scene, model) || (translation && !are_finite(translation, 3)))
        return false;
    if (rotation) {
        const double length = sqrt((double)rotation[0] * rotation[0] + (double)rotation[1] * rotation[1] +
                                   (double)rotation[2] * rotation[2] + (double)rotation[3] * rotation[3]);
        if (!isfinite(length) || length < 1e-6)
            return false;
        const double scale = fabs(length - 1) < 1e-6 ? 1 : 1 / length; /* keeps the bits of unit ones */
        for (int k = 0; k < 4; k++)
            unit[k] = (float)(rotation[k] * scale);
    }
    mmd_pose_set_user(mmd_actor_pose(scene->models[model].actor), (uint32_t)bone,
                      translation ? translation : none, unit);
    scene->stale = true;
    return true;
}

bool mmd_scene_set_morph(mmd_scene *scene, size_t model, size_t morph, float weight)
{
    if (morph >= mmd_scene_morph_count(scene, model) || isinf(weight))
        return false;
    mmd_actor_set_morph(scene->models[model].actor, (uint32_t)morph, weight);
    scene->stale = true;
    return true;
}

float mmd_scene_morph_weight(const mmd_scene *scene, size_t model, size_t morph)
{
    return morph < mmd_scene_morph_count(scene, model)
               ? mmd_pose_weights(mmd_actor_pose(scene->models[model].actor))[morph]
               : 0;
}

/* Computes the matrices of count bones from one on. */
static void bone_matrices(const mmd_scene *scene, size_t model, size_t first, size_t count,
                          float (*matrices)[16])
{
    const mmd_pose *pose = mmd_actor_pose(scene->models[model].actor);
    float placement[16];
    const bool is_placed = mmd_stage_placement(scene->stage, model, placement);
    for (size_t i = 0; i < count; i++) {
        mmd_pose_bone_matrix(pose, (uint32_t)(first + i), matrices[i]);
        if (is_placed)
            matrix_multiply(placement, matrices[i], matrices[i]);
    }
}

bool mmd_scene_bone_matrix(const mmd_scene *scene, size_t model, size_t bone, float matrix[16])
{
    assert(matrix);
    if (bone >= mmd_scene_bone_count(scene, model))
        return false;
    bone_matrices(scene, model, bone, 1, (float(*)[16])matrix);
    return true;
}

bool mmd_scene_bone_matrices(const mmd_scene *scene, size_t model, float (*matrices)[16])
{
    assert(scene && matrices);
    if (model >= scene->model_count)
        return false;
    bone_matrices(scene, model, 0, mmd_scene_bone_count(scene, model), matrices);
    return true;
}

bool mmd_scene_place(mmd_scene *scene, size_t model, const float position[3], const float rotation[3],
                     float scale)
{
    assert(scene && position && rotation);
    if (model >= scene->model_count || !are_finite(position, 3) || !are_finite(rotation, 3) ||
        !isfinite(scale) || scale <= 0)
        return false;
    mmd_staging staging = *mmd_stage_staging(scene->stage, model);
    for (int k = 0; k < 3; k++) {
        staging.position[k] = position[k];
        staging.rotation[k] = (float)((double)rotation[k] * degree);
    }
    staging.scale = scale;
    mmd_stage_set_staging(scene->stage, model, &staging);
    scene->stale = true;
    return true;
}

bool mmd_scene_show(mmd_scene *scene, size_t model, bool shown)
{
    assert(scene);
    if (model >= scene->model_count)
        return false;
    mmd_stage_set_visible(scene->stage, model, shown);
    scene->stale = true;
    return true;
}

/* --- Camera and light --- */

/* Returns a camera in the units of MMD's files. */
static mmd_camera camera_of(const mmd_look *look)
{
    mmd_camera camera = {.distance = -look->distance, .fov = look->fov, .perspective = !look->orthographic};
    for (int k = 0; k < 3; k++) {
        camera.position[k] = look->target[k];
        camera.rotation[k] = (float)((double)look->angle[k] * degree);
    }
    return camera;
}

/* Returns a camera of MMD's files in the units of this header. */
static mmd_look look_of(const mmd_camera *camera)
{
    mmd_look look = {.distance = -camera->distance, .fov = camera->fov, .orthographic = !camera->perspective};
    for (int k = 0; k < 3; k++) {
        look.target[k] = camera->position[k];
        look.angle[k] = (float)((double)camera->rotation[k] / degree);
    }
    return look;
}

mmd_look mmd_scene_look(const mmd_scene *scene)
{
    assert(scene);
    return look_of(mmd_stage_camera(scene->stage));
}

/* Returns whether a camera has numbers to look with. */
static bool is_sound(const mmd_look *look)
{
    return are_finite(look->target, 3) && are_finite(look->angle, 3) && isfinite(look->distance) &&
           look->fov > 0 && look->fov < 180;
}

bool mmd_scene_look_from(mmd_scene *scene, const mmd_look *look)
{
    assert(scene);
    if (look && !is_sound(look))
        return false;
    const mmd_camera camera = look ? camera_of(look) : (mmd_camera){0};
    mmd_stage_set_camera(scene->stage, look ? &camera : NULL);
    scene->stale = true;
    return true;
}

bool mmd_scene_set_light(mmd_scene *scene, const float color[3], const float direction[3])
{
    assert(scene);
    if ((color && !are_finite(color, 3)) || (direction && !are_finite(direction, 3)))
        return false;
    mmd_stage_set_light_color(scene->stage, color);
    mmd_stage_set_light_direction(scene->stage, direction);
    scene->stale = true;
    return true;
}

/* Share of a picture that mmd_scene_fit fills. */
#define FILLED 0.92

bool mmd_scene_fit(const mmd_scene *scene, double aspect, mmd_look *look)
{
    mmd_box dancers = mmd_empty_box(), backdrop = mmd_empty_box();
    assert(scene && look);
    mmd_camera camera = camera_of(look);
    if (!is_sound(look) || !isfinite(aspect) || aspect <= 0)
        return false;
    for (size_t i = 0; i < scene->model_count; i++)
        if (mmd_stage_actor_visible(scene->stage, i) &&
            !mmd_stage_add_box(scene->stage, i, true, scene->models[i].is_backdrop ? &backdrop : &dancers))
            return false;
    const mmd_box *box = mmd_box_is_there(&dancers) ? &dancers : &backdrop;
    if (!mmd_box_is_there(box))
        return false;
    mmd_camera_fit(box, aspect, FILLED, &camera);
    *look = look_of(&camera);
    return true;
}

void scene_frame_exchange(mmd_scene *scene)
{
    mmd_camera camera = mmd_default_camera();
    mmd_framed *framed = mmd_alloc(scene->model_count * sizeof *framed);
    bool all = framed != NULL;
    for (size_t i = 0; all && i < scene->model_count; i++) {
        const mmd_exchange *document = scene->models[i].file.document;
        all = document != NULL;
        if (all)
            framed[i] =
                (mmd_framed){scene->models[i].model, document->animation_count ? document->animations : NULL};
    }
    if (all)
        mmd_camera_frame(framed, scene->model_count, 16.0 / 9, &camera);
    mmd_stage_set_default_camera(scene->stage, &camera);
    mmd_free(framed);
}
