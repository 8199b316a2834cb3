#include "state_lines.h"

#include <math.h>
#include <string.h>

#include "base/parse.h"
#include "base/tokenize.h"
#include "mmd/cursor.h"
#include "mmd/keying.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "scene/fade.h"
#include "scene/presence.h"

static void write_numbers(mmd_buffer *out, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mmd_write_format(out, " %.9g", (double)values[i]);
}

/* --- Models. numbers: those that models have in the lines, without the removed ones (scene_number_present);
 * NULL: their own --- */

static size_t number_of(const size_t *numbers, size_t model)
{
    return numbers ? numbers[model] : model;
}

/* Tests whether lines tell of a model: not of one that was removed for good. */
static bool is_told(const odori_scene *s, size_t model, const size_t *numbers)
{
    return scene_is_present(s, model) || (!numbers && !s->models[model].is_given_up);
}

/* Writes poses of bones by hand. A bone is given by its name, or by its index if it is not the first of
 * that name or the name looks like an index. */
static void write_bones(const scene_model *m, mmd_buffer *out)
{
    for (uint32_t b = 0; b < m->model->bone_count; b++) {
        const char *name = m->model->bones[b].name;
        bool is_first = mmd_model_find_bone(m->model, name) == (int32_t)b;
        float t[3], r[4], size[3];
        mmd_pose_get_user(mmd_actor_pose(m->actor), b, t, r);
        if (t[0] != 0 || t[1] != 0 || t[2] != 0 || r[0] != 0 || r[1] != 0 || r[2] != 0) {
            mmd_write_format(out, "bone.place ");
            if (*name != '#' && is_first)
                token_quote(name, out);
            else
                mmd_write_format(out, "\"#%u\"", b);
            write_numbers(out, t, 3);
            write_numbers(out, r, 4);
            mmd_write_u8(out, '\n');
        }
        mmd_pose_get_user_scale(mmd_actor_pose(m->actor), b, size);
        if (is_first && (size[0] != 1 || size[1] != 1 || size[2] != 1)) {
            mmd_write_format(out, "bone.scale ");
            token_quote(name, out);
            write_numbers(out, size, 3);
            mmd_write_u8(out, '\n');
        }
    }
}

static void write_morphs(const odori_session *s, size_t model, mmd_buffer *out)
{
    const mmd_model *m = s->scene->models[model].model;
    const float *weights = mmd_actor_morphs_by_hand(s->scene->models[model].actor);
    for (uint32_t i = 0; i < m->morph_count; i++) {
        if (isnan(weights[i]))
            continue;
        mmd_write_format(out, "morph.set ");
        token_quote(m->morphs[i].name, out);
        mmd_write_format(out, " %.9g\n", (double)weights[i]);
    }
}

void state_lines_materials(const scene_model *m, mmd_buffer *out)
{
    const uint8_t *hidden = mmd_actor_hidden(m->actor);
    for (uint32_t i = 0; hidden && i < m->model->material_count; i++)
        if (hidden[i])
            mmd_write_format(out, "material.show %u off\n", i);
}

/* Writes the shadows of a model if they are not those that it is loaded with. */
static void write_shadows(const scene_model *m, const mmd_staging *staging, mmd_buffer *out)
{
    bool on = staging->self_shadow, throws = !m->is_accessory && !m->is_backdrop;
    if (staging->ground_shadow == on && !(on && throws))
        mmd_write_format(out, "model.shadow %s\n", on ? "on" : "off");
}

/* Writes the bone that a model hangs on, if there is one. */
static void write_attachment(const odori_session *s, size_t model, const size_t *numbers, mmd_buffer *out)
{
    const mmd_staging *staging = mmd_stage_staging(s->scene->stage, model);
    for (size_t i = 0; staging->parent && staging->parent_bone >= 0 && i < s->scene->model_count; i++) {
        const scene_model *parent = &s->scene->models[i];
        if (parent->actor != staging->parent || (numbers && !scene_is_present(s->scene, i)))
            continue;
        mmd_write_format(out, "model.attach %zu ", number_of(numbers, i));
        token_quote(parent->model->bones[staging->parent_bone].name, out);
        mmd_write_u8(out, '\n');
    }
}

