/* Motions with edited keyframes: which motion receives keys of models and of camera, light and self shadow,
 * which keys apply in playback, and writing them to files. */
#include "edited_motion.h"

#include <assert.h>
#include <string.h>

#include "fade.h"
#include "mmd/format.h"
#include "mmd/memory.h"
#include "mmd/text.h"

static size_t role_of(const odori_scene *s, size_t model)
{
    return model < s->model_count ? s->models[model].role : model;
}

static edited_motion *find(const odori_scene *s, size_t model, int64_t source)
{
    model = role_of(s, model);
    for (size_t i = 0; i < s->edited_count; i++)
        if (s->edited[i].model == model && s->edited[i].source == source)
            return &s->edited[i];
    return NULL;
}

/* Returns the motion as it is played: its edited copy, or itself. */
static const mmd_motion *played(const odori_scene *s, size_t model, int64_t source)
{
    const edited_motion *k = find(s, model, source);
    return k ? k->motion : source >= 0 ? s->motions[source].motion : NULL;
}

/*
 * Returns the motion of a model that receives keys of a row: the last one with such keys, otherwise the last
 * whose file had some that were all deleted, otherwise the last. -1 if there is none, or if a motion without
 * a file has them. Those that were switched off count only if all were.
 */
static int64_t source_of(const odori_scene *s, size_t model, const mmd_key_row *row)
{
    int64_t any = -1, filed = -1, keyed = -1, off = -1;
    for (int64_t i = 0; i < (int64_t)s->motion_count; i++) {
        const scene_motion *m = &s->motions[i];
        if (!scene_moves(s, m, model))
            continue;
        if (fade_is_off(s, model, (size_t)i)) {
            off = i;
            continue;
        }
        any = i;
        if (mmd_motion_count_keys(m->motion, row))
            filed = i;
        if (mmd_motion_count_keys(played(s, model, i), row))
            keyed = i;
    }
    const mmd_motion *own = keyed < 0 ? played(s, model, -1) : NULL;
    if (own && mmd_motion_count_keys(own, row))
        return -1;
    return keyed >= 0 ? keyed : filed >= 0 ? filed : any >= 0 ? any : off;
}

/* Sets the model name of a motion that came from no file. */
static void name_motion(mmd_motion *motion, const mmd_model *model)
{
    uint8_t key[MMD_NAME_KEY_SIZE];
    mmd_name_key_from_utf8(model->name, key, NULL, NULL);
    memcpy(motion->model_name, key, sizeof key);
}

