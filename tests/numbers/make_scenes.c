/*
 * make_scenes FOLDER: writes the models and motions of the scenes in scenes.txt. The output is the same bytes
 * on every system: the numbers come from a generator of whole numbers, and only operations that IEEE 754
 * rounds exactly (+, -, *,
 * /, square root) are applied to them.
 *
 * joints  every kind of joint on a rack that is shaken (every_joint.h)
 * hair    a chain that swings, with an impulse morph, a jump, and physics switched off and on (hair_model.h)
 * rig     bones and morphs of every kind in random order: append, IK with limits, layers, fixed axes, bones
 * after physics, group, flip and bone morphs, and vertices of every deform scene   camera and light with
 * curves and cuts
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "every_joint.h"
#include "hair_model.h"
#include "mmd/format.h"
#include "mmd/text.h"

static void die(const char *what)
{
    fprintf(stderr, "make_scenes: %s\n", what);
    exit(4);
}

static const char *folder;

static void write_file(const char *name, mmd_status status, mmd_buffer *bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (status != MMD_OK || bytes->failed || !file ||
        fwrite(bytes->data, 1, bytes->size, file) != bytes->size || fclose(file) != 0)
        die(path);
    mmd_buffer_finish(bytes);
}

static void write_model(const char *name, const mmd_model *model)
{
    mmd_buffer bytes = {0};
    write_file(name, mmd_pmx_write(model, &bytes, NULL), &bytes);
}

static void write_motion(const char *name, const mmd_motion *motion)
{
    mmd_buffer bytes = {0};
    write_file(name, mmd_vmd_write(motion, &bytes, NULL), &bytes);
}

/* ------------------------------------------------------------ random numbers */

static uint32_t state;

/* Returns a whole number from 0 to below `end`. C does not say in which order the elements of an initializer
 * are evaluated, so only one of them may call this. */
static uint32_t below(uint32_t end)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % end;
}

/* Returns a number from -1 to 1. */
static float either(void)
{
    return (float)below(1u << 20) / (float)(1 << 19) - 1.0f;
}

/* Makes a rotation by at most about `most` radians. */
static void rotation(float most, float out[4])
{
    float x = 0.5f * most * either(), y = 0.5f * most * either(), z = 0.5f * most * either();
    float length = sqrtf(x * x + y * y + z * z + 1.0f);
    out[0] = x / length;
    out[1] = y / length;
    out[2] = z / length;
    out[3] = 1.0f / length;
}

static mmd_curve curve(void)
{
    if (below(3) == 0)
        return (mmd_curve){20, 20, 107, 107};
    uint8_t x1 = (uint8_t)below(128), y1 = (uint8_t)below(128), x2 = (uint8_t)below(128);
    return (mmd_curve){x1, y1, x2, (uint8_t)below(128)};
}

static void *room(mmd_arena *arena, size_t count, size_t size)
{
    void *memory = mmd_arena_alloc(arena, count, size);
    if (!memory)
        die("out of memory");
    return memory;
}

/* ------------------------------------------------------------------- motions */

/* Fills a track with `count` keys from frame 0 on, on average `step` frames apart. */
static void fill_track(mmd_motion *motion, mmd_bone_track *track, const char *name, uint32_t count,
                       uint32_t step, float reach, float turn)
{
    uint32_t frame = 0;
    mmd_name_key_from_utf8(name, track->name, NULL, NULL);
    track->count = count;
    track->frames = room(&motion->arena, count, sizeof *track->frames);
    track->keys = room(&motion->arena, count, sizeof *track->keys);
    for (uint32_t i = 0; i < count; i++) {
        mmd_bone_key *key = &track->keys[i];
        track->frames[i] = frame;
        frame += step / 2 + below(step + 1);
        for (int k = 0; k < 3; k++)
            key->translation[k] = reach * either();
        rotation(turn, key->rotation);
        for (int c = 0; c < 4; c++)
            key->curve[c] = curve();
    }
    motion->bone_key_count += count;
}

static void begin_motion(mmd_motion *motion, uint32_t bones)
{
    *motion = (mmd_motion){.bone_track_count = bones};
    motion->bone_tracks = room(&motion->arena, bones, sizeof *motion->bone_tracks);
}

