#include "sample_motions.h"

#include "mmd/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Allocates from the arena. Tests cannot continue without memory, so failure aborts. */
static void *room(mmd_arena *arena, size_t count, size_t size)
{
    void *memory = mmd_arena_alloc(arena, count, size);
    assert(memory);
    return memory;
}

static void start(mmd_motion *motion, const char *model)
{
    *motion = (mmd_motion){0};
    mmd_cp932_from_utf8(model, strlen(model), motion->model_name, sizeof motion->model_name, NULL);
}

static mmd_bone_track *add_bones(mmd_motion *motion, uint32_t tracks, uint32_t keys)
{
    motion->bone_tracks = room(&motion->arena, tracks, sizeof *motion->bone_tracks);
    motion->bone_track_count = tracks;
    motion->bone_key_count = tracks * keys;
    for (uint32_t i = 0; i < tracks; i++) {
        mmd_bone_track *track = &motion->bone_tracks[i];
        track->count = keys;
        track->frames = room(&motion->arena, keys, sizeof *track->frames);
        track->keys = room(&motion->arena, keys, sizeof *track->keys);
    }
    return motion->bone_tracks;
}

static mmd_bone_key bone_key(float x, float degrees, mmd_curve curve)
{
    float half = degrees * 0.00872664626f;
    return (mmd_bone_key){.translation = {x, 2 * x, -x},
                          .rotation = {0.0f, sinf(half), 0.0f, cosf(half)},
                          .curve = {curve, curve, curve, curve}};
}

static void add_morphs(mmd_motion *motion)
{
    static const char *const names[2] = {"まばたき", "あ"};
    motion->morph_tracks = room(&motion->arena, 2, sizeof *motion->morph_tracks);
    motion->morph_track_count = 2;
    motion->morph_key_count = 4;
    for (uint32_t i = 0; i < 2; i++) {
        mmd_morph_track *track = &motion->morph_tracks[i];
        mmd_name_key_from_utf8(names[i], track->name, NULL, NULL);
        track->count = 2;
        track->frames = room(&motion->arena, 2, sizeof *track->frames);
        track->weights = room(&motion->arena, 2, sizeof *track->weights);
        track->frames[1] = 8 + i;
        track->weights[1] = 1.0f - 0.25f * (float)i;
    }
}

static void add_scene(mmd_motion *motion)
{
    static const uint32_t camera_frames[3] = {0, 20, 21};
    motion->camera_keys = room(&motion->arena, 3, sizeof *motion->camera_keys);
    motion->camera_key_count = 3;
    for (uint32_t i = 0; i < 3; i++) {
        mmd_camera_key *key = &motion->camera_keys[i];
        *key = (mmd_camera_key){
            .frame = camera_frames[i], .record = MMD_NO_RECORD, .value = mmd_default_camera()};
        key->value.distance -= 10.0f * (float)i;
        key->value.rotation[0] = -0.25f * (float)i;
        key->value.fov += 5.0f * (float)i;
        key->value.perspective = i != 2;
        for (int j = 0; j < MMD_CAMERA_CHANNELS; j++)
            key->curve[j] = j % 2 ? SAMPLE_STEEP : SAMPLE_LINEAR;
    }
    motion->light_keys = room(&motion->arena, 2, sizeof *motion->light_keys);
    motion->light_key_count = 2;
    for (uint32_t i = 0; i < 2; i++) {
        motion->light_keys[i] =
            (mmd_light_key){.frame = 10 * i, .record = MMD_NO_RECORD, .value = mmd_default_light()};
        motion->light_keys[i].value.direction[0] += (float)i;
    }
    motion->self_shadow_keys = room(&motion->arena, 2, sizeof *motion->self_shadow_keys);
    motion->self_shadow_key_count = 2;
    for (uint32_t i = 0; i < 2; i++)
        motion->self_shadow_keys[i] = (mmd_self_shadow_key){
            .frame = 4 * i, .record = MMD_NO_RECORD, .value = {(uint8_t)(1 + i), 0.01f + 0.02f * (float)i}};
}

static void add_switches(mmd_motion *motion)
{
    static const char *const names[2] = {"左足ＩＫ", "右足ＩＫ"};
    motion->property_keys = room(&motion->arena, 2, sizeof *motion->property_keys);
    motion->property_key_count = 2;
    for (uint32_t i = 0; i < 2; i++) {
        mmd_property_key *key = &motion->property_keys[i];
        *key = (mmd_property_key){
            .frame = 6 * i, .record = MMD_NO_RECORD, .visible = i == 0, .switch_count = 2 - i};
        key->switches = room(&motion->arena, 2, sizeof *key->switches);
        for (uint32_t j = 0; j < key->switch_count; j++) {
            mmd_cp932_from_utf8(names[j], strlen(names[j]), key->switches[j].name,
                                sizeof key->switches[j].name, NULL);
            key->switches[j].on = (uint8_t)(i ^ j ^ 1);
        }
    }
}

