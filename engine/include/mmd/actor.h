/*
 * One dancer, and the stage they stand on. An actor couples a model, its
 * motions and its pose; the stage holds actors, camera and light, and a time.
 * Not for two threads at a time.
 */
#ifndef MMD_ACTOR_H
#define MMD_ACTOR_H

#include "mmd/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmd_actor mmd_actor;

/* model must outlive the actor. NULL options: the default. NULL: out of memory. */
mmd_actor *mmd_actor_create(const mmd_model *model, const mmd_pose_options *options);
void mmd_actor_destroy(mmd_actor *actor); /* NULL is allowed */

/* Adds a motion, which must outlive the actor; it overrides the bones, morphs and IK switches that it keys.
 * MMD_ERROR_MEMORY. */
mmd_status mmd_actor_add_motion(mmd_actor *actor, const mmd_motion *motion, mmd_error *error);

/*
 * Another motion takes the place of one of its motions, wherever that was
 * added; where it was not, nothing happens. The one replaced has to stay until
 * physics has settled (mmd_stage_settle) and the next frame is set. From the
 * caller's thread; takes effect with the next frame. MMD_ERROR_MEMORY, and it
 * plays what it played.
 */
mmd_status mmd_actor_replace_motion(mmd_actor *actor, const mmd_motion *motion, const mmd_motion *by,
                                    mmd_error *error);

/* Its motions' keys lie elsewhere in memory (mmd/keying.h): looks for them anew. Wait for physics
 * (mmd_stage_settle) before changing the motion. MMD_ERROR_MEMORY: it must not be played then. */
mmd_status mmd_actor_rebind(mmd_actor *actor, mmd_error *error);

/*
 * Sets its animations, in place of those set before: channels at frame / 30
 * seconds are the motion of their bones and the weights of their morphs, as
 * mmd_clip_animate says. Motions come on top of them, whenever they are added:
 * bones and morphs that a motion keys are the motion's alone. Not copied: they
 * must outlive the actor or the next set; those replaced have to stay until
 * physics has settled (mmd_stage_settle) and the next frame is set. From the
 * caller's thread; takes effect with the next frame, physics begins anew then.
 * MMD_ERROR_MEMORY, and it plays what it played.
 */
mmd_status mmd_actor_set_animations(mmd_actor *actor, const mmd_animation *animations, uint32_t count,
                                    mmd_error *error);

/* Evaluates a frame: a function of the frame and the settings alone, whatever was asked for before. */
void mmd_actor_set_frame(mmd_actor *actor, double frame);

const mmd_model *mmd_actor_model(const mmd_actor *actor);
mmd_pose *mmd_actor_pose(mmd_actor *actor);
bool mmd_actor_visible(const mmd_actor *actor); /* at the frame set last */

/* What motions and settings by hand say at the frame set last, before morphs are spread and bones evaluated.
 */
const mmd_pose_values *mmd_actor_values(const mmd_actor *actor);

/* Weight of a morph set by hand, in place of the motion's; a NaN gives it back to the motion. Takes effect
 * with the next frame set. */
void mmd_actor_set_morph(mmd_actor *actor, uint32_t morph, float weight);

/*
 * Materials that are not drawn, nor their edges and shadows, whatever motions
 * and morphs say: for looking at what lies behind them. material is below the
 * model's material_count. Counts from the next picture on.
 */
void mmd_actor_hide_material(mmd_actor *actor, uint32_t material, bool hidden);

/* By material, 1 where it is hidden; valid as long as the actor. */
const uint8_t *mmd_actor_hidden(const mmd_actor *actor);

/*
 * Its motions and animations begin so many frames later (negative: they have
 * begun already); until then it stands as at their first frame. Finite. From the
 * caller's thread; takes effect with the next frame, physics begins anew then.
 */
void mmd_actor_set_delay(mmd_actor *actor, double frames);
double mmd_actor_delay(const mmd_actor *actor);

/* The largest frame of its motions and animations, with its delay; those may end between frames. */
double mmd_actor_last_frame(const mmd_actor *actor);

typedef struct mmd_stage mmd_stage;

mmd_stage *mmd_stage_create(void);        /* NULL: out of memory */
void mmd_stage_destroy(mmd_stage *stage); /* leaves its actors alone; NULL is allowed */

/* Actors are drawn in the order they were added unless their staging says otherwise, and must outlive the
 * stage. They are staged by default, accessories without a ground shadow. MMD_ERROR_MEMORY. */
mmd_status mmd_stage_add_actor(mmd_stage *stage, mmd_actor *actor, mmd_error *error);
size_t mmd_stage_actor_count(const mmd_stage *stage);
mmd_actor *mmd_stage_actor(const mmd_stage *stage, size_t index);

