#include "controller.h"

#include <math.h>
#include <string.h>

#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "session.h"

/* Least cosine of the angle between a fixed axis and the limb of a twist bone. */
#define TWIST_COSINE 0.9

/* Distance in units within which two bones lie at the same place. */
#define SAME_PLACE 1e-3

/* Distance in units of a coordinate within which a bone is the mirror image of another one. */
#define MIRRORED 0.1

/* --- What is known of a model's bones --- */

enum bone_fact {
    IS_FRAMED = 1, /* it is in a display frame */
    WEIGHS = 2,    /* it deforms a vertex */
    IS_SEEN = 4    /* mark of a walk: it was passed */
};

typedef struct bone_facts {
    const mmd_model *model;
    const controller_state *state;
    uint8_t *facts; /* enum bone_fact, by bone */
    bool has_frames;
} bone_facts;

static bool is_bone(const mmd_model *model, int32_t bone)
{
    return bone >= 0 && (uint32_t)bone < model->bone_count;
}

/* Notes which bones are in display frames and which deform vertices. */
static void note_facts(bone_facts *f)
{
    const mmd_model *model = f->model;
    const mmd_vertices *v = &model->vertices;
    for (uint32_t i = 0; i < model->frame_count; i++)
        for (uint32_t k = 0; k < model->frames[i].count; k++) {
            const mmd_frame_item *item = &model->frames[i].items[k];
            if (item->kind != 0 || !is_bone(model, item->index))
                continue;
            f->facts[item->index] |= IS_FRAMED;
            f->has_frames = true;
        }
    for (uint32_t i = 0; i < v->count; i++)
        for (int k = 0; k < 4; k++)
            if (v->weight[i][k] > 0 && is_bone(model, v->bone[i][k]))
                f->facts[v->bone[i][k]] |= WEIGHS;
}

static bool is_operable(const mmd_model *model, uint32_t bone)
{
    const uint16_t needed = MMD_BONE_VISIBLE | MMD_BONE_OPERABLE;
    return (model->bones[bone].flags & needed) == needed && !model->bones[bone].internal;
}

/* Returns whether a bone is offered to animators. */
static bool is_offered(const bone_facts *f, uint32_t bone)
{
    bool is_goal = f->model->bones[bone].flags & MMD_BONE_IK;
    return is_operable(f->model, bone) && (is_goal || !f->has_frames || (f->facts[bone] & IS_FRAMED));
}

/* --- IK --- */

/* Returns whether a bone is above another one. */
static bool carries(const mmd_model *model, uint32_t bone, uint32_t other)
{
    int32_t at = model->bones[other].parent;
    while (is_bone(model, at) && (uint32_t)at != bone)
        at = model->bones[at].parent;
    return is_bone(model, at);
}

/* Returns whether the IK of a goal turns a bone or pulls it. */
static bool ik_moves(const mmd_bone *goal, uint32_t bone)
{
    bool moves = goal->ik_target == (int32_t)bone;
    for (uint32_t i = 0; i < goal->ik_link_count; i++)
        moves |= goal->ik_links[i].bone == (int32_t)bone;
    return moves;
}

/* Finds the goal of the IK that moves a bone: the one that carries the other goals, or else the one with the
 * longest chain. Returns -1 if there is none. */
static int32_t goal_of(const mmd_model *model, const controller_state *state, uint32_t bone)
{
    int32_t best = -1;
    for (uint32_t g = 0; g < model->bone_count; g++) {
        const mmd_bone *goal = &model->bones[g];
        bool is_on = (goal->flags & MMD_BONE_IK) && (!state->ik_on || state->ik_on[g]);
        if (!is_on || g == bone || !ik_moves(goal, bone))
            continue;
        bool is_better =
            best < 0 || carries(model, g, (uint32_t)best) ||
            (!carries(model, (uint32_t)best, g) && goal->ik_link_count > model->bones[best].ik_link_count);
        if (is_better)
            best = (int32_t)g;
    }
    return best;
}

/* --- The steps --- */

/* Returns the bone that a bone appends, or -1. */
static int32_t append_source(const mmd_model *model, uint32_t bone)
{
    const mmd_bone *b = &model->bones[bone];
    bool appends = b->flags & (MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION);
    return appends && is_bone(model, b->append_source) && (uint32_t)b->append_source != bone
               ? b->append_source
               : -1;
}

/* Returns the cosine of the angle between two vectors, without its sign; 0 if one has no length. */
static double cosine(const float a[3], const double b[3])
{
    double dot = 0, aa = 0, bb = 0;
    for (int k = 0; k < 3; k++) {
        dot += (double)a[k] * b[k];
        aa += (double)a[k] * (double)a[k];
        bb += b[k] * b[k];
    }
    return aa > 0 && bb > 1e-12 ? fabs(dot) / sqrt(aa * bb) : 0;
}

