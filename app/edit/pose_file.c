/* Writes a pose as MMD's VPD: the values of the motion with the edits by hand, before IK, appends and
 * physics, so that they give the same pose when the file is read. */
#include "pose_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mmd/format.h"
#include "mmd/memory.h"
#include "base/message.h"

static bool is_at_rest(const mmd_transform *t)
{
    static const mmd_transform rest = {.rotation = {0, 0, 0, 1}};
    return memcmp(t->translation, rest.translation, 3 * sizeof(float)) == 0 &&
           memcmp(t->rotation, rest.rotation, sizeof rest.rotation) == 0;
}

/* Computes a = a * b. */
static void multiply(float a[4], const float b[4])
{
    mmd_transform first = {.rotation = {b[0], b[1], b[2], b[3]}},
                  then = {.rotation = {a[0], a[1], a[2], a[3]}};
    mmd_transform_multiply(&then, &first, &then);
    memcpy(a, then.rotation, sizeof then.rotation);
}

/* Returns a bone's value: the motion's with the edit by hand, combined as the pose combines them. */
static mmd_transform bone_value(mmd_actor *actor, uint32_t bone)
{
    float moved[3], turned[4];
    mmd_transform t = mmd_actor_values(actor)->bones[bone];
    mmd_pose_get_user(mmd_actor_pose(actor), bone, moved, turned);
    multiply(t.rotation, turned);
    for (int k = 0; k < 3; k++)
        t.translation[k] += moved[k];
    return t;
}

static void fill_bones(mmd_actor *actor, bool whole, mmd_vpd *vpd)
{
    const mmd_model *model = mmd_actor_model(actor);
    for (uint32_t b = 0; b < model->bone_count; b++) {
        mmd_transform t = bone_value(actor, b);
        if ((is_at_rest(&t) && !whole) || !*model->bones[b].name)
            continue;
        mmd_vpd_bone *bone = &vpd->bones[vpd->bone_count++];
        bone->name = model->bones[b].name;
        memcpy(bone->translation, t.translation, sizeof bone->translation);
        memcpy(bone->rotation, t.rotation, sizeof bone->rotation);
    }
}

static void fill_morphs(mmd_actor *actor, bool whole, mmd_vpd *vpd)
{
    const mmd_model *model = mmd_actor_model(actor);
    const mmd_pose_values *values = mmd_actor_values(actor);
    for (uint32_t m = 0; m < model->morph_count; m++)
        if (values->weights[m] != 0 || whole)
            vpd->morphs[vpd->morph_count++] = (mmd_vpd_morph){model->morphs[m].name, values->weights[m]};
}

mmd_status pose_file_make(mmd_actor *actor, bool whole, mmd_buffer *out, mmd_error *error)
{
    const mmd_model *model = mmd_actor_model(actor);
    char name[256];
    mmd_vpd vpd = {.model = name};
    snprintf(name, sizeof name, "%.250s.osm", *model->name ? model->name : "model");
    vpd.bones = mmd_arena_alloc(&vpd.arena, model->bone_count, sizeof *vpd.bones);
    vpd.morphs = mmd_arena_alloc(&vpd.arena, model->morph_count, sizeof *vpd.morphs);
    mmd_status status = MMD_OK;
    if (vpd.bones && vpd.morphs) {
        fill_bones(actor, whole, &vpd);
        fill_morphs(actor, whole, &vpd);
        status = mmd_vpd_write(&vpd, out, error);
    } else {
        status = mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    }
    mmd_arena_finish(&vpd.arena);
    return status;
}

uint32_t pose_file_lost_scales(mmd_actor *actor)
{
    static const float none[6] = {1, 1, 1, 0, 0, 0};
    const mmd_pose_values *values = mmd_actor_values(actor);
    uint32_t count = 0;
    for (uint32_t b = 0; b < mmd_actor_model(actor)->bone_count; b++) {
        float by_hand[3];
        mmd_pose_get_user_scale(mmd_actor_pose(actor), b, by_hand);
        count += memcmp(by_hand, none, sizeof by_hand) != 0 ||
                 (values->scales && memcmp(values->scales[b], none, sizeof none) != 0);
    }
    return count;
}

