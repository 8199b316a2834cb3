#include "key_row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mmd/elementary.h"
#include "mmd/reduce.h"

#define DEGREES (180.0 / 3.14159265358979323846)

/* --- Finding the tracks --- */

static void update_bone(key_row *row, const uint8_t name[15])
{
    const mmd_motion *m = row->motion;
    const mmd_bone_track *track = row->track < m->bone_track_count ? &m->bone_tracks[row->track] : NULL;
    if (!track || memcmp(track->name, name, sizeof track->name) != 0)
        track = mmd_motion_find_bone(m, name);
    if (!track)
        return;
    row->track = (uint32_t)(track - m->bone_tracks);
    row->count = track->count;
    row->frames = track->frames;
    row->bones = track->keys;
}

static void update_morph(key_row *row, const uint8_t name[15])
{
    const mmd_motion *m = row->motion;
    const mmd_morph_track *track = row->track < m->morph_track_count ? &m->morph_tracks[row->track] : NULL;
    if (!track || memcmp(track->name, name, sizeof track->name) != 0)
        track = mmd_motion_find_morph(m, name);
    if (!track)
        return;
    row->track = (uint32_t)(track - m->morph_tracks);
    row->count = track->count;
    row->frames = track->frames;
    row->weights = track->weights;
}

void key_row_update(key_row *row, const uint8_t name[15])
{
    const mmd_motion *m = row->motion;
    row->count = 0;
    row->stride = sizeof(uint32_t);
    if (!m)
        return;
    switch (row->kind) {
    case KEY_ROW_BONE:
        update_bone(row, name);
        break;
    case KEY_ROW_MORPH:
        update_morph(row, name);
        break;
    case KEY_ROW_CAMERA:
        row->cameras = m->camera_keys;
        row->count = m->camera_key_count;
        row->stride = sizeof *m->camera_keys;
        row->frames = row->count ? &m->camera_keys[0].frame : NULL;
        break;
    case KEY_ROW_LIGHT:
        row->count = m->light_key_count;
        row->stride = sizeof *m->light_keys;
        row->frames = row->count ? &m->light_keys[0].frame : NULL;
        break;
    case KEY_ROW_SHADOW:
        row->shadows = m->self_shadow_keys;
        row->count = m->self_shadow_key_count;
        row->stride = sizeof *m->self_shadow_keys;
        row->frames = row->count ? &m->self_shadow_keys[0].frame : NULL;
        break;
    case KEY_ROW_SWITCHES:
        row->switches = m->property_keys;
        row->count = m->property_key_count;
        row->stride = sizeof *m->property_keys;
        row->frames = row->count ? &m->property_keys[0].frame : NULL;
        break;
    }
}

/* --- Finding keyframes --- */

