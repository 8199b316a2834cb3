/*
 * Editing of transforms: scene items with stacks of transform ops, interface objects that read and edit them,
 * a chain of handlers that creates these objects, and commands with undo. The semantics are those of
 * Autodesk's Universal Front End (docs/formats.md 6): each op of a stack can be edited as an object, the
 * handlers decide which op an edit applies to, and single handlers or the whole chain can be replaced at run
 * time.
 *
 * An edit may be used by one thread at a time, the stage's. Matrices are column-major for column vectors in
 * MMD's space. Angles are degrees, applied about X, then Y, then Z (the matrix is Rz Ry Rx). Bones are single
 * precision, so a value that is read back is rounded to float.
 *
 * Every write waits for the stage's physics (mmd_stage_settle). The first matrix that is read after it
 * evaluates the stage again at its frame.
 */
#ifndef MMD_EDIT_H
#define MMD_EDIT_H

#include "mmd/actor.h"
#include "mmd/keying.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmd_edit mmd_edit;

/* ----------------------------------------------------------------- items */

typedef enum mmd_item_kind {
    MMD_ITEM_NONE = 0,
    MMD_ITEM_STAGE,    /* the root of all other items; has no ops */
    MMD_ITEM_MODEL,    /* an actor's placement on the stage */
    MMD_ITEM_BONE,     /* bone of an actor */
    MMD_ITEM_BODY,     /* body of an actor: its rest transform, where the simulation starts */
    MMD_ITEM_JOINT,    /* joint of an actor: its rest transform */
    MMD_ITEM_CAMERA,   /* target and rotation */
    MMD_ITEM_LIGHT,    /* direction, as a translation */
    MMD_ITEM_NODE,     /* item of the edit only, with any stack of ops */
    MMD_ITEM_MORPH,    /* morph of an actor: no ops, only keys */
    MMD_ITEM_SWITCHES, /* visibility and IK switches of an actor (表示・IK): no ops, only keys */
    MMD_ITEM_SHADOW,   /* self shadow: no ops, only keys */
    MMD_ITEM_KINDS
} mmd_item_kind;

/* A scene item. Zeroed: none. Compare items with mmd_item_equal. */
typedef struct mmd_item {
    uint32_t kind;  /* mmd_item_kind */
    uint32_t model; /* of a model and its parts: index of the actor on the stage; otherwise 0 */
    uint32_t index; /* index of a bone, body, joint or morph in its model, or of a node; otherwise 0 */
} mmd_item;

bool mmd_item_equal(mmd_item a, mmd_item b);

/*
 * Paths: "/" is the stage; others are "/camera", "/light", "/shadow", "/models/NAME",
 * "/models/NAME/switches", "/models/NAME/bones/NAME" (also bodies, joints, morphs) and "/nodes/NAME/NAME…".
 * "#7" instead of a name is an index from 0. Of several items with one name the first is meant. In names `%`,
 * `/`, control characters and a leading `#` are written as %25, %2F and so on.
 *
 * mmd_edit_find returns the item of a path, with kind MMD_ITEM_NONE if there is none. mmd_edit_path writes
 * the path of an item, cut to capacity and NUL-terminated, and returns its whole length. mmd_edit_find finds
 * the item by it again.
 */
mmd_item mmd_edit_find(mmd_edit *edit, const char *path);
size_t mmd_edit_path(mmd_edit *edit, mmd_item item, char *text, size_t capacity);

/*
 * How a language names items, by mmd_item_kind (MMD_ITEM_NONE: an item that is not there). {name} is replaced
 * by the item's name and {model} by that of its model. same_name is for a model without a name of its own;
 * there {n} is its number on the stage, from 1, and {nth} that number as an English ordinal.
 */
typedef struct mmd_item_texts {
    const char *items[MMD_ITEM_KINDS];
    const char *same_name;
} mmd_item_texts;

/*
 * Writes an item as users know it ("右腕捩 of 初音ミク", "camera"), for messages. An index is added to a name
 * that an earlier item of the kind has, and replaces an empty name. texts NULL: English. Writes as much as
 * fits with a NUL at the end and returns the whole length in bytes.
 */
size_t mmd_edit_describe(const mmd_edit *edit, mmd_item item, const mmd_item_texts *texts, char *text,
                         size_t capacity);

/* Returns whether the item exists now. */
bool mmd_edit_has(const mmd_edit *edit, mmd_item item);

/* Returns the item's parent; kind MMD_ITEM_NONE for the stage. */
mmd_item mmd_edit_parent(const mmd_edit *edit, mmd_item item);

/* ------------------------------------------------------------------- ops */

typedef enum mmd_op_kind {
    MMD_OP_TRANSLATE,       /* 3 numbers */
    MMD_OP_ROTATE,          /* 3 numbers: degrees about X, then Y, then Z */
    MMD_OP_ORIENT,          /* 4 numbers: unit quaternion x y z w */
    MMD_OP_CAMERA_ROTATION, /* 3 numbers: a camera's angles in degrees, Ry(-y) Rx(-x) Rz(-z) */
    MMD_OP_SCALE,           /* 3 */
    MMD_OP_MATRIX           /* 16 */
} mmd_op_kind;