edited_motion *edited_motion_copy(odori_scene *s, size_t model, int64_t source)
{
    edited_motion *grown = mmd_realloc(s->edited, (s->edited_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    s->edited = grown;
    edited_motion *k = &grown[s->edited_count];
    *k = (edited_motion){.model = role_of(s, model), .source = source};
    const mmd_motion *from = source >= 0 ? s->motions[source].motion : NULL;
    return mmd_motion_copy(from, &k->motion, NULL) == MMD_OK ? k : NULL;
}

/* Creates a copy of a motion that the model plays instead, or an empty one. NULL if out of memory. */
static edited_motion *make(odori_scene *s, size_t model, int64_t source)
{
    edited_motion *k = edited_motion_copy(s, model, source);
    const mmd_motion *from = source >= 0 ? s->motions[source].motion : NULL;
    if (!k)
        return NULL;
    mmd_actor *actor = s->models[model].actor;
    mmd_stage_settle(s->stage);
    mmd_status status = from ? mmd_actor_replace_motion(actor, from, k->motion, NULL)
                             : mmd_actor_add_motion(actor, k->motion, NULL);
    if (status != MMD_OK) {
        mmd_motion_destroy(k->motion);
        return NULL;
    }
    if (!from)
        name_motion(k->motion, s->models[model].model);
    s->edited_count++;
    return k;
}

/* --- Camera, light and self shadow --- */

static bool has_keys(const mmd_motion *motion, mmd_key_kind kind)
{
    const mmd_key_row row = mmd_key_row_of(kind, NULL);
    return mmd_motion_count_keys(motion, &row) > 0;
}

static edited_motion *find_of_stage(const odori_scene *s, int64_t source)
{
    for (size_t i = 0; i < s->edited_count; i++)
        if (s->edited[i].is_stage && s->edited[i].source == source)
            return &s->edited[i];
    return NULL;
}

/* Returns the motion as it is played: its edited copy, or itself. */
static const mmd_motion *played_on_stage(const odori_scene *s, int64_t source)
{
    const edited_motion *k = find_of_stage(s, source);
    return k ? k->motion : source >= 0 ? s->motions[source].motion : NULL;
}

/* Returns the motion that receives keys of camera, light or shadow: the last one with such keys, otherwise
 * the last. -1 if there is none, or if a motion without a file has them. */
static int64_t source_of_stage(const odori_scene *s, mmd_key_kind kind)
{
    const mmd_motion *own = played_on_stage(s, -1);
    int64_t any = -1, keyed = -1;
    for (int64_t i = 0; i < (int64_t)s->motion_count; i++) {
        if (s->motions[i].is_ended || !mmd_motion_is_for_stage(s->motions[i].motion))
            continue;
        any = i;
        if (has_keys(played_on_stage(s, i), kind))
            keyed = i;
    }
    return own && has_keys(own, kind) ? -1 : keyed >= 0 ? keyed : any;
}

const mmd_motion *edited_motion_of_stage(const odori_scene *s, mmd_key_kind kind)
{
    const mmd_motion *motion = played_on_stage(s, source_of_stage(s, kind));
    return motion && has_keys(motion, kind) ? motion : NULL;
}

/* Takes a motion off the stage in whatever form it is there, and puts it behind all others if it is used.
 * source: -1 for that without a file. */
static bool place_last(odori_scene *s, int64_t source)
{
    const scene_motion *m = source >= 0 ? &s->motions[source] : NULL;
    const edited_motion *k = find_of_stage(s, source);
    const mmd_motion *plain = k   ? k->motion
                              : m ? m->motion
                                  : NULL,
                     *mirrored = k   ? k->mirrored
                                 : m ? m->mirrored
                                     : NULL;
    const mmd_motion *const forms[] = {plain, mirrored, m ? m->motion : NULL, m ? m->mirrored : NULL};
    if (!plain || (m && !mmd_motion_is_for_stage(plain) && !mmd_motion_is_for_stage(m->motion)))
        return true;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i])
            mmd_stage_remove_scene_motion(s->stage, forms[i]);
    return (m && m->is_ended) || mmd_stage_add_scene_motion(
                                     s->stage, s->is_mirrored && mirrored ? mirrored : plain, NULL) == MMD_OK;
}

bool edited_motion_use_on_stage(odori_scene *s, size_t source, bool on)
{
    bool all = true;
    if (s->motions[source].is_ended == !on)
        return true;
    s->motions[source].is_ended = !on;
    mmd_stage_settle(s->stage);
    for (size_t i = source; i < s->motion_count; i++) /* later ones stay above it */
        all &= place_last(s, (int64_t)i);
    return all & place_last(s, -1);
}

/* Writes the model name that MMD uses in camera files. */
static void name_scene(uint8_t name[20])
{
    uint8_t key[MMD_NAME_KEY_SIZE];
    mmd_name_key_from_utf8("カメラ・照明", key, NULL, NULL);
    memset(name, 0, 20);
    memcpy(name, key, sizeof key);
}

static edited_motion *make_of_stage(odori_scene *s, int64_t source)
{
    edited_motion *k = edited_motion_copy(s, SIZE_MAX, source);
    if (!k)
        return NULL;
    k->is_stage = true;
    mmd_stage_settle(s->stage);
    if (source >= 0) {
        mmd_stage_replace_scene_motion(s->stage, s->motions[source].motion, k->motion);
    } else {
        name_scene(k->motion->model_name);
        if (mmd_stage_add_scene_motion(s->stage, k->motion, NULL) != MMD_OK) {
            mmd_motion_destroy(k->motion);
            return NULL;
        }
    }
    s->edited_count++;
    return k;
}

