/* IK data that are computed once for a model: links with limits, the chain from the outermost link to the
 * effector, the bones to evaluate early, and those to evaluate again after solving. */
#include "pose_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/elementary.h"

enum { LOOPS_MAX = 256 };

/* ---- links ---- */

static void classify_limits(chain_link *link)
{
    int axes = 0;
    for (int k = 0; k < 3; k++) {
        if (link->lower[k] == 0.0f && link->upper[k] == 0.0f)
            continue;
        axes++;
        link->axis = (uint8_t)k;
    }
    link->kind = axes == 0 ? LINK_LOCKED : axes == 1 ? LINK_ONE_AXIS : LINK_LIMITED;
}

/* Makes limits refer to the bone's local axes (docs/mmd.md 4.4): the reference evaluator rotates the knees of
 * models with local axes exactly about their local X. */
static void use_local_axes(const mmd_bone *bone, chain_link *link)
{
    float axes[3][3];
    cross3(bone->local_z, bone->local_x, axes[1]);
    cross3(bone->local_x, axes[1], axes[2]);
    memcpy(axes[0], bone->local_x, sizeof axes[0]);
    for (int k = 0; k < 3; k++) {
        float length = length3(axes[k]);
        if (!(length > 1e-6f) || !isfinite(length))
            return; /* the axes are degenerate */
        scale3(axes[k], 1.0f / length, axes[k]);
    }
    quat_from_axes(axes, link->frame);
    link->has_frame = true;
}

static bool unit_axis(const float axis[3], float out[3])
{
    float length = sqrtf(dot3(axis, axis));
    if (!(length > 1e-12f) || !isfinite(length))
        return false;
    for (int k = 0; k < 3; k++)
        out[k] = axis[k] / length;
    return true;
}

/* A link with a fixed axis rotates only about it (docs/mmd.md 4.4). Limits that leave one axis are then
 * limits of that rotation; the frame takes the fixed axis as that axis. Limits on several axes are ignored.
 */
static void use_fixed_axis(const mmd_bone *bone, chain_link *link)
{
    float axis[3];
    if (link->kind == LINK_LOCKED || !unit_axis(bone->fixed_axis, axis))
        return;
    if (link->kind != LINK_ONE_AXIS) {
        link->kind = LINK_FIXED_AXIS;
        link->has_frame = false;
        memcpy(link->fixed_axis, axis, sizeof axis);
        return;
    }
    float main[3] = {0.0f, 0.0f, 0.0f}, sign = axis[link->axis] < 0.0f ? -1.0f : 1.0f;
    main[link->axis] = 1.0f;
    for (int k = 0; k < 3; k++)
        axis[k] *= sign;
    cross3(main, axis, link->frame);
    link->frame[3] = 1.0f + dot3(main, axis);
    quat_normalize(link->frame);
    link->has_frame = true;
}

static void init_link(const mmd_pose *pose, const mmd_ik_link *from, chain_link *link)
{
    const mmd_bone *bone = &pose->model->bones[from->bone];
    link->bone = (uint32_t)from->bone;
    link->kind = LINK_FREE;
    if (from->has_limit) {
        for (int k = 0; k < 3; k++) {
            link->lower[k] = mmd_minf(from->lower[k], from->upper[k]);
            link->upper[k] = mmd_maxf(from->lower[k], from->upper[k]);
        }
        classify_limits(link);
        if (bone->flags & MMD_BONE_LOCAL_AXIS)
            use_local_axes(bone, link);
    }
    if (bone->flags & MMD_BONE_FIXED_AXIS)
        use_fixed_axis(bone, link);
}

/* Sets the step limit of a link. A limit of 0 means no limit: the reference evaluator solves a made model
 * with limit 0 in one iteration (docs/mmd.md 4.5). */
