/* IK data that are computed once for a model: links with limits, solvers, and the levels of bones with IK. */
#include "pose_internal.h"

#include <assert.h>
#include <string.h>

/* Limits that MMD does not have: passes of a solver, and transforms of a frame (about a second). */
enum { PASSES_MAX = 1000, WORK_MAX = 1 << 25 };

/* ---- links ---- */

/* Finds the only axis that the limits leave (x if they leave none), and the order of Euler angles: one whose
 * middle angle the limits hold within a quarter turn, else z in the middle. */
static void read_limits(const mmd_ik_link *from, chain_link *link)
{
    static const uint8_t orders[3][3] = {{1, 0, 2}, {2, 1, 0}, {0, 2, 1}}; /* first, middle, last */
    const float quarter = 0.5f * POSE_PI;
    int middle = 2;
    link->limited = true;
    memcpy(link->lower, from->lower, sizeof link->lower);
    memcpy(link->upper, from->upper, sizeof link->upper);
    for (int k = 2; k >= 0; k--) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        if (link->lower[a] == 0.0f && link->upper[a] == 0.0f && link->lower[b] == 0.0f && link->upper[b] == 0.0f)
            link->hinge = (int8_t)k;
        if (link->lower[k] > -quarter && link->upper[k] < quarter)
            middle = k;
    }
    memcpy(link->order, orders[middle], sizeof link->order);
}

/* Makes a link whose bone has a fixed axis turn about it only, except where limits leave one other axis. */
static void use_fixed_axis(const float axis[3], chain_link *link)
{
    float length = length3(axis);
    link->fixed = length > 1e-12f && isfinite(length);
    if (link->fixed)
        scale3(axis, 1.0f / length, link->fixed_axis);
}

static void init_link(const mmd_pose *pose, const mmd_ik_link *from, float limit, chain_link *link)
{
    const mmd_bone *bone = &pose->model->bones[from->bone];
    *link = (chain_link){.bone = (uint32_t)from->bone, .hinge = -1, .limit = limit};
    if (from->has_limit)
        read_limits(from, link);
    link->knee = link->limited && pose->model->origin == MMD_ORIGIN_PMD;
    if (bone->flags & MMD_BONE_FIXED_AXIS)
        use_fixed_axis(bone->fixed_axis, link);
}

/* Returns how many passes a solver makes at most: those that the model says, and in models that are no PMD at
 * least two turns at the limit of a step, up to 360. */
static uint32_t count_passes(const mmd_model *model, const mmd_bone *bone)
{
    int32_t passes = 0;
    if (model->origin != MMD_ORIGIN_PMD && bone->ik_limit > 0.0f) {
        float turns = 4.0f * POSE_PI / bone->ik_limit;
        passes = turns < 360.0f ? (int32_t)turns : 360;
    }
    passes = bone->ik_loops > passes ? bone->ik_loops : passes;
    return passes > PASSES_MAX ? PASSES_MAX : (uint32_t)passes;
}

/* ---- solvers ---- */

/* Marks a bone and its ancestors, whose matrices IK reads. */
static void need_matrix(mmd_pose *pose, uint32_t bone)
{
    for (int32_t b = (int32_t)bone; b >= 0 && !pose->info[b].has_matrix; b = pose->info[b].parent)
        pose->info[b].has_matrix = true;
}

/* Makes a solver's links. first: scratch by bone. Returns false if out of memory. */
static bool init_solver(mmd_pose *pose, uint32_t goal, uint32_t *first, ik_solver *solver)
{
    const mmd_bone *bone = &pose->model->bones[goal];
    *solver = (ik_solver){.goal = goal, .target = (uint32_t)bone->ik_target, .passes = count_passes(pose->model, bone)};
    solver->links = mmd_arena_alloc(&pose->arena, bone->ik_link_count, sizeof *solver->links);
    if (!solver->links)
        return false;
    for (uint32_t j = 0; j < bone->ik_link_count; j++)
        if (bone->ik_links[j].bone >= 0)
            init_link(pose, &bone->ik_links[j], bone->ik_limit * (float)(j + 1),
                      &solver->links[solver->link_count++]);
    for (uint32_t j = solver->link_count; j > 0; j--)
        first[solver->links[j - 1].bone] = j - 1;
    need_matrix(pose, goal);
    need_matrix(pose, solver->target);
    for (uint32_t j = 0; j < solver->link_count; j++) {
        solver->links[j].first = first[solver->links[j].bone];
        need_matrix(pose, solver->links[j].bone);
    }
    return true;
}

