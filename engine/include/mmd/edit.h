/*
 * Editing transforms: scene items, their stacks of transform ops, interface
 * objects that read and edit them, a chain of handlers that makes those, and
 * undoable commands. The semantics are UFE's (docs/formats.md 6): an op of a stack
 * can be seen as an object of its own, the handlers decide which op an edit
 * hits, and each of them, or the whole chain, can be replaced at run time.
 *
 * Not for two threads at a time; the thread is the stage's. Matrices are
 * column-major, column vectors, MMD's space; angles are degrees, about X, then
 * Y, then Z (the matrix is Rz Ry Rx). Bones are single precision, so what is
 * read back of one that was set is what a float holds of it.
 *
 * A write settles the stage's physics (mmd_stage_settle); matrices that are
 * read after it are of the stage evaluated anew at its frame, which happens
 * when first read.
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
    MMD_ITEM_STAGE,    /* what all others hang on; has no ops */
    MMD_ITEM_MODEL,    /* an actor's place on the stage */
    MMD_ITEM_BONE,     /* of an actor */
    MMD_ITEM_BODY,     /* of an actor: where it is at rest, when the simulation begins */
    MMD_ITEM_JOINT,    /* likewise */
    MMD_ITEM_CAMERA,   /* its target and turn */
    MMD_ITEM_LIGHT,    /* its direction, as a translation */
    MMD_ITEM_NODE,     /* an item of the edit itself, with any stack of ops */
    MMD_ITEM_MORPH,    /* of an actor: no ops; it has keys */
    MMD_ITEM_SWITCHES, /* of an actor: whether it is seen, and its IK (表示・IK): no ops; keys */
    MMD_ITEM_SHADOW,   /* self shadow: no ops; keys */
    MMD_ITEM_KINDS
} mmd_item_kind;

/* Compare them with mmd_item_equal. Zeroed: none. */
typedef struct mmd_item {
    uint32_t kind;  /* mmd_item_kind */
    uint32_t model; /* of a model and its parts: index of the actor on the stage; else 0 */
    uint32_t index; /* of a bone, body, joint or morph in its model, of a node; else 0 */
} mmd_item;

bool mmd_item_equal(mmd_item a, mmd_item b);

/*
 * Paths: "/" the stage, "/camera", "/light", "/shadow", "/models/NAME", "/models/NAME/switches",
 * "/models/NAME/bones/NAME" (bodies, joints, morphs), "/nodes/NAME/NAME…". "#7" in place of a name is an
 * index, from 0. Of several with one name the first is meant. `%`, `/` and control characters of names, and a
 * `#` at their beginning, are written as %25, %2F ….
 *
 * mmd_edit_find gives kind MMD_ITEM_NONE for a path that leads nowhere.
 * mmd_edit_path writes as much as fits with a NUL behind it and returns the
 * whole length; the path it writes leads back to the item.
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

/* Whether there is such an item just now. */
bool mmd_edit_has(const mmd_edit *edit, mmd_item item);

/* What it hangs on; kind MMD_ITEM_NONE for the stage. */
mmd_item mmd_edit_parent(const mmd_edit *edit, mmd_item item);

/* ------------------------------------------------------------------- ops */

typedef enum mmd_op_kind {
    MMD_OP_TRANSLATE, /* 3 numbers */
    MMD_OP_ROTATE,    /* 3: degrees about X, then Y, then Z */
    MMD_OP_ORIENT,    /* 4: a unit quaternion, x y z w */
    MMD_OP_TURN,      /* 3: degrees as a camera has them, Ry(-y) Rx(-x) Rz(-z) */
    MMD_OP_SCALE,     /* 3 */
    MMD_OP_MATRIX     /* 16 */
} mmd_op_kind;

enum { MMD_OP_NAME_MAX = 40, MMD_OPS_MAX = 32, MMD_OP_NUMBERS_MAX = 16 };

/* An op. Zeroed but for kind and name, a translation by nothing; see mmd_op_make. */
typedef struct mmd_op {
    uint8_t kind;   /* mmd_op_kind */
    bool inverse;   /* its inverse is what counts; it shares its value with the op of its name */
    bool read_only; /* as what motions, IK or physics say */
    char name[MMD_OP_NAME_MAX];
    double value[MMD_OP_NUMBERS_MAX];
} mmd_op;

/* How many numbers ops of a kind have. */
int mmd_op_numbers(mmd_op_kind kind);

