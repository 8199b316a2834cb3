/*
 * KHR_physics_rigid_bodies, seed and current dialect, and OMI's newer joints,
 * which say the same: a joint's node below body A at frame A, naming another
 * at frame B (FORMATS.md 4, Joints).
 */
#include <stdio.h>

#include "write_physics.h"

int32_t phys_attachment(phys_writer *writer, uint32_t number, int32_t body_node, const mmd_transform *place)
{
    char name[256];
    mmd_transform own;
    int32_t old = phys_old_end(writer, number, place);
    if (old >= 0)
        return old;
    if (body_node >= 0 && !writer->builder->failed) {
        gltf_node_place(writer->builder, body_node, &own, NULL);
        if (phys_same_place(&own, place))
            return body_node;
    }
    snprintf(name, sizeof name, "%.200s (B)", writer->scene->joints[number].name);
    old = phys_old_shape(writer, body_node, name, place);
    return old >= 0 ? old : gltf_add_node(writer->builder, name, NULL, body_node, place);
}

static bool moves(const phys_writer *writer, int32_t body)
{
    return body >= 0 && writer->scene->bodies[body].motion >= MMD_PHYS_DYNAMIC;
}

/* One that is off is written where a reader finds out by itself that it has nothing to move. */
static bool can_be_said(const phys_writer *writer, const mmd_phys_joint *joint)
{
    const mmd_phys_body *bodies = writer->scene->bodies;
    int32_t a = joint->body_a, b = joint->body_b;
    if ((a >= 0 && bodies[a].disabled) || (b >= 0 && bodies[b].disabled))
        return false;
    bool idle = a == b || (!moves(writer, a) && !moves(writer, b));
    return !joint->disabled || (idle && joint->kind == MMD_JOINT_AXES);
}

static int32_t node_of(const phys_writer *writer, int32_t body)
{
    return body < 0 ? -1 : writer->builder->node_of_body[body];
}

/* PMX's own record, as the file says it. */
static void put_record(phys_writer *writer, int32_t node, uint32_t number)
{
    gltf_builder *builder = writer->builder;
    const mmd_model *model = builder->job->model;
    if (builder->job->source != MMD_EXCHANGE_PMX || !model || number >= model->joint_count)
        return;
    const mmd_joint *joint = &model->joints[number];
    json_t *extras = phys_extras(writer, node);
    const struct {
        const char *key;
        const float *values;
    } vectors[] = {{"position", joint->position},          {"rotation", joint->rotation},
                   {"linearLower", joint->linear_lower},   {"linearUpper", joint->linear_upper},
                   {"angularLower", joint->angular_lower}, {"angularUpper", joint->angular_upper},
                   {"linearSpring", joint->linear_spring}, {"angularSpring", joint->angular_spring}};
    gltf_put(builder, extras, "name", json_text(joint->name));
    gltf_put(builder, extras, "nameEnglish", json_text(joint->name_en));
    gltf_put(builder, extras, "kind", json_integer(joint->kind));
    gltf_put(builder, extras, "bodyA", json_integer(joint->body_a));
    gltf_put(builder, extras, "bodyB", json_integer(joint->body_b));
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        gltf_put(builder, extras, vectors[i].key, json_from_floats(vectors[i].values, 3));
}

static void put_joint(phys_writer *writer, const mmd_phys_joint *joint, int32_t node, int32_t connected,
                      int32_t listed)
{
    gltf_builder *builder = writer->builder;
    json_t *object = writer->omi ? gltf_extension(builder, gltf_node_json(builder, node), "OMI_physics_joint")
                                 : phys_part(writer, node, "joint");
    gltf_put(builder, object, "connectedNode", json_integer(connected));
    gltf_put(builder, object, "joint", json_integer(listed));
    if (joint->collide && !writer->omi)
        gltf_put(builder, object, "enableCollision", json_true());
}

bool phys_begin_joint(phys_writer *writer, uint32_t number)
{
    const mmd_phys_joint *joint = &writer->scene->joints[number];
    phys_begin_item(writer, "joint", number, joint->name);
    if (can_be_said(writer, joint))
        return !writer->builder->failed;
    phys_lose(writer, MMD_LOSS_DROPPED, joint->disabled ? "joint.disabled" : "ref.dangling", "joint", "", "");
    return false;
}

void phys_end_joint(phys_writer *writer, uint32_t number, int32_t node)
{
    writer->builder->node_of_joint[number] = node;
    put_record(writer, node, number);
}

void phys_write_node_joint(phys_writer *writer, uint32_t number, int32_t world)
{
    const mmd_phys_joint *joint = &writer->scene->joints[number];
    int32_t a = node_of(writer, joint->body_a), b = node_of(writer, joint->body_b);
    mmd_transform places[2];
    phys_said_joint said;
    phys_joint_places(writer, joint, places);
    phys_say_joint(writer, joint, &said);
    int32_t listed = phys_list_joint(writer, &said);
    int32_t node = phys_old_joint(writer, number);
    if (node < 0)
        node = gltf_add_node(writer->builder, joint->name, "joint", a < 0 ? world : a, &places[0]);
    put_joint(writer, joint, node, phys_attachment(writer, number, b < 0 ? world : b, &places[1]), listed);
    phys_end_joint(writer, number, node);
}

void khr_write_joint(phys_writer *writer, uint32_t number)
{
    if (phys_begin_joint(writer, number))
        phys_write_node_joint(writer, number, -1);
}

void khr_write_root(phys_writer *writer)
{
    gltf_builder *builder = writer->builder;
    const struct {
        const char *key;
        json_t *list;
    } lists[] = {{"physicsMaterials", writer->materials.list},
                 {"collisionFilters", writer->filters.list},
                 {"physicsJoints", writer->joints.list}};
    json_t *root = gltf_extension(builder, builder->root, writer->extension);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (json_array_size(lists[i].list) > 0)
            gltf_put(builder, root, lists[i].key, json_incref(lists[i].list));
    if (json_array_size(writer->shapes.list) > 0)
        gltf_put(builder,
                 gltf_extension(builder, builder->root,
                                writer->newer ? "KHR_implicit_shapes" : "KHR_collision_shapes"),
                 "shapes", json_incref(writer->shapes.list));
}