const edited_motion *edited_motion_for_stage(odori_scene *s, mmd_key_kind kind)
{
    int64_t source = source_of_stage(s, kind);
    const edited_motion *k = find_of_stage(s, source);
    return k ? k : make_of_stage(s, source);
}

/* --- Callbacks of the edit; the context is the edit itself --- */

static odori_scene *scene_of(const mmd_edit *edit)
{
    return *(odori_scene *const *)mmd_edit_get_options(edit)->user;
}

/*
 * Tests whether the motion can be edited. A mirrored motion cannot, because the mirrored copy is what plays.
 */
static bool is_as_filed(mmd_edit *edit, bool is_mirrored)
{
    if (is_mirrored)
        mmd_edit_refuse_as(edit, MMD_REFUSAL_KEY_MIRRORED,
                           scene_of(edit)->is_mirrored ? "play.mirror" : "model.mirror", NULL);
    return !is_mirrored;
}

static mmd_motion *found(mmd_edit *edit, const edited_motion *k)
{
    if (!k)
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
    return k ? k->motion : NULL;
}

static mmd_motion *motion_for(mmd_edit *edit, uint32_t model, const mmd_key_row *row)
{
    odori_scene *s = scene_of(edit);
    const scene_model *m = &s->models[model];
    if (m->is_accessory || !is_as_filed(edit, m->is_mirrored))
        return NULL;
    int64_t source = source_of(s, model, row);
    const edited_motion *k = find(s, model, source);
    return found(edit, k ? k : make(s, model, source));
}

static mmd_motion *motion_for_bone(void *context, uint32_t model, uint32_t bone)
{
    const mmd_model *m = scene_of(context)->models[model].model;
    mmd_key_row row = mmd_key_row_of(MMD_KEY_BONE, m->bone_key[bone]);
    return motion_for(context, model, &row);
}

static mmd_motion *motion_for_morph(void *context, uint32_t model, uint32_t morph)
{
    const mmd_model *m = scene_of(context)->models[model].model;
    mmd_key_row row = mmd_key_row_of(MMD_KEY_MORPH, m->morph_key[morph]);
    return motion_for(context, model, &row);
}

static mmd_motion *motion_for_switches(void *context, uint32_t model)
{
    mmd_key_row row = mmd_key_row_of(MMD_KEY_PROPERTY, NULL);
    return motion_for(context, model, &row);
}

static mmd_motion *motion_for_scene(void *context, mmd_key_kind kind)
{
    odori_scene *s = scene_of(context);
    return is_as_filed(context, s->is_mirrored) ? found(context, edited_motion_for_stage(s, kind)) : NULL;
}

void edited_motion_begin(mmd_edit *edit, bool on)
{
    const mmd_edit_keying keying = {.motion = motion_for_bone,
                                    .context = edit,
                                    .morph_motion = motion_for_morph,
                                    .scene_motion = motion_for_scene,
                                    .switches_motion = motion_for_switches};
    mmd_edit_set_keying(edit, on ? &keying : NULL);
}

/* --- Which keys apply --- */

static const mmd_motion *motion_with(const odori_scene *s, size_t model, const mmd_key_row *row)
{
    return played(s, model, source_of(s, model, row));
}

