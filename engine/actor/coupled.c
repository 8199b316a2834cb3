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

/* Impulse morphs say what is given every 1/60 s, MMD's step; shorter steps give
 * less. */
static const float impulse_rate = 60.0f;

/* Beyond this bodies are where no number says anything any more. */
static const float farthest_target = 1e6f;

/* ------------------------------------------------------------- set up */

static bool is_dynamic(const mmd_phys_body *body)
{
    return body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE;
}

/* katwat's rule (MMD.md 5.3): a turning body joined to a simulated body of its
 * parent bone. */
static bool is_joined_to_parent(const sim_actor *a, uint32_t b)
{
    const mmd_physscene *scene = &a->scene;
    int32_t parent = a->model->bones[scene->bodies[b].bone].parent;
    for (uint32_t j = 0; parent >= 0 && j < scene->joint_count; j++) {
        const mmd_phys_joint *joint = &scene->joints[j];
        if (joint->disabled || joint->body_a < 0 || joint->body_b < 0)
            continue;
        int32_t other = (uint32_t)joint->body_a == b   ? joint->body_b
                        : (uint32_t)joint->body_b == b ? joint->body_a
                                                       : -1;
        if (other >= 0 && scene->bodies[other].bone == parent && is_dynamic(&scene->bodies[other]))
            return true;
    }
    return false;
}

static sim_link link_of(const sim_actor *a, uint32_t b, bool joined_mode_2)
{
    const mmd_phys_body *body = &a->scene.bodies[b];
    if (body->disabled || body->motion == MMD_PHYS_STATIC)
        return SIM_STAYS;
    if (body->motion == MMD_PHYS_KINEMATIC)
        return SIM_FOLLOWS;
    if (body->bone < 0 || body->motion == MMD_PHYS_DYNAMIC)
        return SIM_MOVES;
    return joined_mode_2 && is_joined_to_parent(a, b) ? SIM_MOVES : SIM_TURNS;
}

/* Without mass nothing moves a body, so its bone would stay behind: such a body
 * is held for good. */
static bool is_simulated_kind(const sim_actor *a, uint32_t b)
{
    const mmd_phys_body *body = &a->scene.bodies[b];
    return a->link[b] >= SIM_MOVES && (body->mass > 0.0f || body->auto_mass || body->bone < 0);
}

static bool allocate(sim_actor *a, mmd_arena *arena)
{
    uint32_t bodies = a->body_count;
    a->link = mmd_arena_alloc(arena, bodies, sizeof *a->link);
    a->offset = mmd_arena_alloc(arena, bodies, sizeof *a->offset);
    a->inverse = mmd_arena_alloc(arena, bodies, sizeof *a->inverse);
    a->order = mmd_arena_alloc(arena, bodies, sizeof *a->order);
    a->moving = mmd_arena_alloc(arena, bodies, sizeof *a->moving);
    a->depends = mmd_arena_alloc(arena, a->model->bone_count, sizeof *a->depends);
    a->morphs_by_hand = mmd_arena_alloc(arena, a->model->morph_count, sizeof *a->morphs_by_hand);
    return a->link && a->offset && a->inverse && a->order && a->moving && a->depends && a->morphs_by_hand &&
           mmd_pose_values_init(&a->values, a->model, arena) &&
           mmd_pose_values_init(&a->previous, a->model, arena);
}

static void fill_bodies(sim_actor *a, bool joined_mode_2)
{
    for (uint32_t b = 0; b < a->body_count; b++) {
        const mmd_phys_body *body = &a->scene.bodies[b];
        a->link[b] = (uint8_t)link_of(a, b, joined_mode_2);
        a->offset[b] = body->rest;
        for (int k = 0; body->bone >= 0 && k < 3; k++)
            a->offset[b].translation[k] -= a->model->bones[body->bone].position[k];
        mmd_transform_inverse(&a->offset[b], &a->inverse[b]);
        a->turns |= a->link[b] == SIM_TURNS;
    }
}

/* Simulated bodies by the rank of their bones; insertion keeps those of one
 * bone in the file's order. */
static void sort_bodies(sim_actor *a)
{
    const uint32_t *rank = a->model->bone_rank;
    for (uint32_t b = 0; b < a->body_count; b++) {
        int32_t bone = a->scene.bodies[b].bone;
        if (bone < 0 || !is_simulated_kind(a, b))
            continue;
        uint32_t at = a->order_count++;
        for (; at && rank[a->scene.bodies[a->order[at - 1]].bone] > rank[bone]; at--)
            a->order[at] = a->order[at - 1];
        a->order[at] = b;
    }
}

static bool depends_on(const sim_actor *a, int32_t bone)
{
    return bone >= 0 && a->depends[bone];
}

/* Bones that physics changes: those of simulated bodies, what hangs on or
 * appends from them, and what comes after physics. Again while something is
 * found: the order of bones need not put parents first. */
static void mark_dependent_bones(sim_actor *a)
{
    const mmd_model *model = a->model;
    bool found = true;
    for (uint32_t i = 0; i < a->order_count; i++)
        a->depends[a->scene.bodies[a->order[i]].bone] = 1;
    for (uint32_t i = model->bone_order_before; i < model->bone_count; i++)
        a->depends[model->bone_order[i]] = 1;
    while (found) {
        found = false;
        for (uint32_t i = 0; i < model->bone_count; i++) {
            uint32_t b = model->bone_order[i];
            const mmd_bone *bone = &model->bones[b];
            bool appends = bone->flags & (MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION);
            if (a->depends[b] ||
                !(depends_on(a, bone->parent) || (appends && depends_on(a, bone->append_source))))
                continue;
            a->depends[b] = 1;
            found = true;
        }
    }
    for (uint32_t b = 0; b < a->body_count; b++)
        a->follows_physics |= a->link[b] == SIM_FOLLOWS && depends_on(a, a->scene.bodies[b].bone);
}

