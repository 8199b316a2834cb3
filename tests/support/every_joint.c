/* Builds a PMX model with every kind of joint from tables; its mesh shows the shapes of the bodies
 * (shape_mesh.c). */
#include "every_joint.h"

#include "engine/exchange/exchange_internal.h"
#include "support.h"

/* Indices of bodies: the rack, a hook and a weight for each pendulum, and the last link of the chain. */
enum { RACK, HOOKS, WEIGHTS = HOOKS + EVERY_JOINT_PENDULUMS, LINK = WEIGHTS + EVERY_JOINT_PENDULUMS, BODIES };

/* The chain is the last pendulum. Its joint and that of its link are both of kind 0. */
enum { CHAIN = EVERY_JOINT_KINDS, JOINTS = EVERY_JOINT_PENDULUMS + 1 };

#define TOP   20.0f
#define SPACE 4.0f

static const struct {
    const char *hook, *weight;
    uint8_t shape, group;
    uint16_t mask;
    float size[3], mass;
    float color[3];
} rows[EVERY_JOINT_PENDULUMS] = {
    {"ばね掛", "ばね", 2, 1, 0xffff, {0.6f, 2.0f, 0}, 1.0f, {0.93f, 0.45f, 0.40f}},
    {"六軸掛", "六軸", 1, 2, 0xfffb, {0.7f, 1.2f, 0.4f}, 1.5f, {0.95f, 0.70f, 0.35f}},
    {"点掛", "点", 0, 3, 0xfff7, {0.9f, 0, 0}, 0.8f, {0.90f, 0.85f, 0.40f}},
    {"円錐掛", "円錐", 2, 4, 0xffef, {0.5f, 1.6f, 0}, 1.0f, {0.50f, 0.80f, 0.50f}},
    {"滑り掛", "滑り", 1, 5, 0x0021, {0.8f, 0.8f, 0.8f}, 1.2f, {0.40f, 0.75f, 0.85f}},
    {"蝶番掛", "蝶番", 1, 6, 0xffbf, {0.3f, 1.3f, 0.9f}, 1.0f, {0.45f, 0.55f, 0.90f}},
    {"鎖掛", "鎖", 2, 15, 0x7fff, {0.4f, 1.2f, 0}, 0.6f, {0.75f, 0.50f, 0.85f}},
};

/* One row for each joint kind, and the chain's joint last. docs/mmd.md 1.1 describes the fields of the kinds
 * of PMX 2.1. */
static const mmd_joint joints[EVERY_JOINT_PENDULUMS] = {
    {.name = "ばね",
     .kind = 0,
     .linear_lower = {-0.2f, -1.5f, 0},
     .linear_upper = {0.2f, 0.5f, 0},
     .angular_lower = {-0.6f, -0.2f, -0.3f},
     .angular_upper = {0.4f, 0.2f, 0.7f},
     .linear_spring = {40, 60, 0},
     .angular_spring = {20, 5, 20}},
    {.name = "六軸",
     .kind = 1,
     .rotation = {0.2f, -0.4f, 0.1f},
     .linear_upper = {0, 0.3f, 0},
     .angular_lower = {-0.5f, 1, -0.8f},
     .angular_upper = {0.5f, -1, 0.2f}},
    {.name = "点", .kind = 2},
    {.name = "円錐",
     .kind = 3,
     .rotation = {0, 0, 1.5707964f},
     .linear_lower = {0.02f, 0, 0},
     .linear_upper = {0.05f, 0, 0},
     .angular_lower = {0.3f, 0.5f, 0.7f},
     .linear_spring = {1, 0.3f, 1}},
    {.name = "滑り",
     .kind = 4,
     .linear_lower = {-1.2f, 0, 0},
     .linear_upper = {1.2f, 0, 0},
     .angular_lower = {-0.4f, 0, 0},
     .angular_upper = {0.4f, 0, 0},
     .linear_spring = {1, 0.8f, 40}},
    {.name = "蝶番",
     .kind = 5,
     .rotation = {0, 1.5707964f, 0},
     .angular_lower = {-0.9f, 0, 0},
     .angular_upper = {0.6f, 0, 0},
     .linear_spring = {0.9f, 0.3f, 1},
     .angular_spring = {1, 0.7f, 0.3f}},
    {.name = "鎖",
     .kind = 0,
     .angular_lower = {-0.8f, 0, -0.8f},
     .angular_upper = {0.8f, 0, 0.8f},
     .angular_spring = {3, 0, 3}},
};

static float place_of(int pendulum)
{
    return SPACE * ((float)pendulum - 0.5f * (float)(EVERY_JOINT_PENDULUMS - 1));
}

static void *make(mmd_model *model, uint32_t count, size_t size)
{
    void *memory = mmd_arena_alloc(&model->arena, count, size);
    assert_non_null(memory);
    return memory;
}

