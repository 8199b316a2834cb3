/*
 * Actors and the stage. An actor couples a model with its motions, its animations and its pose. The stage
 * holds the actors, the camera, the light and the current frame. Frames are 1/30 s and may be fractional.
 *
 * Actors and stages may be used by one thread at a time.
 */
#ifndef MMD_ACTOR_H
#define MMD_ACTOR_H

#include "mmd/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmd_actor mmd_actor;

/* Creates an actor. model must outlive it. Returns NULL when out of memory. */
mmd_actor *mmd_actor_create(const mmd_model *model);
void mmd_actor_destroy(mmd_actor *actor); /* NULL is allowed */

/* Adds a motion, which must outlive the actor. It overrides earlier motions in the bones, morphs and IK
 * switches that it has keys for. Fails with MMD_ERROR_MEMORY. */
mmd_status mmd_actor_add_motion(mmd_actor *actor, const mmd_motion *motion, mmd_error *error);

/*
 * Replaces one of the actor's motions by another in the same place, with its weight. Does nothing if `motion`
 * was not added, or fades out. The old motion must stay alive until physics has settled (mmd_stage_settle)
 * and the next frame has been set. Takes effect with the next frame. Fails with MMD_ERROR_MEMORY; the actor
 * then keeps playing the old motion.
 */
mmd_status mmd_actor_replace_motion(mmd_actor *actor, const mmd_motion *motion, const mmd_motion *by,
                                    mmd_error *error);

/* One of an actor's motions. */
typedef struct mmd_actor_motion {
    const mmd_motion *motion;
    float weight;   /* 0..1; at first 1 */
    bool fades_out; /* it was danced before: mmd_actor_fade_out */
    mmd_fade fade;  /* of a motion that fades out */
} mmd_actor_motion;

/* Returns the actor's motions in the order in which they were added, which is that of their indices below.
 * Valid until motions are added or mmd_actor_end_fades. */
const mmd_actor_motion *mmd_actor_motions(const mmd_actor *actor, size_t *count);

/*
 * Sets the weight of a motion, 0 to 1, as described at mmd_clip_create_weighted: 1 overrides the motions
 * below it as ever, and with 0 it is as if it had not been added. Takes effect with the next frame, where
 * physics starts again from frame 0. Fails with MMD_ERROR_MEMORY; nothing has changed then.
 */
mmd_status mmd_actor_set_weight(mmd_actor *actor, size_t index, float weight, mmd_error *error);

/*
 * Makes a motion what the actor danced before, which its other motions replace during a fade. At frame f of
 * the stage (without the actor's delay) such motions are sampled at f + fade->ahead, those with equal fades
 * together and with their weights, over the actor's animations; the result is mixed by mmd_pose_values_mix
 * with what follows, by mmd_fade_weight. What follows is the dance of the next fade in the order of adding,
 * or else the actor's other motions. A bone turns along the shorter arc of the middle of the fade and stays
 * on that side, even where the two dances are more than half a turn apart for a while. Thus poses are still
 * functions of the frame, and seeking equals playing. Of more than four dances the latest count. Morphs and
 * bones set by hand are not faded. The last frame of the actor is not before the fade's end. Takes effect
 * with the next frame, where physics starts again from frame 0 (mmd_stage_start_body lets it go on). Fails
 * with MMD_ERROR_MEMORY; nothing has changed then.
 */
mmd_status mmd_actor_fade_out(mmd_actor *actor, size_t index, const mmd_fade *fade, mmd_error *error);

/* Removes all motions that fade out. They must stay alive until physics has settled (mmd_stage_settle) and
 * the next frame has been set. Fails with MMD_ERROR_MEMORY; nothing has changed then. */
mmd_status mmd_actor_end_fades(mmd_actor *actor, mmd_error *error);
/* Replaces all motions of an actor by those of another one, and takes over its delay. Old motions must stay
 * alive as for mmd_actor_replace_motion. Fails with MMD_ERROR_MEMORY; the actor then keeps its own. */
mmd_status mmd_actor_take_motions(mmd_actor *actor, const mmd_actor *from, mmd_error *error);