enum { MMD_OP_NAME_MAX = 40, MMD_OPS_MAX = 32, MMD_OP_NUMBERS_MAX = 16 };

/* A transform op. Zeroed except for kind and name, it is a translation by zero; see mmd_op_make. */
typedef struct mmd_op {
    uint8_t kind;   /* mmd_op_kind */
    bool inverse;   /* the inverse of the matrix applies; its value is shared with the op of the same name */
    bool read_only; /* set by motions, IK or physics, not editable */
    char name[MMD_OP_NAME_MAX];
    double value[MMD_OP_NUMBERS_MAX];
} mmd_op;

/* Returns how many numbers ops of this kind have. */
int mmd_op_numbers(mmd_op_kind kind);

/* Returns an identity op. name is cut at MMD_OP_NAME_MAX - 1 bytes. */
mmd_op mmd_op_make(mmd_op_kind kind, const char *name);

/* Computes the op's matrix, inverted for an inverse op. */
void mmd_op_matrix(const mmd_op *op, double matrix[16]);

/*
 * Writes the op stack of an item and returns its length. The outermost op comes first: point in the parent =
 * op 0 * op 1 * … * point. ops has space for MMD_OPS_MAX.
 *
 * Bones (docs/formats.md 6): rest, motion:translate, user:translate, morph:translate, append:translate, ik,
 * morph:rotate, motion:rotate, user:rotate, append:rotate. Nodes of a glTF also have user:scale (between two
 * node:axes rotations if the node is rotated at rest) and, if animations scale them, motion:scale. A bone
 * that physics moves has a matrix `physics` that makes the product equal the simulated transform. Only the
 * user ops are writable; a scale is from 0.001 to 1000. Models: translate, rotate, scale (uniform), and
 * pivots if edits created some. Cameras: translate (the target), rotate, distance. Lights: translate (the
 * direction). Bodies: translate, rotate, scale. Joints: translate, rotate. Editing a body or a joint restarts
 * physics from frame 0.
 */
size_t mmd_edit_ops(mmd_edit *edit, mmd_item item, mmd_op ops[MMD_OPS_MAX]);

/* Sets an op's value immediately, without undo. Returns false if there is no such op, it is read-only, or a
 * number is not finite or out of the item's range. */
bool mmd_edit_write_op(mmd_edit *edit, mmd_item item, const char *name, const double *value);

/*
 * Compute matrices of an item. local is the product of its ops. exclusive is the inclusive matrix of its
 * parent (for a bone with an external parent, that parent's matrix times its parent's). inclusive is
 * exclusive * local, the item's world transform.
 */
void mmd_edit_local(mmd_edit *edit, mmd_item item, double matrix[16]);
void mmd_edit_exclusive(mmd_edit *edit, mmd_item item, double matrix[16]);
void mmd_edit_inclusive(mmd_edit *edit, mmd_item item, double matrix[16]);

/* -------------------------------------------------------------- commands */

typedef struct mmd_command mmd_command;
struct mmd_edit_map;

/*
 * Functions of a kind of command. self is the memory that mmd_command_create allocated. All functions except
 * destroy, bytes and remap are required.
 */
typedef struct mmd_command_table {
    const char *label; /* shown to users: "rotate" */
    /*
     * Sets absolute values (3 or 16 numbers, depending on the function that created the command). The first
     * call saves the old state and creates what is missing; later calls only replace the value. values NULL:
     * those the command was created with, or those set last. Returns false if refused; nothing is changed
     * then.
     */
    bool (*set)(void *self, mmd_edit *edit, const double *values);
    void (*undo)(void *self, mmd_edit *edit); /* reverts set; only called after a set */
    bool (*redo)(void *self, mmd_edit *edit); /* only called after an undo */
    void (*destroy)(void *self);
    size_t (*bytes)(const void *self); /* memory used in addition to self */
    /* Translates the command, which is undone, to the edit's new stage (mmd_edit_move). Returns false if it
     * cannot; the command is then dropped, as when remap is NULL. */
    bool (*remap)(void *self, mmd_edit *edit, const struct mmd_edit_map *map);
} mmd_command_table;

/* Creates a command with size bytes of zeroed memory, aligned as by mmd_alloc. table must outlive it. Returns
 * NULL when out of memory. */
mmd_command *mmd_command_create(const mmd_command_table *table, size_t size);
void mmd_command_destroy(mmd_command *command); /* must not be in a history; NULL is allowed */
void *mmd_command_self(mmd_command *command);
const char *mmd_command_label(const mmd_command *command);

/*
 * Sets the command's values; values NULL uses those it was created with. Creating a command changes nothing.
 * A drag sets its command many times and remains one undo step. Returns false if refused.
 */
