/* What the files of the edit module share. */
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

/* An actor's place as ops, which say more than its staging, as long as that is what they were folded to. */
typedef struct edit_placement {
    bool known;
    mmd_op ops[7];
    size_t op_count;
    float position[3], rotation[3], scale;
} edit_placement;

typedef struct edit_step {
    char label[LABEL_MAX];
    mmd_command **commands;
    size_t count, bytes;
} edit_step;

typedef struct edit_observer {
    mmd_edit_observer *function;
    void *context;
} edit_observer;

/* What a handler's transform3d is being asked for: its link where it serves edit_transform3d, so that what it
 * passes on is still that question; NULL: the whole object. */
typedef struct edit_question {
    const mmd_handler_link *link;
    mmd_edit_hint hint;
} edit_question;

struct mmd_edit {
    mmd_stage *stage;
    mmd_edit_options options;
    mmd_edit_keying keying; /* motion NULL: off */
    bool stale;             /* the stage is to be evaluated before anything is read off it */

    edit_node *nodes;
    size_t node_count;
    edit_placement *placements; /* by actor */
    size_t placement_count;

    mmd_handler_link *chain;
    edit_question question;
    char refusal[REFUSAL_MAX]; /* "": nobody refused */
    mmd_refusal refusal_code;
    char refusal_names[2][REFUSAL_NAME_MAX];

    edit_step *steps;
    size_t step_count, step_room, steps_done;
    edit_step open; /* what mmd_edit_begin began */
    uint32_t depth;

    edit_observer *observers;
    size_t observer_count;
    mmd_item *changed;
    size_t changed_count, changed_room;
    uint32_t holding; /* observers wait */
};

/* --- op.c: 4 x 4, column-major, double --- */

void edit_identity(double m[16]);
void edit_multiply(const double a[16], const double b[16], double out[16]); /* out may be a or b */
bool edit_inverse(const double m[16], double out[16]);                      /* false: there is none */
void edit_from_floats(const float m[16], double out[16]);

void edit_matrix_quat(const double m[16], double q[4]);

/* --- source.c: stacks of items --- */

/* What a kind of item has; functions that are NULL are not possible. */
typedef struct edit_source {
    size_t (*read)(mmd_edit *edit, mmd_item item, mmd_op *ops);
    bool (*write)(mmd_edit *edit, mmd_item item, const char *name, const double *value);
    bool (*insert)(mmd_edit *edit, mmd_item item, size_t index, const mmd_op *op);
    bool (*remove)(mmd_edit *edit, mmd_item item, const char *name);
    void (*frame)(mmd_edit *edit, mmd_item item, double matrix[16]); /* exclusive matrix */
    /* Where a motion says the value until an edit does: whether one did, and taking it back. */
    bool (*is_owned)(mmd_edit *edit, mmd_item item);
    void (*disown)(mmd_edit *edit, mmd_item item);
} edit_source;

const edit_source *edit_source_of(mmd_item item);
extern const edit_source edit_bone_source, edit_model_source, edit_camera_source, edit_light_source,
    edit_node_source, edit_body_source, edit_joint_source;

/* Evaluates the stage if something was written since. */
void edit_refresh(mmd_edit *edit);

/* Before something of the stage is written; mmd_edit_changed afterwards. */
void edit_before_write(mmd_edit *edit);

/* Place of an op in a stack, not the inverse one; count if it is not there. */
size_t edit_op_index(const mmd_op *ops, size_t count, const char *name);

/* Product of ops first to last - 1. */
void edit_product(const mmd_op *ops, size_t first, size_t last, double matrix[16]);

/* Whether values can be an op's: finite, in float's range where the item is single precision. */
bool edit_sound(const double *values, int count);

/* --- bone.c --- */

/* Whether an item is a bone that is a node of a glTF, and so has a scale. */
bool edit_is_bone_node(const mmd_edit *edit, mmd_item item);

/*
 * A bone with a fixed axis (捩り) turns about that only: turns the op of a bone
 * of this name into one that does, as MMD does with keys that it registers
 * (docs/mmd.md 3.4: v' = a |v| sign(a.v), w stays). Does nothing to other ops, items
 * and bones. False: it turns at a right angle to the axis, which the refusal says.
 */
bool edit_hold_to_axis(mmd_edit *edit, mmd_item item, const char *op, double rotation[4]);

/* --- command.c: which ops edits of an item hit --- */

typedef struct layout_entry {
    const char *name;
    uint8_t kind;
    bool inverse;
} layout_entry;

typedef struct stack_layout {
    const char *names[MMD_COMPONENTS]; /* op of each component; NULL: none */
    const layout_entry *entries;       /* in their order; NULL: nothing is ever created */
    size_t entry_count;
    bool at_end; /* ops are added behind all others, and count only as long as they are the last */
} stack_layout;

