/*
 * odori dump: writes the poses that the engine computes for given frames as JSON, or hashes of them. They are
 * written frame by frame, so that many frames need no more memory than one.
 */
#include <string.h>

#include "base/message.h"
#include "command/commands.h"
#include "base/emit.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "base/output.h"
#include "base/parse.h"
#include "base/progress.h"
#include "base/time_limit.h"
#include "recipe/confine.h"
#include "recipe/draw.h"
#include "recipe/stage.h"
#include "dump_hash.h"
#include "tools.h"

/* Bits of --what. */
#define PART_BONES    (1u << DUMP_BONES)
#define PART_MORPHS   (1u << DUMP_MORPHS)
#define PART_VERTICES (1u << DUMP_VERTICES)
#define PART_CAMERA   (1u << DUMP_CAMERA)
#define PART_LIGHT    (1u << DUMP_LIGHT)
#define PART_BODIES   (1u << DUMP_BODIES)

typedef struct dump_options {
    double *frames;
    size_t frame_count;
    unsigned parts;     /* 0: no --what */
    bool hash;          /* --hash: writes hashes of all frames instead of the frames */
    bool gpu;           /* --skin gpu */
    bool space_of_file; /* --space file: bodies in the space of the model file */
    mmd_sdef_variant sdef;
    const char *output;
} dump_options;

static bool set_frames(void *target, const char *value, option_error *error)
{
    dump_options *dump = target;
    frames_problem wrong;
    if (parse_frames(value, &dump->frames, &dump->frame_count, &wrong))
        return true;
    return option_fail(error, EXIT_USAGE, "\"%.*s\" %s; a list of frames looks like 0,1,7,15.5 or 0:300:10",
                       (int)(wrong.length < 60 ? wrong.length : 60), wrong.part, wrong.why);
}

/* Returns the bit of a part of --what, or 0. */
static unsigned part_named(const char *name, size_t length)
{
    for (unsigned i = 0; i < DUMP_PARTS; i++)
        if (strlen(dump_part_names[i]) == length && memcmp(dump_part_names[i], name, length) == 0)
            return 1u << i;
    return 0;
}

static bool set_what(void *target, const char *value, option_error *error)
{
    dump_options *dump = target;
    dump->parts = 0;
    for (;;) {
        size_t length = strcspn(value, ",");
        unsigned part = part_named(value, length);
        if (!part)
            return option_fail(error, EXIT_USAGE,
                               "\"%.*s\" is not bones, morphs, vertices, camera, light or bodies",
                               (int)(length < 60 ? length : 60), value);
        dump->parts |= part;
        if (!value[length])
            return true;
        value += length + 1;
    }
}

static bool set_hash(void *target, const char *value, option_error *error)
{
    (void)value;
    (void)error;
    ((dump_options *)target)->hash = true;
    return true;
}

static bool set_skin(void *target, const char *value, option_error *error)
{
    dump_options *dump = target;
    if (strcmp(value, "gpu") != 0 && strcmp(value, "cpu") != 0)
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not gpu or cpu", value);
    dump->gpu = strcmp(value, "gpu") == 0;
    return true;
}

static bool set_output(void *target, const char *value, option_error *error)
{
    (void)error;
    ((dump_options *)target)->output = value;
    return true;
}

static bool set_space(void *target, const char *value, option_error *error)
{
    dump_options *dump = target;
    dump->space_of_file = strcmp(value, "file") == 0;
    return dump->space_of_file || strcmp(value, "mmd") == 0 ||
           option_fail(error, EXIT_USAGE, "\"%.60s\" is neither file nor mmd", value);
}

static const option dump_table[] = {
    {0, "frames", "LIST", "frames like 0,1,7,15.5 and ranges A:B[:STEP] (required)", set_frames},
    {0, "what", "LIST", "any of bones,morphs,vertices,camera,light,bodies (all but vertices and bodies)",
     set_what},
    {0, "hash", NULL,
     "writes hashes of the numbers of all frames instead of the frames (of bones,morphs,bodies)", set_hash},
    {0, "space", "file|mmd",
     "space of the bodies; file: that of the model file, metres in glTF, centimetres in Ragdoll (mmd)",
     set_space},
    {0, "skin", "gpu|cpu", "where vertices are computed; cpu is the double-precision reference (cpu)",
     set_skin},
    {'o', NULL, "out.json", "file to write; - is stdout (-)", set_output},
};