/*
 * Looks up the keys of the actor's motions again, after editing has moved them in memory (mmd/keying.h). Call
 * mmd_stage_settle before changing the motion. Fails with MMD_ERROR_MEMORY; the actor must not be played
 * then.
 */
mmd_status mmd_actor_rebind(mmd_actor *actor, mmd_error *error);

/*
 * Replaces the actor's animations. At frame f, channels are sampled at f / 30 seconds and drive bones and
 * morphs as described at mmd_clip_animate. A bone or morph that a motion has keys for is driven by that
 * motion alone, whichever was added first. The animations are not copied and must outlive the actor or the
 * next call. Replaced ones must stay alive until physics has settled (mmd_stage_settle) and the next frame
 * has been set. Takes effect with the next frame, where physics starts again from frame 0. Fails with
 * MMD_ERROR_MEMORY; the actor then keeps its old animations.
 */
mmd_status mmd_actor_set_animations(mmd_actor *actor, const mmd_animation *animations, uint32_t count,
                                    mmd_error *error);

/* Evaluates the pose at a frame. The result depends on the frame and the settings only, not on earlier
 * frames. */
void mmd_actor_set_frame(mmd_actor *actor, double frame);

/* Return the actor's model, its pose (owned by the actor) and its visibility. */
const mmd_model *mmd_actor_model(const mmd_actor *actor);
mmd_pose *mmd_actor_pose(mmd_actor *actor);
bool mmd_actor_visible(const mmd_actor *actor); /* visibility by motion keys at the current frame */

/* Returns the values of motions and of settings by hand at the current frame, before group morphs are spread
 * and bones are evaluated. Valid as long as the actor. */
const mmd_pose_values *mmd_actor_values(const mmd_actor *actor);

/* Sets the weight of a morph by hand, overriding the motion. NaN returns control to the motion. Takes effect
 * with the next frame. */
void mmd_actor_set_morph(mmd_actor *actor, uint32_t morph, float weight);

/* Returns the weight of each morph that was set by hand, NaN where the motions decide. Valid as long as the
 * actor. */
const float *mmd_actor_morphs_by_hand(const mmd_actor *actor);

/*
 * Hides or shows a material: its surface, edge and shadows, whatever motions and morphs say. For viewing what
 * lies behind it. material is less than the model's material_count. Takes effect with the next picture.
 */
void mmd_actor_hide_material(mmd_actor *actor, uint32_t material, bool hidden);

/* Returns one byte per material, 1 where it is hidden. Valid as long as the actor. */
const uint8_t *mmd_actor_hidden(const mmd_actor *actor);

/*
 * Delays the actor's motions and animations by a finite number of frames (negative: starts them earlier).
 * Before the start the actor holds their first frame. Takes effect with the next frame, where physics starts
 * again from frame 0.
 */
void mmd_actor_set_delay(mmd_actor *actor, double frames);
double mmd_actor_delay(const mmd_actor *actor);

/* Returns the last frame of the actor's motions and animations, including its delay. Animations may end
 * between two whole frames. */
double mmd_actor_last_frame(const mmd_actor *actor);

typedef struct mmd_stage mmd_stage;

mmd_stage *mmd_stage_create(void);        /* NULL when out of memory */
void mmd_stage_destroy(mmd_stage *stage); /* does not destroy its actors; NULL is allowed */

/*
 * Adds an actor, which must outlive the stage, with mmd_default_staging (accessories without a ground
 * shadow). Actors are drawn in the order they were added unless their draw_order differs. Fails with
 * MMD_ERROR_MEMORY.
 */
mmd_status mmd_stage_add_actor(mmd_stage *stage, mmd_actor *actor, mmd_error *error);
size_t mmd_stage_actor_count(const mmd_stage *stage);
mmd_actor *mmd_stage_actor(const mmd_stage *stage, size_t index);

/*
 * Takes an actor off the stage, or puts it back. One that is off keeps its index and all its settings, but
 * the stage is as if it had never been added: it is neither evaluated nor drawn, has no physics, and what is
 * attached to it is attached to nothing. Takes effect with the next frame, where physics starts again from
 * frame 0 unless it was put back by then.
 */
void mmd_stage_set_present(mmd_stage *stage, size_t index, bool present);
bool mmd_stage_is_present(const mmd_stage *stage, size_t index); /* true for added actors */