/* Writes the values by hand of a model of a project, whose keyframes give the others. */
static void write_staged(const odori_session *s, size_t model, const size_t *numbers, mmd_buffer *out)
{
    const mmd_staging *staging = mmd_stage_staging(s->scene->stage, model);
    uint32_t what = mmd_stage_staged_by_hand(s->scene->stage, model);
    if (what & MMD_STAGED_SHADOWS)
        mmd_write_format(out, "model.shadow %s\n", staging->self_shadow ? "on" : "off");
    if (what & MMD_STAGED_OPACITY)
        mmd_write_format(out, "model.opacity %.9g\n", (double)staging->opacity);
    if (what & MMD_STAGED_ORDER)
        mmd_write_format(out, "model.order %d\n", (int)staging->draw_order);
    if (what & MMD_STAGED_ADDITIVE)
        mmd_write_format(out, "model.additive %s\n", staging->additive ? "on" : "off");
    size_t other = 0; /* the command needs another model, too, where it detaches one */
    while (other < s->scene->model_count && (other == model || !scene_is_present(s->scene, other)))
        other++;
    if (what & MMD_STAGED_PARENT && staging->parent)
        write_attachment(s, model, numbers, out);
    else if (what & MMD_STAGED_PARENT && other < s->scene->model_count)
        mmd_write_format(out, "model.attach %zu \"\"\n", number_of(numbers, other));
}

/* Writes visibility, placement and shadows of a model; for one of a project only what was set by hand. */
static void write_staging(const odori_session *s, size_t model, const size_t *numbers, mmd_buffer *out)
{
    const mmd_staging *staging = mmd_stage_staging(s->scene->stage, model);
    if (mmd_stage_is_hidden(s->scene->stage, model))
        mmd_write_format(out, "model.visible off\n");
    if (s->scene->models[model].project) {
        write_staged(s, model, numbers, out);
        return;
    }
    write_shadows(&s->scene->models[model], staging, out);
    mmd_write_format(out, "model.place");
    write_numbers(out, staging->position, 3);
    for (size_t i = 0; i < 3; i++)
        mmd_write_format(out, " %.9g", (double)staging->rotation[i] * (1 / DEGREE));
    write_numbers(out, &staging->scale, 1);
    mmd_write_format(out, "\nmodel.opacity %.9g\nmodel.order %d\nmodel.additive %s\n",
                     (double)staging->opacity, (int)staging->draw_order, staging->additive ? "on" : "off");
    write_attachment(s, model, numbers, out);
}

/* Writes the outside parents of bones, except for those that the keyframes of a project give. */
static void write_parents(const odori_session *s, size_t model, const size_t *numbers, mmd_buffer *out)
{
    const odori_scene *scene = s->scene;
    const scene_model *m = &scene->models[model];
    for (int32_t b = MMD_WHOLE_ACTOR; b < (int32_t)m->model->bone_count; b++) {
        size_t count, parent = 0;
        const mmd_outside_key *keys = mmd_stage_outside_keys(scene->stage, model, b, &count);
        bool is_by_hand = m->project ? history_has_attached(&s->history, model, b) : count > 0;
        const char *name = b < 0 ? "" : m->model->bones[b].name;
        if (!is_by_hand || (b >= 0 && mmd_model_find_bone(m->model, name) != b))
            continue;
        mmd_write_format(out, "model.parent ");
        token_quote(name, out);
        while (count && keys[0].parent && parent < scene->model_count &&
               scene->models[parent].actor != keys[0].parent)
            parent++;
        if (count && keys[0].parent && parent < scene->model_count &&
            (!numbers || scene_is_present(scene, parent))) {
            mmd_write_format(out, " %zu ", number_of(numbers, parent));
            token_quote(scene->models[parent].model->bones[keys[0].parent_bone].name, out);
        } else {
            mmd_write_format(out, " none");
        }
        mmd_write_u8(out, '\n');
    }
}