/* Returns whether a bone turns only along its limb: the line from its parent, or the one to its tail. */
static bool is_twist(const mmd_model *model, uint32_t bone)
{
    const mmd_bone *b = &model->bones[bone];
    double limb[3], tail[3];
    if (!(b->flags & MMD_BONE_FIXED_AXIS) || !is_bone(model, b->parent))
        return false;
    bool has_tail = b->flags & MMD_BONE_TAIL_IS_BONE ? is_bone(model, b->tail_bone) : true;
    for (int k = 0; k < 3; k++) {
        limb[k] = (double)b->position[k] - (double)model->bones[b->parent].position[k];
        tail[k] = !has_tail ? 0
                  : b->flags & MMD_BONE_TAIL_IS_BONE
                      ? (double)model->bones[b->tail_bone].position[k] - (double)b->position[k]
                      : (double)b->tail_offset[k];
    }
    return cosine(b->fixed_axis, limb) > TWIST_COSINE || cosine(b->fixed_axis, tail) > TWIST_COSINE;
}

/* Returns whether another bone copies the same source and lies mirrored, as one eye to the other. */
static bool is_of_pair(const mmd_model *model, uint32_t bone, int32_t source)
{
    const float *p = model->bones[bone].position;
    for (uint32_t i = 0; i < model->bone_count; i++) {
        const float *q = model->bones[i].position;
        bool copies =
            append_source(model, i) == source && model->bones[i].parent == model->bones[bone].parent;
        if (i != bone && copies && fabs((double)(p[0] + q[0])) < MIRRORED &&
            fabs((double)(p[1] - q[1])) < MIRRORED && fabs((double)(p[2] - q[2])) < MIRRORED)
            return true;
    }
    return false;
}

/* Returns the bone whose rotation a bone copies, and which is there for that alone, or -1. */
static int32_t copied_from(const bone_facts *f, uint32_t bone)
{
    const mmd_bone *b = &f->model->bones[bone];
    int32_t source = append_source(f->model, bone);
    if (source < 0 || !(b->flags & MMD_BONE_APPEND_ROTATION) || !(b->append_ratio > 0) ||
        (f->facts[source] & WEIGHS) || !is_operable(f->model, (uint32_t)source))
        return -1;
    const mmd_bone *s = &f->model->bones[source];
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double d = (double)s->position[k] - (double)b->position[k];
        square += d * d;
    }
    bool is_copy =
        square < SAME_PLACE * SAME_PLACE || (s->parent == b->parent && is_of_pair(f->model, bone, source));
    return is_copy ? source : -1;
}

/* Returns the bone that the next step leads to, or -1 if none applies. *stops is set to whether the bone
 * itself may be chosen then. */
static int32_t next_step(const bone_facts *f, uint32_t bone, bool *stops)
{
    const mmd_bone *b = &f->model->bones[bone];
    int32_t source = append_source(f->model, bone);
    *stops = false;
    if (f->state->simulated && f->state->simulated[bone])
        return b->parent;
    int32_t goal = goal_of(f->model, f->state, bone);
    if (goal >= 0)
        return goal;
    if (!is_offered(f, bone))
        return source >= 0 && b->append_ratio > 0 ? source : b->parent;
    if (is_twist(f->model, bone))
        return b->parent;
    *stops = true;
    return copied_from(f, bone);
}

/* Returns the bone to choose where the steps lead nowhere. path has the bones that were passed. */
static uint32_t best_on_path(const mmd_model *model, const uint32_t *path, uint32_t count)
{
    for (int goals = 1; goals >= 0; goals--)
        for (uint32_t i = 0; i < count; i++)
            if (is_operable(model, path[i]) && (!goals || (model->bones[path[i]].flags & MMD_BONE_IK)))
                return path[i];
    return path[0];
}

/* Walks the steps from a bone. path has room for all bones; their marks are cleared again. */
static uint32_t walk(const bone_facts *f, uint32_t bone, uint32_t *path)
{
    uint32_t count = 0;
    int32_t at = (int32_t)bone;
    bool stops = false;
    while (is_bone(f->model, at) && !(f->facts[at] & IS_SEEN)) {
        f->facts[at] |= IS_SEEN;
        path[count++] = (uint32_t)at;
        at = next_step(f, (uint32_t)at, &stops);
    }
    for (uint32_t i = 0; i < count; i++)
        f->facts[path[i]] &= (uint8_t)~IS_SEEN;
    return stops ? path[count - 1] : best_on_path(f->model, path, count);
}

