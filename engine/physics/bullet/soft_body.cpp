/*
 * Soft bodies in a world: anchors, pins, reading, putting back, state.
 *
 * State: of every node its place, the one before, velocity and force. All else
 * that Bullet 3.24 keeps between steps follows from these (normals, bounds,
 * the pose and the clusters' frames are computed in each step before they are
 * used) or must not be kept (trees, whose boxes are wider than they need be
 * and so remember the past): restore makes it anew.
 */
#include "soft_contacts.hpp"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "soft_structure.hpp"

enum { STATE_VECTORS = 4, STATE_FLOATS = 3 * STATE_VECTORS, SHAPE_ROPE = 1 };

/* Beyond this a node is as lost as one that is not finite: floats have no room for cloth there. */
static const float node_farthest = 1e6f;

struct soft_body {
    BT_DECLARE_ALIGNED_ALLOCATOR();
    soft_world *world;
    mmd_world_soft *arrays;
    btSoftBody *soft; /* NULL: no nodes */
    int group, mask;
    const btRigidBody *holder; /* of the first anchor, or NULL */
    btTransform from_holder;   /* the inverse of its place at rest */
};

void soft_bodies_begin(btRigidBody *const *bodies, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bodies[i])
            bodies[i]->setUserIndex3(int(i));
}

/* ------------------------------------------------------------- making it */

/* near_mode: the soft body and the rigid one do not collide, so that cloth may begin inside of what holds it.
 */
static void add_anchor(soft_body *body, const mmd_phys_soft_anchor *anchor, btRigidBody *const *bodies)
{
    btRigidBody *rigid = anchor->body < 0 ? nullptr : bodies[anchor->body];
    int node = int(anchor->node);
    if (!rigid || body->soft->m_nodes[node].m_im == 0) /* a pin leads it; Bullet would divide by zero */
        return;
    body->soft->appendAnchor(node, rigid, anchor->near_mode, 1);
    if (!body->holder) {
        body->holder = rigid;
        body->from_holder = rigid->getWorldTransform().inverse();
    }
}

/* Ropes have no faces: a normal at right angles to the rope that faces as nearly as it can towards -Z. */
static void write_rope_normals(const soft_body *body)
{
    float(*normals)[4] = body->arrays->normals;
    const btSoftBody *soft = body->soft;
    memset(normals, 0, size_t(soft->m_nodes.size()) * sizeof *normals);
    for (int i = 0; i < soft->m_links.size(); i++) {
        const btSoftBody::Link &link = soft->m_links[i];
        if (link.m_bbending)
            continue;
        btVector3 along = link.m_n[1]->m_x - link.m_n[0]->m_x;
        for (int end = 0; end < 2; end++)
            for (int k = 0; k < 3; k++)
                normals[link.m_n[end] - &soft->m_nodes[0]][k] += along[k];
    }
    for (int i = 0; i < soft->m_nodes.size(); i++) {
        btVector3 along(normals[i][0], normals[i][1], normals[i][2]), normal(0, 0, -1);
        if (along.length2() > SIMD_EPSILON) {
            along.normalize();
            normal -= along * along.dot(normal);
        }
        normal = normal.length2() > 1e-6f ? normal.normalized() : btVector3(0, 1, 0);
        for (int k = 0; k < 3; k++)
            normals[i][k] = normal[k];
    }
}

static void write_face_normals(const soft_body *body)
{
    for (int i = 0; i < body->soft->m_nodes.size(); i++) {
        const btVector3 &normal = body->soft->m_nodes[i].m_n;
        bool known = normal.length2() > 0.5f; /* else of no face, or of faces without area */
        for (int k = 0; k < 3; k++)
            body->arrays->normals[i][k] = known ? float(normal[k]) : k == 1 ? 1.0f : 0.0f;
        body->arrays->normals[i][3] = 0;
    }
}

static void write_arrays(soft_body *body)
{
    for (int i = 0; i < body->soft->m_nodes.size(); i++) {
        const btVector3 &place = body->soft->m_nodes[i].m_x;
        for (int k = 0; k < 3; k++)
            body->arrays->positions[i][k] = place[k];
        body->arrays->positions[i][3] = 0;
    }
    if (body->arrays->source->shape == SHAPE_ROPE)
        write_rope_normals(body);
    else
        write_face_normals(body);
}

soft_body *soft_body_create(soft_world *world, mmd_world_soft *arrays, btRigidBody *const *bodies, int group,
                            int mask)
{
    const mmd_phys_soft_body *source = arrays->source;
    soft_body *body = new soft_body{world, arrays, nullptr, group, mask, nullptr, btTransform::getIdentity()};
    if (source->node_count == 0)
        return body;
    body->soft = soft_structure_create(&world->getWorldInfo(), source);
    for (uint32_t i = 0; i < source->anchor_count; i++)
        add_anchor(body, &source->anchors[i], bodies);
    body->soft->updateBounds();
    soft_body_add(body);
    write_arrays(body);
    return body;
}

void soft_body_destroy(soft_body *body)
{
    if (!body)
        return;
    soft_body_remove(body);
    delete body->soft;
    delete body;
}

btSoftBody *soft_body_object(soft_body *body)
{
    return body->soft;
}

void soft_body_remove(soft_body *body)
{
    if (body->soft && body->soft->getBroadphaseHandle())
        body->world->removeSoftBody(body->soft);
}

void soft_body_add(soft_body *body)
{
    if (body->soft && !body->soft->getBroadphaseHandle())
        body->world->addSoftBody(body->soft, body->group, body->mask);
}

/* --------------------------------------------------------------- the step */

