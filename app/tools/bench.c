/*
 * odori bench: measures the time and memory that a scene takes. All times are medians. Loading is measured by
 * parsing the files repeatedly from memory, everything else over the frames of the motion, and physics over
 * the same frames on one thread. Each frame waits for the GPU, so that drawing is measured and not only its
 * submission.
 */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/message.h"
#include "base/clock.h"
#include "scene/crowd.h"
#include "base/emit.h"
#include "mmd/assemble.h"
#include "mmd/gpu_objects.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "mmd/source.h"
#include "mmd/view_loading.h"
#include "base/parse.h"
#include "base/paths.h"
#include "base/system.h"
#include "base/progress.h"
#include "base/time_limit.h"
#include "recipe/confine.h"
#include "recipe/draw.h"
#include "recipe/stage.h"
#include "bench_render.h"
#include "heap_count.h"
#include "tools.h"

enum { LOAD_REPEATS = 25, FRAMES_MEASURED = 3000, FRAMES_WITHOUT_MOTION = 100 };

typedef struct bench_options {
    recipe recipe;
    const char *gpu; /* common_options */
    uint64_t frames; /* limit of the frames to measure */
    bool has_frames, as_json, one_by_one, only_startup, render;
} bench_options;

/* Limit of the frames that are drawn again with a wait after each pass, which is slow. */
enum { PASS_FRAMES = 200 };

/* What the first frame takes: its stages one after the other, then parts of them. */
typedef struct bench_startup {
    double start_cpu, open, draw; /* ms: CPU time before everything; reading the files; drawing */
    screen_times screen;
    mmd_view_loading loading;
    mmd_gpu_counts gpu;
} bench_startup;

typedef struct bench_result {
    bench_startup startup;
    /* Medians with the unit in their names; those of drawing are 0 without has_gl. */
    double load_ms, motion_load_ms, sample_us, pose_us, physics_us, physics_pose_us, upload_us, frame_ms,
        first_frame_ms, first_rss_mb, peak_rss_mb, evaluate_us, draw_calls, frame_cpu_ms;
    double allocations, driver_allocations; /* heap allocations per frame, by odori and by other libraries */
    double pass_us[MMD_VIEW_PASSES];        /* of each rendering pass */
    size_t frames, actors;                  /* that are measured */
    uint32_t vertices, bones;
    bool has_motion, has_gl, has_physics;
    bool counts_driver; /* driver_allocations is known */
    uint32_t bodies;
    char renderer[256];
} bench_result;

static bool set_size(void *target, const char *value, option_error *error)
{
    return recipe_set_size(&((bench_options *)target)->recipe, value, error);
}

static bool set_frames(void *target, const char *value, option_error *error)
{
    ((bench_options *)target)->has_frames = true;
    return parse_whole(value, 1, FRAMES_MAX, &((bench_options *)target)->frames) ||
           option_fail(error, EXIT_USAGE, "\"%.60s\" is not a number of frames from 1 to 1000000", value);
}

static bool set_json(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    ((bench_options *)target)->as_json = true;
    return true;
}

static bool set_one_by_one(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    ((bench_options *)target)->one_by_one = true;
    return true;
}

static bool set_startup(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    ((bench_options *)target)->only_startup = true;
    return true;
}

static bool set_render(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    ((bench_options *)target)->render = true;
    return true;
}

static const option bench_table[] = {
    {0, "size", "WxH", "size of the picture in pixels (1280x720)", set_size},
    {0, "frames", "N", "largest number of frames of the motion to measure (3000)", set_frames},
    {0, "one-by-one", NULL,
     "skins and draws the models one after the other instead of as a crowd, to compare", set_one_by_one},
    {0, "startup", NULL, "measures only the first frame, and shows its stages", set_startup},
    {0, "render", NULL, "measures the stages of what render does with a picture instead", set_render},
    {0, "json", NULL, "prints JSON", set_json},
};

