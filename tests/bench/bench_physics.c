/*
 * Steps a model's physics through a motion, ours and a minimal Bullet program
 * by turns, and prints what a step takes and how well joints hold.
 *   bench_physics MODEL.pmx MOTION.vmd [ROUNDS]
 */
#include "minimal_bullet.h"

#include "mmd/format.h"
#include "mmd/pose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *read_whole(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        perror(name);
        exit(3);
    }
    *size = (size_t)ftell(file);
    rewind(file);
    void *data = malloc(*size);
    if (!data || fread(data, 1, *size, file) != *size) {
        perror(name);
        exit(3);
    }
    fclose(file);
    return data;
}

typedef struct course {
    mmd_model *model;
    mmd_physscene scene;
    uint32_t steps;
    mmd_transform *targets; /* steps rows of all bodies */
} course;

static void body_targets(const course *c, const mmd_transform *bones, mmd_transform *out)
{
    for (uint32_t b = 0; b < c->scene.body_count; b++) {
        const mmd_phys_body *body = &c->scene.bodies[b];
        out[b] = body->rest;
        if (body->bone < 0)
            continue;
        for (int k = 0; k < 3; k++)
            out[b].translation[k] -= c->model->bones[body->bone].position[k];
        mmd_transform_multiply(&bones[body->bone], &out[b], &out[b]);
    }
}

/* Where the bones without physics lead the bodies, 60 times a second. */
static void record(course *c, const mmd_motion *motion)
{
    mmd_pose *pose = mmd_pose_create(c->model, NULL);
    mmd_clip *clip = mmd_clip_create(c->model, &motion, 1);
    mmd_arena arena = {0};
    mmd_pose_values values;
    if (!pose || !clip || !mmd_pose_values_init(&values, c->model, &arena))
        exit(1);
    c->targets = malloc((size_t)c->steps * (c->scene.body_count + 1) * sizeof *c->targets);
    if (!c->targets)
        exit(1);
    for (uint32_t s = 0; s < c->steps; s++) {
        mmd_clip_sample(clip, 0.5 * (double)s, &values);
        mmd_pose_evaluate(pose, &values, NULL);
        mmd_pose_finish(pose);
        body_targets(c, mmd_pose_world(pose), c->targets + (size_t)s * c->scene.body_count);
    }
    mmd_arena_finish(&arena);
    mmd_clip_destroy(clip);
    mmd_pose_destroy(pose);
}

/* The distance of a joint's two frames beyond what its limits let them be apart. */
static double separation(const mmd_physscene *scene, uint32_t joint, const mmd_transform *bodies)
{
    const mmd_phys_joint *j = &scene->joints[joint];
    mmd_transform a, b, between;
    if (j->disabled)
        return 0.0;
    mmd_joint_frames(scene, joint, bodies, &a, &b);
    mmd_transform_inverse(&a, &a);
    mmd_transform_multiply(&a, &b, &between);
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        double low = j->pmx.linear_lower[k], high = j->pmx.linear_upper[k], at = between.translation[k];
        double off = low > high ? 0.0 : at < low ? low - at : at > high ? at - high : 0.0;
        sum += off * off;
    }
    return sqrt(sum);
}

typedef struct result {
    double *times;
    double greatest, sum, speed; /* separation; speed of a body, units/s */
    uint64_t count;
    mmd_transform *last;
} result;

static void judge(const course *c, const mmd_transform *bodies, result *r)
{
    for (uint32_t j = 0; j < c->scene.joint_count; j++) {
        double off = separation(&c->scene, j, bodies);
        r->greatest = fmax(r->greatest, off);
        r->sum += off;
        r->count++;
    }
    for (uint32_t b = 0; b < c->scene.body_count; b++) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++)
            sum += pow(bodies[b].translation[k] - r->last[b].translation[k], 2);
        r->speed = fmax(r->speed, sqrt(sum) * 60.0);
    }
    memcpy(r->last, bodies, c->scene.body_count * sizeof *bodies);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, size_t count)
{
    qsort(times, count, sizeof *times, compare);
    return times[count / 2];
}

