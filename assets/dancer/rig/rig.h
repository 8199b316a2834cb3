/* The skeleton under construction. Parts add their bones by name. A pair is defined once, for the left side
 * (左…, +X); the right bone is its mirror image. */
#ifndef DANCER_RIG_H
#define DANCER_RIG_H

#include "mmd/memory.h"
#include "mmd/model.h"
#include "vector.h"

enum { RIG_MAX = 400 };

/* Display frame that lists a bone. */
typedef enum rig_panel {
    PANEL_ROOT,
    PANEL_CENTER,
    PANEL_IK,
    PANEL_UPPER,
    PANEL_ARM,
    PANEL_FINGER,
    PANEL_LOWER,
    PANEL_HAIR,
    PANEL_CLOTHES,
    PANEL_NONE /* bones that users do not operate */
} rig_panel;

/* Properties of a bone besides rotation. */
enum rig_flag {
    RIG_MOVES = 0x01,      /* can be translated */
    RIG_HIDDEN = 0x02,     /* neither visible nor operable */
    RIG_FIXED_AXIS = 0x04, /* rotates about the direction of its tail */
    RIG_LOCAL_AXIS = 0x08, /* local X points to its tail */
    RIG_APPEND_ROTATION = 0x10,
    RIG_LATE = 0x20 /* on layer 1, after IK */
};

typedef struct rig_spec {
    const char *name, *name_en;
    const char *parent; /* NULL for none */
    vec3 position;
    const char *tail; /* a bone that may be added later; NULL to use tail_offset */
    vec3 tail_offset;
    unsigned flags;     /* rig_flag bits */
    const char *source; /* append source, with RIG_APPEND_ROTATION */
    float ratio;
    rig_panel panel;
} rig_spec;

/* A pair of bones between which the skin bends by SDEF, around `pivot`. */
typedef struct rig_joint {
    int32_t bone, child;
    vec3 pivot, axis; /* axis of the limb */
} rig_joint;

typedef struct rig {
    mmd_arena *arena;
    uint32_t count;
    mmd_bone bones[RIG_MAX];
    const char *tails[RIG_MAX]; /* tail names, resolved by rig_finish */
    uint8_t panels[RIG_MAX];
    int32_t mirror[RIG_MAX];
    uint32_t joint_count;
    rig_joint joints[16];
} rig;

/* Add a bone, or a bone and its mirror image right after it. Return the index of the (left) bone. */
int32_t rig_add(rig *r, const rig_spec *spec);
int32_t rig_add_pair(rig *r, const rig_spec *spec);

/* Return the name of the other side: 左 at the start or end becomes 右, _L at the end becomes _R. Other names
 * stay. */
const char *rig_right_name(rig *r, const char *name);
const char *rig_right_name_en(rig *r, const char *name);

/* Makes a bone an IK bone for `target` with `links` (from the target outward). Ends the program if a name is
 * unknown. */
void rig_set_ik(rig *r, const char *goal, const char *target, int loops, float limit,
                const mmd_ik_link *links, uint32_t link_count);

/* Returns the bone with this name. Ends the program if there is none. */
int32_t rig_find(const rig *r, const char *name);
/* Does the same for a bone of a pair by its name without 左 or 右 ("ひじ"): side 1 is left, -1 right. */
int32_t rig_side(const rig *r, int side, const char *name);
/* Returns the mirror image of a bone, which is the bone itself in the middle. */
int32_t rig_mirror(const rig *r, int32_t bone);
vec3 rig_at(const rig *r, const char *name);

/* Makes skin weighted to exactly these two bones bend by SDEF, on both sides of a pair. */
void rig_sdef(rig *r, const char *bone, const char *child);

/* Resolves tails. */
void rig_finish(rig *r);

/* Adds the semi-standard skeleton of the body (rig_body.c). */
void rig_body(rig *r);

/* Returns a point in the left arm's frame: `along` it from the shoulder, `up` across it, and z. */
vec3 rig_on_arm(float along, float up, float z);
/* Return how far along the arm a point is, and how far above its axis. */
float rig_along_arm(vec3 p);
float rig_across_arm(vec3 p);

#endif