/* An op that does nothing. name is cut at MMD_OP_NAME_MAX - 1 bytes. */
mmd_op mmd_op_make(mmd_op_kind kind, const char *name);

/* Its matrix, inverted where it is an inverse one. */
void mmd_op_matrix(const mmd_op *op, double matrix[16]);

/*
 * The stack of an item, outermost first: point in the parent = op 0 * op 1 * … * point.
 * ops has room for MMD_OPS_MAX. Returns their number.
 *
 * Bones (docs/formats.md 6): rest, motion:translate, user:translate,
 * morph:translate, append:translate, ik, morph:rotate, motion:rotate,
 * user:rotate, append:rotate; of nodes of a glTF user:scale (between two turns
 * node:axes where a node stands turned at rest) and, where animations scale
 * them, motion:scale; where physics has the bone, a matrix `physics` that makes
 * the product what physics says. The user's are writable; a scale is from 0.001
 * to 1000. Models: translate, rotate, scale (uniform) and pivots, where edits
 * made some. Cameras: translate (the target), rotate, distance. Lights:
 * translate (the direction). Bodies: translate, rotate, scale; joints:
 * translate, rotate. Physics begins anew with an edit of them.
 */
size_t mmd_edit_ops(mmd_edit *edit, mmd_item item, mmd_op ops[MMD_OPS_MAX]);

/* Sets an op's value at once, without undo. False: there is no such op, it is read-only, or a number is not
 * finite or out of the item's range. */
bool mmd_edit_write_op(mmd_edit *edit, mmd_item item, const char *name, const double *value);

/* The product of all ops; what they hang in: the parent's inclusive matrix (for a bone with an external
 * parent that one's times its parent's); and that times this: the item's transform in the world. */
void mmd_edit_local(mmd_edit *edit, mmd_item item, double matrix[16]);
void mmd_edit_exclusive(mmd_edit *edit, mmd_item item, double matrix[16]);
void mmd_edit_inclusive(mmd_edit *edit, mmd_item item, double matrix[16]);

/* -------------------------------------------------------------- commands */

typedef struct mmd_command mmd_command;
struct mmd_edit_map;

/*
 * What a kind of command does; self is the memory that mmd_command_create gave.
 * Every function but destroy, bytes and remap must be there.
 */
typedef struct mmd_command_table {
    const char *label; /* for people: "rotate" */
    /* Sets absolute values (3 or 16 numbers, as the command's maker says). The first time it keeps what was
     * there and makes what is missing; later ones only replace the value. NULL: the values it was made with,
     * or those set last. False: refused, and nothing changed. */
    bool (*set)(void *self, mmd_edit *edit, const double *values);
    void (*undo)(void *self, mmd_edit *edit); /* takes back what set did; only called after a set */
    bool (*redo)(void *self, mmd_edit *edit); /* only called after undo */
    void (*destroy)(void *self);
    size_t (*bytes)(const void *self); /* memory beside self */
    /* The edit has another stage (mmd_edit_move): the command is to mean there what it meant before. It is
     * undone. False, or NULL: it cannot, and is forgotten. */
    bool (*remap)(void *self, mmd_edit *edit, const struct mmd_edit_map *map);
} mmd_command_table;

/* A command with size bytes of zeroed memory of its own, aligned as mmd_alloc. table must outlive it. NULL:
 * out of memory. */
mmd_command *mmd_command_create(const mmd_command_table *table, size_t size);
void mmd_command_destroy(mmd_command *command); /* not one that a history holds; NULL is allowed */
void *mmd_command_self(mmd_command *command);
const char *mmd_command_label(const mmd_command *command);

/*
 * Sets values as the table's set does: a drag sets many times, and stays one
 * undo. Creating a command changes nothing. values NULL executes it with the
 * values it was made with.
 */
bool mmd_command_set(mmd_edit *edit, mmd_command *command, const double *values);

/* Restores the value and removes what was created; before the first set, and twice, does nothing. */
void mmd_command_undo(mmd_edit *edit, mmd_command *command);
/* Does again what was undone. False: there is nothing to, or it is refused. */
bool mmd_command_redo(mmd_edit *edit, mmd_command *command);

/* ------------------------------------------------------------ interface */

/* What an edit is about to change. */
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
 * What an interface object does; self is the memory that
 * mmd_transform3d_create gave. command and set_matrix may be NULL (read-only).
 */
