/*
 * The standard chain of handlers (docs/formats.md 6): bones moved by physics, bones, single matrices, the
 * common ops, and last the fallback, which adds ops behind all others. Each handles the items it knows and
 * passes the others on.
 */
#include <assert.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/simulation.h"

/* --- Bones moved by physics: refused while time passes --- */

static const mmd_model *model_of(const mmd_edit *edit, mmd_item item)
{
    return mmd_actor_model(mmd_stage_actor(edit->stage, item.model));
}

/* Tests whether a simulated body belongs to a bone. */
static bool physics_moves(mmd_edit *edit, mmd_item item)
{
    if (item.kind != MMD_ITEM_BONE)
        return false;
    const mmd_physscene *scene = mmd_stage_physscene(edit->stage, item.model);
    for (uint32_t b = 0; scene && b < scene->body_count; b++)
        if (scene->bodies[b].bone == (int32_t)item.index &&
            mmd_stage_body_simulated(edit->stage, item.model, b))
            return true;
    return false;
}

/* Refuses if physics moves the item and playback is not paused. */
static bool physics_refuses(mmd_edit *edit, mmd_item item)
{
    if (edit->options.paused || !physics_moves(edit, item))
        return false;
    mmd_edit_refuse_item(edit, MMD_REFUSAL_PHYSICS, item, NULL, NULL);
    return true;
}

/* Passes the question on unless physics moves the bone. */
static mmd_transform3d *physics_whole(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                      mmd_item item)
{
    (void)context;
    return physics_refuses(edit, item) ? NULL : mmd_edit_next_transform3d(edit, link, item);
}

/* Passes the question on unless physics moves the bone. */
static mmd_transform3d *physics_edit(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                     mmd_item item, mmd_edit_hint hint)
{
    (void)context;
    return physics_refuses(edit, item) ? NULL : mmd_edit_next_edit_transform3d(edit, link, item, hint);
}

/* --- Bones --- */

/* Returns the index of a bone in the links of an IK chain, which begin at the effector; link_count if it
 * is not among them. */
static uint32_t link_of(const mmd_bone *goal, uint32_t bone)
{
    uint32_t i = 0;
    while (i < goal->ik_link_count && goal->ik_links[i].bone != (int32_t)bone)
        i++;
    return i;
}

/*
 * Tests whether the IK of a goal determines what an edit of the bone is about to change. IK rotates its
 * links, and so moves the target and all links but the outermost.
 */
static bool decides(const mmd_bone *goal, uint32_t bone, mmd_edit_hint hint)
{
    uint32_t link = link_of(goal, bone);
    bool turns = link < goal->ik_link_count;
    bool moves = goal->ik_target == (int32_t)bone || link + 1 < goal->ik_link_count;
    return hint == MMD_HINT_TRANSLATE ? moves : hint == MMD_HINT_ROTATE ? turns : turns || moves;
}

/* Finds the goal whose active IK determines the bone; of several the last one evaluated. */
static bool find_goal(mmd_edit *edit, mmd_item item, mmd_edit_hint hint, mmd_item *goal)
{
    const mmd_model *model = model_of(edit, item);
    const mmd_pose_values *values = mmd_actor_values(mmd_stage_actor(edit->stage, item.model));
    bool found = false;
    for (uint32_t i = 0; i < model->bone_count; i++) {
        uint32_t b = model->bone_order[i];
        const mmd_bone *bone = &model->bones[b];
        if (!(bone->flags & MMD_BONE_IK) || !values->ik_on[b] || b == item.index ||
            !decides(bone, item.index, hint))
            continue;
        *goal = (mmd_item){.kind = MMD_ITEM_BONE, .model = item.model, .index = b};
        found = true;
    }
    return found;
}

/* Creates an object for one op of a bone. */
static mmd_transform3d *bone_op(mmd_edit *edit, mmd_item item, const stack_layout *layout, const char *name)
{
    stack_object one = {.layout = layout, .mode = OBJECT_OP};
    memcpy(one.op, name, strlen(name) + 1);
    return edit_object_create(edit, item, &one);
}

/* Refuses an edit of a bone that IK moves, naming the goal to move instead. */
static mmd_transform3d *refuse_ik(mmd_edit *edit, mmd_item item, mmd_item goal)
{
    mmd_edit_refuse_item(edit, MMD_REFUSAL_IK, item, model_of(edit, goal)->bones[goal.index].name, NULL);
    return NULL;
}