/* Sets a bone and its body. Bones and bodies have the same indices. */
static void put(mmd_model *model, uint32_t number, const char *name, int32_t parent, float x, float y,
                const mmd_rigid_body *body)
{
    model->bones[number] =
        (mmd_bone){.name = name,
                   .name_en = "",
                   .position = {x, y, 0},
                   .parent = parent,
                   .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE | MMD_BONE_VISIBLE | MMD_BONE_OPERABLE,
                   .tail_bone = -1,
                   .append_source = -1,
                   .ik_target = -1};
    model->bodies[number] = *body;
    model->bodies[number].name = name;
    model->bodies[number].name_en = "";
    model->bodies[number].bone = (int32_t)number;
    model->bodies[number].linear_damping = 0.2f;
    model->bodies[number].angular_damping = 0.3f;
    model->bodies[number].friction = 0.5f;
    model->bodies[number].restitution = 0.1f;
}

static void make_bodies(mmd_model *model)
{
    put(model, RACK, "棚", -1, 0, TOP,
        &(mmd_rigid_body){.shape = 1,
                          .size = {0.5f * SPACE * EVERY_JOINT_PENDULUMS, 0.3f, 0.6f},
                          .position = {0, TOP, 0},
                          .mask = 0xffff,
                          .mass = 1});
    for (int i = 0; i < EVERY_JOINT_PENDULUMS; i++) {
        float x = place_of(i);
        put(model, (uint32_t)(HOOKS + i), rows[i].hook, RACK, x, TOP - 0.6f,
            &(mmd_rigid_body){.size = {0.4f}, .position = {x, TOP - 0.6f, 0}, .mask = 0, .mass = 1});
        mmd_rigid_body weight = {
            .shape = rows[i].shape,
            .group = rows[i].group,
            .mask = rows[i].mask,
            .size = {rows[i].size[0], rows[i].size[1], rows[i].size[2]},
            .position = {x, TOP - 3.5f, i < CHAIN ? 0.9f : 0}, /* off the vertical: it swings */
            .mass = rows[i].mass,
            .mode = 1};
        put(model, (uint32_t)(WEIGHTS + i), rows[i].weight, HOOKS + i, x, TOP - 2, &weight);
    }
    float x = place_of(CHAIN);
    put(model, LINK, "鎖先", WEIGHTS + CHAIN, x, TOP - 5,
        &(mmd_rigid_body){.shape = 2,
                          .group = 14,
                          .mask = 0x3fff,
                          .size = {0.35f, 1.2f},
                          .position = {x, TOP - 6.2f, 0.2f},
                          .rotation = {0.1f, 0.2f, 0.3f},
                          .mass = 0.4f,
                          .mode = 2});
}

static void make_joints(mmd_model *model)
{
    for (int i = 0; i < JOINTS; i++) {
        mmd_joint *joint = &model->joints[i];
        bool link = i == EVERY_JOINT_PENDULUMS;
        *joint = joints[link ? CHAIN : i];
        joint->name_en = "";
        joint->body_a = link ? WEIGHTS + CHAIN : HOOKS + i;
        joint->body_b = link ? LINK : WEIGHTS + i;
        joint->position[0] = place_of(link ? CHAIN : i);
        joint->position[1] = link ? TOP - 5 : TOP - 1.5f;
    }
    model->joints[EVERY_JOINT_PENDULUMS].name = "鎖先";
}

static void make_mesh(mmd_model *model)
{
    float colors[BODIES][4];
    mmd_physscene scene;
    for (int i = 0; i < BODIES; i++) {
        bool hook = i < WEIGHTS;
        for (int k = 0; k < 3; k++)
            colors[i][k] = hook ? 0.6f : rows[i == LINK ? CHAIN : i - WEIGHTS].color[k];
        colors[i][3] = 1;
    }
    assert_int_equal(mmd_model_physscene(model, &scene, NULL), MMD_OK);
    assert_int_equal(shape_model_build(&scene, (const float(*)[4])colors, model, NULL), MMD_OK);
    mmd_physscene_destroy(&scene);
}

void every_joint_make(mmd_model *model)
{
    *model = (mmd_model){.version = 2.1f,
                         .name = "関節見本",
                         .name_en = "Every joint",
                         .comment = "",
                         .comment_en = "",
                         .bone_count = BODIES,
                         .body_count = BODIES,
                         .joint_count = JOINTS};
    model->bones = make(model, BODIES, sizeof *model->bones);
    model->bodies = make(model, BODIES, sizeof *model->bodies);
    model->joints = make(model, JOINTS, sizeof *model->joints);
    make_bodies(model);
    make_joints(model);
    make_mesh(model);
    assert_int_equal(mmd_model_prepare(model, NULL), MMD_OK);
}

void every_joint_finish(mmd_model *model)
{
    mmd_arena_finish(&model->arena);
}
