/* The vocabulary of arm shapes, and two-bone inverse kinematics for them. Everything is for the left arm; the
 * right one is the mirror image. */
#include "dance_arms.h"

#include <math.h>

#include "rig/rig_places.h"
#include "tool.h"

#define UP    0, 1, 0
#define DOWN  0, -1, 0
#define FRONT 0, 0, -1
#define BACK  0, 0, 1
#define IN    -1, 0, 0

typedef struct arm_shape {
    vec3 wrist; /* position, x away from the body */
    vec3 elbow; /* direction of the elbow */
    vec3 palm;  /* direction that the palm faces */
    float flex; /* degrees that the hand bends towards its palm */
    uint8_t hand;
} arm_shape;

static const arm_shape shapes[ARM_SHAPES] = {
    [ARM_DOWN] = {{{3.15f, 10.85f, -0.45f}}, {{0.4f, 0, 1}}, {{IN}}, 6, HAND_RELAXED},
    [ARM_DOWN_BACK] = {{{3.3f, 11.0f, 0.9f}}, {{0.6f, 0, 1}}, {{IN}}, 0, HAND_RELAXED},
    [ARM_HIP] = {{{2.3f, 12.2f, -0.45f}}, {{1, 0, 0.35f}}, {{-0.3f, -0.3f, 1}}, 20, HAND_FIST},
    [ARM_LOW] = {{{4.5f, 11.7f, -1.1f}}, {{0.3f, -0.6f, 1}}, {{FRONT}}, -12, HAND_OPEN},
    [ARM_CUP] = {{{1.55f, 12.3f, -2.7f}}, {{1, -0.3f, 0.3f}}, {{UP}}, 12, HAND_RELAXED},
    [ARM_CROSS] = {{{-0.1f, 13.1f, -2.8f}}, {{1, -0.2f, 0.1f}}, {{BACK}}, 8, HAND_RELAXED},
    [ARM_CROSS_LOW] = {{{-0.1f, 11.5f, -2.7f}}, {{1, -0.2f, 0.1f}}, {{BACK}}, 8, HAND_RELAXED},
    [ARM_SIDE] = {{{6.1f, 15.3f, -0.7f}}, {{0, -0.6f, 1}}, {{DOWN}}, -14, HAND_OPEN},
    [ARM_SIDE_UP] = {{{6.1f, 15.9f, -1.2f}}, {{0, -1, 0.4f}}, {{UP}}, -10, HAND_OPEN},
    [ARM_WING] = {{{4.6f, 14.0f, -1.6f}}, {{0.6f, 0.5f, 0.8f}}, {{DOWN}}, 30, HAND_RELAXED},
    [ARM_SWEEP_IN] = {{{-1.3f, 14.3f, -3.2f}}, {{0.8f, -0.7f, 0}}, {{-0.8f, 0, 0.3f}}, -15, HAND_OPEN},
    [ARM_HIGH] = {{{4.75f, 18.85f, -0.6f}}, {{1, -0.4f, 0.5f}}, {{FRONT}}, -8, HAND_OPEN},
    [ARM_TOP] = {{{3.2f, 19.9f, -0.6f}}, {{1, 0, 0.2f}}, {{FRONT}}, 0, HAND_OPEN},
    [ARM_OVER] = {{{1.35f, 19.7f, -1.7f}}, {{1, 0, -0.1f}}, {{-0.5f, 0, -0.8f}}, -10, HAND_OPEN},
    [ARM_SUN] = {{{2.3f, 18.7f, -2.2f}}, {{1, -0.3f, 0}}, {{-0.2f, 0.3f, -1}}, -18, HAND_OPEN},
    [ARM_AIM_HIGH] = {{{5.3f, 18.4f, -0.9f}}, {{0.5f, -0.7f, 0.5f}}, {{0.2f, -0.7f, -0.7f}}, 0, HAND_POINT},
    [ARM_AIM_LOW] = {{{-0.9f, 12.1f, -2.6f}}, {{1, 0.1f, -0.2f}}, {{-0.1f, -0.3f, 1}}, 0, HAND_POINT},
    [ARM_AIM_FRONT] = {{{2.4f, 15.9f, -4.8f}}, {{0.4f, -1, 0}}, {{DOWN}}, 4, HAND_POINT},
    [ARM_OFFER] = {{{2.1f, 15.0f, -4.4f}}, {{0.5f, -1, 0.2f}}, {{-0.2f, 1, 0}}, -14, HAND_OPEN},
    [ARM_CLAP] = {{{0.215f, 14.0f, -3.3f}}, {{0.5f, -1, 0.1f}}, {{IN}}, -30.5f, HAND_FLAT},
    [ARM_CLAP_OPEN] = {{{1.7f, 14.1f, -3.1f}}, {{0.7f, -1, 0.1f}}, {{IN}}, -28, HAND_FLAT},
    [ARM_CLAP_HIGH] = {{{0.21f, 18.7f, -2.9f}}, {{1, -0.15f, -0.1f}}, {{IN}}, -37.5f, HAND_FLAT},
    [ARM_HEART] = {{{0.75f, 14.25f, -1.75f}}, {{1, -0.55f, 0.1f}}, {{BACK}}, 2, HAND_FLAT},
    [ARM_HEART_OVER] = {{{0.75f, 14.6f, -2.45f}}, {{1, -0.55f, 0.1f}}, {{BACK}}, 8, HAND_FLAT},
    [ARM_BROW] = {{{2.0f, 18.0f, -2.35f}}, {{1, -0.35f, -0.1f}}, {{0.1f, -1, 0.2f}}, 4, HAND_FLAT},
    [ARM_PEACE] = {{{1.8f, 16.15f, -2.55f}}, {{1, -1.3f, 0.1f}}, {{0.1f, 0.1f, -1}}, -4, HAND_PEACE},
    [ARM_CALL] = {{{1.8f, 15.35f, -2.4f}}, {{0.9f, -1, 0.1f}}, {{-0.8f, 0, 0.6f}}, 2, HAND_FLAT},
    [ARM_ROLL_HIGH] = {{{0.55f, 14.95f, -2.65f}}, {{1, -0.4f, 0}}, {{BACK}}, 5, HAND_FIST},
    [ARM_ROLL_FRONT] = {{{0.55f, 14.3f, -3.3f}}, {{1, -0.4f, 0}}, {{BACK}}, 5, HAND_FIST},
    [ARM_ROLL_LOW] = {{{0.55f, 13.65f, -2.65f}}, {{1, -0.4f, 0}}, {{BACK}}, 5, HAND_FIST},
    [ARM_ROLL_BACK] = {{{0.55f, 14.3f, -2.0f}}, {{1, -0.4f, 0}}, {{BACK}}, 5, HAND_FIST},
    [ARM_RUN_FRONT] = {{{1.7f, 15.0f, -2.7f}}, {{0.8f, -1, 0.5f}}, {{IN}}, 0, HAND_FIST},
    [ARM_RUN_BACK] = {{{3.0f, 12.6f, 0.3f}}, {{0.7f, -0.1f, 1}}, {{IN}}, 0, HAND_FIST},
    [ARM_GUARD] = {{{1.75f, 15.2f, -2.4f}}, {{0.9f, -1, 0.1f}}, {{-0.4f, 0, -1}}, 0, HAND_FIST},
};

