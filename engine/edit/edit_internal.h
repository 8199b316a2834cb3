/* Declarations shared by the files of the edit module. */
#ifndef EDIT_INTERNAL_H
#define EDIT_INTERNAL_H

#include "mmd/edit.h"

enum { REFUSAL_MAX = 256, REFUSAL_NAME_MAX = 80, LABEL_MAX = 64 };

struct mmd_handler_link {
    const mmd_handler *handler;
    void *context;
    mmd_handler_link *next;
};

typedef struct edit_node {
    char *name; /* NULL: removed */
    mmd_item parent;
    mmd_op *ops;
    size_t op_count;
} edit_node;

/* A model's placement as ops, which hold more than its staging does (pivots). They are valid while the
 * staging is what they were folded to. */
typedef struct edit_placement {
    bool known;
    mmd_op ops[7];
    size_t op_count;
    float position[3], rotation[3], scale;
} edit_placement;

/* Outside parents of an item that an edit set (by_hand.c). */
typedef struct edit_attachment edit_attachment;

typedef struct edit_step {
    char label[LABEL_MAX];
    mmd_command **commands;
    size_t count, room, bytes;
} edit_step;

typedef struct edit_observer {
    mmd_edit_observer *function;
    void *context;
} edit_observer;

/* The question that a handler's transform3d answers: its link where it serves edit_transform3d, so that
 * passing it on asks the same question; NULL: the whole object. */
typedef struct edit_question {
    const mmd_handler_link *link;
    mmd_edit_hint hint;
} edit_question;

struct mmd_edit {
    mmd_stage *stage;
    mmd_edit_options options;
    mmd_edit_keying keying;   /* motion NULL: edits write no keyframes */
    mmd_motion **key_motions; /* of mmd_edit_key_motions */
    size_t key_motion_count;
    bool stale; /* the stage must be evaluated before anything is read from it */
    bool
        remaps; /* commands are being moved to another stage, where the models of later steps may be off it */

    edit_node *nodes;
    size_t node_count;
    edit_placement *placements; /* by actor */
    size_t placement_count;
    edit_attachment *attachments;
    size_t attachment_count;

    mmd_handler_link *chain;
    edit_question question;
    char refusal[REFUSAL_MAX]; /* "": nothing was refused */
    mmd_refusal refusal_code;
    mmd_item refusal_item; /* zeroed: not known */
    char refusal_names[2][REFUSAL_NAME_MAX];

    edit_step *steps;
    size_t step_count, step_room, steps_done;
    edit_step open; /* the step begun by mmd_edit_begin */
    uint32_t depth;

    edit_observer *observers;
    size_t observer_count;
    mmd_item *changed;
    size_t changed_count, changed_room;
    uint32_t holding; /* above 0: observers are notified later */
};

/* --- op.c: 4 x 4 matrices, column-major, double precision --- */

void edit_identity(double m[16]);
void edit_multiply(const double a[16], const double b[16], double out[16]); /* out may be a or b */
bool edit_inverse(const double m[16], double out[16]); /* false: the matrix is singular */
void edit_from_floats(const float m[16], double out[16]);

void edit_matrix_quat(const double m[16], double q[4]);

/* --- source.c: stacks of ops of items --- */

/* Access to the ops of one kind of item. NULL: not supported. */
typedef struct edit_source {
    size_t (*read)(mmd_edit *edit, mmd_item item, mmd_op *ops);
    bool (*write)(mmd_edit *edit, mmd_item item, const char *name, const double *value);
    bool (*insert)(mmd_edit *edit, mmd_item item, size_t index, const mmd_op *op);
    bool (*remove)(mmd_edit *edit, mmd_item item, const char *name);
    void (*frame)(mmd_edit *edit, mmd_item item, double matrix[16]); /* the exclusive matrix */
    /* For values that motions set until an edit does: tests whether an edit did, and returns the value to
     * the motion. */
    bool (*is_owned)(mmd_edit *edit, mmd_item item);
    void (*disown)(mmd_edit *edit, mmd_item item);
} edit_source;

