/*
 * The skeleton under construction. Parts add their bones by name; a pair is
 * written once, for the left side (左…, +X), and the right one is its mirror
 * image.
 */
#ifndef DANCER_RIG_H
#define DANCER_RIG_H

#include <cglm/struct.h>

#include "mmd/memory.h"
#include "mmd/model.h"

enum { RIG_MAX = 400 };

/* Which group of bones a user finds it under. */
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
    PANEL_NONE /* bones that nobody is to touch */
} rig_panel;

/* What a bone is for, beyond turning. */
enum rig_flag {
    RIG_MOVES = 0x01,      /* may be translated */
    RIG_HIDDEN = 0x02,     /* neither seen nor operated */
    RIG_FIXED_AXIS = 0x04, /* turns about the direction of its tail */
    RIG_LOCAL_AXIS = 0x08, /* local X along its tail */
    RIG_APPEND_ROTATION = 0x10,
    RIG_LATE = 0x20 /* layer 1: after IK */
};

typedef struct rig_spec {
    const char *name, *name_en;
    const char *parent; /* NULL: none */
    vec3s position;
    const char *tail; /* a bone that may be added later; NULL: tail_offset */
    vec3s tail_offset;
    unsigned flags;     /* rig_flag */
    const char *source; /* with RIG_APPEND_ROTATION */
    float ratio;
    rig_panel panel;
} rig_spec;

/* A pair of bones between which skin bends by SDEF, around `pivot`. */
typedef struct rig_joint {
    int32_t bone, child;
    vec3s pivot, axis; /* axis: along the limb */
} rig_joint;

typedef struct rig {
    mmd_arena *arena;
    uint32_t count;
    mmd_bone bones[RIG_MAX];
    const char *tails[RIG_MAX]; /* resolved by rig_finish */
    uint8_t panels[RIG_MAX];
    int32_t mirror[RIG_MAX];
    uint32_t joint_count;
    rig_joint joints[16];
} rig;

/* Adds one bone, or with rig_add_pair the bone and its mirror image (right after it). The index of the (left)
 * bone. */
int32_t rig_add(rig *r, const rig_spec *spec);
int32_t rig_add_pair(rig *r, const rig_spec *spec);

/* The other side's name: 左 at the start or the end becomes 右, _L at the end _R. Names without stay. */
const char *rig_right_name(rig *r, const char *name);
const char *rig_right_name_en(rig *r, const char *name);

/* Makes a bone an IK goal for `target` through `links` (from the target outward). Ends the program on unknown
 * names. */
void rig_set_ik(rig *r, const char *goal, const char *target, int loops, float limit,
                const mmd_ik_link *links, uint32_t link_count);

/* The bone of this name; the program ends if there is none. */
int32_t rig_find(const rig *r, const char *name);
/* The same for a pair's left name (without its 左: "ひじ"), side 1 left, -1 right. */
int32_t rig_side(const rig *r, int side, const char *name);
/* Its mirror image: itself in the middle. */
int32_t rig_mirror(const rig *r, int32_t bone);
vec3s rig_at(const rig *r, const char *name);

/* Skin weighted to just these two bones bends by SDEF. Both sides of a pair. */
void rig_sdef(rig *r, const char *bone, const char *child);

/* Resolves tails. */
void rig_finish(rig *r);

/* The semi-standard skeleton of the body (rig_body.c). */
void rig_body(rig *r);

/* The left arm's frame: a point `along` it from the shoulder, `up` across it, at z. */
vec3s rig_on_arm(float along, float up, float z);
/* How far along the arm a point is, and how far above its axis. */
float rig_along_arm(vec3s p);
float rig_across_arm(vec3s p);

#endif