/*
 * Curl of each finger's three bones in degrees, thumb to little finger, and how far the fingers are spread.
 */
typedef struct hand_shape {
    float curl[5][3];
    float spread;
} hand_shape;

static const hand_shape hands[] = {
    [HAND_RELAXED] = {{{4, 6, 8}, {8, 14, 10}, {12, 18, 12}, {16, 22, 14}, {18, 24, 16}}, 1},
    [HAND_OPEN] = {{{-12, -4, 0}, {-4, 2, 2}, {-2, 3, 2}, {-1, 4, 3}, {-3, 4, 3}}, 7},
    [HAND_FLAT] = {{{-22, -8, -2}, {1, 2, 1}, {1, 2, 1}, {1, 2, 1}, {1, 2, 1}}, 0},
    [HAND_FIST] = {{{22, 26, 30}, {72, 88, 60}, {76, 90, 60}, {78, 90, 60}, {80, 88, 58}}, 0},
    [HAND_POINT] = {{{20, 24, 30}, {-3, 2, 2}, {74, 90, 60}, {78, 90, 60}, {80, 88, 58}}, 0},
    [HAND_PEACE] = {{{26, 30, 34}, {-2, 2, 2}, {-2, 2, 2}, {76, 90, 60}, {80, 88, 58}}, 9},
};