bool mmd_command_set(mmd_edit *edit, mmd_command *command, const double *values);

/* Restores the old value and removes what was created. Does nothing before the first set or when called
 * twice. */
void mmd_command_undo(mmd_edit *edit, mmd_command *command);
/* Repeats what was undone. Returns false if nothing was undone, or if refused. */
bool mmd_command_redo(mmd_edit *edit, mmd_command *command);

/* ------------------------------------------------------------ interface */

/* The kind of change that an edit is about to make. */
typedef enum mmd_edit_hint {
    MMD_HINT_NONE,
    MMD_HINT_TRANSLATE,
    MMD_HINT_ROTATE,
    MMD_HINT_SCALE,
    MMD_HINT_ROTATE_PIVOT,
    MMD_HINT_SCALE_PIVOT
} mmd_edit_hint;

typedef enum mmd_component {
    MMD_TRANSLATION,
    MMD_ROTATION, /* degrees */
    MMD_SCALE,
    MMD_ROTATE_PIVOT,
    MMD_SCALE_PIVOT,
    MMD_COMPONENTS
} mmd_component;

typedef struct mmd_transform3d mmd_transform3d;

/*
 * Functions of an interface object. self is the memory that mmd_transform3d_create allocated. command and
 * set_matrix may be NULL (read-only).
 */
typedef struct mmd_transform3d_table {
    /* matrix of the op, or the whole local matrix */
    void (*matrix)(void *self, mmd_edit *edit, double matrix[16]);
    /* matrix of all parents and of the ops before it */
    void (*exclusive)(void *self, mmd_edit *edit, double matrix[16]);
    /* false: it has no such component */
    bool (*get)(void *self, mmd_edit *edit, mmd_component component, double values[3]);
    mmd_command *(*command)(void *self, mmd_edit *edit, mmd_component component, const double values[3]);
    mmd_command *(*set_matrix)(void *self, mmd_edit *edit, const double matrix[16]);
    void (*destroy)(void *self); /* may be NULL */
} mmd_transform3d_table;

/* Creates an object with size bytes of zeroed memory, for handlers. table must outlive it. Returns NULL when
 * out of memory. */
mmd_transform3d *mmd_transform3d_create(const mmd_transform3d_table *table, size_t size, mmd_item item);
void mmd_transform3d_destroy(mmd_transform3d *object); /* NULL is allowed */
void *mmd_transform3d_self(mmd_transform3d *object);

/* Returns the item that the object edits. It may differ from the one asked for, such as an IK goal instead of
 * a leg. */
mmd_item mmd_transform3d_item(const mmd_transform3d *object);

/* Read an object: its matrix, the matrix above it, their product, and a component. mmd_transform3d_get
 * returns false if there is no such component. */
void mmd_transform3d_matrix(mmd_edit *edit, mmd_transform3d *object, double matrix[16]);
void mmd_transform3d_exclusive(mmd_edit *edit, mmd_transform3d *object, double matrix[16]);
void mmd_transform3d_inclusive(mmd_edit *edit, mmd_transform3d *object,
                               double matrix[16]); /* exclusive * matrix */
bool mmd_transform3d_get(mmd_edit *edit, mmd_transform3d *object, mmd_component component, double values[3]);

/*
 * Create commands that set absolute local values. Nothing changes until they are set. For a bone with a fixed
 * axis (捩り) a rotation is treated as MMD treats that of a key: it becomes one about the axis by the same
 * angle, with the sign of its part about the axis (docs/mmd.md 3.4). A rotation at a right angle to the axis
 * is refused. Return NULL if the component is not editable (mmd_edit_refusal gives the reason) or when out of
 * memory. A command may outlive its object.
 */
mmd_command *mmd_transform3d_command(mmd_edit *edit, mmd_transform3d *object, mmd_component component,
                                     const double values[3]);
mmd_command *mmd_transform3d_matrix_command(mmd_edit *edit, mmd_transform3d *object, const double matrix[16]);

/* --------------------------------------------------------- set by hand */

/*
 * What is set by hand applies at every frame, over motions and keyframes. These commands ask no handlers and
 * write no keyframes. Creating one changes nothing; the result is NULL, with a refusal, if the item cannot be
 * edited so.
 */

/* Numbers of a bone's pose by hand: translation, rotation (a unit quaternion x y z w), scale. */
enum { MMD_BONE_NUMBERS = 10 };

/* Reads the pose of a bone by hand, which is applied on top of its motion. Unedited: 0 0 0, 0 0 0 1, 1 1 1.
 */
void mmd_edit_bone_values(const mmd_edit *edit, mmd_item bone, double values[MMD_BONE_NUMBERS]);

/* Poses a bone; its values are all numbers of the pose. Unlike edits through mmd_transform3d this is not
 * refused for bones that IK or physics moves, and keeps no fixed axis. Scales other than 1 are for nodes of a
 * glTF, from 0.001 to 1000. */
