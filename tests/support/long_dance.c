#include "long_dance.h"

#include <stdlib.h>
#include <string.h>

#include "mmd/elementary.h"

enum { BONES_MOST = 90, CUT_FRAMES = 150 };

static void *room(mmd_motion *motion, size_t count, size_t size)
{
    void *memory = mmd_arena_alloc(&motion->arena, count, size);
    if (!memory)
        abort();
    return memory;
}

/* Returns the next number of a fixed sequence, 0 to 1. */
static double next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24);
}

/* Spreads keyframes over all frames, ascending: six times many on few frames, as in a chorus, and then few
 * on many. */
static void spread(uint32_t *out, uint32_t count, uint32_t frames, uint32_t *seed)
{
    const double turn = 2 * 3.14159265358979 * 6;
    for (uint32_t i = 0; i < count; i++) {
        double part = (i + next(seed)) / count, at = part - 0.9 * mmd_sin(turn * part) / turn;
        uint32_t frame = (uint32_t)(at * frames);
        out[i] = i == 0 ? 0 : frame > out[i - 1] ? frame : out[i - 1] + 1;
    }
}

static void add_bone(mmd_motion *m, const uint8_t name[15], uint32_t count, uint32_t frames, uint32_t *seed)
{
    mmd_bone_track *t = &m->bone_tracks[m->bone_track_count++];
    *t = (mmd_bone_track){
        .count = count, .frames = room(m, count, sizeof *t->frames), .keys = room(m, count, sizeof *t->keys)};
    memcpy(t->name, name, sizeof t->name);
    spread(t->frames, count, frames, seed);
    for (uint32_t i = 0; i < count; i++) {
        float half = (float)(0.1 * mmd_sin(0.03 * t->frames[i] + m->bone_track_count));
        t->keys[i] = (mmd_bone_key){.rotation = {mmd_sinf(half), 0, 0, mmd_cosf(half)}};
        for (int c = 0; c < 4; c++)
            t->keys[i].curve[c] = (mmd_curve){40, 10, 87, 117};
    }
    m->bone_key_count += count;
}

static void add_morph(mmd_motion *m, const uint8_t name[15], uint32_t count, uint32_t frames, uint32_t *seed)
{
    mmd_morph_track *t = &m->morph_tracks[m->morph_track_count++];
    *t = (mmd_morph_track){.count = count,
                           .frames = room(m, count, sizeof *t->frames),
                           .weights = room(m, count, sizeof *t->weights)};
    memcpy(t->name, name, sizeof t->name);
    spread(t->frames, count, frames, seed);
    for (uint32_t i = 0; i < count; i++)
        t->weights[i] = i % 4 == 1 ? 1.0f : 0.0f;
    m->morph_key_count += count;
}

/* Adds a camera that stands, and cuts to another side every five seconds. */
static void add_cuts(mmd_motion *m, uint32_t frames)
{
    uint32_t cuts = frames / CUT_FRAMES;
    m->camera_keys = room(m, 2 * (size_t)cuts, sizeof *m->camera_keys);
    for (uint32_t i = 0; i < 2 * cuts; i++) {
        mmd_camera_key *key = &m->camera_keys[i];
        *key = (mmd_camera_key){.frame = (i + 1) / 2 * CUT_FRAMES - i % 2, .value = mmd_default_camera()};
        key->value.rotation[1] = (float)(i / 2 % 5) * 0.3f - 0.6f;
        for (int c = 0; c < MMD_CAMERA_CHANNELS; c++)
            key->curve[c] = (mmd_curve){20, 20, 107, 107};
    }
    m->camera_key_count = 2 * cuts;
}

void long_dance_make(mmd_motion *m, const mmd_model *model, uint32_t frames, uint32_t keys)
{
    uint32_t seed = 39, bones = model->bone_count < BONES_MOST ? model->bone_count : BONES_MOST;
    memset(m, 0, sizeof *m);
    m->bone_tracks = room(m, bones, sizeof *m->bone_tracks);
    m->morph_tracks = room(m, model->morph_count, sizeof *m->morph_tracks);
    for (uint32_t i = 0; i < bones; i++)
        if (model->bone_key[i][0])
            add_bone(m, model->bone_key[i], keys / 5 * 4 / bones, frames, &seed);
    for (uint32_t i = 0; i < model->morph_count; i++)
        if (model->morph_key[i][0])
            add_morph(m, model->morph_key[i], keys / 5 / model->morph_count, frames, &seed);
    add_cuts(m, frames);
    m->last_frame = frames;
}
