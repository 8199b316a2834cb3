/*
 * The physics scene: bodies, shapes, materials, filters, joints and soft
 * bodies as plain data. PMX rigid bodies and joints, Ragdoll JSON, glTF's
 * KHR_physics_rigid_bodies and OMI_physics_* all convert to and from it, and
 * it is the only thing the simulation reads (mmd/physics.h).
 *
 * Space: MMD's (left-handed, Y up, units of about 8 cm, radians, seconds).
 * Importers convert at the door (docs/formats.md 4). Texts are UTF-8, never NULL.
 * An index of -1 means none. All arrays belong to whoever filled the scene;
 * scenes made by the engine keep them in their arena.
 *
 * A scene is immutable while a world lives that was made from it, and may be
 * read by several threads.
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

/* How a body is damped beyond its own two numbers. */
typedef enum mmd_damping_policy {
    MMD_DAMPING_PLAIN,     /* linear and angular damping alone */
    MMD_DAMPING_ADDITIONAL /* and Bullet's additional damping, which calms what hardly moves (PMX) */
} mmd_damping_policy;

/*
 * Where PMX joints of kinds 0 and 1 push body A. Bullet does it at the joint's
 * anchor on B, so that a joint which is open turns A more than it closes, and
 * tears in fast turns.
 */
typedef enum mmd_joint_lever {
    MMD_LEVER_OWN,  /* at its own anchor: joints stay closed */
    MMD_LEVER_STOCK /* at B's anchor, as Bullet does */
} mmd_joint_lever;

/* The settings of a world. Ragdoll's solver and the rest of what a file says of it stay in `extras`. */
typedef struct mmd_phys_world {
    float gravity[3]; /* units/s^2 */
    bool ground;      /* an endless plane through ground_height, facing up, that everything collides with */
    float ground_height, ground_friction, ground_restitution;
    uint32_t rate;          /* steps a second, 20 to 2000: a step takes 1/rate s, always */
    uint32_t iterations;    /* of the solver, 1 to 1000 */
    float joint_erp;        /* 0..1: share of a PMX joint's error that a step takes back */
    uint8_t joint_lever;    /* mmd_joint_lever */
    uint8_t damping;        /* mmd_damping_policy */
    bool exact_restitution; /* bounces as restitution says, for imported scenes (docs/formats.md 5) */
    const char *extras;     /* JSON text to keep, or "" */
} mmd_phys_world;

/* PMX's world (docs/mmd.md 5.1): gravity 98 down, ground at 0, 60 Hz, 10 iterations, ERP 0.475, own levers,
 * additional damping. */
mmd_phys_world mmd_default_phys_world(void);

/* glTF's: 9.80665 m/s^2 in units of 8 cm, no ground, 240 Hz, 50 iterations, own levers, plain damping,
 * exact restitution. */
mmd_phys_world mmd_default_gltf_world(void);

/* ---------------------------------------------------------------- shapes */

typedef enum mmd_phys_shape_kind {
    MMD_PHYS_SPHERE,   /* size[0] radius */
    MMD_PHYS_BOX,      /* size half extents */
    MMD_PHYS_CAPSULE,  /* along Y: size[0] radius, size[1] length between the sphere centres; size[2] the
                          radius at the top where it tapers, else the same as size[0] */
    MMD_PHYS_CYLINDER, /* along Y: size[0] bottom radius, size[1] height, size[2] top radius */
    MMD_PHYS_HULL,     /* of a mesh's points */
    MMD_PHYS_MESH,     /* of its triangles; moving bodies get its hull */
    MMD_PHYS_PLANE     /* through the frame's origin, facing +Y; endless */
} mmd_phys_shape_kind;

typedef struct mmd_phys_shape {
    uint8_t kind; /* mmd_phys_shape_kind */
    bool trigger; /* reports what it touches and stops nothing */
    bool solid;   /* false: touches nothing at all (a PMX body of size zero, Ragdoll's collide: false) */
    mmd_transform frame; /* in the body's frame */
    float size[3];
    int32_t mesh;     /* of hulls and meshes, into meshes */
    int32_t material; /* into materials; -1: mmd_default_phys_material */
    int32_t filter;   /* into filters; -1: collides with everything */
    const char *name, *path;
} mmd_phys_shape;

typedef struct mmd_phys_mesh {
    uint32_t point_count;
    const float (*points)[3];
    uint32_t index_count; /* three a triangle; 0 for hulls */
    const uint32_t *indices;
} mmd_phys_mesh;

/* How the numbers of two touching materials become one; the higher of the two modes is used (docs/formats.md 1). */
typedef enum mmd_combine_mode {
    MMD_COMBINE_UNSPECIFIED,
    MMD_COMBINE_MULTIPLY, /* PMX, always */
    MMD_COMBINE_MAXIMUM,
    MMD_COMBINE_MINIMUM,
    MMD_COMBINE_AVERAGE /* and where both are unspecified */
} mmd_combine_mode;

typedef struct mmd_phys_material {
    float static_friction, dynamic_friction, restitution;
    uint8_t friction_combine, restitution_combine; /* mmd_combine_mode */
    const char *name;
} mmd_phys_material;