typedef struct mmd_transform3d_table {
    void (*matrix)(void *self, mmd_edit *edit, double matrix[16]); /* the op's own, or the whole local one */
    void (*exclusive)(void *self, mmd_edit *edit, double matrix[16]); /* all above, and ops before */
    bool (*get)(void *self, mmd_edit *edit, mmd_component component, double values[3]); /* false: has none */
    mmd_command *(*command)(void *self, mmd_edit *edit, mmd_component component, const double values[3]);
    mmd_command *(*set_matrix)(void *self, mmd_edit *edit, const double matrix[16]);
    void (*destroy)(void *self); /* may be NULL */
} mmd_transform3d_table;

mmd_transform3d *mmd_transform3d_create(const mmd_transform3d_table *table, size_t size, mmd_item item);
void mmd_transform3d_destroy(mmd_transform3d *object); /* NULL is allowed */
void *mmd_transform3d_self(mmd_transform3d *object);

/* The item that it edits: not always the one that was asked for (an IK goal for a leg). */
mmd_item mmd_transform3d_item(const mmd_transform3d *object);

void mmd_transform3d_matrix(mmd_edit *edit, mmd_transform3d *object, double matrix[16]);
void mmd_transform3d_exclusive(mmd_edit *edit, mmd_transform3d *object, double matrix[16]);
void mmd_transform3d_inclusive(mmd_edit *edit, mmd_transform3d *object,
                               double matrix[16]); /* exclusive * matrix */
bool mmd_transform3d_get(mmd_edit *edit, mmd_transform3d *object, mmd_component component, double values[3]);

/*
 * Commands with absolute local values. Nothing is changed until they are set.
 * Bones with a fixed axis (捩り) take of a turn what MMD takes of a key's: one
 * about the axis, by the same angle, to the side that it is on (docs/mmd.md 3.4);
 * one at a right angle to it is refused.
 * NULL: not editable in this way (mmd_edit_refusal says why), or out of memory.
 * A command may outlive the object that made it.
 */
mmd_command *mmd_transform3d_command(mmd_edit *edit, mmd_transform3d *object, mmd_component component,
                                     const double values[3]);
mmd_command *mmd_transform3d_matrix_command(mmd_edit *edit, mmd_transform3d *object, const double matrix[16]);

/* ---------------------------------------------------------------- keying */

/*
 * While keying, edits of bones write keys of motions instead of the user's ops,
 * at the stage's frame, which has to be a whole one: the hints mean
 * motion:translate and motion:rotate. A new key has MMD's straight curves and
 * all of what the motion says there; one that was there keeps its curves.
 * Edits of camera and light write keys of all that is seen of them, which then
 * is not by hand any more.
 *
 * The functions give the motion that keys go to, one that may be changed
 * (mmd_motion_copy) and that the actor, or the stage, plays: of several that
 * have such keys the last. NULL: none; they may say why (mmd_edit_refuse).
 * Functions may be NULL: such items have no keys. context is theirs. A motion
 * has to live as long as the edit's history.
 */
typedef struct mmd_edit_keying {
    mmd_motion *(*motion)(void *context, uint32_t actor, uint32_t bone);
    void *context;
    mmd_motion *(*morph_motion)(void *context, uint32_t actor, uint32_t morph);
    /* MMD_KEY_CAMERA, MMD_KEY_LIGHT or MMD_KEY_SELF_SHADOW */
    mmd_motion *(*scene_motion)(void *context, mmd_key_kind kind);
    mmd_motion *(*switches_motion)(void *context, uint32_t actor);
} mmd_edit_keying;

/* Copied; NULL: no more keying. */
void mmd_edit_set_keying(mmd_edit *edit, const mmd_edit_keying *keying);
bool mmd_edit_is_keying(const mmd_edit *edit);

/* The frame of an item's keys at a frame of the stage: less its actor's delay. False: it is none. */
bool mmd_edit_key_frame(mmd_edit *edit, mmd_item item, double at, uint32_t *frame);

/*
 * Commands for keys of bones, morphs, camera, light, self shadow and switches,
 * while keying. NULL: not keying, no motion, no such key, not a whole frame; see
 * mmd_edit_refusal. Frames are those of the motion.
 *
 * key: at the stage's frame. Of a bone, what motion and user say together, the
 * user's ops back to nothing; of camera and light, what is seen. It takes no
 * values (mmd_edit_do). Of switches and self shadow, what holds there.
 */
