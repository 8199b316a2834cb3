/*
 * What is known of an actor's bodies and bones before the first step: how they
 * go together, in which order, and which bones physics changes.
 */
#include "simulation_internal.h"

#include <math.h>
#include <string.h>

static sim_link link_of(const mmd_phys_body *body)
{
    if (body->disabled || body->motion == MMD_PHYS_STATIC)
        return SIM_STAYS;
    if (body->motion == MMD_PHYS_KINEMATIC)
        return SIM_FOLLOWS;
    return body->bone < 0 || body->motion == MMD_PHYS_DYNAMIC ? SIM_MOVES : SIM_TURNS;
}

/* katwat's rule (MMD.md 5.3): a turning body joined to a simulated body of its parent bone moves its bone. */
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

static void fill_bodies(sim_actor *a, bool joined_mode_2)
{
    for (uint32_t b = 0; b < a->body_count; b++) {
        const mmd_phys_body *body = &a->scene.bodies[b];
        a->link[b] = (uint8_t)link_of(body);
        a->offset[b] = body->rest;
        for (int k = 0; body->bone >= 0 && k < 3; k++)
            a->offset[b].translation[k] -= a->model->bones[body->bone].position[k];
        mmd_transform_inverse(&a->offset[b], &a->inverse[b]);
    }
    if (joined_mode_2)
        free_joined(a);
    for (uint32_t b = 0; b < a->body_count; b++)
        a->turns |= a->link[b] == SIM_TURNS;
}

/* Simulated bodies by the rank of their bones, those of one bone in the file's order: sorted by counting. */
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

/* Of a bone: its parent, or what it appends from; -1: nothing. */
static int32_t leader(const mmd_bone *bone, bool appends)
{
    if (!appends)
        return bone->parent;
    return bone->flags & (MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION) ? bone->append_source : -1;
}

/* Bones that hang on or append from each bone b: followers[starts[b]..starts[b + 1] - 1]. */
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

/* Marks a bone as one that physics changes; behind queue are those whose followers are still to be marked. */
static void mark(sim_actor *a, uint32_t bone, uint32_t *queue, uint32_t *count)
{
    if (!a->depends[bone])
        queue[(*count)++] = bone;
    a->depends[bone] = 1;
}

/* Bones that physics changes: those of simulated bodies, what comes after physics, and what hangs on or
 * appends from them. */
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

bool coupled_bind_motions(sim_actor *a)
{
    mmd_clip *clip;
    if (!actor_make_clip(a->actor, &clip))
        return false;
    mmd_clip_destroy(a->clip);
    a->clip = clip;
    a->delay = a->actor->delay;
    a->changes_seen = a->actor->changes;
    return true;
}

mmd_status coupled_init(sim_actor *a, const stage_entry *entry, const mmd_physics_options *options,
                        mmd_arena *arena, mmd_error *error)
{
    a->actor = entry->actor;
    a->model = a->actor->model;
    a->scale = 1.0f;
    mmd_status status = mmd_model_physscene(a->model, &a->scene, error);
    if (status == MMD_OK)
        status = mmd_physscene_check(&a->scene, error);
    if (status != MMD_OK)
        return status;
    if (!placed_scene(entry->placed_parts, &a->scene))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    a->body_count = a->scene.body_count;
    a->has_world = a->body_count || a->scene.soft_body_count;
    a->pose = mmd_pose_create(a->model, &a->actor->options);
    if (!a->pose || !allocate(a, arena) || !impulses_init(a, arena) || !coupled_bind_motions(a))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    fill_bodies(a, options->joined_mode_2);
    if (a->built_scale != 1.0f && !scaled_scene(&a->scene, a->built_scale))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    if (!carry_init(a, arena) || !sort_bodies(a) || !mark_dependent_bones(a) || !guard_init(a, arena) ||
        !pins_init(a, arena) || !softs_init(a, arena))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    coupled_read_edits(a, entry);
    coupled_take_changes(a);
    return MMD_OK;
}

void coupled_finish(sim_actor *a)
{
    outside_drop(a->kept.entry.outside);
    outside_drop(a->wanted.entry.outside);
    mmd_clip_destroy(a->clip);
    mmd_pose_destroy(a->pose);
    mmd_physscene_destroy(&a->scene);
}
