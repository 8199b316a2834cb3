/* The dance of the figure: sixteen beats at 120 beats a minute (eight seconds) that end in the pose they
 * begin with. Each bone is animated by a formula of the beat, sampled into keyframes. */
#include "figure.h"

#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "mmd/format.h"
#include "mmd/text.h"

enum { FRAMES_A_BEAT = 15, BEATS = 16, LAST_FRAME = BEATS * FRAMES_A_BEAT, KEY_STEP = 3 };
enum { KEYS = LAST_FRAME / KEY_STEP + 1 };

#define PI 3.14159265f

/* The result of a formula: degrees about three axes (applied Z first, then X, then Y) and a translation. */
typedef struct move {
    float x, y, z;
    float translation[3];
} move;

/* Returns 1 in the beats from..to and 0 outside, with a transition of half a beat. Selects the parts of the
 * dance. */
static float during(float beat, float from, float to)
{
    return figure_step(from - 0.5f, from + 0.5f, beat) * figure_step(to + 0.5f, to - 0.5f, beat);
}

static float wave(float beat, float beats_a_cycle, float phase)
{
    return mmd_sinf(2 * PI * (beat / beats_a_cycle + phase));
}

/* Returns the sideways position of the hips: two beats in each direction. */
static float sway(float beat)
{
    return wave(beat, 4, 0);
}

/* Returns 0 on the beat and 1 between beats. */
static float bounce(float beat)
{
    return 0.5f - 0.5f * mmd_cosf(2 * PI * beat);
}

/* Returns the progress of the full turn in beats 12 to 15. */
static float turn(float beat)
{
    return 360 * figure_step(12, 15, beat);
}

/*
 * Returns the height of a foot: the left foot rises in the first half of a sway, the right one in the second.
 */
static float lift(float beat, int right)
{
    float up = -wave(beat, 4, right ? 0.5f : 0);
    return up > 0 ? up * up : 0;
}

static move center_move(float beat)
{
    return (move){.translation = {0.75f * sway(beat), -0.55f + 0.4f * bounce(beat), 0}};
}

static move lower_move(float beat)
{
    return (move){.y = 9 * wave(beat, 4, 0.1f), .z = -4 * sway(beat)};
}

static move upper_move(float beat)
{
    return (move){.x = 3 - 4 * bounce(beat), .y = -9 * wave(beat, 4, 0.1f), .z = 5 * sway(beat - 0.2f)};
}

static move upper2_move(float beat)
{
    return (move){.x = -3 * during(beat, 8, 12), .y = -6 * wave(beat, 4, 0.05f), .z = 4 * sway(beat - 0.4f)};
}

static move head_move(float beat)
{
    return (move){
        .x = 4 - 6 * bounce(beat - 0.15f), .y = 12 * wave(beat, 8, 0.1f), .z = 8 * sway(beat - 0.6f)};
}

static move shoulder_move(float beat, int right)
{
    float raised = during(beat, 8, 12);
    return (move){.z = (right ? -1 : 1) * (5 * raised + 3 * bounce(beat))};
}

/*
 * Returns the rotation of an upper arm. In beats 0 to 8 one arm is up and the other rests at the hip; they
 * change every two beats. In beats 8 to 12 both wave overhead, then they stretch out in the turn. Angles are
 * relative to the rest pose, in which the arms hang 40 degrees down.
 */
static move arm_move(float beat, int right)
{
    float side = right ? -1.0f : 1.0f;
    float both = during(beat, 8, 12), flying = during(beat, 12.2f, 14.8f);
    float apart = figure_clamp(1 - both - flying);
    float up = 0.5f + 0.5f * side * wave(beat, 4, 0.05f);
    up = up * up * (3 - 2 * up);
    float raise = apart * (85 * up - 12 * (1 - up)) + both * (78 + 14 * wave(beat, 2, 0)) + flying * 42;
    float forward = apart * (18 * up - 12 * (1 - up)) + both * 5;
    return (move){.y = side * forward, .z = side * raise};
}

