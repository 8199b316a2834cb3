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
 * is. Bodies of a model that is invisible are held, too.
 *
 * An actor's own space is that of its pose. Its size makes bodies, joints and
 * soft bodies as large as they are drawn (scaled_scene.c); offsets are in its
 * own space: a body stands at placement * scale * (bone * offset).
 */
#include "simulation_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd_math.h"

static const mmd_transform identity_transform = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};

/* Beyond this bodies are where no number says anything any more. */
static const float farthest_target = 1e6f;

/* Actors are simulated no smaller and no larger than so many times their size. */
static const float smallest_size = 0.01f, largest_size = 100.0f;

/* ------------------------------------------------- changed by hand */

static size_t morphs_size(const sim_actor *a)
{
    return a->model->morph_count * sizeof *a->kept.morphs;
}

static size_t bones_size(const sim_actor *a)
{
    return a->model->bone_count * sizeof *a->kept.bones;
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

static sim_actor *find_actor(const simulation *s, const mmd_actor *actor)
{
    for (size_t i = 0; i < s->actor_count; i++)
        if (s->actors[i].actor == actor)
            return &s->actors[i];
    return NULL;
}

/* Whether what a staging was before may still be asked: keys and parents that
 * are not on the stage may be gone once others took their place. */
static bool may_be_gone(const simulation *s, const stage_entry *entry)
{
    return entry->keys || (entry->staging.parent && !find_actor(s, entry->staging.parent));
}

/* A copy of how an actor is staged, which holds its outside parents. */
static void take_entry(stage_entry *to, const stage_entry *from)
{
    outside_set *outside = outside_hold(from->outside);
    outside_drop(to->outside);
    *to = *from;
    to->outside = outside;
}

void coupled_read_edits(sim_actor *a, const stage_entry *entry)
{
    memcpy(a->wanted.morphs, a->actor->morphs_by_hand, morphs_size(a));
    for (uint32_t b = 0; b < a->model->bone_count; b++)
        mmd_pose_get_user(a->actor->pose, b, a->wanted.bones[b].translation, a->wanted.bones[b].rotation);
    for (uint32_t b = 0; a->wanted.scales && b < a->model->bone_count; b++)
        mmd_pose_get_user_scale(a->actor->pose, b, a->wanted.scales[b]);
    take_entry(&a->wanted.entry, entry);
}

static size_t scales_size(const sim_actor *a)
{
    return a->kept.scales ? a->model->bone_count * sizeof *a->kept.scales : 0;
}

static bool is_scaled_alike(const sim_actor *a)
{
    return !a->kept.scales || memcmp(a->kept.scales, a->wanted.scales, scales_size(a)) == 0;
}

sim_change coupled_look_for_changes(const simulation *s, sim_actor *a, const stage_entry *entry)
{
    const sim_edits *kept = &a->kept;
    bool staged_alike = is_staged_alike(&kept->entry, entry);
    coupled_read_edits(a, entry);
    /* Without memory the new motion is taken with the next frame. */
    if (a->changes_seen != a->actor->changes && coupled_bind_motions(a))
        return SIM_MOTIONS;
    if (!staged_alike && (entry->keys || may_be_gone(s, &kept->entry)))
        return SIM_AT_ONCE;
    return staged_alike && kept->entry.outside == entry->outside &&
                   memcmp(kept->morphs, a->wanted.morphs, morphs_size(a)) == 0 &&
                   memcmp(kept->bones, a->wanted.bones, bones_size(a)) == 0 && is_scaled_alike(a)
               ? SIM_UNCHANGED
               : SIM_BY_HAND;
}

void coupled_select(sim_actor *a, const sim_edits *edits)
{
    for (uint32_t b = 0; b < a->model->bone_count; b++)
        mmd_pose_set_user(a->pose, b, edits->bones[b].translation, edits->bones[b].rotation);
    for (uint32_t b = 0; edits->scales && b < a->model->bone_count; b++)
        mmd_pose_set_user_scale(a->pose, b,
                                edits->scales[b]); /* out of memory, it stays as large as it was */
    outside_clear(a->pose, a->model);
    a->edits = edits;
    a->evaluated = a->begun = -1.0;
}

void coupled_take_changes(sim_actor *a)
{
    memcpy(a->kept.bones, a->wanted.bones, bones_size(a));
    if (a->kept.scales)
        memcpy(a->kept.scales, a->wanted.scales, scales_size(a));
    memcpy(a->kept.morphs, a->wanted.morphs, morphs_size(a));
    take_entry(&a->kept.entry, &a->wanted.entry);
    coupled_select(a, &a->kept);
}

/* ---------------------------------------------- own space and world */

float coupled_scale(float scale)
{
    return clampf(fabsf(scale), smallest_size, largest_size);
}

void coupled_to_world(const sim_actor *a, const mmd_transform *own, mmd_transform *world)
{
    *world = *own;
    if (!a->placed)
        return;
    for (int k = 0; k < 3; k++)
        world->translation[k] *= a->scale;
    mmd_transform_multiply(&a->placement, world, world);
}

void coupled_to_own(const mmd_transform *placement, float scale, const mmd_transform *world,
                    mmd_transform *own)
{
    mmd_transform back;
    mmd_transform_inverse(placement, &back);
    mmd_transform_multiply(&back, world, own);
    for (int k = 0; k < 3; k++)
        own->translation[k] /= scale;
}

/* --------------------------------------------------- a step's pose */

static void evaluate(sim_actor *a, double frame)
{
    if (a->evaluated >= 0.0 && a->evaluated == frame)
        return;
    actor_sample(a->model, a->clip, a->edits->morphs, actor_own_frame(frame, a->delay), &a->values);
    if (mmd_pose_needs_previous(a->pose))
        actor_sample(a->model, a->clip, a->edits->morphs, actor_own_frame(frame - 1.0, a->delay),
                     &a->previous);
    mmd_pose_evaluate(a->pose, &a->values, &a->previous);
    a->evaluated = frame;
    a->finished = false;
}

/* The other half of the pose, with what bodies say (NULL: nothing). */
static void finish_pose(sim_actor *a, const mmd_transform *bodies, const uint8_t *simulated)
{
    if (a->finished)
        mmd_pose_evaluate(a->pose, &a->values, &a->previous);
    if (bodies)
        coupled_override(a, a->pose, bodies, simulated, a->placed ? &a->placement : NULL, a->scale);
    else
        for (uint32_t i = 0; i < a->order_count; i++)
            mmd_pose_override(a->pose, (uint32_t)a->scene.bodies[a->order[i]].bone, NULL, false);
    mmd_pose_finish(a->pose);
    a->finished = true;
}

void coupled_plain_pose(sim_actor *a, double frame)
{
    evaluate(a, frame);
    finish_pose(a, NULL, NULL);
    a->evaluated = -1.0;
}

/* Of a parent's bone, in the parent's own space, physics being where the last step left it. */
static mmd_transform bone_world(simulation *s, sim_actor *parent, const sim_state *from, double frame,
                                int32_t bone)
{
    coupled_begin(s, parent, from, frame);
    evaluate(parent, frame);
    if (!parent->finished)
        finish_pose(parent, from ? from->bodies + parent->first_body : NULL,
                    from ? from->simulated + parent->first_body : NULL);
    return mmd_pose_world(parent->pose)[bone];
}

/* That of one which is not on the stage is at rest. */
static void bone_matrix(simulation *s, const sim_state *from, double frame, const mmd_staging *staging,
                        mat4 matrix)
{
    sim_actor *parent = find_actor(s, staging->parent);
    mmd_transform world = identity_transform;
    float m[16];
    if (parent)
        world = bone_world(s, parent, from, frame, staging->parent_bone);
    else
        memcpy(world.translation, staging->parent->model->bones[staging->parent_bone].position,
               3 * sizeof(float));
    mmd_transform_matrix(&world, m);
    memcpy(matrix, m, sizeof m);
}

sim_actor *coupled_parent(const simulation *s, const sim_actor *a, double frame)
{
    mmd_staging staging;
    stage_sample_staging(&a->edits->entry, frame, &staging);
    return staging.parent && staging.parent_bone >= 0 ? find_actor(s, staging.parent) : NULL;
}

sim_actor *coupled_outside(const simulation *s, const outside_parent *item, double frame)
{
    const mmd_outside_key *key = outside_at(item, frame);
    return key->parent ? find_actor(s, key->parent) : NULL;
}

static bool is_placed(const mmd_staging *staging)
{
    static const float nowhere[3] = {0.0f, 0.0f, 0.0f};
    return memcmp(staging->position, nowhere, sizeof nowhere) != 0 ||
           memcmp(staging->rotation, nowhere, sizeof nowhere) != 0 || staging->scale != 1.0f ||
           (staging->parent && staging->parent_bone >= 0);
}

/* As mmd_stage_placement, at a frame, with the size apart. */
static void place_at(simulation *s, sim_actor *a, const sim_state *from, double frame)
{
    mmd_staging staging;
    mat4 placement, other;
    stage_sample_staging(&a->edits->entry, frame, &staging);
    a->staged_visible = staging.visible;
    a->placed = is_placed(&staging);
    a->placement = identity_transform;
    float scale = a->scale = 1.0f;
    if (!a->placed)
        return;
    stage_own_placement(&staging, placement);
    scale = staging.scale;
    for (size_t met = 0; met < s->actor_count && staging.parent && staging.parent_bone >= 0; met++) {
        bone_matrix(s, from, frame, &staging, other);
        glm_mat4_mul(other, placement, placement);
        const sim_actor *parent = find_actor(s, staging.parent);
        if (!parent)
            break;
        stage_sample_staging(&parent->edits->entry, frame, &staging);
        stage_own_placement(&staging, other);
        glm_mat4_mul(other, placement, placement);
        scale *= staging.scale;
    }
    stage_rigid_part(placement, &a->placement);
    a->scale = coupled_scale(scale);
}

/* What its bones hang on, in its own space. The whole actor's goes first: a bone's own takes its place there.
 */
static void hang_at(simulation *s, sim_actor *a, const sim_state *from, double frame, bool whole)
{
    const outside_set *set = a->edits->entry.outside;
    for (size_t i = 0; i < set->count; i++) {
        const outside_parent *item = set->items[i];
        sim_actor *parent = coupled_outside(s, item, frame);
        if (whole != (item->bone == MMD_WHOLE_ACTOR) || !parent || parent->beginning)
            continue;
        mmd_transform world = bone_world(s, parent, from, frame, outside_at(item, frame)->parent_bone);
        coupled_to_world(parent, &world, &world);
        if (a->placed)
            coupled_to_own(&a->placement, a->scale, &world, &world);
        outside_hang(a->pose, a->model, item->bone, &world);
    }
}

/* Parents begin before their children; in a ring of them somebody has to stand as before. */
void coupled_begin(simulation *s, sim_actor *a, const sim_state *from, double frame)
{
    if (a->begun >= 0.0 && a->begun == frame)
        return;
    a->begun = frame;
    a->beginning = true;
    if (a->edits->entry.outside)
        outside_clear(a->pose, a->model);
    place_at(s, a, from, frame);
    if (a->edits->entry.outside) {
        hang_at(s, a, from, frame, true);
        hang_at(s, a, from, frame, false);
        a->evaluated = -1.0;
    }
    a->beginning = false;
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
        *out = a->offset[b];
    else
        mmd_transform_multiply(&mmd_pose_world(a->pose)[bone], &a->offset[b], out);
    coupled_to_world(a, out, out);
}

void coupled_targets(simulation *s, sim_actor *a, const sim_state *from, sim_state *to, size_t index)
{
    const mmd_transform *last = from ? from->bodies + a->first_body : NULL;
    mmd_transform *targets = s->targets + a->first_body;
    evaluate(a, step_frame(s, to->step));
    a->visible = a->values.visible && a->staged_visible;
    to->visible[index] = a->visible;
    to->placed[index] = a->placed;
    to->placements[index] = a->placement;
    to->scales[index] = a->scale;
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
                      const uint8_t *simulated, const mmd_transform *placement, float scale)
{
    mmd_transform world;
    for (uint32_t i = 0; i < a->order_count; i++)
        mmd_pose_override(pose, (uint32_t)a->scene.bodies[a->order[i]].bone, NULL, false);
    for (uint32_t i = 0; i < a->order_count; i++) {
        uint32_t b = a->order[i];
        if (!simulated[b])
            continue;
        world = bodies[b];
        if (placement)
            coupled_to_own(placement, scale, &bodies[b], &world);
        mmd_transform_multiply(&world, &a->inverse[b], &world);
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
        mmd_transform bone;
        float offset[3];
        coupled_to_world(a, &mmd_pose_world(a->pose)[a->scene.bodies[b].bone], &bone);
        quat_multiply(bodies[b].rotation, a->inverse[b].rotation, bone.rotation);
        for (int k = 0; k < 3; k++)
            offset[k] = a->offset[b].translation[k] * a->scale;
        list[count] = first_in_world + b;
        positions[count][3] = 0.0f;
        mmd_transform_point(&bone, offset, positions[count]);
        for (int k = 0; k < 3; k++)
            positions[count][k] += (1.0f - share) * (bodies[b].translation[k] - positions[count][k]);
        count++;
    }
    return count;
}
