/*
 * What a step has changed is seen by doing it: all is undone, then done again
 * step by step, and after each one everything that can be edited is compared
 * with what it was. So nothing has to be known of how steps are kept.
 */
#include "edit_steps.h"

#include <math.h>
#include <string.h>

#include "gizmo_hand.h"
#include "mmd/simulation.h"

/* --- Values that can be edited --- */

typedef struct hung {
    const mmd_actor *parent;
    int32_t bone;
} hung;

typedef struct model_values {
    float (*bones)[7];
    float *weights;
    hung *hung; /* of all of the model, then by bone */
} model_values;

static void read_bone(const scene_model *m, uint32_t bone, float values[7])
{
    mmd_pose_get_user(mmd_actor_pose(m->actor), bone, values, values + 3);
}

static hung read_hung(const odori_session *s, size_t model, int32_t bone)
{
    size_t count;
    const mmd_outside_key *keys = mmd_stage_outside_keys(s->scene->stage, model, bone, &count);
    return count ? (hung){keys[0].parent, keys[0].parent_bone} : (hung){NULL, -1};
}

static bool read_values(const odori_session *s, size_t model, mmd_arena *arena, model_values *v)
{
    const scene_model *m = &s->scene->models[model];
    v->bones = mmd_arena_alloc(arena, m->model->bone_count, sizeof *v->bones);
    v->weights = mmd_arena_alloc(arena, m->model->morph_count, sizeof *v->weights);
    v->hung = mmd_arena_alloc(arena, (size_t)m->model->bone_count + 1, sizeof *v->hung);
    if (!v->bones || !v->weights || !v->hung)
        return false;
    for (uint32_t i = 0; i < m->model->bone_count; i++)
        read_bone(m, i, v->bones[i]);
    for (uint32_t i = 0; i < m->model->morph_count; i++)
        v->weights[i] = history_weight(&s->history, model, i);
    for (uint32_t i = 0; i <= m->model->bone_count; i++)
        v->hung[i] = read_hung(s, model, (int32_t)i - 1);
    return true;
}

/* --- Taking --- */

static const char *keep(edit_steps *steps, const char *name)
{
    return mmd_arena_text(&steps->arena, name, strlen(name));
}

static void add(edit_steps *steps, const edit_change *change)
{
    if (steps->count == steps->capacity) {
        size_t capacity = steps->capacity ? 2 * steps->capacity : 64;
        edit_change *grown = mmd_realloc(steps->changes, capacity * sizeof *grown);
        if (!grown)
            return;
        steps->changes = grown;
        steps->capacity = capacity;
    }
    steps->changes[steps->count++] = *change;
    steps->changes[steps->count - 1].step = steps->step_count;
}

static void compare_bones(const odori_session *s, size_t model, model_values *v, edit_steps *steps)
{
    const scene_model *m = &s->scene->models[model];
    for (uint32_t i = 0; i < m->model->bone_count; i++) {
        edit_change change = {.model = model, .kind = STEP_BONE};
        read_bone(m, i, change.values);
        if (memcmp(change.values, v->bones[i], sizeof change.values) == 0)
            continue;
        memcpy(v->bones[i], change.values, sizeof change.values);
        change.name = keep(steps, m->model->bones[i].name);
        if (change.name)
            add(steps, &change);
    }
}

static void compare_morphs(const odori_session *s, size_t model, model_values *v, edit_steps *steps)
{
    const scene_model *m = &s->scene->models[model];
    for (uint32_t i = 0; i < m->model->morph_count; i++) {
        edit_change change = {.model = model, .kind = STEP_MORPH};
        float weight = history_weight(&s->history, model, i);
        if (weight == v->weights[i] || (isnan(weight) && isnan(v->weights[i])))
            continue;
        v->weights[i] = change.values[0] = weight;
        change.name = keep(steps, m->model->morphs[i].name);
        if (change.name)
            add(steps, &change);
    }
}

static bool find_actor(const odori_scene *scene, const mmd_actor *actor, size_t *model)
{
    for (*model = 0; actor && *model < scene->model_count; ++*model)
        if (scene->models[*model].actor == actor)
            return true;
    return false;
}

