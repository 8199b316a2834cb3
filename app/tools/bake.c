/*
 * odori bake: writes a motion in which keyframes replace IK and physics. It plays the motion frame by frame, bakes
 * the transforms of the bones and writes the file. Then it plays the file without IK and physics, and reports the
 * largest difference.
 */
#include <math.h>
#include <string.h>

#include "bake.h"
#include "base/emit.h"
#include "base/message.h"
#include "base/output.h"
#include "base/parse.h"
#include "base/progress.h"
#include "base/time_limit.h"
#include "command/commands.h"
#include "mmd/bake.h"
#include "mmd/memory.h"
#include "mmd/reduce.h"
#include "scene/physics.h"
#include "recipe/confine.h"
#include "recipe/stage.h"
#include "tools.h"

/* Difference that rounding can cause, in units and radians. Smaller differences count as exact. */
#define ROUNDING 2e-5

enum { REPORTED_BONES = 8 };

/* ---- baking frames, also for `convert` ---- */

/* Returns the motions that move the model to bake, to be freed with mmd_free. NULL: out of memory. */
static const mmd_motion **baking_motions(const odori_scene *s, size_t *count)
{
    const mmd_motion **motions = mmd_alloc((s->motion_count + 1) * sizeof *motions);
    *count = 0;
    size_t dancer = scene_main_model(s);
    bool mirrored = s->model_count && s->models[dancer].is_mirrored;
    for (size_t i = 0; motions && i < s->motion_count; i++)
        if (scene_moves(s, &s->motions[i], dancer))
            motions[(*count)++] =
                mirrored && s->motions[i].mirrored ? s->motions[i].mirrored : s->motions[i].motion;
    return motions;
}

/* Plays the frames and finishes the bake. Adds the frames to *done, the steps of the bar. */
static bool baking_frames(const odori_scene *s, mmd_actor *actor, mmd_bake *bake, uint32_t first,
                          uint32_t last, progress *bar, size_t *done, mmd_motion **result, problem *why)
{
    mmd_error error = {0};
    time_limit_aim((double)last);
    for (uint64_t f = first; f <= last; f++) {
        time_limit_check((double)f, (double)last);
        mmd_stage_set_frame(s->stage, (double)f);
        if (mmd_bake_frame(bake, mmd_pose_world(mmd_actor_pose(actor)), mmd_actor_values(actor), &error) !=
            MMD_OK)
            return problem_from(why, &error);
        progress_show(bar, ++*done);
    }
    return mmd_bake_finish(bake, result, &error) == MMD_OK || problem_from(why, &error);
}

/* ---- baking to plain bones ---- */

/* Copies a model without IK, append, fixed axes and bone morphs. Only the lists of bones and morphs are copied,
 * and have to be freed in any case. False: out of memory. */
static bool plain_init(mmd_model *plain, const mmd_model *model)
{
    static const uint16_t at_work = MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION |
                                    MMD_BONE_APPEND_LOCAL | MMD_BONE_IK | MMD_BONE_FIXED_AXIS;
    *plain = *model;
    plain->bones = mmd_alloc((model->bone_count + (size_t)1) * sizeof *plain->bones);
    plain->morphs = mmd_alloc((model->morph_count + (size_t)1) * sizeof *plain->morphs);
    for (uint32_t i = 0; plain->bones && i < model->bone_count; i++) {
        plain->bones[i] = model->bones[i];
        plain->bones[i].flags = (uint16_t)(plain->bones[i].flags & ~at_work);
    }
    for (uint32_t i = 0; plain->morphs && i < model->morph_count; i++) {
        plain->morphs[i] = model->morphs[i];
        if (plain->morphs[i].kind == MMD_MORPH_BONE)
            plain->morphs[i].count = 0;
    }
    return plain->bones && plain->morphs;
}