const mmd_motion *edited_motion_of(const odori_scene *s, mmd_item item, mmd_key_row *row)
{
    const mmd_model *model = item.model < s->model_count ? s->models[item.model].model : NULL;
    switch (item.kind) {
    case MMD_ITEM_CAMERA:
        *row = mmd_key_row_of(MMD_KEY_CAMERA, NULL);
        return edited_motion_of_stage(s, MMD_KEY_CAMERA);
    case MMD_ITEM_LIGHT:
        *row = mmd_key_row_of(MMD_KEY_LIGHT, NULL);
        return edited_motion_of_stage(s, MMD_KEY_LIGHT);
    case MMD_ITEM_SHADOW:
        *row = mmd_key_row_of(MMD_KEY_SELF_SHADOW, NULL);
        return edited_motion_of_stage(s, MMD_KEY_SELF_SHADOW);
    case MMD_ITEM_SWITCHES:
        *row = mmd_key_row_of(MMD_KEY_PROPERTY, NULL);
        if (!model)
            return NULL;
        break;
    case MMD_ITEM_BONE:
        if (!model || item.index >= model->bone_count)
            return NULL;
        *row = mmd_key_row_of(MMD_KEY_BONE, model->bone_key[item.index]);
        break;
    case MMD_ITEM_MORPH:
        if (!model || item.index >= model->morph_count)
            return NULL;
        *row = mmd_key_row_of(MMD_KEY_MORPH, model->morph_key[item.index]);
        break;
    default:
        return NULL;
    }
    const mmd_motion *motion = motion_with(s, item.model, row);
    return motion && mmd_motion_count_keys(motion, row) ? motion : NULL;
}

bool motion_is_empty(const mmd_motion *m)
{
    return !m->bone_key_count && !m->morph_key_count && !m->camera_key_count && !m->light_key_count &&
           !m->self_shadow_key_count && !m->property_key_count;
}

const mmd_motion *edited_motion_played(const odori_scene *s, size_t model, size_t number)
{
    for (size_t i = 0; i < s->motion_count; i++) {
        if (!scene_moves(s, &s->motions[i], model) || number-- > 0)
            continue;
        return played(s, model, (int64_t)i);
    }
    const mmd_motion *own = number == 0 ? played(s, model, -1) : NULL;
    return own && !motion_is_empty(own) ? own : NULL;
}

/* --- Files --- */

/*
 * Writes a model's motion as one file. If a single motion moves it, its untouched records are written byte
 * for byte. If there are several, for example a dance and a separate face motion, each row comes from the
 * last motion that has it, as in playback.
 */

/* Removes all keys of a row from a motion. */
static void clear_row(mmd_motion *m, const mmd_key_row *row)
{
    for (uint32_t count = mmd_motion_count_keys(m, row); count > 0; count--)
        mmd_motion_remove_key(m, row, mmd_motion_key_frame(m, row, count - 1), NULL);
}

/* Adds a key without its original record, because that belongs to another file. */
static mmd_status add_key(mmd_motion *to, const mmd_key_row *row, uint32_t frame, mmd_stored_key *key,
                          mmd_error *error)
{
    key->record = MMD_NO_RECORD;
    return mmd_motion_add_key(to, row, frame, key, NULL, error);
}

static mmd_status take_bones(mmd_motion *to, const mmd_motion *from, mmd_error *error)
{
    mmd_status status = MMD_OK;
    for (uint32_t i = 0; i < from->bone_track_count; i++) {
        const mmd_bone_track *t = &from->bone_tracks[i];
        const mmd_key_row row = mmd_key_row_of(MMD_KEY_BONE, t->name);
        clear_row(to, &row);
        for (uint32_t k = 0; k < t->count && status == MMD_OK; k++) {
            mmd_stored_key key = {.as.bone = t->keys[k]};
            status = add_key(to, &row, t->frames[k], &key, error);
        }
    }
    return status;
}

static mmd_status take_morphs(mmd_motion *to, const mmd_motion *from, mmd_error *error)
{
    mmd_status status = MMD_OK;
    for (uint32_t i = 0; i < from->morph_track_count; i++) {
        const mmd_morph_track *t = &from->morph_tracks[i];
        const mmd_key_row row = mmd_key_row_of(MMD_KEY_MORPH, t->name);
        clear_row(to, &row);
        for (uint32_t k = 0; k < t->count && status == MMD_OK; k++) {
            mmd_stored_key key = {.as.weight = t->weights[k]};
            status = add_key(to, &row, t->frames[k], &key, error);
        }
    }
    return status;
}

