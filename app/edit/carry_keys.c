/*
 * Motions whose keys were edited go over to a scene that was read anew, where
 * they take the places of the same files' motions, whatever those have become:
 * keys that nobody saved are not to be lost because a file changed.
 */
#include <string.h>

#include "remap.h"
#include "mmd/format.h"
#include "base/message.h"

/* The motion of the same file and for the same model. */
static int64_t carry_source(const odori_carry *c, int64_t source)
{
    int64_t number = 0;
    const scene_motion *m = source >= 0 ? &c->from->motions[source] : NULL;
    for (int64_t i = 0; m && i < source; i++)
        number += strcmp(c->from->motions[i].path, m->path) == 0;
    for (size_t i = 0; m && i < c->to->motion_count; i++)
        if (strcmp(c->to->motions[i].path, m->path) == 0 && number-- == 0)
            return (int64_t)i;
    return -1;
}

/* Whether files with these motions are the same; without memory they are taken for others. */
static bool are_equal(const mmd_motion *a, const mmd_motion *b)
{
    mmd_buffer one = {0}, other = {0};
    bool equal = mmd_vmd_write(a, &one, NULL) == MMD_OK && mmd_vmd_write(b, &other, NULL) == MMD_OK &&
                 one.size == other.size && memcmp(one.data, other.data, one.size) == 0;
    mmd_buffer_finish(&one);
    mmd_buffer_finish(&other);
    return equal;
}

/* Whoever plays a motion in the other scene plays the edited one. */
static void put_for(const odori_carry *c, const scene_keyed *k, const mmd_motion *motion)
{
    if (motion && k->is_stage)
        mmd_stage_replace_scene_motion(c->to->stage, motion, k->motion);
    else if (motion)
        mmd_actor_replace_motion(c->to->models[k->model].actor, motion, k->motion, NULL);
}

/* False: out of memory. */
static bool put_anew(const odori_carry *c, const scene_keyed *k)
{
    return (k->is_stage ? mmd_stage_add_scene_motion(c->to->stage, k->motion, NULL)
                        : mmd_actor_add_motion(c->to->models[k->model].actor, k->motion, NULL)) == MMD_OK;
}

/* What the other scene was told of keys (state_lines.h) is the same as is carried. False: out of memory. */
static bool put_keyed(const odori_carry *c, const scene_keyed *k)
{
    const scene_motion *source = k->source >= 0 ? &c->to->motions[k->source] : NULL;
    bool played = source != NULL;
    for (size_t i = 0; i < c->to->keyed_count; i++) {
        const scene_keyed *told = &c->to->keyed[i];
        if (told->model != k->model || told->is_stage != k->is_stage || told->source != k->source)
            continue;
        put_for(c, k, told->motion);
        played = true;
    }
    if (source) {
        put_for(c, k, source->motion);
        put_for(c, k, source->mirrored);
    }
    return played || put_anew(c, k);
}

/* Keys that were all taken back are no reason to keep an old file's motion. */
static bool is_worth_keeping(const odori_carry *c, const scene_keyed *k)
{
    const mmd_edit *edit = c->session->history.edit;
    return mmd_edit_history_steps(edit) > 0 ||
           !are_equal(k->motion, k->source >= 0 ? c->from->motions[k->source].motion : NULL);
}

static void tell_changed(const odori_carry *c, const scene_keyed *k, int64_t source)
{
    if (source >= 0 && !are_equal(c->from->motions[k->source].motion, c->to->motions[source].motion))
        panel_log_tell(
            c->session->messages,
            "%s has changed; keys of it were edited, and the motion stays as it is with them until "
            "they are saved (motion.save) and the file is opened again",
            c->to->motions[source].path);
}

/* False: nobody plays it there. */
static bool carry_keyed(const odori_carry *c, scene_keyed *k)
{
    const scene_keyed before = *k;
    if ((!k->is_stage && !carry_model(c, &k->model)) || !is_worth_keeping(c, k))
        return false;
    k->source = carry_source(c, k->source);
    tell_changed(c, &before, k->source);
    if (put_keyed(c, k))
        return true;
    panel_log_tell(c->session->messages, "out of memory: a motion with keys by hand is not played any more");
    return false;
}

/* The scenes exchange their lists: what the other one was told goes with the one that goes. */
void carry_keys(const odori_carry *c)
{
    odori_scene *from = c->from, *to = c->to;
    for (size_t i = 0; i < from->keyed_count; i++) {
        scene_keyed *k = &from->keyed[i];
        if (!carry_keyed(c, k))
            *k = (scene_keyed){.model = SIZE_MAX, .source = -1, .motion = k->motion, .mirrored = k->mirrored};
    }
    scene_keyed *list = from->keyed;
    size_t count = from->keyed_count;
    from->keyed = to->keyed;
    from->keyed_count = to->keyed_count;
    to->keyed = list;
    to->keyed_count = count;
    if (from->keyed_count) /* they are not played any more when the next frame is there */
        mmd_stage_set_frame(to->stage, mmd_stage_frame(to->stage));
}
