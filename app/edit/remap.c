#include "remap.h"

#include <math.h>
#include <string.h>

#include "mmd/simulation.h"
#include "base/message.h"

/* --- Who is who --- */

/* How many models before this one are of its file. */
static size_t number_of_file(const odori_scene *s, size_t model)
{
    size_t number = 0;
    for (size_t i = 0; i < model; i++)
        number += strcmp(s->models[i].path, s->models[model].path) == 0;
    return number;
}

static bool is_same_model(const odori_carry *c, size_t model, size_t other)
{
    return other < c->to->model_count &&
           strcmp(c->from->models[model].path, c->to->models[other].path) == 0 &&
           number_of_file(c->from, model) == number_of_file(c->to, other);
}

bool carry_model(const odori_carry *c, size_t *model)
{
    if (*model >= c->from->model_count)
        return false;
    size_t other = is_same_model(c, *model, *model) ? *model : 0;
    while (other < c->to->model_count && !is_same_model(c, *model, other))
        other++;
    *model = other < c->to->model_count ? other : *model;
    return other < c->to->model_count;
}

/* Parts of models that have names. */
typedef enum part_kind { PART_BONE, PART_MORPH, PART_BODY, PART_JOINT } part_kind;

static uint32_t count_of(const mmd_model *m, part_kind kind)
{
    switch (kind) {
    case PART_BONE:
        return m->bone_count;
    case PART_MORPH:
        return m->morph_count;
    case PART_BODY:
        return m->physscene ? m->physscene->body_count : m->body_count;
    default:
        return m->physscene ? m->physscene->joint_count : m->joint_count;
    }
}

static const char *name_of(const mmd_model *m, part_kind kind, uint32_t i)
{
    switch (kind) {
    case PART_BONE:
        return m->bones[i].name;
    case PART_MORPH:
        return m->morphs[i].name;
    case PART_BODY:
        return m->physscene ? m->physscene->bodies[i].name : m->bodies[i].name;
    default:
        return m->physscene ? m->physscene->joints[i].name : m->joints[i].name;
    }
}

/* The part of the same number, if it has the same name; else the first of the name. */
static bool find_part(const mmd_model *from, const mmd_model *to, part_kind kind, uint32_t *part)
{
    const char *name = name_of(from, kind, *part);
    uint32_t count = count_of(to, kind), other = 0;
    if (*part < count && strcmp(name_of(to, kind, *part), name) == 0)
        return true;
    while (other < count && strcmp(name_of(to, kind, other), name) != 0)
        other++;
    *part = *name && other < count ? other : *part;
    return *name && other < count;
}

static bool carry_part(const odori_carry *c, size_t model, part_kind kind, uint32_t *part)
{
    size_t other = model;
    return carry_model(c, &other) && *part < count_of(c->from->models[model].model, kind) &&
           find_part(c->from->models[model].model, c->to->models[other].model, kind, part);
}

bool carry_morph(const odori_carry *c, size_t model, uint32_t *morph)
{
    return carry_part(c, model, PART_MORPH, morph);
}

bool carry_item(void *carry, mmd_item *item)
{
    const odori_carry *c = carry;
    size_t model = item->model;
    static const struct {
        uint32_t item;
        part_kind part;
    } kinds[] = {{MMD_ITEM_BONE, PART_BONE},
                 {MMD_ITEM_MORPH, PART_MORPH},
                 {MMD_ITEM_BODY, PART_BODY},
                 {MMD_ITEM_JOINT, PART_JOINT}};
    bool found = true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && found; i++)
        found = item->kind != kinds[i].item || carry_part(c, item->model, kinds[i].part, &item->index);
    found = found && carry_model(c, &model);
    item->model = (uint32_t)model;
    return found;
}

bool carry_parent(const odori_carry *c, mmd_actor **parent, int32_t *bone)
{
    mmd_item item = {.kind = MMD_ITEM_BONE, .index = (uint32_t)*bone};
    if (!*parent)
        return true;
    while (item.model < c->from->model_count && c->from->models[item.model].actor != *parent)
        item.model++;
    if (*bone < 0 || !carry_item((void *)(uintptr_t)c, &item))
        return false;
    *parent = c->to->models[item.model].actor;
    *bone = (int32_t)item.index;
    return true;
}