/* Writes bodies and joints that were placed by hand, with exact commands that no handler changes. */
static void write_places(const odori_session *s, size_t model, mmd_buffer *out)
{
    mmd_stage *stage = s->scene->stage;
    const mmd_model *m = s->scene->models[model].model;
    const mmd_physscene *scene = mmd_stage_physscene(stage, model);
    for (uint32_t b = 0; b < (scene ? scene->body_count : m->body_count); b++) {
        mmd_body_transform transform;
        if (!mmd_stage_body_transform(stage, model, b, &transform))
            continue;
        mmd_write_format(out, "body.place %u", b);
        write_numbers(out, transform.rest.translation, 3);
        write_numbers(out, transform.rest.rotation, 4);
        write_numbers(out, transform.scale, 3);
        mmd_write_u8(out, '\n');
    }
    for (uint32_t j = 0; j < (scene ? scene->joint_count : m->joint_count); j++) {
        mmd_transform transform;
        if (!mmd_stage_joint_transform(stage, model, j, &transform))
            continue;
        mmd_write_format(out, "joint.place %u", j);
        write_numbers(out, transform.translation, 3);
        write_numbers(out, transform.rotation, 4);
        mmd_write_u8(out, '\n');
    }
}

/* Writes the weights of motions. */
static void write_weights(const odori_scene *s, size_t model, mmd_buffer *out)
{
    size_t slot, count;
    const mmd_actor_motion *motions = mmd_actor_motions(s->models[model].actor, &count);
    for (size_t i = 0; i < count && fade_find_motion(s, model, i, &slot); i++)
        if (motions[slot].weight < 1)
            mmd_write_format(out, "motion.weight %zu %.9g\n", i, (double)motions[slot].weight);
}

/* Writes the name by hand of a model. */
static void write_name(const odori_session *s, size_t model, const size_t *numbers, mmd_buffer *out)
{
    const char *name = mmd_stage_name(s->scene->stage, model);
    if (strcmp(name, s->scene->models[model].model->name) == 0)
        return;
    mmd_write_format(out, "model.rename %zu ", number_of(numbers, model));
    token_quote(name, out);
    mmd_write_u8(out, '\n');
}

static void write_model(const odori_session *s, size_t model, const size_t *numbers, mmd_buffer *out)
{
    const scene_model *m = &s->scene->models[model];
    mmd_write_format(out, "model.select %zu\n", number_of(numbers, model));
    write_name(s, model, numbers, out);
    write_weights(s->scene, model, out);
    if (m->is_mirrored != s->scene->is_mirrored)
        mmd_write_format(out, "model.mirror %s\n", m->is_mirrored ? "on" : "off");
    if (mmd_actor_delay(m->actor) != 0)
        mmd_write_format(out, "model.delay %.9g\n", mmd_actor_delay(m->actor));
    write_staging(s, model, numbers, out);
    write_parents(s, model, numbers, out);
    write_bones(m, out);
    write_morphs(s, model, out);
    write_places(s, model, out);
    state_lines_materials(m, out);
}

/* --- Keyframes --- */

/* A row of keyframes in a motion as it is now and as in its file. */
typedef struct row_pair {
    mmd_key_row row;
    const mmd_motion *now, *was; /* was is NULL if there is no file */
    const char *name;            /* of a bone or morph; else NULL */
} row_pair;

/* Writes curves as one word of hexadecimal digits, eight per curve. */
static void write_curves(mmd_buffer *out, const mmd_curve *curves, size_t count)
{
    mmd_write_u8(out, ' ');
    for (size_t i = 0; i < count; i++)
        mmd_write_format(out, "%02x%02x%02x%02x", curves[i].x1, curves[i].y1, curves[i].x2, curves[i].y2);
}

/* Writes the start of a key.put, key.drop or key.more command: its name, the bone or morph, and the frame. */
static void write_key_name(const row_pair *r, const char *command, uint32_t frame, mmd_buffer *out)
{
    static const char *const kinds[MMD_KEY_KINDS] = {
        [MMD_KEY_BONE] = "bone",   [MMD_KEY_MORPH] = "morph",        [MMD_KEY_CAMERA] = "camera",
        [MMD_KEY_LIGHT] = "light", [MMD_KEY_SELF_SHADOW] = "shadow", [MMD_KEY_PROPERTY] = "switches"};
    mmd_write_format(out, "key.%s.%s ", command, kinds[r->row.kind]);
    if (r->name) {
        token_quote(r->name, out);
        mmd_write_u8(out, ' ');
    }
    mmd_write_format(out, "%u", frame);
}