const edit_source *edit_source_of(mmd_item item);
extern const edit_source edit_bone_source, edit_model_source, edit_camera_source, edit_light_source,
    edit_node_source, edit_body_source, edit_joint_source;

/* Evaluates the stage if something was written since the last evaluation. */
void edit_refresh(mmd_edit *edit);

/* Prepares the stage for a write. mmd_edit_changed follows after it. */
void edit_before_write(mmd_edit *edit);

/* Returns the index of an op, not an inverse one, in a stack; count if it is not there. */
size_t edit_op_index(const mmd_op *ops, size_t count, const char *name);

/* Computes the product of ops first to last - 1. */
void edit_product(const mmd_op *ops, size_t first, size_t last, double matrix[16]);

/* Tests whether values may be those of an op: finite and at most 1e30. */
bool edit_sound(const double *values, int count);

/* --- bone.c --- */

/* Tests whether an item is a bone made from a glTF node, and so has a scale. */
bool edit_is_bone_node(const mmd_edit *edit, mmd_item item);

/*
 * Restricts a rotation to the fixed axis of a bone (捩り), as MMD does for keyframes that it registers
 * (docs/mmd.md 3.4: v' = a |v| sign(a.v), w stays). Does nothing for other ops, items and bones. Returns
 * false, with a refusal, if the rotation is at a right angle to the axis.
 */
bool edit_hold_to_axis(mmd_edit *edit, mmd_item item, const char *op, double rotation[4]);

/* --- command.c: which ops edits of an item change --- */

typedef struct layout_entry {
    const char *name;
    uint8_t kind;
    bool inverse;
} layout_entry;

typedef struct stack_layout {
    const char *names[MMD_COMPONENTS]; /* op of each component; NULL: none */
    const layout_entry *entries;       /* all ops in their order; NULL: ops are never created */
    size_t entry_count;
    bool at_end; /* ops are added behind all others, and can be edited only while they are the last */
} stack_layout;

extern const stack_layout edit_common_layout, edit_fallback_layout, edit_bone_layout, edit_bone_node_layout,
    edit_motion_layout, edit_matrix_layout;

/* Tests whether a stack has only ops of the layout, in its order. Read-only ops are skipped. */
bool edit_layout_matches(const stack_layout *layout, const mmd_op *ops, size_t count);

/* Tests whether an op belongs to the layout. */
bool edit_layout_has(const stack_layout *layout, const mmd_op *op);

/* Tests whether other ops follow those of a layout that must be last. */
bool edit_layout_buried(const stack_layout *layout, const mmd_op *ops, size_t count);

/* --- object.c --- */

typedef enum object_mode {
    OBJECT_FACE,  /* components are the values of their ops */
    OBJECT_WHOLE, /* components are those of the whole matrix of the item */
    OBJECT_OP     /* a single op */
} object_mode;

typedef struct stack_object {
    const stack_layout *layout;
    object_mode mode;
    bool read_only;
    char op[MMD_OP_NAME_MAX]; /* name of the op for OBJECT_OP */
} stack_object;

/* Creates an object. NULL, with a refusal, when out of memory. */
mmd_transform3d *edit_object_create(mmd_edit *edit, mmd_item item, const stack_object *made);

/* --- command.c --- */

/* Creates a command whose own memory is a copy of made. NULL, with a refusal, when out of memory. */
mmd_command *edit_command_of(mmd_edit *edit, const mmd_command_table *table, const void *made, size_t size);

/* Creates a command that sets a component, or (MMD_COMPONENTS) the matrix of the object. */
mmd_command *edit_stack_command(mmd_edit *edit, mmd_item item, const stack_object *object,
                                mmd_component component, const double *values);

size_t edit_command_bytes(const mmd_command *command);
const mmd_command_table *edit_command_table(const mmd_command *command);
bool edit_command_is_set(const mmd_command *command);

