/*
 * Plays a model's physics through a motion and reports its quality: how far joints separated, compared with a
 * minimal Bullet program driven by the same bodies; the speed of bodies; the number of values that are not
 * finite, and of bodies that were reset.
 *
 *   physics_report MODEL [--motion M.vmd] [--frames LAST]
 *
 * Exits with 1 if a value is not finite, a body was reset, or joints separate more than twice as far as in
 * the minimal program.
 */
#include "physics_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A maximum: its value, the body or joint, and the step. */
typedef struct peak {
    double most;
    uint32_t index, step;
} peak;

typedef struct findings {
    peak separation, speed;
    double separation_sum;
    uint64_t separations, not_finite;
} findings;

static void raise_peak(peak *p, double value, uint32_t index, uint32_t step)
{
    if (value > p->most)
        *p = (peak){value, index, step};
}

static uint64_t count_not_finite(const mmd_transform *row, uint32_t count)
{
    uint64_t bad = 0;
    for (uint32_t b = 0; b < count; b++)
        for (int k = 0; k < 4; k++)
            bad += !isfinite(row[b].rotation[k]) + !isfinite(row[b].translation[k]);
    return bad;
}

/* Computes the separation of joints, the speeds of bodies and the number of invalid values over all steps. */
static findings judge(const mmd_physscene *scene, const physics_record *record, double rate)
{
    findings f = {.not_finite = 0};
    for (uint32_t s = 0; s < record->steps; s++) {
        const mmd_transform *row = physics_record_row(record, s);
        f.not_finite += count_not_finite(row, record->bodies);
        for (uint32_t j = 0; j < scene->joint_count; j++) {
            double off = physics_separation(scene, j, row);
            raise_peak(&f.separation, off, j, s);
            f.separation_sum += off;
            f.separations++;
        }
        for (uint32_t b = 0; s && b < record->bodies; b++)
            if (physics_moves(&scene->bodies[b]))
                raise_peak(&f.speed, physics_speed(&row[b] - record->bodies, &row[b], rate), b, s);
    }
    return f;
}

static void tell(const char *who, const mmd_physscene *scene, const findings *f, double rate)
{
    const peak *apart = &f->separation, *fast = &f->speed;
    printf("%-15s joints apart %.4f at most (frame %.1f, %s), %.5f on average\n", who, apart->most,
           apart->step * 30.0 / rate, scene->joint_count ? scene->joints[apart->index].name : "none",
           f->separations ? f->separation_sum / (double)f->separations : 0.0);
    printf("%-15s fastest body %.1f units/s (frame %.1f, %s), numbers not finite %llu\n", "", fast->most,
           fast->step * 30.0 / rate, scene->body_count ? scene->bodies[fast->index].name : "none",
           (unsigned long long)f->not_finite);
}

static void was_put_back(void *context, const mmd_reset_bodies *what)
{
    const mmd_physscene *scene = mmd_stage_physscene(context, what->actor);
    for (uint32_t i = 0; i < what->body_count; i++)
        printf("put back: %s at frame %.1f: %s\n", scene->bodies[what->bodies[i]].name, what->frame,
               what->reason);
}

/* Runs the minimal program on the same motion, prints its results, and compares the separation of joints. */
static int compare_with_minimal(const mmd_physscene *scene, const physics_record *record,
                                const findings *ours, const mmd_physics_options *options)
{
    mmd_phys_world settings = physics_run_world(options);
    if (!physics_minimal_knows(scene)) {
        puts("minimal Bullet  does not know these joints or bodies");
        return 0;
    }
    physics_record theirs = physics_minimal_record(scene, &settings, record);
    findings f = judge(scene, &theirs, options->rate);
    tell("minimal Bullet", scene, &f, options->rate);
    double ratio = f.separation.most > 0.0 ? ours->separation.most / f.separation.most : 1.0;
    printf("ratio           %.3f at most, %.3f on average\n", ratio,
           f.separation_sum > 0.0 ? ours->separation_sum / f.separation_sum : 1.0);
    physics_record_finish(&theirs);
    return ratio > 2.0;
}

static int report(const char *model, const char *motion, double last)
{
    mmd_physics_options options = physics_run_options();
    physics_run run = physics_run_make(model, motion, &options);
    const mmd_physscene *scene = physics_run_scene(&run);
    if (!scene) {
        puts("no bodies");
        physics_run_finish(&run);
        return 0;
    }
    mmd_stage_on_reset_bodies(run.stage, was_put_back, run.stage);
    last = last >= 0.0 ? last : mmd_stage_last_frame(run.stage);
    physics_record record = physics_run_record(&run, (uint32_t)(last * options.rate / 30.0) + 1);
    findings ours = judge(scene, &record, options.rate);
    uint64_t put_back = mmd_stage_physics_report(run.stage).reset_bodies;
    printf("%u bodies, %u of them simulated, %u joints; frames 0 to %g, %u steps a second\n",
           scene->body_count, physics_count_moving(scene), scene->joint_count, last, options.rate);
    tell("odori", scene, &ours, options.rate);
    printf("%-15s put back %llu\n", "", (unsigned long long)put_back);
    int worse = compare_with_minimal(scene, &record, &ours, &options);
    physics_record_finish(&record);
    physics_run_finish(&run);
    return worse || put_back || ours.not_finite;
}

int main(int argc, char **argv)
{
    const char *motion = NULL;
    double last = -1.0;
    if (argc < 2 || argc % 2) {
        fputs("physics_report MODEL [--motion M.vmd] [--frames LAST]\n", stderr);
        return 2;
    }
    for (int i = 2; i < argc; i += 2) {
        if (strcmp(argv[i], "--motion") == 0)
            motion = argv[i + 1];
        else if (strcmp(argv[i], "--frames") == 0)
            last = atof(argv[i + 1]);
        else
            return 2;
    }
    return report(argv[1], motion, last);
}
