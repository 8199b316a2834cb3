/* Builds a model with hair, and motions for it. */
#include "hair_model.h"

#include <string.h>

#include "mmd/elementary.h"
#include "mmd/text.h"

static const char *const bone_names[HAIR_BONES] = {"センター", "頭", "髪1", "髪2", "髪3", "髪先", "飾り"};

static void make_bones(hair_model *hair)
{
    static const float places[HAIR_BONES][3] = {{0, 0, 0},  {0, 15, 0}, {1, 15, 0}, {1, 13, 0},
                                                {1, 11, 0}, {1, 9, 0},  {-1, 15, 0}};
    static const int parents[HAIR_BONES] = {-1, HAIR_CENTER, HAIR_HEAD, HAIR_1, HAIR_2, HAIR_3, HAIR_HEAD};
    for (int b = 0; b < HAIR_BONES; b++) {
        hair->bones[b] = (mmd_bone){.name = bone_names[b],
                                    .name_en = "",
                                    .parent = parents[b],
                                    .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE,
                                    .tail_bone = -1,
                                    .append_source = -1,
                                    .ik_target = -1};
        memcpy(hair->bones[b].position, places[b], sizeof places[b]);
    }
    hair->bones[HAIR_RIBBON].flags |= MMD_BONE_APPEND_ROTATION;
    hair->bones[HAIR_RIBBON].append_source = HAIR_2;
    hair->bones[HAIR_RIBBON].append_ratio = 0.5f;
}

static void make_bodies(hair_model *hair)
{
    static const struct {
        int bone;
        uint8_t mode, shape;
        float size[2], place[3];
    } rows[HAIR_BODIES] = {
        {HAIR_HEAD, 0, 0, {0.8f, 0}, {0, 15.5f, 0}}, {HAIR_1, 1, 2, {0.3f, 1.2f}, {1, 14, 0}},
        {HAIR_2, 1, 2, {0.3f, 1.2f}, {1, 12, 0}},    {HAIR_3, 2, 2, {0.3f, 1.2f}, {1, 10, 0.5f}},
        {HAIR_TIP, 0, 0, {0.4f, 0}, {1, 8.5f, 0}},   {-1, 1, 0, {1, 0}, {6, 4, 0}},
    };
    for (int b = 0; b < HAIR_BODIES; b++) {
        hair->bodies[b] = (mmd_rigid_body){.name = "",
                                           .name_en = "",
                                           .bone = rows[b].bone,
                                           .group = (uint8_t)(b == BODY_BALL ? 2
                                                              : rows[b].mode ? 1
                                                                             : 0),
                                           .mask = (uint16_t)(b == BODY_PEARL ? 0x0004 : 0xfffd),
                                           .shape = rows[b].shape,
                                           .size = {rows[b].size[0], rows[b].size[1], 0},
                                           .mass = 0.4f,
                                           .linear_damping = 0.3f,
                                           .angular_damping = 0.5f,
                                           .restitution = 0.2f,
                                           .friction = 0.5f,
                                           .mode = rows[b].mode};
        memcpy(hair->bodies[b].position, rows[b].place, sizeof rows[b].place);
    }
}

static void make_joints(hair_model *hair)
{
    for (int j = 0; j < HAIR_JOINTS; j++)
        hair->joints[j] = (mmd_joint){.name = "",
                                      .name_en = "",
                                      .body_a = j,
                                      .body_b = j + 1,
                                      .position = {1, 15.0f - 2.0f * (float)j, 0},
                                      .angular_lower = {-0.8f, -0.2f, -0.8f},
                                      .angular_upper = {0.8f, 0.2f, 0.8f},
                                      .angular_spring = {5, 5, 5}};
}