/* Returns the clock in microseconds. */
static double now_us(void)
{
    return 1e6 * clock_seconds();
}

double bench_cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Compares two numbers for qsort. */
static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Parses a model, or a motion, and frees it. */
static mmd_status parse_once(const char *path, const mmd_bytes *bytes, bool motion)
{
    mmd_model *model = NULL;
    mmd_motion *moves = NULL;
    mmd_model_file file = {0};
    mmd_status status = MMD_OK;
    if (motion)
        status = mmd_vmd_read(bytes->data, bytes->size, &moves, NULL);
    else if (mmd_exchange_detect(bytes->data, bytes->size) != MMD_EXCHANGE_UNKNOWN)
        status = mmd_model_file_parse(path, bytes, &file, NULL); /* it may refer to further files */
    else
        status = mmd_model_read(bytes->data, bytes->size, &model, NULL);
    mmd_model_file_finish(&file);
    mmd_model_destroy(model);
    mmd_motion_destroy(moves);
    return status;
}

/* Returns the median time to parse and free a file from memory, in milliseconds. 0: it is not such a file (a
 * .vac). */
static double parse_ms(const char *path, bool motion)
{
    mmd_bytes bytes = {0};
    double times[LOAD_REPEATS];
    if (mmd_locate_read(path, &bytes, NULL) != MMD_OK)
        return 0;
    int done = 0;
    for (; done < LOAD_REPEATS; done++) {
        double start = now_us();
        if (parse_once(path, &bytes, motion) != MMD_OK)
            break;
        times[done] = (now_us() - start) / 1000;
    }
    mmd_bytes_finish(&bytes);
    return done == LOAD_REPEATS ? bench_median(times, LOAD_REPEATS) : 0;
}

/* An actor outside of the stage, which makes the same calls as one on it. */
typedef struct bench_actor {
    mmd_clip *clip;
    mmd_pose *pose;
    mmd_pose_values values, previous;
    bool needs_previous;
} bench_actor;

/* Creates an actor with all motions that move models. False: out of memory. */
static bool actor_init(bench_actor *d, const odori_scene *s, mmd_arena *arena)
{
    const mmd_model *model = s->models[scene_main_model(s)].model;
    const mmd_motion **motions = mmd_alloc((s->motion_count + 1) * sizeof *motions);
    size_t count = 0;
    *d = (bench_actor){0};
    if (!motions)
        return false;
    for (size_t i = 0; i < s->motion_count; i++)
        if (s->motions[i].moves_models)
            motions[count++] = s->motions[i].motion;
    d->clip = mmd_clip_create(model, motions, count);
    d->pose = mmd_pose_create(model);
    mmd_free(motions);
    d->needs_previous = d->pose && mmd_pose_needs_previous(d->pose);
    return d->clip && d->pose && mmd_pose_values_init(&d->values, model, arena) &&
           mmd_pose_values_init(&d->previous, model, arena);
}

/* Measures a frame of all actors: first sampling the motions, then posing, in microseconds. */
static void time_pose(bench_actor *actors, size_t count, double frame, double *sample_time, double *pose_time)
{
    time_limit_check(frame, frame);
    double start = now_us();
    for (size_t i = 0; i < count; i++) {
        bench_actor *d = &actors[i];
        mmd_clip_sample(d->clip, frame, &d->values);
        if (d->needs_previous)
            mmd_clip_sample(d->clip, frame > 0 ? frame - 1 : 0, &d->previous);
    }
    double sampled = now_us();
    for (size_t i = 0; i < count; i++) {
        mmd_pose_evaluate(actors[i].pose, &actors[i].values, &actors[i].previous);
        mmd_pose_finish(actors[i].pose);
    }
    *sample_time = sampled - start;
    *pose_time = now_us() - sampled;
}