/*
 * How an actor stands on the stage and how it is drawn there, beside its pose:
 * what MMD keeps of each model and accessory. The place is put on what was
 * skinned, the pose and its bones stay where they are; so it is meant for
 * accessories, which have one bone at rest (docs/mmd.md 1.6):
 *   world = place of the parent * its bone * translation * Rz Ry Rx * scale.
 */
typedef struct mmd_staging {
    bool visible;       /* false: not drawn, no shadow, whatever motions say */
    int32_t draw_order; /* lower ones are drawn first; equal ones in the order they were added */
    bool additive;      /* blending adds to what is there */
    bool self_shadow;   /* casts and receives self shadow, where materials say so */
    bool ground_shadow; /* casts one, where materials say so */
    float opacity;      /* 0..1: Tr of an accessory */
    float edge_scale;   /* of the width of its edges; 0: none */
    float position[3];
    float rotation[3]; /* radians */
    float scale;
    mmd_actor *parent;   /* what it is fixed to, at the pose that it has when the stage is drawn; NULL: the
                            world */
    int32_t parent_bone; /* its bone; -1: the world */
} mmd_staging;

/* Visible and opaque at the origin, in the order added, with shadows and edges as MMD. */
mmd_staging mmd_default_staging(void);

/* staging is copied; parent must outlive the stage or be taken out before it goes. index below
 * mmd_stage_actor_count; numbers are finite, parent_bone is one of parent's, or -1. Takes the place of keys.
 */
void mmd_stage_set_staging(mmd_stage *stage, size_t index, const mmd_staging *staging);

/* A staging from a frame on. */
typedef struct mmd_staging_key {
    uint32_t frame;
    mmd_staging staging;
} mmd_staging_key;

/*
 * Staging by keys, as MMD moves accessories: opacity is linear between them,
 * as are place, turn and size where both keys have one parent; all else is the
 * earlier key's. Before the first key that one counts. At least one key,
 * ascending by frame, which are not copied and must outlive the stage or the
 * next staging of the actor; each as mmd_stage_set_staging wants it.
 */
void mmd_stage_set_staging_keys(mmd_stage *stage, size_t index, const mmd_staging_key *keys, size_t count);
const mmd_staging *mmd_stage_staging(const mmd_stage *stage, size_t index);
bool mmd_stage_has_staging_keys(const mmd_stage *stage, size_t index);

/*
 * Outside parents (外部親): a bone hangs on a bone of another actor of the stage.
 * Its own world transform is multiplied with that bone's from the left (docs/mmd.md
 * 4.4), so that a bone which rests at the origin lands on the other one. What
 * counts is the parent's bone of the same frame as it is drawn, after physics,
 * where both actors stand; to physics, which is yet to come at a step, the one
 * that the step before left.
 */
enum { MMD_WHOLE_ACTOR = -1 }; /* in place of a bone: all that have no parent in the model */

typedef struct mmd_outside_key {
    uint32_t frame;
    mmd_actor *parent; /* from the frame on; NULL: none. One that is not on the stage is none */
    int32_t parent_bone;
} mmd_outside_key;

/*
 * Says a bone's outside parent: for good (NULL: none), or by keys (at least one,
 * ascending, copied; before the first that one counts). bone is one of the
 * actor's or MMD_WHOLE_ACTOR, of which a bone's own takes the place. Takes effect
 * with the next frame. From the caller's thread.
 *
 * MMD_ERROR_VALUE: the parent hangs on this actor itself, by outside parents or
 * by its place, at some frame; MMD_ERROR_MEMORY. All is as it was then.
 */
mmd_status mmd_stage_set_outside_parent(mmd_stage *stage, size_t index, int32_t bone, mmd_actor *parent,
                                        int32_t parent_bone, mmd_error *error);
mmd_status mmd_stage_set_outside_keys(mmd_stage *stage, size_t index, int32_t bone,
                                      const mmd_outside_key *keys, size_t count, mmd_error *error);

/* What was said of a bone, valid until something is said of the actor's; NULL and a count of 0: nothing. */
const mmd_outside_key *mmd_stage_outside_keys(const mmd_stage *stage, size_t index, int32_t bone,
                                              size_t *count);
bool mmd_stage_has_outside_parents(const mmd_stage *stage, size_t index);

/* Whether the actor is drawn at the stage's frame: its staging and its motions say so, and it is not quite
 * transparent. */
bool mmd_stage_actor_visible(const mmd_stage *stage, size_t index);