bool baking_plain(const odori_scene *s, const scene_model *dancer, bool physics, mmd_motion **result,
                  problem *why)
{
    mmd_model plain;
    size_t count, done = 0;
    double frames = mmd_actor_last_frame(dancer->actor);
    mmd_bake_options options = mmd_default_bake_options();
    *result = NULL;
    if (frames >= FRAMES_MAX)
        return problem_set(why, EXIT_USAGE, "the motions have %.0f frames, but at most a million can be baked",
                           frames);
    bool ok = plain_init(&plain, dancer->model);
    const mmd_motion **motions = ok ? baking_motions(s, &count) : NULL;
    options.physics_off = physics;
    mmd_bake *bake = motions ? mmd_bake_create(&plain, motions, count, &options) : NULL;
    if (bake) {
        progress bar = progress_start((size_t)frames + 1);
        ok = baking_frames(s, dancer->actor, bake, 0, (uint32_t)frames, &bar, &done, result, why);
        progress_finish(&bar);
    } else {
        ok = problem_out_of_memory(why);
    }
    mmd_bake_destroy(bake);
    mmd_free(motions);
    mmd_free(plain.bones);
    mmd_free(plain.morphs);
    return ok;
}

/* ---- the command line ---- */

typedef struct bake_command {
    const char *output;
    uint64_t first, last;
    bool has_frames, has_angle, json, curves;
    double error, angle; /* limits of --reduce in units and degrees; error 0: keep all keyframes */
} bake_command;

static bool set_output(void *target, const char *value, option_error *error)
{
    (void)error;
    ((bake_command *)target)->output = value;
    return true;
}

static bool set_range(void *target, const char *value, option_error *error)
{
    bake_command *command = target;
    char first[32];
    size_t length = strcspn(value, ":");
    if (length < sizeof first && value[length]) {
        memcpy(first, value, length);
        first[length] = '\0';
        command->has_frames = parse_whole(first, 0, UINT32_MAX - 1, &command->first) &&
                              parse_whole(value + length + 1, command->first, UINT32_MAX - 1, &command->last);
    }
    return command->has_frames ||
           option_fail(error, EXIT_USAGE, "\"%.60s\" is not a range of whole frames like 0:300", value);
}

static bool set_error_limit(void *target, const char *value, option_error *error)
{
    double *limit = &((bake_command *)target)->error;
    return (parse_real(value, limit) && *limit > 0.0 && *limit <= 1e6) ||
           option_fail(error, EXIT_USAGE, "\"%.60s\" is not a distance greater than 0", value);
}

static bool set_angle_limit(void *target, const char *value, option_error *error)
{
    bake_command *command = target;
    command->has_angle = true;
    return (parse_real(value, &command->angle) && command->angle > 0.0 && command->angle <= 180.0) ||
           option_fail(error, EXIT_USAGE, "\"%.60s\" is not an angle greater than 0, up to 180 degrees", value);
}

static bool set_curves(void *target, const char *value, option_error *error)
{
    bool linear = strcmp(value, "linear") == 0;
    ((bake_command *)target)->curves = !linear;
    return linear || strcmp(value, "bezier") == 0 ||
           option_fail(error, EXIT_USAGE, "\"%.60s\" is not bezier or linear", value);
}

static bool set_json(void *target, const char *value, option_error *error)
{
    (void)value;
    (void)error;
    ((bake_command *)target)->json = true;
    return true;
}

static const option bake_table[] = {
    {'o', NULL, "out.vmd", "file to write; - is stdout (required)", set_output},
    {0, "frames", "A:B", "frames to write, from A to B (the whole motion)", set_range},
    {0, "reduce", "ERROR", "removes keyframes, as long as every bone stays within ERROR units at every frame",
     set_error_limit},
    {0, "reduce-angle", "DEG",
     "and within so many degrees (the angle that moves the farthest vertex of the bone by ERROR)", set_angle_limit},
    {0, "curves", "bezier|linear", "interpolation between keyframes after --reduce (bezier)", set_curves},
    {0, "json", NULL, "prints a summary with the largest errors as JSON to stdout", set_json},
};

/* Largest difference of a bone between the replay and the scene, and the frames with it. */
typedef struct bone_difference {
    double position, rotation; /* units, radians */
    uint32_t position_frame, rotation_frame;
} bone_difference;

typedef struct bake_job {
    const bake_command *command;
    odori_scene *scene;
    const scene_model *dancer;
    const mmd_motion **motions; /* motions that move the model */
    size_t motion_count;
    mmd_bake_options options;
    mmd_bake *bake;
    mmd_motion *result;
    mmd_buffer bytes;             /* the file */
    bone_difference *differences; /* of each bone */
    bool physics; /* whether the simulation is baked */
    progress bar;
    size_t done; /* steps of bar that are done */
} bake_job;