static void init_step_limit(const mmd_pose *pose, float limit, uint32_t number, chain_link *link)
{
    if (pose->options.ik_step_by_link || pose->options.ik == MMD_IK_REFLECT)
        limit *= (float)number;
    if (!(limit > 0.0f && limit < POSE_PI))
        limit = POSE_PI;
    link->limit = limit;
    link->limit_cos = mmd_cosf(limit);
    mmd_sincosf(0.5f * limit, &link->half_sin, &link->half_cos);
}

/* ---- chains ---- */

/* Scratch memory of the set-up: dependents of bones, and marks by solver. */
typedef struct setup {
    mmd_pose *pose;
    mmd_arena arena;
    uint32_t *first; /* by bone: index of its first dependent; one more at the end */
    uint32_t *list;  /* bones that have a bone as parent or append source */
    uint32_t *mark;  /* by bone: number of the solver that reached it */
    uint32_t *rank; /* by bone: its position on the solver's path, from the effector outward; later a stack */
    uint32_t *reached; /* bones that the solver reached */
    uint32_t walks;    /* number of walks so far; each marks bones with its own number */
    size_t budget;     /* entries that may still be allocated for paths, early bones and affected bones */
    uint32_t *needed, *changed; /* by bone: number of the batch that needs it, and that changes it */
    size_t search;              /* bones that may still be visited to find batches */
} setup;

/* Calls visit for the parent and the append source of every bone, if they come earlier in the order. */
static void each_dependence(const mmd_pose *pose, void (*visit)(setup *s, uint32_t on, uint32_t bone),
                            setup *s)
{
    for (uint32_t b = 0; b < pose->model->bone_count; b++) {
        const bone_info *info = &pose->info[b];
        if (info->parent >= 0 && !info->parent_later)
            visit(s, (uint32_t)info->parent, b);
        if (info->source >= 0 && !info->source_later && info->source != info->parent)
            visit(s, (uint32_t)info->source, b);
    }
}

static void count_dependent(setup *s, uint32_t on, uint32_t bone)
{
    (void)bone;
    s->first[on + 1]++;
}

static void put_dependent(setup *s, uint32_t on, uint32_t bone)
{
    s->list[s->mark[on]++] = bone;
}

/*
 * Initialises the scratch memory. Hostile files could have as many solvers as bones on one long chain, so the
 * entries of all solvers together are limited to 16 times the bones and links; solvers beyond that are left
 * out.
 */
static bool setup_init(setup *s, mmd_pose *pose)
{
    const mmd_model *model = pose->model;
    uint32_t count = model->bone_count;
    *s = (setup){.pose = pose, .budget = 4096};
    s->first = mmd_arena_alloc(&s->arena, (size_t)count + 1, sizeof *s->first);
    s->list = mmd_arena_alloc(&s->arena, 2 * (size_t)count, sizeof *s->list);
    s->mark = mmd_arena_alloc(&s->arena, count, sizeof *s->mark);
    s->rank = mmd_arena_alloc(&s->arena, count, sizeof *s->rank);
    s->reached = mmd_arena_alloc(&s->arena, count, sizeof *s->reached);
    s->needed = mmd_arena_alloc(&s->arena, count, sizeof *s->needed);
    s->changed = mmd_arena_alloc(&s->arena, count, sizeof *s->changed);
    if (!s->first || !s->list || !s->mark || !s->rank || !s->reached || !s->needed || !s->changed)
        return false;
    for (uint32_t b = 0; b < count; b++) {
        s->budget += 16 * (1 + (size_t)model->bones[b].ik_link_count);
        s->mark[b] = s->needed[b] = s->changed[b] = UINT32_MAX;
    }
    s->search = 4 * s->budget;
    return true;
}

/* Lists the dependents of every bone. */
static void list_dependents(setup *s)
{
    uint32_t count = s->pose->model->bone_count;
    each_dependence(s->pose, count_dependent, s);
    for (uint32_t b = 0; b < count; b++) {
        s->first[b + 1] += s->first[b];
        s->mark[b] = s->first[b];
    }
    each_dependence(s->pose, put_dependent, s);
    for (uint32_t b = 0; b < count; b++)
        s->mark[b] = UINT32_MAX;
}

