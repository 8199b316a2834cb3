#include "remap.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "mmd/format.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "scene/presence.h"

/* --- Counterparts of models and parts --- */

/* Counts the earlier models of the same file. */
static size_t number_of_file(const odori_scene *s, size_t model)
{
    size_t number = 0;
    for (size_t i = 0; i < model; i++)
        number += strcmp(s->models[i].path, s->models[model].path) == 0;
    return number;
}

static bool is_same_model(const scene_remap *r, size_t model, size_t other)
{
    return other < r->to->model_count &&
           strcmp(r->from->models[model].path, r->to->models[other].path) == 0 &&
           number_of_file(r->from, model) == number_of_file(r->to, other);
}

bool remap_model(const scene_remap *r, size_t *model)
{
    if (*model >= r->from->model_count)
        return false;
    size_t other = is_same_model(r, *model, *model) ? *model : 0;
    while (other < r->to->model_count && !is_same_model(r, *model, other))
        other++;
    *model = other < r->to->model_count ? other : *model;
    return other < r->to->model_count;
}

/* Kinds of named parts of models. */
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

/* Finds the part of the same index, if it has the same name; else the first of that name. */
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

static bool remap_part(const scene_remap *r, size_t model, part_kind kind, uint32_t *part)
{
    size_t other = model;
    return remap_model(r, &other) && *part < count_of(r->from->models[model].model, kind) &&
           find_part(r->from->models[model].model, r->to->models[other].model, kind, part);
}

bool remap_item(void *remap, mmd_item *item)
{
    const scene_remap *r = remap;
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
        found = item->kind != kinds[i].item || remap_part(r, item->model, kinds[i].part, &item->index);
    found = found && remap_model(r, &model);
    item->model = (uint32_t)model;
    return found;
}

/* --- Edited motions. They replace the motions of the same files even if those changed, so that unsaved
 * keyframes are not lost. --- */

int64_t remap_source(const scene_remap *r, int64_t source)
{
    int64_t number = 0;
    const scene_motion *m = source >= 0 ? &r->from->motions[source] : NULL;
    for (int64_t i = 0; m && i < source; i++)
        number += strcmp(r->from->motions[i].path, m->path) == 0;
    for (size_t i = 0; m && i < r->to->motion_count; i++)
        if (strcmp(r->to->motions[i].path, m->path) == 0 && number-- == 0)
            return (int64_t)i;
    return -1;
}

/* Tests whether two motions would give equal files. Out of memory counts as different. */
static bool are_equal(const mmd_motion *a, const mmd_motion *b)
{
    mmd_buffer one = {0}, other = {0};
    bool equal = mmd_vmd_write(a, &one, NULL) == MMD_OK && mmd_vmd_write(b, &other, NULL) == MMD_OK &&
                 one.size == other.size && memcmp(one.data, other.data, one.size) == 0;
    mmd_buffer_finish(&one);
    mmd_buffer_finish(&other);
    return equal;
}

/* Replaces a motion by the edited one wherever the other scene plays it. */
static void put_for(const scene_remap *r, const edited_motion *k, const mmd_motion *motion)
{
    if (motion && k->is_stage)
        mmd_stage_replace_scene_motion(r->to->stage, motion, k->motion);
    else if (motion)
        mmd_actor_replace_motion(r->to->models[k->model].actor, motion, k->motion, NULL);
}

/* Plays an edited motion instead of its file's, and instead of the motion that command lines
 * (state_lines.h) made of the same keyframes. Returns false when out of memory. */
static bool put_edited(const scene_remap *r, const edited_motion *k)
{
    const scene_motion *source = k->source >= 0 ? &r->to->motions[k->source] : NULL;
    bool played = source != NULL;
    for (size_t i = 0; i < r->to->edited_count; i++) {
        const edited_motion *present = &r->to->edited[i];
        if (present->model != k->model || present->is_stage != k->is_stage || present->source != k->source)
            continue;
        put_for(r, k, present->motion);
        played = true;
    }
    if (source) {
        put_for(r, k, source->motion);
        put_for(r, k, source->mirrored);
    }
    if (played)
        return true;
    return (k->is_stage ? mmd_stage_add_scene_motion(r->to->stage, k->motion, NULL)
                        : mmd_actor_add_motion(r->to->models[k->model].actor, k->motion, NULL)) == MMD_OK;
}

