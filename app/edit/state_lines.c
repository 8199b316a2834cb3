#include "state_lines.h"

#include <math.h>
#include <string.h>

#include "key_lines.h"
#include "mmd/cursor.h"
#include "mmd/simulation.h"
#include "base/parse.h"
#include "selection_lines.h"
#include "base/tokenize.h"

static void write_numbers(mmd_buffer *out, const float *values, size_t count, double factor)
{
    for (size_t i = 0; i < count; i++)
        mmd_write_format(out, " %.9g", (double)values[i] * factor);
}

/* By its name; one that is not the first of it, or begins with what numbers do, by its number. */
static void write_bone_name(const mmd_model *model, uint32_t bone, mmd_buffer *out)
{
    const char *name = model->bones[bone].name;
    if (*name != '#' && mmd_model_find_bone(model, name) == (int32_t)bone)
        token_quote(name, out);
    else
        mmd_write_format(out, "\"#%u\"", bone);
}

static void write_bones(const scene_model *m, mmd_buffer *out)
{
    for (uint32_t b = 0; b < m->model->bone_count; b++) {
        float t[3], r[4], size[3];
        mmd_pose_get_user(mmd_actor_pose(m->actor), b, t, r);
        if (t[0] != 0 || t[1] != 0 || t[2] != 0 || r[0] != 0 || r[1] != 0 || r[2] != 0) {
            mmd_write_format(out, "bone.place ");
            write_bone_name(m->model, b, out);
            write_numbers(out, t, 3, 1);
            write_numbers(out, r, 4, 1);
            mmd_write_u8(out, '\n');
        }
        mmd_pose_get_user_scale(mmd_actor_pose(m->actor), b, size);
        bool is_first = mmd_model_find_bone(m->model, m->model->bones[b].name) == (int32_t)b;
        if (is_first && (size[0] != 1 || size[1] != 1 || size[2] != 1)) {
            mmd_write_format(out, "bone.scale ");
            token_quote(m->model->bones[b].name, out);
            write_numbers(out, size, 3, 1);
            mmd_write_u8(out, '\n');
        }
    }
}

static void write_morphs(const odori_session *s, size_t model, mmd_buffer *out)
{
    const mmd_model *m = s->scene->models[model].model;
    for (uint32_t i = 0; i < m->morph_count; i++) {
        float weight = history_weight(&s->history, model, i);
        if (isnan(weight))
            continue;
        mmd_write_format(out, "morph.set ");
        token_quote(m->morphs[i].name, out);
        mmd_write_format(out, " %.9g\n", (double)weight);
    }
}

void state_lines_materials(const scene_model *m, mmd_buffer *out)
{
    const uint8_t *hidden = mmd_actor_hidden(m->actor);
    for (uint32_t i = 0; hidden && i < m->model->material_count; i++)
        if (hidden[i])
            mmd_write_format(out, "material.show %u off\n", i);
}

/* Where it stands; a project's own moves it, and stays. */
static void write_staging(const odori_session *s, size_t model, mmd_buffer *out)
{
    const mmd_staging *staging = mmd_stage_staging(s->scene->stage, model);
    if (s->scene->models[model].project)
        return;
    mmd_write_format(out, "model.place");
    write_numbers(out, staging->position, 3, 1);
    write_numbers(out, staging->rotation, 3, 1 / DEGREE);
    write_numbers(out, &staging->scale, 1, 1);
    mmd_write_format(out, "\nmodel.opacity %.9g\nmodel.order %d\nmodel.additive %s\n",
                     (double)staging->opacity, (int)staging->draw_order, staging->additive ? "on" : "off");
    for (size_t i = 0; staging->parent && staging->parent_bone >= 0 && i < s->scene->model_count; i++) {
        const scene_model *parent = &s->scene->models[i];
        if (parent->actor != staging->parent)
            continue;
        mmd_write_format(out, "model.attach %zu ", i);
        token_quote(parent->model->bones[staging->parent_bone].name, out);
        mmd_write_u8(out, '\n');
    }
}

/* The number of a model, and a bone of it by which a command finds it. */
static bool find_parent(const odori_scene *scene, const mmd_outside_key *key, size_t *number)
{
    for (*number = 0; *number < scene->model_count; (*number)++)
        if (key->parent && scene->models[*number].actor == key->parent)
            return true;
    return false;
}

