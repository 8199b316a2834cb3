/* Camera, light and shadow of motions whose keys are edited: where they go, what counts, and all in one file.
 */
#include "keyed.h"

#include <string.h>

#include "mmd/text.h"

static bool has_keys(const mmd_motion *motion, mmd_key_kind kind)
{
    const mmd_key_row row = mmd_key_row_of(kind, NULL);
    return mmd_motion_count_keys(motion, &row) > 0;
}

static scene_keyed *find(const odori_scene *s, int64_t source)
{
    for (size_t i = 0; i < s->keyed_count; i++)
        if (s->keyed[i].is_stage && s->keyed[i].source == source)
            return &s->keyed[i];
    return NULL;
}

/* As it is played: what was edited of it, or itself. */
static const mmd_motion *motion_of(const odori_scene *s, int64_t source)
{
    const scene_keyed *k = find(s, source);
    return k ? k->motion : source >= 0 ? s->motions[source].motion : NULL;
}

/* Of the motions for the stage the last with such keys, or the last; -1: there is none, or one that came from
 * no file has them. */
static int64_t source_of(const odori_scene *s, mmd_key_kind kind)
{
    const mmd_motion *own = motion_of(s, -1);
    int64_t any = -1, keyed = -1;
    for (int64_t i = 0; i < (int64_t)s->motion_count; i++) {
        if (!motion_is_for_stage(s->motions[i].motion))
            continue;
        any = i;
        if (has_keys(motion_of(s, i), kind))
            keyed = i;
    }
    return own && has_keys(own, kind) ? -1 : keyed >= 0 ? keyed : any;
}

const mmd_motion *keyed_scene_motion(const odori_scene *s, mmd_key_kind kind)
{
    const mmd_motion *motion = motion_of(s, source_of(s, kind));
    return motion && has_keys(motion, kind) ? motion : NULL;
}

/* What MMD calls the "model" of such files. */
static void name_scene(uint8_t name[20])
{
    uint8_t key[MMD_NAME_KEY_SIZE];
    mmd_name_key_from_utf8("カメラ・照明", key, NULL, NULL);
    memset(name, 0, 20);
    memcpy(name, key, sizeof key);
}

static scene_keyed *make(odori_scene *s, int64_t source)
{
    scene_keyed *k = keyed_copy(s, SIZE_MAX, source);
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
    s->keyed_count++;
    return k;
}

const scene_keyed *keyed_scene_of(odori_scene *s, mmd_key_kind kind)
{
    int64_t source = source_of(s, kind);
    const scene_keyed *k = find(s, source);
    return k ? k : make(s, source);
}

/* One motion of the sections of three, as long as those stand; of a camera's own file all that the file has.
 */
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

mmd_status keyed_scene_write(const odori_scene *s, mmd_buffer *out, bool *any, mmd_error *error)
{
    const mmd_motion *camera = keyed_scene_motion(s, MMD_KEY_CAMERA),
                     *light = keyed_scene_motion(s, MMD_KEY_LIGHT),
                     *shadow = keyed_scene_motion(s, MMD_KEY_SELF_SHADOW);
    *any = camera || light || shadow;
    if (!*any)
        return MMD_OK;
    const mmd_motion together = gather(camera, light, shadow);
    return mmd_vmd_write(&together, out, error);
}
