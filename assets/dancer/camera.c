/*
 * The camera: a list of shots. A shot starts and ends with a key; the next one
 * starts in the frame after, which MMD takes as a cut.
 */
#include "dance.h"

#include "dance_kit.h"
#include "mmd/format.h"
#include "tool.h"

/* The camera looks at (x, y, z) from `distance` away, from her left by `around` and from above by `above`
 * degrees. */
typedef struct view {
    float x, y, z, distance, around, above, roll;
    int fov;
} view;

/* How a shot goes from its first view to its last. */
typedef enum pace { EVEN, GENTLE, SETTLES, PULLS } pace;

static const mmd_curve curves[] = {
    [EVEN] = {20, 20, 107, 107},
    [GENTLE] = {40, 20, 87, 107},
    [SETTLES] = {20, 60, 60, 124},
    [PULLS] = {70, 0, 60, 127},
};

typedef struct shot {
    float beat; /* it ends where the next one starts */
    view from, to;
    pace pace;
} shot;

static const shot shots[] = {
    /* She wakes: close, from below and aside; then all of her. */
    {SCORE_AT(0, 0), {0, 15.6f, 0, 21.5f, 40, -6, -3, 30}, {0, 16.2f, 0, 18.5f, 12, -2, 0, 30}, GENTLE},
    {SCORE_AT(1, 0), {0, 10.2f, 0, 47, -8, 2, 0, 30}, {0, 10.4f, 0, 40, 2, 0, 0, 30}, SETTLES},
    /* Verse. */
    {SCORE_AT(2, 0), {0.3f, 10.2f, 0, 42, -28, 4, 0, 30}, {0, 10.4f, 0, 41, 22, 1, 0, 30}, GENTLE},
    {SCORE_AT(4, 0), {-0.3f, 13.6f, 0, 27, 34, 0, 0, 30}, {0.2f, 14.4f, 0, 24.5f, 4, -2, 0, 30}, GENTLE},
    {SCORE_AT(5, 0), {0, 15.6f, 0, 22, -28, -3, 0, 28}, {0, 15.9f, 0, 20, 14, -2, 0, 28}, GENTLE},
    {SCORE_AT(6, 0), {0, 9.9f, 0, 30.5f, 28, -15, 4, 40}, {0, 9.9f, 0, 29, -10, -15, 0, 40}, GENTLE},
    {SCORE_AT(7, 0), {0, 10.6f, 0, 44, -14, 12, 0, 30}, {0, 10.3f, 0, 41, 8, 5, 0, 30}, GENTLE},
    {SCORE_AT(8, 0), {0, 10.6f, 0, 40, 64, -5, 0, 30}, {0, 11.4f, 0, 34, 34, -3, 0, 30}, EVEN},
    {SCORE_AT(9, 0), {0, 10.6f, 0, 38, -14, -2, 0, 30}, {0, 12.6f, 0, 32, 6, -5, 0, 30}, GENTLE},
    /* Chorus. */
    {SCORE_AT(10, 0), {0, 10.2f, 0, 39, -16, -12, -4, 34}, {0, 10.2f, 0, 36.5f, 14, -12, 2, 34}, SETTLES},
    {SCORE_AT(11, 0), {0, 14.0f, 0, 28, 16, -3, 3, 30}, {0, 14.6f, 0, 23.5f, -8, 0, -3, 30}, GENTLE},
    {SCORE_AT(12, 0), {0, 10.2f, 0, 42, -46, 3, 0, 30}, {0, 10.4f, 0, 41, 18, 0, 0, 30}, EVEN},
    {SCORE_AT(13, 0), {0, 13.2f, 0, 29, 10, -6, 0, 30}, {0, 13.6f, 0, 26, -4, -5, 0, 30}, GENTLE},
    {SCORE_AT(13, 2.4f),
     {0, 16.6f, 0, 19, -16, -2, 0, 27},
     {-0.2f, 17.0f, 0, 16.5f, -8, -1, -4, 27},
     SETTLES},
    {SCORE_AT(14, 0), {0, 10.2f, 0, 38, 16, -12, 3, 34}, {0, 10.2f, 0, 35, -2, -11, -2, 34}, SETTLES},
    {SCORE_AT(14, 2), {0, 10.1f, 0, 44, -6, 7, 0, 30}, {0, 10.4f, 0, 40, 24, 1, 0, 30}, EVEN},
    {SCORE_AT(15, 2), {0, 14.6f, 0, 26, 34, -2, 0, 28}, {0, 15.8f, 0, 21, 14, 0, 0, 28}, SETTLES},
    {SCORE_AT(16, 0), {0, 15.6f, 0, 18.5f, -22, -4, 0, 30}, {0, 14.8f, 0, 26, 10, -2, 0, 30}, GENTLE},
    {SCORE_AT(17, 0), {0, 10.2f, 0, 37, 30, -12, 4, 34}, {0, 10.2f, 0, 36.5f, -16, -12, -2, 34}, GENTLE},
    /* Outro: wide, then her face, and back until all of her is there. */
    {SCORE_AT(18, 0), {0, 10.2f, 0, 36.5f, 0, -9, 0, 34}, {0, 10.4f, 0, 40, 0, -3, 0, 34}, SETTLES},
    {SCORE_AT(19, 0), {-0.2f, 16.8f, 0, 19, -18, -3, 4, 30}, {0, 10.4f, 0, 44, 6, 1, 0, 30}, PULLS},
};
enum { SHOTS = TOOL_COUNT(shots) };

static mmd_camera_key key_of(const view *v, int frame, mmd_curve curve)
{
    mmd_camera_key key = {.frame = (uint32_t)frame, .record = MMD_NO_RECORD};
    key.value = (mmd_camera){.distance = -v->distance,
                             .position = {v->x, v->y, v->z},
                             .rotation = {DEGREES(-v->above), DEGREES(v->around), DEGREES(v->roll)},
                             .fov = (float)v->fov,
                             .perspective = true};
    for (int i = 0; i < MMD_CAMERA_CHANNELS; i++)
        key.curve[i] = curve;
    return key;
}

void camera_make(mmd_buffer *vmd)
{
    mmd_motion motion = {0};
    mmd_light_key light = {.record = MMD_NO_RECORD, .value = mmd_default_light()};
    mmd_self_shadow_key shadow = {.record = MMD_NO_RECORD, .value = mmd_default_self_shadow()};
    dance_header(&motion, "カメラ・照明");
    motion.camera_keys = tool_alloc(&motion.arena, 2 * SHOTS, sizeof *motion.camera_keys);
    for (int i = 0; i < SHOTS; i++) {
        int last = i + 1 < SHOTS ? dance_frame(shots[i + 1].beat) - 1 : SCORE_FRAMES;
        mmd_camera_key *keys = &motion.camera_keys[motion.camera_key_count];
        keys[0] = key_of(&shots[i].from, dance_frame(shots[i].beat), curves[EVEN]);
        keys[1] = key_of(&shots[i].to, last, curves[shots[i].pace]);
        motion.camera_key_count += 2;
    }
    motion.light_keys = &light;
    motion.light_key_count = 1;
    motion.self_shadow_keys = &shadow;
    motion.self_shadow_key_count = 1;
    mmd_error error;
    if (mmd_vmd_write(&motion, vmd, &error) != MMD_OK)
        tool_die("the camera: %s", error.message);
    mmd_arena_finish(&motion.arena);
}