/* Takes count entries from the budget. Returns false if it is exhausted. */
static bool spend(setup *s, size_t count)
{
    if (count > s->budget) {
        s->budget = 0;
        return false;
    }
    s->budget -= count;
    return true;
}

/* Compares bones by rank, for sorting. */
static int compare_ranks(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Finds the bones from the outermost link to the effector, outermost first. Links outside of this path cannot
 * move the effector and are dropped. Returns false if out of memory or budget. */
static bool init_path(setup *s, ik_solver *solver)
{
    const mmd_model *model = s->pose->model;
    uint32_t depth = 0, length = 0, kept = 0, number = s->walks++;
    for (int32_t b = (int32_t)solver->target; b >= 0; b = model->bones[b].parent) {
        s->mark[b] = number;
        s->rank[b] = depth++;
    }
    for (uint32_t j = 0; j < solver->link_count; j++) {
        uint32_t bone = solver->links[j].bone;
        if (s->mark[bone] != number)
            continue;
        length = s->rank[bone] + 1 > length ? s->rank[bone] + 1 : length;
        solver->links[kept++] = solver->links[j];
    }
    solver->link_count = kept;
    for (uint32_t j = kept; j > 0; j--)
        s->reached[solver->links[j - 1].bone] = j - 1;
    for (uint32_t j = 0; j < kept; j++)
        solver->links[j].first = s->reached[solver->links[j].bone];
    solver->path = spend(s, depth) ? mmd_arena_alloc(&s->pose->arena, length, sizeof *solver->path) : NULL;
    if (!solver->path)
        return false;
    solver->path_count = length;
    int32_t b = (int32_t)solver->target;
    for (uint32_t i = length; i > 0; i--, b = model->bones[b].parent)
        solver->path[i - 1] = (uint32_t)b;
    solver->ordered = true;
    for (uint32_t j = 0; j < kept; j++) {
        solver->links[j].path_first = length - 1 - s->rank[solver->links[j].bone];
        solver->ordered &= solver->links[j].path_first < (j > 0 ? solver->links[j - 1].path_first : length);
    }
    return true;
}

/* Makes the path evaluate within the current frame: a bone on it uses its parent's current transform, even if
 * the parent comes later in the order. */
static void join_path(mmd_pose *pose, ik_solver *solver)
{
    for (uint32_t i = 1; i < solver->path_count; i++) {
        bone_info *info = &pose->info[solver->path[i]];
        if (!info->parent_later)
            continue;
        info->parent_later = false;
        pose->backward = true; /* until the solver runs, the parent has the transform of the previous frame */
    }
    const uint32_t *rank = pose->model->bone_rank;
    for (uint32_t i = 1; i < solver->path_count; i++)
        solver->path_late |= rank[solver->path[i - 1]] > rank[solver->path[i]];
}

/* Returns a parent or append source of the bone that is evaluated after rank `last` and was not visited in
 * this walk; -1 if there is none. */
static int32_t next_ahead(const setup *s, uint32_t bone, uint32_t number, uint32_t last)
{
    const bone_info *info = &s->pose->info[bone];
    const uint32_t *rank = s->pose->model->bone_rank;
    if (info->parent >= 0 && !info->parent_later && rank[info->parent] > last &&
        s->mark[info->parent] != number)
        return info->parent;
    if (info->source >= 0 && !info->source_later && rank[info->source] > last &&
        s->mark[info->source] != number)
        return info->source;
    return -1;
}

/* Lists a bone, which comes after rank `last`, after everything that it depends on there. */
static void list_ahead(setup *s, uint32_t bone, uint32_t number, uint32_t last, uint32_t *count)
{
    uint32_t *stack = s->rank, depth = 0;
    if (s->pose->model->bone_rank[bone] <= last || s->mark[bone] == number)
        return;
    stack[depth++] = bone;
    s->mark[bone] = number;
    while (depth > 0) {
        int32_t next = next_ahead(s, stack[depth - 1], number, last);
        if (next < 0) {
            s->reached[(*count)++] = stack[--depth];
        } else {
            stack[depth++] = (uint32_t)next;
            s->mark[next] = number;
        }
    }
}

/*
 * Lists the bones that a batch needs before their turn in the order: IK bones and bones of the paths after
 * the first IK bone, and their parents and append sources, each after its own dependencies. Returns false if
 * out of memory or budget.
 */
static bool init_ahead(setup *s, ik_batch *batch)
{
    uint32_t last = s->pose->model->bone_rank[batch->solvers[0]->goal], number = s->walks++, count = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        const ik_solver *solver = batch->solvers[i];
        list_ahead(s, solver->goal, number, last, &count);
        for (uint32_t k = 0; k < solver->path_count && count <= s->budget; k++)
            list_ahead(s, solver->path[k], number, last, &count);
    }
    batch->ahead = spend(s, count) ? mmd_arena_alloc(&s->pose->arena, count, sizeof *batch->ahead) : NULL;
    if (!batch->ahead)
        return false;
    memcpy(batch->ahead, s->reached, count * sizeof *batch->ahead);
    batch->ahead_count = count;
    return true;
}