static void make_result(const course *c, size_t rounds, result *r)
{
    *r = (result){.times = malloc(rounds * c->steps * sizeof(double)),
                  .last = malloc((c->scene.body_count + 1) * sizeof(mmd_transform))};
    if (!r->times || !r->last)
        exit(1);
}

static void begin(const course *c, result *r)
{
    for (uint32_t b = 0; b < c->scene.body_count; b++)
        r->last[b] = c->targets[b];
}

/* Both are led from rest to the first pose within a second, then through the motion. */
static void run(const course *c, size_t round, result *ours, result *theirs)
{
    mmd_phys_world settings = mmd_default_phys_world();
    const mmd_physscene *scenes[1] = {&c->scene};
    mmd_world *world;
    if (mmd_world_create(MMD_PHYSICS_BULLET, &settings, scenes, 1, &world, NULL) != MMD_OK)
        exit(1);
    minimal_bullet *minimal = minimal_bullet_create(&settings, &c->scene);
    mmd_transform *lead = malloc((c->scene.body_count + 1) * sizeof *lead);
    for (int s = 1; lead && s <= 60; s++) {
        for (uint32_t b = 0; b < c->scene.body_count; b++)
            mmd_transform_mix(&c->scene.bodies[b].rest, &c->targets[b], (float)s / 60.0f, &lead[b]);
        mmd_world_set_targets(world, lead);
        mmd_world_step(world);
        minimal_bullet_step(minimal, lead);
    }
    free(lead);
    begin(c, ours);
    begin(c, theirs);
    for (uint32_t s = 0; s < c->steps; s++) {
        const mmd_transform *targets = c->targets + (size_t)s * c->scene.body_count;
        double t0 = seconds();
        mmd_world_set_targets(world, targets);
        mmd_world_step(world);
        double t1 = seconds();
        minimal_bullet_step(minimal, targets);
        double t2 = seconds();
        ours->times[round * c->steps + s] = t1 - t0;
        theirs->times[round * c->steps + s] = t2 - t1;
        judge(c, mmd_world_transforms(world), ours);
        judge(c, minimal_bullet_transforms(minimal), theirs);
    }
    mmd_world_destroy(world);
    minimal_bullet_destroy(minimal);
}

static void print(const char *name, const course *c, size_t rounds, result *r)
{
    printf("%-8s step %7.1f us median, separation %.4f greatest %.5f mean, speed %.1f greatest\n", name,
           median(r->times, rounds * c->steps) * 1e6, r->greatest, r->sum / (double)r->count, r->speed);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    size_t rounds = argc > 3 ? (size_t)atoi(argv[3]) : 1, size;
    course c = {.steps = 0};
    mmd_motion *motion;
    mmd_error error;
    void *data = read_whole(argv[1], &size);
    if (mmd_model_read(data, size, &c.model, &error) != MMD_OK)
        return 3;
    free(data);
    data = read_whole(argv[2], &size);
    if (mmd_vmd_read(data, size, &motion, &error) != MMD_OK)
        return 3;
    free(data);
    if (mmd_model_physscene(c.model, &c.scene, &error) != MMD_OK)
        return 3;
    c.steps = 2 * motion->last_frame + 1;
    record(&c, motion);
    result ours, theirs;
    make_result(&c, rounds, &ours);
    make_result(&c, rounds, &theirs);
    for (size_t round = 0; round < rounds; round++)
        run(&c, round, &ours, &theirs);
    printf("%u bodies, %u joints, %u steps, %zu rounds\n", c.scene.body_count, c.scene.joint_count, c.steps,
           rounds);
    print("ours", &c, rounds, &ours);
    print("minimal", &c, rounds, &theirs);
    double ratio = ours.times[rounds * c.steps / 2] / theirs.times[rounds * c.steps / 2];
    printf("ratio    %.3f\n", ratio);
    return 0;
}
