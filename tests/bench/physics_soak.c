/*
 * Plays a dance in a loop for a long time and resets the physics at the start of each loop. Reports memory
 * after the first and the last loop, and whether all bodies of later loops are where they were in the first,
 * at each frame.
 *
 *   physics_soak MODEL MOTION.vmd [MINUTES]
 *
 * Exits with 1 if a body is elsewhere or memory blocks leaked.
 */
#include "physics_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the resident memory in KiB, or 0 if it is unknown. */
static long resident(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long kib = 0;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = atol(line + 6);
    if (file)
        fclose(file);
    return kib;
}

static double greatest_difference(const mmd_transform *a, const mmd_transform *b, uint32_t count)
{
    double most = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 4; k++) {
            most = fmax(most, fabs((double)a[i].translation[k] - (double)b[i].translation[k]));
            most = fmax(most, fabs((double)a[i].rotation[k] - (double)b[i].rotation[k]));
        }
    }
    return most;
}

/* Plays one loop at 30 fps. Records the first loop, compares later ones with it, and returns the largest
 * difference. */
static double dance(const physics_run *run, const physics_record *first, bool keep)
{
    double most = 0.0;
    for (uint32_t f = 0; f < first->steps; f++) {
        mmd_stage_set_frame(run->stage, f);
        const mmd_transform *bodies = mmd_stage_bodies(run->stage, 0);
        if (keep)
            memcpy(physics_record_row(first, f), bodies, first->bodies * sizeof *bodies);
        else
            most = fmax(most, greatest_difference(bodies, physics_record_row(first, f), first->bodies));
    }
    return most;
}

static void tell(const physics_run *run, uint32_t loop, double drift, double began)
{
    mmd_physics_report report = mmd_stage_physics_report(run->stage);
    printf("loop %3u: resident %ld KiB, %llu blocks, drift %g, steps %llu, put back %llu, snapshots %u, "
           "%.0f s\n",
           loop, resident(), (unsigned long long)mmd_heap_blocks_in_use(), drift,
           (unsigned long long)report.steps, (unsigned long long)report.reset_bodies, report.snapshots,
           physics_run_seconds() - began);
    fflush(stdout);
}

static int soak(const char *model, const char *motion, double minutes)
{
    mmd_physics_options options = physics_run_options();
    physics_run run = physics_run_make(model, motion, &options);
    const mmd_physscene *scene = physics_run_scene(&run);
    if (!scene)
        return 2;
    uint32_t frames = (uint32_t)mmd_stage_last_frame(run.stage);
    uint32_t loops = (uint32_t)ceil(minutes * 60 * 30 / frames);
    physics_record first = physics_record_make(scene->body_count, frames);
    double began = physics_run_seconds(), drift = 0.0;
    uint64_t blocks = 0;
    printf("%u loops of %u frames\n", loops, frames);
    for (uint32_t loop = 1; loop <= loops; loop++) {
        drift = fmax(drift, dance(&run, &first, loop == 1));
        blocks = loop == 1 ? mmd_heap_blocks_in_use() : blocks;
        if (loop <= 2 || loop == loops || loop % 10 == 0)
            tell(&run, loop, drift, began);
    }
    bool grew = mmd_heap_blocks_in_use() > blocks;
    physics_record_finish(&first);
    physics_run_finish(&run);
    return drift != 0.0 || grew;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("physics_soak MODEL MOTION.vmd [MINUTES]\n", stderr);
        return 2;
    }
    return soak(argv[1], argv[2], argc > 3 ? atof(argv[3]) : 30.0);
}