/* ---- playing the file ---- */

/* The written motion, played without a scene. */
typedef struct replay {
    mmd_motion *motion;
    mmd_clip *clip;
    mmd_pose *pose;
    mmd_pose_values values, previous;
    mmd_arena arena;
} replay;

/* Opens the file that was written as a motion of the model. */
static bool replay_open(replay *r, const bake_job *job, problem *why)
{
    const mmd_model *model = job->dancer->model;
    mmd_error error = {0};
    *r = (replay){.motion = NULL};
    if (mmd_vmd_read(job->bytes.data, job->bytes.size, &r->motion, &error) != MMD_OK)
        return problem_from(why, &error);
    const mmd_motion *motion = r->motion;
    r->clip = mmd_clip_create(model, &motion, 1);
    r->pose = mmd_pose_create(model);
    return (r->clip && r->pose && mmd_pose_values_init(&r->values, model, &r->arena) &&
            mmd_pose_values_init(&r->previous, model, &r->arena)) ||
           problem_out_of_memory(why);
}

/* Updates the largest difference of a bone with that of a frame. */
static void compare_bone(const mmd_transform *wanted, const mmd_transform *got, uint32_t frame,
                         bone_difference *difference)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        double distance = (double)wanted->translation[k] - (double)got->translation[k];
        sum += distance * distance;
    }
    double position = sqrt(sum), rotation = (double)mmd_rotation_angle(wanted->rotation, got->rotation);
    if (position > difference->position) {
        difference->position = position;
        difference->position_frame = frame;
    }
    if (rotation > difference->rotation) {
        difference->rotation = rotation;
        difference->rotation_frame = frame;
    }
}

/* Plays the file beside the scene, and records the largest difference of each bone. */
static bool replay_frames(bake_job *job, uint32_t first, uint32_t last, problem *why)
{
    replay r;
    bool ok = replay_open(&r, job, why);
    const mmd_transform *wanted = mmd_pose_world(mmd_actor_pose(job->dancer->actor));
    for (uint64_t f = first; f <= last && ok; f++) {
        time_limit_check((double)f, (double)last);
        mmd_stage_set_frame(job->scene->stage, (double)f);
        mmd_clip_sample(r.clip, (double)f, &r.values);
        if (mmd_pose_needs_previous(r.pose))
            mmd_clip_sample(r.clip, (double)f - 1.0, &r.previous);
        mmd_pose_evaluate(r.pose, &r.values, &r.previous);
        mmd_pose_finish(r.pose);
        const mmd_transform *got = mmd_pose_world(r.pose);
        for (uint32_t b = 0; b < job->dancer->model->bone_count; b++)
            compare_bone(&wanted[b], &got[b], (uint32_t)f, &job->differences[b]);
        progress_show(&job->bar, ++job->done);
    }
    mmd_clip_destroy(r.clip);
    mmd_pose_destroy(r.pose);
    mmd_motion_destroy(r.motion);
    mmd_arena_finish(&r.arena);
    return ok;
}

/* ---- reporting ---- */

/* Returns why keyframes cannot represent a bone. */
static const char *obstacle_text(mmd_bake_obstacle obstacle)
{
    switch (obstacle) {
    case MMD_BAKE_FIXED_AXIS:
        return "it only rotates about its fixed axis";
    case MMD_BAKE_NO_NAME:
        return "a motion cannot store its name";
    case MMD_BAKE_NAME_TAKEN:
        return "another bone has the same name in motions";
    case MMD_BAKE_INTERNAL:
        return "it is not in the file of the model";
    default:
        return "it depends on the previous frame";
    }
}

/* Returns whether a bone stays within the limits of --reduce. */
static bool keeps_limits(const bake_job *job, uint32_t b)
{
    const bone_difference *d = &job->differences[b];
    return d->position <= (double)job->options.position_error + ROUNDING &&
           d->rotation <= (double)mmd_bake_rotation_limit(job->bake, b) + ROUNDING;
}