static void reach(setup *s, uint32_t number, uint32_t bone, uint32_t *count)
{
    if (s->mark[bone] == number)
        return;
    s->mark[bone] = number;
    s->pose->moved[bone] = 0;
    s->reached[(*count)++] = bone;
}

/* Collects the path, and all bones before rank `last` that depend on it directly or indirectly; at most
 * slightly more than `most`. */
static uint32_t collect_dependents(setup *s, const ik_solver *solver, uint32_t last, size_t most)
{
    uint32_t number = s->walks++;
    const mmd_model *model = s->pose->model;
    uint32_t count = 0;
    for (uint32_t i = 0; i < solver->path_count; i++)
        reach(s, number, solver->path[i], &count);
    for (uint32_t i = 0; i < count && count <= most; i++)
        for (uint32_t d = s->first[s->reached[i]]; d < s->first[s->reached[i] + 1]; d++)
            if (model->bone_rank[s->list[d]] < last)
                reach(s, number, s->list[d], &count);
    return count;
}

/* What changes of a bone when the links rotate: its position, and its value as append source. */
enum { MOVED = 1, VALUE = 2 };

static uint8_t change_of(const setup *s, uint32_t number, uint32_t bone)
{
    const bone_info *info = &s->pose->info[bone];
    const uint8_t *moved = s->pose->moved;
    uint8_t change = moved[bone];
    if (info->parent >= 0 && s->mark[info->parent] == number && (moved[info->parent] & MOVED))
        change |= MOVED;
    if (info->source >= 0 && s->mark[info->source] == number &&
        (moved[info->source] & (info->append_local ? MOVED : VALUE)))
        change |= MOVED | VALUE;
    return change;
}

/* Lists the bones that were evaluated before the solver and change with its links: descendants, and bones
 * that append from a link or from such a bone. Returns false if out of memory or budget. */
static bool init_affected(setup *s, ik_solver *solver)
{
    const mmd_model *model = s->pose->model;
    uint32_t last = model->bone_rank[solver->goal], number = s->walks;
    uint32_t count = collect_dependents(s, solver, last, s->budget);
    for (uint32_t i = 0; i < count; i++)
        s->reached[i] = model->bone_rank[s->reached[i]];
    qsort(s->reached, count, sizeof *s->reached, compare_ranks);
    solver->affected =
        spend(s, count) ? mmd_arena_alloc(&s->pose->arena, count, sizeof *solver->affected) : NULL;
    if (!solver->affected)
        return false;
    for (uint32_t i = 0; i < solver->path_count; i++)
        s->pose->moved[solver->path[i]] = MOVED;
    for (uint32_t j = 0; j < solver->link_count; j++)
        s->pose->moved[solver->links[j].bone] = MOVED | VALUE;
    for (uint32_t i = 0; i < count && s->reached[i] < last; i++) {
        uint32_t bone = model->bone_order[s->reached[i]];
        s->pose->moved[bone] = change_of(s, number, bone);
        if (s->pose->moved[bone])
            solver->affected[solver->affected_count++] = bone;
    }
    if (s->mark[solver->goal] != number)
        s->pose->moved[solver->goal] = 0;
    s->pose->info[solver->goal].left_behind = change_of(s, number, solver->goal) != 0;
    return true;
}