/* Returns the object for an edit of a bone: its keyframe, or one or both of the user's ops. */
static mmd_transform3d *edit_bone(mmd_edit *edit, mmd_item item, mmd_edit_hint hint)
{
    static const stack_object both = {.layout = &edit_bone_layout, .mode = OBJECT_FACE};
    if (mmd_edit_is_keying(edit) && hint <= MMD_HINT_ROTATE)
        return edit_key_object(edit, item, hint);
    switch (hint) {
    case MMD_HINT_TRANSLATE:
        return bone_op(edit, item, &edit_bone_layout, "user:translate");
    case MMD_HINT_ROTATE:
        return bone_op(edit, item, &edit_bone_layout, "user:rotate");
    case MMD_HINT_NONE:
        return edit_object_create(edit, item, &both);
    default:
        if (edit_is_bone_node(edit, item) && hint == MMD_HINT_SCALE)
            mmd_edit_refuse_item(edit, MMD_REFUSAL_KEY_SCALE, item, NULL, NULL);
        else
            mmd_edit_refuse_item(edit,
                                 hint == MMD_HINT_SCALE ? MMD_REFUSAL_BONE_SCALE : MMD_REFUSAL_BONE_PIVOT,
                                 item, NULL, NULL);
        return NULL;
    }
}

/* Tests whether a bone is made from a glTF node and edits write no keyframes. The common handler serves
 * such bones. */
static bool is_common(mmd_edit *edit, mmd_item item)
{
    return edit_is_bone_node(edit, item) && !mmd_edit_is_keying(edit);
}

/* Serves edits of bones. Edits of what IK determines are refused, or, where the option allows it,
 * translations go to the IK goal. */
static mmd_transform3d *bone_edit(void *context, mmd_edit *edit, const mmd_handler_link *link, mmd_item item,
                                  mmd_edit_hint hint)
{
    (void)context;
    mmd_item goal;
    if (item.kind != MMD_ITEM_BONE || is_common(edit, item))
        return mmd_edit_next_edit_transform3d(edit, link, item, hint);
    if (!find_goal(edit, item, hint, &goal))
        return edit_bone(edit, item, hint);
    if (edit->options.redirect_ik && hint == MMD_HINT_TRANSLATE)
        return edit_bone(edit, goal, hint);
    return refuse_ik(edit, item, goal);
}

/* Returns the object of a whole bone, which is edited through the user's two ops. */
static mmd_transform3d *bone_whole(void *context, mmd_edit *edit, const mmd_handler_link *link, mmd_item item)
{
    static const stack_object whole = {.layout = &edit_bone_layout, .mode = OBJECT_WHOLE};
    (void)context;
    mmd_item goal;
    if (item.kind != MMD_ITEM_BONE || is_common(edit, item))
        return mmd_edit_next_transform3d(edit, link, item);
    if (find_goal(edit, item, MMD_HINT_NONE, &goal))
        return refuse_ik(edit, item, goal);
    return mmd_edit_is_keying(edit) ? edit_key_whole_object(edit, item)
                                    : edit_object_create(edit, item, &whole);
}

/* --- A single matrix --- */

/* Returns an object for an item whose only op is a writable matrix; NULL for other items. */
static mmd_transform3d *matrix_object(mmd_edit *edit, mmd_item item)
{
    mmd_op ops[MMD_OPS_MAX];
    if (mmd_edit_ops(edit, item, ops) != 1 || ops[0].kind != MMD_OP_MATRIX || ops[0].read_only ||
        ops[0].inverse)
        return NULL;
    stack_object one = {.layout = &edit_matrix_layout, .mode = OBJECT_OP};
    memcpy(one.op, ops[0].name, sizeof one.op);
    return edit_object_create(edit, item, &one);
}

/* Serves whole items that have a single matrix. */
static mmd_transform3d *matrix_whole(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                     mmd_item item)
{
    (void)context;
    mmd_transform3d *object = matrix_object(edit, item);
    return object ? object : mmd_edit_next_transform3d(edit, link, item);
}

/* Serves edits of a single matrix. It has no pivots, so the fallback adds them behind it. */
static mmd_transform3d *matrix_edit(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                    mmd_item item, mmd_edit_hint hint)
{
    (void)context;
    bool pivot = hint == MMD_HINT_ROTATE_PIVOT || hint == MMD_HINT_SCALE_PIVOT;
    mmd_transform3d *object = pivot ? NULL : matrix_object(edit, item);
    return object ? object : mmd_edit_next_edit_transform3d(edit, link, item, hint);
}

/* --- The common ops --- */

/* Returns an object for an item whose ops match the common layout; NULL for other items. */
static mmd_transform3d *common_object(mmd_edit *edit, mmd_item item)
{
    static const stack_object common = {.layout = &edit_common_layout, .mode = OBJECT_FACE};
    mmd_op ops[MMD_OPS_MAX];
    if (edit_keys_scene(edit, item))
        return edit_key_scene_object(edit, item);
    if (item.kind == MMD_ITEM_STAGE || item.kind == MMD_ITEM_MORPH || item.kind == MMD_ITEM_SWITCHES ||
        item.kind == MMD_ITEM_SHADOW ||
        !edit_layout_matches(&edit_common_layout, ops, mmd_edit_ops(edit, item, ops)))
        return NULL;
    return edit_object_create(edit, item, &common);
}

