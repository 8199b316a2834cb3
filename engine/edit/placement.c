/*
 * The placement of a model as a stack: translate, rotate and a uniform scale, as the staging has them, and
 * pivots, which it lacks. With pivots the stack is folded to the staging and kept beside it in double
 * precision, so that removing a pivot restores the exact placement.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/elementary.h"
#include "mmd/memory.h"

#define DEGREE            (3.14159265358979323846 / 180.0)
#define SIZE_MAX_OF_MODEL 1e6

/* Tests whether a stack still belongs to the staging: bit for bit what it was folded to. */
static bool same_placement(const edit_placement *placement, const mmd_staging *s)
{
    return placement->known && !memcmp(placement->position, s->position, sizeof s->position) &&
           !memcmp(placement->rotation, s->rotation, sizeof s->rotation) &&
           !memcmp(&placement->scale, &s->scale, sizeof s->scale);
}

/* Converts the staging to ops, without pivots. */
static size_t ops_of_staging(const mmd_staging *s, mmd_op *ops)
{
    ops[0] = mmd_op_make(MMD_OP_TRANSLATE, "translate");
    ops[1] = mmd_op_make(MMD_OP_ROTATE, "rotate");
    ops[2] = mmd_op_make(MMD_OP_SCALE, "scale");
    for (int k = 0; k < 3; k++) {
        ops[0].value[k] = (double)s->position[k];
        ops[1].value[k] = (double)s->rotation[k] / DEGREE;
        ops[2].value[k] = (double)s->scale;
    }
    return 3;
}

/* Returns the stored stack of a model, growing the table if needed. NULL, with a refusal, when out of
 * memory. */
static edit_placement *placement_of(mmd_edit *edit, uint32_t model)
{
    if (model >= edit->placement_count) {
        size_t count = mmd_stage_actor_count(edit->stage);
        edit_placement *grown = mmd_realloc(edit->placements, count * sizeof *grown);
        if (!grown) {
            mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
            return NULL;
        }
        memset(grown + edit->placement_count, 0, (count - edit->placement_count) * sizeof *grown);
        edit->placements = grown;
        edit->placement_count = count;
    }
    return &edit->placements[model];
}

/* Moves the stored stacks to the models of another stage. A stack whose model has another placement there
 * is ignored (same_placement). Out of memory, all pivots are lost. */
void edit_move_placements(mmd_edit *edit, const mmd_edit_map *map)
{
    assert(edit && map);
    size_t count = mmd_stage_actor_count(map->stage);
    edit_placement *moved = mmd_alloc((count ? count : 1) * sizeof *moved);
    for (size_t i = 0; moved && i < count; i++)
        moved[i] = (edit_placement){0};
    for (size_t i = 0; moved && i < edit->placement_count; i++) {
        mmd_item item = {.kind = MMD_ITEM_MODEL, .model = (uint32_t)i};
        if (map->item(map->context, &item) && item.model < count)
            moved[item.model] = edit->placements[i];
    }
    mmd_free(edit->placements);
    edit->placements = moved;
    edit->placement_count = moved ? count : 0;
}

/* Lists the ops of a placement. Those of a model that keyframes of a project place are read-only. */
static size_t read_model(mmd_edit *edit, mmd_item item, mmd_op *ops)
{
    edit_refresh(edit);
    const mmd_staging *s = mmd_stage_staging(edit->stage, item.model);
    const edit_placement *placement =
        item.model < edit->placement_count ? &edit->placements[item.model] : NULL;
    size_t count;
    if (placement && same_placement(placement, s)) {
        count = placement->op_count;
        memcpy(ops, placement->ops, count * sizeof *ops);
    } else {
        count = ops_of_staging(s, ops);
    }
    for (size_t i = 0; i < count && mmd_stage_has_staging_keys(edit->stage, item.model); i++)
        ops[i].read_only = true;
    return count;
}