static move elbow_move(float beat, int right)
{
    float side = right ? -1.0f : 1.0f;
    float both = during(beat, 8, 12), flying = during(beat, 12.2f, 14.8f);
    float apart = figure_clamp(1 - both - flying);
    float up = 0.5f + 0.5f * side * wave(beat, 4, 0.05f);
    float bend = apart * (35 * up + 55 * (1 - up)) + both * (30 - 25 * wave(beat, 2, 0.1f)) + flying * 8;
    float inwards = apart * (1 - up);
    /* The forearm points up when the arm is up, and forwards and inwards to the hip when it is down. */
    return (move){.y = side * bend * inwards, .z = side * bend * (1 - 1.6f * inwards)};
}

static move wrist_move(float beat, int right)
{
    float side = right ? -1.0f : 1.0f;
    return (move){.z = side * (14 * wave(beat, 1, 0.2f) * during(beat, 8, 12) + 8 * wave(beat, 2, 0))};
}

/* Returns the rotation of a hair bone. Hair follows the head, later the farther out the bone is, and flies
 * out in the turn. */
static move tail_move(float beat, int right, float lag)
{
    float side = right ? -1.0f : 1.0f;
    float flies = figure_step(12, 13, beat) * figure_step(15.8f, 14.5f, beat);
    return (move){.x = 5 * wave(beat - lag, 1, 0.3f),
                  .z = -9 * sway(beat - lag) + side * (4 * bounce(beat - lag) + 16 * flies)};
}

static move foot_move(float beat, int right)
{
    float up = lift(beat, right), side = right ? -1.0f : 1.0f;
    return (move){
        .x = 12 * up, .y = -side * 8, .translation = {side * (0.25f + 0.3f * up), 0.9f * up, -0.45f * up}};
}

/* Returns the movement of a bone at a beat. */
static move bone_move(int bone, float beat)
{
    int right = bone >= BONE_SHOULDER ? (bone - BONE_SHOULDER) % 2 : 0;
    switch (bone - right) {
    case BONE_ROOT:
        return (move){.y = turn(beat)};
    case BONE_CENTER:
        return center_move(beat);
    case BONE_LOWER:
        return lower_move(beat);
    case BONE_UPPER:
        return upper_move(beat);
    case BONE_UPPER2:
        return upper2_move(beat);
    case BONE_HEAD:
        return head_move(beat);
    case BONE_SHOULDER:
        return shoulder_move(beat, right);
    case BONE_ARM:
        return arm_move(beat, right);
    case BONE_ELBOW:
        return elbow_move(beat, right);
    case BONE_WRIST:
        return wrist_move(beat, right);
    case BONE_LEG_IK:
        return foot_move(beat, right);
    case BONE_TAIL1:
        return tail_move(beat, right, 0.5f);
    case BONE_TAIL2:
        return tail_move(beat, right, 0.75f);
    case BONE_TAIL3:
        return tail_move(beat, right, 1.0f);
    default:
        return (move){0};
    }
}

static const int moved_bones[] = {
    BONE_ROOT,     BONE_CENTER,       BONE_LOWER,  BONE_UPPER,      BONE_UPPER2, BONE_HEAD,
    BONE_SHOULDER, BONE_SHOULDER + 1, BONE_ARM,    BONE_ARM + 1,    BONE_ELBOW,  BONE_ELBOW + 1,
    BONE_WRIST,    BONE_WRIST + 1,    BONE_LEG_IK, BONE_LEG_IK + 1, BONE_TAIL1,  BONE_TAIL1 + 1,
    BONE_TAIL2,    BONE_TAIL2 + 1,    BONE_TAIL3,  BONE_TAIL3 + 1};
enum { MOVED = sizeof moved_bones / sizeof *moved_bones };

/* Returns the weight of a morph at a beat. Blinks are short peaks. */
static float morph_weight(int morph, float beat)
{
    float smiling = during(beat, 9, 11.5f), blink = 0;
    static const float blinks[] = {2.5f, 6.2f, 6.7f, 13.2f};
    for (size_t i = 0; i < sizeof blinks / sizeof *blinks; i++)
        blink += figure_clamp(1.6f - 7 * fabsf(beat - blinks[i]));
    switch (morph) {
    case MORPH_BLINK:
        return figure_clamp(blink);
    case MORPH_SMILE:
        return smiling;
    default:
        return figure_clamp(0.75f * during(beat, 8.5f, 12) + 0.5f * during(beat, 3.5f, 4.3f));
    }
}