/*
 * Sets the place of an actor among those with the same draw_order, and in the order in which a shared world
 * of physics has its bodies: that of another index, behind the actor of that index. At first the place of
 * each actor is its own index. Takes effect like mmd_stage_set_present.
 */
void mmd_stage_set_place(mmd_stage *stage, size_t index, size_t place);
size_t mmd_stage_place(const mmd_stage *stage, size_t index);

/* Sets the name by which users know an actor, which is copied, instead of its model's name; NULL returns to
 * that. Fails with MMD_ERROR_MEMORY. mmd_stage_name returns the name, valid until it is set again. */
mmd_status mmd_stage_set_name(mmd_stage *stage, size_t index, const char *name, mmd_error *error);
const char *mmd_stage_name(const mmd_stage *stage, size_t index);

/*
 * Placement and drawing settings of an actor on the stage, as MMD stores them per model and accessory. The
 * placement is applied to the skinned vertices. The pose and its bones do not move. It is therefore meant for
 * accessories, which have one bone at rest (docs/mmd.md 1.6):
 *   world = placement of the parent * parent bone * translation * Rz Ry Rx * scale
 */
typedef struct mmd_staging {
    bool visible;       /* false: neither the actor nor its shadows are drawn, whatever motions say */
    int32_t draw_order; /* ascending; actors with equal numbers are drawn in the order they were added */
    bool additive;      /* additive blending */
    bool self_shadow;   /* casts and receives self shadow, for materials that do */
    bool ground_shadow; /* casts a ground shadow, for materials that do */
    float opacity;      /* 0..1; MMD's Tr of an accessory */
    float edge_scale;   /* factor of the edge width; 0: no edges */
    float position[3];
    float rotation[3]; /* radians */
    float scale;
    mmd_actor *parent;   /* actor that this one is attached to, in the pose it has when the stage is drawn;
                            NULL: the world */
    int32_t parent_bone; /* bone of parent; -1: the world */
} mmd_staging;

/* Returns the default: visible and opaque at the origin, in the order of adding, with MMD's shadows and
 * edges. */
mmd_staging mmd_default_staging(void);

/*
 * Sets an actor's staging, replacing staging keys. staging is copied. Its parent must outlive the stage or be
 * removed from it first. index is less than mmd_stage_actor_count. All numbers must be finite, parent_bone a
 * bone of parent or -1.
 */
void mmd_stage_set_staging(mmd_stage *stage, size_t index, const mmd_staging *staging);

/* A staging keyframe. */
typedef struct mmd_staging_key {
    uint32_t frame;
    mmd_staging staging;
} mmd_staging_key;

/*
 * Sets an actor's staging keyframes, as MMD animates accessories. Opacity is interpolated linearly, and so
 * are position, rotation and scale if both keys have the same parent. All other values hold from their key
 * until the next. Before the first key the first key applies. keys has at least one element, ascending by
 * frame, each valid for mmd_stage_set_staging. They are not copied and must outlive the stage or the actor's
 * next staging.
 */
void mmd_stage_set_staging_keys(mmd_stage *stage, size_t index, const mmd_staging_key *keys, size_t count);

/*
 * Shows or hides an actor by hand and keeps the rest of its staging. An actor with staging keys is hidden at
 * all frames, or visible where its keys say so; without keys this sets `visible` of its staging. Setting a
 * staging or its keys shows it again.
 */
void mmd_stage_set_visible(mmd_stage *stage, size_t index, bool visible);

/* Returns whether an actor was hidden by mmd_stage_set_visible or by its staging, if that has no keys. */
bool mmd_stage_is_hidden(const mmd_stage *stage, size_t index);

/* Values of a staging that can be set by hand: opacity, draw order, additive, both shadows, parent and its
 * bone. */
enum {
    MMD_STAGED_OPACITY = 1,
    MMD_STAGED_ORDER = 2,
    MMD_STAGED_ADDITIVE = 4,
    MMD_STAGED_SHADOWS = 8,
    MMD_STAGED_PARENT = 16
};

