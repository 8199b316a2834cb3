/*
 * An actor's part in the simulation: the pose that steps see, where its bodies
 * belong by it, and what its bodies say of its bones. MMD.md 5.3.
 *
 * A body's place in its bone's frame is fixed: offset = inverse(bone at rest) *
 * body at rest. Kinematic bodies stand at placement * bone * offset; a bone
 * that a body moves stands at inverse(placement) * body * inverse(offset).
 * A bone that only turns keeps the place that the hierarchy gives it, and its
 * body is brought back there after each step, or bodies would part slowly (as
 * nanoem does). Of several bodies on one bone the last one in the file counts,
 * as whichever writes last does in MMD, nanoem and saba.
 *
 * A bone whose key switches physics off is held: its body follows it from that
 * key on, and is let go at the key that switches it on again, from where it
 * is. nanoem also moves such a bone from its simulated pose to that key's over
 * the interval before it; here it follows its keys alone. Bodies of a model
 * that is invisible are held, too.
 */
#include "simulation_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd_math.h"

static const mmd_transform identity_transform = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};

/* Beyond this bodies are where no number says anything any more. */
static const float farthest_target = 1e6f;

/* ------------------------------------------------- changed by hand */

static bool take_edits(sim_actor *a)
{
    bool changed = false;
    for (uint32_t b = 0; b < a->model->bone_count; b++) {
        float t[3], q[4], own_t[3], own_q[4];
        mmd_pose_get_user(a->actor->pose, b, t, q);
        mmd_pose_get_user(a->pose, b, own_t, own_q);
        if (memcmp(t, own_t, sizeof t) == 0 && memcmp(q, own_q, sizeof q) == 0)
            continue;
        mmd_pose_set_user(a->pose, b, t, q);
        changed = true;
    }
    return changed;
}

/* Of how an actor is staged, only where it stands and whether it is seen matter here. */
static bool is_staged_alike(const stage_entry *a, const stage_entry *b)
{
    const mmd_staging *s = &a->staging, *t = &b->staging;
    if (a->keys || b->keys)
        return a->keys && b->keys && a->keys_set == b->keys_set;
    return s->visible == t->visible && s->scale == t->scale && s->parent == t->parent &&
           s->parent_bone == t->parent_bone && memcmp(s->position, t->position, sizeof s->position) == 0 &&
           memcmp(s->rotation, t->rotation, sizeof s->rotation) == 0;
}

sim_change coupled_take_changes(sim_actor *a, const stage_entry *entry)
{
    bool by_hand = take_edits(a);
    size_t size = a->model->morph_count * sizeof *a->morphs_by_hand;
    if (memcmp(a->morphs_by_hand, a->actor->morphs_by_hand, size) != 0) {
        memcpy(a->morphs_by_hand, a->actor->morphs_by_hand, size);
        by_hand = true;
    }
    if (!is_staged_alike(&a->entry, entry)) {
        a->entry = *entry;
        by_hand = true;
    }
    /* Without memory the new motion is taken with the next frame. */
    if (a->motion_count != a->actor->motion_count && coupled_bind_motions(a))
        return SIM_MOTIONS;
    return by_hand ? SIM_BY_HAND : SIM_UNCHANGED;
}

/* --------------------------------------------------- a step's pose */

static void evaluate(const simulation *s, sim_actor *a, int64_t step)
{
    if (a->evaluated == step)
        return;
    double frame = step_frame(s, step);
    actor_sample(a->model, a->clip, a->morphs_by_hand, frame, &a->values);
    if (mmd_pose_needs_previous(a->pose))
        actor_sample(a->model, a->clip, a->morphs_by_hand, frame - 1.0, &a->previous);
    mmd_pose_evaluate(a->pose, &a->values, &a->previous);
    a->evaluated = step;
    a->finished = false;
}