/* Returns the number of transforms that a solver computes at most. */
static uint64_t work_of(const ik_solver *solver)
{
    uint64_t links = solver->link_count;
    return solver->passes * links * (links + 3) / 2;
}

/* Makes the solvers in the order of evaluation; those that would exceed the budget are left out. first: scratch
 * by bone. Returns false if out of memory. */
static bool init_solvers(mmd_pose *pose, uint32_t *first)
{
    const mmd_model *model = pose->model;
    uint64_t work = 0;
    uint32_t most_links = 0;
    for (uint32_t i = 0; i < model->bone_count; i++) {
        const mmd_bone *bone = &model->bones[model->bone_order[i]];
        ik_solver *solver = &pose->solvers[pose->solver_count];
        if (!(bone->flags & MMD_BONE_IK) || bone->ik_target < 0)
            continue;
        if (!init_solver(pose, model->bone_order[i], first, solver))
            return false;
        work += work_of(solver);
        if (work > WORK_MAX || solver->link_count == 0) {
            work -= work_of(solver);
            continue;
        }
        most_links = solver->link_count > most_links ? solver->link_count : most_links;
        pose->solver_count++;
    }
    pose->turned_links = mmd_arena_alloc(&pose->arena, most_links, sizeof *pose->turned_links);
    return pose->turned_links != NULL;
}

/* What solvers do to a bone. */
typedef struct ik_moves {
    uint32_t solver;   /* number of the last solver that moves it; 0 for none */
    uint32_t rank;     /* there: links are updated from the highest rank to the lowest; the target, 0, is the last */
    uint32_t moved;    /* number of solvers that move it */
    uint32_t followed; /* number of solvers that move its parent and update it afterwards */
} ik_moves;

static void add_move(ik_moves *moves, uint32_t solver, uint32_t rank)
{
    if (moves->solver != solver)
        moves->moved++;
    moves->solver = solver;
    moves->rank = rank;
}

static void add_follower(const mmd_pose *pose, ik_moves *moves, uint32_t solver, uint32_t bone)
{
    int32_t parent = pose->info[bone].parent;
    if (parent >= 0 && moves[parent].solver == solver && moves[parent].rank > moves[bone].rank)
        moves[bone].followed++;
}

/* Finds the links that some solver leaves where they are while it moves their parents. moves: scratch by bone. */
static void find_kept_frames(mmd_pose *pose, ik_moves *moves)
{
    for (uint32_t i = 0; i < pose->solver_count; i++) {
        const ik_solver *solver = &pose->solvers[i];
        for (uint32_t j = 0; j < solver->link_count; j++)
            add_move(&moves[solver->links[j].bone], i + 1, solver->links[j].first + 1);
        add_move(&moves[solver->target], i + 1, 0);
        for (uint32_t j = 0; j < solver->link_count; j++)
            if (solver->links[j].first == j && solver->links[j].bone != solver->target)
                add_follower(pose, moves, i + 1, solver->links[j].bone);
        add_follower(pose, moves, i + 1, solver->target);
    }
    for (uint32_t i = 0; i < pose->solver_count; i++)
        for (uint32_t j = 0; j < pose->solvers[i].link_count; j++) {
            uint32_t bone = pose->solvers[i].links[j].bone;
            int32_t parent = pose->info[bone].parent;
            pose->info[bone].keeps_frame = parent >= 0 && moves[parent].moved > moves[bone].followed;
        }
}

/* ---- levels ---- */

/* Returns the position in the order behind the last bone of a bone's level. */
static uint32_t level_end(const mmd_model *model, uint32_t bone)
{
    uint32_t i = model->bone_rank[bone] + 1;
    uint32_t last = i <= model->bone_order_before ? model->bone_order_before : model->bone_count;
    while (i < last && model->bone_level[model->bone_order[i]] == model->bone_level[bone])
        i++;
    return i;
}

