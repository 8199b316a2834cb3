/*
 * An actor's part in the simulation: the pose that steps use, the targets of its bodies, and the overrides of
 * bones by bodies (docs/mmd.md 5.3).
 *
 * A body's transform in its bone's frame is fixed: offset = inverse(bone at rest) * body at rest. Kinematic
 * bodies are at placement * bone * offset; a bone moved by a body is at inverse(placement) * body *
 * inverse(offset). A bone that only turns keeps its position in the hierarchy; its body stays where physics
 * puts it, as in MMD. Of several bodies on a bone the last one in the file applies, like in MMD, nanoem and
 * saba, where it writes last.
 *
 * A bone whose keyframe switches physics off is held: its body follows it from that keyframe on, and is
 * released at the keyframe that switches it on, from where it is. Bodies of invisible models are held, too.
 *
 * An actor's space is that of its pose. Bodies, joints and soft bodies are scaled to the drawn size
 * (own_scene.c), but offsets are in the actor's space: a body is at placement * scale * (bone * offset).
 */
#include "simulation_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd_math.h"

static const mmd_transform identity_transform = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};

/* Limit of coordinates of targets, beyond which floats are useless. */
static const float farthest_target = 1e6f;

/* Range of scales with which actors are simulated. */
static const float smallest_size = 0.01f, largest_size = 100.0f;

/* ---- computed before the first step: the relations of bodies and bones, and the bones that physics
 * affects ---- */

static sim_link link_of(const mmd_phys_body *body)
{
    if (body->disabled || body->motion == MMD_PHYS_STATIC)
        return SIM_STAYS;
    if (body->motion == MMD_PHYS_KINEMATIC)
        return SIM_FOLLOWS;
    return body->bone < 0 || body->motion == MMD_PHYS_DYNAMIC ? SIM_MOVES : SIM_TURNS;
}

/* Applies katwat's rule (docs/mmd.md 5.3): a turning body joined to a simulated body of its parent bone
 * moves its bone. */
static void free_joined(sim_actor *a)
{
    const mmd_phys_body *bodies = a->scene.bodies;
    for (uint32_t j = 0; j < a->scene.joint_count; j++) {
        const mmd_phys_joint *joint = &a->scene.joints[j];
        if (joint->disabled || joint->body_a < 0 || joint->body_b < 0)
            continue;
        for (int end = 0; end < 2; end++) {
            int32_t b = end ? joint->body_b : joint->body_a, other = end ? joint->body_a : joint->body_b;
            int32_t parent = bodies[b].bone < 0 ? -1 : a->model->bones[bodies[b].bone].parent;
            if (a->link[b] == SIM_TURNS && parent >= 0 && bodies[other].bone == parent &&
                a->link[other] >= SIM_MOVES)
                a->link[b] = SIM_MOVES;
        }
    }
}

static bool drives_bone(const sim_actor *a, uint32_t b)
{
    return a->scene.bodies[b].bone >= 0 && is_simulated_kind(a, b);
}

static bool make_edits(sim_edits *edits, const mmd_model *model, mmd_arena *arena)
{
    edits->bones = mmd_arena_alloc(arena, model->bone_count, sizeof *edits->bones);
    edits->morphs = mmd_arena_alloc(arena, model->morph_count, sizeof *edits->morphs);
    if (model->origin != MMD_ORIGIN_GLTF)
        return edits->bones && edits->morphs;
    edits->scales = mmd_arena_alloc(arena, model->bone_count, sizeof *edits->scales);
    for (uint32_t b = 0; edits->scales && b < model->bone_count; b++)
        for (int k = 0; k < 3; k++)
            edits->scales[b][k] = 1.0f;
    return edits->bones && edits->morphs && edits->scales;
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
    return a->link && a->offset && a->inverse && a->order && a->moving && a->depends &&
           make_edits(&a->kept, a->model, arena) && make_edits(&a->wanted, a->model, arena) &&
           mmd_pose_values_init(&a->values, a->model, arena) &&
           mmd_pose_values_init(&a->previous, a->model, arena);
}

/* Returns the bone that places a body, or -1: its own bone or, of a body of MMD's models that moves without
 * a bone, bone 0 (docs/mmd.md 5.2). */
