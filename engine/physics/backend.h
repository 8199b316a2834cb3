/*
 * What the two backends of a world share: the world's arrays, which world.c
 * makes and fills with the state at rest, and the table of functions that a
 * backend is. A backend reads what goes in (targets, held, pins, settings)
 * and writes what comes out (transforms, velocities, soft bodies' nodes).
 */
#ifndef MMD_PHYSICS_BACKEND_H
#define MMD_PHYSICS_BACKEND_H

#include "mmd/physics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmd_physics_ops {
    /* Makes world->impl; all arrays are at rest already. What cannot be made is undone by destroy. */
    mmd_status (*create)(mmd_world *world, mmd_error *error);
    void (*destroy)(mmd_world *world); /* of a world that was made in part, too */
    void (*step)(mmd_world *world);

    /* Something changed: held[body], transforms[body] and velocities[body] by hand, the translation of
     * transforms[body] alone, settings.gravity, settings.ground. */
    void (*hold)(mmd_world *world, uint32_t body);
    void (*place)(mmd_world *world, uint32_t body);
    void (*correct)(mmd_world *world, uint32_t body);
    /* positions of a soft body's nodes were written by hand; normals are to be. NULL: no velocity. */
    void (*place_soft)(mmd_world *world, uint32_t soft, const float velocity[3]);
    void (*impulse)(mmd_world *world, const mmd_impulse *impulse);
    void (*set_gravity)(mmd_world *world);
    void (*set_ground)(mmd_world *world);

    size_t (*contacts)(const mmd_world *world, mmd_contact *contacts, size_t max);
    size_t (*trigger_events)(const mmd_world *world, mmd_trigger_event *events, size_t max);

    /* What a backend keeps beside the world's arrays, which world.c saves and has restored when restore is
     * called. */
    size_t (*state_size)(const mmd_world *world);
    void (*save)(const mmd_world *world, uint8_t *state);
    void (*restore)(mmd_world *world, const uint8_t *state);
} mmd_physics_ops;

extern const mmd_physics_ops mmd_physics_null;
extern const mmd_physics_ops mmd_physics_bullet;

/* A soft body's arrays: pins of its pin_count, nodes of its node_count. */
typedef struct mmd_world_soft {
    const mmd_phys_soft_body *source;
    uint32_t scene;
    float (*pins)[3];      /* where pinned nodes are at the end of the next step */
    float (*positions)[4]; /* of all nodes */
    float (*normals)[4];
    bool lost; /* in the last step, and put back by the backend */
} mmd_world_soft;

struct mmd_world {
    const mmd_physics_ops *ops;
    void *impl; /* the backend's own */
    mmd_phys_world settings;
    float dt;
    uint32_t scene_count, body_count, joint_count, soft_count;
    const mmd_physscene **scenes;
    uint32_t *first_body, *first_joint, *first_soft; /* scene_count + 1 each */
    const mmd_phys_body **bodies;                    /* their sources, and their scenes */
    uint32_t *body_scene;
    mmd_transform *transforms;
    mmd_velocity *velocities;
    mmd_transform *targets;
    uint8_t *held;
    bool any_goes_on; /* mmd_phys_goes_on of any body */
    bool is_told;     /* targets were set for the next step */
    mmd_world_soft *softs;
    mmd_arena arena;
};

/* Whether the body goes where it is told in this step. */
static inline bool mmd_world_is_driven(const mmd_world *world, uint32_t body)
{
    return world->bodies[body]->motion == MMD_PHYS_KINEMATIC || world->held[body];
}

/* A kinematic body with a velocity of its own goes on by it in steps that it is told nothing of. */
static inline bool mmd_phys_goes_on(const mmd_phys_body *body)
{
    const float *v = body->linear_velocity, *w = body->angular_velocity;
    return body->motion == MMD_PHYS_KINEMATIC &&
           (v[0] != 0.0f || v[1] != 0.0f || v[2] != 0.0f || w[0] != 0.0f || w[1] != 0.0f || w[2] != 0.0f);
}

static inline bool mmd_phys_is_dynamic(const mmd_phys_body *body)
{
    return body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE;
}

/*
 * The steady velocity, at the frame's origin, that takes a body from one
 * transform to another in dt seconds: along the line, and about one axis by
 * the smaller angle.
 */
void mmd_transform_velocity(const mmd_transform *from, const mmd_transform *to, float dt,
                            mmd_velocity *velocity);

/* Where dt seconds of a steady velocity, at the frame's origin, take a body. */
void mmd_transform_advance(mmd_transform *transform, const float linear[3], const float angular[3], float dt);

#ifdef __cplusplus
}
#endif

#endif