/* Lists the bones from position `begin` to the level's end that follow its IK: those that append from a link
 * (links: by bone), and their descendants. follows: scratch by bone. Returns false if out of memory. */
static bool list_deferred(mmd_pose *pose, uint32_t begin, const bool *links, bool *follows, ik_level *level)
{
    const mmd_model *model = pose->model;
    level->deferred = mmd_arena_alloc(&pose->arena, level->end - begin, sizeof *level->deferred);
    if (!level->deferred)
        return false;
    for (uint32_t i = begin; i < level->end; i++) {
        uint32_t b = model->bone_order[i];
        const bone_info *info = &pose->info[b];
        follows[b] = (info->source >= 0 && links[info->source]) ||
                     (info->parent >= 0 && !info->parent_later && follows[info->parent] &&
                      model->bone_rank[info->parent] >= begin);
        if (follows[b])
            level->deferred[level->deferred_count++] = b;
    }
    return true;
}

/* Divides the solvers into levels. Returns false if out of memory. */
static bool init_levels(mmd_pose *pose, mmd_arena *scratch)
{
    const mmd_model *model = pose->model;
    bool *links = mmd_arena_alloc(scratch, model->bone_count, sizeof *links);
    bool *follows = mmd_arena_alloc(scratch, model->bone_count, sizeof *follows);
    pose->ik_levels = mmd_arena_alloc(&pose->arena, pose->solver_count, sizeof *pose->ik_levels);
    if (!links || !follows || !pose->ik_levels)
        return false;
    for (uint32_t i = 0; i < pose->solver_count; i++)
        for (uint32_t j = 0; j < pose->solvers[i].link_count; j++)
            links[pose->solvers[i].links[j].bone] = true;
    for (uint32_t i = 0, count; i < pose->solver_count; i += count) {
        ik_level *level = &pose->ik_levels[pose->ik_level_count++];
        uint32_t begin = model->bone_rank[pose->solvers[i].goal];
        *level = (ik_level){.solvers = &pose->solvers[i], .end = level_end(model, pose->solvers[i].goal)};
        for (count = 0; i + count < pose->solver_count; count++) {
            const ik_solver *solver = &pose->solvers[i + count];
            if (model->bone_rank[solver->goal] >= level->end)
                break;
            /* What comes later in the order still has its place of the previous frame. */
            pose->backward |= model->bone_rank[solver->target] >= level->end;
            for (uint32_t j = 0; j < solver->link_count; j++)
                pose->backward |= model->bone_rank[solver->links[j].bone] >= level->end;
        }
        level->solver_count = count;
        while (begin > 0 && model->bone_level[model->bone_order[begin - 1]] ==
                                model->bone_level[pose->solvers[i].goal] && begin != model->bone_order_before)
            begin--;
        if (!list_deferred(pose, begin, links, follows, level))
            return false;
    }
    return true;
}

bool pose_ik_init(mmd_pose *pose)
{
    assert(pose);
    const mmd_model *model = pose->model;
    uint32_t count = 0;
    for (uint32_t b = 0; b < model->bone_count; b++)
        count += (model->bones[b].flags & MMD_BONE_IK) != 0;
    if (!count)
        return true;
    pose->solvers = mmd_arena_alloc(&pose->arena, count, sizeof *pose->solvers);
    pose->matrices = mmd_arena_alloc(&pose->arena, model->bone_count, sizeof *pose->matrices);
    if (!pose->solvers || !pose->matrices)
        return false;
    pose_rest_matrices(pose, pose->matrices);
    mmd_arena scratch = {0};
    uint32_t *first = mmd_arena_alloc(&scratch, model->bone_count, sizeof *first);
    ik_moves *moves = mmd_arena_alloc(&scratch, model->bone_count, sizeof *moves);
    bool done = first && moves && init_solvers(pose, first) && init_levels(pose, &scratch);
    if (done)
        find_kept_frames(pose, moves);
    mmd_arena_finish(&scratch);
    return done;
}
