/*
 * The null backend: no forces, contacts or joints. Kinematic and held bodies move to their targets, pinned
 * nodes to their pins, and everything else stays in place.
 */
#include "backend.h"

#include <math.h>
#include <string.h>

/* Adds a triangle's normal, with twice its area as length, to its three nodes. */
static void add_normal(const mmd_world_soft *soft, const uint32_t corners[3])
{
    const float *a = soft->positions[corners[0]], *b = soft->positions[corners[1]],
                *c = soft->positions[corners[2]];
    float u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    for (int corner = 0; corner < 3; corner++)
        for (int k = 0; k < 3; k++)
            soft->normals[corners[corner]][k] +=
                u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
}

/* Computes unit normals of a mesh. Ropes, and nodes of triangles without area, have the normal +Y. */
static void make_normals(const mmd_world_soft *soft)
{
    const mmd_phys_soft_body *source = soft->source;
    memset(soft->normals, 0, source->node_count * sizeof *soft->normals);
    if (source->shape == 0)
        for (uint32_t i = 0; i + 2 < source->index_count; i += 3)
            add_normal(soft, source->indices + i);
    for (uint32_t n = 0; n < source->node_count; n++) {
        float *normal = soft->normals[n];
        float length = sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        for (int k = 0; k < 3; k++)
            normal[k] = length > 0.0f ? normal[k] / length : k == 1;
    }
}

static mmd_status create(mmd_world *world, mmd_error *error)
{
    (void)error;
    for (uint32_t s = 0; s < world->soft_count; s++)
        make_normals(&world->softs[s]);
    return MMD_OK;
}

static void destroy(mmd_world *world)
{
    (void)world;
}

static void move_pins(const mmd_world_soft *soft)
{
    for (uint32_t p = 0; p < soft->source->pin_count; p++)
        memcpy(soft->positions[soft->source->pins[p]], soft->pins[p], sizeof soft->pins[p]);
    make_normals(soft);
}

static void step(mmd_world *world)
{
    for (uint32_t b = 0; b < world->body_count; b++) {
        if (!mmd_world_is_driven(world, b))
            continue;
        mmd_transform_velocity(&world->transforms[b], &world->targets[b], world->dt, &world->velocities[b]);
        world->transforms[b] = world->targets[b];
    }
    for (uint32_t s = 0; s < world->soft_count; s++)
        move_pins(&world->softs[s]);
}

static void ignore_body(mmd_world *world, uint32_t body)
{
    (void)world;
    (void)body;
}

static void place_soft(mmd_world *world, uint32_t soft, const float velocity[3])
{
    (void)velocity;
    make_normals(&world->softs[soft]);
}

static void ignore_impulse(mmd_world *world, const mmd_impulse *impulse)
{
    (void)world;
    (void)impulse;
}

static void ignore(mmd_world *world)
{
    (void)world;
}

static size_t no_contacts(const mmd_world *world, mmd_contact *contacts, size_t max)
{
    (void)world;
    (void)contacts;
    (void)max;
    return 0;
}

static size_t no_events(const mmd_world *world, mmd_trigger_event *events, size_t max)
{
    (void)world;
    (void)events;
    (void)max;
    return 0;
}

static size_t state_size(const mmd_world *world)
{
    (void)world;
    return 0;
}

static void save(const mmd_world *world, uint8_t *state)
{
    (void)world;
    (void)state;
}

static void restore(mmd_world *world, const uint8_t *state)
{
    (void)world;
    (void)state;
}

const mmd_physics_ops mmd_physics_null = {
    .create = create,
    .destroy = destroy,
    .step = step,
    .hold = ignore_body,
    .place = ignore_body,
    .correct = ignore_body,
    .place_soft = place_soft,
    .impulse = ignore_impulse,
    .set_gravity = ignore,
    .set_ground = ignore,
    .contacts = no_contacts,
    .trigger_events = no_events,
    .state_size = state_size,
    .save = save,
    .restore = restore,
};
