/* Strips of cloth as boxes and 6DOF joints with springs. */
#include "skirt_cloth.h"

#include <math.h>
#include <string.h>

#include "tool.h"

vec3 cloth_rotation(vec3 head, vec3 tail, vec3 outward)
{
    vec3 y = vec3_normalize(vec3_sub(head, tail));
    vec3 x = vec3_normalize(vec3_cross(y, outward));
    vec3 z = vec3_cross(x, y);
    /* The matrix with columns x, y, z equals Ry * Rx * Rz. */
    return (vec3){{mmd_asinf(clamp(-z.y, -1, 1)), mmd_atan2f(z.x, z.z), mmd_atan2f(x.y, y.y)}};
}

int32_t cloth_add(dancer *d, const cloth_strip *strip)
{
    const mmd_bone *bone = &d->rig.bones[strip->bone];
    vec3 middle = vec3_scale(vec3_add(strip->head, strip->tail), 0.5f);
    vec3 rotation = cloth_rotation(strip->head, strip->tail, strip->outward);
    mmd_rigid_body body = {
        .name = bone->name,
        .name_en = bone->name_en,
        .bone = strip->bone,
        .group = strip->group,
        .mask = strip->mask,
        .shape = BODY_BOX,
        .size = {strip->wide, 0.45f * vec3_distance(strip->head, strip->tail), strip->thick},
        .mass = strip->mass,
        .linear_damping = 0.7f,
        .angular_damping = 0.9f,
        .friction = 0.3f,
        .mode = strip->mode};
    memcpy(body.position, middle.raw, sizeof body.position);
    memcpy(body.rotation, rotation.raw, sizeof body.rotation);
    return dancer_body(d, &body);
}

void cloth_hang(dancer *d, int32_t a, int32_t b, const cloth_strip *strip, const cloth_hinge *hinge)
{
    vec3 rotation = cloth_rotation(strip->head, strip->tail, strip->outward);
    const float lower[3] = {-hinge->in, -hinge->twist, -hinge->side};
    const float upper[3] = {hinge->out, hinge->twist, hinge->side};
    mmd_joint joint = {.name = d->bodies[b].name, .name_en = d->bodies[b].name_en, .body_a = a, .body_b = b};
    memcpy(joint.position, strip->head.raw, sizeof joint.position);
    memcpy(joint.rotation, rotation.raw, sizeof joint.rotation);
    for (int i = 0; i < 3; i++) {
        joint.angular_lower[i] = to_radians(lower[i]);
        joint.angular_upper[i] = to_radians(upper[i]);
        joint.angular_spring[i] = hinge->spring[i];
    }
    dancer_joint(d, &joint);
}

void cloth_bind(dancer *d, int32_t a, int32_t b, vec3 rotation, float slack)
{
    const mmd_rigid_body *one = &d->bodies[a], *other = &d->bodies[b];
    mmd_joint joint = {.name = tool_text(&d->arena, "%s横", one->name),
                       .name_en = tool_text(&d->arena, "%s side", one->name_en),
                       .body_a = a,
                       .body_b = b};
    memcpy(joint.rotation, rotation.raw, sizeof joint.rotation);
    for (int i = 0; i < 3; i++) {
        joint.position[i] = 0.5f * (one->position[i] + other->position[i]);
        joint.linear_lower[i] = -slack;
        joint.linear_upper[i] = slack;
        joint.angular_lower[i] = to_radians(-35);
        joint.angular_upper[i] = to_radians(35);
    }
    dancer_joint(d, &joint);
}