/* Writes switches as hexadecimal digits: the bytes of the name field, whatever they are, and the switch.
 * The length of a line is limited, so further switches are added by more lines. */
static void write_property_key(const row_pair *r, uint32_t frame, const mmd_property_key *key,
                               mmd_buffer *out)
{
    mmd_write_format(out, " %u", key->visible);
    for (uint32_t i = 0; i < key->switch_count; i++) {
        const mmd_ik_switch *one = &key->switches[i];
        if (i && i % STATE_LINES_SWITCHES == 0) {
            mmd_write_u8(out, '\n');
            write_key_name(r, "more", frame, out);
        }
        if (i % STATE_LINES_SWITCHES == 0)
            mmd_write_u8(out, ' ');
        for (size_t k = 0; k < sizeof one->name; k++)
            mmd_write_format(out, "%02x", one->name[k]);
        mmd_write_format(out, "%02x", one->on);
    }
}

/* Writes the line that sets a keyframe. */
static void write_put(const row_pair *r, uint32_t frame, const mmd_stored_key *key, mmd_buffer *out)
{
    const mmd_bone_key *bone = &key->as.bone;
    const mmd_camera_key *camera = &key->as.camera;
    write_key_name(r, "put", frame, out);
    switch (r->row.kind) {
    case MMD_KEY_BONE:
        write_numbers(out, bone->translation, 3);
        write_numbers(out, bone->rotation, 4);
        write_curves(out, bone->curve, 4);
        mmd_write_format(out, " %s", bone->physics_off ? "off" : "on");
        break;
    case MMD_KEY_MORPH:
        write_numbers(out, &key->as.weight, 1);
        break;
    case MMD_KEY_CAMERA:
        write_numbers(out, &camera->value.distance, 1);
        write_numbers(out, camera->value.position, 3);
        write_numbers(out, camera->value.rotation, 3);
        write_numbers(out, &camera->value.fov, 1);
        write_curves(out, camera->curve, MMD_CAMERA_CHANNELS);
        mmd_write_format(out, " %s", camera->value.perspective ? "on" : "off");
        break;
    case MMD_KEY_SELF_SHADOW:
        mmd_write_format(out, " %u", key->as.self_shadow.value.mode);
        write_numbers(out, &key->as.self_shadow.value.distance, 1);
        break;
    case MMD_KEY_PROPERTY:
        write_property_key(r, frame, &key->as.property, out);
        break;
    default:
        write_numbers(out, key->as.light.value.color, 3);
        write_numbers(out, key->as.light.value.direction, 3);
        break;
    }
    mmd_write_u8(out, '\n');
}

/* --- Differences: the rows of an edited motion are compared with those of its file, frame by frame --- */