static int32_t placing_bone(const sim_actor *a, uint32_t b)
{
    int32_t bone = a->scene.bodies[b].bone;
    bool by_first = bone < 0 && a->link[b] == SIM_MOVES && mmd_origin_is_mmd(a->model->origin);
    return by_first && a->model->bone_count ? 0 : bone;
}

static void fill_bodies(sim_actor *a, bool joined_mode_2)
{
    for (uint32_t b = 0; b < a->body_count; b++) {
        const mmd_phys_body *body = &a->scene.bodies[b];
        a->link[b] = (uint8_t)link_of(body);
        a->offset[b] = body->rest;
        int32_t bone = placing_bone(a, b);
        for (int k = 0; bone >= 0 && k < 3; k++)
            a->offset[b].translation[k] -= a->model->bones[bone].position[k];
        mmd_transform_inverse(&a->offset[b], &a->inverse[b]);
    }
    if (joined_mode_2)
        free_joined(a);
}

/* Sorts simulated bodies by the rank of their bones, those of one bone in the file's order, with a
 * counting sort. */
static bool sort_bodies(sim_actor *a)
{
    uint32_t bones = a->model->bone_count, *starts = mmd_alloc((bones + 1) * sizeof *starts);
    if (!starts)
        return false;
    memset(starts, 0, (bones + 1) * sizeof *starts);
    for (uint32_t b = 0; b < a->body_count; b++)
        if (drives_bone(a, b)) {
            starts[a->model->bone_rank[a->scene.bodies[b].bone] + 1]++;
            a->order_count++;
        }
    for (uint32_t i = 0; i < bones; i++)
        starts[i + 1] += starts[i];
    for (uint32_t b = 0; b < a->body_count; b++)
        if (drives_bone(a, b))
            a->order[starts[a->model->bone_rank[a->scene.bodies[b].bone]]++] = b;
    mmd_free(starts);
    return true;
}

/* Returns a bone's parent, or the source of its append; -1: none. */
static int32_t leader(const mmd_bone *bone, bool appends)
{
    if (!appends)
        return bone->parent;
    return bone->flags & (MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION) ? bone->append_source : -1;
}

/* Lists the children of each bone b, and bones that append from it: followers[starts[b]..starts[b + 1] -
 * 1]. */
static void list_followers(const mmd_model *model, uint32_t *starts, uint32_t *followers)
{
    memset(starts, 0, (model->bone_count + 2) * sizeof *starts);
    for (uint32_t i = 0; i < 2 * model->bone_count; i++) {
        int32_t lead = leader(&model->bones[i / 2], i % 2);
        if (lead >= 0)
            starts[lead + 2]++;
    }
    for (uint32_t b = 0; b < model->bone_count; b++)
        starts[b + 2] += starts[b + 1];
    for (uint32_t i = 0; i < 2 * model->bone_count; i++) {
        int32_t lead = leader(&model->bones[i / 2], i % 2);
        if (lead >= 0)
            followers[starts[lead + 1]++] = i / 2;
    }
}

/* Marks a bone as affected by physics, and queues it so that its followers are marked. */
static void mark(sim_actor *a, uint32_t bone, uint32_t *queue, uint32_t *count)
{
    if (!a->depends[bone])
        queue[(*count)++] = bone;
    a->depends[bone] = 1;
}

/* Marks the bones that physics affects: those of simulated bodies, those evaluated after physics, and
 * their children and appends. */
static bool mark_dependent_bones(sim_actor *a)
{
    const mmd_model *model = a->model;
    size_t bones = model->bone_count;
    uint32_t *starts = mmd_alloc((4 * bones + 2) * sizeof *starts), count = 0;
    if (!starts)
        return false;
    uint32_t *followers = starts + bones + 2, *queue = followers + 2 * bones;
    list_followers(model, starts, followers);
    for (uint32_t i = 0; i < a->order_count; i++)
        mark(a, (uint32_t)a->scene.bodies[a->order[i]].bone, queue, &count);
    for (uint32_t i = model->bone_order_before; i < model->bone_count; i++)
        mark(a, model->bone_order[i], queue, &count);
    for (uint32_t next = 0; next < count; next++)
        for (uint32_t i = starts[queue[next]]; i < starts[queue[next] + 1]; i++)
            mark(a, followers[i], queue, &count);
    mmd_free(starts);
    for (uint32_t b = 0; b < a->body_count; b++)
        a->follows_physics |= a->link[b] == SIM_FOLLOWS && depends_on(a, a->scene.bodies[b].bone);
    return true;
}