extern const stack_layout edit_common_layout, edit_fallback_layout, edit_bone_layout, edit_bone_node_layout,
    edit_motion_layout, edit_matrix_layout;

/* Whether a stack has nothing but ops of the layout, in its order; ops that cannot be written are passed
 * over. */
bool edit_layout_matches(const stack_layout *layout, const mmd_op *ops, size_t count);

/* Whether an op is one of the layout's. */
bool edit_layout_has(const stack_layout *layout, const mmd_op *op);

/* Whether something lies behind the ops of a layout that wants to be last. */
bool edit_layout_buried(const stack_layout *layout, const mmd_op *ops, size_t count);

/* --- object.c --- */

typedef enum object_mode {
    OBJECT_FACE,  /* components are the values of their ops */
    OBJECT_WHOLE, /* components are those of the item's whole matrix */
    OBJECT_OP     /* one op by itself */
} object_mode;

typedef struct stack_object {
    const stack_layout *layout;
    object_mode mode;
    bool read_only;
    char op[MMD_OP_NAME_MAX]; /* of OBJECT_OP */
} stack_object;

/* NULL: out of memory, which the refusal says. */
mmd_transform3d *edit_object_create(mmd_edit *edit, mmd_item item, const stack_object *made);

/* --- command.c --- */

/* A command whose own memory is a copy of made. NULL: out of memory, which the refusal says. */
mmd_command *edit_command_of(mmd_edit *edit, const mmd_command_table *table, const void *made, size_t size);

/* A command that sets a component, or (MMD_COMPONENTS) the object's matrix. */
mmd_command *edit_stack_command(mmd_edit *edit, mmd_item item, const stack_object *object,
                                mmd_component component, const double *values);

size_t edit_command_bytes(const mmd_command *command);
bool edit_command_is_set(const mmd_command *command);

/* --- op.c: ops --- */

/* The value with which an op is a matrix; false: there is none. */
bool edit_op_of_matrix(const mmd_op *op, const double m[16], double *out);

/* Value of an op after a component was set: rotations in whatever form the op has. */
void edit_encode(const mmd_op *op, mmd_component component, const double values[3], double *out);
void edit_decode(const mmd_op *op, double values[3]);

/* A matrix with one component another; false: a scale of 0 has to be divided by. */
bool edit_replace_component(const double m[16], mmd_component component, const double values[3],
                            double out[16]);
bool edit_component_of(const double m[16], mmd_component component, double values[3]);

/*
 * Values of the layout's ops (translation, rotation, scale; missing ones are in
 * ops, too) with which the product of all becomes m. Changes ops. False: there
 * are none, as where m has shear.
 */
bool edit_solve(mmd_op *ops, size_t count, const stack_layout *layout, const double m[16]);

/* --- scene.c --- */

/* The stacks of a camera and of a light; and one op of the first. */
size_t edit_camera_ops(const mmd_camera *camera, mmd_op *ops);
size_t edit_light_ops(const mmd_light *light, mmd_op *ops);
void edit_set_camera_op(mmd_camera *camera, const char *name, const double *value);

/* --- keys.c, keys_scene.c --- */

/* The object of a bone while keying. NULL: refused. */
mmd_transform3d *edit_key_object(mmd_edit *edit, mmd_item item, mmd_edit_hint hint);
mmd_transform3d *edit_key_whole_object(mmd_edit *edit, mmd_item item);

/* Whether an item is camera or light, edits of which write keys; and its object then. NULL: refused. */
bool edit_keys_scene(const mmd_edit *edit, mmd_item item);
mmd_transform3d *edit_key_scene_object(mmd_edit *edit, mmd_item item);

/* --- handlers.c --- */

bool edit_standard_chain(mmd_edit *edit);

/* --- node.c --- */

/*
 * Nodes: items of their own with any stack, on which the handlers are tested. parent: the stage or a node;
 * name and ops are copied. Not undoable, as making a model is not. MMD_ERROR_MEMORY, MMD_ERROR_LIMIT (more
 * than MMD_OPS_MAX ops).
 */
mmd_status edit_add_node(mmd_edit *edit, mmd_item parent, const char *name, const mmd_op *ops, size_t count,
                         mmd_item *result, mmd_error *error);
/* Removes those below it, too, and the whole history. */
void edit_remove_node(mmd_edit *edit, mmd_item node);

/* --- chain.c, history.c, edit.c, node.c, placement.c --- */

void edit_free_chain(mmd_handler_link *chain);
void edit_finish_history(mmd_edit *edit);
void edit_drop_step(edit_step *step);
void edit_move_placements(mmd_edit *edit, const mmd_edit_map *map);
void edit_finish_nodes(mmd_edit *edit);
void edit_hold(mmd_edit *edit);
void edit_release(mmd_edit *edit); /* tells observers, if nobody else holds */

#endif