/* The left arm at rest. */
static const vec3 collar_at = RIG_COLLAR, shoulder_at = RIG_SHOULDER;
static const vec3 elbow_at = RIG_ELBOW, wrist_at = RIG_WRIST;
static const vec3 palm_faces = {{-RIG_ARM_SIN, -RIG_ARM_COS, 0}};
static const vec3 hinge = {{RIG_ARM_SIN, RIG_ARM_COS, 0}}; /* axis of the elbow, which bends to the front */

static vec3 direction(vec3 from, vec3 to)
{
    return vec3_normalize(vec3_sub(to, from));
}

/* Returns the part of v perpendicular to the unit vector axis, as a unit vector. */
static vec3 across(vec3 v, vec3 axis)
{
    return vec3_normalize(vec3_sub(v, vec3_scale(axis, vec3_dot(v, axis))));
}

/* Returns the angle from a to b about axis, in radians. */
static float angle_about(vec3 axis, vec3 a, vec3 b)
{
    vec3 pa = across(a, axis), pb = across(b, axis);
    return mmd_atan2f(vec3_dot(vec3_cross(pa, pb), axis), vec3_dot(pa, pb));
}

static float limited(float angle, float degrees)
{
    return clamp(angle, to_radians(-degrees), to_radians(degrees));
}

/* Rotates the shoulder: a raised arm lifts it, an arm that reaches forward pulls it along. */
static quat shoulder_turn(vec3 wrist)
{
    vec3 d = direction(shoulder_at, wrist);
    float raise = clamp(mmd_asinf(d.y) * 0.29f + to_radians(1), to_radians(-3), to_radians(17));
    float forward = clamp(-d.z * to_radians(12), to_radians(-6), to_radians(12));
    return quat_mul(quat_about(forward, (vec3){{0, 1, 0}}), quat_about(raise, (vec3){{0, 0, 1}}));
}

/* Returns the position of the elbow, and moves the wrist within reach. */
static vec3 bend_arm(vec3 shoulder, vec3 *wrist, vec3 pole)
{
    float upper = vec3_distance(shoulder_at, elbow_at), fore = vec3_distance(elbow_at, wrist_at);
    vec3 along = direction(shoulder, *wrist);
    float reach = clamp(vec3_distance(shoulder, *wrist), 1, 0.992f * (upper + fore));
    *wrist = vec3_add(shoulder, vec3_scale(along, reach));
    float cosine = (upper * upper + reach * reach - fore * fore) / (2 * upper * reach);
    vec3 out = vec3_scale(across(pole, along), upper * sqrtf(1 - cosine * cosine));
    return vec3_add(shoulder, vec3_add(vec3_scale(along, upper * cosine), out));
}

/*
 * Rotates the upper arm: the shortest way to its direction, then about itself so that the elbow bends in its
 * natural plane. The shoulder takes the first part of that twist, the twist bone the next, and the rest shows
 * at the elbow. For a raised arm the shoulder takes less, because of the sleeve; for a hanging one more, for
 * models without twist bones.
 */