/* ---- changes by hand ---- */

/* Makes clips of the actor's current motions. Returns false when out of memory; nothing has changed then. */
static bool sim_actor_bind_motions(sim_actor *a)
{
    actor_clips *clips;
    if (!actor_make_clips(a->actor, &clips))
        return false;
    actor_clips_destroy(a->clips);
    a->clips = clips;
    a->delay = a->actor->delay;
    a->changes_seen = a->actor->changes;
    return true;
}

static size_t morphs_size(const sim_actor *a)
{
    return a->model->morph_count * sizeof *a->kept.morphs;
}

static size_t bones_size(const sim_actor *a)
{
    return a->model->bone_count * sizeof *a->kept.bones;
}

/* Tests whether placement and visibility are equal; nothing else of the staging matters here. */
static bool has_same_staging(const stage_entry *a, const stage_entry *b)
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

/* Tests whether the former staging may no longer be readable: keys, and parents that are not on the stage,
 * may be freed once they are replaced. */
static bool may_be_gone(const simulation *s, const stage_entry *entry)
{
    return entry->keys || (entry->staging.parent && !find_actor(s, entry->staging.parent));
}

/* Copies the staging of an actor, with a reference to its outside parents. */
static void copy_entry(stage_entry *to, const stage_entry *from)
{
    outside_set *outside = outside_hold(from->outside);
    outside_drop(to->outside);
    *to = *from;
    to->outside = outside;
}

/* Copies the values set by hand on the drawn actor to wanted. */
static void sim_actor_read_edits(sim_actor *a, const stage_entry *entry)
{
    memcpy(a->wanted.morphs, a->actor->morphs_by_hand, morphs_size(a));
    for (uint32_t b = 0; b < a->model->bone_count; b++)
        mmd_pose_get_user(a->actor->pose, b, a->wanted.bones[b].translation, a->wanted.bones[b].rotation);
    for (uint32_t b = 0; a->wanted.scales && b < a->model->bone_count; b++)
        mmd_pose_get_user_scale(a->actor->pose, b, a->wanted.scales[b]);
    copy_entry(&a->wanted.entry, entry);
}

static size_t scales_size(const sim_actor *a)
{
    return a->kept.scales ? a->model->bone_count * sizeof *a->kept.scales : 0;
}

static bool has_same_scales(const sim_actor *a)
{
    return !a->kept.scales || memcmp(a->kept.scales, a->wanted.scales, scales_size(a)) == 0;
}

sim_change sim_actor_find_changes(const simulation *s, sim_actor *a, const stage_entry *entry)
{
    assert(s && a && entry);
    const sim_edits *kept = &a->kept;
    bool same_staging = has_same_staging(&kept->entry, entry);
    sim_actor_read_edits(a, entry);
    /* Without memory the new motion is taken at the next frame. */
    if (a->changes_seen != a->actor->changes && sim_actor_bind_motions(a))
        return SIM_MOTIONS;
    if (!same_staging && (entry->keys || may_be_gone(s, &kept->entry)))
        return SIM_AT_ONCE;
    return same_staging && kept->entry.outside == entry->outside &&
                   memcmp(kept->morphs, a->wanted.morphs, morphs_size(a)) == 0 &&
                   memcmp(kept->bones, a->wanted.bones, bones_size(a)) == 0 && has_same_scales(a)
               ? SIM_UNCHANGED
               : SIM_BY_HAND;
}

