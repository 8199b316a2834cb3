/*
 * What animators move instead of the bones that deform the surface: IK goals instead of legs, the arm instead
 * of its twist bones, both eyes instead of one, the head instead of hair that physics moves. It is worked out
 * from the model alone: display frames (表示枠), flags, append parents, IK links and rigid bodies, not from
 * names.
 *
 * A bone is offered to animators if it is visible, operable and in a display frame (in a model that has bones
 * in frames; IK goals need none). From the bone under a click these steps are repeated, until a bone is
 * offered and no step applies:
 *
 *   1. Physics moves it: to its parent.
 *   2. IK turns it, or pulls it to its goal: to the goal; of several to the one that carries the others.
 *   3. It is not offered: to the bone that it appends with a positive ratio, or else to its parent.
 *   4. It twists, with a fixed axis along the limb (捩): to its parent.
 *   5. It copies the rotation of a bone that deforms nothing, and lies at the same place (右足D), or has the
 *      same parent and is one of a mirrored pair (右目, but no finger): to that bone.
 *
 * Where this leads nowhere, the first bone on the way that is visible and operable is chosen, IK goals first,
 * and else the bone itself.
 */
#ifndef ODORI_CONTROLLER_H
#define ODORI_CONTROLLER_H

#include "mmd/edit.h"
#include "mmd/model.h"

struct odori_session;

/* What acts on a model at a frame. Both are indexed by bone. */
typedef struct controller_state {
    const uint8_t *ik_on;     /* the IK of this goal is on; NULL: that of all goals */
    const uint8_t *simulated; /* physics moves the bone; NULL: none */
} controller_state;

/* Chooses for each bone of a model the bone that a click on its surface selects. chosen has model->bone_count
 * elements. Returns false when out of memory. */
bool controller_choose(const mmd_model *model, const controller_state *state, uint32_t *chosen);

/* Returns the bone one level above a bone: the one chosen for its parent, or for the nearest ancestor for
 * which another bone is chosen. Returns the bone itself at the top. */
uint32_t controller_above(const mmd_model *model, const uint32_t *chosen, uint32_t bone);

typedef enum controller_kind {
    CONTROLLER_NONE,
    CONTROLLER_PHYSICS, /* physics moves the item; by is the nearest bone that carries it */
    CONTROLLER_IK,
    CONTROLLER_OUTSIDE, /* an outside parent (外部親), or the bone that a model is attached to */
    CONTROLLER_APPEND
} controller_kind;

/* Finds what else moves a bone of a model, apart from its parent and outside parents, and sets *by to the
 * bone to select in its stead. */
controller_kind controller_of_bone(const mmd_model *model, const controller_state *state,
                                   const uint32_t *chosen, uint32_t bone, uint32_t *by);

/* Finds what else moves an item of the session's scene at its frame: a bone, a rigid body or a model. Sets
 * *by to the item to select in its stead, which exists. */
controller_kind controller_find(struct odori_session *s, mmd_item item, mmd_item *by);

/* Sets *item to what a click on the surface of a bone selects. Leaves it unchanged when out of memory. */
void controller_replace(struct odori_session *s, mmd_item *item);

/* Sets *item to the bone one level above it; of a bone at the top, and of other parts of a model, to the
 * model. Returns false if there is nothing above it. */
bool controller_raise(struct odori_session *s, mmd_item *item);

/* Returns whether a bone is another one or above it, as controller_raise goes up. */
bool controller_is_above(struct odori_session *s, mmd_item above, mmd_item item);

#endif
