/*
 * The hair's bodies as a table of links: one capsule for each bone, joined to that of the previous bone; the
 * first one of a chain is joined to a body that follows the head. Tips weigh less than roots and move more
 * freely. What lies on the neck hardly swings towards it. Only locks that are long enough to reach neck and
 * back collide with the body.
 */
#include "hair.h"

#include <math.h>
#include <string.h>

#include "tool.h"

/* limits of the joint in degrees: to the front, the back, her left and her right, and the twist */
typedef struct link {
    float radius, mass;
    float front, back, left, right, twist;
    float spring;
} link;

typedef struct chain_row {
    hair_chain_id id;
    uint8_t mode;
    bool collides;
    float damping; /* linear */
    link links[HAIR_CHAIN_BONES];
} chain_row;

static const chain_row rows[] = {
    {CHAIN_FRINGE,
     BODY_TURNS,
     false,
     0.6f,
     {{0.12f, 0.2f, 10, 2, 6, 6, 3, 120}, {0.08f, 0.1f, 16, 3, 10, 10, 5, 60}}},
    {CHAIN_FRINGE_SIDE,
     BODY_TURNS,
     false,
     0.6f,
     {{0.12f, 0.2f, 8, 4, 10, 3, 3, 120}, {0.08f, 0.1f, 14, 6, 15, 4, 5, 60}}},
    {CHAIN_SIDE,
     BODY_TURNS,
     true,
     0.7f,
     {{0.09f, 0.3f, 8, 8, 10, 1, 3, 150},
      {0.12f, 0.2f, 12, 12, 15, 1, 5, 80},
      {0.08f, 0.1f, 18, 18, 20, 2, 5, 40}}},
    {CHAIN_NAPE,
     BODY_TURNS,
     false,
     0.6f,
     {{0.10f, 0.15f, 1, 10, 8, 1, 3, 120}, {0.07f, 0.08f, 3, 15, 12, 3, 5, 60}}},
    {CHAIN_TAIL,
     BODY_SWINGS,
     true,
     0.8f,
     {{0.40f, 0.8f, 3, 12, 12, 12, 4, 600},
      {0.50f, 0.6f, 4, 20, 18, 18, 6, 400},
      {0.52f, 0.5f, 6, 28, 24, 24, 8, 240},
      {0.48f, 0.4f, 8, 32, 28, 28, 8, 140},
      {0.40f, 0.3f, 12, 36, 32, 32, 10, 80},
      {0.22f, 0.2f, 18, 40, 36, 36, 10, 40}}},
    {CHAIN_AHOGE,
     BODY_TURNS,
     false,
     0.5f,
     {{0.07f, 0.1f, 8, 8, 8, 8, 3, 120}, {0.05f, 0.05f, 15, 15, 15, 15, 5, 40}}},
    {CHAIN_DANGLE, BODY_SWINGS, false, 0.5f, {{0.12f, 0.2f, 50, 50, 50, 20, 20, 0}}},
};

/* Adds the body that all chains are joined to. It is inside the skull and collides with nothing. */
static int32_t add_anchor(dancer *d)
{
    mmd_rigid_body body = {.name = "髪土台",
                           .name_en = "hair base",
                           .bone = rig_find(&d->rig, "頭"),
                           .group = GROUP_HAIR,
                           .shape = BODY_SPHERE,
                           .size = {0.4f, 0, 0},
                           .mass = 1,
                           .linear_damping = 0.5f,
                           .angular_damping = 0.5f,
                           .mode = BODY_FOLLOWS};
    vec3 at = hair_skull_point(0, 90, -1.0f);
    memcpy(body.position, at.raw, sizeof body.position);
    return dancer_body(d, &body);
}

static int32_t add_body(dancer *d, const chain_row *row, const hair_chain *chain, int i, vec3 turn)
{
    const link *l = &row->links[i];
    const mmd_bone *bone = &d->rig.bones[chain->bone[i]];
    float length = vec3_distance(chain->at[i], chain->at[i + 1]);
    vec3 middle = vec3_lerp(chain->at[i], chain->at[i + 1], 0.5f);
    mmd_rigid_body body = {.name = bone->name,
                           .name_en = bone->name_en,
                           .bone = chain->bone[i],
                           .group = GROUP_HAIR,
                           .mask = row->collides ? 1u << GROUP_BODY : 0,
                           .shape = BODY_CAPSULE,
                           .size = {l->radius, mmd_maxf(length - 2 * l->radius, 0.05f), 0},
                           .mass = l->mass,
                           .linear_damping = row->damping,
                           .angular_damping = 0.9f,
                           .friction = 0.2f,
                           .mode = row->mode};
    memcpy(body.position, middle.raw, sizeof body.position);
    memcpy(body.rotation, turn.raw, sizeof body.rotation);
    return dancer_body(d, &body);
}

/*
 * Returns the spring constant, at most the one that turns a body back within a step of 1/60 s; more would
 * make the hair tremble. Thin, light bodies bear less. A body that swings about the joint at its end has the
 * inertia of a rod; one that twists has that of Bullet's capsules (a box around them).
 */
static float bearable(float spring, float inertia)
{
    return mmd_minf(spring, 0.35f * inertia * 60 * 60);
}

/* Adds the joint of a link. The angles of Bullet's 6DOF joint run against the rotation they measure: a
 * negative angle about X brings a hanging tip to the front (-Z), a negative one about Z to her left (+X). */
static void add_joint(dancer *d, const link *l, int32_t before, int32_t body, vec3 at, int side)
{
    const mmd_rigid_body *b = &d->bodies[body];
    float length = b->size[1] + 2 * b->size[0];
    float swing = bearable(l->spring, b->mass * length * length / 3);
    float twist = bearable(l->spring, b->mass * b->size[0] * b->size[0] * 2 / 3);
    float left = side < 0 ? l->right : l->left, right = side < 0 ? l->left : l->right;
    mmd_joint joint = {.name = b->name,
                       .name_en = b->name_en,
                       .body_a = before,
                       .body_b = body,
                       .position = {at.x, at.y, at.z},
                       .rotation = {b->rotation[0], b->rotation[1], b->rotation[2]},
                       .angular_lower = {to_radians(-l->front), to_radians(-l->twist), to_radians(-left)},
                       .angular_upper = {to_radians(l->back), to_radians(l->twist), to_radians(right)},
                       .angular_spring = {swing, twist, swing}};
    dancer_joint(d, &joint);
}

static void add_chain(dancer *d, const chain_row *row, int32_t anchor, int side)
{
    hair_chain chain = hair_chain_find(&d->rig, row->id, side);
    int32_t before = anchor;
    for (int i = 0; i < chain.count; i++) {
        vec3 up = vec3_normalize(vec3_sub(chain.at[i], chain.at[i + 1]));
        int32_t body = add_body(d, row, &chain, i, dancer_upright(up));
        add_joint(d, &row->links[i], before, body, chain.at[i], side);
        before = body;
    }
}

void hair_physics(dancer *d)
{
    int32_t anchor = add_anchor(d);
    for (size_t i = 0; i < TOOL_COUNT(rows); i++) {
        add_chain(d, &rows[i], anchor, 1);
        if (hair_chain_is_pair(rows[i].id))
            add_chain(d, &rows[i], anchor, -1);
    }
}