/* Creates a solver's links and path. Returns false if out of memory. A solver without remaining links, or
 * over budget, gets a link_count of 0. */
static bool init_solver(setup *s, uint32_t goal, ik_solver *solver)
{
    mmd_pose *pose = s->pose;
    const mmd_bone *bone = &pose->model->bones[goal];
    *solver = (ik_solver){.goal = goal, .target = (uint32_t)bone->ik_target};
    solver->loops = bone->ik_loops < 0           ? 0
                    : bone->ik_loops > LOOPS_MAX ? LOOPS_MAX
                                                 : (uint32_t)bone->ik_loops;
    solver->links = mmd_arena_alloc(&pose->arena, bone->ik_link_count, sizeof *solver->links);
    if (!solver->links)
        return false;
    for (uint32_t j = 0; j < bone->ik_link_count; j++) {
        if (bone->ik_links[j].bone < 0)
            continue;
        init_step_limit(pose, bone->ik_limit, j + 1, &solver->links[solver->link_count]);
        init_link(pose, &bone->ik_links[j], &solver->links[solver->link_count++]);
    }
    if (init_path(s, solver))
        return true;
    solver->link_count = 0;
    return s->budget == 0;
}

/* ---- batches ---- */

/* Notes for the batch with a number what a solver needs, and what it changes: the bones in s->reached. */
static void note_solver(setup *s, const ik_solver *solver, uint32_t number, uint32_t changed_count)
{
    s->needed[solver->goal] = number;
    for (uint32_t i = 0; i < solver->path_count; i++)
        s->needed[solver->path[i]] = number;
    for (uint32_t i = 0; i < changed_count; i++)
        s->changed[s->reached[i]] = number;
}

/* Tests whether a solver, which changes the bones in s->reached, neither changes what the solvers noted for a
 * batch need, nor needs what they change. What a bone depends on needs no test: it changes the bone. A goal
 * that its own chain moves keeps the place that it had before: it must not come to its turn afterwards. */
static bool is_independent(const setup *s, const ik_solver *solver, uint32_t number, uint32_t changed_count)
{
    bool independent = s->changed[solver->goal] != number;
    for (uint32_t i = 0; i < solver->path_count; i++)
        independent = independent && s->changed[solver->path[i]] != number;
    for (uint32_t i = 0; i < changed_count; i++)
        independent = independent && s->needed[s->reached[i]] != number && s->reached[i] != solver->goal;
    return independent;
}

/* Removes the bones that come after rank `last`: on their turn they find the solver done. */
static void cut_affected(const setup *s, ik_solver *solver, uint32_t last)
{
    const uint32_t *rank = s->pose->model->bone_rank;
    while (solver->affected_count && rank[solver->affected[solver->affected_count - 1]] > last)
        solver->affected_count--;
}

/*
 * Fills a batch with solver `first` and those after it, in the order of evaluation, that may work at its
 * turn: they, the other solvers of the batch and those that work in between do not depend on each other.
 * Where bones use transforms of the previous frame, the batch is one solver, and also over budget, because
 * the others need more bones early.
 */
