/*
 * Joints of every kind of PMX 2.1, each where it is useful, and the scarf as a soft body. docs/mmd.md 1.1
 * lists the meaning of a joint's fields for each kind. Axes are Bullet's: a cone and a slider point along X,
 * a hinge rotates about Z.
 */
#include "dancer21.h"

#include <string.h>

#include "cloth/bow.h"
#include "cloth/skirt_cloth.h"
#include "tool.h"

enum { JOINT_6DOF = 1, JOINT_POINT, JOINT_CONE, JOINT_SLIDER, JOINT_HINGE };

static int32_t find_body(const dancer *d, const char *name)
{
    for (uint32_t i = 0; i < d->body_count; i++)
        if (strcmp(d->bodies[i].name, name) == 0)
            return (int32_t)i;
    tool_die("no body is called %s", name);
}

static int32_t body_of_bone(const dancer *d, const char *bone)
{
    int32_t index = rig_find(&d->rig, bone);
    for (uint32_t i = 0; i < d->body_count; i++)
        if (d->bodies[i].bone == index)
            return (int32_t)i;
    tool_die("no body follows %s", bone);
}

static mmd_joint joint_at(const dancer *d, uint8_t kind, int32_t a, int32_t b, vec3 at, vec3 rotation)
{
    mmd_joint joint = {
        .name = d->bodies[b].name, .name_en = d->bodies[b].name_en, .kind = kind, .body_a = a, .body_b = b};
    memcpy(joint.position, at.raw, sizeof joint.position);
    memcpy(joint.rotation, rotation.raw, sizeof joint.rotation);
    return joint;
}

/* Returns the angles of a frame whose X points from one point to another and whose Z points outward. */
static vec3 along_x(vec3 from, vec3 to, vec3 outward)
{
    vec3 along = vec3_normalize(vec3_sub(to, from));
    vec3 z = vec3_normalize(vec3_sub(outward, vec3_scale(along, vec3_dot(along, outward))));
    return cloth_rotation(vec3_cross(z, along), (vec3){{0}}, z);
}

/* --- the bow --- */

/* Makes a tail's first joint a cone that is flat like the ribbon: wide to the front and back, narrow to the
 * sides. */
static void make_cone(dancer *d, int side)
{
    int32_t body = find_body(d, side > 0 ? "左帯尾1" : "右帯尾1");
    const vec3 outward = {{0, 0, 1}};
    for (uint32_t i = 0; i < d->joint_count; i++) {
        mmd_joint *old = &d->joints[i];
        if (old->body_b != body)
            continue;
        vec3 head = bow_tail_heads[0], end = bow_tail_heads[1];
        head.x *= (float)side;
        end.x *= (float)side;
        mmd_joint cone = joint_at(d, JOINT_CONE, old->body_a, body, head, along_x(head, end, outward));
        const float limits[3] = {to_radians(15), to_radians(30), to_radians(6)}; /* twist, two swings */
        const float behaviour[3] = {0.9f, 0.3f, 1}; /* softness, bias, relaxation */
        memcpy(cone.angular_lower, limits, sizeof limits);
        memcpy(cone.angular_upper, limits, sizeof limits);
        memcpy(cone.linear_spring, behaviour, sizeof behaviour);
        cone.linear_lower[0] = 0.01f; /* damping */
        cone.linear_upper[0] = 0.05f; /* fix threshold */
        *old = cone;
    }
}

/* Joins the roots of the loops in the knot. */
static void add_point(dancer *d)
{
    vec3 middle = bow_loop_heads[0];
    middle.x = 0;
    mmd_joint joint =
        joint_at(d, JOINT_POINT, find_body(d, "左帯1"), find_body(d, "右帯1"), middle, (vec3){{0}});
    joint.name = "帯結び中";
    joint.name_en = "bow middle";
    dancer_joint(d, &joint);
}

/* --- the ornament --- */

static int32_t add_ornament_body(dancer *d, const char *bone, vec3 at, vec3 rotation, vec3 size,
                                 uint8_t shape, float mass)
{
    int32_t index = rig_find(&d->rig, bone);
    mmd_rigid_body body = {.name = bone,
                           .name_en = d->rig.bones[index].name_en,
                           .bone = index,
                           .group = GROUP_BOW,
                           .mask = 1u << GROUP_BODY,
                           .shape = shape,
                           .mass = mass,
                           .linear_damping = 0.6f,
                           .angular_damping = 0.8f,
                           .friction = 0.3f,
                           .mode = BODY_SWINGS};
    memcpy(body.position, at.raw, sizeof body.position);
    memcpy(body.rotation, rotation.raw, sizeof body.rotation);
    memcpy(body.size, size.raw, sizeof body.size);
    return dancer_body(d, &body);
}

static vec3 between(vec3 a, vec3 b)
{
    return vec3_scale(vec3_add(a, b), 0.5f);
}

/* Adds the cord at the obi (6DOF without springs), the bead on the cord (slider), and the bell at its end
 * (hinge). */