/* Places the model as the ops say, and stores them. */
static bool fold(mmd_edit *edit, mmd_item item, const mmd_op *ops, size_t count)
{
    edit_placement *placement = placement_of(edit, item.model);
    if (!placement)
        return false;
    mmd_staging s = *mmd_stage_staging(edit->stage, item.model);
    double m[16];
    edit_product(ops, 0, count, m);
    const double *turn = ops[edit_op_index(ops, count, "rotate")].value;
    for (int k = 0; k < 3; k++) {
        s.position[k] = (float)m[12 + k];
        s.rotation[k] = (float)(turn[k] * DEGREE);
    }
    s.scale = (float)ops[edit_op_index(ops, count, "scale")].value[0];
    edit_before_write(edit);
    mmd_stage_set_staging(edit->stage, item.model, &s);
    *placement = (edit_placement){.known = true, .op_count = count, .scale = s.scale};
    memcpy(placement->ops, ops, count * sizeof *ops);
    memcpy(placement->position, s.position, sizeof s.position);
    memcpy(placement->rotation, s.rotation, sizeof s.rotation);
    mmd_edit_changed(edit, item);
    return true;
}

/* Returns the new uniform scale: of three factors the one that differs most from the old one. */
static double uniform_size(const double before, const double *value)
{
    double size = before;
    for (int k = 0; k < 3; k++)
        if (fabs(mmd_ln(value[k] / before)) > fabs(mmd_ln(size / before)))
            size = value[k];
    return size;
}

/* Sets one op of a placement. Scales are uniform. */
static bool write_model(mmd_edit *edit, mmd_item item, const char *name, const double *value)
{
    mmd_op ops[MMD_OPS_MAX];
    size_t count = read_model(edit, item, ops);
    if (mmd_stage_has_staging_keys(edit->stage, item.model))
        return false;
    double three[3] = {value[0], value[1], value[2]};
    if (!strcmp(name, "scale")) {
        for (int k = 0; k < 3; k++)
            if (!(value[k] >= 1.0 / SIZE_MAX_OF_MODEL && value[k] <= SIZE_MAX_OF_MODEL))
                return false;
        three[0] = three[1] = three[2] = uniform_size(ops[edit_op_index(ops, count, name)].value[0], value);
    }
    for (size_t i = 0; i < count; i++)
        if (!strcmp(ops[i].name, name))
            memcpy(ops[i].value, three, sizeof three);
    return fold(edit, item, ops, count);
}

/* Inserts a pivot, or its inverse. The other ops of the layout always exist. */
static bool insert_model(mmd_edit *edit, mmd_item item, size_t at, const mmd_op *op)
{
    mmd_op ops[MMD_OPS_MAX];
    size_t count = read_model(edit, item, ops);
    if (mmd_stage_has_staging_keys(edit->stage, item.model) || !edit_layout_has(&edit_common_layout, op))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(ops[i].name, op->name) && ops[i].inverse == op->inverse)
            return false;
    at = at < count ? at : count;
    memmove(ops + at + 1, ops + at, (count - at) * sizeof *ops);
    ops[at] = *op;
    return fold(edit, item, ops, count + 1);
}

/* Removes a pivot. The other ops always exist. */
static bool remove_model(mmd_edit *edit, mmd_item item, const char *name)
{
    mmd_op ops[MMD_OPS_MAX];
    size_t count = read_model(edit, item, ops), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!strstr(name, "Pivot") || strcmp(ops[i].name, name) != 0)
            ops[kept++] = ops[i];
    return kept < count && !mmd_stage_has_staging_keys(edit->stage, item.model) &&
           fold(edit, item, ops, kept);
}

/* Computes the exclusive matrix: the whole placement without its own stack. */
static void frame_of_model(mmd_edit *edit, mmd_item item, double matrix[16])
{
    edit_refresh(edit);
    const mmd_staging *s = mmd_stage_staging(edit->stage, item.model);
    edit_identity(matrix);
    if (!s->parent || s->parent_bone < 0)
        return;
    float placement[16];
    double whole[16], own[16];
    mmd_op ops[MMD_OPS_MAX];
    mmd_stage_placement(edit->stage, item.model, placement);
    edit_from_floats(placement, whole);
    edit_product(ops, 0, read_model(edit, item, ops), own);
    if (edit_inverse(own, own))
        edit_multiply(whole, own, matrix);
}

const edit_source edit_model_source = {.read = read_model,
                                       .write = write_model,
                                       .insert = insert_model,
                                       .remove = remove_model,
                                       .frame = frame_of_model};
