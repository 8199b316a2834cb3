/*
 * Measures physics per frame: two steps of the engine's world compared with two of a minimal Bullet program,
 * alternating in one run and driven by the same kinematic bodies; and the whole simulation with its poses,
 * compared with frames without physics.
 *
 *   physics_bench MODEL [MOTION.vmd [ROUNDS]]
 */
#include "physics_run.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct pair {
    mmd_world *ours;
    minimal_bullet *theirs;
} pair;

static pair make_pair(const mmd_physscene *at, const mmd_phys_world *settings)
{
    pair p = {.theirs = minimal_bullet_create(settings, at)};
    const mmd_physscene *scenes[1] = {at};
    if (mmd_world_create(MMD_PHYSICS_BULLET, settings, scenes, 1, &p.ours, NULL) != MMD_OK)
        exit(3);
    return p;
}

static double time_ours(mmd_world *world, const physics_record *lead, uint32_t step)
{
    double began = physics_run_seconds();
    for (uint32_t s = step; s < step + 2; s++) {
        mmd_world_set_targets(world, physics_record_row(lead, s));
        mmd_world_step(world);
    }
    return physics_run_seconds() - began;
}

static double time_theirs(minimal_bullet *minimal, const physics_record *lead, uint32_t step)
{
    double began = physics_run_seconds();
    for (uint32_t s = step; s < step + 2; s++)
        minimal_bullet_step(minimal, physics_record_row(lead, s));
    return physics_run_seconds() - began;
}

/* The order of the two alternates from frame to frame. */
static void race(const physics_record *lead, const pair *p, double *ours, double *theirs)
{
    for (uint32_t f = 0; 2 * f + 2 < lead->steps; f++) {
        uint32_t step = 2 * f + 1;
        if (f % 2)
            theirs[f] = time_theirs(p->theirs, lead, step);
        ours[f] = time_ours(p->ours, lead, step);
        if (f % 2 == 0)
            theirs[f] = time_theirs(p->theirs, lead, step);
    }
}

static void compare(const mmd_physscene *scene, const physics_record *lead, const mmd_phys_world *settings,
                    size_t rounds)
{
    size_t frames = (lead->steps - 1) / 2;
    double *ours = physics_run_alloc(rounds * frames, sizeof *ours);
    double *theirs = physics_run_alloc(rounds * frames, sizeof *theirs);
    mmd_physscene at = physics_scene_at(scene, physics_record_row(lead, 0));
    for (size_t round = 0; round < rounds; round++) {
        pair p = make_pair(&at, settings);
        race(lead, &p, ours + round * frames, theirs + round * frames);
        mmd_world_destroy(p.ours);
        minimal_bullet_destroy(p.theirs);
    }
    double a = physics_run_median(ours, rounds * frames), b = physics_run_median(theirs, rounds * frames);
    printf(
        "two steps of a frame: odori %.1f us, minimal Bullet %.1f us, ratio %.3f (medians of %zu frames)\n",
        a * 1e6, b * 1e6, a / b, rounds * frames);
    free(at.bodies);
    free(ours);
    free(theirs);
}

/* Returns the median time of setting the frames 0, 1, ... of a stage. */
static double time_frames(mmd_stage *stage, uint32_t frames)
{
    double *times = physics_run_alloc(frames, sizeof *times);
    for (uint32_t f = 0; f < frames; f++) {
        double began = physics_run_seconds();
        mmd_stage_set_frame(stage, f);
        times[f] = physics_run_seconds() - began;
    }
    double median = physics_run_median(times, frames);
    free(times);
    return median;
}

static void time_whole(const char *model, const char *motion, uint32_t frames)
{
    mmd_physics_options options = physics_run_options();
    physics_run run = physics_run_make(model, motion, &options);
    uint64_t blocks = mmd_heap_allocations();
    double with = time_frames(run.stage, frames);
    blocks = mmd_heap_allocations() - blocks;
    mmd_physics_report report = mmd_stage_physics_report(run.stage);
    physics_run_finish(&run);
    run = physics_run_make(model, motion, NULL);
    double without = time_frames(run.stage, frames);
    physics_run_finish(&run);
    double steps = report.steps ? (double)report.steps : 1.0;
    printf("whole frame: %.1f us with physics, %.1f us without (medians); of a frame's two steps on average "
           "%.1f us are the world's, %.1f us poses and copies\n",
           with * 1e6, without * 1e6, 2e6 * report.step_seconds / steps, 2e6 * report.pose_seconds / steps);
    printf("allocations of the engine: %llu in %u frames; snapshots %u, %.1f KiB each\n",
           (unsigned long long)blocks, frames, report.snapshots,
           report.snapshots ? (double)report.snapshot_bytes / report.snapshots / 1024.0 : 0.0);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("physics_bench MODEL [MOTION.vmd [ROUNDS]]\n", stderr);
        return 2;
    }
    const char *motion = argc > 2 ? argv[2] : NULL;
    size_t rounds = argc > 3 && atoi(argv[3]) > 0 ? (size_t)atoi(argv[3]) : 3;
    mmd_physics_options options = physics_run_options();
    physics_run run = physics_run_make(argv[1], motion, &options);
    const mmd_physscene *scene = physics_run_scene(&run);
    uint32_t frames = motion ? (uint32_t)mmd_stage_last_frame(run.stage) : 600;
    if (!scene || !frames)
        return 2;
    mmd_phys_world settings = physics_run_world(&options);
    physics_record lead = physics_run_record(&run, 2 * frames + 1);
    printf("%u bodies, %u joints\n", scene->body_count, scene->joint_count);
    compare(scene, &lead, &settings, rounds);
    physics_record_finish(&lead);
    physics_run_finish(&run);
    time_whole(argv[1], motion, frames);
    return 0;
}
