#include "keyed.h"

#include <string.h>

#include "mmd/memory.h"
#include "mmd/text.h"

static bool moves(const scene_motion *m, size_t model)
{
    return m->target >= 0 ? (size_t)m->target == model : m->moves_models;
}

static scene_keyed *find(const odori_scene *s, size_t model, int64_t source)
{
    for (size_t i = 0; i < s->keyed_count; i++)
        if (s->keyed[i].model == model && s->keyed[i].source == source)
            return &s->keyed[i];
    return NULL;
}

/* As it is played: what was edited of it, or itself. */
static const mmd_motion *played(const odori_scene *s, size_t model, int64_t source)
{
    const scene_keyed *k = find(s, model, source);
    return k ? k->motion : source >= 0 ? s->motions[source].motion : NULL;
}

/* Of the motions that move the model the last with keys of the row; else the last whose file has some, all of
 * which were taken away; else the last. -1: there is none, or one that came from no file has them. */
static int64_t source_of(const odori_scene *s, size_t model, const mmd_key_row *row)
{
    int64_t any = -1, filed = -1, keyed = -1;
    for (int64_t i = 0; i < (int64_t)s->motion_count; i++) {
        const scene_motion *m = &s->motions[i];
        if (!moves(m, model) || !motion_is_for_models(m->motion))
            continue;
        any = i;
        if (mmd_motion_count_keys(m->motion, row))
            filed = i;
        if (mmd_motion_count_keys(played(s, model, i), row))
            keyed = i;
    }
    const mmd_motion *own = keyed < 0 ? played(s, model, -1) : NULL;
    if (own && mmd_motion_count_keys(own, row))
        return -1;
    return keyed >= 0 ? keyed : filed >= 0 ? filed : any;
}

/* Whose motion it is, where no file says it. */
static void name_motion(mmd_motion *motion, const mmd_model *model)
{
    uint8_t key[MMD_NAME_KEY_SIZE];
    mmd_name_key_from_utf8(model->name, key, NULL, NULL);
    memcpy(motion->model_name, key, sizeof key);
}

scene_keyed *keyed_copy(odori_scene *s, size_t model, int64_t source)
{
    scene_keyed *grown = mmd_realloc(s->keyed, (s->keyed_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    s->keyed = grown;
    scene_keyed *k = &grown[s->keyed_count];
    *k = (scene_keyed){.model = model, .source = source};
    const mmd_motion *from = source >= 0 ? s->motions[source].motion : NULL;
    return mmd_motion_copy(from, &k->motion, NULL) == MMD_OK ? k : NULL;
}

/* A copy of a motion that the model plays in its place, or one of its own. NULL: out of memory. */
static scene_keyed *make(odori_scene *s, size_t model, int64_t source)
{
    scene_keyed *k = keyed_copy(s, model, source);
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
    s->keyed_count++;
    return k;
}

/* --- For the edit: where keys go; the context is the edit itself --- */

static odori_scene *scene_of(const mmd_edit *edit)
{
    return *(odori_scene *const *)mmd_edit_get_options(edit)->user;
}

/* Mirrored, other motions are played than those that could be edited. False: it is. */
static bool is_as_filed(mmd_edit *edit, bool is_mirrored)
{
    if (is_mirrored)
        mmd_edit_refuse_as(edit, MMD_REFUSAL_KEY_MIRRORED,
                           scene_of(edit)->is_mirrored ? "play.mirror" : "model.mirror", NULL);
    return !is_mirrored;
}

static mmd_motion *found(mmd_edit *edit, const scene_keyed *k)
{
    if (!k)
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
    return k ? k->motion : NULL;
}

static mmd_motion *motion_for(mmd_edit *edit, uint32_t model, const mmd_key_row *row)
{
    odori_scene *s = scene_of(edit);
    const scene_model *m = &s->models[model];
    if (m->is_accessory || m->is_backdrop || !is_as_filed(edit, m->is_mirrored))
        return NULL;
    int64_t source = source_of(s, model, row);
    const scene_keyed *k = find(s, model, source);
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
    return is_as_filed(context, s->is_mirrored) ? found(context, keyed_scene_of(s, kind)) : NULL;
}

void keyed_begin(mmd_edit *edit, bool on)
{
    const mmd_edit_keying keying = {.motion = motion_for_bone,
                                    .context = edit,
                                    .morph_motion = motion_for_morph,
                                    .scene_motion = motion_for_scene,
                                    .switches_motion = motion_for_switches};
    mmd_edit_set_keying(edit, on ? &keying : NULL);
}

static const mmd_motion *motion_with(const odori_scene *s, size_t model, const mmd_key_row *row)
{
    return played(s, model, source_of(s, model, row));
}

const mmd_motion *keyed_motion_of(const odori_scene *s, mmd_item item, mmd_key_row *row)
{
    const mmd_model *model = item.model < s->model_count ? s->models[item.model].model : NULL;
    switch (item.kind) {
    case MMD_ITEM_CAMERA:
        *row = mmd_key_row_of(MMD_KEY_CAMERA, NULL);
        return keyed_scene_motion(s, MMD_KEY_CAMERA);
    case MMD_ITEM_LIGHT:
        *row = mmd_key_row_of(MMD_KEY_LIGHT, NULL);
        return keyed_scene_motion(s, MMD_KEY_LIGHT);
    case MMD_ITEM_SHADOW:
        *row = mmd_key_row_of(MMD_KEY_SELF_SHADOW, NULL);
        return keyed_scene_motion(s, MMD_KEY_SELF_SHADOW);
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

bool keyed_is_empty(const mmd_motion *m)
{
    return !m->bone_key_count && !m->morph_key_count && !m->camera_key_count && !m->light_key_count &&
           !m->self_shadow_key_count && !m->property_key_count;
}

const mmd_motion *keyed_played(const odori_scene *s, size_t model, size_t number)
{
    for (size_t i = 0; i < s->motion_count; i++) {
        if (!moves(&s->motions[i], model) || !motion_is_for_models(s->motions[i].motion) || number-- > 0)
            continue;
        return played(s, model, (int64_t)i);
    }
    const mmd_motion *own = number == 0 ? played(s, model, -1) : NULL;
    return own && !keyed_is_empty(own) ? own : NULL;
}

void keyed_finish(odori_scene *s)
{
    for (size_t i = 0; i < s->keyed_count; i++) {
        mmd_motion_destroy(s->keyed[i].motion);
        mmd_motion_destroy(s->keyed[i].mirrored);
    }
    mmd_free(s->keyed);
    s->keyed = NULL;
    s->keyed_count = 0;
}