/* The other half of the pose, with what bodies say (NULL: nothing). */
static void finish_pose(sim_actor *a, const mmd_transform *bodies, const uint8_t *simulated)
{
    if (a->finished)
        mmd_pose_evaluate(a->pose, &a->values, &a->previous);
    if (bodies)
        coupled_override(a, a->pose, bodies, simulated, a->placed ? &a->placement : NULL);
    else
        for (uint32_t i = 0; i < a->order_count; i++)
            mmd_pose_override(a->pose, (uint32_t)a->scene.bodies[a->order[i]].bone, NULL, false);
    mmd_pose_finish(a->pose);
    a->finished = true;
}

static sim_actor *find_actor(const simulation *s, const mmd_actor *actor)
{
    for (size_t i = 0; i < s->actor_count; i++)
        if (s->actors[i].actor == actor)
            return &s->actors[i];
    return NULL;
}

/* World of a parent's bone, physics being where the last step left it; that of
 * one which is not on the stage is at rest. */
static void bone_matrix(const simulation *s, const sim_state *from, int64_t step, const mmd_staging *staging,
                        mat4 matrix)
{
    sim_actor *parent = find_actor(s, staging->parent);
    mmd_transform world = identity_transform;
    float m[16];
    if (!parent) {
        memcpy(world.translation, staging->parent->model->bones[staging->parent_bone].position,
               3 * sizeof(float));
    } else {
        evaluate(s, parent, step);
        if (!parent->finished)
            finish_pose(parent, from ? from->bodies + parent->first_body : NULL,
                        from ? from->simulated + parent->first_body : NULL);
        world = mmd_pose_world(parent->pose)[staging->parent_bone];
    }
    mmd_transform_matrix(&world, m);
    memcpy(matrix, m, sizeof m);
}

/* As mmd_stage_placement, at the step's frame, without the scale: bodies have the size that the file says. */
void coupled_begin(simulation *s, sim_actor *a, const sim_state *from, int64_t step)
{
    mmd_staging staging;
    mat4 placement, other;
    double frame = step_frame(s, step);
    stage_sample_staging(&a->entry, frame, &staging);
    a->staged_visible = staging.visible;
    static const float nowhere[3] = {0.0f, 0.0f, 0.0f};
    a->placed = memcmp(staging.position, nowhere, sizeof nowhere) != 0 ||
                memcmp(staging.rotation, nowhere, sizeof nowhere) != 0 ||
                (staging.parent && staging.parent_bone >= 0);
    if (!a->placed)
        return;
    stage_own_placement(&staging, placement);
    for (size_t met = 0; met < s->actor_count && staging.parent && staging.parent_bone >= 0; met++) {
        bone_matrix(s, from, step, &staging, other);
        glm_mat4_mul(other, placement, placement);
        const sim_actor *parent = find_actor(s, staging.parent);
        if (!parent)
            break;
        stage_sample_staging(&parent->entry, frame, &staging);
        stage_own_placement(&staging, other);
        glm_mat4_mul(other, placement, placement);
    }
    stage_rigid_part(placement, &a->placement);
}

/* --------------------------------------------------------- targets */

static bool is_near(const mmd_transform *t)
{
    float turn = 0.0f;
    for (int k = 0; k < 4; k++)
        turn += t->rotation[k] * t->rotation[k];
    for (int k = 0; k < 3; k++)
        if (!(fabsf(t->translation[k]) < farthest_target))
            return false;
    return turn > 0.5f && turn < 2.0f;
}

/* Held now; simulated is what holds after the step: a model that has just appeared is reset by it. */
static bool hold_bodies(sim_actor *a, bool was_visible, uint8_t *held, uint8_t *simulated)
{
    bool depends = false;
    for (uint32_t b = 0; b < a->body_count; b++) {
        int32_t bone = a->scene.bodies[b].bone;
        simulated[b] = is_simulated_kind(a, b) && a->visible && !(bone >= 0 && a->values.physics_off[bone]);
        a->moving[b] = simulated[b] && was_visible;
        held[b] = a->link[b] >= SIM_MOVES && !a->moving[b];
        depends |= held[b] && depends_on(a, bone);
    }
    return depends;
}

