/*
 * The physics scene: bodies, shapes, materials, filters, joints and soft bodies as plain data. PMX rigid
 * bodies and joints, Ragdoll JSON, glTF's KHR_physics_rigid_bodies and OMI_physics_* are all converted to and
 * from it. It is the only input of the simulation (mmd/physics.h).
 *
 * Space: MMD's (left-handed, Y up, units of about 8 cm, radians, seconds). Importers convert to it
 * (docs/formats.md 4). Texts are UTF-8, never NULL. An index of -1 means none. All arrays belong to whoever
 * filled the scene; scenes created by the engine keep them in their arena.
 *
 * A scene must not change while a world made from it exists, and may be read by several threads.
 */
#ifndef MMD_PHYSSCENE_H
#define MMD_PHYSSCENE_H

#include "mmd/memory.h"
#include "mmd/status.h"
#include "mmd/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------- the world */

/* Additional damping of bodies. */
typedef enum mmd_damping_policy {
    MMD_DAMPING_PLAIN,     /* only the bodies' linear and angular damping, as in MMD */
    MMD_DAMPING_ADDITIONAL /* plus Bullet's additional damping, which calms slow bodies */
} mmd_damping_policy;

/*
 * Where PMX joints of kinds 0 and 1 apply forces to body A. Bullet, and MMD with it, applies them at the
 * joint's anchor on B, so that an open joint rotates A more than it closes.
 */
typedef enum mmd_joint_lever {
    MMD_LEVER_OWN,  /* at A's own anchor: joints stay closed */
    MMD_LEVER_STOCK /* at B's anchor, as in Bullet */
} mmd_joint_lever;

/* The settings of a world. Other settings of a file, such as Ragdoll's solver, are stored in `extras`. */
typedef struct mmd_phys_world {
    float gravity[3]; /* units/s^2 */
    bool ground;      /* an infinite plane at ground_height facing up, with which everything collides */
    float ground_height, ground_friction, ground_restitution;
    uint32_t rate;          /* steps per second, 20 to 2000; the step time is always 1/rate s */
    uint32_t iterations;    /* solver iterations, 1 to 1000 */
    float joint_erp;        /* 0..1, share of a PMX joint's error that a step corrects */
    uint8_t joint_lever;    /* mmd_joint_lever */
    uint8_t damping;        /* mmd_damping_policy */
    bool exact_restitution; /* restitution as specified, for imported scenes (docs/formats.md 5); false: all
                               rules are those of MMD's Bullet 2.75 (docs/mmd.md 5) */
    const char *extras;     /* JSON text to preserve, or "" */
} mmd_phys_world;

/* Returns PMX's world (docs/mmd.md 5.1): gravity 98 down, ground at 0, 60 Hz, 10 iterations, ERP 0.5, stock
 * levers, plain damping. */
mmd_phys_world mmd_default_phys_world(void);

/* Returns glTF's world: 9.80665 m/s^2 in units of 8 cm, no ground, 240 Hz, 50 iterations, own levers, plain
 * damping, exact restitution. */
mmd_phys_world mmd_default_gltf_world(void);

/* ---------------------------------------------------------------- shapes */

typedef enum mmd_phys_shape_kind {
    MMD_PHYS_SPHERE,   /* size[0] radius */
    MMD_PHYS_BOX,      /* size half extents */
    MMD_PHYS_CAPSULE,  /* along Y: size[0] radius, size[1] distance of the sphere centres, size[2] radius
                          of the upper sphere (same as size[0] unless tapered) */
    MMD_PHYS_CYLINDER, /* along Y: size[0] bottom radius, size[1] height, size[2] top radius */
    MMD_PHYS_HULL,     /* convex hull of a mesh's points */
    MMD_PHYS_MESH,     /* triangles of a mesh; moving bodies use its convex hull */
    MMD_PHYS_PLANE     /* infinite plane through the frame's origin, facing +Y */
} mmd_phys_shape_kind;

typedef struct mmd_phys_shape {
    uint8_t kind;        /* mmd_phys_shape_kind */
    bool trigger;        /* reports contacts but has no collision response */
    bool solid;          /* false: collides with nothing (Ragdoll's collide: false) */
    mmd_transform frame; /* relative to the body's frame */
    float size[3];
    int32_t mesh;     /* index into meshes, for hulls and meshes */
    int32_t material; /* index into materials; -1: mmd_default_phys_material */
    int32_t filter;   /* index into filters; -1: collides with everything */
    const char *name, *path;
} mmd_phys_shape;