static void compare_hung(const odori_session *s, size_t model, model_values *v, edit_steps *steps)
{
    const scene_model *m = &s->scene->models[model];
    for (uint32_t i = 0; i <= m->model->bone_count; i++) {
        edit_change change = {.model = model, .kind = STEP_PARENT};
        hung now = read_hung(s, model, (int32_t)i - 1);
        if (now.parent == v->hung[i].parent && now.bone == v->hung[i].bone)
            continue;
        v->hung[i] = now;
        if (i > 0)
            change.name = keep(steps, m->model->bones[i - 1].name);
        if (now.bone >= 0 && find_actor(s->scene, now.parent, &change.parent))
            change.parent_bone = keep(steps, s->scene->models[change.parent].model->bones[now.bone].name);
        add(steps, &change);
    }
}

static void compare(const odori_session *s, model_values *v, edit_steps *steps)
{
    for (size_t i = 0; i < s->scene->model_count; i++) {
        compare_bones(s, i, &v[i], steps);
        compare_morphs(s, i, &v[i], steps);
        compare_hung(s, i, &v[i], steps);
    }
}

void edit_steps_take(odori_session *s, edit_steps *steps)
{
    size_t count = 0;
    mmd_arena arena = {0};
    model_values *v = mmd_arena_alloc(&arena, s->scene->model_count, sizeof *v);
    *steps = (edit_steps){.count = 0};
    hand_cancel(s); /* what the mouse holds is no step yet */
    mmd_stage_settle(s->scene->stage);
    while (history_redo(&s->history))
        steps->undone++;
    while (history_undo(&s->history))
        count++;
    bool read = v != NULL;
    for (size_t i = 0; read && i < s->scene->model_count; i++)
        read = read_values(s, i, &arena, &v[i]);
    for (size_t i = 0; read && i < count && history_redo(&s->history); i++) {
        compare(s, v, steps);
        steps->step_count++;
    }
    while (history_undo(&s->history))
        ;
    mmd_arena_finish(&arena);
}

/* --- Giving --- */

static bool give_parent(const edit_change *c, const mmd_model *model, odori_session *s)
{
    history_parent parent = {.model = c->parent, .bone = -1};
    int32_t bone = c->name ? mmd_model_find_bone(model, c->name) : MMD_WHOLE_ACTOR;
    if (c->name && bone < 0)
        return false;
    if (c->parent_bone && c->parent < s->scene->model_count)
        parent.bone = mmd_model_find_bone(s->scene->models[c->parent].model, c->parent_bone);
    return history_hang(&s->history, c->model, bone, &parent, NULL);
}

static bool give(const edit_change *c, odori_session *s)
{
    if (c->model >= s->scene->model_count)
        return false;
    const mmd_model *model = s->scene->models[c->model].model;
    if (c->kind == STEP_PARENT)
        return give_parent(c, model, s);
    int32_t found =
        c->kind == STEP_BONE ? mmd_model_find_bone(model, c->name) : mmd_model_find_morph(model, c->name);
    if (found < 0)
        return false;
    return c->kind == STEP_BONE
               ? history_bone(&s->history, c->model, (uint32_t)found, c->values, c->values + 3)
               : history_morph(&s->history, c->model, (uint32_t)found, c->values[0]);
}

void edit_steps_give(const edit_steps *steps, odori_session *s)
{
    size_t at = 0, back = 0;
    bool joins = s->history.joins;
    s->history.joins = false;
    mmd_stage_settle(s->scene->stage);
    for (size_t step = 0; step < steps->step_count; step++) {
        bool any = false;
        history_begin(&s->history);
        for (; at < steps->count && steps->changes[at].step == step; at++)
            any |= give(&steps->changes[at], s);
        back += any && step + steps->undone >= steps->step_count;
    }
    while (back-- > 0)
        history_undo(&s->history);
    s->history.joins = joins;
}

void edit_steps_finish(edit_steps *steps)
{
    mmd_free(steps->changes);
    mmd_arena_finish(&steps->arena);
    *steps = (edit_steps){.count = 0};
}