/* Allocates zeroed bytes, one for each bone. */
static uint8_t *bytes_by_bone(const mmd_model *model)
{
    uint8_t *bytes = mmd_alloc(model->bone_count);
    if (bytes)
        memset(bytes, 0, model->bone_count);
    return bytes;
}

bool controller_choose(const mmd_model *model, const controller_state *state, uint32_t *chosen)
{
    bone_facts f = {.model = model, .state = state, .facts = bytes_by_bone(model)};
    uint32_t *path = mmd_alloc((size_t)model->bone_count * sizeof *path);
    bool done = f.facts && path;
    if (done)
        note_facts(&f);
    for (uint32_t b = 0; done && b < model->bone_count; b++)
        chosen[b] = walk(&f, b, path);
    mmd_free(f.facts);
    mmd_free(path);
    return done;
}

uint32_t controller_above(const mmd_model *model, const uint32_t *chosen, uint32_t bone)
{
    int32_t at = model->bones[bone].parent;
    while (is_bone(model, at) && chosen[at] == bone)
        at = model->bones[at].parent;
    return is_bone(model, at) ? chosen[at] : bone;
}

controller_kind controller_of_bone(const mmd_model *model, const controller_state *state,
                                   const uint32_t *chosen, uint32_t bone, uint32_t *by)
{
    int32_t source = append_source(model, bone);
    *by = chosen[bone];
    if (state->simulated && state->simulated[bone])
        return chosen[bone] != bone ? CONTROLLER_PHYSICS : CONTROLLER_NONE;
    if (goal_of(model, state, bone) >= 0)
        return chosen[bone] != bone ? CONTROLLER_IK : CONTROLLER_NONE;
    if (source < 0 || model->bones[bone].append_ratio == 0)
        return CONTROLLER_NONE;
    bool is_free = is_operable(model, (uint32_t)source) && goal_of(model, state, (uint32_t)source) < 0 &&
                   !(state->simulated && state->simulated[source]);
    *by = is_free ? (uint32_t)source : chosen[source];
    return *by != bone ? CONTROLLER_APPEND : CONTROLLER_NONE;
}

/* --- In a session --- */

/* What a session knows of the bones of one of its models. Zeroed: nothing. */
typedef struct session_bones {
    const mmd_model *model;
    uint8_t *simulated;
    uint32_t *chosen;
    controller_state state;
} session_bones;

static void bones_finish(session_bones *b)
{
    mmd_free(b->simulated);
    mmd_free(b->chosen);
    *b = (session_bones){0};
}

/* Marks the bones whose bodies are simulated. */
static void note_simulated(const odori_session *s, uint32_t m, uint8_t *simulated, uint32_t count)
{
    const mmd_physscene *scene = mmd_stage_physscene(s->scene->stage, m);
    for (uint32_t i = 0; scene && i < scene->body_count; i++) {
        int32_t bone = scene->bodies[i].bone;
        if (bone >= 0 && (uint32_t)bone < count && mmd_stage_body_simulated(s->scene->stage, m, i))
            simulated[bone] = 1;
    }
}

/* Computes the choices of a model. Returns false if there is no such bone, or out of memory. */
static bool bones_of(const odori_session *s, mmd_item item, session_bones *b)
{
    *b = (session_bones){0};
    if (item.kind != MMD_ITEM_BONE || item.model >= s->scene->model_count ||
        item.index >= s->scene->models[item.model].model->bone_count)
        return false;
    b->model = s->scene->models[item.model].model;
    b->simulated = bytes_by_bone(b->model);
    b->chosen = mmd_alloc(b->model->bone_count * sizeof *b->chosen);
    if (!b->simulated || !b->chosen)
        goto fail;
    note_simulated(s, item.model, b->simulated, b->model->bone_count);
    b->state = (controller_state){.ik_on = mmd_actor_values(s->scene->models[item.model].actor)->ik_on,
                                  .simulated = b->simulated};
    if (controller_choose(b->model, &b->state, b->chosen))
        return true;
fail:
    bones_finish(b);
    return false;
}

/* Finds the bone of the scene that an actor's bone is; the model for MMD_WHOLE_ACTOR. */
static bool item_of(const odori_session *s, const mmd_actor *actor, int32_t bone, mmd_item *item)
{
    for (uint32_t m = 0; actor && m < s->scene->model_count; m++)
        if (s->scene->models[m].actor == actor) {
            *item = bone < 0 ? (mmd_item){.kind = MMD_ITEM_MODEL, .model = m}
                             : (mmd_item){.kind = MMD_ITEM_BONE, .model = m, .index = (uint32_t)bone};
            return true;
        }
    return false;
}