void sim_actor_select(sim_actor *a, const sim_edits *edits)
{
    assert(a && edits);
    for (uint32_t b = 0; b < a->model->bone_count; b++)
        mmd_pose_set_user(a->pose, b, edits->bones[b].translation, edits->bones[b].rotation);
    for (uint32_t b = 0; edits->scales && b < a->model->bone_count; b++)
        mmd_pose_set_user_scale(a->pose, b, edits->scales[b]); /* out of memory, the old scale stays */
    outside_clear(a->pose, a->model);
    a->edits = edits;
    a->evaluated = a->begun = -1.0;
}

void sim_actor_apply_changes(sim_actor *a)
{
    assert(a);
    memcpy(a->kept.bones, a->wanted.bones, bones_size(a));
    if (a->kept.scales)
        memcpy(a->kept.scales, a->wanted.scales, scales_size(a));
    memcpy(a->kept.morphs, a->wanted.morphs, morphs_size(a));
    copy_entry(&a->kept.entry, &a->wanted.entry);
    sim_actor_select(a, &a->kept);
}

/* ---- actor space and world ---- */

float sim_actor_scale(float scale)
{
    return clampf(fabsf(scale), smallest_size, largest_size);
}

void sim_actor_to_world(const sim_actor *a, const mmd_transform *own, mmd_transform *world)
{
    assert(a && own && world);
    *world = *own;
    if (!a->placed)
        return;
    for (int k = 0; k < 3; k++)
        world->translation[k] *= a->scale;
    mmd_transform_multiply(&a->placement, world, world);
}

void sim_actor_to_own(const mmd_transform *placement, float scale, const mmd_transform *world,
                      mmd_transform *own)
{
    assert(placement && world && own);
    mmd_transform back;
    mmd_transform_inverse(placement, &back);
    mmd_transform_multiply(&back, world, own);
    for (int k = 0; k < 3; k++)
        own->translation[k] /= scale;
}

/* ---- the pose of a step ---- */

static void evaluate(sim_actor *a, double frame)
{
    if (a->evaluated >= 0.0 && a->evaluated == frame)
        return;
    const actor_source source = {a->model, a->clips, a->edits->morphs, a->delay};
    actor_sample_pose(&source, frame, &a->values, &a->previous, a->pose);
    a->evaluated = frame;
    a->finished = false;
}

/* Performs the part of the pose after physics, with overrides by bodies (NULL: none). */
static void finish_pose(sim_actor *a, const mmd_transform *bodies, const uint8_t *simulated)
{
    if (a->finished)
        mmd_pose_evaluate(a->pose, &a->values, &a->previous);
    if (bodies)
        sim_actor_override(a, a->pose, bodies, simulated, a->placed ? &a->placement : NULL, a->scale);
    else
        for (uint32_t i = 0; i < a->order_count; i++)
            mmd_pose_override(a->pose, (uint32_t)a->scene.bodies[a->order[i]].bone, NULL, false);
    mmd_pose_finish(a->pose);
    a->finished = true;
}

void sim_actor_plain_pose(sim_actor *a, double frame)
{
    assert(a);
    evaluate(a, frame);
    finish_pose(a, NULL, NULL);
    a->evaluated = -1.0;
}

/* Returns the transform of a parent's bone in the parent's space, with physics as of the last step. */
static mmd_transform bone_world(simulation *s, sim_actor *parent, const sim_state *from, double frame,
                                int32_t bone)
{
    sim_actor_begin(s, parent, from, frame);
    evaluate(parent, frame);
    if (!parent->finished)
        finish_pose(parent, from ? from->bodies + parent->first_body : NULL,
                    from ? from->simulated + parent->first_body : NULL);
    return mmd_pose_world(parent->pose)[bone];
}

/* Computes the matrix of a parent's bone. A parent that is not on the stage is at rest. */
static void bone_matrix(simulation *s, const sim_state *from, double frame, const mmd_staging *staging,
                        float matrix[16])
{
    sim_actor *parent = find_actor(s, staging->parent);
    mmd_transform world = identity_transform;
    if (parent)
        world = bone_world(s, parent, from, frame, staging->parent_bone);
    else
        memcpy(world.translation, staging->parent->model->bones[staging->parent_bone].position,
               3 * sizeof(float));
    mmd_transform_matrix(&world, matrix);
}