mmd_phys_material mmd_default_phys_material(void); /* 0.6, 0.6, 0, unspecified */

/*
 * Who collides with whom. A pair of shapes collides if both filters let the
 * other pass: by groups, bit (1 << group) of the one in the mask of the other;
 * by names, the other's systems meet collide_with (where given) and do not
 * meet not_collide_with. A filter has groups or names; one of groups and one
 * of names let each other pass.
 */
typedef struct mmd_phys_filter {
    bool named;
    uint8_t group; /* 0..15 */
    uint16_t mask;
    bool has_collide_with; /* an empty list lets nothing pass, none at all everything */
    uint32_t system_count, collide_count, not_collide_count;
    const uint32_t *systems, *collide_with, *not_collide_with; /* into system_names */
} mmd_phys_filter;

/* Whether the two filters, indices or -1, let a pair collide. */
struct mmd_physscene;
bool mmd_physscene_collides(const struct mmd_physscene *scene, int32_t filter_a, int32_t filter_b);

/* ---------------------------------------------------------------- bodies */

typedef enum mmd_phys_motion {
    MMD_PHYS_STATIC,      /* never moves */
    MMD_PHYS_KINEMATIC,   /* goes where it is told: its bone or animated node */
    MMD_PHYS_DYNAMIC,     /* simulated */
    MMD_PHYS_DYNAMIC_BONE /* simulated, but stands where its bone's parents carry it (PMX mode 2) */
} mmd_phys_motion;

typedef struct mmd_phys_body {
    const char *name, *path;
    uint8_t motion;     /* mmd_phys_motion */
    bool disabled;      /* not in the world at all (Ragdoll's enabled: false) */
    bool can_sleep;     /* false: PMX */
    bool ccd;           /* swept against what it might pass through */
    bool auto_inertia, auto_center; /* from the shapes; else as below */
    bool auto_mass;                 /* from the shapes' volume, 1,000 kg/m^3 */
    mmd_transform rest; /* of its frame in the world, when the simulation begins */
    int32_t bone;       /* what it moves or follows: bone, or node of an imported scene */
    float mass;         /* 0: infinite, no force moves it; in a PMX its bone holds it */
    float inertia[3];   /* along the axes of inertia_rotation; 0: cannot be turned about that axis */
    float inertia_rotation[4];
    float center[3];    /* of mass, in its frame */
    float linear_damping, angular_damping; /* share of velocity lost in a second, 0..1 (Bullet's) */
    float linear_velocity[3], angular_velocity[3]; /* at the beginning, in the world; kinematic ones keep theirs */
    float gravity_factor;
    uint32_t first_shape, shape_count; /* run of shapes */
} mmd_phys_body;

/* ---------------------------------------------------------------- joints */

typedef enum mmd_phys_joint_kind {
    MMD_JOINT_PMX_SPRING = 0, /* PMX's kinds, by its own numbers, read `pmx` */
    MMD_JOINT_PMX_6DOF = 1,
    MMD_JOINT_PMX_POINT = 2,
    MMD_JOINT_PMX_CONE_TWIST = 3,
    MMD_JOINT_PMX_SLIDER = 4,
    MMD_JOINT_PMX_HINGE = 5,
    MMD_JOINT_LIMITS_AND_DRIVES = 6 /* of KHR_physics_rigid_bodies: limits and drives below */
} mmd_phys_joint_kind;

/* A PMX joint's own numbers, unchanged; their meaning depends on the kind (docs/mmd.md 1.1). */
typedef struct mmd_pmx_joint {
    float linear_lower[3], linear_upper[3], angular_lower[3], angular_upper[3];
    float linear_spring[3], angular_spring[3];
} mmd_pmx_joint;

/*
 * A limit. T = inverse(frame of A) * frame of B. Metrics (appendix of the KHR
 * seed): one linear axis, T's translation along it; two or three, its length
 * in their plane or space; one angular axis, the signed twist about it; two,
 * the angle between the third axis of the two frames (a cone); three, the whole
 * angle of T; MMD_LIMIT_ELLIPSE, the swing of X against an elliptic cone with
 * half angles max and max2 about Y and Z (Ragdoll).
 */
typedef enum mmd_phys_limit_kind { MMD_LIMIT_LINEAR, MMD_LIMIT_ANGULAR, MMD_LIMIT_ELLIPSE } mmd_phys_limit_kind;

typedef struct mmd_phys_limit {
    uint8_t kind;
    uint8_t axes;            /* bits 0..2: X, Y, Z */
    bool has_min, has_max;   /* else unbounded on that side */
    float min, max, max2;    /* units or radians */
    bool soft;               /* a spring beyond the limit, with the two numbers below; else hard */
    float stiffness, damping; /* force (torque) a unit (radian) beyond, and a unit (radian) a second */
} mmd_phys_limit;

typedef enum mmd_phys_drive_kind {
    MMD_DRIVE_LINEAR,     /* along one axis of A's frame */
    MMD_DRIVE_ANGULAR,    /* about one */
    MMD_DRIVE_POSE        /* T towards `target`, linear and angular (Ragdoll) */
} mmd_phys_drive_kind;