/* Returns whether keyframes can represent a bone, or it is within the limits nevertheless. */
static bool is_exact(const bake_job *job, uint32_t b)
{
    return mmd_bake_bone_obstacle(job->bake, b) == MMD_BAKE_NONE || keeps_limits(job, b);
}

/* The largest differences of all bones that keyframes can represent, and the indices of the bones, or -1 for none. */
typedef struct bake_largest {
    bone_difference difference;
    int64_t position_bone, rotation_bone;
} bake_largest;

/* Finds the largest differences of all exact bones. */
static bake_largest find_largest(const bake_job *job)
{
    bake_largest largest = {.position_bone = -1, .rotation_bone = -1};
    for (uint32_t b = 0; b < job->dancer->model->bone_count; b++) {
        const bone_difference *d = &job->differences[b];
        if (!is_exact(job, b))
            continue;
        if (largest.position_bone < 0 || d->position > largest.difference.position) {
            largest.difference.position = d->position;
            largest.difference.position_frame = d->position_frame;
            largest.position_bone = b;
        }
        if (largest.rotation_bone < 0 || d->rotation > largest.difference.rotation) {
            largest.difference.rotation = d->rotation;
            largest.difference.rotation_frame = d->rotation_frame;
            largest.rotation_bone = b;
        }
    }
    return largest;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* Prints what was written, and the largest differences of the replay. */
static void print_summary(const bake_job *job, uint32_t frames, const bake_largest *largest)
{
    const mmd_bone *bones = job->dancer->model->bones;
    const bone_difference *d = &largest->difference;
    const mmd_motion *m = job->result;
    message("%u frame%s: %u keyframe%s of %u bone%s, %u of %u morph%s, %zu bytes", frames, plural(frames),
            m->bone_key_count, plural(m->bone_key_count), m->bone_track_count, plural(m->bone_track_count),
            m->morph_key_count, m->morph_track_count, plural(m->morph_track_count), job->bytes.size);
    if (largest->position_bone >= 0)
        message("largest differences when played: %.3g units (%s, frame %u) and %.3g degrees (%s, frame %u)",
                d->position, bones[largest->position_bone].name, d->position_frame,
                d->rotation * 180.0 / 3.14159265358979, bones[largest->rotation_bone].name, d->rotation_frame);
    uint32_t inexact = 0;
    for (uint32_t b = 0; b < job->dancer->model->bone_count; b++) {
        const bone_difference *off = &job->differences[b];
        if (is_exact(job, b) || inexact++ >= REPORTED_BONES)
            continue;
        message("%s is up to %.3g units and %.3g degrees away, because %s", bones[b].name, off->position,
                off->rotation * 180.0 / 3.14159265358979, obstacle_text(mmd_bake_bone_obstacle(job->bake, b)));
    }
    if (inexact > REPORTED_BONES)
        message("and %u more bone%s", inexact - REPORTED_BONES, plural(inexact - REPORTED_BONES));
    if (job->physics && job->dancer->model->soft_body_count)
        message("soft bodies move vertices, not bones: they are not baked");
}

static void emit_bone_difference(emitter *j, const bone_difference *d)
{
    emit_member_real(j, "position", d->position);
    emit_member_whole(j, "position_frame", d->position_frame);
    emit_member_real(j, "rotation", d->rotation);
    emit_member_whole(j, "rotation_frame", d->rotation_frame);
}

/* Prints the summary as JSON. */
static void print_json(const bake_job *job, uint32_t first, uint32_t last, const bake_largest *largest)
{
    const mmd_bone *bones = job->dancer->model->bones;
    emitter j = {.out = stdout};
    emit_open(&j, '{');
    emit_member_text(&j, "model", job->dancer->path);
    emit_member_text(&j, "output", job->command->output);
    emit_member_bool(&j, "physics", job->physics);
    emit_member_whole(&j, "first_frame", first);
    emit_member_whole(&j, "last_frame", last);
    emit_member_whole(&j, "bones", job->result->bone_track_count);
    emit_member_whole(&j, "bone_keys", job->result->bone_key_count);
    emit_member_whole(&j, "morphs", job->result->morph_track_count);
    emit_member_whole(&j, "morph_keys", job->result->morph_key_count);
    emit_member_whole(&j, "bytes", (int64_t)job->bytes.size);
    emit_member_real(&j, "position_limit", (double)job->options.position_error);
    if (job->command->has_angle)
        emit_member_real(&j, "rotation_limit", (double)job->options.rotation_error);
    emit_key(&j, "largest");
    emit_open(&j, '{');
    if (largest->position_bone >= 0) {
        emit_bone_difference(&j, &largest->difference);
        emit_member_text(&j, "position_bone", bones[largest->position_bone].name);
        emit_member_text(&j, "rotation_bone", bones[largest->rotation_bone].name);
    }
    emit_close(&j, '}');
    emit_key(&j, "inexact");
    emit_open(&j, '[');
    for (uint32_t b = 0; b < job->dancer->model->bone_count; b++) {
        if (is_exact(job, b))
            continue;
        emit_open(&j, '{');
        emit_member_whole(&j, "index", b);
        emit_member_text(&j, "name", bones[b].name);
        emit_member_text(&j, "why", obstacle_text(mmd_bake_bone_obstacle(job->bake, b)));
        emit_bone_difference(&j, &job->differences[b]);
        emit_close(&j, '}');
    }
    emit_close(&j, ']');
    emit_close(&j, '}');
    putchar('\n');
}

/* ---- the subcommand ---- */

/* Chooses the frames of --frames, or all frames of the motions. */
static bool choose_frames(const bake_job *job, uint32_t *first, uint32_t *last, problem *why)
{
    const bake_command *command = job->command;
    bool hangs = mmd_stage_has_outside_parents(job->scene->stage, scene_main_model(job->scene));
    double end = hangs ? mmd_stage_last_frame(job->scene->stage) : mmd_actor_last_frame(job->dancer->actor);
    *first = command->has_frames ? (uint32_t)command->first : 0;
    *last = command->has_frames ? (uint32_t)command->last : (uint32_t)end;
    if (!command->has_frames && job->motion_count == 0 && !hangs)
        return problem_set(why, EXIT_USAGE,
                           "no motion moves the model: give one with --motion M.vmd (see odori bake --help)");
    if (*last - *first >= FRAMES_MAX)
        return problem_set(
            why, EXIT_USAGE,
            "frames %u to %u are more than a million: choose fewer with --frames A:B (see odori bake --help)", *first,
            *last);
    mmd_error error = {0};
    return physics_check_frame(job->scene, (double)*last, &error) == MMD_OK || problem_from(why, &error);
}

/* Bakes the frames, writes the file and plays it. */
static bool bake_frames(bake_job *job, uint32_t first, uint32_t last, problem *why)
{
    const bake_command *command = job->command;
    const mmd_model *model = job->dancer->model;
    mmd_error error = {0};
    job->options = mmd_default_bake_options();
    job->options.position_error = (float)command->error;
    job->options.rotation_error = (float)(command->angle * 3.14159265358979 / 180.0);
    job->options.curves = command->curves;
    job->options.physics_off = job->physics;
    job->options.first_frame = first;
    job->bake = mmd_bake_create(model, job->motions, job->motion_count, &job->options);
    job->differences = mmd_alloc((model->bone_count + 1) * sizeof *job->differences);
    if (!job->bake || !job->differences)
        return problem_out_of_memory(why);
    memset(job->differences, 0, (model->bone_count + 1) * sizeof *job->differences);
    job->bar = progress_start(2 * ((size_t)last - first + 1));
    bool ok = baking_frames(job->scene, job->dancer->actor, job->bake, first, last, &job->bar, &job->done,
                            &job->result, why);
    if (ok && mmd_vmd_write(job->result, &job->bytes, &error) != MMD_OK)
        ok = problem_from(why, &error);
    if (ok && !output_write(command->output, job->bytes.data, job->bytes.size))
        ok = problem_set(why, EXIT_FACILITY, "%s", "");
    ok = ok && replay_frames(job, first, last, why);
    progress_finish(&job->bar);
    return ok;
}

/* Bakes the scene and reports the result. False with EXIT_NO: a bone that keyframes can represent exceeds the
 * limits of --reduce. */
static bool bake_scene(const bake_command *command, odori_scene *scene, problem *why)
{
    bake_job job = {.command = command,
                    .scene = scene,
                    .dancer = &scene->models[scene_main_model(scene)],
                    .physics = mmd_stage_physics(scene->stage) != NULL};
    uint32_t first = 0, last = 0;
    job.motions = baking_motions(scene, &job.motion_count);
    bool ok = (job.motions || problem_out_of_memory(why)) && choose_frames(&job, &first, &last, why) &&
              bake_frames(&job, first, last, why);
    if (ok) {
        bake_largest largest = find_largest(&job);
        print_summary(&job, last - first + 1, &largest);
        if (command->json)
            print_json(&job, first, last, &largest);
        for (uint32_t b = 0; ok && command->error > 0.0 && b < job.dancer->model->bone_count; b++)
            if (is_exact(&job, b) && !keeps_limits(&job, b))
                ok = problem_set(why, EXIT_NO, "the motion was written, but %s differs by more than --reduce allows",
                                 job.dancer->model->bones[b].name);
    }
    mmd_bake_destroy(job.bake);
    mmd_motion_destroy(job.result);
    mmd_buffer_finish(&job.bytes);
    mmd_free(job.differences);
    mmd_free(job.motions);
    return ok;
}

/* Opens the scene, runs the commands and bakes it. Returns an exit code. */
static int bake(const bake_command *command, const recipe *wanted, const common_options *common)
{
    recipe_stage stage;
    problem why = {0};
    mmd_error error = {0};
    mmd_log log = stderr_log(common->log_level);
    const recipe_opening how = {.subcommand = "bake", .needs = NEEDS_ONE_MODEL, .log = &log};
    int result = recipe_open(&stage, wanted, &how, &error) == MMD_OK ? commands_begin(&stage.session, common)
                                                                     : report(&error);
    if (result == EXIT_DONE && !scene_has_model(&stage.scene)) {
        message("the commands have removed the model");
        result = EXIT_USAGE;
    }
    if (result == EXIT_DONE)
        result = bake_scene(command, &stage.scene, &why) ? EXIT_DONE : problem_report(&why);
    recipe_close(&stage);
    return result;
}

/* Checks the options together. Returns OPTIONS_PARSED, or an exit code after reporting an error. */
static int check_options(const command_line *line, const bake_command *command)
{
    if (!command->output)
        return options_usage(line, "no output file was given: -o out.vmd");
    if (command->json && strcmp(command->output, "-") == 0)
        return options_usage(line, "--json and -o - both write to stdout: give -o a file");
    if (command->has_angle && command->error == 0.0)
        return options_usage(line, "--reduce-angle needs --reduce");
    return OPTIONS_PARSED;
}

int bake_main(int argc, char **argv)
{
    bake_command command = {.curves = true};
    recipe wanted;
    common_options common = default_common_options();
    recipe_init(&wanted, true);
    const option_group groups[] = {
        {"bake", bake_table, sizeof bake_table / sizeof *bake_table, &command},
        group_of_scene(&wanted.scene),
        group_of_choice(&wanted.scene),
        group_of_physics(&wanted.physics),
        group_of_time(&common),
        group_of_sandbox(&common),
        group_of_all(&common),
    };
    const command_line line = {
        .name = "bake",
        .usage = "MODEL --motion M.vmd [options] -o out.vmd",
        .summary =
            "Writes a motion in which keyframes replace IK and physics, so that other programs play it the same way.",
        .notes =
            "Every bone that moves gets a keyframe per frame, or fewer with --reduce. The file switches off IK\n"
            "and the physics of the bones that rigid bodies move (--physics on). Append (付与) stays active, and\n"
            "the keyframes allow for it. Morphs are copied, camera and light are left out. Afterwards bake plays\n"
            "the file without IK and physics and prints the largest difference. Exit code 1: it is larger than\n"
            "--reduce allows.",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = scene_files,
        .positional_target = &wanted.scene,
    };
    int result = options_parse_with_model(&line, argc, argv, &wanted.scene);
    if (result == OPTIONS_PARSED)
        result = check_options(&line, &command);
    if (result == OPTIONS_PARSED) {
        start_time_limit(&common);
        confine(&wanted, &common, command.output, false);
        time_limit_aim((double)command.last);
        physics_take_threads(&wanted.physics, &common);
        result = bake(&command, &wanted, &common);
    }
    recipe_finish(&wanted);
    common_options_finish(&common);
    return result;
}