/*
 * Sets such values (bits of `what`). An actor with staging keys has them at all frames, and everything else
 * as its keys say; mmd_stage_set_staging_keys gives them back to the keys. mmd_stage_staged_by_hand returns
 * the bits of an actor with keys.
 */
void mmd_stage_set_staged(mmd_stage *stage, size_t index, uint32_t what, const mmd_staging *staging);
uint32_t mmd_stage_staged_by_hand(const mmd_stage *stage, size_t index);

const mmd_staging *mmd_stage_staging(const mmd_stage *stage, size_t index);
bool mmd_stage_has_staging_keys(const mmd_stage *stage, size_t index);

/*
 * Outside parents (外部親) attach a bone to a bone of another actor. The bone's own world transform is
 * multiplied from the left with that of the parent bone (docs/mmd.md 4.4), so a bone that rests at the origin
 * lands on the parent bone. Drawing uses the parent bone of the same frame, after physics, with both actors'
 * placements. A physics step uses the parent bone as the step before left it.
 */
enum { MMD_WHOLE_ACTOR = -1 }; /* instead of a bone: applies to all bones without a parent in the model */

typedef struct mmd_outside_key {
    uint32_t frame;
    mmd_actor *parent; /* from this frame on; NULL, or an actor that is not on the stage: none */
    int32_t parent_bone;
} mmd_outside_key;

/*
 * Sets a bone's outside parent: a constant one (parent NULL: none), or by keys (at least one, ascending by
 * frame, copied; before the first key the first key applies). bone is a bone of the actor or MMD_WHOLE_ACTOR.
 * A bone's own outside parent has priority over that of MMD_WHOLE_ACTOR. Takes effect with the next frame.
 *
 * Fails with MMD_ERROR_VALUE if the parent itself is attached to this actor at some frame, by outside parents
 * or by its placement, and with MMD_ERROR_MEMORY. Nothing is changed then.
 */
mmd_status mmd_stage_set_outside_parent(mmd_stage *stage, size_t index, int32_t bone, mmd_actor *parent,
                                        int32_t parent_bone, mmd_error *error);
mmd_status mmd_stage_set_outside_keys(mmd_stage *stage, size_t index, int32_t bone,
                                      const mmd_outside_key *keys, size_t count, mmd_error *error);

/* Returns the outside parent keys of a bone, or NULL with *count 0 if it has none. Valid until outside
 * parents of this actor are set again. */
const mmd_outside_key *mmd_stage_outside_keys(const mmd_stage *stage, size_t index, int32_t bone,
                                              size_t *count);
bool mmd_stage_has_outside_parents(const mmd_stage *stage, size_t index);

/* Returns whether the actor is drawn at the stage's frame: its staging and its motions make it visible, and
 * its opacity is above 0. */
bool mmd_stage_actor_visible(const mmd_stage *stage, size_t index);

/* Computes the column-major world matrix of the actor's placement from the current poses and placements of
 * its parents. Each parent in a cycle is visited once. Returns false if the matrix is the identity. */
bool mmd_stage_placement(const mmd_stage *stage, size_t index, float matrix[16]);

/* Returns the indices of all actors in drawing order. Valid until an actor is added or its staging is set. */
const uint32_t *mmd_stage_draw_order(const mmd_stage *stage);

/*
 * Adds a motion for camera, light and self shadow. It must outlive the stage. Each of the three comes from
 * the last added motion that has keys for it. Fails with MMD_ERROR_MEMORY.
 */
mmd_status mmd_stage_add_scene_motion(mmd_stage *stage, const mmd_motion *motion, mmd_error *error);

/* Replaces a scene motion by another. The old one may be destroyed afterwards. Does nothing if `motion` was
 * not added. */
void mmd_stage_replace_scene_motion(mmd_stage *stage, const mmd_motion *motion, const mmd_motion *by);

/* Removes a scene motion; of one that was added several times, what was added last. Does nothing if it was
 * not added. */
void mmd_stage_remove_scene_motion(mmd_stage *stage, const mmd_motion *motion);

/* Returns the scene motions in the order in which they were added. Valid until the next change of them. */
const mmd_motion *const *mmd_stage_scene_motions(const mmd_stage *stage, size_t *count);

