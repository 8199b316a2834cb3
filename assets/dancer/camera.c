/*
 * The camera: a list of shots. A shot starts and ends with a key; the next one
 * starts in the frame after, which MMD takes as a cut.
 */
#include "dance.h"

#include "dance_kit.h"
#include "mmd/format.h"
#include "tool.h"

#define AT(bar, beat) ((float)((bar)*SCORE_BEATS_A_BAR) + (beat))

/* The camera looks at (x, y, z) from `distance` away, from her left by `around` and from above by `above`
 * degrees. */
typedef struct view {
    float x, y, z, distance, around, above, roll;
    int fov;
} view;

typedef struct shot {
    float beat; /* it ends where the next one starts */
    view from, to;
    mmd_curve curve;
} shot;

#define EVEN                                                                                                 \
    {                                                                                                        \
        20, 20, 107, 107                                                                                     \
    }
#define GENTLE                                                                                               \
    {                                                                                                        \
        40, 20, 87, 107                                                                                      \
    }
#define SETTLES                                                                                              \
    {                                                                                                        \
        20, 60, 60, 124                                                                                      \
    }
#define PULLS                                                                                                \
    {                                                                                                        \
        70, 0, 60, 127                                                                                       \
    }

static const shot shots[] = {
    /* She wakes: close, from below and aside; then all of her. */
    {AT(0, 0), {0, 15.2f, 0, 19, 38, -6, 0, 30}, {0, 15.6f, 0, 16.5f, 14, -2, 0, 30}, GENTLE},
    {AT(1, 0), {0, 10.4f, 0, 44, -6, 2, 0, 30}, {0, 11.2f, 0, 36, 0, 0, 0, 30}, SETTLES},
    /* Verse. */
    {AT(2, 0), {0.3f, 10.8f, 0, 37, -26, 4, 0, 30}, {0, 10.8f, 0, 35, 20, 2, 0, 30}, GENTLE},
    {AT(4, 0), {-0.3f, 13.4f, 0, 25, 34, 0, 0, 30}, {0.2f, 13.8f, 0, 23, 6, -2, 0, 30}, GENTLE},
    {AT(5, 0), {0, 15.4f, 0, 21, -26, -3, 0, 28}, {0, 15.6f, 0, 19, 12, -2, 0, 28}, GENTLE},
    {AT(6, 0), {0, 8.6f, 0, 24.5f, 24, -16, 0, 40}, {0, 8.6f, 0, 23.5f, -6, -15, 0, 40}, GENTLE},
    {AT(7, 0), {0, 11.4f, 0, 40, -12, 9, 0, 30}, {0, 11.4f, 0, 35, 6, 5, 0, 30}, GENTLE},
    {AT(8, 0), {0, 10.0f, 0, 34, 62, -5, 0, 30}, {0, 10.4f, 0, 30, 36, -3, 0, 30}, EVEN},
    {AT(9, 0), {0, 11.2f, 0, 36, -10, -2, 0, 30}, {0, 12.2f, 0, 28, 4, -4, 0, 30}, GENTLE},
    /* Chorus. */
    {AT(10, 0), {0, 10.8f, 0, 34, -10, -13, 0, 34}, {0, 10.8f, 0, 31, 12, -13, 0, 34}, SETTLES},
    {AT(11, 0), {0, 14.0f, 0, 28, 14, -3, 3, 30}, {0, 14.6f, 0, 23.5f, -8, 0, -3, 30}, GENTLE},
    {AT(12, 0), {0, 10.6f, 0, 36, -44, 3, 0, 30}, {0, 10.8f, 0, 34, 16, 0, 0, 30}, EVEN},
    {AT(13, 0), {0, 13.6f, 0, 28, 8, -6, 0, 30}, {0, 13.8f, 0, 26, -4, -5, 0, 30}, GENTLE},
    {AT(13, 2.4f), {0, 16.6f, 0, 17, -12, -2, 0, 27}, {-0.1f, 16.7f, 0, 14.5f, -6, -1, -4, 27}, SETTLES},
    {AT(14, 0), {0, 10.8f, 0, 33, 10, -12, 0, 34}, {0, 10.8f, 0, 33, 2, -11, 0, 34}, GENTLE},
    {AT(14, 2), {0, 10.6f, 0, 40, -4, 6, 0, 30}, {0, 10.8f, 0, 36, 22, 2, 0, 30}, EVEN},
    {AT(15, 2), {0, 14.6f, 0, 24, 8, -2, 0, 28}, {0, 15.6f, 0, 19, 0, 0, 0, 28}, SETTLES},
    {AT(16, 0), {0, 15.6f, 0, 18.5f, -20, -4, 0, 30}, {0, 14.8f, 0, 25, 10, -2, 0, 30}, GENTLE},
    {AT(17, 0), {0, 10.8f, 0, 32, 26, -13, 0, 34}, {0, 10.8f, 0, 31, -14, -13, 0, 34}, GENTLE},
    /* Outro: wide, then her face, and back until all of her is there. */
    {AT(18, 0), {0, 11, 0, 34, 0, -9, 0, 34}, {0, 11.2f, 0, 37, 0, -4, 0, 34}, SETTLES},
    {AT(19, 0), {-0.2f, 16.6f, 0, 16, -14, -3, 4, 30}, {0, 11, 0, 38, 4, 1, 0, 30}, PULLS},
};
enum { SHOTS = sizeof shots / sizeof *shots };

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
        keys[0] = key_of(&shots[i].from, dance_frame(shots[i].beat), (mmd_curve)EVEN);
        keys[1] = key_of(&shots[i].to, last, shots[i].curve);
        motion.camera_key_count += 2;
    }
    motion.light_keys = &light;
    motion.light_key_count = 1;
    motion.self_shadow_keys = &shadow;
    motion.self_shadow_key_count = 1;
    if (mmd_vmd_write(&motion, vmd, NULL) != MMD_OK)
        tool_die("out of memory while writing the camera");
    mmd_arena_finish(&motion.arena);
}