typedef struct mmd_phys_drive {
    uint8_t kind;
    uint8_t axis;      /* 0..2 */
    bool acceleration; /* gains are of acceleration: scaled by the effective mass */
    bool enabled;
    float position_target, velocity_target;
    float stiffness, damping;
    float angular_stiffness, angular_damping; /* of MMD_DRIVE_POSE; the two above are its linear ones */
    float max_force;   /* or torque; infinite: no bound */
    mmd_transform target;
} mmd_phys_drive;

typedef struct mmd_phys_joint {
    const char *name, *path;
    uint8_t kind;           /* mmd_phys_joint_kind */
    bool collide;           /* whether the two bodies collide (their filters still count) */
    bool disabled;
    int32_t body_a, body_b; /* -1: the world. Not both, and not the same */
    mmd_transform frame_a, frame_b; /* in the bodies' frames; of the world, in the world */
    mmd_pmx_joint pmx;
    float angular_size; /* of PMX's kinds: the square of how many times the model's size the scene has, which
                           springs against angles are for; 0: as the file has it */
    uint32_t first_limit, limit_count; /* runs of limits and drives; none: all axes free */
    uint32_t first_drive, drive_count;
} mmd_phys_joint;

/* ----------------------------------------------------------- soft bodies */

/* PMX 2.1's parameters are those of the file (mmd/model.h); the mesh is welded, so that seams hold. */

/* An anchored node stays where it is at rest, as seen from the body. */
typedef struct mmd_phys_soft_anchor {
    uint32_t node;
    int32_t body;
    bool near_mode; /* the two do not collide, so that cloth may begin inside of what holds it */
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
    const float (*nodes)[3]; /* at rest */
    uint32_t index_count;    /* three a triangle; two a rope's link */
    const uint32_t *indices;
    uint32_t anchor_count, pin_count;
    const mmd_phys_soft_anchor *anchors;
    const uint32_t *pins; /* nodes that follow their vertex's bones */
    uint32_t vertex_count;       /* of the model that it draws */
    const uint32_t *vertices;    /* which, ascending */
    const uint32_t *vertex_node; /* and the node of each */
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

/* A field that acts on what is inside of a trigger body (OMI_physics_gravity); higher priorities first. */
typedef struct mmd_phys_gravity {
    uint8_t kind;
    int32_t body; /* whose trigger shapes bound it and whose frame it lies in; -1: everywhere */
    int32_t priority;
    bool replace, stop; /* replaces what came before; ends the walk */
    float gravity;      /* units/s^2, negative: away */
    float direction[3];
    float unit_distance; /* where the strength is `gravity`; 0: the same everywhere */
    float radius;
    int32_t shape;           /* of MMD_GRAVITY_SHAPED */
    uint32_t point_count;    /* of lines */
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
 * The largest numbers that are simulated, of either sign. Greater ones are
 * finite, but a solver multiplies them with one another in single precision,
 * and what comes out is none.
 */
#define MMD_PHYS_LENGTH_MOST  1e9f  /* sizes, places, velocities: units, units/s, radians/s */
#define MMD_PHYS_MASS_MOST    1e12f /* masses, and what has no unit: friction, factors */
#define MMD_PHYS_INERTIA_MOST 1e30f /* kg units^2 */
#define MMD_PHYS_GAIN_MOST    1e30f /* limits and drives: stiffness, damping, targets */

/* Frees the arena. NULL is allowed. */
void mmd_physscene_destroy(mmd_physscene *scene);

/*
 * Checks a scene before it is simulated: every index and run in range, every
 * number finite and not above MMD_PHYS_LENGTH_MOST and its like, unit
 * quaternions, masses and sizes not negative, limits not reversed, no joint of
 * a body with itself or of the world with itself.
 * MMD_ERROR_VALUE or MMD_ERROR_INDEX with section "body", "shape", "joint",
 * "limit", … and a sentence that names the item and the number. What can be
 * simulated in spite of looking odd passes: mass 0, a size of 0, PMX limits
 * that are reversed (they mean a free axis).
 */
mmd_status mmd_physscene_check(const mmd_physscene *scene, mmd_error *error);

/* ------------------------------------------------------------ their shape */

enum { MMD_HULL_POINTS = 400 };

/*
 * The convex hull of count points as triangles whose normals (b - a) x (c - a)
 * point out: `indices` (for mmd_free) and their number, into points. Of more
 * than MMD_HULL_POINTS points those are used that lie farthest in as many
 * directions, so that the time is bounded. False: out of memory, or the points
 * lie in a plane.
 */
bool mmd_hull_triangles(const float (*points)[3], uint32_t count, uint32_t **indices, uint32_t *index_count);

/*
 * The edges of triangles, each once: pairs of indices into points, for
 * mmd_free, and their number. With sharp_only those are left out that lie
 * within a flat face. False: out of memory; there are none then.
 */
bool mmd_mesh_edges(const mmd_phys_mesh *mesh, bool sharp_only, uint32_t (**edges)[2], uint32_t *edge_count);

#ifdef __cplusplus
}
#endif

#endif
