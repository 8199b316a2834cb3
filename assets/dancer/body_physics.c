/*
 * What hair and skirt collide with: bodies that follow the bones, a little
 * smaller than the surface. A capsule lies between two bones (or a bone and a
 * point), shortened so that its round ends do not stick out.
 */
#include <math.h>
#include <string.h>

#include "dancer.h"
#include "tool.h"

enum { SPHERE, BOX, CAPSULE };

/* A capsule from one place to another. pair: 左…, and its mirror image. */
typedef struct collider {
    const char *name, *name_en;
    const char *bone;
    vec3s from, to; /* the same place: a sphere */
    float radius;
    bool pair;
} collider;

#define AT(x, y, z)                                                                                          \
    {                                                                                                        \
        {                                                                                                    \
            (x), (y), (z)                                                                                    \
        }                                                                                                    \
    }

static const collider colliders[] = {
    {"頭", "head", "頭", AT(0, 17.95f, 0.05f), AT(0, 17.95f, 0.05f), 1.58f, false},
    {"顎", "jaw", "頭", AT(0, 17.05f, -0.25f), AT(0, 17.05f, -0.25f), 1.0f, false},
    {"首", "neck", "首", AT(0, 15.2f, 0.14f), AT(0, 16.1f, 0.08f), 0.4f, false},
    {"胸", "chest", "上半身2", AT(-0.42f, 14.2f, 0.0f), AT(0.42f, 14.2f, 0.0f), 0.72f, false},
    {"背", "back", "上半身2", AT(-0.5f, 14.75f, 0.12f), AT(0.5f, 14.75f, 0.12f), 0.52f, false},
    {"腹", "waist", "上半身", AT(-0.25f, 12.9f, 0.0f), AT(0.25f, 12.9f, 0.0f), 0.63f, false},
    {"腰", "hips", "下半身", AT(-0.5f, 11.2f, 0.05f), AT(0.5f, 11.2f, 0.05f), 0.72f, false},
    {"左太もも", "thigh_L", "左足D", AT(0.78f, 10.35f, 0.03f), AT(0.84f, 6.1f, -0.07f), 0.52f, true},
    {"左すね", "shin_L", "左ひざD", AT(0.85f, 5.8f, -0.04f), AT(0.85f, 1.6f, 0.12f), 0.36f, true},
    {"左二の腕", "upper arm_L", "左腕", AT(1.30f, 15.05f, 0.15f), AT(3.484f, 13.463f, 0.2f), 0.29f, true},
    {"左前腕", "forearm_L", "左ひじ", AT(3.484f, 13.463f, 0.2f), AT(5.426f, 12.052f, 0.1f), 0.21f, true},
    {"左手", "hand_L", "左手首", AT(5.72f, 11.84f, 0.15f), AT(6.3f, 11.42f, 0.18f), 0.2f, true},
};

/* Turns Y to the direction: about Z first, then about X, in PMX's order (R = Ry Rx Rz). */
static void turn_to(float rotation[3], vec3s direction)
{
    rotation[0] = atan2f(direction.z, direction.y);
    rotation[1] = 0;
    rotation[2] = -asinf(fminf(fmaxf(direction.x, -1), 1));
}

static mmd_rigid_body body_of(const rig *r, const collider *c, vec3s from, vec3s to)
{
    float length = glms_vec3_distance(from, to);
    vec3s middle = glms_vec3_lerp(from, to, 0.5f);
    mmd_rigid_body body = {.name = c->name,
                           .name_en = c->name_en,
                           .bone = rig_find(r, c->bone),
                           .group = GROUP_BODY,
                           .mask = (uint16_t)(0xFFFF & ~(1 << GROUP_BODY)),
                           .shape = length > 0 ? CAPSULE : SPHERE,
                           .size = {c->radius, length, 0},
                           .mass = 1,
                           .linear_damping = 0.5f,
                           .angular_damping = 0.5f,
                           .friction = 0.5f,
                           .mode = 0};
    memcpy(body.position, middle.raw, sizeof body.position);
    if (length > 0)
        turn_to(body.rotation, glms_vec3_scale(glms_vec3_sub(to, from), 1 / length));
    return body;
}

/* The name without its 左, with 右 before it. */
static const char *right_name(rig *r, const char *name)
{
    return tool_text(r->arena, "右%s", name + strlen("左"));
}

static void add_mirrored(dancer *d, const collider *c)
{
    vec3s from = c->from, to = c->to;
    from.x = -from.x;
    to.x = -to.x;
    mmd_rigid_body body = body_of(&d->rig, c, from, to);
    body.bone = rig_mirror(&d->rig, body.bone);
    body.name = right_name(&d->rig, c->name);
    body.name_en = tool_text(d->rig.arena, "%.*s_R", (int)strlen(c->name_en) - 2, c->name_en);
    dancer_body(d, &body);
}

void body_physics(dancer *d)
{
    for (size_t i = 0; i < sizeof colliders / sizeof *colliders; i++) {
        const collider *c = &colliders[i];
        mmd_rigid_body body = body_of(&d->rig, c, c->from, c->to);
        dancer_body(d, &body);
        if (c->pair)
            add_mirrored(d, c);
    }
}