/* What bones hang on, but by a project's keys, which the project has. */
static void write_parents(const odori_session *s, size_t model, mmd_buffer *out)
{
    const scene_model *m = &s->scene->models[model];
    for (int32_t b = MMD_WHOLE_ACTOR; b < (int32_t)m->model->bone_count; b++) {
        size_t count, parent;
        const mmd_outside_key *keys = mmd_stage_outside_keys(s->scene->stage, model, b, &count);
        bool is_by_hand = m->project ? history_has_hung(&s->history, model, b) : count > 0;
        const char *name = b < 0 ? "" : m->model->bones[b].name;
        if (!is_by_hand || (b >= 0 && mmd_model_find_bone(m->model, name) != b))
            continue;
        mmd_write_format(out, "model.parent ");
        token_quote(name, out);
        if (count && find_parent(s->scene, &keys[0], &parent)) {
            mmd_write_format(out, " %zu ", parent);
            token_quote(s->scene->models[parent].model->bones[keys[0].parent_bone].name, out);
        } else {
            mmd_write_format(out, " none");
        }
        mmd_write_u8(out, '\n');
    }
}

static void write_model(const odori_session *s, size_t model, mmd_buffer *out)
{
    const scene_model *m = &s->scene->models[model];
    mmd_write_format(out, "model.select %zu\n", model);
    if (m->is_mirrored != s->scene->is_mirrored)
        mmd_write_format(out, "model.mirror %s\n", m->is_mirrored ? "on" : "off");
    if (mmd_actor_delay(m->actor) != 0)
        mmd_write_format(out, "model.delay %.9g\n", mmd_actor_delay(m->actor));
    write_staging(s, model, out);
    write_parents(s, model, out);
    write_bones(m, out);
    write_morphs(s, model, out);
    selection_lines(s, model, out);
    state_lines_materials(m, out);
}

/* What motions say of the light at the frame. */
static mmd_light light_of_motions(const odori_session *s)
{
    mmd_light light = mmd_default_light();
    for (size_t i = 0; i < s->scene->motion_count; i++) {
        const scene_motion *m = &s->scene->motions[i];
        mmd_motion_light(s->scene->is_mirrored && m->mirrored ? m->mirrored : m->motion,
                         mmd_stage_frame(s->scene->stage), &light);
    }
    return light;
}

/* Where it is not the motions'. */
static void write_light(const odori_session *s, mmd_buffer *out)
{
    mmd_light told = light_of_motions(s);
    const mmd_light *light = mmd_stage_light(s->scene->stage);
    const float *d = light->direction;
    if (memcmp(told.color, light->color, sizeof told.color) != 0) {
        mmd_write_format(out, "light.color");
        write_numbers(out, light->color, 3, 1);
        mmd_write_u8(out, '\n');
    }
    if (memcmp(told.direction, d, sizeof told.direction) != 0 && (d[0] != 0 || d[1] != 0 || d[2] != 0)) {
        mmd_write_format(out, "light.direction");
        write_numbers(out, d, 3, 1);
        mmd_write_u8(out, '\n');
    }
}

static void write_physics(const odori_session *s, mmd_buffer *out)
{
    const mmd_physics_options *started = &s->scene->physics.options, *now = &s->scene->physics_now;
    if (s->scene->physics.on != (mmd_stage_physics(s->scene->stage) != NULL))
        mmd_write_format(out, "physics %s\n", s->scene->physics.on ? "off" : "on");
    if (memcmp(started->gravity, now->gravity, sizeof now->gravity) != 0) {
        mmd_write_format(out, "physics.gravity");
        write_numbers(out, now->gravity, 3, 1);
        mmd_write_u8(out, '\n');
    }
    if (started->ground != now->ground)
        mmd_write_format(out, "physics.ground %s\n", now->ground ? "on" : "off");
}

static void write_camera(const mmd_camera *camera, mmd_buffer *out)
{
    mmd_write_format(out, "camera.set %.9g", (double)camera->distance);
    write_numbers(out, camera->position, 3, 1);
    write_numbers(out, camera->rotation, 3, 1);
    mmd_write_format(out, " %.9g\n", (double)camera->fov);
    if (!camera->perspective)
        mmd_write_format(out, "camera.perspective off\n");
}

void state_lines_camera(const odori_session *s, mmd_buffer *out)
{
    if (s->own_camera)
        write_camera(mmd_stage_camera(s->scene->stage), out);
}

/* A default camera that the files and the window's shape made is told, too: a picture has its own shape. */
static bool shows_made_camera(const odori_session *s)
{
    const mmd_camera usual = mmd_default_camera(), *made = mmd_stage_default_camera(s->scene->stage);
    return !session_camera_motion(s) && (made->distance < usual.distance || made->distance > usual.distance ||
                                         memcmp(made->position, usual.position, sizeof usual.position) != 0 ||
                                         memcmp(made->rotation, usual.rotation, sizeof usual.rotation) != 0);
}

bool state_lines_write(const odori_session *s, mmd_buffer *out)
{
    bool all = key_lines_write(s->scene, out);
    if (s->scene->is_mirrored)
        mmd_write_format(out, "play.mirror on\n");
    write_physics(s, out);
    for (size_t i = 0; i < s->scene->model_count; i++)
        write_model(s, i, out);
    write_light(s, out);
    if (s->own_camera || shows_made_camera(s))
        write_camera(mmd_stage_camera(s->scene->stage), out);
    return all;
}
