/*
 * The choreography. It follows the lyrics: the morning light rises, the town is painted, heels are clicked,
 * she runs; in the chorus the hook's three notes against the beat are three poses, and the long notes are
 * waves.
 *
 * Columns of moves:  beat, travel, feel, left arm, right arm, chest bend, turn, lean, head nod, face, tilt
 * of steps:          beat, travel, foot, x, z, out, lift, facing
 * of hips:           beat, travel, feel, x, dip, tilt, twist, facing
 */
#include "dance_phrases.h"

#include "tool.h"

#define HIT  FEEL_HIT
#define TAP  FEEL_TAP
#define SOFT FEEL_SOFT
#define FLOW FEEL_FLOW
#define EVEN FEEL_EVEN

#define PHRASE(name, length, give)                                                                           \
    static const dance_phrase name = {.moves = name##_moves,                                                 \
                                      .steps = name##_steps,                                                 \
                                      .hips = name##_hips,                                                   \
                                      .move_count = TOOL_COUNT(name##_moves),                                \
                                      .step_count = TOOL_COUNT(name##_steps),                                \
                                      .hip_count = TOOL_COUNT(name##_hips),                                  \
                                      .bars = (length),                                                      \
                                      .bounce = (give)}

/* Waiting with her head down: she sways from one hip to the other; the head rises with the last beat. */
static const dance_move wake_moves[] = {
    {0, 0, SOFT, ARM_HIP, ARM_DOWN, 5, -8, 4, 28, -16, 6},
    {1, 0.95f, SOFT, ARM_HIP, ARM_DOWN_BACK, 1, 3, -5, 22, -4, -7},
    {2, 0.95f, SOFT, ARM_HIP, ARM_DOWN, 4, -8, 5, 15, -12, 8},
    {3, 0.5f, HIT, ARM_HIP, ARM_DOWN_BACK, -3, 8, -5, -4, 0, -9},
};
static const dance_step wake_steps[] = {
    {0, 0, LEFT, 1.15f, 0, 14, 0, 0},
    {0, 0, RIGHT, -1.0f, 0, 12, 0, 0},
};
static const dance_hip wake_hips[] = {
    {0, 0, SOFT, -0.57f, 0.05f, -12, 3, -4},
    {1, 0.9f, SOFT, 0.46f, 0.05f, 9, -4, 4},
    {2, 0.9f, SOFT, -0.57f, 0.05f, -12, 3, -4},
    {3, 0.5f, HIT, 0.57f, 0, 11, -6, 0},
};
PHRASE(wake, 1, 0.08f);

/* A deep breath: hands gather, open over the head, and clap. */
static const dance_move open_moves[] = {
    {0, 0.8f, FLOW, ARM_CUP, ARM_CUP, 10, 0, 0, 16, 0, 0},
    {1.5f, 1.5f, FLOW, ARM_SUN, ARM_SUN, -7, 0, 0, -14, 0, 0},
    {2.5f, 1, FLOW, ARM_SIDE_UP, ARM_SIDE_UP, -2, 0, 0, -2, 0, 0},
    {3, 0.5f, FLOW, ARM_CLAP_OPEN, ARM_CLAP_OPEN, 5, 0, 0, 4, 0, 0},
    {3.5f, 0.4f, TAP, ARM_CLAP, ARM_CLAP, 9, 0, 0, 6, 0, 0},
};
static const dance_step open_steps[] = {
    {0.5f, 0.6f, RIGHT, -1.05f, -0.1f, 12, 0.45f, 0},
    {1.5f, 0.6f, LEFT, 1.05f, 0, 12, 0.45f, 0},
};
static const dance_hip open_hips[] = {
    {0, 0.8f, FLOW, 0.63f, 0.25f, 3, 0, 0},   {0.5f, 0.5f, FLOW, -0.1f, 0.2f, 0, 0, 0},
    {1, 0.5f, FLOW, -0.63f, 0.05f, -4, 0, 0}, {1.5f, 0.5f, FLOW, -0.2f, -0.05f, 0, 0, 0},
    {2.5f, 0.8f, FLOW, 0, 0, 0, 0, 0},        {3.5f, 0.6f, SOFT, -0.4f, 0.4f, -2, 0, 0},
};
PHRASE(open, 1, 0.1f);

/* Morning light: hands scoop it up on one side, on the other, and lift it. */
static const dance_move light_moves[] = {
    {0, 0.5f, SOFT, ARM_CUP, ARM_CUP, 9, 12, 5, 12, 14, 6},
    {1, 1, SOFT, ARM_HIGH, ARM_SWEEP_IN, -4, 20, 6, -10, 20, -6},
    {2, 0.9f, FLOW, ARM_CUP, ARM_CUP, 9, -12, -5, 12, -14, -6},
    {3, 1, SOFT, ARM_SWEEP_IN, ARM_HIGH, -4, -20, -6, -10, -20, 6},
    {4, 0.9f, FLOW, ARM_CUP, ARM_CUP, 10, 0, 0, 16, 0, 0},
    {5, 1, SOFT, ARM_SUN, ARM_SUN, -8, 0, -4, -16, 0, 6},
    {6.3f, 1.3f, FLOW, ARM_SIDE_UP, ARM_SIDE_UP, 0, -4, 4, -2, 0, 4},
    {6.6f, 0.4f, FLOW, ARM_CLAP_OPEN, ARM_CLAP_OPEN, 4, 0, 0, 2, 0, 0},
    {7, 0.35f, TAP, ARM_CLAP, ARM_CLAP, 3, 10, -4, 0, 4, -10},
};
static const dance_step light_steps[] = {
    {0, 0.55f, LEFT, 2.1f, 0, 14, 0.45f, 0},   {1, 0.55f, RIGHT, 0.35f, 0.1f, 8, 0.4f, 0},
    {2, 0.55f, RIGHT, -1.5f, 0, 14, 0.45f, 0}, {3, 0.55f, LEFT, 0.2f, 0.1f, 8, 0.4f, 0},
    {4, 0.55f, LEFT, 1.4f, 0, 14, 0.45f, 0},
};
static const dance_hip light_hips[] = {
    {0, 0.6f, SOFT, 0.8f, 0.3f, 3, 6, 12},      {0.5f, 0.5f, FLOW, 1.5f, 0.1f, 6, 6, 14},
    {1, 0.5f, SOFT, 1.6f, 0, 7, 8, 14},         {1.5f, 0.4f, FLOW, 1.5f, 0.1f, 2, 0, 4},
    {2, 0.5f, SOFT, -0.1f, 0.3f, -3, -6, -10},  {2.5f, 0.5f, FLOW, -0.9f, 0.1f, -6, -6, -14},
    {3, 0.5f, SOFT, -1.0f, 0, -7, -8, -14},     {3.5f, 0.4f, FLOW, -1.0f, 0.1f, -2, 0, -4},
    {4, 0.5f, SOFT, -0.2f, 0.3f, 0, 0, 0},      {5, 0.5f, HIT, 0.52f, 0, 11, 0, 6},
    {6, 0.8f, SOFT, -0.46f, 0.1f, -6, 0, -4},   {7, 0.45f, HIT, 0.52f, 0.1f, 12, -6, 8},
    {7.5f, 0.4f, SOFT, -0.3f, 0.15f, -2, 0, 0},
};
PHRASE(light, 2, 0.2f);

/* Paints the town in one long stroke; then looks at it from under a hand. */
static const dance_move paint_moves[] = {
    {0, 0.5f, SOFT, ARM_SWEEP_IN, ARM_HIP, 3, -20, -5, 2, -18, 0},
    {2, 1.8f, FLOW, ARM_SIDE, ARM_HIP, -1, 22, 4, -4, 26, 0},
    {3, 0.5f, HIT, ARM_HIGH, ARM_HIP, -4, 26, 6, -10, 28, -4},
    {4, 0.6f, SOFT, ARM_HIP, ARM_BROW, -1, 18, 5, 0, 26, 8},
    {6, 0.7f, SOFT, ARM_BROW, ARM_HIP, -1, -18, -5, 0, -26, -8},
};
static const dance_step paint_steps[] = {
    {0.5f, 0.5f, LEFT, 1.2f, -0.3f, 12, 0.4f, 0}, {1.5f, 0.5f, RIGHT, -1.0f, 0.1f, 12, 0.4f, 0},
    {2.5f, 0.5f, LEFT, 1.6f, 0, 16, 0.4f, 0},     {4, 0.55f, RIGHT, -1.0f, -0.5f, 12, 0.45f, 0},
    {6, 0.55f, LEFT, 1.1f, -0.5f, 12, 0.45f, 0},
};
static const dance_hip paint_hips[] = {
    {0, 0.5f, SOFT, -0.69f, 0.2f, -5, -8, -12},  {0.5f, 0.5f, FLOW, -0.3f, 0.1f, 0, 0, -8},
    {1, 0.5f, FLOW, 0.69f, 0, 4, 2, 2},          {1.5f, 0.5f, FLOW, 0.2f, 0, 0, 4, 6},
    {2, 0.5f, FLOW, -0.69f, 0, -4, 8, 12},       {2.5f, 0.5f, FLOW, 0.3f, 0.1f, 2, 8, 14},
    {3, 0.4f, HIT, 0.8f, 0, 11, 10, 18},         {3.5f, 0.4f, FLOW, 0.8f, 0.1f, 3, 4, 12},
    {4, 0.5f, SOFT, 0.1f, 0.15f, -3, -2, 2},     {5, 0.4f, HIT, -0.46f, 0.05f, -13, -4, -6},
    {5.5f, 0.4f, SOFT, -0.57f, 0.1f, -4, 0, -4}, {6, 0.5f, SOFT, -0.1f, 0.15f, 2, 2, 0},
    {7, 0.4f, HIT, 0.52f, 0.05f, 13, 4, 6},      {7.5f, 0.4f, SOFT, 0.46f, 0.1f, 4, 0, 4},
};
PHRASE(paint, 2, 0.2f);

/* Hands on hips, heels click on the beat; then on tiptoe with the tune: claps low, high, low. */
static const dance_move heels_moves[] = {
    {0, 0.5f, HIT, ARM_HIP, ARM_HIP, 2, 8, 5, 6, 4, 10},
    {1, 0.45f, HIT, ARM_HIP, ARM_HIP, 2, -6, -5, 2, 0, -10},
    {2, 0.45f, HIT, ARM_HIP, ARM_LOW, 2, 8, 5, 4, -8, 10},
    {3, 0.45f, HIT, ARM_LOW, ARM_HIP, 2, -8, -5, 4, 8, -10},
    {4, 0.7f, SOFT, ARM_LOW, ARM_LOW, 7, 0, 0, 8, 0, 0},
    {5, 0.6f, TAP, ARM_CLAP_HIGH, ARM_CLAP_HIGH, -6, 0, 4, -12, 0, 6},
    {6, 0.8f, FLOW, ARM_LOW, ARM_LOW, 6, 0, 0, 6, 0, 0},
    {7, 0.6f, TAP, ARM_CLAP_HIGH, ARM_CLAP_HIGH, -6, 0, -4, -12, 0, -6},
    {7.6f, 0.5f, FLOW, ARM_RUN_BACK, ARM_RUN_BACK, 8, 0, 0, 4, 0, 0},
};
static const dance_step heels_steps[] = {
    {0, 0.5f, RIGHT, -0.62f, 0, 6, 0.4f, 0},      {0.5f, 0.45f, LEFT, 1.6f, 0, 10, 0.45f, 0},
    {1, 0.4f, LEFT, 0.62f, 0, 6, 0.35f, 0},       {2, 0.45f, RIGHT, -1.6f, 0, 10, 0.45f, 0},
    {2.5f, 0.4f, RIGHT, -0.62f, 0, 6, 0.35f, 0},  {3, 0.4f, LEFT, 1.6f, 0, 10, 0.45f, 0},
    {3.5f, 0.4f, LEFT, 0.62f, 0, 6, 0.35f, 0},    {4, 0.45f, LEFT, 1.3f, -0.3f, 14, 0.4f, 0},
    {6, 0.45f, RIGHT, -1.3f, -0.3f, 14, 0.4f, 0},
};
static const dance_hip heels_hips[] = {
    {0, 0.5f, SOFT, -0.15f, 0.25f, -4, 0, 0},  {0.5f, 0.4f, SOFT, -0.46f, 0.25f, -10, 0, 0},
    {1, 0.4f, HIT, -0.1f, 0, -3, 0, -6},       {1.6f, 0.4f, SOFT, 0.4f, 0.15f, 5, 0, 0},
    {2, 0.4f, SOFT, 0.4f, 0.2f, 10, 0, 6},     {2.5f, 0.4f, HIT, -0.2f, 0, -2, 0, 6},
    {3, 0.4f, SOFT, -0.46f, 0.2f, -10, 0, -4}, {3.5f, 0.4f, HIT, -0.4f, 0, -3, 0, -6},
    {4, 0.45f, SOFT, 0.3f, 0.35f, 2, 0, 0},    {5, 0.5f, HIT, 0.52f, -0.05f, 10, 0, 6},
    {6, 0.6f, SOFT, 0, 0.35f, 0, 0, 0},        {7, 0.5f, HIT, -0.46f, -0.05f, -10, 0, -6},
    {7.6f, 0.5f, SOFT, -0.3f, 0.3f, -3, 0, 0},
};
PHRASE(heels, 2, 0.16f);

/* Running on the spot. */
static const dance_move run_moves[] = {
    {0, 0.5f, FLOW, ARM_RUN_BACK, ARM_RUN_FRONT, 12, 12, 4, 1, 0, 4},
    {0.5f, 0.5f, FLOW, ARM_RUN_FRONT, ARM_RUN_BACK, 12, -12, -4, 1, 0, -4},
    {1, 0.5f, FLOW, ARM_RUN_BACK, ARM_RUN_FRONT, 12, 12, 4, 1, 0, 4},
    {1.5f, 0.5f, FLOW, ARM_RUN_FRONT, ARM_RUN_BACK, 12, -12, -4, 0, 0, -4},
    {2, 0.5f, FLOW, ARM_RUN_BACK, ARM_RUN_FRONT, 11, 12, 4, 0, 0, 4},
    {2.5f, 0.5f, FLOW, ARM_RUN_FRONT, ARM_RUN_BACK, 11, -12, -4, 0, 0, -4},
    {3, 0.5f, FLOW, ARM_RUN_BACK, ARM_RUN_FRONT, 7, 10, 0, 0, 0, 4},
    {3.5f, 0.5f, SOFT, ARM_GUARD, ARM_GUARD, 10, 0, 0, 6, 0, 0},
};
static const dance_step run_steps[] = {
    {0, 0.45f, LEFT, 0.85f, 0, 4, 1.3f, 0},     {0.5f, 0.45f, RIGHT, -0.85f, 0, 4, 1.3f, 0},
    {1, 0.45f, LEFT, 0.85f, -0.1f, 4, 1.3f, 0}, {1.5f, 0.45f, RIGHT, -0.85f, -0.1f, 4, 1.3f, 0},
    {2, 0.45f, LEFT, 0.85f, 0, 4, 1.3f, 0},     {2.5f, 0.45f, RIGHT, -0.85f, 0, 4, 1.3f, 0},
    {3, 0.45f, LEFT, 0.95f, 0, 8, 1.3f, 0},     {3.5f, 0.45f, RIGHT, -0.95f, 0, 8, 0.6f, 0},
};
static const dance_hip run_hips[] = {
    {0, 0.5f, FLOW, 0.25f, 0.15f, 4, 5, 0}, {0.5f, 0.5f, FLOW, -0.25f, 0.15f, -4, -5, 0},
    {1, 0.5f, FLOW, 0.25f, 0.15f, 4, 5, 0}, {1.5f, 0.5f, FLOW, -0.25f, 0.15f, -4, -5, 0},
    {2, 0.5f, FLOW, 0.25f, 0.15f, 4, 5, 0}, {2.5f, 0.5f, FLOW, -0.25f, 0.15f, -4, -5, 0},
    {3, 0.5f, FLOW, 0.25f, 0.15f, 4, 5, 0}, {3.5f, 0.5f, SOFT, -0.1f, 0.4f, 0, 0, 0},
};
PHRASE(run, 1, 0.12f);

/* A finger rises from the far hip to the sky while the hips count; then down for the jump. */
static const dance_move now_moves[] = {
    {0, 0.5f, HIT, ARM_AIM_LOW, ARM_HIP, 5, -14, -5, 6, -6, -6},
    {2, 1.9f, FLOW, ARM_AIM_HIGH, ARM_HIP, -4, 14, 6, -10, 18, -4},
    {3, 0.8f, FLOW, ARM_LOW, ARM_LOW, 6, 0, 0, 4, 0, 0},
    {3.5f, 0.5f, SOFT, ARM_DOWN_BACK, ARM_DOWN_BACK, 15, 0, 0, 6, 0, 0},
};
static const dance_step now_steps[] = {
    {0, 0.5f, LEFT, 1.5f, 0, 14, 0.45f, 0},
    {2.6f, 0.5f, LEFT, 0.95f, 0, 8, 0.4f, 0},
};
static const dance_hip now_hips[] = {
    {0, 0.5f, HIT, -0.4f, 0.15f, -11, 0, -12}, {1, 0.4f, HIT, 0.46f, 0.1f, 11, 0, -4},
    {2, 0.4f, HIT, -0.4f, 0.05f, -11, 0, 10},  {2.6f, 0.4f, SOFT, -0.2f, 0.1f, 0, 0, 0},
    {3.4f, 0.7f, SOFT, 0, 0.95f, 0, 0, 0},     {3.75f, 0.3f, EVEN, 0, -0.8f, 0, 0, 0},
};
PHRASE(now, 1, 0.1f);

/* The hook: jump out, point, point; roll; wave overhead; a hand for the audience. */
static const dance_move hook_moves[] = {
    {0, 0.5f, HIT, ARM_HIGH, ARM_HIGH, -6, 0, 0, -10, 0, 0},
    {0.75f, 0.6f, HIT, ARM_AIM_HIGH, ARM_HIP, -2, 16, 8, -6, 22, -4},
    {1.5f, 0.62f, HIT, ARM_HIP, ARM_AIM_HIGH, -2, -16, -8, -6, -22, 4},
    {2.4f, 0.5f, FLOW, ARM_ROLL_HIGH, ARM_ROLL_LOW, 9, 4, 3, 8, 0, 6},
    {2.6f, 0.2f, EVEN, ARM_ROLL_FRONT, ARM_ROLL_BACK, 9, 3, 2, 7, 0, 5},
    {2.8f, 0.2f, EVEN, ARM_ROLL_LOW, ARM_ROLL_HIGH, 8, 2, 1, 6, 0, 3},
    {3, 0.2f, EVEN, ARM_ROLL_BACK, ARM_ROLL_FRONT, 7, 0, 0, 5, 0, 0},
    {3.2f, 0.2f, EVEN, ARM_ROLL_HIGH, ARM_ROLL_LOW, 6, -2, -1, 4, 0, -3},
    {3.6f, 0.4f, FLOW, ARM_SIDE, ARM_SIDE, 2, -3, -2, 1, 0, -5},
    {4, 0.5f, SOFT, ARM_HIGH, ARM_OVER, -3, 6, 10, -4, 6, 12},
    {5, 0.9f, SOFT, ARM_OVER, ARM_HIGH, -3, -6, -10, -4, -6, -12},
    {6, 0.9f, SOFT, ARM_HIGH, ARM_OVER, -3, 6, 10, -4, 6, 12},
    {7, 0.6f, HIT, ARM_HIP, ARM_OFFER, 7, 12, -3, -2, 0, -10},
};
static const dance_step hook_steps[] = {
    {0, 0.5f, LEFT, 1.6f, 0, 16, 0.8f, 0},       {0, 0.5f, RIGHT, -1.6f, 0, 16, 0.8f, 0},
    {2.5f, 0.5f, LEFT, 0.9f, 0, 8, 1.1f, 0},     {3, 0.45f, RIGHT, -0.9f, 0, 8, 1.1f, 0},
    {4, 0.5f, LEFT, 1.7f, 0, 14, 0.45f, 0},      {5.5f, 0.5f, LEFT, 1.3f, 0, 12, 0.4f, 0},
    {7, 0.5f, RIGHT, -1.1f, -0.7f, 10, 0.5f, 0},
};
static const dance_hip hook_hips[] = {
    {0.1f, 0.35f, SOFT, 0, 0.5f, 0, 0, 0},       {0.45f, 0.3f, SOFT, 0.1f, 0.1f, 2, 0, 2},
    {0.75f, 0.4f, HIT, 0.63f, 0.05f, 12, 6, 12}, {1.5f, 0.4f, HIT, -0.63f, 0.05f, -12, -6, -12},
    {2.5f, 0.5f, SOFT, -0.46f, 0.3f, 0, 0, 0},   {3, 0.45f, FLOW, 0.2f, 0.3f, 3, 0, 0},
    {3.5f, 0.45f, FLOW, -0.25f, 0.1f, -3, 0, 0}, {4, 0.5f, SOFT, 0.57f, 0, 6, 4, 8},
    {5, 0.7f, SOFT, -0.57f, 0, -7, -4, -8},      {6, 0.7f, SOFT, 0.69f, 0, 7, 4, 8},
    {7, 0.5f, HIT, -0.1f, 0.2f, -10, 8, 8},      {7.5f, 0.4f, SOFT, -0.2f, 0.2f, -4, 2, 6},
};
PHRASE(hook, 2, 0.24f);

/*
 * Carried on the wind: arms swing like cloth, spiral up and drift down; clap, and a wink between two fingers.
 */
static const dance_move wind_moves[] = {
    {0, 0.6f, SOFT, ARM_SIDE, ARM_SWEEP_IN, 0, 20, 6, 0, 22, 6},
    {0.75f, 0.7f, SOFT, ARM_SWEEP_IN, ARM_SIDE, 0, -20, -6, 0, -22, -6},
    {1.5f, 0.7f, SOFT, ARM_SIDE, ARM_SWEEP_IN, 0, 22, 8, -2, 22, 8},
    {2.5f, 0.9f, FLOW, ARM_CUP, ARM_CUP, 10, -6, -3, 12, -6, -6},
    {4, 1.4f, FLOW, ARM_HIGH, ARM_HIGH, -7, 0, 0, -14, 0, 0},
    {5.5f, 1.4f, FLOW, ARM_SIDE, ARM_SIDE, -1, 0, 5, -2, 0, 8},
    {6.2f, 0.7f, FLOW, ARM_CLAP_OPEN, ARM_CLAP_OPEN, 4, 0, 0, 2, 0, 0},
    {6.5f, 0.3f, TAP, ARM_CLAP, ARM_CLAP, 5, 0, 0, 4, 0, 0},
    {7, 0.45f, HIT, ARM_HIP, ARM_PEACE, 1, -12, 6, 2, -6, 14},
};
static const dance_step wind_steps[] = {
    {0, 0.5f, LEFT, 1.9f, 0, 14, 0.45f, 0},      {0.75f, 0.5f, RIGHT, -1.2f, 0.2f, 14, 0.4f, 0},
    {1.5f, 0.5f, LEFT, 1.5f, 0, 14, 0.4f, 0},    {2.5f, 0.55f, RIGHT, -0.8f, 0, 10, 0.45f, 0},
    {3.5f, 0.55f, LEFT, 0.9f, 0, 10, 0.45f, 0},  {5, 0.55f, RIGHT, -1.3f, 0, 14, 0.45f, 0},
    {7, 0.5f, LEFT, 1.15f, -0.5f, 10, 0.45f, 0},
};
static const dance_hip wind_hips[] = {
    {0, 0.5f, SOFT, 0.86f, 0.2f, 5, 6, 14},      {0.75f, 0.6f, SOFT, -0.3f, 0.2f, -5, -6, -14},
    {1.5f, 0.6f, SOFT, 0.75f, 0.2f, 6, 6, 16},   {2.5f, 0.7f, SOFT, 0.2f, 0.3f, -2, -4, 2},
    {3, 0.5f, FLOW, -0.57f, 0.2f, -4, 0, 0},     {3.5f, 0.5f, FLOW, -0.1f, 0, 0, 0, 0},
    {4.4f, 0.7f, FLOW, 0.57f, -0.05f, 6, 0, 6},  {5.4f, 0.8f, FLOW, -0.46f, 0.05f, -5, 0, -6},
    {6.4f, 0.8f, SOFT, -0.57f, 0.25f, -4, 0, 0}, {7, 0.45f, HIT, -0.4f, 0.1f, -13, -4, -8},
    {7.6f, 0.5f, SOFT, 0, 0.2f, -3, 0, -4},
};
PHRASE(wind, 2, 0.2f);

/* The hook's three poses again, then a full turn on quick feet, and "you", and a hand on the heart. */
static const dance_move whirl_moves[] = {
    {0, 0.5f, HIT, ARM_HIGH, ARM_HIGH, -6, 0, 0, -10, 0, 0},
    {0.75f, 0.6f, HIT, ARM_HIP, ARM_AIM_HIGH, -2, -16, -8, -6, -22, 4},
    {1.5f, 0.62f, HIT, ARM_AIM_HIGH, ARM_HIP, -2, 16, 8, -6, 22, -4},
    {2.2f, 0.6f, FLOW, ARM_SWEEP_IN, ARM_WING, 3, -18, 0, 2, 8, 0},
    {3.5f, 1.2f, FLOW, ARM_SIDE, ARM_SIDE, 0, 8, 3, 0, 26, 0},
    {5.2f, 1.6f, FLOW, ARM_HIGH, ARM_HIGH, -4, 6, 2, -6, 22, 0},
    {6, 0.5f, HIT, ARM_AIM_FRONT, ARM_HIP, 6, -10, 3, 2, 0, 8},
    {7.2f, 0.55f, SOFT, ARM_HEART, ARM_HIP, 3, 4, -4, 8, 0, -10},
};
static const dance_step whirl_steps[] = {
    {0, 0.5f, LEFT, 1.5f, 0, 16, 0.7f, 0},        {0, 0.5f, RIGHT, -1.5f, 0, 16, 0.7f, 0},
    {2, 0.5f, RIGHT, -0.8f, 0, 0, 0.45f, 0},      {2.5f, 0.45f, LEFT, 0.75f, 0, 10, 0.4f, 45},
    {3, 0.45f, RIGHT, -0.75f, 0, -10, 0.4f, 95},  {3.5f, 0.45f, LEFT, 0.75f, 0, 10, 0.4f, 150},
    {4, 0.45f, RIGHT, -0.75f, 0, -10, 0.4f, 200}, {4.5f, 0.45f, LEFT, 0.75f, 0, 10, 0.4f, 255},
    {5, 0.45f, RIGHT, -0.75f, 0, -10, 0.4f, 300}, {5.5f, 0.45f, LEFT, 0.8f, 0, 8, 0.4f, 345},
    {6, 0.45f, RIGHT, -1.0f, 0, 10, 0.45f, 360},  {6.5f, 0.45f, LEFT, 1.1f, -0.4f, 12, 0.4f, 360},
};
static const dance_hip whirl_hips[] = {
    {0.1f, 0.35f, SOFT, 0, 0.5f, 0, 0, 0},
    {0.45f, 0.3f, SOFT, -0.1f, 0.1f, -2, 0, 0},
    {0.75f, 0.4f, HIT, -0.63f, 0.05f, -12, -6, -12},
    {1.5f, 0.4f, HIT, 0.63f, 0.05f, 12, 6, 12},
    {2, 0.45f, SOFT, 0, 0.25f, 0, -6, -6},
    {2.5f, 0.5f, FLOW, -0.15f, 0.15f, 0, 0, 22},
    {3, 0.5f, EVEN, 0, -0.15f, 0, 0, 70},
    {3.5f, 0.5f, EVEN, 0, -0.15f, 0, 0, 125},
    {4, 0.5f, EVEN, 0, -0.15f, 0, 0, 178},
    {4.5f, 0.5f, EVEN, 0, -0.15f, 0, 0, 230},
    {5, 0.5f, EVEN, 0, -0.15f, 0, 0, 280},
    {5.5f, 0.5f, EVEN, 0, -0.15f, 0, 0, 325},
    {6, 0.5f, SOFT, -0.46f, 0.25f, -4, 0, 360},
    {6.5f, 0.4f, FLOW, -0.46f, 0.15f, -10, 0, 360},
    {7, 0.5f, SOFT, 0.4f, 0.05f, 7, 0, 360},
    {7.6f, 0.4f, SOFT, 0.3f, 0.1f, 3, 0, 360},
};
PHRASE(whirl, 2, 0.16f);

/* Sing: hands from the mouth out to everyone, to the heart, up; wave, and down for the last jump. */
static const dance_move sing_moves[] = {
    {0, 0.7f, SOFT, ARM_CALL, ARM_CALL, 5, 6, 5, -2, 6, 6},
    {1.5f, 1, SOFT, ARM_SIDE_UP, ARM_SIDE_UP, -5, -6, -5, -10, -6, -6},
    {2.7f, 0.8f, FLOW, ARM_HEART, ARM_SIDE_UP, 3, -3, 0, 4, -6, 0},
    {3.2f, 0.6f, SOFT, ARM_HEART, ARM_HEART_OVER, 8, 0, 0, 14, 0, 0},
    {4, 0.6f, SOFT, ARM_HIGH, ARM_HIGH, -7, 0, 0, -14, 0, 0},
    {5, 0.8f, SOFT, ARM_OVER, ARM_HIGH, -2, -6, -11, -4, -6, -12},
    {6, 0.9f, SOFT, ARM_HIGH, ARM_OVER, -2, 6, 11, -4, 6, 12},
    {7, 0.9f, FLOW, ARM_LOW, ARM_LOW, 6, 0, 0, 4, 0, 0},
    {7.5f, 0.5f, SOFT, ARM_DOWN_BACK, ARM_DOWN_BACK, 15, 0, 0, 8, 0, 0},
};
static const dance_step sing_steps[] = {
    {0, 0.5f, RIGHT, -1.2f, -0.4f, 12, 0.45f, 0}, {1.5f, 0.55f, LEFT, 1.4f, 0, 14, 0.45f, 0},
    {3, 0.55f, RIGHT, -0.8f, 0, 10, 0.45f, 0},    {4, 0.55f, LEFT, 1.7f, 0, 14, 0.5f, 0},
    {5, 0.55f, RIGHT, -1.6f, 0, 14, 0.45f, 0},    {6.6f, 0.5f, LEFT, 0.95f, 0, 8, 0.45f, 0},
};
static const dance_hip sing_hips[] = {
    {0, 0.5f, SOFT, 0.46f, 0.2f, 3, 4, 10},    {0.7f, 0.5f, FLOW, -0.46f, 0.1f, -6, 0, 8},
    {1.5f, 0.6f, SOFT, 0, 0, -2, -4, -8},      {2.4f, 0.7f, FLOW, 0.69f, 0.1f, 5, 0, -8},
    {3, 0.5f, SOFT, 0.57f, 0.3f, 2, 0, 0},     {3.5f, 0.4f, FLOW, -0.46f, 0.15f, -2, 0, 0},
    {4, 0.5f, SOFT, 0.2f, 0, 3, 0, 4},         {4.4f, 0.4f, FLOW, 0.8f, 0, 6, 0, 6},
    {5, 0.5f, SOFT, -0.3f, 0, -6, -4, -8},     {6, 0.8f, SOFT, 0.3f, 0.05f, 7, 4, 10},
    {6.3f, 0.3f, FLOW, -0.57f, 0.1f, 0, 0, 0}, {7.4f, 0.7f, SOFT, 0, 0.95f, 0, 0, 0},
    {7.75f, 0.3f, EVEN, 0, -0.8f, 0, 0, 0},
};
PHRASE(sing, 2, 0.22f);

/* Two hits, and a wide circle with both arms. */
static const dance_move close_moves[] = {
    {0, 0.5f, HIT, ARM_HIGH, ARM_HIGH, -6, 0, 0, -10, 0, 0},
    {1, 0.75f, HIT, ARM_AIM_HIGH, ARM_AIM_LOW, -2, 14, 8, -6, 20, -4},
    {2, 0.8f, HIT, ARM_AIM_LOW, ARM_AIM_HIGH, -2, -14, -8, -6, -20, 4},
    {3, 0.8f, FLOW, ARM_CROSS_LOW, ARM_CROSS, 11, 0, 0, 18, 0, 0},
};
static const dance_step close_steps[] = {
    {0, 0.5f, LEFT, 1.6f, 0, 16, 0.8f, 0},
    {0, 0.5f, RIGHT, -1.6f, 0, 16, 0.8f, 0},
    {3, 0.6f, LEFT, 0.95f, 0, 10, 0.5f, 0},
};
static const dance_hip close_hips[] = {
    {0.1f, 0.35f, SOFT, 0, 0.5f, 0, 0, 0},    {0.5f, 0.35f, SOFT, 0, 0.1f, 0, 0, 0},
    {1, 0.45f, HIT, 0.63f, 0.05f, 12, 6, 12}, {2, 0.45f, HIT, -0.63f, 0.05f, -12, -6, -12},
    {3, 0.6f, SOFT, -0.57f, 0.4f, -2, 0, 0},
};
PHRASE(close, 1, 0.2f);

/* The last pose, breathing. */
static const dance_move pose_moves[] = {
    {0, 0.6f, HIT, ARM_TOP, ARM_PEACE, -2, -10, 8, -2, -4, -7},
    {1.5f, 1, SOFT, ARM_TOP, ARM_PEACE, -3.2f, -10, 8.5f, -3, -4, -8},
    {2.75f, 1.2f, SOFT, ARM_TOP, ARM_PEACE, -1.8f, -9, 8, -1, -4, -7},
    {4, 1.2f, SOFT, ARM_TOP, ARM_PEACE, -3, -10, 8.5f, -2.5f, -4, -8},
};
static const dance_step pose_steps[] = {
    {0, 0.6f, LEFT, 1.6f, -0.35f, 24, 0.6f, 0},
};
static const dance_hip pose_hips[] = {
    {0, 0.5f, HIT, -0.69f, 0.08f, -13, -6, -16},
    {1.5f, 1, SOFT, -0.69f, 0.06f, -12, -6, -16},
    {2.75f, 1.2f, SOFT, -0.68f, 0.11f, -12, -6, -16},
    {4, 1.2f, SOFT, -0.69f, 0.06f, -13, -6, -16},
};
PHRASE(pose, 1, 0);

const dance_entry dance_order[] = {
    {SCORE_INTRO, &wake, false},       {SCORE_INTRO + 1, &open, false},  {SCORE_VERSE, &light, false},
    {SCORE_VERSE + 2, &paint, true},   {SCORE_VERSE + 4, &heels, false}, {SCORE_VERSE + 6, &run, false},
    {SCORE_VERSE + 7, &now, false},    {SCORE_CHORUS, &hook, false},     {SCORE_CHORUS + 2, &wind, false},
    {SCORE_CHORUS + 4, &whirl, false}, {SCORE_CHORUS + 6, &sing, true},  {SCORE_OUTRO, &close, false},
    {SCORE_OUTRO + 1, &pose, false},
};
const int dance_order_count = TOOL_COUNT(dance_order);

/* Access to phrases in place. */

static float first_beat(const dance_entry *entry)
{
    return (float)(entry->bar * SCORE_BEATS_A_BAR);
}

dance_move dance_entry_move(const dance_entry *entry, int index)
{
    dance_move m = entry->phrase->moves[index];
    m.beat += first_beat(entry);
    if (entry->mirrored) {
        dance_arm left = m.left;
        m.left = m.right;
        m.right = left;
        m.turn = -m.turn;
        m.lean = -m.lean;
        m.face = -m.face;
        m.tilt = -m.tilt;
    }
    return m;
}

dance_step dance_entry_step(const dance_entry *entry, int index)
{
    dance_step s = entry->phrase->steps[index];
    s.beat += first_beat(entry);
    if (entry->mirrored) {
        s.foot = s.foot == LEFT ? RIGHT : LEFT;
        s.x = -s.x;
        s.facing = -s.facing;
    }
    return s;
}

dance_hip dance_entry_hip(const dance_entry *entry, int index)
{
    dance_hip h = entry->phrase->hips[index];
    h.beat += first_beat(entry);
    if (entry->mirrored) {
        h.x = -h.x;
        h.tilt = -h.tilt;
        h.twist = -h.twist;
        h.facing = -h.facing;
    }
    return h;
}