/* Computes the quaternion of Ry Rx Rz (column vectors). */
static void quaternion_of(const move *m, float q[4])
{
    float x = m->x * PI / 360, y = m->y * PI / 360, z = m->z * PI / 360;
    float cx = mmd_cosf(x), sx = mmd_sinf(x), cy = mmd_cosf(y), sy = mmd_sinf(y), cz = mmd_cosf(z),
          sz = mmd_sinf(z);
    q[0] = cy * sx * cz + sy * cx * sz;
    q[1] = sy * cx * cz - cy * sx * sz;
    q[2] = cy * cx * sz - sy * sx * cz;
    q[3] = cy * cx * cz + sy * sx * sz;
}

static bool fill_bone_track(mmd_bone_track *track, int bone, mmd_arena *arena)
{
    static const mmd_curve linear = {20, 20, 107, 107};
    char name[64];
    figure_bone_name(bone, name, sizeof name);
    mmd_name_key_from_utf8(name, track->name, NULL, NULL);
    track->count = KEYS;
    track->frames = mmd_arena_alloc(arena, KEYS, sizeof *track->frames);
    track->keys = mmd_arena_alloc(arena, KEYS, sizeof *track->keys);
    if (!track->frames || !track->keys)
        return false;
    for (uint32_t k = 0; k < KEYS; k++) {
        move m = bone_move(bone, (float)(k * KEY_STEP) / FRAMES_A_BEAT);
        mmd_bone_key *key = &track->keys[k];
        track->frames[k] = k * KEY_STEP;
        quaternion_of(&m, key->rotation);
        for (int i = 0; i < 3; i++)
            key->translation[i] = FIGURE_SCALE * m.translation[i];
        for (int i = 0; i < 4; i++)
            key->curve[i] = linear;
    }
    return true;
}

static bool fill_morph_track(mmd_morph_track *track, int morph, mmd_arena *arena)
{
    mmd_name_key_from_utf8(figure_morph_names[morph], track->name, NULL, NULL);
    track->count = LAST_FRAME + 1;
    track->frames = mmd_arena_alloc(arena, track->count, sizeof *track->frames);
    track->weights = mmd_arena_alloc(arena, track->count, sizeof *track->weights);
    if (!track->frames || !track->weights)
        return false;
    for (uint32_t k = 0; k < track->count; k++) {
        track->frames[k] = k;
        track->weights[k] = morph_weight(morph, (float)k / FRAMES_A_BEAT);
    }
    return true;
}

static bool fill_motion(mmd_motion *motion)
{
    static const char header[] = "Vocaloid Motion Data 0002", model[] = "odori";
    memcpy(motion->header, header, sizeof header);
    memcpy(motion->model_name, model, sizeof model);
    motion->model_name_size = 20;
    motion->section_count = 6;
    motion->bone_track_count = MOVED;
    motion->bone_tracks = mmd_arena_alloc(&motion->arena, MOVED, sizeof *motion->bone_tracks);
    motion->morph_track_count = MORPH_COUNT;
    motion->morph_tracks = mmd_arena_alloc(&motion->arena, MORPH_COUNT, sizeof *motion->morph_tracks);
    motion->bone_key_count = MOVED * KEYS;
    motion->morph_key_count = MORPH_COUNT * (LAST_FRAME + 1);
    motion->last_frame = LAST_FRAME;
    if (!motion->bone_tracks || !motion->morph_tracks)
        return false;
    for (int i = 0; i < MOVED; i++)
        if (!fill_bone_track(&motion->bone_tracks[i], moved_bones[i], &motion->arena))
            return false;
    for (int i = 0; i < MORPH_COUNT; i++)
        if (!fill_morph_track(&motion->morph_tracks[i], i, &motion->arena))
            return false;
    return true;
}

bool figure_make_dance(mmd_buffer *vmd)
{
    mmd_motion motion = {0};
    bool ok = fill_motion(&motion) && mmd_vmd_write(&motion, vmd, NULL) == MMD_OK && !vmd->failed;
    mmd_arena_finish(&motion.arena);
    return ok;
}