static void make_joints(void)
{
    mmd_model model;
    mmd_motion motion;
    every_joint_make(&model);
    write_model("joints.pmx", &model);
    every_joint_finish(&model);
    begin_motion(&motion, 1);
    fill_track(&motion, motion.bone_tracks, "棚", 60, 15, 2, 0.4f);
    write_motion("joints.vmd", &motion);
    mmd_arena_finish(&motion.arena);
}

static void make_hair(void)
{
    hair_model hair;
    mmd_motion motion;
    hair_model_make(&hair);
    write_model("hair.pmx", &hair.model);
    begin_motion(&motion, 2);
    fill_track(&motion, &motion.bone_tracks[0], hair.bones[HAIR_CENTER].name, 60, 10, 4, 1.5f);
    for (uint32_t i = 30; i < 60; i++)
        motion.bone_tracks[0].keys[i].translation[0] += 100; /* a jump */
    fill_track(&motion, &motion.bone_tracks[1], hair.bones[HAIR_2].name, 12, 40, 0, 0.4f);
    for (uint32_t i = 0; i < 12; i++)
        motion.bone_tracks[1].keys[i].physics_off = i % 3 == 1;
    mmd_morph_track gust = {.count = 20};
    gust.frames = room(&motion.arena, gust.count, sizeof *gust.frames);
    gust.weights = room(&motion.arena, gust.count, sizeof *gust.weights);
    for (uint32_t i = 0; i < gust.count; i++) {
        gust.frames[i] = 25 * i;
        gust.weights[i] = i % 2 ? 0.5f + 0.5f * either() : 0;
    }
    mmd_name_key_from_utf8(hair.gust.name, gust.name, NULL, NULL);
    motion.morph_track_count = 1;
    motion.morph_tracks = &gust;
    motion.morph_key_count = gust.count;
    write_motion("hair.vmd", &motion);
    mmd_arena_finish(&motion.arena);
    hair_model_finish(&hair);
}

/* ----------------------------------------------------------------------- rig */

enum { BONES = 160, CHAINS = 14, BONE_MORPHS = 8, MORPHS = BONE_MORPHS + 3, VERTICES = 300 };

static char bone_names[BONES][8], morph_names[MORPHS][8];

