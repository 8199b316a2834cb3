#include "keyed.h"

#include <string.h>

#include "mmd/memory.h"
#include "mmd/text.h"

static bool moves(const scene_motion *m, size_t model)
{
    return m->target >= 0 ? (size_t)m->target == model : m->moves_models;
}

/* Of the motions that move the model the last with keys of the bone, or the last; -1: there is none. */
static int64_t source_of(const odori_scene *s, size_t model, const uint8_t name[15])
{
    int64_t any = -1, keyed = -1;
    for (size_t i = 0; i < s->motion_count; i++) {
        const scene_motion *m = &s->motions[i];
        if (!moves(m, model) || !motion_is_for_models(m->motion))
            continue;
        any = (int64_t)i;
        if (mmd_motion_find_bone(m->motion, name))
            keyed = (int64_t)i;
    }
    return keyed >= 0 ? keyed : any;
}

static scene_keyed *find(const odori_scene *s, size_t model, int64_t source)
{
    for (size_t i = 0; i < s->keyed_count; i++)
        if (s->keyed[i].model == model && s->keyed[i].source == source)
            return &s->keyed[i];
    return NULL;
}

/* Whose motion it is, where no file says it. */
static void name_motion(mmd_motion *motion, const mmd_model *model)
{
    uint8_t key[MMD_NAME_KEY_SIZE];
    mmd_name_key_from_utf8(model->name, key, NULL, NULL);
    memcpy(motion->model_name, key, sizeof key);
}

/* A copy of a motion that the model plays in its place, or one of its own. NULL: out of memory. */
static scene_keyed *make(odori_scene *s, size_t model, int64_t source)
{
    scene_keyed *grown = mmd_realloc(s->keyed, (s->keyed_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    s->keyed = grown;
    scene_keyed *k = &grown[s->keyed_count];
    *k = (scene_keyed){.model = model, .source = source};
    const mmd_motion *from = source >= 0 ? s->motions[source].motion : NULL;
    if (mmd_motion_copy(from, &k->motion, NULL) != MMD_OK)
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

/* For the edit: where a bone's keys go. Mirrored, a model plays other motions than those that could be
 * edited. */
static mmd_motion *motion_for(void *context, uint32_t model, uint32_t bone)
{
    odori_scene *s = context;
    const scene_model *m = &s->models[model];
    if (m->is_mirrored || m->is_accessory || m->is_backdrop)
        return NULL;
    int64_t source = source_of(s, model, m->model->bone_key[bone]);
    scene_keyed *k = find(s, model, source);
    k = k ? k : make(s, model, source);
    return k ? k->motion : NULL;
}

void keyed_begin(odori_scene *s, mmd_edit *edit, bool on)
{
    const mmd_edit_keying keying = {.motion = motion_for, .context = s};
    mmd_edit_set_keying(edit, on ? &keying : NULL);
}

const mmd_motion *keyed_motion(const odori_scene *s, size_t model)
{
    for (size_t i = s->keyed_count; i-- > 0;)
        if (s->keyed[i].model == model)
            return s->keyed[i].motion;
    for (size_t i = s->motion_count; i-- > 0;)
        if (moves(&s->motions[i], model) && motion_is_for_models(s->motions[i].motion))
            return s->motions[i].motion;
    return NULL;
}

void keyed_finish(odori_scene *s)
{
    for (size_t i = 0; i < s->keyed_count; i++)
        mmd_motion_destroy(s->keyed[i].motion);
    mmd_free(s->keyed);
    s->keyed = NULL;
    s->keyed_count = 0;
}