/* Arrays for the vertices of a frame, which are allocated once. */
typedef struct dump_vertices {
    mmd_skinned_vertex *cpu;
    float (*positions)[3], (*normals)[3]; /* of --skin gpu */
} dump_vertices;

/* The trigger events of the dumped model since the first step. */
typedef struct dump_events {
    mmd_stage_trigger_event *items;
    size_t count, capacity;
    size_t actor; /* index of the dumped model */
    double known; /* frame of the last event before the current frame; a second simulation repeats earlier
                     ones */
    bool failed;  /* out of memory */
} dump_events;

typedef struct dump_job {
    const dump_options *options;
    odori_scene *scene;
    odori_session *session;
    mmd_actor *actor;
    const mmd_model *model;
    odori_screen screen;
    dump_vertices vertices;
    dump_events *events;
    dump_hash hash; /* of --hash */
    emitter json;
} dump_job;

/* Stores a trigger event of the model (mmd_stage_on_trigger). */
static void store_event(void *context, const mmd_stage_trigger_event *what)
{
    dump_events *t = context;
    if (what->trigger_actor != t->actor || what->frame <= t->known)
        return;
    if (t->count == t->capacity) {
        size_t capacity = t->capacity ? 2 * t->capacity : 64;
        mmd_stage_trigger_event *grown = mmd_realloc(t->items, capacity * sizeof *grown);
        t->failed = t->failed || !grown;
        if (!grown)
            return;
        t->items = grown;
        t->capacity = capacity;
    }
    t->items[t->count++] = *what;
}

/* Returns the greatest frame of the list that is less than this one, or -1. The order of the list does not
 * matter. */
static double frame_before(const dump_options *options, double frame)
{
    double before = -1;
    for (size_t i = 0; i < options->frame_count; i++)
        if (options->frames[i] < frame && options->frames[i] > before)
            before = options->frames[i];
    return before;
}

/* Returns the greatest frame of the list. */
static double last_frame(const dump_options *options)
{
    double last = 0;
    for (size_t i = 0; i < options->frame_count; i++)
        last = options->frames[i] > last ? options->frames[i] : last;
    return last;
}

