/* See physics_run.h. */
#define _DEFAULT_SOURCE
#include "physics_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mmd/format.h"
#include "mmd/source.h"

static void fail(const char *name, const mmd_error *error)
{
    fprintf(stderr, "%s: %s\n", name, error->message);
    exit(3);
}

void *physics_run_alloc(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

double physics_run_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double physics_run_median(double *times, size_t count)
{
    qsort(times, count, sizeof *times, compare);
    return count ? times[count / 2] : 0.0;
}

mmd_physics_options physics_run_options(void)
{
    mmd_physics_options options = mmd_default_physics_options();
    options.run_ahead = false;
    return options;
}

static mmd_bytes read_file(const char *name)
{
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    if (mmd_file_read(name, &bytes, &error) != MMD_OK)
        fail(name, &error);
    return bytes;
}

physics_run physics_run_make(const char *model, const char *motion, const mmd_physics_options *options)
{
    physics_run run = {.stage = mmd_stage_create()};
    mmd_error error = {0};
    mmd_bytes bytes = read_file(model);
    if (mmd_model_read(bytes.data, bytes.size, &run.model, &error) != MMD_OK)
        fail(model, &error);
    mmd_bytes_finish(&bytes);
    run.actor = mmd_actor_create(run.model);
    if (motion) {
        bytes = read_file(motion);
        if (mmd_vmd_read(bytes.data, bytes.size, &run.motion, &error) != MMD_OK)
            fail(motion, &error);
        mmd_bytes_finish(&bytes);
    }
    if (!run.stage || !run.actor ||
        (motion && mmd_actor_add_motion(run.actor, run.motion, &error) != MMD_OK) ||
        mmd_stage_add_actor(run.stage, run.actor, &error) != MMD_OK ||
        mmd_stage_set_physics(run.stage, options, &error) != MMD_OK)
        fail(model, &error);
    return run;
}

void physics_run_finish(physics_run *run)
{
    mmd_stage_destroy(run->stage);
    mmd_actor_destroy(run->actor);
    mmd_motion_destroy(run->motion);
    mmd_model_destroy(run->model);
}

const mmd_physscene *physics_run_scene(const physics_run *run)
{
    return mmd_stage_physscene(run->stage, 0);
}

physics_record physics_record_make(uint32_t bodies, uint32_t steps)
{
    return (physics_record){bodies, steps, physics_run_alloc((size_t)bodies * steps, sizeof(mmd_transform))};
}

void physics_record_finish(physics_record *record)
{
    free(record->rows);
}

mmd_transform *physics_record_row(const physics_record *record, uint32_t step)
{
    return record->rows + (size_t)step * record->bodies;
}

physics_record physics_run_record(const physics_run *run, uint32_t steps)
{
    physics_record record = physics_record_make(physics_run_scene(run)->body_count, steps);
    double rate = mmd_stage_physics(run->stage)->rate;
    for (uint32_t s = 0; s < steps; s++) {
        mmd_stage_set_frame(run->stage, s * 30.0 / rate);
        memcpy(physics_record_row(&record, s), mmd_stage_bodies(run->stage, 0),
               record.bodies * sizeof *record.rows);
    }
    return record;
}

mmd_physscene physics_scene_at(const mmd_physscene *scene, const mmd_transform *row)
{
    mmd_physscene at = *scene;
    at.bodies = physics_run_alloc(scene->body_count, sizeof *at.bodies);
    for (uint32_t b = 0; b < scene->body_count; b++) {
        at.bodies[b] = scene->bodies[b];
        at.bodies[b].rest = row[b];
    }
    return at;
}

mmd_phys_world physics_run_world(const mmd_physics_options *options)
{
    mmd_phys_world world = mmd_default_phys_world();
    memcpy(world.gravity, options->gravity, sizeof world.gravity);
    world.rate = options->rate;
    world.iterations = options->iterations;
    world.joint_erp = options->joint_erp;
    world.joint_lever = options->joint_lever;
    world.ground = options->ground;
    return world;
}

physics_record physics_minimal_record(const mmd_physscene *scene, const mmd_phys_world *settings,
                                      const physics_record *lead)
{
    physics_record record = physics_record_make(lead->bodies, lead->steps);
    mmd_physscene at = physics_scene_at(scene, physics_record_row(lead, 0));
    minimal_bullet *minimal = minimal_bullet_create(settings, &at);
    memcpy(record.rows, lead->rows, lead->bodies * sizeof *lead->rows);
    for (uint32_t s = 1; s < lead->steps; s++) {
        minimal_bullet_step(minimal, physics_record_row(lead, s));
        memcpy(physics_record_row(&record, s), minimal_bullet_transforms(minimal),
               lead->bodies * sizeof *lead->rows);
    }
    minimal_bullet_destroy(minimal);
    free(at.bodies);
    return record;
}

/* Returns as bits the linear axes that the joint's two limits bound. The others are locked, as PMX 2.1
 * defines for each kind. */
static int bounded_axes(const mmd_phys_joint *joint)
{
    static const uint8_t axes[] = {7, 7, 0, 0, 1, 0};
    return axes[joint->kind];
}

double physics_separation(const mmd_physscene *scene, uint32_t joint, const mmd_transform *bodies)
{
    const mmd_phys_joint *j = &scene->joints[joint];
    mmd_transform a, b, between;
    if (j->disabled || j->body_a < 0 || j->body_b < 0 || j->kind == MMD_JOINT_LIMITS_AND_DRIVES)
        return 0.0;
    mmd_joint_frames(scene, joint, bodies, &a, &b);
    mmd_transform_inverse(&a, &a);
    mmd_transform_multiply(&a, &b, &between);
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        bool bounded = bounded_axes(j) >> k & 1;
        double low = bounded ? j->pmx.linear_lower[k] : 0.0, high = bounded ? j->pmx.linear_upper[k] : 0.0;
        double at = between.translation[k];
        double off = low > high ? 0.0 : at < low ? low - at : at > high ? at - high : 0.0;
        sum += off * off;
    }
    return sqrt(sum);
}

double physics_speed(const mmd_transform *before, const mmd_transform *after, double rate)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        double way = (double)after->translation[k] - (double)before->translation[k];
        sum += way * way;
    }
    return sqrt(sum) * rate;
}

double physics_turn(const mmd_transform *before, const mmd_transform *after, double rate)
{
    double same = 0.0, opposite = 0.0;
    for (int k = 0; k < 4; k++) {
        double a = before->rotation[k], b = after->rotation[k];
        same += (a - b) * (a - b);
        opposite += (a + b) * (a + b);
    }
    return 4.0 * asin(fmin(0.5 * sqrt(fmin(same, opposite)), 1.0)) * rate;
}

bool physics_moves(const mmd_phys_body *body)
{
    return !body->disabled && (body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE);
}

uint32_t physics_count_moving(const mmd_physscene *scene)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < scene->body_count; b++)
        count += physics_moves(&scene->bodies[b]);
    return count;
}

bool physics_minimal_knows(const mmd_physscene *scene)
{
    for (uint32_t j = 0; j < scene->joint_count; j++)
        if (!scene->joints[j].disabled && scene->joints[j].kind != MMD_JOINT_PMX_SPRING)
            return false;
    for (uint32_t b = 0; b < scene->body_count; b++)
        if (scene->bodies[b].disabled)
            return false;
    return true;
}