sim_actor *sim_actor_parent(const simulation *s, const sim_actor *a, double frame)
{
    assert(s && a);
    mmd_staging staging;
    stage_sample_staging(&a->edits->entry, frame, &staging);
    sim_actor *parent = staging.parent && staging.parent_bone >= 0 ? find_actor(s, staging.parent) : NULL;
    return parent && !parent->absent ? parent : NULL;
}

sim_actor *sim_actor_outside(const simulation *s, const outside_parent *item, double frame)
{
    assert(s && item);
    const mmd_outside_key *key = outside_at(item, frame);
    sim_actor *parent = key->parent ? find_actor(s, key->parent) : NULL;
    return parent && !parent->absent ? parent : NULL;
}

static bool is_placed(const mmd_staging *staging)
{
    static const float nowhere[3] = {0.0f, 0.0f, 0.0f};
    return memcmp(staging->position, nowhere, sizeof nowhere) != 0 ||
           memcmp(staging->rotation, nowhere, sizeof nowhere) != 0 || staging->scale != 1.0f ||
           (staging->parent && staging->parent_bone >= 0);
}

/* Detaches a staging from a parent that is off the stage. */
static void drop_absent_parent(const simulation *s, mmd_staging *staging)
{
    const sim_actor *parent = staging->parent ? find_actor(s, staging->parent) : NULL;
    if (parent && parent->absent)
        staging->parent = NULL;
}

/* Computes the placement at a frame, like mmd_stage_placement, with a separate scale. */
static void compute_placement(simulation *s, sim_actor *a, const sim_state *from, double frame)
{
    mmd_staging staging;
    float placement[16], other[16];
    stage_sample_staging(&a->edits->entry, frame, &staging);
    drop_absent_parent(s, &staging);
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
        matrix_multiply(other, placement, placement);
        const sim_actor *parent = find_actor(s, staging.parent);
        if (!parent)
            break;
        stage_sample_staging(&parent->edits->entry, frame, &staging);
        drop_absent_parent(s, &staging);
        stage_own_placement(&staging, other);
        matrix_multiply(other, placement, placement);
        scale *= staging.scale;
    }
    stage_rigid_part(placement, &a->placement);
    a->scale = sim_actor_scale(scale);
}

/* Attaches its bones to their outside parents. The whole actor comes first, because a single bone's parent
 * overrides it. */
static void attach_at(simulation *s, sim_actor *a, const sim_state *from, double frame, bool whole)
{
    const outside_set *set = a->edits->entry.outside;
    for (size_t i = 0; i < set->count; i++) {
        const outside_parent *item = set->items[i];
        sim_actor *parent = sim_actor_outside(s, item, frame);
        if (whole != (item->bone == MMD_WHOLE_ACTOR) || !parent || parent->beginning)
            continue;
        mmd_transform world = bone_world(s, parent, from, frame, outside_at(item, frame)->parent_bone);
        sim_actor_to_world(parent, &world, &world);
        if (a->placed)
            sim_actor_to_own(&a->placement, a->scale, &world, &world);
        outside_attach(a->pose, a->model, item->bone, &world);
    }
}

/* Parents begin before their children. In a ring one of them uses its former pose. */
void sim_actor_begin(simulation *s, sim_actor *a, const sim_state *from, double frame)
{
    assert(s && a);
    if (a->begun >= 0.0 && a->begun == frame)
        return;
    a->begun = frame;
    a->beginning = true;
    if (a->edits->entry.outside)
        outside_clear(a->pose, a->model);
    compute_placement(s, a, from, frame);
    if (a->edits->entry.outside) {
        attach_at(s, a, from, frame, true);
        attach_at(s, a, from, frame, false);
        a->evaluated = -1.0;
    }
    a->beginning = false;
}

/* ---- targets ---- */

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

/* Determines which bodies are held during the step (held) and which are simulated after it: a model that
 * appears is reset at the end of the step. */
static bool find_held_bodies(sim_actor *a, bool was_visible, uint8_t *held, uint8_t *simulated)
{
    bool depends = false;
    for (uint32_t b = 0; b < a->body_count; b++) {
        int32_t bone = a->scene.bodies[b].bone;
        simulated[b] = is_simulated_kind(a, b) && a->visible && !(bone >= 0 && a->values.physics_off[bone]);
        a->moving[b] = simulated[b] && was_visible;
        held[b] = a->link[b] >= SIM_MOVES && !a->moving[b];
        depends |= held[b] && depends_on(a, placing_bone(a, b));
    }
    return depends;
}