/* Sets a random axis of unit length. */
static void axis(float out[3])
{
    float length;
    do {
        for (int k = 0; k < 3; k++)
            out[k] = either();
        length = sqrtf(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    } while (length < 0.1f);
    for (int k = 0; k < 3; k++)
        out[k] /= length;
}

static void make_bones(mmd_model *model)
{
    model->bone_count = BONES;
    model->bones = room(&model->arena, BONES, sizeof *model->bones);
    for (int32_t i = 0; i < BONES; i++) {
        mmd_bone *bone = &model->bones[i];
        snprintf(bone_names[i], sizeof *bone_names, "b%d", (int)i);
        int32_t parent = below(4) ? i - 1 : i ? (int32_t)below((uint32_t)i) : -1;
        *bone =
            (mmd_bone){.name = bone_names[i],
                       .name_en = "",
                       .parent = parent,
                       .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE | MMD_BONE_VISIBLE | MMD_BONE_OPERABLE,
                       .tail_bone = -1,
                       .append_source = -1,
                       .ik_target = -1};
        bone->layer = below(8) ? 0 : (int32_t)below(3);
        for (int k = 0; k < 3; k++)
            bone->position[k] = (bone->parent >= 0 ? model->bones[bone->parent].position[k] : 10) + either();
        if (below(10) == 0)
            bone->flags |= MMD_BONE_AFTER_PHYSICS;
        if (below(8) == 0) {
            bone->flags |= MMD_BONE_FIXED_AXIS;
            axis(bone->fixed_axis);
        }
        if (i && below(4) == 0) {
            bone->flags |= below(3) ? MMD_BONE_APPEND_ROTATION : MMD_BONE_APPEND_TRANSLATION;
            bone->flags |= below(3) ? 0 : MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION;
            bone->flags |= below(3) ? 0 : MMD_BONE_APPEND_LOCAL;
            bone->append_source = (int32_t)below((uint32_t)i);
            bone->append_ratio = 1.5f * either();
        }
    }
}

/* Makes some bones IK bones, each with a chain of its own target and that bone's ancestors. Half of the links
 * have limits: of a knee, or on all axes. */
static void make_chains(mmd_model *model)
{
    for (int c = 0; c < CHAINS; c++) {
        mmd_bone *goal = &model->bones[below(BONES)];
        int32_t target = (int32_t)(BONES / 4 + below(BONES - BONES / 4)), link = model->bones[target].parent;
        mmd_ik_link *links = room(&model->arena, 6, sizeof *links);
        goal->flags |= MMD_BONE_IK;
        goal->ik_target = target;
        goal->ik_loops = (int32_t)(1 + below(40));
        goal->ik_limit = 0.05f + 0.5f * (float)below(4);
        goal->ik_link_count = 0;
        goal->ik_links = links;
        for (uint32_t most = 2 + below(5); link >= 0 && goal->ik_link_count < most;
             link = model->bones[link].parent) {
            mmd_ik_link *to = &links[goal->ik_link_count++];
            to->bone = link;
            to->has_limit = below(2);
            bool knee = below(2);
            for (int k = 0; to->has_limit && k < 3; k++) {
                to->lower[k] = knee && k ? 0 : -3.0f * (float)below(1000) / 1000;
                to->upper[k] = knee ? (k ? 0 : -0.01f) : 3.0f * (float)below(1000) / 1000;
            }
        }
    }
}

static void make_morphs(mmd_model *model)
{
    model->morph_count = MORPHS;
    model->morphs = room(&model->arena, MORPHS, sizeof *model->morphs);
    for (int32_t m = 0; m < MORPHS; m++) {
        mmd_morph *morph = &model->morphs[m];
        snprintf(morph_names[m], sizeof *morph_names, "m%d", (int)m);
        *morph = (mmd_morph){.name = morph_names[m], .name_en = "", .panel = 4, .count = 4};
        if (m < BONE_MORPHS) {
            mmd_bone_offset *offsets = room(&model->arena, morph->count, sizeof *offsets);
            for (uint32_t i = 0; i < morph->count; i++) {
                offsets[i].bone = (int32_t)below(BONES);
                for (int k = 0; k < 3; k++)
                    offsets[i].translation[k] = either();
                rotation(2, offsets[i].rotation);
            }
            morph->kind = MMD_MORPH_BONE;
            morph->offsets.bone = offsets;
            continue;
        }
        mmd_group_offset *offsets = room(&model->arena, morph->count, sizeof *offsets);
        for (uint32_t i = 0; i < morph->count; i++) {
            offsets[i].morph = (int32_t)below(BONE_MORPHS);
            offsets[i].ratio = either();
        }
        morph->kind = m == MORPHS - 1 ? MMD_MORPH_FLIP : MMD_MORPH_GROUP;
        morph->offsets.group = offsets;
    }
}

static void make_vertices(mmd_model *model)
{
    mmd_vertices *v = &model->vertices;
    v->count = VERTICES;
    v->sdef_count = VERTICES / 5;
    v->position = room(&model->arena, VERTICES, sizeof *v->position);
    v->normal = room(&model->arena, VERTICES, sizeof *v->normal);
    v->uv = room(&model->arena, VERTICES, sizeof *v->uv);
    v->deform = room(&model->arena, VERTICES, sizeof *v->deform);
    v->bone = room(&model->arena, VERTICES, sizeof *v->bone);
    v->weight = room(&model->arena, VERTICES, sizeof *v->weight);
    v->edge_scale = room(&model->arena, VERTICES, sizeof *v->edge_scale);
    v->sdef_index = room(&model->arena, VERTICES, sizeof *v->sdef_index);
    v->sdef = room(&model->arena, v->sdef_count, sizeof *v->sdef);
    model->index_count = VERTICES;
    model->indices = room(&model->arena, VERTICES, sizeof *model->indices);
    for (uint32_t i = 0; i < VERTICES; i++) {
        uint8_t deform = v->deform[i] = (uint8_t)(i % 5);
        uint32_t count = deform == MMD_DEFORM_BDEF1                                ? 1
                         : deform == MMD_DEFORM_BDEF2 || deform == MMD_DEFORM_SDEF ? 2
                                                                                   : 4;
        float first = (float)below(1000) / 1000;
        model->indices[i] = i;
        axis(v->normal[i]);
        v->sdef_index[i] = -1;
        for (uint32_t k = 0; k < 4; k++) {
            v->bone[i][k] = k < count ? (int32_t)below(BONES) : -1;
            v->weight[i][k] = k >= count ? 0 : count == 1 ? 1 : count == 2 ? (k ? 1 - first : first) : 0.25f;
        }
        for (int k = 0; k < 3; k++)
            v->position[i][k] = model->bones[v->bone[i][0]].position[k] + either();
        if (deform == MMD_DEFORM_SDEF) {
            mmd_sdef *sdef = &v->sdef[v->sdef_index[i] = (int32_t)(i / 5)];
            for (int k = 0; k < 3; k++) {
                sdef->c[k] = v->position[i][k] + 0.3f * either();
                sdef->r0[k] = sdef->c[k] + either();
                sdef->r1[k] = sdef->c[k] + either();
            }
        }
    }
    model->material_count = 1;
    model->materials = room(&model->arena, 1, sizeof *model->materials);
    *model->materials = (mmd_material){.name = "all",
                                       .name_en = "",
                                       .memo = "",
                                       .diffuse = {1, 1, 1, 1},
                                       .shared_toon = true,
                                       .texture = -1,
                                       .sphere = -1,
                                       .index_count = VERTICES};
}

static void make_rig(void)
{
    mmd_model model = {.version = 2.1f, .name = "rig", .name_en = "", .comment = "", .comment_en = ""};
    mmd_motion motion;
    make_bones(&model);
    make_chains(&model);
    make_morphs(&model);
    make_vertices(&model);
    write_model("rig.pmx", &model);
    begin_motion(&motion, BONES);
    for (int b = 0; b < BONES; b++)
        fill_track(&motion, &motion.bone_tracks[b], bone_names[b], 20, 15, b % 4 ? 0 : 1, 1.2f);
    motion.morph_track_count = MORPHS;
    motion.morph_tracks = room(&motion.arena, MORPHS, sizeof *motion.morph_tracks);
    for (int m = 0; m < MORPHS; m++) {
        mmd_morph_track *track = &motion.morph_tracks[m];
        mmd_name_key_from_utf8(morph_names[m], track->name, NULL, NULL);
        motion.morph_key_count += track->count = 12;
        track->frames = room(&motion.arena, track->count, sizeof *track->frames);
        track->weights = room(&motion.arena, track->count, sizeof *track->weights);
        for (uint32_t i = 0; i < track->count; i++) {
            track->frames[i] = 25 * i + below(20);
            track->weights[i] = (float)below(1000) / 1000;
        }
    }
    write_motion("rig.vmd", &motion);
    mmd_arena_finish(&motion.arena);
    mmd_arena_finish(&model.arena);
}

/* ---------------------------------------------------------- camera and light */

static void make_scene(void)
{
    enum { CAMERAS = 60, LIGHTS = 12 };
    mmd_camera_key cameras[CAMERAS];
    mmd_light_key lights[LIGHTS];
    uint32_t frame = 0;
    for (uint32_t i = 0; i < CAMERAS; i++) {
        cameras[i] = (mmd_camera_key){
            .frame = frame, .record = MMD_NO_RECORD, .value = {.distance = -45 + 40 * either()}};
        frame += i % 5 == 4 ? 1 : 1 + below(20); /* a cut */
        for (int k = 0; k < 3; k++) {
            cameras[i].value.position[k] = 20 * either();
            cameras[i].value.rotation[k] = 3 * either();
        }
        cameras[i].value.fov = (float)(1 + below(120));
        cameras[i].value.perspective = below(4);
        for (int c = 0; c < MMD_CAMERA_CHANNELS; c++)
            cameras[i].curve[c] = curve();
    }
    for (uint32_t i = 0; i < LIGHTS; i++) {
        lights[i] = (mmd_light_key){.frame = 50 * i, .record = MMD_NO_RECORD};
        for (int k = 0; k < 3; k++) {
            lights[i].value.color[k] = (float)below(1000) / 1000;
            lights[i].value.direction[k] = either();
        }
    }
    const mmd_motion motion = {.camera_key_count = CAMERAS,
                               .camera_keys = cameras,
                               .light_key_count = LIGHTS,
                               .light_keys = lights,
                               .last_frame = frame};
    write_motion("scene.vmd", &motion);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: make_scenes FOLDER\n", stderr);
        return 2;
    }
    folder = argv[1];
    make_joints();
    make_hair();
    make_rig();
    make_scene();
    return 0;
}