static void fill_batch(setup *s, uint32_t first, bool *taken, ik_batch *batch)
{
    mmd_pose *pose = s->pose;
    enum { WINDOW = 16 };
    uint32_t before = pose->model->bone_order_before;
    const uint32_t *rank = pose->model->bone_rank;
    ik_solver *leader = &pose->solvers[first];
    *batch = (ik_batch){.count = 1, .solvers = {leader}};
    for (uint32_t i = first; i < pose->solver_count && i < first + WINDOW && !pose->backward && s->budget;
         i++) {
        ik_solver *solver = &pose->solvers[i];
        if (taken[i])
            continue;
        uint32_t count = collect_dependents(s, solver, UINT32_MAX, s->search);
        if (count > s->search) {
            s->search = 0;
            return;
        }
        s->search -= count;
        if (i > first && batch->count < pose->batch_most && is_independent(s, solver, first, count) &&
            (rank[solver->goal] < before) == (rank[leader->goal] < before)) {
            taken[i] = true;
            batch->solvers[batch->count++] = solver;
            cut_affected(s, solver, rank[leader->goal]);
        }
        note_solver(s, solver, first, count);
    }
}

/* Divides the solvers into batches. Returns false if out of memory. */
static bool init_batches(setup *s)
{
    mmd_pose *pose = s->pose;
    bool *taken = mmd_arena_alloc(&s->arena, pose->solver_count, sizeof *taken);
    pose->batches = mmd_arena_alloc(&pose->arena, pose->solver_count, sizeof *pose->batches);
    uint32_t most_links = 0;
    if (!taken || !pose->batches)
        return false;
    for (uint32_t i = 0; i < pose->solver_count; i++) {
        if (taken[i])
            continue;
        ik_batch *batch = &pose->batches[pose->batch_count];
        fill_batch(s, i, taken, batch);
        if (!init_ahead(s, batch)) {
            if (s->budget)
                return false;
            break; /* over budget: the batches so far work, and need link_runs */
        }
        uint32_t links = 0;
        for (uint32_t k = 0; k < batch->count; k++)
            links += batch->solvers[k]->link_count;
        most_links = links > most_links ? links : most_links;
        pose->info[batch->solvers[0]->goal].batch = (int32_t)pose->batch_count++;
    }
    pose->link_runs = mmd_arena_alloc(&pose->arena, most_links, sizeof *pose->link_runs);
    return pose->link_runs != NULL;
}

/* Creates all solvers in the order of evaluation. All paths come first, because they decide which parents
 * count as later. */
static bool init_solvers(setup *s)
{
    mmd_pose *pose = s->pose;
    const mmd_model *model = pose->model;
    for (uint32_t i = 0; i < model->bone_count && s->budget; i++) {
        uint32_t b = model->bone_order[i];
        const mmd_bone *bone = &model->bones[b];
        if (!(bone->flags & MMD_BONE_IK) || bone->ik_target < 0 || bone->ik_link_count == 0)
            continue;
        ik_solver *solver = &pose->solvers[pose->solver_count];
        if (!init_solver(s, b, solver))
            return false;
        pose->solver_count += solver->link_count > 0;
    }
    for (uint32_t i = 0; i < pose->solver_count; i++)
        join_path(pose, &pose->solvers[i]);
    list_dependents(s);
    uint32_t count = 0;
    while (count < pose->solver_count && s->budget && init_affected(s, &pose->solvers[count]))
        count++;
    if (count < pose->solver_count && s->budget)
        return false;
    pose->solver_count = count;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < pose->solvers[i].path_count; k++)
            pose->solvers[i].path_left |= pose->info[pose->solvers[i].path[k]].left_behind;
    return init_batches(s);
}

bool pose_ik_init(mmd_pose *pose)
{
    assert(pose);
    const mmd_model *model = pose->model;
    uint32_t count = 0;
    for (uint32_t b = 0; b < model->bone_count; b++)
        count += (model->bones[b].flags & MMD_BONE_IK) != 0;
    pose->solvers = mmd_arena_alloc(&pose->arena, count, sizeof *pose->solvers);
    if (!pose->solvers)
        return false;
    setup s;
    bool done = count == 0 || (setup_init(&s, pose) && init_solvers(&s));
    if (count)
        mmd_arena_finish(&s.arena);
    return done;
}