mmd_command *mmd_edit_key_command(mmd_edit *edit, mmd_item item);

/* Takes the key at the stage's frame, or at any, away. No values. */
mmd_command *mmd_edit_unkey_command(mmd_edit *edit, mmd_item item);
mmd_command *mmd_edit_remove_key_command(mmd_edit *edit, mmd_item item, uint32_t frame);

/*
 * Takes a key to another frame, or a copy of it. One that is there goes; undo
 * brings it back. The value is the frame it goes to: set many times, the key is
 * always the one from the first frame.
 */
mmd_command *mmd_edit_move_key_command(mmd_edit *edit, mmd_item item, uint32_t from, uint32_t to);
mmd_command *mmd_edit_copy_key_command(mmd_edit *edit, mmd_item item, uint32_t from, uint32_t to);

/* The curve of some channels (bits 1 << MMD_CHANNEL_X …, of the camera 1 << MMD_CAMERA_X …) that leads to a
 * key. Values are its four numbers, 0..127. Morphs and light have none. */
mmd_command *mmd_edit_curve_command(mmd_edit *edit, mmd_item item, uint32_t frame, uint32_t channels,
                                    mmd_curve curve);

/* A whole key, curves and all, at any frame, over the one that is there. key: as of mmd_motion_set_key, but
 * for its record, which is that of the key it replaces; what it points to is copied. No values. */
mmd_command *mmd_edit_put_key_command(mmd_edit *edit, mmd_item item, uint32_t frame, const mmd_kept_key *key);

/* Keys at the stage's frame of values that are given. Values: the weight; distance, position, rotation, fov
 * (whole degrees are kept), perspective (0 or 1); color, direction. */
mmd_command *mmd_edit_morph_key_command(mmd_edit *edit, mmd_item morph, float weight);
mmd_command *mmd_edit_camera_key_command(mmd_edit *edit, const mmd_camera *camera);
mmd_command *mmd_edit_light_key_command(mmd_edit *edit, const mmd_light *light);

/*
 * The same of a model's switches and of self shadow, without values. One switch
 * is set: that of an IK bone, or with bone -1 whether the model is seen. A new
 * key has what holds at the frame of all else, every IK bone of the model by
 * its name in CP932, as MMD writes them; one that is there keeps all else,
 * names that the model has not, too. mode: 0 to 2; distance: the file's number.
 */
mmd_command *mmd_edit_switch_key_command(mmd_edit *edit, uint32_t model, int32_t bone, bool on);
mmd_command *mmd_edit_shadow_key_command(mmd_edit *edit, const mmd_self_shadow *shadow);

/* ----------------------------------------------------------------- chain */

/*
 * A link of the chain. It makes an object for an item that it knows how to
 * edit, or passes on: mmd_edit_next_… from its own link on. It may ask the next
 * one for an object and wrap that. transform3d may be NULL: that is passed on.
 * edit_transform3d may be NULL: transform3d answers it, too, and what that
 * passes on by mmd_edit_next_transform3d is asked of the next ones as the same
 * question with the same hint.
 */
typedef struct mmd_handler_link mmd_handler_link;
typedef struct mmd_handler {
    const char *name; /* unique in a chain */
    /* To edit the whole object, whatever ops it has; */
    mmd_transform3d *(*transform3d)(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                    mmd_item item);
    /* the op that an edit should hit. */
    mmd_transform3d *(*edit_transform3d)(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                         mmd_item item, mmd_edit_hint hint);
    void (*destroy)(void *context); /* when it leaves the chain */
} mmd_handler;

/* What the links behind this one make of the item. */
mmd_transform3d *mmd_edit_next_transform3d(mmd_edit *edit, const mmd_handler_link *link, mmd_item item);
mmd_transform3d *mmd_edit_next_edit_transform3d(mmd_edit *edit, const mmd_handler_link *link, mmd_item item,
                                                mmd_edit_hint hint);

/*
 * The chain, head to tail, at first: "physics", "bone", "matrix", "common",
 * "fallback". Names by place, NULL behind the last. Handlers are not copied
 * and must outlive the chain. mmd_edit_add_handler puts one before the link
 * of that name (NULL: at the head). mmd_edit_replace_handler puts one in the
 * place of another. False: no such name, the new one is there already, or out
 * of memory. Objects that a handler made live on after it has left the chain.
 * Not from within a handler.
 */