static bool find_impulse_morphs(sim_actor *a, mmd_arena *arena)
{
    const mmd_model *model = a->model;
    uint32_t count = 0;
    for (uint32_t m = 0; m < model->morph_count; m++)
        count += model->morphs[m].kind == MMD_MORPH_IMPULSE ? model->morphs[m].count : 0;
    if (!count)
        return true;
    a->impulse_morphs = mmd_arena_alloc(arena, count, sizeof *a->impulse_morphs);
    a->impulses = mmd_arena_alloc(arena, a->body_count, 2 * sizeof *a->impulses);
    a->impulse_list = mmd_arena_alloc(arena, a->body_count, 2 * sizeof *a->impulse_list);
    if (!a->impulse_morphs || !a->impulses || !a->impulse_list)
        return false;
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph *morph = &model->morphs[m];
        for (uint32_t i = 0; morph->kind == MMD_MORPH_IMPULSE && i < morph->count; i++) {
            int32_t body = morph->offsets.impulse[i].body;
            if (body >= 0 && (uint32_t)body < a->body_count)
                a->impulse_morphs[a->impulse_morph_count++] = (sim_impulse_morph){
                    .morph = m, .body = (uint32_t)body, .offset = &morph->offsets.impulse[i]};
        }
    }
    return true;
}

static bool bind_motions(sim_actor *a)
{
    mmd_clip *clip = NULL;
    if (a->actor->motion_count) {
        clip = mmd_clip_create(a->model, a->actor->motions, a->actor->motion_count);
        if (!clip)
            return false;
    }
    mmd_clip_destroy(a->clip);
    a->clip = clip;
    a->motion_count = a->actor->motion_count;
    return true;
}

mmd_status coupled_init(sim_actor *a, const mmd_physics_options *options, mmd_arena *arena, mmd_error *error)
{
    a->model = a->actor->model;
    a->evaluated = -1;
    mmd_status status = mmd_model_physscene(a->model, &a->scene, error);
    if (status == MMD_OK)
        status = mmd_physscene_check(&a->scene, error);
    if (status != MMD_OK)
        return status;
    a->body_count = a->scene.body_count;
    a->has_world = a->body_count || a->scene.soft_body_count;
    a->pose = mmd_pose_create(a->model, &a->actor->options);
    if (!a->pose || !allocate(a, arena) || !find_impulse_morphs(a, arena) || !bind_motions(a))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    fill_bodies(a, options->joined_mode_2);
    sort_bodies(a);
    mark_dependent_bones(a);
    if (!guard_init(a, arena) || !pins_init(a, arena))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    for (uint32_t m = 0; m < a->model->morph_count; m++)
        a->morphs_by_hand[m] = NAN;
    coupled_take_changes(a, &a->entry);
    return MMD_OK;
}

void coupled_finish(sim_actor *a)
{
    mmd_clip_destroy(a->clip);
    mmd_pose_destroy(a->pose);
    mmd_physscene_destroy(&a->scene);
}

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

/* Of how an actor is staged, only where it stands and whether it is seen matter
 * here. */
static bool is_staged_alike(const stage_entry *a, const stage_entry *b)
{
    const mmd_staging *s = &a->staging, *t = &b->staging;
    if (a->keys || b->keys)
        return a->keys == b->keys && a->key_count == b->key_count;
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
    if (a->motion_count != a->actor->motion_count && bind_motions(a))
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

/* As mmd_stage_placement, at the step's frame, without the scale: bodies have
 * the size that the file says. */
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

/* Held now; simulated is what holds after the step: a model that has just
 * appeared is reset by it. */
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

/* ------------------------------------------------------ impulses */

static bool is_stop(const mmd_impulse_offset *offset)
{
    for (int k = 0; k < 3; k++)
        if (offset->velocity[k] != 0.0f || offset->torque[k] != 0.0f)
            return false;
    return true;
}

uint32_t coupled_impulses(const simulation *s, sim_actor *a, uint32_t first_in_world)
{
    const float *weights = mmd_pose_weights(a->pose);
    float share = impulse_rate / (float)s->options.rate;
    bool any = false;
    for (uint32_t i = 0; i < a->impulse_morph_count; i++) {
        const sim_impulse_morph *m = &a->impulse_morphs[i];
        float weight = weights[m->morph];
        if (weight == 0.0f || !a->moving[m->body])
            continue;
        if (!any)
            memset(a->impulses, 0, 2 * a->body_count * sizeof *a->impulses);
        any = true;
        mmd_impulse *sum = &a->impulses[2 * m->body + m->offset->local];
        sum->local = m->offset->local;
        sum->body = UINT32_MAX; /* there is something */
        sum->stop |= is_stop(m->offset);
        for (int k = 0; k < 3; k++) {
            sum->linear[k] += m->offset->velocity[k] * weight * share;
            sum->angular[k] += m->offset->torque[k] * weight * share;
        }
    }
    uint32_t count = 0;
    for (uint32_t i = 0; any && i < 2 * a->body_count; i++)
        if (a->impulses[i].body == UINT32_MAX) {
            a->impulse_list[count] = a->impulses[i];
            a->impulse_list[count++].body = first_in_world + i / 2;
        }
    return count;
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

uint32_t coupled_corrections(sim_actor *a, const mmd_transform *bodies, uint32_t first_in_world,
                             uint32_t *list, float (*positions)[4])
{
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
        mmd_transform_point(&bone, a->offset[b].translation, positions[count++]);
    }
    return count;
}