/* Finds the outside parent of a bone, or of the whole model, at the stage's frame. */
static bool find_outside(const odori_session *s, uint32_t model, int32_t bone, mmd_item *by)
{
    size_t count;
    const mmd_outside_key *keys = mmd_stage_outside_keys(s->scene->stage, model, bone, &count);
    double frame = mmd_stage_frame(s->scene->stage);
    size_t i = 0;
    while (i + 1 < count && (double)keys[i + 1].frame <= frame)
        i++;
    return count && item_of(s, keys[i].parent, keys[i].parent_bone, by);
}

static controller_kind find_of_bone(const odori_session *s, mmd_item item, mmd_item *by)
{
    session_bones b;
    uint32_t bone;
    if (!bones_of(s, item, &b))
        return CONTROLLER_NONE;
    controller_kind kind = controller_of_bone(b.model, &b.state, b.chosen, item.index, &bone);
    bool is_root = b.model->bones[item.index].parent < 0;
    bones_finish(&b);
    if (kind == CONTROLLER_PHYSICS || kind == CONTROLLER_IK) {
        *by = (mmd_item){.kind = MMD_ITEM_BONE, .model = item.model, .index = bone};
        return kind;
    }
    if (find_outside(s, item.model, (int32_t)item.index, by) ||
        (is_root && find_outside(s, item.model, MMD_WHOLE_ACTOR, by)))
        return CONTROLLER_OUTSIDE;
    if (kind != CONTROLLER_NONE)
        *by = (mmd_item){.kind = MMD_ITEM_BONE, .model = item.model, .index = bone};
    return kind;
}

/* Finds what moves a body: its bone, or what carries that where the body is simulated. */
static controller_kind find_of_body(const odori_session *s, mmd_item item, mmd_item *by)
{
    const mmd_model *model = s->scene->models[item.model].model;
    if (item.index >= model->body_count || !is_bone(model, model->bodies[item.index].bone))
        return CONTROLLER_NONE;
    *by = (mmd_item){
        .kind = MMD_ITEM_BONE, .model = item.model, .index = (uint32_t)model->bodies[item.index].bone};
    session_bones b;
    if (bones_of(s, *by, &b)) {
        by->index = b.chosen[by->index];
        bones_finish(&b);
    }
    return CONTROLLER_PHYSICS;
}

controller_kind controller_find(odori_session *s, mmd_item item, mmd_item *by)
{
    if (item.model >= s->scene->model_count)
        return CONTROLLER_NONE;
    if (item.kind == MMD_ITEM_BONE)
        return find_of_bone(s, item, by);
    if (item.kind == MMD_ITEM_BODY)
        return find_of_body(s, item, by);
    if (item.kind != MMD_ITEM_MODEL)
        return CONTROLLER_NONE;
    const mmd_staging *staging = mmd_stage_staging(s->scene->stage, item.model);
    return item_of(s, staging->parent, staging->parent_bone, by) ||
                   find_outside(s, item.model, MMD_WHOLE_ACTOR, by)
               ? CONTROLLER_OUTSIDE
               : CONTROLLER_NONE;
}

void controller_replace(odori_session *s, mmd_item *item)
{
    session_bones b;
    if (!bones_of(s, *item, &b))
        return;
    item->index = b.chosen[item->index];
    bones_finish(&b);
}

/* Sets a bone to the one above it. Returns false if there is none. */
static bool raise(const session_bones *b, mmd_item *item)
{
    uint32_t above = controller_above(b->model, b->chosen, item->index);
    bool is_higher = above != item->index;
    item->index = above;
    return is_higher;
}

bool controller_raise(odori_session *s, mmd_item *item)
{
    session_bones b;
    bool is_part = item->kind == MMD_ITEM_BONE || item->kind == MMD_ITEM_BODY ||
                   item->kind == MMD_ITEM_JOINT || item->kind == MMD_ITEM_MORPH ||
                   item->kind == MMD_ITEM_SWITCHES;
    bool is_raised = bones_of(s, *item, &b) && raise(&b, item);
    bones_finish(&b);
    if (is_raised || !is_part)
        return is_raised;
    *item = (mmd_item){.kind = MMD_ITEM_MODEL, .model = item->model};
    return true;
}

bool controller_is_above(odori_session *s, mmd_item above, mmd_item item)
{
    session_bones b;
    if (above.kind != MMD_ITEM_BONE || above.model != item.model || !bones_of(s, item, &b))
        return false;
    /* As many steps as there are bones, since controllers can lead in a circle. */
    for (uint32_t i = 0; item.index != above.index && i < b.model->bone_count && raise(&b, &item); i++)
        ;
    bones_finish(&b);
    return item.index == above.index;
}