/* --- What no step knows: steps were forgotten, a bounded history having run over --- */

static void carry_bones(const odori_carry *c, size_t model, size_t other)
{
    const scene_model *a = &c->from->models[model], *b = &c->to->models[other];
    static const float nothing[7] = {0, 0, 0, 0, 0, 0, 1};
    for (uint32_t i = 0; i < a->model->bone_count; i++) {
        float v[7];
        uint32_t bone = i;
        mmd_pose_get_user(mmd_actor_pose(a->actor), i, v, v + 3);
        if (!carry_part(c, model, PART_BONE, &bone))
            continue;
        if (memcmp(v, nothing, sizeof v) != 0)
            mmd_pose_set_user(mmd_actor_pose(b->actor), bone, v, v + 3);
        if (mmd_pose_can_scale(mmd_actor_pose(a->actor)) && mmd_pose_can_scale(mmd_actor_pose(b->actor))) {
            mmd_pose_get_user_scale(mmd_actor_pose(a->actor), i, v);
            mmd_pose_set_user_scale(mmd_actor_pose(b->actor), bone, v);
        }
    }
}

static void carry_places(const odori_carry *c, size_t model, size_t other)
{
    const mmd_model *m = c->from->models[model].model;
    for (uint32_t i = 0; i < count_of(m, PART_BODY); i++) {
        mmd_body_place place;
        uint32_t body = i;
        if (mmd_stage_body_place(c->from->stage, model, i, &place) && carry_part(c, model, PART_BODY, &body))
            mmd_stage_place_body(c->to->stage, other, body, &place, NULL);
    }
    for (uint32_t i = 0; i < count_of(m, PART_JOINT); i++) {
        mmd_transform place;
        uint32_t joint = i;
        if (mmd_stage_joint_place(c->from->stage, model, i, &place) &&
            carry_part(c, model, PART_JOINT, &joint))
            mmd_stage_place_joint(c->to->stage, other, joint, &place, NULL);
    }
}

/* What all is undone for. */
static void carry_base(void *carry, mmd_edit *edit)
{
    const odori_carry *c = carry;
    (void)edit;
    mmd_stage_settle(c->from->stage);
    mmd_stage_settle(c->to->stage);
    for (size_t i = 0; i < c->from->model_count; i++) {
        size_t other = i;
        if (!carry_model(c, &other))
            continue;
        carry_bones(c, i, other);
        carry_places(c, i, other);
    }
    carry_keys(c);
    history_carry(&c->session->history, c);
}

/* --- All of it --- */

static bool has_places(const odori_scene *s)
{
    mmd_body_place body;
    mmd_transform joint;
    for (size_t i = 0; i < s->model_count; i++) {
        for (uint32_t k = 0; k < count_of(s->models[i].model, PART_BODY); k++)
            if (mmd_stage_body_place(s->stage, i, k, &body))
                return true;
        for (uint32_t k = 0; k < count_of(s->models[i].model, PART_JOINT); k++)
            if (mmd_stage_joint_place(s->stage, i, k, &joint))
                return true;
    }
    return false;
}

void carry_edits(odori_session *s, odori_scene *to)
{
    odori_carry carry = {.from = s->scene, .to = to, .session = s};
    const mmd_edit_map map = {
        .stage = to->stage, .item = carry_item, .undone = carry_base, .context = &carry};
    selection_cancel_drag(s); /* what the mouse holds is no step yet */
    mmd_edit *edit = history_edit(&s->history);
    if (!edit) {
        panel_log_tell(s->messages, "out of memory: what was edited is lost");
        history_finish(&s->history);
        history_init(&s->history, to);
        return;
    }
    size_t gone = mmd_edit_move(edit, &map);
    if (gone)
        panel_log_tell(s->messages, "%zu edit%s forgotten: the files have not any more what %s of", gone,
                       gone == 1 ? " is" : "s are", gone == 1 ? "it was" : "they were");
    selection_carry(&s->selection, &map);
    if (has_places(to))
        session_restart(s);
}