typedef struct mmd_phys_mesh {
    uint32_t point_count;
    const float (*points)[3];
    uint32_t index_count; /* three per triangle; 0 for hulls */
    const uint32_t *indices;
} mmd_phys_mesh;

/* How the values of two touching materials are combined. The higher of the two modes is used (docs/formats.md
 * 1). */
typedef enum mmd_combine_mode {
    MMD_COMBINE_UNSPECIFIED,
    MMD_COMBINE_MULTIPLY, /* always for PMX */
    MMD_COMBINE_MAXIMUM,
    MMD_COMBINE_MINIMUM,
    MMD_COMBINE_AVERAGE /* also if both are unspecified */
} mmd_combine_mode;

typedef struct mmd_phys_material {
    float static_friction, dynamic_friction, restitution;
    uint8_t friction_combine, restitution_combine; /* mmd_combine_mode */
    const char *name;
} mmd_phys_material;

mmd_phys_material mmd_default_phys_material(void); /* 0.6, 0.6, 0, unspecified */

/*
 * A collision filter. Two shapes collide if both filters accept the other. By groups: bit (1 << group) of the
 * other is set in the mask. By names: the other's systems share a name with collide_with (if present) and
 * none with not_collide_with. A filter uses either groups or names; a group filter and a name filter accept
 * each other.
 */
typedef struct mmd_phys_filter {
    bool named;
    uint8_t group; /* 0..15 */
    uint16_t mask;
    bool has_collide_with; /* an empty list accepts nothing, no list everything */
    uint32_t system_count, collide_count, not_collide_count;
    const uint32_t *systems, *collide_with, *not_collide_with; /* indices into system_names */
} mmd_phys_filter;

/* Returns whether two filters (indices or -1) let shapes collide. */
struct mmd_physscene;
bool mmd_physscene_collides(const struct mmd_physscene *scene, int32_t filter_a, int32_t filter_b);

/* ---------------------------------------------------------------- bodies */

typedef enum mmd_phys_motion {
    MMD_PHYS_STATIC,      /* never moves */
    MMD_PHYS_KINEMATIC,   /* follows its bone or animated node */
    MMD_PHYS_DYNAMIC,     /* simulated */
    MMD_PHYS_DYNAMIC_BONE /* simulated, but its position follows the parents of its bone (PMX mode 2) */
} mmd_phys_motion;

typedef struct mmd_phys_body {
    const char *name, *path;
    uint8_t motion;                 /* mmd_phys_motion */
    bool disabled;                  /* not in the world (Ragdoll's enabled: false) */
    bool can_sleep;                 /* false: PMX */
    bool ccd;                       /* continuous collision detection */
    bool auto_inertia, auto_center; /* computed from the shapes; false: the values below */
    bool auto_mass;                 /* computed from the shapes' volume at 1,000 kg/m^3 */
    mmd_transform rest;             /* world transform of its frame at the start of the simulation */
    int32_t bone;                   /* bone (node of an imported scene) that it moves or follows */
    float mass;                     /* 0: infinite, no force moves it (in PMX its bone holds it) */
    float inertia[3];               /* along the axes of inertia_rotation; 0: cannot rotate about that axis */
    float inertia_rotation[4];
    float center[3];                       /* centre of mass in its frame */
    float linear_damping, angular_damping; /* share of velocity lost per second, 0..1 (as in Bullet) */
    float linear_velocity[3], angular_velocity[3]; /* start values in world space; kinematic bodies keep
                                                      them */
    float gravity_factor;
    uint32_t first_shape, shape_count; /* range of shapes */
} mmd_phys_body;

/* ---------------------------------------------------------------- joints */

typedef enum mmd_phys_joint_kind {
    MMD_JOINT_PMX_SPRING = 0, /* PMX kinds, described by `pmx` */
    MMD_JOINT_PMX_6DOF = 1,
    MMD_JOINT_PMX_POINT = 2,
    MMD_JOINT_PMX_CONE_TWIST = 3,
    MMD_JOINT_PMX_SLIDER = 4,
    MMD_JOINT_PMX_HINGE = 5,
    MMD_JOINT_LIMITS_AND_DRIVES = 6 /* as in KHR_physics_rigid_bodies: limits and drives below */
} mmd_phys_joint_kind;