/* Writes the world matrices of all bones. */
static void write_bones(dump_job *job)
{
    const mmd_transform *world = mmd_pose_world(mmd_actor_pose(job->actor));
    emitter *j = &job->json;
    emit_key(j, "bones");
    emit_open(j, '[');
    for (uint32_t i = 0; i < job->model->bone_count; i++) {
        float matrix[16];
        mmd_transform_matrix(&world[i], matrix);
        emit_open(j, '{');
        emit_member_whole(j, "index", i);
        emit_member_text(j, "name", job->model->bones[i].name);
        if (job->model->bones[i].internal)
            emit_member_bool(j, "internal", true);
        emit_member_floats(j, "world", matrix, 16);
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

/* Returns the format whose space a model file has. */
static mmd_exchange_format format_of(const mmd_model *model)
{
    return model->origin == MMD_ORIGIN_GLTF      ? MMD_EXCHANGE_GLTF
           : model->origin == MMD_ORIGIN_RAGDOLL ? MMD_EXCHANGE_RAGDOLL
                                                 : MMD_EXCHANGE_PMX;
}

/* Returns the world transforms of all bodies, including static ones. Without physics they are at their bones.
 * NULL: out of memory, which is reported, or no bodies. */
static const mmd_transform *bodies_of(const dump_job *job)
{
    const mmd_transform *bodies = mmd_stage_bodies(job->scene->stage, scene_main_model(job->scene));
    if (!bodies && mmd_model_body_count(job->model))
        message("out of memory");
    return bodies;
}

/* Computes the matrix of a body in the space of --space. */
static void body_matrix(const dump_job *job, const mmd_transform *body, float matrix[16])
{
    mmd_transform in_space = *body;
    if (job->options->space_of_file)
        mmd_exchange_to_file(format_of(job->model), body, &in_space);
    mmd_transform_matrix(&in_space, matrix);
}

/* Writes all bodies. Returns an exit code. */
static int write_bodies(dump_job *job)
{
    const mmd_model *model = job->model;
    const mmd_transform *bodies = bodies_of(job);
    emitter *j = &job->json;
    if (!bodies && mmd_model_body_count(model))
        return EXIT_FACILITY;
    emit_key(j, "bodies");
    emit_open(j, '[');
    for (uint32_t i = 0; i < mmd_model_body_count(model); i++) {
        float matrix[16];
        int32_t bone = mmd_model_body_bone(model, i);
        body_matrix(job, &bodies[i], matrix);
        emit_open(j, '{');
        emit_member_whole(j, "index", i);
        emit_member_text(j, "name", mmd_model_body_name(model, i));
        emit_member_text(j, "node", bone >= 0 ? model->bones[bone].name : "");
        emit_member_floats(j, "world", matrix, 16);
        emit_close(j, '}');
    }
    emit_close(j, ']');
    return EXIT_DONE;
}

/* Writes a trigger event. */
static void write_event(emitter *j, const odori_scene *scene, const mmd_stage_trigger_event *event)
{
    const scene_model *other = &scene->models[event->other_actor];
    emit_open(j, '{');
    emit_member_whole(j, "body", event->trigger);
    emit_member_whole(j, "other", event->other);
    if (event->other_actor != event->trigger_actor)
        emit_member_text(j, "other_model",
                         *other->model->name ? other->model->name : mmd_path_name(other->path));
    emit_member_text(j, "event", event->begins ? "begin" : "end");
    emit_member_real(j, "frame", event->frame);
    emit_close(j, '}');
}

/* Writes the trigger events since the frame before in the list. */
static void write_triggers(dump_job *job, double frame)
{
    double before = frame_before(job->options, frame);
    const dump_events *t = job->events;
    emit_key(&job->json, "triggers");
    emit_open(&job->json, '[');
    for (size_t i = 0; i < t->count; i++)
        if (t->items[i].frame > before && t->items[i].frame <= frame)
            write_event(&job->json, job->scene, &t->items[i]);
    emit_close(&job->json, ']');
}

/* Writes the effective weights of all morphs. */
static void write_morphs(dump_job *job)
{
    const float *weights = mmd_pose_weights(mmd_actor_pose(job->actor));
    emitter *j = &job->json;
    emit_key(j, "morphs");
    emit_open(j, '[');
    for (uint32_t i = 0; i < job->model->morph_count; i++) {
        emit_open(j, '{');
        emit_member_whole(j, "index", i);
        emit_member_text(j, "name", job->model->morphs[i].name);
        emit_member_real(j, "weight", (double)weights[i]);
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

/* Writes the camera. */
static void write_camera(dump_job *job)
{
    const mmd_camera *camera = mmd_stage_camera(job->scene->stage);
    emitter *j = &job->json;
    emit_key(j, "camera");
    emit_open(j, '{');
    emit_member_real(j, "distance", (double)camera->distance);
    emit_member_floats(j, "position", camera->position, 3);
    emit_member_floats(j, "rotation", camera->rotation, 3);
    emit_member_real(j, "fov", (double)camera->fov);
    emit_member_bool(j, "perspective", camera->perspective);
    emit_close(j, '}');
}

/* Writes the light. */
static void write_light(dump_job *job)
{
    const mmd_light *light = mmd_stage_light(job->scene->stage);
    emitter *j = &job->json;
    emit_key(j, "light");
    emit_open(j, '{');
    emit_member_floats(j, "color", light->color, 3);
    emit_member_floats(j, "direction", light->direction, 3);
    emit_close(j, '}');
}

/* Computes the vertices by the reference skinning, or reads back those of the GPU. Returns an exit code. */
static int compute_vertices(dump_job *job)
{
    mmd_error error = {0};
    mmd_stage *stage = job->scene->stage;
    size_t main_model = scene_main_model(job->scene);
    const dump_vertices *v = &job->vertices;
    mmd_status status;
    if (job->options->gpu) {
        status = mmd_view_read_stage_vertices(job->screen.view, stage, main_model, job->options->sdef,
                                              v->positions, v->normals, &error);
    } else {
        mmd_pose_skin(job->model, mmd_actor_pose(job->actor), job->options->sdef, NULL, v->cpu);
        status = mmd_soft_skin_reference(stage, main_model, v->cpu, &error);
    }
    if (status == MMD_OK)
        return EXIT_DONE;
    report(&error);
    return EXIT_FACILITY;
}

/* Writes the vertices that the reference skinning has computed. */
static void write_cpu_vertices(dump_job *job)
{
    const mmd_skinned_vertex *v = job->vertices.cpu;
    uint32_t count = job->model->vertices.count;
    emitter *j = &job->json;
    emit_key(j, "positions");
    emit_open(j, '[');
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            emit_real(j, v[i].position[k]);
    emit_close(j, ']');
    emit_key(j, "normals");
    emit_open(j, '[');
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            emit_real(j, v[i].normal[k]);
    emit_close(j, ']');
}

static int write_vertices(dump_job *job)
{
    int result = compute_vertices(job);
    size_t count = 3 * (size_t)job->model->vertices.count;
    if (result != EXIT_DONE)
        return result;
    emit_key(&job->json, "vertices");
    emit_open(&job->json, '{');
    if (job->options->gpu) {
        emit_member_floats(&job->json, "positions", job->vertices.positions[0], count);
        emit_member_floats(&job->json, "normals", job->vertices.normals[0], count);
    } else {
        write_cpu_vertices(job);
    }
    emit_close(&job->json, '}');
    return EXIT_DONE;
}

/* Writes the frame at which the stage is. Returns an exit code. */
static int write_frame(dump_job *job, double frame)
{
    int result = EXIT_DONE;
    unsigned parts = job->options->parts;
    putc('\n', job->json.out);
    emit_open(&job->json, '{');
    emit_member_real(&job->json, "frame", frame);
    if (parts & PART_BONES)
        write_bones(job);
    if (parts & PART_MORPHS)
        write_morphs(job);
    if (parts & PART_VERTICES)
        result = write_vertices(job);
    if (parts & PART_CAMERA)
        write_camera(job);
    if (parts & PART_LIGHT)
        write_light(job);
    if ((parts & PART_BODIES) && result == EXIT_DONE)
        result = write_bodies(job);
    if (parts & PART_BODIES)
        write_triggers(job, frame);
    emit_close(&job->json, '}');
    return result;
}

/* Hashes the frame at which the stage is. Returns an exit code. */
static int hash_frame(dump_job *job)
{
    dump_hash *hash = &job->hash;
    const mmd_stage *stage = job->scene->stage;
    dump_hash_pose(hash, job->model, mmd_actor_pose(job->actor));
    if (job->options->parts & PART_VERTICES) {
        const dump_vertices *v = &job->vertices;
        uint32_t count = job->model->vertices.count;
        int result = compute_vertices(job);
        if (result != EXIT_DONE)
            return result;
        if (job->options->gpu) {
            dump_hash_floats(hash, DUMP_VERTICES, v->positions[0], 3 * (size_t)count);
            dump_hash_floats(hash, DUMP_VERTICES, v->normals[0], 3 * (size_t)count);
        } else {
            dump_hash_vertices(hash, v->cpu, count);
        }
    }
    dump_hash_scene(hash, stage);
    if (job->options->parts & PART_BODIES) {
        const mmd_transform *bodies = bodies_of(job);
        uint32_t count = mmd_model_body_count(job->model);
        if (!bodies && count)
            return EXIT_FACILITY;
        for (uint32_t i = 0; i < count; i++) {
            float matrix[16];
            body_matrix(job, &bodies[i], matrix);
            dump_hash_floats(hash, DUMP_BODIES, matrix, 16);
        }
    }
    return EXIT_DONE;
}

/* Ends the hashes and writes them. Returns an exit code. */
static int write_hashes(dump_job *job)
{
    digest parts[DUMP_PARTS], all;
    emitter *j = &job->json;
    if (!dump_hash_end(&job->hash, parts, &all)) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    emit_key(j, "hash");
    emit_open(j, '{');
    emit_member_whole(j, "frames", (int64_t)job->options->frame_count);
    for (int i = 0; i < DUMP_PARTS; i++)
        if (*parts[i].text)
            emit_member_text(j, dump_part_names[i], parts[i].text);
    emit_member_text(j, "all", all.text);
    emit_close(j, '}');
    return EXIT_DONE;
}

/* Moves the stage to each frame, and writes or hashes it. Returns an exit code. */
static int write_frames(dump_job *job)
{
    int result = EXIT_DONE;
    dump_events *events = job->events;
    progress bar = progress_start(job->options->frame_count);
    for (size_t i = 0; i < job->options->frame_count && result == EXIT_DONE; i++) {
        double frame = job->options->frames[i];
        events->known = events->count ? events->items[events->count - 1].frame : -1;
        time_limit_check(frame, frame);
        mmd_stage_set_frame(job->scene->stage, frame);
        session_place_camera(job->session);
        result = job->options->hash ? hash_frame(job) : write_frame(job, frame);
        if (events->failed) {
            message("out of memory");
            result = EXIT_FACILITY;
        }
        progress_show(&bar, i + 1);
    }
    progress_finish(&bar);
    return result;
}

/* Writes the JSON of all frames. Returns an exit code. */
static int write_all(dump_job *job)
{
    int result;
    emitter *j = &job->json;
    emit_open(j, '{');
    emit_member_text(j, "model", job->scene->models[scene_main_model(job->scene)].path);
    emit_member_text(j, "name", job->model->name);
    emit_key(j, "motions");
    emit_open(j, '[');
    for (size_t i = 0; i < job->scene->motion_count; i++)
        emit_text(j, job->scene->motions[i].path);
    emit_close(j, ']');
    emit_member_text(j, "physics", mmd_stage_physics(job->scene->stage) ? "on" : "off");
    if (job->options->hash) {
        job->hash = dump_hash_begin(job->options->parts);
        result = write_frames(job);
        int written = write_hashes(job);
        result = result == EXIT_DONE ? written : result;
    } else {
        emit_key(j, "frames");
        emit_open(j, '[');
        result = write_frames(job);
        emit_close(j, ']');
    }
    emit_close(j, '}');
    putc('\n', j->out);
    return result;
}

/* Allocates the arrays for vertices, and opens OpenGL for --skin gpu. Returns an exit code. */
static int prepare_vertices(dump_job *job, const char *gpu, const mmd_log *log)
{
    size_t count = job->model->vertices.count;
    dump_vertices *v = &job->vertices;
    if (!(job->options->parts & PART_VERTICES))
        return EXIT_DONE;
    if (job->options->gpu) {
        v->positions = mmd_alloc((count + 1) * sizeof *v->positions);
        v->normals = mmd_alloc((count + 1) * sizeof *v->normals);
    } else {
        v->cpu = mmd_alloc(count * sizeof *v->cpu);
    }
    if (!v->cpu && !(v->positions && v->normals)) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    mmd_error error = {0};
    if (job->options->gpu && !screen_open_headless(&job->screen, job->scene, gpu, log, &error))
        return draw_failed(&error);
    return EXIT_DONE;
}

/* Writes the frames to the output, which is discarded when something fails. Returns an exit code. */
static int dump_session(const dump_options *options, odori_session *session, dump_events *events,
                        const char *gpu, const mmd_log *log)
{
    odori_scene *scene = session->scene;
    const scene_model *m = &scene->models[scene_main_model(scene)];
    dump_job job = {.options = options,
                    .scene = scene,
                    .session = session,
                    .actor = m->actor,
                    .model = m->model,
                    .events = events};
    output out;
    int result = prepare_vertices(&job, gpu, log);
    if (result == EXIT_DONE) {
        if (output_open(&out, options->output)) {
            job.json.out = out.stream;
            result = write_all(&job);
            if (result != EXIT_DONE)
                output_drop(&out);
            else if (!output_commit(&out))
                result = EXIT_FACILITY;
        } else {
            result = EXIT_FACILITY;
        }
    }
    screen_finish(&job.screen);
    mmd_free(job.vertices.cpu);
    mmd_free(job.vertices.positions);
    mmd_free(job.vertices.normals);
    return result;
}

/* Opens the scene, runs the commands and writes the frames. Returns an exit code. */
static int dump(const dump_options *options, const recipe *wanted, const common_options *common)
{
    recipe_stage stage;
    dump_events events = {.known = -1};
    mmd_error error = {0};
    mmd_log log = stderr_log(common->log_level);
    const recipe_opening how = {.subcommand = "dump", .needs = NEEDS_ONE_MODEL, .log = &log};
    mmd_status status = recipe_open(&stage, wanted, &how, &error);
    for (size_t i = 0; status == MMD_OK && i < options->frame_count; i++)
        status = physics_check_frame(&stage.scene, options->frames[i], &error);
    int result = status == MMD_OK ? EXIT_DONE : report(&error);
    if (result == EXIT_DONE) {
        events.actor = scene_main_model(&stage.scene);
        if ((options->parts & PART_BODIES) && !options->hash)
            mmd_stage_on_trigger(stage.scene.stage, store_event, &events);
        result = commands_begin(&stage.session, common);
    }
    if (result == EXIT_DONE && !scene_has_model(&stage.scene)) {
        message("the commands have removed the model");
        result = EXIT_USAGE;
    }
    if (result == EXIT_DONE)
        result = dump_session(options, &stage.session, &events, common->gpu, &log);
    recipe_close(&stage);
    mmd_free(events.items);
    return result;
}

int dump_main(int argc, char **argv)
{
    dump_options options = {.output = "-"};
    recipe wanted;
    common_options common = default_common_options();
    recipe_init(&wanted, false);
    const option_group groups[] = {
        {"dump", dump_table, sizeof dump_table / sizeof *dump_table, &options},
        group_of_scene(&wanted.scene),
        group_of_choice(&wanted.scene),
        group_of_sound(&wanted.sound),
        group_of_sdef(&options.sdef),
        group_of_physics(&wanted.physics),
        group_of_time(&common),
        group_of_gpu(&common),
        group_of_sandbox(&common),
        group_of_all(&common),
    };
    const command_line line = {
        .name = "dump",
        .usage = "MODEL [options] --frames LIST [-o out.json]",
        .summary = "Writes the poses that the engine computes for given frames as JSON.",
        .notes =
            "bones: world matrices in MMD's space, column-major, in file order. Bones that odori added come "
            "last\n"
            "with \"internal\":true.\n"
            "morphs: effective weights, with group and flip morphs applied.\n"
            "camera: position is the target, rotation is in radians with the signs of the file, fov in "
            "degrees.\n"
            "bodies: {index,name,node,world} of the rigid bodies, in file order. node is the bone.\n"
            "triggers, with bodies: [{body,other,event,frame}], contacts with a trigger (body) that began or "
            "ended\nsince the nearest earlier frame of the list, or since the start. other_model is present "
            "when "
            "other is a\nbody of another model.\n"
            "physics: on or off. With --physics on, poses are the same as when playing up to the frame, in "
            "any\n"
            "order of frames.\n"
            "hash: {frames,bones,morphs,bodies,all}, or the parts of --what: XXH128 of the numbers as 32-bit "
            "floats,\n"
            "lowest byte first, frame after frame; all is of all parts. The same on every system.\n"
            "Numbers have nine significant digits. OpenGL is needed for --skin gpu only.\n"
            "--audio has no effect. It is accepted so that the options of play can be reused.",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = scene_files,
        .positional_target = &wanted.scene,
    };
    int result = options_parse_with_model(&line, argc, argv, &wanted.scene);
    if (result == OPTIONS_PARSED && !options.frames)
        result = options_usage(&line, "no frames were given: --frames 0,1,7");
    if (!options.parts)
        options.parts = PART_BONES | PART_MORPHS | (options.hash ? PART_BODIES : PART_CAMERA | PART_LIGHT);
    if (result == OPTIONS_PARSED) {
        mmd_error error = {0};
        mmd_log log = stderr_log(common.log_level);
        start_time_limit(&common);
        confine(&wanted, &common, options.output, options.gpu);
        time_limit_aim(last_frame(&options));
        physics_take_threads(&wanted.physics, &common);
        /* Running ahead would report trigger events of later frames. */
        if ((options.parts & PART_BODIES) && !options.hash)
            wanted.physics.options.run_ahead = false;
        result = audio_check(&wanted.sound, &log, &error) == MMD_OK ? dump(&options, &wanted, &common)
                                                                    : report(&error);
    }
    mmd_free(options.frames);
    recipe_finish(&wanted);
    common_options_finish(&common);
    return result;
}