void hair_model_make(hair_model *hair)
{
    memset(hair, 0, sizeof *hair);
    make_bones(hair);
    make_bodies(hair);
    make_joints(hair);
    hair->impulse = (mmd_impulse_offset){.body = BODY_2, .velocity = {0.8f, 0, 0}};
    hair->gust = (mmd_morph){.name = "風", .name_en = "", .kind = MMD_MORPH_IMPULSE, .count = 1};
    hair->gust.offsets.impulse = &hair->impulse;
    hair->model = (mmd_model){.name = "",
                              .name_en = "",
                              .comment = "",
                              .comment_en = "",
                              .version = 2.1f,
                              .bone_count = HAIR_BONES,
                              .bones = hair->bones,
                              .morph_count = 1,
                              .morphs = &hair->gust,
                              .body_count = HAIR_BODIES,
                              .bodies = hair->bodies,
                              .joint_count = HAIR_JOINTS,
                              .joints = hair->joints};
    mmd_model_prepare(&hair->model, NULL);
}

void hair_model_finish(hair_model *hair)
{
    mmd_arena_finish(&hair->model.arena);
}

static void add_key(hair_motion *m, int track, uint32_t frame, const mmd_bone_key *key)
{
    uint32_t at = m->tracks[track].count++;
    m->frames[track][at] = frame;
    m->keys[track][at] = *key;
    for (int c = 0; c < 4; c++)
        m->keys[track][at].curve[c] = (mmd_curve){20, 20, 107, 107};
    if (frame > m->motion.last_frame)
        m->motion.last_frame = frame;
}

/* Computes the translation and rotation of the centre bone at a frame. */
static void sway(float frame, mmd_bone_key *key)
{
    float angle = 0.9f * mmd_sinf(frame * 0.11f);
    *key = (mmd_bone_key){.translation = {4 * mmd_sinf(frame * 0.07f), 1.5f + 1.5f * mmd_sinf(frame * 0.19f),
                                          3 * mmd_sinf(frame * 0.05f)},
                          .rotation = {0, mmd_sinf(angle), 0, mmd_cosf(angle)}};
}

void hair_motion_make(hair_motion *m, uint32_t last_frame)
{
    memset(m, 0, sizeof *m);
    for (int t = 0; t < 2; t++) {
        m->tracks[t].frames = m->frames[t];
        m->tracks[t].keys = m->keys[t];
    }
    mmd_name_key_from_utf8(bone_names[HAIR_CENTER], m->tracks[0].name, NULL, NULL);
    for (uint32_t frame = 0; frame <= last_frame; frame += 5) {
        mmd_bone_key key;
        sway((float)frame, &key);
        add_key(m, 0, frame, &key);
    }
    m->motion.bone_track_count = 1;
    m->motion.bone_tracks = m->tracks;
}

void hair_motion_teleport(hair_motion *m, uint32_t frame)
{
    uint32_t keys = m->tracks[0].count;
    mmd_bone_key key;
    for (uint32_t i = 0; i < keys; i++)
        if (m->frames[0][i] >= frame)
            m->keys[0][i].translation[0] += 100;
    sway((float)frame - 1, &key);
    /* Insert the keyframe before the jump in frame order. */
    add_key(m, 0, m->motion.last_frame, &key);
    uint32_t at = keys;
    for (; at && m->frames[0][at - 1] >= frame; at--) {
        m->frames[0][at] = m->frames[0][at - 1];
        m->keys[0][at] = m->keys[0][at - 1];
    }
    m->frames[0][at] = frame - 1;
    m->keys[0][at] = key;
    for (int c = 0; c < 4; c++)
        m->keys[0][at].curve[c] = (mmd_curve){20, 20, 107, 107};
}

void hair_motion_switch(hair_motion *m, int bone, uint32_t frame, bool off)
{
    mmd_bone_key key = {.rotation = {0, 0, 0, 1}, .physics_off = off};
    mmd_name_key_from_utf8(bone_names[bone], m->tracks[1].name, NULL, NULL);
    m->motion.bone_track_count = 2;
    add_key(m, 1, frame, &key);
}

void hair_motion_show(hair_motion *m, uint32_t frame, bool visible)
{
    m->shown[m->motion.property_key_count++] = (mmd_property_key){.frame = frame, .visible = visible};
    m->motion.property_keys = m->shown;
}
