/* Builds models of bones and morphs for tests. */
#include "bone_rig.h"
#include "mmd/text.h"
#include "support.h"

uint32_t bone_rig_add(bone_rig *rig, const char *name, int32_t parent, float x, float y, float z)
{
    uint32_t b = rig->model.bone_count++;
    assert_true(b < BONE_RIG_BONES);
    rig->bones[b] = (mmd_bone){.name = name,
                               .name_en = "",
                               .position = {x, y, z},
                               .parent = parent,
                               .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE,
                               .tail_bone = -1,
                               .append_source = -1,
                               .ik_target = -1};
    return b;
}

void bone_rig_ik(bone_rig *rig, uint32_t goal, uint32_t target, int32_t loops, float limit,
                 mmd_ik_link *links, uint32_t link_count)
{
    mmd_bone *bone = &rig->bones[goal];
    bone->flags |= MMD_BONE_IK;
    bone->ik_target = (int32_t)target;
    bone->ik_loops = loops;
    bone->ik_limit = limit;
    bone->ik_links = links;
    bone->ik_link_count = link_count;
}

void bone_rig_morph(bone_rig *rig, const char *name, mmd_morph_kind kind, const void *records, uint32_t count)
{
    assert_true(rig->model.morph_count < BONE_RIG_MORPHS);
    rig->morphs[rig->model.morph_count++] = (mmd_morph){
        .name = name, .name_en = "", .kind = (uint8_t)kind, .count = count, .offsets.group = records};
}

void bone_rig_turn(const float axis[3], double degrees, float out[4])
{
    double half = degrees * 3.14159265358979323846 / 360;
    double length = sqrt((double)axis[0] * (double)axis[0] + (double)axis[1] * (double)axis[1] +
                         (double)axis[2] * (double)axis[2]);
    for (int k = 0; k < 3; k++)
        out[k] = (float)((double)axis[k] / length * sin(half));
    out[3] = (float)cos(half);
}

void bone_rig_key(bone_rig *rig, uint32_t bone, uint32_t frame, const float translation[3],
                  const float axis[3], double degrees)
{
    mmd_bone_track *track = &rig->bone_tracks[bone];
    assert_true(bone < rig->model.bone_count && track->count < BONE_RIG_KEYS);
    mmd_bone_key *key = &rig->bone_keys[bone][track->count];
    memcpy(key->translation, translation, sizeof key->translation);
    bone_rig_turn(axis, degrees, key->rotation);
    for (int c = 0; c < 4; c++)
        key->curve[c] = (mmd_curve){20, 20, 107, 107};
    rig->bone_frames[bone][track->count++] = frame;
    rig->motion.last_frame = frame > rig->motion.last_frame ? frame : rig->motion.last_frame;
}

void bone_rig_weight(bone_rig *rig, uint32_t morph, uint32_t frame, float weight)
{
    mmd_morph_track *track = &rig->morph_tracks[morph];
    assert_true(morph < rig->model.morph_count && track->count < BONE_RIG_KEYS);
    rig->morph_weights[morph][track->count] = weight;
    rig->morph_frames[morph][track->count++] = frame;
    rig->motion.last_frame = frame > rig->motion.last_frame ? frame : rig->motion.last_frame;
}

void bone_rig_start(bone_rig *rig)
{
    mmd_error error = {0};
    mmd_model *model = &rig->model;
    mmd_motion *motion = &rig->motion;
    model->name = model->name_en = model->comment = model->comment_en = "";
    model->bones = rig->bones;
    model->morphs = rig->morphs;
    model->materials = &rig->material;
    model->material_count = 1;
    rig->material.name = rig->material.name_en = rig->material.memo = "";
    if (mmd_model_prepare(model, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    /* A motion has no tracks without keyframes, so the later tracks move up. */
    for (uint32_t b = 0; b < model->bone_count; b++) {
        mmd_bone_track *track = &rig->bone_tracks[motion->bone_track_count];
        if (rig->bone_tracks[b].count == 0)
            continue;
        track->count = rig->bone_tracks[b].count;
        track->frames = rig->bone_frames[b];
        track->keys = rig->bone_keys[b];
        mmd_name_key_from_utf8(rig->bones[b].name, track->name, NULL, NULL);
        motion->bone_track_count++;
    }
    for (uint32_t m = 0; m < model->morph_count; m++) {
        mmd_morph_track *track = &rig->morph_tracks[motion->morph_track_count];
        if (rig->morph_tracks[m].count == 0)
            continue;
        track->count = rig->morph_tracks[m].count;
        track->frames = rig->morph_frames[m];
        track->weights = rig->morph_weights[m];
        mmd_name_key_from_utf8(rig->morphs[m].name, track->name, NULL, NULL);
        motion->morph_track_count++;
    }
    motion->bone_tracks = rig->bone_tracks;
    motion->morph_tracks = rig->morph_tracks;
    rig->actor = mmd_actor_create(model);
    assert_non_null(rig->actor);
    assert_int_equal(mmd_actor_add_motion(rig->actor, motion, NULL), MMD_OK);
}

void bone_rig_finish(bone_rig *rig)
{
    mmd_actor_destroy(rig->actor);
    mmd_arena_finish(&rig->model.arena);
}

const mmd_transform *bone_rig_pose(bone_rig *rig, double frame)
{
    mmd_actor_set_frame(rig->actor, frame);
    return mmd_pose_world(mmd_actor_pose(rig->actor));
}