/* Tests whether there are edits to keep. If all keyframes are back to what they were, the old file's
 * motion is not kept. */
static bool is_worth_keeping(const scene_remap *r, const edited_motion *k)
{
    const mmd_edit *edit = r->session->history.edit;
    return mmd_edit_history_steps(edit) > 0 ||
           !are_equal(k->motion, k->source >= 0 ? r->from->motions[k->source].motion : NULL);
}

static void tell_changed(const scene_remap *r, const edited_motion *k, int64_t source)
{
    if (source >= 0 && !are_equal(r->from->motions[k->source].motion, r->to->motions[source].motion))
        panel_log_report(
            r->session->messages,
            "%s has changed; its keyframes were edited, so the old motion is kept with these edits until "
            "they are saved (motion.save) and the file is opened again",
            r->to->motions[source].path);
}

/* Moves an edited motion to the other scene. Returns false if nothing plays it there. */
static bool remap_edited(const scene_remap *r, edited_motion *k)
{
    const edited_motion before = *k;
    if ((!k->is_stage && !remap_model(r, &k->model)) || !is_worth_keeping(r, k))
        return false;
    k->source = remap_source(r, k->source);
    tell_changed(r, &before, k->source);
    if (put_edited(r, k))
        return true;
    panel_log_report(r->session->messages,
                     "out of memory: a motion with edited keyframes is no longer played");
    return false;
}

/* Returns whether a scene with these edited motions still plays another one: the stage, unless it plays one
 * of the same source instead, or an actor. */
static bool is_played(const odori_scene *s, const edited_motion *k)
{
    size_t count;
    bool replaced = false;
    for (size_t i = 0; i < s->edited_count; i++)
        replaced |= s->edited[i].is_stage && s->edited[i].source == k->source;
    if (k->is_stage)
        return !replaced;
    for (size_t i = 0; i < s->model_count; i++) {
        const mmd_actor_motion *motions = mmd_actor_motions(s->models[i].actor, &count);
        for (size_t m = 0; m < count; m++)
            if (motions[m].motion == k->motion || (k->mirrored && motions[m].motion == k->mirrored))
                return true;
    }
    return false;
}

/* Keeps motions that command lines made and that nothing has replaced: lines that edit keyframes of a model's
 * own motion edit those of a file where one has come meanwhile. Without memory they are never freed. */
static void keep_played(const scene_remap *r)
{
    odori_scene *from = r->from, *to = r->to;
    size_t left = 0;
    edited_motion *grown =
        mmd_realloc(to->edited, (to->edited_count + from->edited_count + 1) * sizeof *grown);
    to->edited = grown ? grown : to->edited;
    for (size_t i = 0; i < from->edited_count; i++) {
        if (!is_played(to, &from->edited[i]))
            from->edited[left++] = from->edited[i];
        else if (grown)
            to->edited[to->edited_count++] = from->edited[i];
    }
    from->edited_count = left;
}

/* Moves all edited motions. The scenes exchange their lists, so that motions made by command lines are
 * destroyed with the old scene. */
static void remap_keys(const scene_remap *r)
{
    odori_scene *from = r->from, *to = r->to;
    for (size_t i = 0; i < from->edited_count; i++) {
        edited_motion *k = &from->edited[i];
        if (!remap_edited(r, k))
            *k = (edited_motion){
                .model = SIZE_MAX, .source = -1, .motion = k->motion, .mirrored = k->mirrored};
    }
    edited_motion *list = from->edited;
    size_t count = from->edited_count;
    from->edited = to->edited;
    from->edited_count = to->edited_count;
    to->edited = list;
    to->edited_count = count;
    keep_played(r);
    if (from->edited_count) /* these are no longer played, so the frame is evaluated without them */
        mmd_stage_set_frame(to->stage, mmd_stage_frame(to->stage));
}

/* --- Edits in no step: a bounded history forgets old steps --- */