mmd_command *mmd_edit_bone_command(mmd_edit *edit, mmd_item bone, const double values[MMD_BONE_NUMBERS]);

/* Sets the weight of a morph instead of its motion's; its value is the weight. NaN returns it to the motions.
 * mmd_actor_morphs_by_hand reads the weights. */
mmd_command *mmd_edit_morph_command(mmd_edit *edit, mmd_item morph, float weight);

/*
 * Attaches a bone, or a whole model, to a bone of another model at all frames (mmd_stage_set_outside_parent);
 * parent zeroed: to nothing. It takes no values. Refused, when it is set, if the other model is attached to
 * this one (MMD_REFUSAL_PARENT_RING). mmd_edit_is_attached_by_hand returns whether such a command applies,
 * even if the history has forgotten it.
 */
mmd_command *mmd_edit_attach_command(mmd_edit *edit, mmd_item item, mmd_item parent);
bool mmd_edit_is_attached_by_hand(const mmd_edit *edit, mmd_item item);

/* Returns a morph to its motions, or the outside parent of a bone or model to what the stage had before the
 * first mmd_edit_attach_command. It takes no values, and changes nothing if nothing is by hand. */
mmd_command *mmd_edit_release_command(mmd_edit *edit, mmd_item item);

/*
 * Takes back what was edited by hand of an item, whether it is in the history or not; no values. A bone loses
 * its pose by hand, a morph its weight. Camera and light follow the motions again. Bodies and joints return
 * to the placement of their file, which restarts physics from frame 0. A model returns to its motions: all
 * its bones and morphs, and the outside parents of both the model and its bones; its own placement stays.
 * Other items are refused.
 */
mmd_command *mmd_edit_reset_command(mmd_edit *edit, mmd_item item);

/* ---------------------------------------------------------- other side */

/* Limit of mirrored names in bytes, with the terminator. */
enum { MMD_MIRROR_NAME_MAX = 256 };

/*
 * Writes the name of the other side: 左 for 右, as MMD does; Left for Right, left and LEFT, as words; L for R
 * and l for r as words ("arm_L", "L arm", "腕.Ｌ"), and L after a small letter or a digit ("armL"). Returns
 * false if the name belongs to neither side, or the result does not fit.
 */
bool mmd_edit_mirror_name(const char *name, char out[MMD_MIRROR_NAME_MAX]);

/* Returns the bone, morph, body or joint of the same model with the name of the other side, or else one that
 * differs from it only in full-width letters (ＩＫ, IK). Kind MMD_ITEM_NONE if there is none, or the item has
 * no side. */
mmd_item mmd_edit_mirrored(const mmd_edit *edit, mmd_item item);

/* ---------------------------------------------------------------- keying */

/*
 * With keying on, edits of bones write motion keys at the stage's frame, which must be a whole one, instead
 * of the user ops: the hints select motion:translate and motion:rotate. A new key has straight curves as in
 * MMD and all values of the motion at that frame. An existing key keeps its curves. Edits of camera and light
 * write keys of everything currently shown, and any values set by hand are cleared.
 *
 * The functions return the motion to write to. It must be modifiable (mmd_motion_copy) and played by the
 * actor or the stage; of several motions with such keys it is the last. They return NULL for none and may
 * give a reason (mmd_edit_refuse). A function may be NULL: items of its kind have no keys. context is passed
 * to them. A motion must live as long as the edit's history.
 */
typedef struct mmd_edit_keying {
    mmd_motion *(*motion)(void *context, uint32_t actor, uint32_t bone);
    void *context;
    mmd_motion *(*morph_motion)(void *context, uint32_t actor, uint32_t morph);
    /* kind is MMD_KEY_CAMERA, MMD_KEY_LIGHT or MMD_KEY_SELF_SHADOW */
    mmd_motion *(*scene_motion)(void *context, mmd_key_kind kind);
    mmd_motion *(*switches_motion)(void *context, uint32_t actor);
} mmd_edit_keying;

/* Switches keying on with these functions (copied), or off with NULL. */
void mmd_edit_set_keying(mmd_edit *edit, const mmd_edit_keying *keying);
bool mmd_edit_is_keying(const mmd_edit *edit);

/*
 * Switches keying on with a list of motions that may be modified, which is copied, and picks the one for each
 * key: of the motions that the actor plays (for camera, light and self shadow: the stage), the last one that
 * has keys of the item; if none has, the last one that is in the list. Motions that fade out or have weight 0
 * are passed over. Refused where a motion has the keys that is not in the list. Returns false when out of
 * memory; keying is as before then.
 */
bool mmd_edit_key_motions(mmd_edit *edit, mmd_motion *const *motions, size_t count);

/* Converts a frame of the stage to a frame of the item's keys by subtracting its actor's delay. Returns false
 * if the result is not a whole frame from 0 on. */
bool mmd_edit_key_frame(mmd_edit *edit, mmd_item item, double at, uint32_t *frame);