/*
 * Sets the bone that the camera of a scene motion follows, by keys (at least one, ascending by frame, copied;
 * before the first key the first key applies). The position of the camera is then that of the eye
 * from the bone, as drawn at the same frame, in the camera's axes, which turn with the bone; its distance has
 * no effect (docs/mmd.md 3.6). There is no blending between the bones of two keys. Applies while the stage
 * takes its camera from this motion. keys NULL: the camera follows nothing. Fails with MMD_ERROR_MEMORY and
 * keeps the old keys.
 */
mmd_status mmd_stage_set_camera_follow(mmd_stage *stage, const mmd_motion *motion,
                                       const mmd_outside_key *keys, size_t count, mmd_error *error);

/* Returns whether the camera of the motions follows a bone at the stage's frame, and the place of that bone.
 */
bool mmd_stage_camera_follows(const mmd_stage *stage, float offset[3]);

/*
 * A picture or video frame behind everything, as MMD's backgrounds (docs/mmd.md 6.11). Position and scale are
 * in pixels of a frame of width x height that is 1280 wide; in a narrower one, they shrink with its width. In
 * a frame of another size the picture scales with the height and stays centred horizontally, as the camera's
 * view does.
 */
struct mmd_image;
typedef struct mmd_background_picture {
    /*
     * Returns the picture at a frame, or NULL for none, valid until the next call. Sets *version to a number
     * that changes with the picture, so that an uploaded texture can be reused. Called on the drawing thread.
     */
    const struct mmd_image *(*picture)(void *user, double frame, uint64_t *version);
    void *user;
    float left, top, scale;
    uint32_t width, height; /* above 0 */
} mmd_background_picture;

enum { MMD_BACKGROUND_PICTURES_MAX = 2 };

/* Sets the pictures behind the stage; the first one is drawn first. They are not copied and must outlive the
 * stage or the next call. count is at most MMD_BACKGROUND_PICTURES_MAX. */
void mmd_stage_set_background_pictures(mmd_stage *stage, const mmd_background_picture *pictures,
                                       uint32_t count);
const mmd_background_picture *mmd_stage_background_pictures(const mmd_stage *stage, uint32_t *count);

/* Sets the camera that is used when neither a motion nor mmd_stage_set_camera provides one. At first it is
 * mmd_default_camera. */
void mmd_stage_set_default_camera(mmd_stage *stage, const mmd_camera *camera);
const mmd_camera *mmd_stage_default_camera(const mmd_stage *stage);

/* Set the camera, the light's colour or the light's direction by hand, overriding motions. NULL returns
 * control to the motions. */
void mmd_stage_set_camera(mmd_stage *stage, const mmd_camera *camera);
void mmd_stage_set_light_color(mmd_stage *stage, const float color[3]);
void mmd_stage_set_light_direction(mmd_stage *stage, const float direction[3]);

/*
 * Return what was set by hand, or NULL while the motions or the defaults apply. Valid until the next change.
 */
const mmd_camera *mmd_stage_camera_by_hand(const mmd_stage *stage);
const float *mmd_stage_light_direction_by_hand(const mmd_stage *stage); /* 3 numbers */
const float *mmd_stage_light_color_by_hand(const mmd_stage *stage);     /* 3 numbers */

/*
 * Sets how many threads, besides the caller's, evaluate the actors' poses. 0, the default, means none.
 * Results do not depend on it. Physics has threads of its own (mmd_physics_options). With threads, no actor
 * may be on the stage twice. If threads cannot be created, the caller's thread does all the work.
 */
void mmd_stage_set_threads(mmd_stage *stage, uint32_t threads);

/* Moves to a frame and evaluates every actor, the camera and the light. */
void mmd_stage_set_frame(mmd_stage *stage, double frame);
double mmd_stage_frame(const mmd_stage *stage);
double mmd_stage_last_frame(const mmd_stage *stage);

/* Return camera, light and self shadow at the stage's frame. Valid until the next frame. */
const mmd_camera *mmd_stage_camera(const mmd_stage *stage);
const mmd_light *mmd_stage_light(const mmd_stage *stage);
const mmd_self_shadow *mmd_stage_self_shadow(const mmd_stage *stage);

#ifdef __cplusplus
}
#endif

#endif