static void add_ornament(dancer *d)
{
    const vec3 head = rig_at(&d->rig, "飾り紐"), bead = rig_at(&d->rig, "緒締"), end = rig_at(&d->rig, "鈴");
    const vec3 outward = {{head.x, 0, head.z}}, tangent = {{-head.z, 0, head.x}};
    const float half = 0.5f * vec3_distance(head, end);
    const vec3 hang = cloth_rotation(head, end, outward);
    int32_t cord = add_ornament_body(d, "飾り紐", between(head, end), hang, (vec3){{0.04f, 1.8f * half, 0}},
                                     BODY_CAPSULE, 0.1f);
    int32_t ball = add_ornament_body(d, "緒締", bead, hang, (vec3){{0.065f, 0, 0}}, BODY_SPHERE, 0.03f);
    int32_t bell = add_ornament_body(d, "鈴", (vec3){{end.x, end.y - 0.1f, end.z}}, hang,
                                     (vec3){{0.12f, 0, 0}}, BODY_SPHERE, 0.08f);
    mmd_joint joint = joint_at(d, JOINT_6DOF, body_of_bone(d, "左スカート1-1"), cord, head, hang);
    const float in_out[3] = {to_radians(3), to_radians(10), to_radians(20)};
    for (int i = 0; i < 3; i++) {
        joint.angular_lower[i] = -in_out[i];
        joint.angular_upper[i] = i == 0 ? to_radians(50) : in_out[i];
    }
    dancer_joint(d, &joint);
    joint = joint_at(d, JOINT_SLIDER, cord, ball, bead, along_x(head, end, outward));
    joint.linear_lower[0] = -0.25f * half;
    joint.linear_upper[0] = 0.25f * half;
    dancer_joint(d, &joint);
    joint = joint_at(d, JOINT_HINGE, cord, bell, end, cloth_rotation(head, end, tangent));
    joint.angular_lower[0] = to_radians(-40);
    joint.angular_upper[0] = to_radians(40);
    const float behaviour[3] = {0.9f, 0.3f, 1}; /* softness, bias, relaxation */
    memcpy(joint.linear_spring, behaviour, sizeof behaviour);
    dancer_joint(d, &joint);
}

/* --- the scarf --- */

static uint32_t scarf_vertex(uint32_t scarf, int row, int across)
{
    return scarf + (uint32_t)(row * DANCER21_SCARF_ACROSS + across);
}

/* Adds the soft body. Its middle is pinned behind the back; two points on each side are anchored to the
 * chest's body. */
static void add_scarf(dancer21 *b, int32_t material, uint32_t scarf)
{
    enum { MIDDLE = DANCER21_SCARF_ROWS / 2, ANCHOR = 6, PINS = 3 * DANCER21_SCARF_ACROSS };
    dancer *d = b->d;
    int32_t *pins = tool_alloc(&d->arena, PINS, sizeof *pins);
    mmd_soft_anchor *anchors = tool_alloc(&d->arena, 4, sizeof *anchors);
    for (int i = 0; i < PINS; i++)
        pins[i] =
            (int32_t)scarf_vertex(scarf, MIDDLE - 1 + i / DANCER21_SCARF_ACROSS, i % DANCER21_SCARF_ACROSS);
    for (int i = 0; i < 4; i++)
        anchors[i] = (mmd_soft_anchor){
            .body = body_of_bone(d, "上半身2"),
            .vertex = (int32_t)scarf_vertex(scarf, MIDDLE + (i < 2 ? ANCHOR : -ANCHOR), i % 2 ? 0 : 1),
        };
    mmd_soft_body *soft = tool_alloc(&d->arena, 1, sizeof *soft);
    *soft = (mmd_soft_body){
        .name = "羽衣",
        .name_en = "scarf",
        .material = material,
        .group = GROUP_BOW,
        .mask = 1u << GROUP_BODY,
        .flags = 1, /* create bending links */
        .link_distance = 2,
        .mass = 0.5f,
        .margin = 0.05f,
        .aero_model = 1, /* aerodynamics on both sides of every vertex */
        /* VCF, damping, drag, lift, pressure, volume, friction, matching, then four contact hardnesses */
        .config = {1, 0.02f, 0.05f, 0.01f, 0, 0, 0.3f, 0.02f, 1, 0.1f, 1, 0.7f},
        .cluster = {0.1f, 1, 0.5f, 0.5f, 0.5f, 0.5f},
        .iterations = {0, 4, 0, 4},
        .material_config = {0.5f, 0.3f, 0.3f}, /* stiffness: of links, areas, volumes */
        .anchor_count = 4,
        .pin_count = PINS,
        .anchors = anchors,
        .pins = pins,
    };
    b->model->soft_body_count = 1;
    b->model->soft_bodies = soft;
}

void dancer21_physics(dancer21 *b, int32_t scarf_material, uint32_t scarf)
{
    dancer *d = b->d;
    make_cone(d, 1);
    make_cone(d, -1);
    add_point(d);
    add_ornament(d);
    add_scarf(b, scarf_material, scarf);
    b->model->bodies = d->bodies;
    b->model->body_count = d->body_count;
    b->model->joints = d->joints;
    b->model->joint_count = d->joint_count;
}