const char *mmd_edit_handler_name(const mmd_edit *edit, size_t index);
bool mmd_edit_add_handler(mmd_edit *edit, const char *before, const mmd_handler *handler, void *context);
bool mmd_edit_replace_handler(mmd_edit *edit, const char *name, const mmd_handler *handler, void *context);
bool mmd_edit_remove_handler(mmd_edit *edit, const char *name);

/* The whole chain at once, count of them, head first; NULL: the standard one again. False: out of memory, two
 * of one name, and the chain is what it was. */
bool mmd_edit_set_chain(mmd_edit *edit, const mmd_handler *const *handlers, void *const *contexts,
                        size_t count);

/*
 * Asks the chain for the item's object: to edit the whole of it; to read it
 * only (no commands come from it; never refused for an item that is there); or
 * the op that an edit of this kind should hit. NULL: not editable so, see
 * mmd_edit_refusal.
 */
mmd_transform3d *mmd_edit_transform3d(mmd_edit *edit, mmd_item item);
mmd_transform3d *mmd_edit_read_transform3d(mmd_edit *edit, mmd_item item);
mmd_transform3d *mmd_edit_edit_transform3d(mmd_edit *edit, mmd_item item, mmd_edit_hint hint);

/* An op of the item as an object, whatever handlers say. NULL: there is no such op. */
mmd_transform3d *mmd_edit_op_transform3d(mmd_edit *edit, mmd_item item, const char *name);

/*
 * Why nothing came of a question or a set: REFUSAL(NAME, clause). {item} is
 * the item that was refused; {1} and {2} are names, or numbers as texts. OWN: whoever refused says it
 * in words of its own.
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
    REFUSAL(KEY_SHADOW, "the modes of self shadow are 0, 1 and 2, and its distance is a number")

#define MMD_REFUSAL_NAME(name, clause) MMD_REFUSAL_##name,
typedef enum mmd_refusal { MMD_REFUSALS(MMD_REFUSAL_NAME) MMD_REFUSAL_COUNT } mmd_refusal;
#undef MMD_REFUSAL_NAME

/* Why the last question or set gave nothing: a clause ("右足 of 初音ミク is moved by IK; move 右足ＩＫ
 * instead"),
 * "" if no handler gave a reason; valid until the next question. The second returns which refusal it is. The
 * third writes it in another language: text with {item}, {1} and {2}, and how that language names items
 * (NULL: English); at most size bytes with a NUL at the end. */
const char *mmd_edit_refusal(const mmd_edit *edit);
mmd_refusal mmd_edit_refusal_code(const mmd_edit *edit);
void mmd_edit_refusal_in(const mmd_edit *edit, const char *text, const mmd_item_texts *texts, char *out,
                         size_t size);

/* Says it: in words of one's own (MMD_REFUSAL_OWN), or one of the list with what {1} and {2} are (NULL:
 * nothing; cut at 79 bytes). */