/*
 * Create commands for keys of bones, morphs, camera, light, self shadow and switches while keying is on. They
 * return NULL if keying is off, there is no motion or no such key, or the frame is not a whole one; see
 * mmd_edit_refusal. Frames are those of the motion.
 *
 * mmd_edit_key_command sets a key at the stage's frame; it takes no values (mmd_edit_do). A bone's key
 * combines the motion and the user ops, which return to the identity. Keys of camera and light store what is
 * shown. Keys of switches and self shadow store the current state.
 */
mmd_command *mmd_edit_key_command(mmd_edit *edit, mmd_item item);

/* Remove the key at the stage's frame, or at the given frame. No values. */
mmd_command *mmd_edit_unkey_command(mmd_edit *edit, mmd_item item);
mmd_command *mmd_edit_remove_key_command(mmd_edit *edit, mmd_item item, uint32_t frame);

/*
 * Move or copy a key to another frame. A key that is already there is replaced, and undo restores it. The
 * command's value is the target frame; when it is set repeatedly, the source is always the key of the first
 * frame.
 */
mmd_command *mmd_edit_move_key_command(mmd_edit *edit, mmd_item item, uint32_t from, uint32_t to);
mmd_command *mmd_edit_copy_key_command(mmd_edit *edit, mmd_item item, uint32_t from, uint32_t to);

/* Sets the curve of some channels (bits 1 << MMD_CHANNEL_X …, for the camera 1 << MMD_CAMERA_X …) on the way
 * to a key. The values are the curve's four numbers, 0..127. Keys of morphs and light have no curves. */
mmd_command *mmd_edit_curve_command(mmd_edit *edit, mmd_item item, uint32_t frame, uint32_t channels,
                                    mmd_curve curve);

/*
 * Writes a whole key including curves at any frame, replacing an existing key. key is as for
 * mmd_motion_set_key except that the record of a replaced key is kept. What key points to is copied. No
 * values.
 */
mmd_command *mmd_edit_put_key_command(mmd_edit *edit, mmd_item item, uint32_t frame,
                                      const mmd_stored_key *key);

/* Set keys at the stage's frame to the given values. The commands' values are: the weight; distance,
 * position, rotation, fov (rounded to whole degrees), perspective (0 or 1); color, direction. */
mmd_command *mmd_edit_morph_key_command(mmd_edit *edit, mmd_item morph, float weight);
mmd_command *mmd_edit_camera_key_command(mmd_edit *edit, const mmd_camera *camera);
mmd_command *mmd_edit_light_key_command(mmd_edit *edit, const mmd_light *light);

/*
 * Set a key of a model's switches or of self shadow at the stage's frame; they take no values. One switch is
 * changed: that of an IK bone or, with bone -1, the model's visibility. A new key takes all other switches
 * from the current state, with every IK bone of the model by its CP932 name, as MMD writes them. An existing
 * key keeps everything else, including names that the model does not have. The shadow's mode is 0 to 2 and
 * its distance the number in the file.
 */
mmd_command *mmd_edit_switch_key_command(mmd_edit *edit, uint32_t model, int32_t bone, bool on);
mmd_command *mmd_edit_shadow_key_command(mmd_edit *edit, const mmd_self_shadow *shadow);

/* ----------------------------------------------------------------- chain */

/*
 * A link of the chain. It creates an object for an item that it can edit, or passes the request on with
 * mmd_edit_next_… starting at its own link. It may also request an object from the next link and wrap it.
 * transform3d NULL passes everything on. edit_transform3d NULL uses transform3d instead; if that passes on
 * with mmd_edit_next_transform3d, the following links receive the original edit request with the same hint.
 */
typedef struct mmd_handler_link mmd_handler_link;
typedef struct mmd_handler {
    const char *name; /* unique within a chain */
    /* Returns an object that edits the whole item, whatever ops it has. */
    mmd_transform3d *(*transform3d)(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                    mmd_item item);
    /* Returns an object for the op that an edit should change. */
    mmd_transform3d *(*edit_transform3d)(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                         mmd_item item, mmd_edit_hint hint);
    void (*destroy)(void *context); /* called when the handler leaves the chain */
} mmd_handler;

/* Ask the links after this one for an object of the item. */
mmd_transform3d *mmd_edit_next_transform3d(mmd_edit *edit, const mmd_handler_link *link, mmd_item item);
mmd_transform3d *mmd_edit_next_edit_transform3d(mmd_edit *edit, const mmd_handler_link *link, mmd_item item,
                                                mmd_edit_hint hint);

/*
 * Functions for the chain. Its standard links from head to tail are "physics", "bone", "matrix", "common",
 * "fallback". mmd_edit_handler_name returns the name at an index, NULL after the last. mmd_edit_add_handler
 * inserts a handler before the link `before` (NULL: at the head). mmd_edit_replace_handler replaces one.
 * Handlers are not copied and must outlive the chain. They return false if there is no such name, the new
 * name is already in the chain, or memory is out. Objects outlive the removal of their handler. Must not be
 * called from a handler.
 */