static void remap_bones(const scene_remap *r, size_t model, size_t other)
{
    const scene_model *a = &r->from->models[model], *b = &r->to->models[other];
    static const float nothing[7] = {0, 0, 0, 0, 0, 0, 1};
    for (uint32_t i = 0; i < a->model->bone_count; i++) {
        float v[7];
        uint32_t bone = i;
        mmd_pose_get_user(mmd_actor_pose(a->actor), i, v, v + 3);
        if (!remap_part(r, model, PART_BONE, &bone))
            continue;
        if (memcmp(v, nothing, sizeof v) != 0)
            mmd_pose_set_user(mmd_actor_pose(b->actor), bone, v, v + 3);
        if (mmd_pose_can_scale(mmd_actor_pose(a->actor)) && mmd_pose_can_scale(mmd_actor_pose(b->actor))) {
            mmd_pose_get_user_scale(mmd_actor_pose(a->actor), i, v);
            mmd_pose_set_user_scale(mmd_actor_pose(b->actor), bone, v);
        }
    }
}

static void remap_morphs(const scene_remap *r, size_t model, size_t other)
{
    const scene_model *a = &r->from->models[model], *b = &r->to->models[other];
    const float *weights = mmd_actor_morphs_by_hand(a->actor);
    for (uint32_t i = 0; i < a->model->morph_count; i++) {
        uint32_t morph = i;
        if (!isnan(weights[i]) && remap_part(r, model, PART_MORPH, &morph))
            mmd_actor_set_morph(b->actor, morph, weights[i]);
    }
}

/* Finds the counterpart of an outside parent; NULL stays NULL. */
static bool remap_parent(const scene_remap *r, mmd_actor **parent, int32_t *bone)
{
    mmd_item item = {.kind = MMD_ITEM_BONE, .index = (uint32_t)*bone};
    if (!*parent)
        return true;
    while (item.model < r->from->model_count && r->from->models[item.model].actor != *parent)
        item.model++;
    if (*bone < 0 || !remap_item((void *)(uintptr_t)r, &item))
        return false;
    *parent = r->to->models[item.model].actor;
    *bone = (int32_t)item.index;
    return true;
}

/* Moves the outside parents of a bone, unless a parent is gone. If they would form a ring, or memory is out,
 * it has none. */
static void remap_outside_keys(const scene_remap *r, size_t model, int32_t from, size_t other, int32_t to)
{
    size_t count;
    const mmd_outside_key *keys = mmd_stage_outside_keys(r->from->stage, model, from, &count);
    mmd_outside_key *moved = count ? mmd_alloc(count * sizeof *moved) : NULL;
    bool found = moved != NULL;
    for (size_t i = 0; i < count && found; i++) {
        moved[i] = keys[i];
        found = remap_parent(r, &moved[i].parent, &moved[i].parent_bone);
    }
    if (found && mmd_stage_set_outside_keys(r->to->stage, other, to, moved, count, NULL) != MMD_OK)
        mmd_stage_set_outside_parent(r->to->stage, other, to, NULL, -1, NULL);
    mmd_free(moved);
}

/* Moves the outside parents that options of the command line gave. A project sets its own again, and the edit
 * moves those that are set by hand. */
static void remap_outside_parents(const scene_remap *r, size_t model, size_t other)
{
    const scene_model *m = &r->from->models[model];
    if (m->project)
        return;
    for (int32_t b = MMD_WHOLE_ACTOR; b < (int32_t)m->model->bone_count; b++) {
        uint32_t bone = (uint32_t)b;
        if (b < 0 || remap_part(r, model, PART_BONE, &bone))
            remap_outside_keys(r, model, b, other, b < 0 ? b : (int32_t)bone);
    }
}

static void remap_places(const scene_remap *r, size_t model, size_t other)
{
    const mmd_model *m = r->from->models[model].model;
    for (uint32_t i = 0; i < count_of(m, PART_BODY); i++) {
        mmd_body_transform transform;
        uint32_t body = i;
        if (mmd_stage_body_transform(r->from->stage, model, i, &transform) &&
            remap_part(r, model, PART_BODY, &body))
            mmd_stage_place_body(r->to->stage, other, body, &transform, NULL);
    }
    for (uint32_t i = 0; i < count_of(m, PART_JOINT); i++) {
        mmd_transform transform;
        uint32_t joint = i;
        if (mmd_stage_joint_transform(r->from->stage, model, i, &transform) &&
            remap_part(r, model, PART_JOINT, &joint))
            mmd_stage_place_joint(r->to->stage, other, joint, &transform, NULL);
    }
}