/* Copies the keys of visibility and IK switches, which form one row. */
static mmd_status take_switches(mmd_motion *to, const mmd_motion *from, mmd_error *error)
{
    const mmd_key_row row = mmd_key_row_of(MMD_KEY_PROPERTY, NULL);
    mmd_status status = MMD_OK;
    if (from->property_key_count)
        clear_row(to, &row);
    for (uint32_t k = 0; k < from->property_key_count && status == MMD_OK; k++) {
        mmd_stored_key key = {.as.property = from->property_keys[k]};
        status = add_key(to, &row, from->property_keys[k].frame, &key, error);
    }
    return status;
}

/* Writes a copy of the first motion with the rows of the later ones over it. */
static mmd_status write_together(const odori_scene *s, size_t model, size_t count, mmd_buffer *out,
                                 mmd_error *error)
{
    mmd_motion *whole = NULL;
    mmd_status status = mmd_motion_copy(edited_motion_played(s, model, 0), &whole, error);
    for (size_t i = 1; i < count && status == MMD_OK; i++) {
        const mmd_motion *m = edited_motion_played(s, model, i);
        status = take_bones(whole, m, error);
        if (status == MMD_OK)
            status = take_morphs(whole, m, error);
        if (status == MMD_OK)
            status = take_switches(whole, m, error);
    }
    if (status == MMD_OK)
        status = mmd_vmd_write(whole, out, error);
    mmd_motion_destroy(whole);
    return status;
}

mmd_status edited_motion_write(const odori_scene *s, size_t model, mmd_buffer *out, mmd_error *error)
{
    size_t count = 0;
    while (edited_motion_played(s, model, count))
        count++;
    assert(count);
    return count > 1 ? write_together(s, model, count, out, error)
                     : mmd_vmd_write(edited_motion_played(s, model, 0), out, error);
}

/* Combines camera, light and shadow of up to three motions into one while those exist. If the camera's own
 * file has all of them, it is used as a whole. */
static mmd_motion gather(const mmd_motion *camera, const mmd_motion *light, const mmd_motion *shadow)
{
    const mmd_motion *first = camera ? camera : light ? light : shadow;
    mmd_motion m = *first;
    bool is_for_models = m.bone_track_count || m.morph_track_count || m.property_key_count;
    m.bone_track_count = m.morph_track_count = m.property_key_count = 0;
    m.camera_key_count = camera ? camera->camera_key_count : 0;
    m.light_key_count = light ? light->light_key_count : 0;
    m.self_shadow_key_count = shadow ? shadow->self_shadow_key_count : 0;
    if (light && light != first) {
        m.light_keys = light->light_keys;
        m.light_records = light->light_records;
    }
    if (shadow && shadow != first) {
        m.self_shadow_keys = shadow->self_shadow_keys;
        m.self_shadow_records = shadow->self_shadow_records;
    }
    if (is_for_models) {
        name_scene(m.model_name);
        m.model_name_size = 20;
        m.trailing_size = 0;
    }
    return m;
}

mmd_status edited_motion_write_stage(const odori_scene *s, mmd_buffer *out, bool *any, mmd_error *error)
{
    const mmd_motion *camera = edited_motion_of_stage(s, MMD_KEY_CAMERA),
                     *light = edited_motion_of_stage(s, MMD_KEY_LIGHT),
                     *shadow = edited_motion_of_stage(s, MMD_KEY_SELF_SHADOW);
    *any = camera || light || shadow;
    if (!*any)
        return MMD_OK;
    const mmd_motion together = gather(camera, light, shadow);
    return mmd_vmd_write(&together, out, error);
}

void edited_motions_finish(odori_scene *s)
{
    for (size_t i = 0; i < s->edited_count; i++) {
        mmd_motion_destroy(s->edited[i].motion);
        mmd_motion_destroy(s->edited[i].mirrored);
    }
    mmd_free(s->edited);
    s->edited = NULL;
    s->edited_count = 0;
}