const char *mmd_edit_handler_name(const mmd_edit *edit, size_t index);
bool mmd_edit_add_handler(mmd_edit *edit, const char *before, const mmd_handler *handler, void *context);
bool mmd_edit_replace_handler(mmd_edit *edit, const char *name, const mmd_handler *handler, void *context);
bool mmd_edit_remove_handler(mmd_edit *edit, const char *name);

/* Replaces the whole chain by count handlers, head first; handlers NULL restores the standard chain. Returns
 * false, with the chain unchanged, when out of memory or if two have one name. */
bool mmd_edit_set_chain(mmd_edit *edit, const mmd_handler *const *handlers, void *const *contexts,
                        size_t count);

/*
 * Ask the chain for an object of the item: to edit the whole item; to read it only (creates no commands and
 * is never refused for an existing item); or for the op that an edit of this kind should change. Return NULL
 * if it cannot be edited so; see mmd_edit_refusal.
 */
mmd_transform3d *mmd_edit_transform3d(mmd_edit *edit, mmd_item item);
mmd_transform3d *mmd_edit_read_transform3d(mmd_edit *edit, mmd_item item);
mmd_transform3d *mmd_edit_edit_transform3d(mmd_edit *edit, mmd_item item, mmd_edit_hint hint);

/* Returns an object for an op of the item without asking handlers, or NULL if there is no such op. */
mmd_transform3d *mmd_edit_op_transform3d(mmd_edit *edit, mmd_item item, const char *name);

/*
 * Reasons for a refused request or set: REFUSAL(NAME, clause). {item} is replaced by the item that was
 * refused, {1} and {2} by names or numbers. OWN: the handler supplied its own text.
 */
#define MMD_REFUSALS(REFUSAL)                                                                                \
    REFUSAL(NONE, "")                                                                                        \
    REFUSAL(OWN, "")                                                                                         \
    REFUSAL(MEMORY, "out of memory")                                                                         \
    REFUSAL(NO_ITEM, "there is no such item")                                                                \
    REFUSAL(READ_ONLY, "{item} is read-only")                                                                \
    REFUSAL(NO_OP, "{item} has no op {1}")                                                                   \
    REFUSAL(BURIED, "{item} cannot be edited: other ops follow those that edits change")                     \
    REFUSAL(MATRIX, "the ops of {item} cannot produce this matrix")                                          \
    REFUSAL(VALUE, "{item} cannot take this value")                                                          \
    REFUSAL(NUMBER, "a number is not finite or too large")                                                   \
    REFUSAL(NOTHING, "{item} has nothing that can be edited")                                                \
    REFUSAL(NO_TRANSLATION, "{item} has no translation that can be edited")                                  \
    REFUSAL(NO_ROTATION, "{item} has no rotation that can be edited")                                        \
    REFUSAL(NO_SCALE, "{item} has no scale that can be edited")                                              \
    REFUSAL(NO_PIVOT, "{item} has no pivot")                                                                 \
    REFUSAL(PHYSICS, "{item} is moved by physics; pause playback or turn physics off to edit it")            \
    REFUSAL(IK, "{item} is moved by IK; move {1} instead")                                                   \
    REFUSAL(FIXED_AXIS, "{item} turns only about its fixed axis, and this rotation has no part about it")    \
    REFUSAL(BONE_SCALE, "{item} cannot be scaled: bones have no scale")                                      \
    REFUSAL(BONE_PIVOT, "{item} has no pivot: bones have none")                                              \
    REFUSAL(NODE_PIVOT, "{item} has no pivot: nodes of a glTF have none")                                    \
    REFUSAL(PROJECT, "{item} is placed by the keyframes of its project")                                     \
    REFUSAL(PHYSICS_PLACE, "physics cannot start with {item} at this position")                              \
    REFUSAL(DARK, "the light's direction cannot be zero")                                                    \
    REFUSAL(KEY_ITEM, "only bones, morphs, camera, light, self shadow and display and IK have keyframes")    \
    REFUSAL(KEY_MOTION, "there is no motion to write keyframes of {item} to")                                \
    REFUSAL(KEY_MIRRORED, "keyframes cannot be set while mirrored; `{1} off` first")                         \
    REFUSAL(KEY_PART_OF_FRAME, "keyframes lie on whole frames of the motion, and {1} is not one")            \
    REFUSAL(KEY_FRAME, "the frame of a keyframe is a whole number from 0")                                   \
    REFUSAL(KEY_NONE, "{item} has no keyframe at frame {1}")                                                 \
    REFUSAL(KEY_KIND, "{item} has no value of this kind in keyframes")                                       \
    REFUSAL(KEY_MATRIX, "a keyframe is set by its translation or rotation, or by the whole bone's matrix")   \
    REFUSAL(KEY_SCALE, "keyframes of a motion hold no scale; stop writing keyframes to scale {item}")        \
    REFUSAL(KEY_WEIGHT, "{item} has no weight; only morphs have one")                                        \
    REFUSAL(CURVE_NUMBER, "the values of a curve are whole numbers from 0 to 127")                           \
    REFUSAL(CURVE_MORPH, "keyframes of morphs have no curves")                                               \
    REFUSAL(CURVE_LIGHT, "keyframes of the light have no curves")                                            \
    REFUSAL(CURVE_BONE, "keyframes of bones have no such curve")                                             \
    REFUSAL(CURVE_CAMERA, "keyframes of the camera have no such curve")                                      \
    REFUSAL(CURVE_SWITCHES, "keyframes of self shadow and of display and IK have no curves")                 \
    REFUSAL(KEY_SWITCH, "{item} is not an IK bone")                                                          \
    REFUSAL(KEY_SHADOW, "the modes of self shadow are 0, 1 and 2, and its distance is a number")             \
    REFUSAL(PARENT_ITEM, "only bones and whole models have outside parents, and only bones are some")        \
    REFUSAL(PARENT_RING, "the other model is attached to this one already, so neither could be placed "      \
                         "first")