/* Measures sampling and posing of all actors. False: out of memory. */
static bool measure_pose(const odori_scene *s, double *times, bench_result *r)
{
    mmd_arena arena = {0};
    size_t count = 0;
    bench_actor *actors = mmd_alloc(r->actors * sizeof *actors);
    bool ok = actors != NULL;
    while (ok && count < r->actors)
        ok = actor_init(&actors[count++], s, &arena);
    for (size_t i = 0; ok && i < r->frames; i++)
        time_pose(actors, count, (double)i, &times[i], &times[r->frames + i]);
    if (ok) {
        r->sample_us = bench_median(times, r->frames);
        r->pose_us = bench_median(times + r->frames, r->frames);
    }
    for (size_t i = 0; i < count; i++) {
        mmd_pose_destroy(actors[i].pose);
        mmd_clip_destroy(actors[i].clip);
    }
    mmd_arena_finish(&arena);
    mmd_free(actors);
    return ok;
}

/*
 * Measures the physics of a frame, when played from the first frame on a single thread: the simulation steps,
 * and the poses and other work around them. Nothing is drawn meanwhile. False: out of memory.
 */
static bool measure_physics(const odori_scene *s, double *times, bench_result *r)
{
    mmd_physics_options options = s->physics.options;
    options.run_ahead = false;
    options.threads = 0;
    if (mmd_stage_set_physics(s->stage, &options, NULL) != MMD_OK)
        return false;
    mmd_stage_set_frame(s->stage, 0); /* resets the simulation, which is not measured */
    mmd_physics_report before = mmd_stage_physics_report(s->stage);
    for (size_t i = 0; i < r->frames; i++) {
        time_limit_check((double)i, (double)i);
        mmd_stage_set_frame(s->stage, (double)(i + 1));
        mmd_physics_report now = mmd_stage_physics_report(s->stage);
        times[i] = 1e6 * (now.step_seconds - before.step_seconds);
        times[r->frames + i] = 1e6 * (now.pose_seconds - before.pose_seconds);
        before = now;
    }
    r->physics_us = bench_median(times, r->frames);
    r->physics_pose_us = bench_median(times + r->frames, r->frames);
    return true;
}

/* The view and the target of drawing. */
typedef struct bench_screen {
    odori_screen screen;
    mmd_gpu_target target;
    mmd_view_options view;
    double evaluate_us; /* evaluation of the last frame */
} bench_screen;

/* Evaluates and draws a frame, and waits until the GPU has finished. Returns an exit code. */
static int draw_frame(const odori_scene *s, bench_screen *b, double frame)
{
    mmd_error error = {0};
    time_limit_check(frame, frame);
    double start = now_us();
    mmd_stage_set_frame(s->stage, frame);
    b->evaluate_us = now_us() - start;
    if (mmd_view_draw(b->screen.view, s->stage, &b->view, b->target.framebuffer, b->target.width,
                      b->target.height, &error) != MMD_OK)
        return draw_failed(&error);
    mmd_gpu_finish(b->screen.gpu);
    return EXIT_DONE;
}

/* Draws all frames and stores their times: frame, upload, evaluation, draw calls and CPU, r->frames of each.
 */
static int time_frames(const odori_scene *s, bench_screen *b, double *times, bench_result *r)
{
    double *uploads = times + r->frames, *evaluations = times + 2 * r->frames, *calls = times + 3 * r->frames,
           *cpu = times + 4 * r->frames;
    progress bar = progress_start(r->frames);
    for (size_t i = 0; i < r->frames; i++) {
        double start = now_us(), start_cpu = bench_cpu_ms();
        int result = draw_frame(s, b, (double)i);
        if (result != EXIT_DONE)
            return result;
        times[i] = now_us() - start;
        cpu[i] = bench_cpu_ms() - start_cpu;
        mmd_view_statistics statistics = mmd_view_get_statistics(b->screen.view);
        uploads[i] = statistics.upload_us;
        evaluations[i] = b->evaluate_us;
        calls[i] = statistics.draw_calls;
        progress_show(&bar, i + 1);
    }
    progress_finish(&bar);
    return EXIT_DONE;
}

