/* The camera as a list of shots. A shot begins and ends with a key; the next one begins in the following
 * frame, which MMD treats as a cut. */
#include "dance.h"

#include "dance_kit.h"
#include "mmd/format.h"
#include "tool.h"

/* The camera looks at (x, y, z) from `distance`; `around` is the angle from her left, `above` the angle from
 * above, in degrees. */
typedef struct view {
    float x, y, z, distance, around, above, roll;
    int fov;
} view;

/* How a shot moves from its first view to its last. */
typedef enum pace { EVEN, GENTLE, SETTLES, PULLS } pace;

static const mmd_curve curves[] = {
    [EVEN] = {20, 20, 107, 107},
    [GENTLE] = {40, 20, 87, 107},
    [SETTLES] = {20, 60, 60, 124},
    [PULLS] = {70, 0, 60, 127},
};

/* What the picture has to show: all of her, or at most down to her thighs. */
typedef enum crop { ALL, PART } crop;

typedef struct shot {
    float beat; /* it ends where the next shot begins */
    crop crop;
    pace pace;
    view from, to;
} shot;

static const shot shots[] = {
    /* She wakes: from the side, down to the skirt; then all of her. */
    {SCORE_AT(0, 0), PART, GENTLE, {0, 14.7f, 0, 25, 40, -4, -3, 30}, {0, 14.9f, 0, 23.5f, 12, -2, 0, 30}},
    {SCORE_AT(1, 0), ALL, SETTLES, {0, 10.2f, 0, 47, -8, 2, 0, 30}, {0, 10.1f, 0, 43.5f, 2, 0, 0, 30}},
    /* Verse. */
    {SCORE_AT(2, 0), ALL, GENTLE, {0.3f, 10.3f, 0, 46, -30, 4, 0, 30}, {0, 10.3f, 0, 44.5f, 22, 1, 0, 30}},
    {SCORE_AT(4, 0), PART, GENTLE, {-0.3f, 14, 0, 26, 34, 0, 0, 30}, {0.2f, 14.4f, 0, 25, 4, -2, 0, 30}},
    {SCORE_AT(5, 0), PART, GENTLE, {0, 15.4f, 0, 23.5f, -28, -3, 0, 28}, {0, 15.3f, 0, 22.5f, 14, -2, 0, 28}},
    {SCORE_AT(6, 0), ALL, GENTLE, {0, 9.8f, 0, 32.5f, 28, -15, 4, 40}, {0, 9.8f, 0, 31.5f, -10, -15, 0, 40}},
    {SCORE_AT(7, 0), ALL, GENTLE, {0, 10.4f, 0, 46, -34, 12, 0, 30}, {0, 10.2f, 0, 44.5f, 0, 5, 0, 30}},
    {SCORE_AT(8, 0), ALL, EVEN, {0, 10.2f, 0, 44, 64, -5, 0, 30}, {0, 10.1f, 0, 42, 34, -3, 0, 30}},
    {SCORE_AT(9, 0), PART, GENTLE, {0, 14.1f, 0, 26.5f, -14, -2, 0, 30}, {0, 14.6f, 0, 28, 6, -5, 0, 30}},
    /* Chorus. */
    {SCORE_AT(10, 0),
     ALL,
     SETTLES,
     {0, 10.2f, 0, 41, -16, -12, -4, 34},
     {0, 10.2f, 0, 39.5f, 14, -12, 2, 34}},
    {SCORE_AT(11, 0), PART, GENTLE, {0, 15, 0, 31, 16, -3, 3, 30}, {0, 14.3f, 0, 27, -8, 0, -3, 30}},
    {SCORE_AT(12, 0), ALL, EVEN, {0, 10.2f, 0, 45.5f, -46, 3, 0, 30}, {0, 10.2f, 0, 45, 18, 0, 0, 30}},
    {SCORE_AT(13, 0), PART, GENTLE, {0, 14, 0, 28, 6, -6, 0, 30}, {0, 14.2f, 0, 26.5f, 14, -5, 0, 30}},
    {SCORE_AT(13, 1.75f),
     PART,
     PULLS,
     {0, 15.4f, 0, 25, -20, -2, 0, 27},
     {-0.2f, 16.6f, 0, 18, -8, -1, -4, 27}},
    {SCORE_AT(13, 3.5f),
     ALL,
     SETTLES,
     {0, 10.2f, 0, 40, 16, -12, 3, 34},
     {0, 10.2f, 0, 38.5f, -2, -11, -2, 34}},
    {SCORE_AT(14, 2), ALL, EVEN, {0, 10.2f, 0, 46.5f, -36, 7, 0, 30}, {0, 10.3f, 0, 45, 10, 1, 0, 30}},
    {SCORE_AT(15, 2), PART, SETTLES, {0, 14.6f, 0, 26, 34, -2, 0, 28}, {0, 15.4f, 0, 22.5f, 14, 0, 0, 28}},
    {SCORE_AT(16, 0), PART, GENTLE, {0, 15.6f, 0, 18.5f, -22, -4, 0, 30}, {0, 14.8f, 0, 26, 10, -2, 0, 30}},
    {SCORE_AT(17, 0), ALL, GENTLE, {0, 10.2f, 0, 40, 30, -12, 4, 34}, {0, 10.2f, 0, 39.5f, -16, -12, -2, 34}},
    /* Outro: wide, then her face, then back until all of her is visible. */
    {SCORE_AT(18, 0), ALL, SETTLES, {0, 10.2f, 0, 39, 26, -9, 0, 34}, {0, 10.2f, 0, 40, -4, -3, 0, 34}},
    {SCORE_AT(19, 0), PART, PULLS, {-0.2f, 16.8f, 0, 19, -18, -3, 4, 30}, {0, 10.4f, 0, 45.5f, 6, 1, 0, 30}},
};
enum { SHOTS = TOOL_COUNT(shots) };

static mmd_camera_key key_of(const view *v, int frame, mmd_curve curve)
{
    mmd_camera_key key = {.frame = (uint32_t)frame, .record = MMD_NO_RECORD};
    key.value = (mmd_camera){.distance = -v->distance,
                             .position = {v->x, v->y, v->z},
                             .rotation = {to_radians(-v->above), to_radians(v->around), to_radians(v->roll)},
                             .fov = (float)v->fov,
                             .perspective = true};
    for (int i = 0; i < MMD_CAMERA_CHANNELS; i++)
        key.curve[i] = curve;
    return key;
}

bool camera_shows_all(int frame)
{
    int i = SHOTS - 1;
    while (i && frame < dance_frame(shots[i].beat))
        i--;
    return shots[i].crop == ALL;
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
