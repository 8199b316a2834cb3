/*
 * Legs between hips and feet. IK would bend them in any case, starting from their keys, so the keys already
 * contain the right pose: knees between the direction of the hips and of the toes, soles level. That leaves
 * little for IK, and covers what it cannot do: a foot that leans with its leg.
 */
#include "dance_body.h"

#include <math.h>

#include "rig/rig_places.h"
#include "tool.h"

static const mmd_curve even = {20, 20, 107, 107};

/* The left leg at rest, and the bones above it. */
static const vec3 leg_at = RIG_LEG, knee_at = RIG_KNEE, ankle_at = RIG_ANKLE;
static const vec3 center_at = RIG_CENTER, groove_at = RIG_GROOVE, waist_at = RIG_WAIST;

/* Share of the straight leg's length that is used, so that knees never lock. */
static const float reach = 0.992f;
/* Frames from key to key. */
enum { LEG_STEP = 3 };

static vec3 on_side(vec3 v, int side)
{
    return (vec3){{side == LEFT ? v.x : -v.x, v.y, v.z}};
}

/* Returns the top of the leg, and the rotation of the hips. */
static dance_place hip_at(const dance_book *book, int side, float frame)
{
    dance_place center = dance_at(&book->tracks[BONE_CENTER], frame);
    dance_place groove = dance_at(&book->tracks[BONE_GROOVE], frame);
    dance_place lower = dance_at(&book->tracks[BONE_LOWER], frame);
    vec3 from_waist = quat_rotate(lower.turn, vec3_sub(on_side(leg_at, side), waist_at));
    vec3 from_groove = vec3_add(vec3_sub(waist_at, groove_at), from_waist);
    vec3 from_center = vec3_add(vec3_sub(groove_at, center_at), groove.move);
    from_center = vec3_add(from_center, quat_rotate(groove.turn, from_groove));
    vec3 at = vec3_add(vec3_add(center_at, center.move), quat_rotate(center.turn, from_center));
    return (dance_place){at, quat_mul(center.turn, quat_mul(groove.turn, lower.turn))};
}

/* Returns the ankle, and the rotation of the foot. */
static dance_place foot_at(const dance_book *book, int side, float frame)
{
    dance_place foot = dance_at(&book->tracks[BONE_FOOT + side], frame);
    foot.move = vec3_add(foot.move, on_side(ankle_at, side));
    return foot;
}

/* Hips. */

static float leg_length(void)
{
    return vec3_distance(leg_at, knee_at) + vec3_distance(knee_at, ankle_at);
}

/* Returns how much the hips are too high at a frame for the leg of a side. */
static float too_high(const dance_book *book, int side, float frame)
{
    vec3 hip = hip_at(book, side, frame).move, ankle = foot_at(book, side, frame).move;
    /* Many models have no グルーブ, so its lowering is ignored. */
    hip.y -= dance_at(&book->tracks[BONE_GROOVE], frame).move.y;
    float x = hip.x - ankle.x, z = hip.z - ankle.z, length = reach * leg_length();
    return hip.y - ankle.y - sqrtf(mmd_maxf(length * length - x * x - z * z, 1));
}

/* Lowers the two keys around a frame. */
static void lower_hips(dance_track *center, float frame, float by)
{
    uint32_t i = 0;
    while (i + 1 < center->count && (float)center->keys[i + 1].frame <= frame)
        i++;
    center->keys[i].place.move.y -= by;
    if (i + 1 < center->count)
        center->keys[i + 1].place.move.y -= by;
}

/* Makes one pass over every quarter of a frame. Returns whether anything was too high. */
static bool lower_where_needed(dance_book *book)
{
    bool lowered = false;
    for (int quarter = 0; quarter <= 4 * SCORE_FRAMES; quarter++) {
        float frame = (float)quarter / 4;
        float by = mmd_maxf(too_high(book, LEFT, frame), too_high(book, RIGHT, frame));
        if (by > 1e-4f) {
            lower_hips(&book->tracks[BONE_CENTER], frame, by + 1e-3f);
            lowered = true;
        }
    }
    return lowered;
}

/* Legs. */

/* Returns the angle about X, in radians, that bends the knee so that hip and ankle are `distance` apart. */
static float knee_angle(vec3 thigh, vec3 shin, float distance)
{
    float t = vec3_length(thigh), s = vec3_length(shin);
    float rest = mmd_atan2f(shin.z, shin.y) - mmd_atan2f(thigh.z, thigh.y);
    float cosine = (distance * distance - t * t - s * s) / (2 * t * s);
    float rest_angle = rest > PI ? rest - 2 * PI : rest < -PI ? rest + 2 * PI : rest;
    return -mmd_acosf(clamp(cosine, -1, 1)) - rest_angle;
}

/* Returns the rotation that maps the unit vector a to b and the X axis as near to `x` as possible. */
static quat turn_to(vec3 a, vec3 b, vec3 x)
{
    vec3 right = {{1, 0, 0}};
    vec3 to = vec3_normalize(vec3_sub(x, vec3_scale(b, vec3_dot(x, b))));
    quat first = quat_between(right, to);
    quat second = quat_between(quat_rotate(first, a), b);
    return quat_mul(second, first);
}

static void bend_leg(dance_book *book, int side, int frame)
{
    dance_place hip = hip_at(book, side, (float)frame), foot = foot_at(book, side, (float)frame);
    vec3 thigh = vec3_sub(knee_at, leg_at), shin = vec3_sub(ankle_at, knee_at);
    thigh.x = shin.x = 0;
    vec3 way = vec3_sub(foot.move, hip.move);
    quat knee = quat_about(knee_angle(thigh, shin, vec3_length(way)), (vec3){{1, 0, 0}});
    vec3 bent = vec3_normalize(vec3_add(thigh, quat_rotate(knee, shin)));
    quat toes = quat_slerp(hip.turn, foot.turn, 0.3f);
    vec3 across = quat_rotate(toes, (vec3){{1, 0, 0}});
    quat leg = turn_to(bent, vec3_normalize(way), across);
    dance_place leg_key = dance_turned(quat_mul(quat_inverse(hip.turn), leg));
    dance_place knee_key = dance_turned(knee);
    quat shin_turn = quat_mul(leg, knee);
    dance_place ankle_key = dance_turned(quat_mul(quat_inverse(shin_turn), foot.turn));
    dance_put(book, BONE_LEG + side, frame, &leg_key, even);
    dance_put(book, BONE_KNEE + side, frame, &knee_key, even);
    dance_put(book, BONE_ANKLE + side, frame, &ankle_key, even);
}

static bool has_key(const dance_track *track, int frame)
{
    for (uint32_t i = 0; i < track->count; i++)
        if (track->keys[i].frame == frame)
            return true;
    return false;
}

void dance_legs(dance_book *book)
{
    int rounds = 0;
    while (lower_where_needed(book))
        if (++rounds == 40)
            tool_die("a leg cannot reach its foot, whatever the hips do");
    for (int side = LEFT; side <= RIGHT; side++)
        for (int frame = 0; frame <= SCORE_FRAMES; frame++)
            if (frame % LEG_STEP == 0 || has_key(&book->tracks[BONE_FOOT + side], frame))
                bend_leg(book, side, frame);
}