/* --- Counting heap allocations --- */

/* Returns the number of allocations so far, or 0 when they are not counted. */
static uint64_t count_calls(atomic_uint_least64_t *calls)
{
    return calls ? atomic_load_explicit(calls, memory_order_relaxed) : 0;
}

/* --- Frames --- */

/* Measures all frames with their heap allocations. Returns an exit code. */
static int measure_frames(const odori_scene *s, bench_screen *b, double *times, bench_result *r)
{
    atomic_uint_least64_t *calls = heap_count_find();
    uint64_t ours = mmd_heap_allocations(), all = count_calls(calls);
    int result = time_frames(s, b, times, r);
    if (result != EXIT_DONE)
        return result;
    ours = mmd_heap_allocations() - ours;
    all = count_calls(calls) - all;
    r->allocations = (double)ours / (double)r->frames;
    r->counts_driver = calls != NULL;
    r->driver_allocations = calls ? (double)(all - ours) / (double)r->frames : NAN;
    r->frame_ms = bench_median(times, r->frames) / 1000;
    r->upload_us = bench_median(times + r->frames, r->frames);
    r->evaluate_us = bench_median(times + 2 * r->frames, r->frames);
    r->draw_calls = bench_median(times + 3 * r->frames, r->frames);
    r->frame_cpu_ms = bench_median(times + 4 * r->frames, r->frames);
    return EXIT_DONE;
}

/* Measures each rendering pass, in further frames spread over the motion, because waiting slows them down. */
static int measure_passes(const odori_scene *s, bench_screen *b, bench_result *r)
{
    size_t count = r->frames < PASS_FRAMES ? r->frames : PASS_FRAMES;
    double *times = mmd_alloc(MMD_VIEW_PASSES * count * sizeof *times);
    int result = EXIT_DONE;
    if (!times)
        message("out of memory");
    mmd_view_measure(b->screen.view, true);
    for (size_t i = 0; times && i < count && result == EXIT_DONE; i++) {
        result = draw_frame(s, b, floor((double)i * (double)r->frames / (double)count));
        mmd_view_statistics statistics = mmd_view_get_statistics(b->screen.view);
        for (size_t k = 0; k < MMD_VIEW_PASSES; k++)
            times[k * count + i] = statistics.pass_us[k];
    }
    mmd_view_measure(b->screen.view, false);
    for (size_t k = 0; times && result == EXIT_DONE && k < MMD_VIEW_PASSES; k++)
        r->pass_us[k] = bench_median(times + k * count, count);
    result = times ? result : EXIT_FACILITY;
    mmd_free(times);
    return result;
}

/* Opens the screen and draws the first frame, which loads textures and compiles shaders. */
static int first_frame(const odori_scene *s, const bench_options *options, const mmd_log *log,
                       bench_screen *b, bench_result *r)
{
    mmd_error error = {0};
    if (!screen_open_headless(&b->screen, s, options->gpu, log, &error))
        return draw_failed(&error);
    snprintf(r->renderer, sizeof r->renderer, "%s", mmd_gpu_get_info(b->screen.gpu)->renderer);
    if (mmd_gpu_target_resize(b->screen.gpu, &b->target, options->recipe.size.width,
                              options->recipe.size.height, b->view.samples, &error) != MMD_OK)
        return draw_failed(&error);
    double start = now_us();
    int result = draw_frame(s, b, 0);
    r->startup.draw = (now_us() - start) / 1000;
    r->startup.screen = b->screen.times;
    r->startup.loading = mmd_view_get_loading(b->screen.view);
    r->startup.gpu = mmd_gpu_get_counts(b->screen.gpu);
    return result;
}