uint32_t key_row_from(const key_row *row, uint32_t frame)
{
    uint32_t low = 0, high = row->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (key_row_frame(row, middle) < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the index of the first keyframe at a frame or later, with steps that grow from a known earlier
 * index. */
static uint32_t from_known(const key_row *row, uint32_t known, double frame)
{
    uint32_t low = known, step = 1;
    while (low < row->count && key_row_frame(row, low) < frame) {
        known = low + 1;
        low = step < row->count - low ? low + step : row->count;
        step *= 2;
    }
    while (known < low) { /* the answer is from known to low */
        uint32_t middle = known + (low - known) / 2;
        if (key_row_frame(row, middle) < frame)
            known = middle + 1;
        else
            low = middle;
    }
    return known;
}

/* Counts by looking at each keyframe from an index up to another one. */
static void count_keys(const key_row *row, uint32_t from, uint32_t to, double start, double frames,
                       uint32_t *counts, uint32_t columns)
{
    for (uint32_t key = from; key < to; key++) {
        uint32_t frame = key_row_frame(row, key), at = (uint32_t)(((double)frame - start) / frames);
        /* Division may round to the neighbour of the column that the multiplication below begins. */
        at -= at > 0 && frame < start + at * frames;
        at += frame >= start + (at + 1) * frames;
        if (at < columns)
            counts[at]++;
    }
}

void key_row_count(const key_row *row, double start, double frames, uint32_t *counts, uint32_t columns)
{
    uint32_t key = from_known(row, 0, start), end = from_known(row, key, start + columns * frames);
    if (end - key <= columns) {
        count_keys(row, key, end, start, frames, counts, columns);
        return;
    }
    for (uint32_t i = 0; i < columns && key < end; i++) {
        uint32_t next = from_known(row, key, start + (i + 1) * frames);
        counts[i] += next - key;
        key = next;
    }
}

uint32_t key_row_at(const key_row *row, uint32_t frame)
{
    uint32_t key = key_row_from(row, frame);
    if (key == row->count || key_row_frame(row, key) != frame)
        return row->count;
    while (key + 1 < row->count && key_row_frame(row, key + 1) == frame)
        key++;
    return key;
}

uint32_t key_row_channels(const key_row *row)
{
    return row->kind == KEY_ROW_BONE     ? MMD_CHANNEL_ROTATION + 1
           : row->kind == KEY_ROW_CAMERA ? MMD_CAMERA_CHANNELS
                                         : 0;
}

mmd_curve key_row_curve(const key_row *row, uint32_t key, uint32_t channel)
{
    return row->kind == KEY_ROW_BONE ? row->bones[key].curve[channel] : row->cameras[key].curve[channel];
}

/* --- Values --- */

/* Converts a rotation to a rotation vector in degrees, which has none of the jumps of Euler angles. */
static void turn_of(const float q[4], double values[3])
{
    double sign = q[3] < 0 ? -1 : 1, w = sign * (double)q[3];
    double sine = sqrt((double)(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]));
    double angle = 2 * mmd_atan2(sine, w) * DEGREES;
    for (int k = 0; k < 3; k++)
        values[k] = sine > 1e-9 ? sign * (double)q[k] / sine * angle : 0;
}

/* Returns how far a frame is on the way from a keyframe to the next one, 0 to 1. */
static float part_of(const key_row *row, uint32_t key, double frame)
{
    double from = key_row_frame(row, key), to = key_row_frame(row, key + 1);
    return to > from ? (float)((frame - from) / (to - from)) : 1;
}

static int bone_values(const key_row *row, uint32_t key, uint32_t channel, double frame, double values[3])
{
    mmd_transform t;
    const mmd_bone_key *a = &row->bones[key];
    bool holds = key + 1 >= row->count || (double)key_row_frame(row, key) >= frame;
    mmd_bone_key_between(a, holds ? a : a + 1, holds ? 0 : part_of(row, key, frame), &t);
    if (channel == MMD_CHANNEL_ROTATION) {
        turn_of(t.rotation, values);
        return 3;
    }
    values[0] = (double)t.translation[channel];
    return 1;
}

static int camera_values(const key_row *row, uint32_t channel, double frame, double values[3])
{
    mmd_camera c;
    if (!mmd_motion_camera(row->motion, frame, &c))
        return 0;
    if (channel == MMD_CAMERA_ROTATION) {
        for (int k = 0; k < 3; k++)
            values[k] = (double)c.rotation[k] * DEGREES;
        return 3;
    }
    values[0] = (double)(channel == MMD_CAMERA_DISTANCE ? c.distance
                         : channel == MMD_CAMERA_FOV    ? c.fov
                                                        : c.position[channel]);
    return 1;
}

static int morph_values(const key_row *row, uint32_t key, double frame, double values[3])
{
    double from = (double)row->weights[key];
    bool holds = key + 1 >= row->count || (double)key_row_frame(row, key) >= frame;
    double to = holds ? from : (double)row->weights[key + 1];
    values[0] = holds ? from : from + (to - from) * (double)part_of(row, key, frame);
    return 1;
}

/* Returns the last keyframe at a frame or before it; the first one if all are later. */
static uint32_t key_before(const key_row *row, double frame)
{
    uint32_t next = key_row_from(row, frame < 0 ? 0 : (uint32_t)frame + 1);
    return next ? next - 1 : 0;
}

int key_row_values(const key_row *row, uint32_t channel, double frame, double values[3])
{
    bool is_steps =
        row->kind == KEY_ROW_LIGHT || row->kind == KEY_ROW_SHADOW || row->kind == KEY_ROW_SWITCHES;
    if (!row->count || is_steps)
        return 0;
    if (row->kind == KEY_ROW_CAMERA)
        return camera_values(row, channel, frame, values);
    uint32_t key = key_before(row, frame);
    return row->kind == KEY_ROW_BONE ? bone_values(row, key, channel, frame, values)
                                     : morph_values(row, key, frame, values);
}

void key_row_path(const key_row *row, char path[KEY_PATH_MAX])
{
    switch (row->kind) {
    case KEY_ROW_BONE:
        snprintf(path, KEY_PATH_MAX, "/models/#%u/bones/#%u", row->model, row->index);
        break;
    case KEY_ROW_MORPH:
        snprintf(path, KEY_PATH_MAX, "/models/#%u/morphs/#%u", row->model, row->index);
        break;
    case KEY_ROW_CAMERA:
        snprintf(path, KEY_PATH_MAX, "/camera");
        break;
    case KEY_ROW_LIGHT:
        snprintf(path, KEY_PATH_MAX, "/light");
        break;
    case KEY_ROW_SHADOW:
        snprintf(path, KEY_PATH_MAX, "/shadow");
        break;
    case KEY_ROW_SWITCHES:
        snprintf(path, KEY_PATH_MAX, "/models/#%u/switches", row->model);
        break;
    }
}
