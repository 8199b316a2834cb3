/*
 * What the two backends of a world share: the arrays of the world, which world.c creates in the state at
 * rest, and the table of functions that a backend implements. A backend reads the inputs (targets, held,
 * pins, settings) and writes the outputs (transforms, velocities, nodes of soft bodies).
 */
#ifndef MMD_PHYSICS_BACKEND_H
#define MMD_PHYSICS_BACKEND_H

#include "mmd/physics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmd_physics_ops {
    /* Creates world->impl. All arrays are at rest already. After a failure destroy frees what was created. */
    mmd_status (*create)(mmd_world *world, mmd_error *error);
    void (*destroy)(mmd_world *world); /* also frees a partly created world */
    void (*step)(mmd_world *world);

    /* Notify the backend of changes: of held[body], of transforms[body] and velocities[body] set by hand,
     * of the translation of transforms[body] alone, of settings.gravity, of settings.ground. */
    void (*hold)(mmd_world *world, uint32_t body);
    void (*place)(mmd_world *world, uint32_t body);
    void (*correct)(mmd_world *world, uint32_t body);
    /* Positions of a soft body's nodes were set by hand; computes their normals. velocity NULL: at rest. */
    void (*place_soft)(mmd_world *world, uint32_t soft, const float velocity[3]);
    void (*impulse)(mmd_world *world, const mmd_impulse *impulse);
    void (*set_gravity)(mmd_world *world);
    void (*set_ground)(mmd_world *world);

    size_t (*contacts)(const mmd_world *world, mmd_contact *contacts, size_t max);
    size_t (*trigger_events)(const mmd_world *world, mmd_trigger_event *events, size_t max);

    /* The state that a backend has besides the world's arrays. world.c saves the arrays, and restores them
     * before it calls restore. */
    size_t (*state_size)(const mmd_world *world);
    void (*save)(const mmd_world *world, uint8_t *state);
    void (*restore)(mmd_world *world, const uint8_t *state);
} mmd_physics_ops;

extern const mmd_physics_ops mmd_physics_null;
extern const mmd_physics_ops mmd_physics_bullet;

/* The arrays of a soft body: pins has pin_count elements, positions and normals have node_count. */
typedef struct mmd_world_soft {
    const mmd_phys_soft_body *source;
    uint32_t scene;
    float (*pins)[3];      /* positions of the pinned nodes at the end of the next step */
    float (*positions)[4]; /* of all nodes */
    float (*normals)[4];
    bool lost; /* diverged in the last step and was reset by the backend */
} mmd_world_soft;

struct mmd_world {
    const mmd_physics_ops *ops;
    void *impl; /* state of the backend */
    mmd_phys_world settings;
    float dt;
    uint32_t scene_count, body_count, joint_count, soft_count;
    const mmd_physscene **scenes;
    uint32_t *first_body, *first_joint, *first_soft; /* scene_count + 1 elements each */
    const mmd_phys_body **bodies;                    /* sources of the bodies, and their scenes */
    uint32_t *body_scene;
    mmd_transform *transforms;
    mmd_velocity *velocities;
    mmd_transform *targets;
    uint8_t *held;
    bool any_own_motion;  /* some body has a motion of its own (mmd_phys_has_own_motion) */
    bool has_new_targets; /* targets were set for the next step */
    mmd_world_soft *softs;
    /* For tests of the Bullet backend (bullet/row_solver.hpp): whether Bullet's own loop solves contacts and
     * joints; and how many groups of them were not solved by it so far. */
    bool bullets_loop;
    uint64_t groups_by_level;
    mmd_arena arena;
};

/* Returns whether the body moves to its target in this step. */
static inline bool mmd_world_is_driven(const mmd_world *world, uint32_t body)
{
    return world->bodies[body]->motion == MMD_PHYS_KINEMATIC || world->held[body];
}

/* Tests whether a kinematic body has a velocity. It moves by this velocity in steps without new targets. */
static inline bool mmd_phys_has_own_motion(const mmd_phys_body *body)
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
 * Computes the constant velocity, at the frame's origin, that takes a body from one transform to another in
 * dt seconds: along a straight line, and about one axis by the smaller angle.
 */
void mmd_transform_velocity(const mmd_transform *from, const mmd_transform *to, float dt,
                            mmd_velocity *velocity);

/* Moves a transform by a constant velocity, at the frame's origin, for dt seconds. */
void mmd_transform_advance(mmd_transform *transform, const float linear[3], const float angular[3], float dt);

#ifdef __cplusplus
}
#endif

#endif