/* Returns the largest resident memory of the process so far, in MiB. */
static double peak_rss_mb(void)
{
    return (double)system_memory_peak() / 1048576.0;
}

/* Measures drawing. Without OpenGL it prints a note, and the drawing times remain unknown; with --gpu that is
 * an error. Returns an exit code. */
static int measure_drawing(const odori_scene *s, const bench_options *options, const mmd_log *log,
                           double started, double *times, bench_result *r)
{
    bench_screen b = {.view = options->recipe.view.view};
    b.view.each_actor = options->one_by_one;
    int result = first_frame(s, options, log, &b, r);
    if (result == EXIT_DONE) {
        r->first_frame_ms = (now_us() - started) / 1000;
        r->first_rss_mb = peak_rss_mb();
        if (!options->only_startup)
            result = measure_frames(s, &b, times, r);
        if (result == EXIT_DONE && !options->only_startup)
            result = measure_passes(s, &b, r);
        r->has_gl = result == EXIT_DONE;
    } else if (!b.screen.gpu && !options->gpu) {
        message("OpenGL is not available: drawing is not measured");
        result = EXIT_DONE;
    }
    if (b.screen.gpu)
        mmd_gpu_target_finish(b.screen.gpu, &b.target);
    screen_finish(&b.screen);
    return result;
}

/* Writes a value as a member of the JSON object or as a line of text. */
static void write_row(bool as_json, emitter *j, const char *key, double value, bool known, const char *unit)
{
    if (as_json) {
        emit_key(j, key);
        if (known)
            emit_real(j, value);
        else
            emit_null(j);
    } else if (known) {
        printf("%-24s %10.*f %s\n", key, *unit ? 3 : 0, value,
               unit); /* counts have no unit and no digits after the point */
    } else {
        printf("%-24s %10s\n", key, "-");
    }
}

/* Writes a line for each pass that took any time, or a JSON object with all of them. */
static void write_passes(const bench_result *r, bool as_json, emitter *j)
{
    if (as_json) {
        emit_key(j, "passes");
        if (!r->has_gl) {
            emit_null(j);
            return;
        }
        emit_open(j, '{');
    }
    for (int k = 0; r->has_gl && k < MMD_VIEW_PASSES; k++) {
        if (as_json)
            emit_member_real(j, mmd_view_pass_name(k), r->pass_us[k]);
        else if (r->pass_us[k] > 0)
            printf("%-24s %10.3f us per frame, with a wait after each pass\n", mmd_view_pass_name(k),
                   r->pass_us[k]);
    }
    if (as_json)
        emit_close(j, '}');
}