static void body_target(const sim_actor *a, uint32_t b, mmd_transform *out)
{
    int32_t bone = placing_bone(a, b);
    if (bone < 0)
        *out = a->offset[b];
    else
        mmd_transform_multiply(&mmd_pose_world(a->pose)[bone], &a->offset[b], out);
    sim_actor_to_world(a, out, out);
}

void sim_actor_targets(simulation *s, sim_actor *a, const sim_state *from, sim_state *to, size_t index)
{
    assert(s && a && to);
    const mmd_transform *last = from ? from->bodies + a->first_body : NULL;
    mmd_transform *targets = s->targets + a->first_body;
    evaluate(a, step_frame(s, to->step));
    a->visible = a->values.visible && a->staged_visible;
    to->visible[index] = a->visible;
    to->placed[index] = a->placed;
    to->placements[index] = a->placement;
    to->scales[index] = a->scale;
    bool held_depends = find_held_bodies(a, !from || from->visible[index], s->held + a->first_body,
                                         to->simulated + a->first_body);
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

/* ---- overriding bones by bodies ---- */

void sim_actor_override(const sim_actor *a, mmd_pose *pose, const mmd_transform *bodies,
                        const uint8_t *simulated, const mmd_transform *placement, float scale)
{
    assert(a && pose);
    mmd_transform world;
    for (uint32_t i = 0; i < a->order_count; i++)
        mmd_pose_override(pose, (uint32_t)a->scene.bodies[a->order[i]].bone, NULL, false);
    for (uint32_t i = 0; i < a->order_count; i++) {
        uint32_t b = a->order[i];
        if (!simulated[b])
            continue;
        world = bodies[b];
        if (placement)
            sim_actor_to_own(placement, scale, &bodies[b], &world);
        mmd_transform_multiply(&world, &a->inverse[b], &world);
        mmd_pose_override(pose, (uint32_t)a->scene.bodies[b].bone, &world, a->link[b] == SIM_TURNS);
    }
}

/* ---- creation ---- */

mmd_status sim_actor_init(sim_actor *a, const stage_entry *entry, const mmd_physics_options *options,
                          mmd_arena *arena, mmd_error *error)
{
    assert(a && entry && options);
    a->actor = entry->actor;
    a->model = a->actor->model;
    a->starts = entry->starts;
    a->scale = 1.0f;
    a->absent = entry->absent;
    a->place = entry->place;
    a->scene.world = mmd_default_phys_world();
    mmd_status status = a->absent ? MMD_OK : mmd_model_physscene(a->model, &a->scene, error);
    if (status == MMD_OK)
        status = mmd_physscene_check(&a->scene, error);
    if (status != MMD_OK)
        return status;
    if (!a->absent && !placed_scene(entry->placed_parts, &a->scene))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    a->body_count = a->scene.body_count;
    a->has_world = a->body_count || a->scene.soft_body_count;
    a->pose = mmd_pose_create(a->model);
    if (!a->pose || !allocate(a, arena) || !impulses_init(a, arena) || !sim_actor_bind_motions(a))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    fill_bodies(a, options->joined_mode_2);
    if (a->built_scale != 1.0f && !scaled_scene(&a->scene, a->built_scale))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    if (!follow_edits_init(a, arena) || !sort_bodies(a) || !mark_dependent_bones(a) ||
        !guard_init(a, arena) || !pins_init(a, arena) || !softs_init(a, arena))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    sim_actor_read_edits(a, entry);
    sim_actor_apply_changes(a);
    return MMD_OK;
}

void sim_actor_finish(sim_actor *a)
{
    assert(a);
    outside_drop(a->kept.entry.outside);
    outside_drop(a->wanted.entry.outside);
    actor_clips_destroy(a->clips);
    mmd_pose_destroy(a->pose);
    mmd_physscene_destroy(&a->scene);
}