static void body_target(const sim_actor *a, uint32_t b, mmd_transform *out)
{
    int32_t bone = a->scene.bodies[b].bone;
    if (bone < 0)
        *out = a->scene.bodies[b].rest;
    else
        mmd_transform_multiply(&mmd_pose_world(a->pose)[bone], &a->offset[b], out);
    if (a->placed)
        mmd_transform_multiply(&a->placement, out, out);
}

void coupled_targets(simulation *s, sim_actor *a, const sim_state *from, sim_state *to, size_t index)
{
    const mmd_transform *last = from ? from->bodies + a->first_body : NULL;
    mmd_transform *targets = s->targets + a->first_body;
    evaluate(s, a, to->step);
    a->visible = a->values.visible && a->staged_visible;
    to->visible[index] = a->visible;
    to->placed[index] = a->placed;
    to->placements[index] = a->placed ? a->placement : identity_transform;
    bool held_depends =
        hold_bodies(a, !from || from->visible[index], s->held + a->first_body, to->simulated + a->first_body);
    if (!from)
        finish_pose(a, NULL, NULL);
    else if (a->follows_physics || a->pinned || held_depends)
        finish_pose(a, last, a->moving);
    for (uint32_t b = 0; b < a->body_count; b++) {
        if (last && a->moving[b]) {
            targets[b] = last[b];
            continue;
        }
        body_target(a, b, &targets[b]);
        if (!is_near(&targets[b]))
            targets[b] = last ? last[b] : a->scene.bodies[b].rest;
    }
}

/* -------------------------------------------- from bodies to bones */

void coupled_override(const sim_actor *a, mmd_pose *pose, const mmd_transform *bodies,
                      const uint8_t *simulated, const mmd_transform *placement)
{
    mmd_transform back = identity_transform, world;
    if (placement)
        mmd_transform_inverse(placement, &back);
    for (uint32_t i = 0; i < a->order_count; i++)
        mmd_pose_override(pose, (uint32_t)a->scene.bodies[a->order[i]].bone, NULL, false);
    for (uint32_t i = 0; i < a->order_count; i++) {
        uint32_t b = a->order[i];
        if (!simulated[b])
            continue;
        mmd_transform_multiply(&bodies[b], &a->inverse[b], &world);
        if (placement)
            mmd_transform_multiply(&back, &world, &world);
        mmd_pose_override(pose, (uint32_t)a->scene.bodies[b].bone, &world, a->link[b] == SIM_TURNS);
    }
}

/*
 * A body whose bone keeps its place goes back to it by halves. Put back whole
 * (nanoem) it is pressed anew, in every step, into what has just pushed it
 * out, and trembles: measured on models at rest, 19 units/s against 0.7.
 */
uint32_t coupled_corrections(sim_actor *a, const mmd_transform *bodies, uint32_t first_in_world,
                             uint32_t *list, float (*positions)[4])
{
    const float share = 0.5f;
    uint32_t count = 0;
    if (!a->turns)
        return 0;
    finish_pose(a, bodies, a->moving);
    for (uint32_t i = 0; i < a->order_count; i++) {
        uint32_t b = a->order[i];
        if (a->link[b] != SIM_TURNS || !a->moving[b])
            continue;
        mmd_transform bone = mmd_pose_world(a->pose)[a->scene.bodies[b].bone];
        if (a->placed)
            mmd_transform_multiply(&a->placement, &bone, &bone);
        quat_multiply(bodies[b].rotation, a->inverse[b].rotation, bone.rotation);
        list[count] = first_in_world + b;
        positions[count][3] = 0.0f;
        mmd_transform_point(&bone, a->offset[b].translation, positions[count]);
        for (int k = 0; k < 3; k++)
            positions[count][k] += (1.0f - share) * (bodies[b].translation[k] - positions[count][k]);
        count++;
    }
    return count;
}
