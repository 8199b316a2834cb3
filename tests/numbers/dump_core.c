/*
 * dump_core ARGUMENTS: does what `odori dump ARGUMENTS --hash` does, with the engine's core alone, where the
 * program is not built, such as in WebAssembly (wasm.sh). It understands the arguments that scenes.txt has.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "mmd/exchange.h"
#include "mmd/format.h"
#include "mmd/simulation.h"
#include "mmd/view.h"
#include "tools/dump_hash.h"

enum { MODELS = 4, MOTIONS = 4 };

typedef struct arguments {
    const char *models[MODELS], *motions[MOTIONS];
    size_t model_count, motion_count;
    size_t main; /* --model */
    double *frames;
    size_t frame_count;
    unsigned parts;
    bool physics, own_world, stock_lever;
    uint32_t rate; /* 0: the default */
} arguments;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "dump_core: %s: %s\n", what, why);
    exit(3);
}

static arguments parse(int argc, char **argv)
{
    arguments a = {0};
    frames_problem wrong;
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(name, "--hash") == 0)
            continue;
        if (strncmp(name, "--", 2) != 0) {
            if (a.model_count == MODELS)
                die(name, "too many models");
            a.models[a.model_count++] = name;
            continue;
        }
        i++;
        if (strcmp(name, "--motion") == 0 && a.motion_count < MOTIONS)
            a.motions[a.motion_count++] = value;
        else if (strcmp(name, "--model") == 0)
            a.main = (size_t)atoi(value);
        else if (strcmp(name, "--physics") == 0)
            a.physics = strcmp(value, "on") == 0;
        else if (strcmp(name, "--physics-world") == 0)
            a.own_world = strcmp(value, "own") == 0;
        else if (strcmp(name, "--physics-lever") == 0)
            a.stock_lever = strcmp(value, "stock") == 0;
        else if (strcmp(name, "--physics-rate") == 0)
            a.rate = (uint32_t)atoi(value);
        else if (strcmp(name, "--frames") == 0 && parse_frames(value, &a.frames, &a.frame_count, &wrong))
            continue;
        else if (strcmp(name, "--what") == 0)
            for (int p = 0; p < DUMP_PARTS; p++)
                a.parts |= strstr(value, dump_part_names[p]) ? 1u << p : 0;
        else
            die(name, "not understood");
    }
    if (a.main >= a.model_count || !a.frames || !a.parts)
        die("arguments", "no model, --frames or --what");
    return a;
}

static mmd_bytes read_file(const char *path)
{
    mmd_bytes bytes = {0};
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        die(path, "cannot be read");
    bytes.size = (size_t)ftell(file);
    bytes.data = mmd_alloc(bytes.size);
    rewind(file);
    if (!bytes.data || fread(bytes.data, 1, bytes.size, file) != bytes.size)
        die(path, "cannot be read");
    fclose(file);
    return bytes;
}

/* What is read lives until the program ends. */
static const mmd_model *read_model(const char *path)
{
    mmd_bytes bytes = read_file(path);
    mmd_exchange *document;
    mmd_model *model;
    mmd_error error = {0};
    if (mmd_exchange_detect(bytes.data, bytes.size) == MMD_EXCHANGE_UNKNOWN) {
        if (mmd_pmx_read(bytes.data, bytes.size, &model, &error) != MMD_OK)
            die(path, error.message);
        return model;
    }
    if (mmd_exchange_read(bytes.data, bytes.size, NULL, "", &document, &error) != MMD_OK)
        die(path, error.message);
    if (document->animation_count)
        die(path, "animations of documents are not played");
    return document->model;
}

static const mmd_motion *read_motion(const char *path)
{
    mmd_bytes bytes = read_file(path);
    mmd_motion *motion;
    mmd_error error = {0};
    if (mmd_vmd_read(bytes.data, bytes.size, &motion, &error) != MMD_OK)
        die(path, error.message);
    return motion;
}

static void check(mmd_status status)
{
    if (status != MMD_OK)
        die("stage", mmd_status_name(status));
}

/* Makes the stage as the program does it. */
static mmd_stage *make_stage(const arguments *a, const mmd_model **models)
{
    mmd_stage *stage = mmd_stage_create();
    mmd_physics_options physics = mmd_default_physics_options();
    if (!stage)
        die("stage", "out of memory");
    physics.shared_world = !a->own_world;
    physics.run_ahead = false;
    for (size_t i = 0; i < a->model_count; i++) {
        mmd_actor *actor = mmd_actor_create(models[i] = read_model(a->models[i]));
        if (!actor)
            die("actor", "out of memory");
        check(mmd_stage_add_actor(stage, actor, NULL));
        if (models[i]->physscene)
            mmd_physics_options_take(&physics, &models[i]->physscene->world);
    }
    for (size_t i = 0; i < a->motion_count; i++) {
        const mmd_motion *motion = read_motion(a->motions[i]);
        check(mmd_stage_add_scene_motion(stage, motion, NULL));
        for (size_t m = 0; m < a->model_count; m++)
            check(mmd_actor_add_motion(mmd_stage_actor(stage, m), motion, NULL));
    }
    if (a->rate)
        physics.rate = a->rate;
    if (a->stock_lever)
        physics.joint_lever = MMD_LEVER_STOCK;
    check(mmd_stage_set_physics(stage, a->physics ? &physics : NULL, NULL));
    return stage;
}

/* Hashes the frame at which the stage is. */
static void hash_frame(const arguments *a, mmd_stage *stage, const mmd_model *model, dump_hash *hash)
{
    const mmd_pose *pose = mmd_actor_pose(mmd_stage_actor(stage, a->main));
    dump_hash_pose(hash, model, pose);
    if (a->parts & 1u << DUMP_VERTICES) {
        mmd_skinned_vertex *vertices = mmd_alloc(model->vertices.count * sizeof *vertices);
        if (!vertices)
            die("vertices", "out of memory");
        mmd_pose_skin(model, pose, MMD_SDEF_LINEAR, NULL, vertices);
        check(mmd_soft_skin_reference(stage, a->main, vertices, NULL));
        dump_hash_vertices(hash, vertices, model->vertices.count);
        mmd_free(vertices);
    }
    dump_hash_scene(hash, stage);
    if (a->parts & 1u << DUMP_BODIES) {
        const mmd_transform *bodies = mmd_stage_bodies(stage, a->main);
        for (uint32_t i = 0; i < mmd_model_body_count(model); i++) {
            float matrix[16];
            mmd_transform_matrix(&bodies[i], matrix);
            dump_hash_floats(hash, DUMP_BODIES, matrix, 16);
        }
    }
}

int main(int argc, char **argv)
{
    arguments a = parse(argc, argv);
    const mmd_model *models[MODELS];
    mmd_stage *stage = make_stage(&a, models);
    dump_hash hash = dump_hash_begin(a.parts);
    for (size_t i = 0; i < a.frame_count; i++) {
        mmd_stage_set_frame(stage, a.frames[i]);
        hash_frame(&a, stage, models[a.main], &hash);
    }
    digest parts[DUMP_PARTS], all;
    if (!dump_hash_end(&hash, parts, &all))
        die("hash", "out of memory");
    printf("{\"hash\":{\"frames\":%u", (unsigned)a.frame_count);
    for (int i = 0; i < DUMP_PARTS; i++)
        if (*parts[i].text)
            printf(",\"%s\":\"%s\"", dump_part_names[i], parts[i].text);
    printf(",\"all\":\"%s\"}}\n", all.text);
    return 0;
}