void mmd_edit_refuse(mmd_edit *edit, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void mmd_edit_refuse_as(mmd_edit *edit, mmd_refusal code, const char *first, const char *second);

/* Refuses with a clause of the list that names the item. */
void mmd_edit_refuse_item(mmd_edit *edit, mmd_refusal code, mmd_item item, const char *first,
                          const char *second);

/* --------------------------------------------------------------- history */

/*
 * Takes a command that was set: it is one step of undo. What was undone before
 * is forgotten. Between mmd_edit_begin and mmd_edit_end, which nest, all that
 * are taken are one step, if there are any. The command may go on being set as
 * long as it is the last one and not undone. A command of which nothing was
 * set is destroyed. False: out of memory; it is undone and destroyed.
 */
bool mmd_edit_take(mmd_edit *edit, mmd_command *command);

/* The same as part of the last step; a step of its own where there is none, or where some were undone. */
bool mmd_edit_take_with_last(mmd_edit *edit, mmd_command *command);

/* Whether a command that was taken is part of the last step, and nothing is undone: it may be set then, where
 * no other one of the step builds on it, or those are undone before and done again after it. */
bool mmd_edit_is_of_last_step(const mmd_edit *edit, const mmd_command *command);

/* Sets a command with the values it was made with, and takes it. False: NULL, refused or out of memory; it is
 * destroyed. */
bool mmd_edit_do(mmd_edit *edit, mmd_command *command);

void mmd_edit_begin(mmd_edit *edit, const char *label); /* cut at 63 bytes */
void mmd_edit_end(mmd_edit *edit);

/* A step back, a step on. False: there is none, or one is being made; or there is no memory for one on, and
 * all is as it was. */
bool mmd_edit_undo(mmd_edit *edit);
bool mmd_edit_redo(mmd_edit *edit);

/* What the next of these would take back or do again: a label; NULL: there is none. */
const char *mmd_edit_undo_label(const mmd_edit *edit);
const char *mmd_edit_redo_label(const mmd_edit *edit);

void mmd_edit_clear_history(mmd_edit *edit);

/*
 * Another stage takes the place of the edit's, as when files were read again:
 * what was done is undone on the one and done again on the other, and undo goes
 * on there. A command whose item is gone is forgotten, and so is a step without
 * commands. Nodes, handlers and observers stay; observers are told, by the new
 * items, of what was done again.
 */
typedef struct mmd_edit_map {
    mmd_stage *stage; /* from here on; the other one still stands */
    /* What a model, bone, body, joint or morph is on it. False: there is no such one. */
    bool (*item)(void *context, mmd_item *item);
    /* All is undone on the one, and nothing done on the other: what no step knows can be carried over now.
     * NULL is allowed. */
    void (*undone)(void *context, mmd_edit *edit);
    void *context;
} mmd_edit_map;

/* Returns how many commands are gone. Not between mmd_edit_begin and mmd_edit_end. Commands and objects that
 * somebody else holds are destroyed before. */
size_t mmd_edit_move(mmd_edit *edit, const mmd_edit_map *map);

/* For commands of one's own: map->item for what hangs on a model; all else is what it was. And for those that
 * hold another command: its table's remap, if it is undone. False: it is to be forgotten. */
bool mmd_edit_map_item(const mmd_edit_map *map, mmd_item *item);
bool mmd_command_remap(mmd_edit *edit, mmd_command *command, const mmd_edit_map *map);

/* Steps kept, undone ones included, and their memory in bytes. */
size_t mmd_edit_history_steps(const mmd_edit *edit);
size_t mmd_edit_history_bytes(const mmd_edit *edit);

/* ------------------------------------------------------------- observers */

/* Items whose ops changed, each once. Must not edit. */
typedef void mmd_edit_observer(void *context, mmd_edit *edit, const mmd_item *items, size_t count);

/* Called once a change: a set, an undo or redo of a step, a write, whatever that touches, and once at the end
 * of what mmd_edit_begin began for all of it. False: out of memory. */
bool mmd_edit_observe(mmd_edit *edit, mmd_edit_observer *observer, void *context);
void mmd_edit_unobserve(mmd_edit *edit, mmd_edit_observer *observer, void *context);

/* For commands of one's own: says that an item changed; a stage's are posed anew before they are read. */
void mmd_edit_changed(mmd_edit *edit, mmd_item item);

/* -------------------------------------------------------------- plug-ins */

/*
 * A shared object that exports `const mmd_edit_plugin mmd_edit_plugin_entry`,
 * built against the public headers alone: the engine's functions are the
 * program's. attach adds its handlers, to any number of edits; each handler's
 * context is given back by the handler's destroy. False: it cannot, and has
 * added none.
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
    bool paused;          /* time stands: bones that physics moves can be edited */
    bool redirect_ik;     /* moving what IK moves moves its goal; else it is refused */
    size_t history_steps; /* kept at most, at least 1 */
    size_t history_bytes; /* older steps are forgotten beyond; the last one never is */
    void *user;           /* whatever commands of one's own want to find (mmd_edit_get_options) */
} mmd_edit_options;

/* Not paused, redirected; 1,000 steps, 16 MiB. */
mmd_edit_options mmd_default_edit_options(void);

/* stage must outlive it and may be NULL: there are nodes only. NULL options: the default. NULL: out of
 * memory. */
mmd_edit *mmd_edit_create(mmd_stage *stage, const mmd_edit_options *options);
void mmd_edit_destroy(mmd_edit *edit); /* NULL is allowed */

/* Other options, from now on. */
void mmd_edit_set_options(mmd_edit *edit, const mmd_edit_options *options);
const mmd_edit_options *mmd_edit_get_options(const mmd_edit *edit);

mmd_stage *mmd_edit_stage(const mmd_edit *edit);

#ifdef __cplusplus
}
#endif

#endif