#define MMD_REFUSAL_NAME(name, clause) MMD_REFUSAL_##name,
typedef enum mmd_refusal { MMD_REFUSALS(MMD_REFUSAL_NAME) MMD_REFUSAL_COUNT } mmd_refusal;
#undef MMD_REFUSAL_NAME

/*
 * mmd_edit_refusal returns why the last request or set was refused, as a clause ("右足 of 初音ミク is moved
 * by IK; move 右足ＩＫ instead"), or "" if no reason was given. Valid until the next request.
 * mmd_edit_refusal_code returns which reason it is. mmd_edit_refusal_in writes the reason in another
 * language: text with {item}, {1} and {2} filled in, with the item's name by texts (NULL: English), at most
 * size bytes with the terminator.
 */
const char *mmd_edit_refusal(const mmd_edit *edit);
mmd_refusal mmd_edit_refusal_code(const mmd_edit *edit);
void mmd_edit_refusal_in(const mmd_edit *edit, const char *text, const mmd_item_texts *texts, char *out,
                         size_t size);

/* Set the reason of a refusal, from handlers: as own text (MMD_REFUSAL_OWN), or as one of the list with the
 * texts for {1} and {2} (NULL: none; cut at 79 bytes). */
void mmd_edit_refuse(mmd_edit *edit, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 2, 3)))
#endif
    ;
void mmd_edit_refuse_as(mmd_edit *edit, mmd_refusal code, const char *first, const char *second);

/* Refuses with a clause of the list that names the item. */
void mmd_edit_refuse_item(mmd_edit *edit, mmd_refusal code, mmd_item item, const char *first,
                          const char *second);

/* --------------------------------------------------------------- history */

/*
 * Adds a command that was set to the history as one undo step and drops all undone steps. Between
 * mmd_edit_begin and mmd_edit_end, which may be nested, all added commands form one step. The command may be
 * set again while it is in the last step and not undone. A command that was never set is destroyed. Returns
 * false when out of memory; the command is then undone and destroyed.
 */
bool mmd_edit_add(mmd_edit *edit, mmd_command *command);

/* Adds a command likewise, as part of the last step; as a step of its own if there is none or steps were
 * undone. */
bool mmd_edit_add_to_last(mmd_edit *edit, mmd_command *command);

/* Returns whether a command belongs to the last step and nothing is undone. It may then be set again, if no
 * other command of the step depends on it, or if those are undone before and redone after it. */
bool mmd_edit_is_of_last_step(const mmd_edit *edit, const mmd_command *command);

/* Sets a command with the values it was created with and adds it to the history. Returns false if it is NULL,
 * refused or out of memory; the command is destroyed then. */
bool mmd_edit_do(mmd_edit *edit, mmd_command *command);

/* Does the same, as part of the last step; as a step of its own if there is none or steps were undone. */
bool mmd_edit_do_in_last(mmd_edit *edit, mmd_command *command);

void mmd_edit_begin(mmd_edit *edit, const char *label); /* cut at 63 bytes */
void mmd_edit_end(mmd_edit *edit);

/* Undo or redo one step. Return false if there is none, or between begin and end. mmd_edit_redo also returns
 * false when out of memory; nothing is changed then. */
bool mmd_edit_undo(mmd_edit *edit);
bool mmd_edit_redo(mmd_edit *edit);

/* Return the label of the step that would be undone or redone next, or NULL if there is none. */
const char *mmd_edit_undo_label(const mmd_edit *edit);
const char *mmd_edit_redo_label(const mmd_edit *edit);

/* Drops all steps and destroys their commands. */
void mmd_edit_clear_history(mmd_edit *edit);

/* Drops the oldest `count` steps, none of which may be undone. */
void mmd_edit_forget_steps(mmd_edit *edit, size_t count);

/* A command of the history: its table and memory, its step, counted from the oldest, and whether that is
 * done. */
