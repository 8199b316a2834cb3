/*
 * The bodies that hair and skirt collide with: spheres and capsules that follow the bones. They are a little
 * smaller than the surface, round ends included. The arms have their own group, which the hair and clothes
 * ignore: a lock caught between arm and head would be flung away.
 */
#include <string.h>

#include "dancer.h"
#include "rig/rig_places.h"
#include "tool.h"

/* A capsule between two positions. pair: of 左 and its mirror image. */
typedef struct collider {
    const char *name, *name_en;
    const char *bone;
    vec3 from, to; /* both equal: a sphere */
    float radius;
    bool pair;
    uint8_t group;
} collider;

static const collider colliders[] = {
    {"頭", "head", "頭", RIG_AT(0, 17.95f, 0.05f), RIG_AT(0, 17.95f, 0.05f), 1.58f, false, GROUP_BODY},
    {"顎", "jaw", "頭", RIG_AT(0, 17.1f, -0.15f), RIG_AT(0, 17.1f, -0.15f), 1.2f, false, GROUP_BODY},
    {"首", "neck", "首", RIG_AT(0, 15.2f, 0.14f), RIG_AT(0, 16.1f, 0.08f), 0.4f, false, GROUP_BODY},
    {"胸", "chest", "上半身2", RIG_AT(-0.38f, 14.15f, 0), RIG_AT(0.38f, 14.15f, 0), 0.7f, false, GROUP_BODY},
    {"背", "back", "上半身2", RIG_AT(-0.5f, 14.65f, 0.12f), RIG_AT(0.5f, 14.65f, 0.12f), 0.45f, false,
     GROUP_BODY},
    {"腹", "waist", "上半身", RIG_AT(-0.22f, 12.9f, 0), RIG_AT(0.22f, 12.9f, 0), 0.62f, false, GROUP_BODY},
    {"腰", "hips", "下半身", RIG_AT(-0.45f, 11.2f, 0.06f), RIG_AT(0.45f, 11.2f, 0.06f), 0.7f, false,
     GROUP_BODY},
    {"左太もも", "thigh_L", "左足D", RIG_AT(0.77f, 10.25f, 0.04f), RIG_AT(0.825f, 7.1f, -0.06f), 0.5f, true,
     GROUP_BODY},
    {"左すね", "shin_L", "左ひざD", RIG_AT(0.85f, 5.7f, -0.04f), RIG_AT(0.85f, 2.0f, 0.12f), 0.32f, true,
     GROUP_BODY},
    {"左二の腕", "upper arm_L", "左腕", RIG_AT(1.421f, 14.962f, 0.16f), RIG_AT(3.282f, 13.610f, 0.20f), 0.27f,
     true, GROUP_ARM},
    {"左前腕", "forearm_L", "左ひじ", RIG_AT(3.606f, 13.375f, 0.20f), RIG_AT(5.143f, 12.258f, 0.11f), 0.19f,
     true, GROUP_ARM},
    {"左手", "hand_L", "左手首", RIG_AT(5.669f, 11.876f, 0.12f), RIG_AT(6.235f, 11.465f, 0.17f), 0.15f, true,
     GROUP_ARM},
};

/* Returns the rotation of a capsule along a direction. A capsule has no front, so one that hangs down needs
 * no half turn. */
static vec3 turn_to(vec3 direction)
{
    return dancer_upright(direction.y < 0 ? vec3_negate(direction) : direction);
}

static mmd_rigid_body body_of(const rig *r, const collider *c, vec3 from, vec3 to)
{
    float length = vec3_distance(from, to);
    vec3 middle = vec3_lerp(from, to, 0.5f);
    mmd_rigid_body body = {.name = c->name,
                           .name_en = c->name_en,
                           .bone = rig_find(r, c->bone),
                           .group = c->group,
                           .mask = (uint16_t)(0xFFFF & ~(1 << GROUP_BODY | 1 << GROUP_ARM)),
                           .shape = length > 0 ? BODY_CAPSULE : BODY_SPHERE,
                           .size = {c->radius, length, 0},
                           .mass = 1,
                           .linear_damping = 0.5f,
                           .angular_damping = 0.5f,
                           .friction = 0.5f,
                           .mode = BODY_FOLLOWS};
    memcpy(body.position, middle.raw, sizeof body.position);
    if (length > 0) {
        vec3 turn = turn_to(vec3_scale(vec3_sub(to, from), 1 / length));
        memcpy(body.rotation, turn.raw, sizeof body.rotation);
    }
    return body;
}

static void add_mirrored(dancer *d, const collider *c)
{
    vec3 from = c->from, to = c->to;
    from.x = -from.x;
    to.x = -to.x;
    mmd_rigid_body body = body_of(&d->rig, c, from, to);
    body.bone = rig_mirror(&d->rig, body.bone);
    body.name = rig_right_name(&d->rig, c->name);
    body.name_en = rig_right_name_en(&d->rig, c->name_en);
    dancer_body(d, &body);
}

void body_physics(dancer *d)
{
    for (size_t i = 0; i < TOOL_COUNT(colliders); i++) {
        const collider *c = &colliders[i];
        mmd_rigid_body body = body_of(&d->rig, c, c->from, c->to);
        dancer_body(d, &body);
        if (c->pair)
            add_mirrored(d, c);
    }
}
