/* The rows of a motion that was edited are walked beside those of the file's, frame by frame. */
#include "key_lines.h"

#include <string.h>

#include "mmd/keying.h"
#include "state_lines.h"
#include "base/tokenize.h"

/* A row of keys in a motion as it is and as its file has it. */
typedef struct row_pair {
    mmd_key_row row;
    const mmd_motion *now, *was; /* was NULL: there is no file */
    const char *name;            /* of a bone or morph; else NULL */
} row_pair;

/* --- Lines --- */

static void write_numbers(mmd_buffer *out, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mmd_write_format(out, " %.9g", (double)values[i]);
}

/* As one word of hexadecimal digits, eight a curve. */
static void write_curves(mmd_buffer *out, const mmd_curve *curves, size_t count)
{
    mmd_write_u8(out, ' ');
    for (size_t i = 0; i < count; i++)
        mmd_write_format(out, "%02x%02x%02x%02x", curves[i].x1, curves[i].y1, curves[i].x2, curves[i].y2);
}

static void write_name(const row_pair *r, const char *command, uint32_t frame, mmd_buffer *out)
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

static void write_bone_key(const mmd_bone_key *key, mmd_buffer *out)
{
    write_numbers(out, key->translation, 3);
    write_numbers(out, key->rotation, 4);
    write_curves(out, key->curve, 4);
    mmd_write_format(out, " %s", key->physics_off ? "off" : "on");
}

static void write_camera_key(const mmd_camera_key *key, mmd_buffer *out)
{
    write_numbers(out, &key->value.distance, 1);
    write_numbers(out, key->value.position, 3);
    write_numbers(out, key->value.rotation, 3);
    write_numbers(out, &key->value.fov, 1);
    write_curves(out, key->curve, MMD_CAMERA_CHANNELS);
    mmd_write_format(out, " %s", key->value.perspective ? "on" : "off");
}

/* As hexadecimal digits: the field's bytes, whatever they are, and the switch. */
static void write_switches(const mmd_ik_switch *switches, uint32_t count, mmd_buffer *out)
{
    mmd_write_u8(out, ' ');
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sizeof switches[i].name; k++)
            mmd_write_format(out, "%02x", switches[i].name[k]);
        mmd_write_format(out, "%02x", switches[i].on);
    }
}

/* Lines have a length that they end at: the first so many, then others that add to them. */
static void write_property_key(const row_pair *r, uint32_t frame, const mmd_property_key *key,
                               mmd_buffer *out)
{
    mmd_write_format(out, " %u", key->visible);
    for (uint32_t from = 0; from < key->switch_count; from += KEY_LINES_SWITCHES) {
        uint32_t left = key->switch_count - from;
        if (from) {
            mmd_write_u8(out, '\n');
            write_name(r, "more", frame, out);
        }
        write_switches(key->switches + from, left < KEY_LINES_SWITCHES ? left : KEY_LINES_SWITCHES, out);
    }
}

static void write_put(const row_pair *r, uint32_t frame, const mmd_kept_key *key, mmd_buffer *out)
{
    write_name(r, "put", frame, out);
    switch (r->row.kind) {
    case MMD_KEY_BONE:
        write_bone_key(&key->as.bone, out);
        break;
    case MMD_KEY_MORPH:
        write_numbers(out, &key->as.weight, 1);
        break;
    case MMD_KEY_CAMERA:
        write_camera_key(&key->as.camera, out);
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

/* --- What differs --- */

static bool equal_numbers(const float *a, const float *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

static bool equal_switches(const mmd_property_key *a, const mmd_property_key *b)
{
    return a->visible == b->visible && a->switch_count == b->switch_count &&
           (!a->switch_count || memcmp(a->switches, b->switches, a->switch_count * sizeof *a->switches) == 0);
}

static bool equal_keys(mmd_key_kind kind, const mmd_kept_key *a, const mmd_kept_key *b)
{
    const mmd_camera_key *c = &a->as.camera, *d = &b->as.camera;
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
        return equal_switches(&a->as.property, &b->as.property);
    default:
        return equal_numbers(a->as.light.value.color, b->as.light.value.color, 3) &&
               equal_numbers(a->as.light.value.direction, b->as.light.value.direction, 3);
    }
}

static void write_frame(const row_pair *r, uint32_t frame, mmd_buffer *out)
{
    mmd_kept_key now, was;
    bool has = mmd_motion_get_key(r->now, &r->row, frame, &now);
    bool had = r->was && mmd_motion_get_key(r->was, &r->row, frame, &was);
    if (has && (!had || !equal_keys(r->row.kind, &now, &was))) {
        write_put(r, frame, &now, out);
    } else if (had && !has) {
        write_name(r, "drop", frame, out);
        mmd_write_u8(out, '\n');
    }
}

/* Every frame that either has keys at, ascending. */
static void write_row(const row_pair *r, mmd_buffer *out)
{
    uint32_t count = mmd_motion_count_keys(r->now, &r->row),
             old = r->was ? mmd_motion_count_keys(r->was, &r->row) : 0;
    for (uint32_t i = 0, j = 0; (i < count || j < old) && out->size <= KEY_LINES_MAX;) {
        uint32_t a = i < count ? mmd_motion_key_frame(r->now, &r->row, i) : UINT32_MAX;
        uint32_t b = j < old ? mmd_motion_key_frame(r->was, &r->row, j) : UINT32_MAX;
        uint32_t frame = a < b ? a : b;
        write_frame(r, frame, out);
        while (i < count && mmd_motion_key_frame(r->now, &r->row, i) == frame)
            i++;
        while (j < old && mmd_motion_key_frame(r->was, &r->row, j) == frame)
            j++;
    }
}

/* Bones and morphs are edited by the first of their name: a row of another's name is not written twice. */
static void write_model(const odori_scene *s, const scene_keyed *k, mmd_buffer *out)
{
    const mmd_model *m = s->models[k->model].model;
    row_pair r = {.now = k->motion, .was = k->source >= 0 ? s->motions[k->source].motion : NULL};
    mmd_write_format(out, "model.select %zu\n", k->model);
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

/* Camera, light and self shadow are nobody's. */
static void write_stage(const odori_scene *s, const scene_keyed *k, mmd_buffer *out)
{
    row_pair r = {.now = k->motion, .was = k->source >= 0 ? s->motions[k->source].motion : NULL};
    r.row = mmd_key_row_of(MMD_KEY_CAMERA, NULL);
    write_row(&r, out);
    r.row = mmd_key_row_of(MMD_KEY_LIGHT, NULL);
    write_row(&r, out);
    r.row = mmd_key_row_of(MMD_KEY_SELF_SHADOW, NULL);
    write_row(&r, out);
}

bool key_lines_write(const odori_scene *s, mmd_buffer *out)
{
    mmd_buffer lines = {0};
    for (size_t i = 0; i < s->keyed_count; i++)
        if (s->keyed[i].is_stage)
            write_stage(s, &s->keyed[i], &lines);
        else if (s->keyed[i].model < s->model_count)
            write_model(s, &s->keyed[i], &lines);
    bool fits = lines.size <= KEY_LINES_MAX && !lines.failed;
    if (fits && lines.size)
        mmd_write_bytes(out, lines.data, lines.size);
    mmd_buffer_finish(&lines);
    return fits;
}