/* --- Applying a pose --- */

/* Reads a translation, and a rotation normalised to unit length. Returns false if the numbers are not
 * usable. */
static bool read_value(const mmd_vpd_bone *bone, mmd_transform *t)
{
    double length = 0;
    for (int k = 0; k < 4; k++)
        length += (double)bone->rotation[k] * (double)bone->rotation[k];
    length = sqrt(length);
    if (!(length > 1e-6 && length < 1e6))
        return false;
    for (int k = 0; k < 4; k++)
        t->rotation[k] = (float)((double)bone->rotation[k] / length);
    for (int k = 0; k < 3; k++) {
        if (!(fabsf(bone->translation[k]) < 1e6f))
            return false;
        t->translation[k] = bone->translation[k];
    }
    return true;
}

/* Edits a bone so that, together with the motion's value, it becomes the wanted value. */
static bool paste_bone(odori_session *s, mmd_actor *actor, uint32_t bone, const mmd_transform *wanted)
{
    const mmd_transform *moved = &mmd_actor_values(actor)->bones[bone];
    float t[3], r[4] = {-moved->rotation[0], -moved->rotation[1], -moved->rotation[2], moved->rotation[3]};
    multiply(r, wanted->rotation);
    for (int k = 0; k < 3; k++)
        t[k] = wanted->translation[k] - moved->translation[k];
    return history_bone(&s->history, s->selected, bone, t, r);
}

static bool paste_bones(odori_session *s, const mmd_vpd *vpd, mmd_actor *actor, size_t *found)
{
    mmd_transform wanted;
    for (uint32_t i = 0; i < vpd->bone_count; i++) {
        int32_t bone = mmd_model_find_bone(mmd_actor_model(actor), vpd->bones[i].name);
        if (bone < 0 || !read_value(&vpd->bones[i], &wanted))
            continue;
        (*found)++;
        if (!paste_bone(s, actor, (uint32_t)bone, &wanted))
            return false;
    }
    return true;
}

static bool paste_morphs(odori_session *s, const mmd_vpd *vpd, mmd_actor *actor, size_t *found)
{
    const mmd_model *model = mmd_actor_model(actor);
    for (uint32_t i = 0; i < vpd->morph_count; i++)
        for (uint32_t m = 0; m < model->morph_count; m++) {
            if (strcmp(model->morphs[m].name, vpd->morphs[i].name) != 0)
                continue;
            (*found)++;
            if (fabsf(vpd->morphs[i].weight) <= 1e6f &&
                !history_morph(&s->history, s->selected, m, vpd->morphs[i].weight))
                return false;
        }
    return true;
}

bool pose_paste(odori_session *s, const void *data, size_t size, char *error)
{
    char sentence[512];
    mmd_vpd *vpd;
    mmd_error why = {0};
    size_t found = 0;
    const scene_model *m = session_selected_model(s, error);
    if (!m)
        return false;
    if (mmd_vpd_read(data, size, &vpd, &why) != MMD_OK)
        return refuse_with(error, "the pose: %.200s", mmd_error_sentence(&why, sentence, sizeof sentence));
    history_begin(&s->history);
    bool done = paste_bones(s, vpd, m->actor, &found) && paste_morphs(s, vpd, m->actor, &found);
    bool named_any = vpd->bone_count + vpd->morph_count > 0;
    mmd_vpd_destroy(vpd);
    session_touch(s);
    session_go(s, s->frame);
    if (!done)
        return refuse_with(error, "out of memory");
    char named[SESSION_NAME_MAX];
    session_model_name(s, s->selected, named);
    return found || !named_any || refuse_with(error, "%s has none of the pose's bones and morphs", named);
}