static bool is_near(const btVector3 &place)
{
    return fabsf(place.x()) < node_farthest && fabsf(place.y()) < node_farthest &&
           fabsf(place.z()) < node_farthest; /* false for NaN */
}

static btVector3 pin_place(const soft_body *body, uint32_t pin)
{
    const float *place = body->arrays->pins[pin];
    return btVector3(place[0], place[1], place[2]);
}

void soft_body_before_step(soft_body *body, btScalar dt)
{
    const mmd_phys_soft_body *source = body->arrays->source;
    if (!body->soft)
        return;
    for (uint32_t i = 0; i < source->pin_count; i++) {
        btSoftBody::Node &node = body->soft->m_nodes[int(source->pins[i])];
        btVector3 target = pin_place(body, i);
        node.m_v = is_near(target) ? (target - node.m_x) / dt : btVector3(0, 0, 0);
    }
}

/* The way from where the body was at rest to where what holds it is now. */
static btTransform way_from_rest(const soft_body *body)
{
    btTransform way = btTransform::getIdentity();
    const mmd_phys_soft_body *source = body->arrays->source;
    if (body->holder && is_near(body->holder->getWorldTransform().getOrigin()))
        return body->holder->getWorldTransform() * body->from_holder;
    if (source->pin_count == 0)
        return way;
    const float *rest = source->nodes[source->pins[0]];
    btVector3 moved = pin_place(body, 0) - btVector3(rest[0], rest[1], rest[2]);
    if (is_near(moved))
        way.setOrigin(moved);
    return way;
}

/* What all changes of place by hand are followed by. */
static void forget_past(btSoftBody *soft)
{
    while (soft->m_rcontacts.size())
        soft->m_rcontacts.pop_back();
    while (soft->m_scontacts.size())
        soft->m_scontacts.pop_back();
    for (int i = 0; i < soft->m_clusters.size(); i++) {
        btSoftBody::Cluster *cluster = soft->m_clusters[i];
        cluster->m_nvimpulses = cluster->m_ndimpulses = 0;
        for (int k = 0; k < 2; k++) {
            cluster->m_vimpulses[k].setZero();
            cluster->m_dimpulses[k].setZero();
        }
    }
    soft_structure_rebuild_trees(soft);
    soft->updateNormals();
    soft->updateBounds();
}

static void put_back(soft_body *body)
{
    btTransform way = way_from_rest(body);
    for (int i = 0; i < body->soft->m_nodes.size(); i++) {
        btSoftBody::Node &node = body->soft->m_nodes[i];
        const float *rest = body->arrays->source->nodes[i];
        node.m_x = node.m_q = way * btVector3(rest[0], rest[1], rest[2]);
        node.m_v.setZero();
        node.m_f.setZero();
    }
    forget_past(body->soft);
}

void soft_body_place(soft_body *body, const btVector3 &velocity)
{
    if (!body->soft)
        return;
    for (int i = 0; i < body->soft->m_nodes.size(); i++) {
        btSoftBody::Node &node = body->soft->m_nodes[i];
        const float *place = body->arrays->positions[i];
        node.m_x = node.m_q = btVector3(place[0], place[1], place[2]);
        node.m_v = velocity;
        node.m_f.setZero();
    }
    forget_past(body->soft);
    write_arrays(body);
}

/* Pinned nodes stand exactly where they were led. */
static void settle_pins(soft_body *body)
{
    const mmd_phys_soft_body *source = body->arrays->source;
    for (uint32_t i = 0; i < source->pin_count; i++) {
        btVector3 target = pin_place(body, i);
        if (is_near(target))
            body->soft->m_nodes[int(source->pins[i])].m_x = target;
    }
}

bool soft_body_after_step(soft_body *body)
{
    if (!body->soft)
        return false;
    settle_pins(body);
    bool lost = false;
    for (int i = 0; i < body->soft->m_nodes.size() && !lost; i++) {
        const btSoftBody::Node &node = body->soft->m_nodes[i];
        lost = !is_near(node.m_x) || !is_near(node.m_v);
    }
    if (lost)
        put_back(body);
    write_arrays(body);
    return lost;
}

/* --------------------------------------------------------------- its state */

size_t soft_body_state_size(const soft_body *body)
{
    return body->soft ? size_t(body->soft->m_nodes.size()) * STATE_FLOATS * sizeof(float) : 0;
}

static btVector3 *state_vector(btSoftBody::Node &node, int number)
{
    btVector3 *const vectors[STATE_VECTORS] = {&node.m_x, &node.m_q, &node.m_v, &node.m_f};
    return vectors[number];
}

void soft_body_save(const soft_body *body, uint8_t *state)
{
    for (int i = 0; body->soft && i < body->soft->m_nodes.size(); i++)
        for (int v = 0; v < STATE_VECTORS; v++, state += 3 * sizeof(float)) {
            const btVector3 *vector = state_vector(body->soft->m_nodes[i], v);
            const float numbers[3] = {vector->x(), vector->y(), vector->z()};
            memcpy(state, numbers, sizeof numbers);
        }
}

void soft_body_restore(soft_body *body, const uint8_t *state)
{
    if (!body->soft)
        return;
    for (int i = 0; i < body->soft->m_nodes.size(); i++)
        for (int v = 0; v < STATE_VECTORS; v++, state += 3 * sizeof(float)) {
            float numbers[3];
            memcpy(numbers, state, sizeof numbers);
            state_vector(body->soft->m_nodes[i], v)->setValue(numbers[0], numbers[1], numbers[2]);
        }
    forget_past(body->soft);
    write_arrays(body);
}
