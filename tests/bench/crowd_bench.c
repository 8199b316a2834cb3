/*
 * Measures the evaluation of a crowd, i.e. poses and physics of a frame without drawing, on several threads:
 * copies of a model, each with a world of its own and its motion delayed by 3 frames more than the one
 * before.
 *
 *   crowd_bench MODEL MOTION.vmd [ACTORS [THREADS [FRAMES]]]    (1 to 256 actors, 1 and 2 threads, 60 frames)
 */
#define _DEFAULT_SOURCE
#include "physics_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WARM_UP = 10, FRAMES = 60 };

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const physics_run *model, uint32_t count, uint32_t threads, uint32_t frames)
{
    mmd_physics_options options = physics_run_options();
    options.shared_world = false;
    options.threads = threads;
    mmd_stage *stage = mmd_stage_create();
    mmd_actor **actors = physics_run_alloc(count, sizeof *actors);
    double *times = physics_run_alloc(frames, sizeof *times), cpu = 0.0;
    bool done = stage != NULL;
    for (uint32_t i = 0; i < count && done; i++) {
        actors[i] = mmd_actor_create(model->model);
        done = actors[i] && mmd_actor_add_motion(actors[i], model->motion, NULL) == MMD_OK &&
               mmd_stage_add_actor(stage, actors[i], NULL) == MMD_OK;
        if (done)
            mmd_actor_set_delay(actors[i], 3.0 * i);
    }
    if (!done || mmd_stage_set_physics(stage, &options, NULL) != MMD_OK)
        exit(4);
    mmd_stage_set_threads(stage, threads - 1);
    /* Late enough that everyone dances. */
    for (uint32_t f = 0; f < WARM_UP + frames; f++) {
        double began = physics_run_seconds(), began_cpu = cpu_seconds();
        mmd_stage_set_frame(stage, f);
        if (f < WARM_UP)
            continue;
        times[f - WARM_UP] = physics_run_seconds() - began;
        cpu += cpu_seconds() - began_cpu;
    }
    qsort(times, frames, sizeof *times, compare);
    printf(
        "%3u actors, %u threads: %8.3f ms a frame (least %8.3f), %6.1f us an actor, %8.3f ms of processors\n",
        count, threads, times[frames / 2] * 1e3, times[0] * 1e3, times[frames / 2] / count * 1e6,
        cpu / frames * 1e3);
    mmd_stage_destroy(stage);
    for (uint32_t i = 0; i < count; i++)
        mmd_actor_destroy(actors[i]);
    free(actors);
    free(times);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("crowd_bench MODEL MOTION.vmd [ACTORS [THREADS [FRAMES]]]\n", stderr);
        return 2;
    }
    mmd_physics_options options = physics_run_options();
    physics_run run = physics_run_make(argv[1], argv[2], &options);
    long actors = argc > 3 ? atol(argv[3]) : 0, threads = argc > 4 ? atol(argv[4]) : 0;
    uint32_t frames = argc > 5 && atol(argv[5]) > 0 ? (uint32_t)atol(argv[5]) : FRAMES;
    for (uint32_t n = actors > 0 ? (uint32_t)actors : 1; n <= (actors > 0 ? (uint32_t)actors : 256); n *= 4)
        for (uint32_t t = threads > 0 ? (uint32_t)threads : 1; t <= (threads > 0 ? (uint32_t)threads : 2);
             t++)
            measure(&run, n, t, frames);
    physics_run_finish(&run);
    return 0;
}
