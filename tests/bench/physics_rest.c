/*
 * Lets models stand still for a minute and reports how far each body drifts between 10 s and the end, and its
 * greatest speed in the last 10 s, compared with a minimal Bullet program.
 *
 *   physics_rest MODEL...
 *
 * Names the worst bodies. Exits with 1 if one drifts more than a tenth of a unit or was reset.
 */
#include "physics_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SECONDS = 60, SETTLED = 10, LAST = 10, WORST = 4 };

typedef struct unrest {
    uint32_t body;
    double drift, speed, turn; /* units, units/s, radians/s */
} unrest;

/* Computes the drift of a body after settling, and its greatest speeds at the end. */
static unrest judge(const physics_record *record, uint32_t body, uint32_t rate)
{
    unrest u = {.body = body};
    const mmd_transform *settled = physics_record_row(record, SETTLED * rate) + body;
    const mmd_transform *end = physics_record_row(record, record->steps - 1) + body;
    u.drift = physics_speed(settled, end, 1.0);
    for (uint32_t s = (SECONDS - LAST) * rate + 1; s < record->steps; s++) {
        const mmd_transform *now = physics_record_row(record, s) + body;
        u.speed = fmax(u.speed, physics_speed(now - record->bodies, now, rate));
        u.turn = fmax(u.turn, physics_turn(now - record->bodies, now, rate));
    }
    return u;
}

static int by_drift(const void *a, const void *b)
{
    double x = ((const unrest *)a)->drift, y = ((const unrest *)b)->drift;
    return (x < y) - (x > y);
}

static int by_speed(const void *a, const void *b)
{
    double x = ((const unrest *)a)->speed, y = ((const unrest *)b)->speed;
    return (x < y) - (x > y);
}

static int by_turn(const void *a, const void *b)
{
    double x = ((const unrest *)a)->turn, y = ((const unrest *)b)->turn;
    return (x < y) - (x > y);
}

static void tell(const mmd_physscene *scene, const unrest *list, uint32_t count, const char *what)
{
    printf("  %s:", what);
    for (uint32_t i = 0; i < count && i < WORST; i++)
        printf("%s %s %.4f u, %.4f u/s, %.3f rad/s", i ? ";" : "", scene->bodies[list[i].body].name,
               list[i].drift, list[i].speed, list[i].turn);
    putchar('\n');
}

static uint32_t judge_all(const mmd_physscene *scene, const physics_record *record, uint32_t rate,
                          unrest *list)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < scene->body_count; b++)
        if (physics_moves(&scene->bodies[b]))
            list[count++] = judge(record, b, rate);
    return count;
}

static void tell_all(const mmd_physscene *scene, unrest *list, uint32_t count)
{
    qsort(list, count, sizeof *list, by_turn);
    tell(scene, list, count, "turning");
    qsort(list, count, sizeof *list, by_speed);
    tell(scene, list, count, "fastest");
    qsort(list, count, sizeof *list, by_drift);
    tell(scene, list, count, "drifted");
}

static void tell_minimal(const mmd_physscene *scene, const physics_record *record,
                         const mmd_physics_options *options, unrest *list)
{
    mmd_phys_world settings = physics_run_world(options);
    if (!physics_minimal_knows(scene))
        return;
    physics_record theirs = physics_minimal_record(scene, &settings, record);
    uint32_t count = judge_all(scene, &theirs, options->rate, list);
    puts("  minimal Bullet:");
    tell_all(scene, list, count);
    physics_record_finish(&theirs);
}

static int rest(const char *model)
{
    mmd_physics_options options = physics_run_options();
    physics_run run = physics_run_make(model, NULL, &options);
    const mmd_physscene *scene = physics_run_scene(&run);
    unrest *list = physics_run_alloc(scene ? scene->body_count : 0, sizeof *list);
    double drift = 0.0;
    printf("%s: ", model);
    if (scene && physics_count_moving(scene)) {
        physics_record record = physics_run_record(&run, SECONDS * options.rate + 1);
        uint32_t count = judge_all(scene, &record, options.rate, list);
        printf("%u simulated bodies, put back %llu\n", count,
               (unsigned long long)mmd_stage_physics_report(run.stage).reset_bodies);
        tell_all(scene, list, count);
        drift = list[0].drift;
        tell_minimal(scene, &record, &options, list);
        physics_record_finish(&record);
    } else {
        puts("no simulated bodies");
    }
    uint64_t put_back = mmd_stage_physics_report(run.stage).reset_bodies;
    free(list);
    physics_run_finish(&run);
    return drift > 0.1 || put_back;
}

int main(int argc, char **argv)
{
    int failed = 0;
    if (argc < 2)
        fputs("physics_rest MODEL...\n", stderr);
    for (int i = 1; i < argc; i++)
        failed |= rest(argv[i]);
    return argc < 2 ? 2 : failed;
}