/* Writes the times divided by the number of actors. */
static void write_actors(const bench_result *r, bool as_json, emitter *j)
{
    const struct {
        const char *key;
        double value;
        bool known;
        const char *unit;
    } rows[] = {
        {"per_actor_sample_us", r->sample_us, true, "us per frame"},
        {"per_actor_pose_us", r->pose_us, true, "us per frame"},
        {"per_actor_physics_us", r->physics_us, r->has_physics, "us per frame"},
        {"per_actor_evaluate_us", r->evaluate_us, r->has_gl, "us per frame"},
        {"per_actor_upload_us", r->upload_us, r->has_gl, "us per frame"},
        {"per_actor_frame_ms", r->frame_ms, r->has_gl, "ms"},
        {"per_actor_frame_cpu_ms", r->frame_cpu_ms, r->has_gl, "ms"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        write_row(as_json, j, rows[i].key, rows[i].value / (double)r->actors, rows[i].known, rows[i].unit);
}

/* Writes the stages of the first frame: rows, or a JSON object. */
static void write_startup(const bench_result *r, bool as_json, emitter *j)
{
    const bench_startup *s = &r->startup;
    const struct {
        const char *key;
        double value;
        bool needs_gl;
        const char *unit;
    } rows[] = {
        {"start_cpu_ms", s->start_cpu, false, "ms CPU time before, in loading the program and its libraries"},
        {"open_ms", s->open, false, "ms, reading model and motions, and starting physics"},
        {"find_textures_ms", 1e3 * s->screen.measure, true, "ms, finding textures and reading their headers"},
        {"context_ms", 1e3 * s->screen.context, true, "ms, creating the OpenGL context"},
        {"view_ms", 1e3 * s->screen.view, true, "ms, creating the view"},
        {"models_ms", 1e3 * s->screen.models, true,
         "ms, adding the models: taking textures, uploading, meshes"},
        {"draw_ms", s->draw, true, "ms, evaluating and drawing, until the GPU has finished"},
        {"take_textures_ms", 1e3 * s->loading.take, true,
         "ms of models_ms: waiting for textures, or decoding them"},
        {"upload_textures_ms", 1e3 * s->loading.upload, true,
         "ms of models_ms: enlarging textures and handing them to the driver"},
        {"mesh_ms", 1e3 * s->loading.mesh, true, "ms of models_ms: meshes"},
        {"programs_ms", 1e3 * s->gpu.program_seconds, true, "ms of all these: compiling programs"},
        {"decode_thread_ms", 1e3 * s->loading.decode, true, "ms, decoding textures, summed over all threads"},
        {"textures_mb", (double)s->gpu.texture_bytes / 1048576, true, "MiB of textures that were uploaded"},
        {"buffers_mb", (double)s->gpu.buffer_bytes / 1048576, true, "MiB of buffers that were made"},
        {"first_frame_rss_mb", r->first_rss_mb, true, "MiB of memory, the most until then"},
    };
    if (as_json) {
        emit_key(j, "startup");
        emit_open(j, '{');
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        write_row(as_json, j, rows[i].key, rows[i].value, r->has_gl || !rows[i].needs_gl, rows[i].unit);
    if (as_json)
        emit_close(j, '}');
}

/* Writes only what the first frame takes. */
static void write_first_frame(const bench_result *r, bool as_json)
{
    emitter j = {.out = stdout};
    if (as_json)
        emit_open(&j, '{');
    write_row(as_json, &j, "first_frame_ms", r->first_frame_ms, r->has_gl,
              "ms from the start, with loading and shaders");
    write_startup(r, as_json, &j);
    if (as_json) {
        emit_close(&j, '}');
        putchar('\n');
    }
}

/* Writes all results to stdout. */
static void write_result(const bench_result *r, bool as_json)
{
    emitter j = {.out = stdout};
    if (as_json)
        emit_open(&j, '{');
    write_row(as_json, &j, "load_ms", r->load_ms, r->load_ms > 0, "ms, model parsed from memory");
    write_row(as_json, &j, "motion_load_ms", r->motion_load_ms, r->has_motion,
              "ms, motion parsed from memory");
    write_row(as_json, &j, "sample_us", r->sample_us, true, "us per frame");
    write_row(as_json, &j, "pose_us", r->pose_us, true, "us per frame");
    write_row(as_json, &j, "physics_us", r->physics_us, r->has_physics, "us per frame, simulation steps");
    write_row(as_json, &j, "physics_pose_us", r->physics_pose_us, r->has_physics,
              "us per frame, poses and other work around the steps");
    write_row(as_json, &j, "evaluate_us", r->evaluate_us, r->has_gl,
              "us per frame, poses, and physics that did not run ahead");
    write_row(as_json, &j, "upload_us", r->upload_us, r->has_gl, "us per frame");
    write_row(as_json, &j, "frame_ms", r->frame_ms, r->has_gl, "ms, until the GPU has finished");
    write_row(as_json, &j, "frame_cpu_ms", r->frame_cpu_ms, r->has_gl,
              "ms CPU time of all threads, including the driver");
    write_passes(r, as_json, &j);
    write_row(as_json, &j, "first_frame_ms", r->first_frame_ms, r->has_gl,
              "ms from the start, with loading and shaders");
    write_row(as_json, &j, "peak_rss_mb", r->peak_rss_mb, true, "MiB");
    write_row(as_json, &j, "heap_allocs_per_frame", r->allocations, r->has_gl, "by odori");
    write_row(as_json, &j, "driver_allocs_per_frame", r->driver_allocations, r->has_gl && r->counts_driver,
              "by the driver and other libraries");
    write_row(as_json, &j, "frames", (double)r->frames, true, "");
    write_row(as_json, &j, "draw_calls", r->draw_calls, r->has_gl, "");
    write_row(as_json, &j, "actors", (double)r->actors, true, "");
    write_actors(r, as_json, &j);
    write_row(as_json, &j, "vertices", r->vertices, true, "");
    write_row(as_json, &j, "bones", r->bones, true, "");
    write_row(as_json, &j, "bodies", r->bodies, true, "");
    if (as_json)
        write_startup(r, true, &j);
    if (as_json) {
        emit_key(&j, "gl_renderer");
        if (r->has_gl)
            emit_text(&j, r->renderer);
        else
            emit_null(&j);
        emit_close(&j, '}');
        putchar('\n');
    } else {
        printf("%-24s %s\n", "gl_renderer", r->has_gl ? r->renderer : "-");
    }
}

/* Checks that the motions do not go on for more frames than any dance has, unless --frames says how many to
 * measure. */
static bool check_length(const odori_scene *s, const bench_options *options)
{
    double last = mmd_stage_last_frame(s->stage);
    if (options->has_frames || last < FRAMES_MAX)
        return true;
    message("the last frame of the motions is %.0f, more than a million: choose how many to measure with "
            "--frames N "
            "(see odori bench --help)",
            last);
    return false;
}

/* Returns how many frames are measured. */
static size_t frames_of(const odori_scene *s, const bench_options *options)
{
    double last = mmd_stage_last_frame(s->stage);
    double frames = last > 0 ? last + 1 : FRAMES_WITHOUT_MOTION;
    return frames < (double)options->frames ? (size_t)frames : (size_t)options->frames;
}

/* Measures a scene and writes the results. started: clock at the start, in microseconds; start_cpu: CPU
 * time until then, in milliseconds. Returns an exit code. */
static int measure(const odori_scene *s, const bench_options *options, const mmd_log *log, double started,
                   double start_cpu)
{
    const scene_options *wanted = &options->recipe.scene;
    bench_result r = {.frames = frames_of(s, options),
                      .actors = wanted->crowd.actors > 1 ? wanted->crowd.actors : 1,
                      .has_motion = s->motion_count > 0};
    double *times = mmd_alloc(5 * r.frames * sizeof *times);
    if (!times) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    time_limit_aim((double)(r.frames - 1));
    r.vertices = s->models[scene_main_model(s)].model->vertices.count;
    r.bones = s->models[scene_main_model(s)].model->bone_count;
    r.bodies = mmd_model_body_count(s->models[scene_main_model(s)].model);
    r.has_physics = mmd_stage_physics(s->stage) != NULL;
    /* Drawing comes first, so that the first frame includes loading everything. */
    r.startup.start_cpu = start_cpu;
    r.startup.open = (now_us() - started) / 1000;
    int result = measure_drawing(s, options, log, started, times, &r);
    if (result == EXIT_DONE && options->only_startup) {
        write_first_frame(&r, options->as_json);
        mmd_free(times);
        return EXIT_DONE;
    }
    if (result == EXIT_DONE &&
        (!measure_pose(s, times, &r) || (r.has_physics && !measure_physics(s, times, &r)))) {
        message("out of memory");
        result = EXIT_FACILITY;
    }
    if (result == EXIT_DONE) {
        r.load_ms = parse_ms(s->models[scene_main_model(s)].path, false);
        r.motion_load_ms = r.has_motion ? parse_ms(s->motions[0].path, true) : 0;
        r.peak_rss_mb = peak_rss_mb();
        write_result(&r, options->as_json);
    }
    mmd_free(times);
    return result;
}

/* Opens the scene and measures it. Returns an exit code. */
static int bench(const bench_options *options, const common_options *common)
{
    recipe_stage stage;
    mmd_error error = {0};
    double started = now_us();
    const double start_cpu = bench_cpu_ms();
    mmd_log log = stderr_log(common->log_level);
    const recipe_opening how = {
        .subcommand = "bench", .needs = NEEDS_ONE_MODEL, .log = &log, .mmd_camera = true};
    int result = EXIT_DONE;
    if (recipe_open(&stage, &options->recipe, &how, &error) != MMD_OK) {
        result = report(&error);
    } else if (!check_length(&stage.scene, options)) {
        result = EXIT_USAGE;
    } else {
        view_options_apply(&options->recipe.view, stage.scene.stage);
        const bench_render_options wanted = {frames_of(&stage.scene, options), options->gpu,
                                             options->as_json};
        result = options->render ? bench_render(&stage, &wanted, &log)
                                 : measure(&stage.scene, options, &log, started, start_cpu);
    }
    recipe_close(&stage);
    return result;
}

int bench_main(int argc, char **argv)
{
    bench_options options = {.frames = FRAMES_MEASURED};
    recipe *wanted = &options.recipe;
    common_options common = default_common_options();
    recipe_init(wanted, true);
    const option_group groups[] = {
        {"bench", bench_table, sizeof bench_table / sizeof *bench_table, &options},
        group_of_scene(&wanted->scene),
        group_of_crowd(&wanted->scene),
        group_of_view(&wanted->view),
        group_of_physics(&wanted->physics),
        group_of_time(&common),
        group_of_gpu(&common),
        group_of_sandbox(&common),
        group_of_all(&common),
    };
    const command_line line = {
        .name = "bench",
        .usage = "MODEL [--motion M.vmd] [--actors N] [--json]",
        .summary =
            "Measures the time and memory that a model and a motion take, as medians over the frames of the\n"
            "motion, drawn with the given view options and the camera of the motion or MMD's default camera.",
        .notes =
            "load_ms and motion_load_ms: medians of repeated parses of the files from memory.\n"
            "frame_ms: evaluation, upload and drawing of a frame, until the GPU has finished. With "
            "--actors the\n"
            "times are of all models together, and per_actor_... are divided by their number.\n"
            "physics_us: time per frame of the simulation steps. physics_pose_us: time of the work "
            "around them.\n"
            "Both are measured on one thread. frame_ms includes them unless they run ahead on another "
            "thread\n"
            "while the frame is drawn.\n"
            "passes: microseconds of each rendering pass, from up to 200 further frames that wait after "
            "each.\n"
            "Without OpenGL the drawing times are null.\n"
            "--render: medians of the stages of a picture, one after the other; then the mean time of "
            "pictures as\n"
            "render makes them, as PNG files that are kept in memory, and as H.264 if ffmpeg is installed.",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = scene_files,
        .positional_target = &wanted->scene,
    };
    int result = options_parse_with_model(&line, argc, argv, &wanted->scene);
    if (result == OPTIONS_PARSED && options.only_startup && options.render)
        result = options_usage(&line, "--startup and --render cannot be combined");
    if (result == OPTIONS_PARSED) {
        if (!options.only_startup && !options.render)
            heap_count_preload(argc, argv); /* starts the program again */
        warn_exec_has_no_effect(&common, line.name);
        options.gpu = common.gpu;
        start_time_limit(&common);
        confine(wanted, &common, NULL, true);
        physics_take_threads(&wanted->physics, &common);
        result = bench(&options, &common);
    }
    recipe_finish(wanted);
    common_options_finish(&common);
    return result;
}