void sample_motion(mmd_motion *motion)
{
    start(motion, "見本");
    mmd_bone_track *bones = add_bones(motion, 2, 3);
    mmd_name_key_from_utf8("センター", bones[0].name, NULL, NULL);
    mmd_name_key_from_utf8("左腕", bones[1].name, NULL, NULL);
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t j = 0; j < 3; j++) {
            bones[i].frames[j] = 10 * j + i;
            bones[i].keys[j] =
                bone_key(0.5f * (float)j, 30.0f * (float)(i + j), j == 1 ? SAMPLE_STEEP : SAMPLE_LINEAR);
            bones[i].keys[j].physics_off = i == 1 && j == 1;
        }
    add_morphs(motion);
    add_scene(motion);
    add_switches(motion);
    motion->last_frame = 21;
}

void sample_dance(mmd_motion *motion, uint32_t bones, uint32_t keys)
{
    start(motion, "踊り");
    mmd_bone_track *tracks = add_bones(motion, bones, keys);
    for (uint32_t i = 0; i < bones; i++) {
        snprintf((char *)tracks[i].name, sizeof tracks[i].name, "b%u", (unsigned)i);
        for (uint32_t j = 0; j < keys; j++) {
            tracks[i].frames[j] = 10 * j;
            tracks[i].keys[j] = bone_key(0.01f * (float)(i + j), (float)(7 * i + 13 * j), SAMPLE_STEEP);
        }
    }
    motion->last_frame = keys ? 10 * (keys - 1) : 0;
}

void sample_pose(mmd_vpd *pose)
{
    static const char *const names[3] = {"センター", "上半身", "表示先"};
    *pose = (mmd_vpd){.model = "見本.osm", .bone_count = 3, .morph_count = 2};
    pose->bones = room(&pose->arena, 3, sizeof *pose->bones);
    for (uint32_t i = 0; i < 3; i++)
        pose->bones[i] = (mmd_vpd_bone){.name = names[i],
                                        .translation = {0.1f * (float)i, -1.5f, 1e-4f},
                                        .rotation = {0.0f, 0.6f, 0.0f, 0.8f}};
    pose->morphs = room(&pose->arena, 2, sizeof *pose->morphs);
    pose->morphs[0] = (mmd_vpd_morph){.name = "まばたき", .weight = 1.0f};
    pose->morphs[1] = (mmd_vpd_morph){.name = "笑い", .weight = 0.125f};
}

void sample_motion_finish(mmd_motion *motion)
{
    mmd_arena_finish(&motion->arena);
}

void sample_pose_finish(mmd_vpd *pose)
{
    mmd_arena_finish(&pose->arena);
}

/* Returns the X translation of a bone, interpolated as a pose does it. */
static double sample_bone(const mmd_bone_track *track, double frame)
{
    uint32_t hint = 0;
    int32_t i = mmd_key_search(track->frames, track->count, frame, &hint);
    if (i < 0 || (uint32_t)i + 1 == track->count)
        return track->keys[i < 0 ? 0 : i].translation[0];
    double u = (frame - track->frames[i]) / ((double)track->frames[i + 1] - track->frames[i]);
    return track->keys[i].translation[0] + (double)mmd_curve_value(track->keys[i + 1].curve[0], (float)u);
}

static double sample_at(const mmd_motion *motion, double frame)
{
    mmd_camera camera = mmd_default_camera();
    mmd_light light = mmd_default_light();
    mmd_self_shadow shadow = mmd_default_self_shadow();
    float view[16], projection[16], eye[3];
    double sum = mmd_motion_camera(motion, frame, &camera) + mmd_motion_light(motion, frame, &light) +
                 mmd_motion_self_shadow(motion, frame, &shadow) + mmd_motion_visible(motion, frame);
    mmd_camera_matrices(&camera, 1.5f, view, projection, eye);
    sum += (double)eye[0] + projection[0] + view[0];
    for (uint32_t i = 0; i < motion->bone_track_count; i++) {
        sum += sample_bone(&motion->bone_tracks[i], frame);
        sum += mmd_motion_ik_on(motion, motion->bone_tracks[i].name, frame);
    }
    for (uint32_t i = 0; i < motion->morph_track_count; i++) {
        const mmd_morph_track *track = &motion->morph_tracks[i];
        int32_t key = mmd_key_search(track->frames, track->count, frame, NULL);
        sum += track->weights[key < 0 ? 0 : key];
    }
    return sum;
}

double sample_everywhere(const mmd_motion *motion)
{
    const double frames[] = {-1.0, 0.0, 0.5, 10.25, motion->last_frame, motion->last_frame + 1.5, NAN};
    double sum = 0.0;
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        sum += sample_at(motion, frames[i]);
    return sum;
}