static quat set_upper_arm(dance_joints *j, vec3 upper, vec3 pole)
{
    vec3 rest = direction(shoulder_at, elbow_at);
    quat swing = quat_between(rest, upper);
    vec3 wanted = vec3_cross(upper, vec3_negate(pole));
    float twist = angle_about(upper, quat_rotate(swing, hinge), wanted);
    float raised = smoothstep(-0.35f, 0.6f, upper.y);
    float first = limited(twist, lerp(85, 15, raised)), second = limited(twist - first, 70);
    j->arm = quat_mul(quat_about(first, upper), swing);
    j->arm_twist = quat_about(second, rest);
    return quat_mul(j->arm, j->arm_twist);
}

/* Rotates the hand: the forearm's twist turns the palm; the wrist takes a little of it, and bends. */
static void set_hand(dance_joints *j, const arm_shape *shape, quat fore_turn)
{
    vec3 rest = direction(elbow_at, wrist_at), fore = quat_rotate(fore_turn, rest);
    float roll = angle_about(fore, quat_rotate(fore_turn, palm_faces), shape->palm);
    float first = limited(roll, 85), second = limited(roll - first, 20);
    j->wrist_twist = quat_about(first, rest);
    j->wrist = quat_mul(quat_about(second, rest), quat_about(to_radians(shape->flex), (vec3){{0, 0, -1}}));
}

static void set_fingers(dance_joints *j, const hand_shape *hand)
{
    static const vec3 thumb_axis = {{-0.87f, -0.31f, -0.32f}};
    static const float fan[5] = {0, -1, -0.25f, 0.5f, 1.25f};
    for (int finger = 0; finger < 5; finger++)
        for (int bone = 0; bone < 3; bone++) {
            vec3 axis = finger ? (vec3){{0, 0, -1}} : thumb_axis;
            quat curl = quat_about(to_radians(hand->curl[finger][bone]), vec3_normalize(axis));
            if (bone == 0 && finger)
                curl = quat_mul(quat_about(to_radians(hand->spread * fan[finger]), palm_faces), curl);
            j->finger[finger * 3 + bone] = curl;
        }
}

static void mirror_joints(dance_joints *j)
{
    quat *turns[] = {&j->shoulder, &j->arm, &j->arm_twist, &j->elbow, &j->wrist_twist, &j->wrist};
    for (size_t i = 0; i < TOOL_COUNT(turns); i++)
        *turns[i] = dance_mirror(*turns[i]);
    for (int i = 0; i < 15; i++)
        j->finger[i] = dance_mirror(j->finger[i]);
}

dance_joints dance_arm_joints(dance_arm name, int side)
{
    const arm_shape *shape = &shapes[name];
    dance_joints j;
    j.shoulder = shoulder_turn(shape->wrist);
    quat back = quat_inverse(j.shoulder);
    vec3 collar_to_arm = vec3_sub(shoulder_at, collar_at);
    vec3 shoulder = vec3_add(collar_at, quat_rotate(j.shoulder, collar_to_arm));
    vec3 wrist = shape->wrist, elbow = bend_arm(shoulder, &wrist, shape->elbow);
    vec3 upper = quat_rotate(back, direction(shoulder, elbow));
    vec3 pole = quat_rotate(back, across(shape->elbow, direction(shoulder, wrist)));
    quat upper_turn = set_upper_arm(&j, upper, pole);
    quat chest_to_elbow = quat_inverse(quat_mul(j.shoulder, upper_turn));
    vec3 fore = quat_rotate(chest_to_elbow, direction(elbow, wrist));
    j.elbow = quat_between(direction(elbow_at, wrist_at), fore);
    quat fore_turn = quat_mul(j.shoulder, quat_mul(upper_turn, j.elbow));
    set_hand(&j, shape, fore_turn);
    set_fingers(&j, &hands[shape->hand]);
    if (side == RIGHT)
        mirror_joints(&j);
    return j;
}