static bool equal_numbers(const float *a, const float *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

static bool equal_keys(mmd_key_kind kind, const mmd_stored_key *a, const mmd_stored_key *b)
{
    const mmd_camera_key *c = &a->as.camera, *d = &b->as.camera;
    const mmd_property_key *p = &a->as.property, *q = &b->as.property;
    switch (kind) {
    case MMD_KEY_BONE:
        return equal_numbers(a->as.bone.translation, b->as.bone.translation, 3) &&
               equal_numbers(a->as.bone.rotation, b->as.bone.rotation, 4) &&
               memcmp(a->as.bone.curve, b->as.bone.curve, sizeof a->as.bone.curve) == 0 &&
               a->as.bone.physics_off == b->as.bone.physics_off;
    case MMD_KEY_MORPH:
        return equal_numbers(&a->as.weight, &b->as.weight, 1);
    case MMD_KEY_CAMERA:
        return equal_numbers(&c->value.distance, &d->value.distance, 1) &&
               equal_numbers(c->value.position, d->value.position, 3) &&
               equal_numbers(c->value.rotation, d->value.rotation, 3) &&
               equal_numbers(&c->value.fov, &d->value.fov, 1) &&
               c->value.perspective == d->value.perspective &&
               memcmp(c->curve, d->curve, sizeof c->curve) == 0;
    case MMD_KEY_SELF_SHADOW:
        return a->as.self_shadow.value.mode == b->as.self_shadow.value.mode &&
               equal_numbers(&a->as.self_shadow.value.distance, &b->as.self_shadow.value.distance, 1);
    case MMD_KEY_PROPERTY:
        return p->visible == q->visible && p->switch_count == q->switch_count &&
               (!p->switch_count ||
                memcmp(p->switches, q->switches, p->switch_count * sizeof *p->switches) == 0);
    default:
        return equal_numbers(a->as.light.value.color, b->as.light.value.color, 3) &&
               equal_numbers(a->as.light.value.direction, b->as.light.value.direction, 3);
    }
}

/* Writes the keyframes that differ, at every frame at which either motion has some, in ascending order. */
static void write_row(const row_pair *r, mmd_buffer *out)
{
    uint32_t count = mmd_motion_count_keys(r->now, &r->row),
             old = r->was ? mmd_motion_count_keys(r->was, &r->row) : 0;
    for (uint32_t i = 0, j = 0; (i < count || j < old) && out->size <= STATE_LINES_KEYS_MAX;) {
        uint32_t a = i < count ? mmd_motion_key_frame(r->now, &r->row, i) : UINT32_MAX;
        uint32_t b = j < old ? mmd_motion_key_frame(r->was, &r->row, j) : UINT32_MAX;
        uint32_t frame = a < b ? a : b;
        mmd_stored_key now, was;
        bool has = mmd_motion_get_key(r->now, &r->row, frame, &now);
        bool had = r->was && mmd_motion_get_key(r->was, &r->row, frame, &was);
        if (has && (!had || !equal_keys(r->row.kind, &now, &was))) {
            write_put(r, frame, &now, out);
        } else if (had && !has) {
            write_key_name(r, "drop", frame, out);
            mmd_write_u8(out, '\n');
        }
        while (i < count && mmd_motion_key_frame(r->now, &r->row, i) == frame)
            i++;
        while (j < old && mmd_motion_key_frame(r->was, &r->row, j) == frame)
            j++;
    }
}

/* Writes the keyframes of a model's bones and morphs. Only the first part of a name is edited, so that
 * later ones of the name are skipped. */
static void write_model_keys(const odori_scene *s, const edited_motion *k, const size_t *numbers,
                             mmd_buffer *out)
{
    const size_t model = scene_holder(s, k->model);
    const mmd_model *m = s->models[model].model;
    row_pair r = {.now = k->motion, .was = k->source >= 0 ? s->motions[k->source].motion : NULL};
    mmd_write_format(out, "model.select %zu\n", number_of(numbers, model));
    for (uint32_t b = 0; b < m->bone_count; b++) {
        r.name = m->bones[b].name;
        r.row = mmd_key_row_of(MMD_KEY_BONE, m->bone_key[b]);
        if (mmd_model_find_bone(m, r.name) == (int32_t)b)
            write_row(&r, out);
    }
    for (uint32_t i = 0; i < m->morph_count; i++) {
        r.name = m->morphs[i].name;
        r.row = mmd_key_row_of(MMD_KEY_MORPH, m->morph_key[i]);
        if (mmd_model_find_morph(m, r.name) == (int32_t)i)
            write_row(&r, out);
    }
    r.name = NULL;
    r.row = mmd_key_row_of(MMD_KEY_PROPERTY, NULL);
    write_row(&r, out);
}

/* Writes the keyframes of camera, light and self shadow, which belong to no model. */
static void write_stage_keys(const odori_scene *s, const edited_motion *k, mmd_buffer *out)
{
    row_pair r = {.now = k->motion, .was = k->source >= 0 ? s->motions[k->source].motion : NULL};
    r.row = mmd_key_row_of(MMD_KEY_CAMERA, NULL);
    write_row(&r, out);
    r.row = mmd_key_row_of(MMD_KEY_LIGHT, NULL);
    write_row(&r, out);
    r.row = mmd_key_row_of(MMD_KEY_SELF_SHADOW, NULL);
    write_row(&r, out);
}

/* Tests whether the keyframes of an edited motion are shown: those of a motion that was switched off, or
 * whose camera has ended, would be put into another one. */
static bool is_used(const odori_scene *s, const edited_motion *k)
{
    size_t model = k->is_stage || k->model >= s->model_count ? s->model_count : scene_holder(s, k->model);
    if (k->source < 0)
        return true;
    return k->is_stage ? !s->motions[k->source].is_ended
                       : model == s->model_count || !fade_is_off(s, model, (size_t)k->source);
}

/* Appends edited keyframes that are in no file, as lines that set the same ones in a scene of the same
 * files, just opened and not yet mirrored. Returns false if they are too long; none is appended then. */
static bool write_keys(const odori_scene *s, const size_t *numbers, mmd_buffer *out)
{
    mmd_buffer lines = {0};
    for (size_t i = 0; i < s->edited_count; i++)
        if (!is_used(s, &s->edited[i]))
            continue;
        else if (s->edited[i].is_stage)
            write_stage_keys(s, &s->edited[i], &lines);
        else if (s->edited[i].model < s->model_count &&
                 is_told(s, scene_holder(s, s->edited[i].model), numbers))
            write_model_keys(s, &s->edited[i], numbers, &lines);
    bool fits = lines.size <= STATE_LINES_KEYS_MAX && !lines.failed;
    if (fits && lines.size)
        mmd_write_bytes(out, lines.data, lines.size);
    mmd_buffer_finish(&lines);
    return fits;
}

/* --- The scene --- */

/* Writes the light if it is not the motions'. */
static void write_light(const odori_session *s, mmd_buffer *out)
{
    mmd_light from_motions = mmd_default_light();
    const mmd_light *light = mmd_stage_light(s->scene->stage);
    const float *d = light->direction;
    for (size_t i = 0; i < s->scene->motion_count; i++) {
        const scene_motion *m = &s->scene->motions[i];
        if (m->is_ended)
            continue;
        mmd_motion_light(s->scene->is_mirrored && m->mirrored ? m->mirrored : m->motion,
                         mmd_stage_frame(s->scene->stage), &from_motions);
    }
    if (memcmp(from_motions.color, light->color, sizeof from_motions.color) != 0) {
        mmd_write_format(out, "light.color");
        write_numbers(out, light->color, 3);
        mmd_write_u8(out, '\n');
    }
    if (memcmp(from_motions.direction, d, sizeof from_motions.direction) != 0 &&
        (d[0] != 0 || d[1] != 0 || d[2] != 0)) {
        mmd_write_format(out, "light.direction");
        write_numbers(out, d, 3);
        mmd_write_u8(out, '\n');
    }
}

static void write_physics(const odori_session *s, mmd_buffer *out)
{
    const mmd_physics_options *started = &s->scene->physics.options, *now = &s->scene->physics_now;
    if (s->scene->physics.on != (mmd_stage_physics(s->scene->stage) != NULL))
        mmd_write_format(out, "physics %s\n", s->scene->physics.on ? "off" : "on");
    bool had_keys = s->scene->settings.project.gravity_keys && !s->scene->physics.gravity_given;
    if (memcmp(started->gravity, now->gravity, sizeof now->gravity) != 0 ||
        had_keys != mmd_stage_has_gravity_keys(s->scene->stage)) {
        mmd_write_format(out, "physics.gravity");
        write_numbers(out, now->gravity, 3);
        mmd_write_u8(out, '\n');
    }
    if (started->ground != now->ground)
        mmd_write_format(out, "physics.ground %s\n", now->ground ? "on" : "off");
}

static void write_camera(const mmd_camera *camera, mmd_buffer *out)
{
    mmd_write_format(out, "camera.set %.9g", (double)camera->distance);
    write_numbers(out, camera->position, 3);
    write_numbers(out, camera->rotation, 3);
    mmd_write_format(out, " %.9g\n", (double)camera->fov);
    if (!camera->perspective)
        mmd_write_format(out, "camera.perspective off\n");
}

void state_lines_camera(const odori_session *s, mmd_buffer *out)
{
    if (s->camera_by_user)
        write_camera(mmd_stage_camera(s->scene->stage), out);
}

/* Tests whether the camera is a default one made for the files and the window's shape. It is written too,
 * because a picture has a shape of its own. */
static bool shows_made_camera(const odori_session *s)
{
    const mmd_camera usual = mmd_default_camera(), *made = mmd_stage_default_camera(s->scene->stage);
    return !session_camera_motion(s) && (made->distance < usual.distance || made->distance > usual.distance ||
                                         memcmp(made->position, usual.position, sizeof usual.position) != 0 ||
                                         memcmp(made->rotation, usual.rotation, sizeof usual.rotation) != 0);
}

/* Writes which motions no longer have their camera and light, or with `on` gives them back. */
static void write_ended(const odori_scene *s, bool on, mmd_buffer *out)
{
    size_t number = 0;
    for (size_t i = 0; i < s->motion_count; i++) {
        if (!mmd_motion_is_for_stage(s->motions[i].motion))
            continue;
        if (s->motions[i].is_ended)
            mmd_write_format(out, "motion.camera %zu %s\n", number, on ? "on" : "off");
        number++;
    }
}

/* Writes which motions were switched off, where keyframes were edited, which would go to them otherwise. */
static void write_off(const odori_scene *s, const size_t *numbers, mmd_buffer *out)
{
    for (size_t i = 0; i < s->model_count && s->edited_count; i++) {
        size_t slot, count, number = 0; /* without that of new keyframes, which is not there yet */
        const mmd_actor_motion *motions = mmd_actor_motions(s->models[i].actor, &count);
        const size_t filed = is_told(s, i, numbers) ? fade_count_motions(s, i) : 0;
        for (; number < filed && fade_find_motion(s, i, number, &slot); number++)
            if (motions[slot].weight <= 0)
                mmd_write_format(out, "model.select %zu\nmotion.weight %zu 0\n", number_of(numbers, i),
                                 number);
    }
}

/* Writes all lines; numbers as above. */
static bool write_all(const odori_session *s, const size_t *numbers, mmd_buffer *out)
{
    write_ended(s->scene, false,
                out); /* first, because keyframes of the camera go to the last that is used */
    write_off(s->scene, numbers, out);
    bool all = write_keys(s->scene, numbers, out);
    if (s->scene->is_mirrored)
        mmd_write_format(out, "play.mirror on\n");
    write_physics(s, out);
    for (size_t i = 0; i < s->scene->model_count; i++)
        if (is_told(s->scene, i, numbers))
            write_model(s, i, numbers, out);
    for (size_t i = 0; i < s->scene->model_count && !numbers; i++)
        if (!scene_is_present(s->scene, i))
            mmd_write_format(out, "model.remove %zu\n", i);
    write_light(s, out);
    if (s->camera_by_user || shows_made_camera(s))
        write_camera(mmd_stage_camera(s->scene->stage), out);
    return all;
}

bool state_lines_write(const odori_session *s, mmd_buffer *out)
{
    return write_all(s, NULL, out);
}

bool state_lines_write_present(const odori_session *s, mmd_buffer *out)
{
    size_t *numbers = mmd_alloc((s->scene->model_count + 1) * sizeof *numbers);
    if (!numbers) {
        out->failed = true;
        return false;
    }
    scene_number_present(s->scene, numbers);
    bool all = write_all(s, numbers, out);
    mmd_free(numbers);
    return all;
}

/* --- Back to the opened files --- */

/* Writes what takes back the lines of a model that are in no step of undo. */
static void write_back(const odori_session *s, size_t model, mmd_buffer *out)
{
    const scene_model *m = &s->scene->models[model];
    const uint8_t *hidden = mmd_actor_hidden(m->actor);
    size_t slot, count;
    const mmd_actor_motion *motions = mmd_actor_motions(m->actor, &count);
    mmd_write_format(out, "model.select %zu\n", model);
    for (size_t i = 0; i < count && fade_find_motion(s->scene, model, i, &slot); i++)
        if (motions[slot].weight < 1)
            mmd_write_format(out, "motion.weight %zu 1\n", i);
    if (m->is_mirrored)
        mmd_write_format(out, "model.mirror off\n");
    if (mmd_actor_delay(m->actor) != 0)
        mmd_write_format(out, "model.delay 0\n");
    if (mmd_stage_is_hidden(s->scene->stage, model))
        mmd_write_format(out, "model.visible on\n");
    if (!mmd_stage_staging(s->scene->stage, model)->self_shadow && !m->project)
        mmd_write_format(out, "model.shadow on\n");
    for (uint32_t i = 0; hidden && i < m->model->material_count; i++)
        if (hidden[i])
            mmd_write_format(out, "material.show %u on\n", i);
}

void state_lines_back(const odori_session *s, mmd_buffer *out)
{
    const mmd_physics_options *started = &s->scene->physics.options, *now = &s->scene->physics_now;
    if (s->scene->is_mirrored)
        mmd_write_format(out, "play.mirror off\n");
    write_ended(s->scene, true, out);
    for (size_t i = 0; i < s->scene->model_count; i++)
        if (scene_is_present(s->scene, i))
            write_back(s, i, out);
    if (s->scene->physics.on != (mmd_stage_physics(s->scene->stage) != NULL))
        mmd_write_format(out, "physics %s\n", s->scene->physics.on ? "on" : "off");
    if (memcmp(started->gravity, now->gravity, sizeof now->gravity) != 0) {
        mmd_write_format(out, "physics.gravity");
        write_numbers(out, started->gravity, 3);
        mmd_write_u8(out, '\n');
    }
    if (started->ground != now->ground)
        mmd_write_format(out, "physics.ground %s\n", started->ground ? "on" : "off");
}

/* --- Fades --- */

/* Writes the motions that a model danced before. Where the scene is opened again, they are motions of the
 * model behind its others; each gets the number of those others, because the one before has left. */
static bool write_faded(const odori_scene *s, size_t model, mmd_buffer *out)
{
    size_t others = fade_count_motions(s, model), slot, all;
    bool any = false;
    const mmd_actor_motion *motions = mmd_actor_motions(s->models[model].actor, &all);
    for (size_t i = 0; i < s->faded_count; i++) {
        const faded_motion *f = &s->faded[i];
        if (f->file.target != (int64_t)model)
            continue;
        if (!any)
            mmd_write_format(out, "model.select %zu\n", model);
        any = true;
        for (slot = 0; slot < all && motions[slot].motion != f->file.motion;)
            slot++;
        if (slot < all && motions[slot].weight < 1)
            mmd_write_format(out, "motion.weight %zu %.9g\n", others, (double)motions[slot].weight);
        mmd_write_format(out, "motion.fade-out %zu %.17g %.17g %.17g\n", others, f->fade.ahead,
                         f->fade.begins, f->fade.ends);
    }
    return any;
}

static void write_starts(const odori_scene *s, size_t model, mmd_buffer *out)
{
    const mmd_model *m = s->models[model].model;
    uint32_t count = m->physscene ? m->physscene->body_count : m->body_count;
    for (uint32_t b = 0; b < count; b++) {
        mmd_body_start start;
        if (!mmd_stage_body_start(s->stage, model, b, &start))
            continue;
        mmd_write_format(out, "body.start %u", b);
        write_numbers(out, start.transform.translation, 3);
        write_numbers(out, start.transform.rotation, 4);
        write_numbers(out, start.velocity.linear, 3);
        write_numbers(out, start.velocity.angular, 3);
        mmd_write_u8(out, '\n');
    }
}

void state_lines_fades(const odori_session *s, mmd_buffer *out)
{
    for (size_t i = 0; i < s->scene->model_count; i++)
        if (write_faded(s->scene, i, out))
            write_starts(s->scene, i, out);
}
