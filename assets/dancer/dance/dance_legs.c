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
static const vec3s leg_at = RIG_LEG, knee_at = RIG_KNEE, ankle_at = RIG_ANKLE;
static const vec3s center_at = RIG_CENTER, groove_at = RIG_GROOVE, waist_at = RIG_WAIST;

/* Share of the straight leg's length that is used, so that knees never lock. */
static const float reach = 0.992f;
/* Frames from key to key. */
enum { LEG_STEP = 3 };

static vec3s on_side(vec3s v, int side)
{
    return (vec3s){{side == LEFT ? v.x : -v.x, v.y, v.z}};
}

/* Returns the top of the leg, and the rotation of the hips. */
static dance_place hip_at(const dance_book *book, int side, float frame)
{
    dance_place center = dance_at(&book->tracks[BONE_CENTER], frame);
    dance_place groove = dance_at(&book->tracks[BONE_GROOVE], frame);
    dance_place lower = dance_at(&book->tracks[BONE_LOWER], frame);
    vec3s from_waist = glms_quat_rotatev(lower.turn, glms_vec3_sub(on_side(leg_at, side), waist_at));
    vec3s from_groove = glms_vec3_add(glms_vec3_sub(waist_at, groove_at), from_waist);
    vec3s from_center = glms_vec3_add(glms_vec3_sub(groove_at, center_at), groove.move);
    from_center = glms_vec3_add(from_center, glms_quat_rotatev(groove.turn, from_groove));
    vec3s at =
        glms_vec3_add(glms_vec3_add(center_at, center.move), glms_quat_rotatev(center.turn, from_center));
    return (dance_place){at, glms_quat_mul(center.turn, glms_quat_mul(groove.turn, lower.turn))};
}

/* Returns the ankle, and the rotation of the foot. */
static dance_place foot_at(const dance_book *book, int side, float frame)
{
    dance_place foot = dance_at(&book->tracks[BONE_FOOT + side], frame);
    foot.move = glms_vec3_add(foot.move, on_side(ankle_at, side));
    return foot;
}

/* Hips. */

static float leg_length(void)
{
    return glms_vec3_distance(leg_at, knee_at) + glms_vec3_distance(knee_at, ankle_at);
}

/* Returns how much the hips are too high at a frame for the leg of a side. */
static float too_high(const dance_book *book, int side, float frame)
{
    vec3s hip = hip_at(book, side, frame).move, ankle = foot_at(book, side, frame).move;
    /* Many models have no グルーブ, so its lowering is ignored. */
    hip.y -= dance_at(&book->tracks[BONE_GROOVE], frame).move.y;
    float x = hip.x - ankle.x, z = hip.z - ankle.z, length = reach * leg_length();
    return hip.y - ankle.y - sqrtf(glm_max(length * length - x * x - z * z, 1));
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
        float by = glm_max(too_high(book, LEFT, frame), too_high(book, RIGHT, frame));
        if (by > 1e-4f) {
            lower_hips(&book->tracks[BONE_CENTER], frame, by + 1e-3f);
            lowered = true;
        }
    }
    return lowered;
}

/* Legs. */

/* Returns the angle about X, in radians, that bends the knee so that hip and ankle are `distance` apart. */
static float knee_angle(vec3s thigh, vec3s shin, float distance)
{
    float t = glms_vec3_norm(thigh), s = glms_vec3_norm(shin);
    float rest = atan2f(shin.z, shin.y) - atan2f(thigh.z, thigh.y);
    float cosine = (distance * distance - t * t - s * s) / (2 * t * s);
    float rest_angle = rest > GLM_PIf ? rest - 2 * GLM_PIf : rest < -GLM_PIf ? rest + 2 * GLM_PIf : rest;
    return -acosf(glm_clamp(cosine, -1, 1)) - rest_angle;
}

/* Returns the rotation that maps the unit vector a to b and the X axis as near to `x` as possible. */
static versors turn_to(vec3s a, vec3s b, vec3s x)
{
    vec3s right = {{1, 0, 0}};
    vec3s to = glms_vec3_normalize(glms_vec3_sub(x, glms_vec3_scale(b, glms_vec3_dot(x, b))));
    versors first = glms_quat_from_vecs(right, to);
    versors second = glms_quat_from_vecs(glms_quat_rotatev(first, a), b);
    return glms_quat_mul(second, first);
}

static void bend_leg(dance_book *book, int side, int frame)
{
    dance_place hip = hip_at(book, side, (float)frame), foot = foot_at(book, side, (float)frame);
    vec3s thigh = glms_vec3_sub(knee_at, leg_at), shin = glms_vec3_sub(ankle_at, knee_at);
    thigh.x = shin.x = 0;
    vec3s way = glms_vec3_sub(foot.move, hip.move);
    versors knee = glms_quat(knee_angle(thigh, shin, glms_vec3_norm(way)), 1, 0, 0);
    vec3s bent = glms_vec3_normalize(glms_vec3_add(thigh, glms_quat_rotatev(knee, shin)));
    versors toes = glms_quat_slerp(hip.turn, foot.turn, 0.3f);
    vec3s across = glms_quat_rotatev(toes, (vec3s){{1, 0, 0}});
    versors leg = turn_to(bent, glms_vec3_normalize(way), across);
    dance_place leg_key = dance_turned(glms_quat_mul(glms_quat_conjugate(hip.turn), leg));
    dance_place knee_key = dance_turned(knee);
    versors shin_turn = glms_quat_mul(leg, knee);
    dance_place ankle_key = dance_turned(glms_quat_mul(glms_quat_conjugate(shin_turn), foot.turn));
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