/* The unchanged numbers of a PMX joint. Their meaning depends on the kind (docs/mmd.md 1.1). */
typedef struct mmd_pmx_joint {
    float linear_lower[3], linear_upper[3], angular_lower[3], angular_upper[3];
    float linear_spring[3], angular_spring[3];
} mmd_pmx_joint;

/*
 * A limit on T = inverse(frame of A) * frame of B. What is measured follows KHR_physics_rigid_bodies (draft
 * of March 2024, appendix): for one linear axis, the translation of T along it; for two or three, the length
 * of its part in their plane or space; for one angular axis, the signed twist about it; for two, the angle
 * between the third axes of the frames (a cone); for three, the whole angle of T. MMD_LIMIT_ELLIPSE (Ragdoll)
 * limits the swing of X to an elliptic cone with half angles max and max2 about Y and Z.
 */
typedef enum mmd_phys_limit_kind {
    MMD_LIMIT_LINEAR,
    MMD_LIMIT_ANGULAR,
    MMD_LIMIT_ELLIPSE
} mmd_phys_limit_kind;

typedef struct mmd_phys_limit {
    uint8_t kind;
    uint8_t axes;             /* bits 0..2: X, Y, Z */
    bool has_min, has_max;    /* false: unbounded on that side */
    float min, max, max2;     /* units or radians */
    bool soft;                /* true: a spring beyond the limit, with the two numbers below; false: hard */
    float stiffness, damping; /* force (torque) per unit (radian) beyond, and per unit/s (radian/s) */
} mmd_phys_limit;

typedef enum mmd_phys_drive_kind {
    MMD_DRIVE_LINEAR,  /* along one axis of A's frame */
    MMD_DRIVE_ANGULAR, /* about one axis of A's frame */
    MMD_DRIVE_POSE     /* moves T towards `target`, linear and angular (Ragdoll) */
} mmd_phys_drive_kind;

typedef struct mmd_phys_drive {
    uint8_t kind;
    uint8_t axis;      /* 0..2 */
    bool acceleration; /* gains are scaled by the effective mass */
    bool enabled;
    float position_target, velocity_target;
    float stiffness, damping;
    float angular_stiffness, angular_damping; /* for MMD_DRIVE_POSE, where the two above are linear */
    float max_force;                          /* or torque; infinite: unlimited */
    mmd_transform target;
} mmd_phys_drive;

typedef struct mmd_phys_joint {
    const char *name, *path;
    uint8_t kind; /* mmd_phys_joint_kind */
    bool collide; /* whether the two bodies may collide (subject to their filters) */
    bool disabled;
    int32_t body_a, body_b;         /* -1: the world, for at most one; not the same body */
    mmd_transform frame_a, frame_b; /* relative to the bodies' frames; for the world, in world space */
    mmd_pmx_joint pmx;
    float angular_size; /* for PMX kinds: square of the scene's size relative to the model's, a factor of
                           angular springs; 0: 1 */
    uint32_t first_limit, limit_count; /* ranges of limits and drives; no limits: all axes free */
    uint32_t first_drive, drive_count;
} mmd_phys_joint;

/* ----------------------------------------------------------- soft bodies */

/* The parameters of PMX 2.1 are those of the file (mmd/model.h). Vertices at one position are merged into
 * nodes, so that seams do not open. */

/* An anchored node keeps its rest position relative to the body. */
typedef struct mmd_phys_soft_anchor {
    uint32_t node;
    int32_t body;
    bool near_mode; /* no collisions between the two, so that cloth may start inside of the body */
} mmd_phys_soft_anchor;

typedef struct mmd_phys_soft_body {
    const char *name;
    uint8_t shape; /* 0 triangles, 1 rope */
    uint8_t flags; /* 1 bending links, 2 clusters, 4 links in random order */
    int32_t link_distance, cluster_count;
    int32_t filter;
    float mass, margin;
    int32_t aero_model;
    float config[12], cluster[6];
    int32_t iterations[4];
    float material_config[3];
    uint32_t node_count;
    const float (*nodes)[3]; /* positions at rest */
    uint32_t index_count;    /* three per triangle, or two per link of a rope */
    const uint32_t *indices;
    uint32_t anchor_count, pin_count;
    const mmd_phys_soft_anchor *anchors;
    const uint32_t *pins;        /* nodes that follow their vertex's bones */
    uint32_t vertex_count;       /* number of model vertices that it moves */
    const uint32_t *vertices;    /* these vertices, ascending */
    const uint32_t *vertex_node; /* the node of each */
} mmd_phys_soft_body;