/* --- op.c: ops --- */

/* Computes the value with which an op equals a matrix. Returns false if there is none. */
bool edit_op_of_matrix(const mmd_op *op, const double m[16], double *out);

/* edit_encode computes the value of an op after a component was set, rotations in the form of the op;
 * edit_decode the reverse. */
void edit_encode(const mmd_op *op, mmd_component component, const double values[3], double *out);
void edit_decode(const mmd_op *op, double values[3]);

/* Computes a matrix with one component replaced. Returns false if that requires a division by a scale of
 * 0. */
bool edit_replace_component(const double m[16], mmd_component component, const double values[3],
                            double out[16]);
bool edit_component_of(const double m[16], mmd_component component, double values[3]);

/*
 * Computes values of the layout's ops (translation, rotation, scale; all of them must be in ops) with which
 * the product of all ops becomes m, and writes them to ops. Returns false if there are none, for example
 * because m has shear.
 */
bool edit_solve(mmd_op *ops, size_t count, const stack_layout *layout, const double m[16]);

/* --- scene.c --- */

/* Return the ops of a camera and of a light; and set one op of a camera. */
size_t edit_camera_ops(const mmd_camera *camera, mmd_op *ops);
size_t edit_light_ops(const mmd_light *light, mmd_op *ops);
void edit_set_camera_op(mmd_camera *camera, const char *name, const double *value);

/* --- keys.c, keys_scene.c --- */

/* Return the objects of a bone while edits write keyframes. NULL: refused. */
mmd_transform3d *edit_key_object(mmd_edit *edit, mmd_item item, mmd_edit_hint hint);
mmd_transform3d *edit_key_whole_object(mmd_edit *edit, mmd_item item);

/* Tests whether an item is camera or light and its edits write keyframes; and returns its object then.
 * NULL: refused. */
bool edit_keys_scene(const mmd_edit *edit, mmd_item item);
mmd_transform3d *edit_key_scene_object(mmd_edit *edit, mmd_item item);

/* --- handlers.c --- */

bool edit_standard_chain(mmd_edit *edit);

/* --- node.c --- */

/*
 * Adds a node: an item with any stack of ops, on which the handlers are tested. parent: the stage or a node.
 * name and ops are copied. This cannot be undone. Returns MMD_ERROR_MEMORY or MMD_ERROR_LIMIT (more than
 * MMD_OPS_MAX ops).
 */
mmd_status edit_add_node(mmd_edit *edit, mmd_item parent, const char *name, const mmd_op *ops, size_t count,
                         mmd_item *result, mmd_error *error);
/* Removes a node, the nodes below it, and the whole history. */
void edit_remove_node(mmd_edit *edit, mmd_item node);

/* --- path.c --- */

/* Returns the number of items of a kind in a model, or on the stage. Nodes that were removed are counted,
 * too. */
uint32_t edit_item_count(const mmd_edit *edit, uint32_t kind, uint32_t model);

/* Returns the name of a model, a bone, morph, body or joint, or a node. */
const char *edit_item_name(const mmd_edit *edit, mmd_item item);

/* --- chain.c, history.c, edit.c, node.c, placement.c, by_hand.c --- */

void edit_free_chain(mmd_handler_link *chain);
void edit_finish_history(mmd_edit *edit);
void edit_drop_step(edit_step *step);
void edit_move_placements(mmd_edit *edit, const mmd_edit_map *map);
void edit_finish_attachments(mmd_edit *edit);
/* Moves the outside parents by hand that are in no step to map->stage, while all steps are undone. Without
 * memory they are no longer by hand there. */
void edit_move_attachments(mmd_edit *edit, const mmd_edit_map *map);
void edit_finish_nodes(mmd_edit *edit);
void edit_hold(mmd_edit *edit);
void edit_release(mmd_edit *edit); /* notifies observers unless somebody else holds */

#endif
