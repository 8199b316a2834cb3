/* What a motion and edits by hand say of a dancer just now, as a pose of MMD's: what it is made of, before
 * IK, appends and physics, so that it stands alike wherever it is read again. */
#include "pose_file.h"

#include <stdio.h>
#include <string.h>

#include "mmd/format.h"
#include "mmd/memory.h"

static bool is_at_rest(const mmd_transform *t)
{
    static const mmd_transform rest = {.rotation = {0, 0, 0, 1}};
    return memcmp(t->translation, rest.translation, 3 * sizeof(float)) == 0 &&
           memcmp(t->rotation, rest.rotation, sizeof rest.rotation) == 0;
}

/* a = a * b */
static void multiply(float a[4], const float b[4])
{
    mmd_transform first = {.rotation = {b[0], b[1], b[2], b[3]}},
                  then = {.rotation = {a[0], a[1], a[2], a[3]}};
    mmd_transform_multiply(&then, &first, &then);
    memcpy(a, then.rotation, sizeof then.rotation);
}

/* The motion's, and on it what was edited, as the pose puts them together. */
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

static void fill_bones(mmd_actor *actor, mmd_vpd *vpd)
{
    const mmd_model *model = mmd_actor_model(actor);
    for (uint32_t b = 0; b < model->bone_count; b++) {
        mmd_transform t = bone_value(actor, b);
        if (is_at_rest(&t) || !*model->bones[b].name)
            continue;
        mmd_vpd_bone *bone = &vpd->bones[vpd->bone_count++];
        bone->name = model->bones[b].name;
        memcpy(bone->translation, t.translation, sizeof bone->translation);
        memcpy(bone->rotation, t.rotation, sizeof bone->rotation);
    }
}

static void fill_morphs(mmd_actor *actor, mmd_vpd *vpd)
{
    const mmd_model *model = mmd_actor_model(actor);
    const mmd_pose_values *values = mmd_actor_values(actor);
    for (uint32_t m = 0; m < model->morph_count; m++)
        if (values->weights[m] != 0)
            vpd->morphs[vpd->morph_count++] = (mmd_vpd_morph){model->morphs[m].name, values->weights[m]};
}

mmd_status pose_file_make(mmd_actor *actor, mmd_buffer *out, mmd_error *error)
{
    const mmd_model *model = mmd_actor_model(actor);
    char name[256];
    mmd_vpd vpd = {.model = name};
    snprintf(name, sizeof name, "%.250s.osm", *model->name ? model->name : "model");
    vpd.bones = mmd_arena_alloc(&vpd.arena, model->bone_count, sizeof *vpd.bones);
    vpd.morphs = mmd_arena_alloc(&vpd.arena, model->morph_count, sizeof *vpd.morphs);
    mmd_status status = MMD_OK;
    if (vpd.bones && vpd.morphs) {
        fill_bones(actor, &vpd);
        fill_morphs(actor, &vpd);
        status = mmd_vpd_write(&vpd, out, error);
    } else {
        status = mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    }
    mmd_arena_finish(&vpd.arena);
    return status;
}