/* Returns the object for one of the user's ops of a glTF node, or for all of them (MMD_HINT_NONE). */
static mmd_transform3d *edit_bone_node(mmd_edit *edit, mmd_item item, mmd_edit_hint hint)
{
    static const stack_object all = {.layout = &edit_bone_node_layout, .mode = OBJECT_FACE};
    static const mmd_component components[] = {[MMD_HINT_TRANSLATE] = MMD_TRANSLATION,
                                               [MMD_HINT_ROTATE] = MMD_ROTATION,
                                               [MMD_HINT_SCALE] = MMD_SCALE};
    if (hint == MMD_HINT_NONE)
        return edit_object_create(edit, item, &all);
    if (hint <= MMD_HINT_SCALE)
        return bone_op(edit, item, &edit_bone_node_layout, edit_bone_node_layout.names[components[hint]]);
    mmd_edit_refuse_item(edit, MMD_REFUSAL_NODE_PIVOT, item, NULL, NULL);
    return NULL;
}

/* Refuses for a model that keyframes of a project place. */
static bool keys_place(mmd_edit *edit, mmd_item item)
{
    if (item.kind != MMD_ITEM_MODEL || !mmd_stage_has_staging_keys(edit->stage, item.model))
        return false;
    mmd_edit_refuse_item(edit, MMD_REFUSAL_PROJECT, item, NULL, NULL);
    return true;
}

/* Serves whole items with the common ops, and bones made from glTF nodes. */
static mmd_transform3d *common_whole(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                     mmd_item item)
{
    static const stack_object node = {.layout = &edit_bone_node_layout, .mode = OBJECT_WHOLE};
    (void)context;
    if (keys_place(edit, item))
        return NULL;
    if (edit_is_bone_node(edit, item))
        return edit_object_create(edit, item, &node);
    mmd_transform3d *object = common_object(edit, item);
    return object || edit_keys_scene(edit, item) ? object : mmd_edit_next_transform3d(edit, link, item);
}

/* Serves edits of items with the common ops, and of bones made from glTF nodes. */
static mmd_transform3d *common_edit(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                    mmd_item item, mmd_edit_hint hint)
{
    (void)context;
    if (keys_place(edit, item))
        return NULL;
    if (edit_is_bone_node(edit, item))
        return edit_bone_node(edit, item, hint);
    mmd_transform3d *object = common_object(edit, item);
    return object || edit_keys_scene(edit, item) ? object
                                                 : mmd_edit_next_edit_transform3d(edit, link, item, hint);
}

/* --- The fallback: ops of its own behind all others --- */

/* Returns an object for ops that are added behind all others. Only nodes can have these. */
static mmd_transform3d *fallback_object(mmd_edit *edit, mmd_item item, object_mode mode)
{
    const stack_object fallback = {.layout = &edit_fallback_layout, .mode = mode};
    mmd_op ops[MMD_OPS_MAX];
    size_t count = mmd_edit_ops(edit, item, ops);
    if (item.kind != MMD_ITEM_NODE) { /* only nodes can have ops of any name */
        mmd_edit_refuse_item(edit, MMD_REFUSAL_NOTHING, item, NULL, NULL);
        return NULL;
    }
    if (edit_layout_buried(&edit_fallback_layout, ops, count)) {
        mmd_edit_refuse_item(edit, MMD_REFUSAL_BURIED, item, NULL, NULL);
        return NULL;
    }
    return edit_object_create(edit, item, &fallback);
}

/* Serves whole items that no other handler serves. */
static mmd_transform3d *fallback_whole(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                       mmd_item item)
{
    (void)context;
    (void)link;
    return fallback_object(edit, item, OBJECT_WHOLE);
}

/* Serves edits of items that no other handler serves. */
static mmd_transform3d *fallback_edit(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                      mmd_item item, mmd_edit_hint hint)
{
    (void)context;
    (void)link;
    (void)hint;
    return fallback_object(edit, item, OBJECT_FACE);
}

bool edit_standard_chain(mmd_edit *edit)
{
    assert(edit);
    static const mmd_handler standard[] = {
        {.name = "physics", .transform3d = physics_whole, .edit_transform3d = physics_edit},
        {.name = "bone", .transform3d = bone_whole, .edit_transform3d = bone_edit},
        {.name = "matrix", .transform3d = matrix_whole, .edit_transform3d = matrix_edit},
        {.name = "common", .transform3d = common_whole, .edit_transform3d = common_edit},
        {.name = "fallback", .transform3d = fallback_whole, .edit_transform3d = fallback_edit},
    };
    enum { COUNT = sizeof standard / sizeof *standard };
    const mmd_handler *handlers[COUNT];
    for (int i = 0; i < COUNT; i++)
        handlers[i] = &standard[i];
    return mmd_edit_set_chain(edit, handlers, NULL, COUNT);
}