/* Column-major world matrix of the actor's place, by the poses and places of its parents as they stand; a
 * ring of parents is gone through once. False: the identity. */
bool mmd_stage_placement(const mmd_stage *stage, size_t index, float matrix[16]);

/* Indices of all actors in the order they are drawn; valid until an actor is added or staged. */
const uint32_t *mmd_stage_draw_order(const mmd_stage *stage);

/*
 * Camera, light and self shadow come from this motion where it has such keys
 * (later calls override earlier ones section by section); it must outlive the
 * stage.
 */
mmd_status mmd_stage_add_scene_motion(mmd_stage *stage, const mmd_motion *motion, mmd_error *error);

/* Another motion takes the place of one of those, which may go then; where it was not added, nothing happens.
 */
void mmd_stage_replace_scene_motion(mmd_stage *stage, const mmd_motion *motion, const mmd_motion *by);

/*
 * Whom the camera of one of those motions follows (at least one key, ascending
 * by frame, copied; before the first that one counts): the bone's place in the
 * world at the same frame, as it is drawn, is added to its target (docs/mmd.md 3.6).
 * Which bone does not fade from one key to the next. Counts wherever the
 * motion's camera does. NULL: it follows nobody. MMD_ERROR_MEMORY, and it
 * follows whom it followed.
 */
mmd_status mmd_stage_set_camera_follow(mmd_stage *stage, const mmd_motion *motion,
                                       const mmd_outside_key *keys, size_t count, mmd_error *error);

/* Whether the motions' camera follows a bone at the stage's frame, and what that adds to its target. */
bool mmd_stage_camera_follows(const mmd_stage *stage, float offset[3]);

/*
 * A picture, or one of a video, behind everything, as MMD's backgrounds are: its
 * top left corner and its size in pixels of a frame of width x height. In a
 * frame of another size it grows with the height, and stays in the middle where
 * the shapes differ, as what the camera sees does.
 */
struct mmd_image;
typedef struct mmd_background_picture {
    /* The picture at a frame (NULL: none); *version says which one, so that what was uploaded is used again.
     * It stays valid until the next call. Called while drawing, in that thread. */
    const struct mmd_image *(*picture)(void *user, double frame, uint64_t *version);
    void *user;
    float left, top, scale;
    uint32_t width, height; /* above 0 */
} mmd_background_picture;

enum { MMD_BACKGROUND_PICTURES_MAX = 2 };

/* Pictures behind the stage, the first one first: not copied, they must outlive the stage or the next set. */
void mmd_stage_set_background_pictures(mmd_stage *stage, const mmd_background_picture *pictures,
                                       uint32_t count);
const mmd_background_picture *mmd_stage_background_pictures(const mmd_stage *stage, uint32_t *count);

/* The camera where no motion says one and nobody sets one: MMD's (mmd_default_camera), until another is said.
 */
void mmd_stage_set_default_camera(mmd_stage *stage, const mmd_camera *camera);
const mmd_camera *mmd_stage_default_camera(const mmd_stage *stage);

/* A camera, a light's colour or direction by hand, in place of the motion's; NULL gives it back. */
void mmd_stage_set_camera(mmd_stage *stage, const mmd_camera *camera);
void mmd_stage_set_light_color(mmd_stage *stage, const float color[3]);
void mmd_stage_set_light_direction(mmd_stage *stage, const float direction[3]);

/* Which of them are by hand: NULL where the motion's, or the default, counts. Valid until the next change. */
const mmd_camera *mmd_stage_camera_by_hand(const mmd_stage *stage);
const float *mmd_stage_light_direction_by_hand(const mmd_stage *stage); /* 3 numbers */
const float *mmd_stage_light_color_by_hand(const mmd_stage *stage);     /* 3 numbers */

/*
 * So many threads beside the caller's share out the actors' poses (0: none, as
 * it begins); results never depend on it. Physics has its own
 * (mmd_physics_options). Each actor is on the stage once then. Without memory
 * for threads the caller's does it all. From the caller's thread.
 */
void mmd_stage_set_threads(mmd_stage *stage, uint32_t threads);

/* Goes to a frame: evaluates every actor, camera and light. */
void mmd_stage_set_frame(mmd_stage *stage, double frame);
double mmd_stage_frame(const mmd_stage *stage);
double mmd_stage_last_frame(const mmd_stage *stage);

const mmd_camera *mmd_stage_camera(const mmd_stage *stage);
const mmd_light *mmd_stage_light(const mmd_stage *stage);
const mmd_self_shadow *mmd_stage_self_shadow(const mmd_stage *stage);

#ifdef __cplusplus
}
#endif

#endif