typedef struct mmd_edit_visited {
    const mmd_command_table *table;
    const void *self;
    size_t step;
    bool is_done;
} mmd_edit_visited;

/* Calls visit for each command of the history, the oldest first. It must not change the history. */
void mmd_edit_visit_commands(const mmd_edit *edit,
                             void (*visit)(void *context, const mmd_edit_visited *command), void *context);

/*
 * Describes the move of an edit to another stage, as when files were loaded again. All steps are undone on
 * the old stage and redone on the new one, and undo continues there. Commands whose item is gone are dropped,
 * and so are steps that become empty. Nodes, handlers and observers stay. Observers are called with the new
 * items for what was redone.
 */
typedef struct mmd_edit_map {
    mmd_stage *stage; /* the new stage; the old one still exists */
    /* Replaces a model, bone, body, joint or morph of the old stage by that of the new one. Returns false if
     * there is none. */
    bool (*item)(void *context, mmd_item *item);
    /* Called when everything is undone on the old stage and nothing redone on the new one, to copy what is
     * not in the history. May be NULL. */
    void (*undone)(void *context, mmd_edit *edit);
    void *context;
} mmd_edit_map;

/* Moves the edit to map->stage and returns how many commands were dropped. Must not be called between
 * mmd_edit_begin and mmd_edit_end. Destroy commands and objects outside of the history before. */
size_t mmd_edit_move(mmd_edit *edit, const mmd_edit_map *map);

/*
 * Help custom commands to implement remap. mmd_edit_map_item translates an item with map->item if it belongs
 * to a model; others stay as they are. mmd_command_remap remaps a command that another one contains and that
 * is undone. They return false if the command must be dropped.
 */
bool mmd_edit_map_item(const mmd_edit_map *map, mmd_item *item);
bool mmd_command_remap(mmd_edit *edit, mmd_command *command, const mmd_edit_map *map);

/* Return the number of steps in the history, including undone ones, and their memory in bytes. */
size_t mmd_edit_history_steps(const mmd_edit *edit);
size_t mmd_edit_history_bytes(const mmd_edit *edit);

/* ------------------------------------------------------------- observers */

/* Receives the items whose ops changed, each once. Must not edit. */
typedef void mmd_edit_observer(void *context, mmd_edit *edit, const mmd_item *items, size_t count);

/* Adds an observer. It is called once per change (a set, an undo or redo of a step, a write), and once at the
 * outermost mmd_edit_end for everything since mmd_edit_begin. Returns false when out of memory. */
bool mmd_edit_observe(mmd_edit *edit, mmd_edit_observer *observer, void *context);
void mmd_edit_unobserve(mmd_edit *edit, mmd_edit_observer *observer, void *context);

/* Reports a change of an item, for custom commands. The stage is evaluated again before the next read. */
void mmd_edit_changed(mmd_edit *edit, mmd_item item);

/* -------------------------------------------------------------- plug-ins */

/*
 * A plug-in is a shared object that exports `const mmd_edit_plugin mmd_edit_plugin_entry`. It is built with
 * the public headers alone; the program provides the engine's functions. attach adds its handlers to an edit
 * and may be called for several edits. Each handler's context is released by the handler's destroy. attach
 * returns false if it fails, with no handler added.
 */
#define MMD_EDIT_ABI           2
#define MMD_EDIT_PLUGIN_SYMBOL "mmd_edit_plugin_entry"

typedef struct mmd_edit_plugin {
    uint32_t abi; /* MMD_EDIT_ABI */
    const char *name;
    bool (*attach)(mmd_edit *edit);
} mmd_edit_plugin;

/* ------------------------------------------------------------------ life */

typedef struct mmd_edit_options {
    bool paused;          /* playback is paused, so bones that physics moves can be edited */
    bool redirect_ik;     /* moving a bone that IK moves moves its IK goal; false: refused */
    size_t history_steps; /* limit of stored steps, at least 1 */
    size_t history_bytes; /* limit of their memory; older steps are dropped, but never the last one */
    void *user;           /* for custom commands, from mmd_edit_get_options */
} mmd_edit_options;

/* Returns the default: not paused, IK redirected, 1,000 steps, 16 MiB. */
mmd_edit_options mmd_default_edit_options(void);

/* Creates an edit. stage must outlive it; if NULL, there are only nodes. options may be NULL for the
 * defaults. Returns NULL when out of memory. */
mmd_edit *mmd_edit_create(mmd_stage *stage, const mmd_edit_options *options);
void mmd_edit_destroy(mmd_edit *edit); /* NULL is allowed */

/* Replaces the options. */
void mmd_edit_set_options(mmd_edit *edit, const mmd_edit_options *options);
const mmd_edit_options *mmd_edit_get_options(const mmd_edit *edit);

/* Returns the stage, or NULL if there are only nodes. */
mmd_stage *mmd_edit_stage(const mmd_edit *edit);

#ifdef __cplusplus
}
#endif

#endif