/* --------------------------------------------------------- gravity fields */

typedef enum mmd_gravity_kind {
    MMD_GRAVITY_DIRECTIONAL,
    MMD_GRAVITY_POINT,
    MMD_GRAVITY_DISC,
    MMD_GRAVITY_TORUS,
    MMD_GRAVITY_LINE,
    MMD_GRAVITY_SHAPED
} mmd_gravity_kind;

/* A gravity field that acts on bodies inside a trigger (OMI_physics_gravity). Fields with higher priority are
 * applied first. */
typedef struct mmd_phys_gravity {
    uint8_t kind;
    int32_t body; /* body whose trigger shapes bound the field and whose frame it uses; -1: everywhere */
    int32_t priority;
    bool replace, stop; /* replaces the fields before it; skips those after it */
    float gravity;      /* units/s^2, negative: repels */
    float direction[3];
    float unit_distance; /* distance at which the strength is `gravity`; 0: constant strength */
    float radius;
    int32_t shape;        /* index into shapes, for MMD_GRAVITY_SHAPED */
    uint32_t point_count; /* for MMD_GRAVITY_LINE */
    const float (*points)[3];
} mmd_phys_gravity;

/* ----------------------------------------------------------------- scene */

typedef struct mmd_physscene {
    mmd_phys_world world;
    uint32_t body_count;
    mmd_phys_body *bodies;
    uint32_t shape_count;
    mmd_phys_shape *shapes;
    uint32_t mesh_count;
    mmd_phys_mesh *meshes;
    uint32_t material_count;
    mmd_phys_material *materials;
    uint32_t filter_count;
    mmd_phys_filter *filters;
    uint32_t system_count;
    const char **system_names;
    uint32_t joint_count;
    mmd_phys_joint *joints;
    uint32_t limit_count;
    mmd_phys_limit *limits;
    uint32_t drive_count;
    mmd_phys_drive *drives;
    uint32_t soft_body_count;
    mmd_phys_soft_body *soft_bodies;
    uint32_t gravity_count;
    mmd_phys_gravity *gravities;
    mmd_arena arena;
} mmd_physscene;

/*
 * The largest absolute values that are simulated. Larger ones are finite, but a solver's products of them
 * overflow single precision.
 */
#define MMD_PHYS_LENGTH_MOST  1e9f  /* sizes, positions, velocities: units, units/s, radians/s */
#define MMD_PHYS_MASS_MOST    1e12f /* masses and numbers without unit: friction, factors */
#define MMD_PHYS_INERTIA_MOST 1e30f /* kg units^2 */
#define MMD_PHYS_GAIN_MOST    1e30f /* limits and drives: stiffness, damping, targets */

/* Frees the arena. NULL is allowed. */
void mmd_physscene_destroy(mmd_physscene *scene);

/*
 * Checks a scene before simulation: indices and ranges are valid, numbers are finite and at most
 * MMD_PHYS_LENGTH_MOST and the limits beside it, quaternions have unit length, masses and sizes are not
 * negative, limits are not reversed, no joint connects a body with itself or the world with itself. Fails
 * with MMD_ERROR_VALUE or MMD_ERROR_INDEX, with section "body", "shape", "joint", "limit" or similar and a
 * sentence that names the item and the number. Unusual but valid scenes pass: mass 0, size 0, reversed PMX
 * limits (a free axis).
 */
mmd_status mmd_physscene_check(const mmd_physscene *scene, mmd_error *error);

/* ------------------------------------------------------------ their shape */

enum { MMD_HULL_POINTS = 400 };

/*
 * Computes the convex hull of count points as triangles whose normals (b - a) x (c - a) point outwards.
 * *indices, into points, is freed with mmd_free. Of more than MMD_HULL_POINTS points, only those farthest in
 * as many directions are used, which bounds the time. Returns false when out of memory or if the points lie
 * in a plane.
 */
bool mmd_hull_triangles(const float (*points)[3], uint32_t count, uint32_t **indices, uint32_t *index_count);

/*
 * Returns each edge of a mesh's triangles once, as *edge_count pairs of point indices that are freed with
 * mmd_free. With sharp_only, edges within a flat face are left out. Returns false, with no edges, when out of
 * memory.
 */
bool mmd_mesh_edges(const mmd_phys_mesh *mesh, bool sharp_only, uint32_t (**edges)[2], uint32_t *edge_count);

#ifdef __cplusplus
}
#endif

#endif