/* Moves names by hand, and removes the models whose removal is in no step. The other scene has them all. */
static void remap_list(const scene_remap *r, size_t model, size_t other)
{
    const char *name = mmd_stage_name(r->from->stage, model);
    bool is_own = strcmp(name, r->from->models[model].model->name) == 0;
    if (mmd_stage_set_name(r->to->stage, other, is_own ? NULL : name, NULL) != MMD_OK)
        panel_log_report(r->session->messages, "out of memory: a model has its own name again");
    scene_set_present(r->to, other, scene_is_present(r->from, model));
}

/* Gives a model that replaced another one the motions of that, which may have been edited. */
static void take_motions_of(const scene_remap *r, size_t model)
{
    scene_model *m = &r->to->models[model];
    size_t count;
    double delay = mmd_actor_delay(m->actor);
    const mmd_actor_motion *now = mmd_actor_motions(m->actor, &count);
    float *weights = mmd_alloc((count + 1) * sizeof *weights);
    for (size_t i = 0; weights && i < count; i++)
        weights[i] = now[i].weight;
    bool taken = weights && m->role < r->to->model_count &&
                 mmd_actor_take_motions(m->actor, r->to->models[m->role].actor, NULL) == MMD_OK;
    size_t had = count;
    mmd_actor_motions(m->actor, &count);
    mmd_actor_set_delay(m->actor, delay); /* delay and weights were set by lines before */
    for (size_t i = 0; taken && i < had && i < count; i++)
        taken = mmd_actor_set_weight(m->actor, i, weights[i], NULL) == MMD_OK;
    mmd_free(weights);
    if (!taken)
        panel_log_report(r->session->messages, "out of memory: edited keyframes of a model are not played");
}

/* Moves edits that are in no step, while all steps are undone. */
static void remap_base(void *remap, mmd_edit *edit)
{
    const scene_remap *r = remap;
    (void)edit;
    mmd_stage_settle(r->from->stage);
    mmd_stage_settle(r->to->stage);
    for (size_t i = 0; i < r->from->model_count; i++) {
        size_t other = i;
        if (!remap_model(r, &other))
            continue;
        remap_bones(r, i, other);
        remap_morphs(r, i, other);
        remap_places(r, i, other);
        remap_list(r, i, other);
    }
    remap_keys(r);
    for (size_t i = 0; i < r->to->model_count; i++)
        if (r->to->models[i].role != i)
            take_motions_of(r, i);
    for (size_t i = 0; i < r->from->model_count; i++) {
        size_t other = i;
        if (remap_model(r, &other))
            remap_outside_parents(r, i, other);
    }
    history_remap(&r->session->history, r->to);
}

/* --- Moving everything --- */

static bool has_places(const odori_scene *s)
{
    mmd_body_transform body;
    mmd_transform joint;
    for (size_t i = 0; i < s->model_count; i++) {
        for (uint32_t k = 0; k < count_of(s->models[i].model, PART_BODY); k++)
            if (mmd_stage_body_transform(s->stage, i, k, &body))
                return true;
        for (uint32_t k = 0; k < count_of(s->models[i].model, PART_JOINT); k++)
            if (mmd_stage_joint_transform(s->stage, i, k, &joint))
                return true;
    }
    return false;
}

void remap_edits(odori_session *s, odori_scene *to)
{
    scene_remap remap = {.from = s->scene, .to = to, .session = s};
    const mmd_edit_map map = {
        .stage = to->stage, .item = remap_item, .undone = remap_base, .context = &remap};
    selection_cancel_drag(s); /* an unfinished drag is not a step yet */
    mmd_edit *edit = history_edit(&s->history);
    if (!edit) {
        panel_log_report(s->messages, "out of memory: all edits are lost");
        history_finish(&s->history);
        history_init(&s->history, to);
        return;
    }
    size_t gone = mmd_edit_move(edit, &map);
    if (gone)
        panel_log_report(s->messages, "%zu edit%s lost: the files no longer have what %s changed", gone,
                         gone == 1 ? " is" : "s are", gone == 1 ? "it" : "they");
    selection_remap(&s->selection, &map);
    if (has_places(to))
        session_restart(s);
}
