/* The bones that the body's skin follows. Weights are functions of the position at rest; subdivision
 * smooths them further. */
#include "body.h"

#include <math.h>

#include "tool.h"

/* Returns the weights of pelvis, waist and chest at a height. */
static cage_skin trunk_skin(const rig *r, float y)
{
    cage_skin lower = skin1(rig_find(r, "下半身")), middle = skin1(rig_find(r, "上半身"));
    cage_skin upper = skin1(rig_find(r, "上半身2"));
    return skin_mix(skin_mix(lower, middle, body_ramp(11.5f, 12.7f, y)), upper, body_ramp(12.7f, 14.1f, y));
}

/* Adds shoulder and arm at the upper corner of the chest: the collar bone above the armpit, the arm around
 * its joint. The armpit stays with the chest when the arm goes up, although it lies far along the arm. */
static cage_skin shoulder_skin(const rig *r, vec3 p, cage_skin trunk)
{
    float below = mmd_maxf(0, -rig_across_arm(p));
    float collar = body_ramp(0.35f, 0.95f, p.x) * body_ramp(14.1f, 15.0f, p.y);
    float arm = body_ramp(-0.65f, 0.65f, rig_along_arm(p) - 0.42f * below) * body_ramp(13.6f, 14.3f, p.y);
    cage_skin skin = skin_mix(trunk, skin1(rig_find(r, "左肩")), 0.8f * collar);
    return skin_mix(skin, skin1(rig_find(r, "左腕")), arm);
}

/* Returns the thigh's share: below the groin, and further down between the legs, where both thighs pull. */
static float thigh_share(vec3 p)
{
    float beside = body_ramp(0.0f, 0.4f, p.x), below = body_ramp(10.0f, 9.0f, p.y);
    return body_ramp(11.05f, 9.95f, p.y) * mmd_maxf(beside, below);
}

static cage_skin hip_skin(const rig *r, vec3 p, cage_skin trunk)
{
    return skin_mix(trunk, skin1(rig_find(r, "左足D")), thigh_share(p));
}

cage_skin body_torso_skin(const rig *r, vec3 p)
{
    cage_skin trunk = trunk_skin(r, p.y);
    return p.y > 13 ? shoulder_skin(r, p, trunk) : hip_skin(r, p, trunk);
}

typedef struct stop {
    const char *bone;
    float at;
} stop;

/* Mixes the two stops around a position. */
static cage_skin between(const rig *r, const stop *stops, int count, float at)
{
    int i = 1;
    while (i < count - 1 && at > stops[i].at)
        i++;
    const stop *a = &stops[i - 1], *b = &stops[i];
    return skin2(rig_find(r, a->bone), rig_find(r, b->bone), (at - a->at) / (b->at - a->at));
}

/* Stops at which one bone of the arm holds all the weight. The elbow lies at 2.7, the wrist at 5.1. */
cage_skin body_arm_skin(const rig *r, float along)
{
    static const stop stops[] = {
        {"左腕", 0.2f},    {"左腕捩1", 0.675f}, {"左腕捩2", 1.35f}, {"左腕捩3", 1.95f}, {"左腕捩", 2.25f},
        {"左腕捩", 2.52f}, {"左ひじ", 2.88f},   {"左ひじ", 3.15f},  {"左手捩1", 3.5f},  {"左手捩2", 4.0f},
        {"左手捩3", 4.5f}, {"左手捩", 4.85f},   {"左手首", 5.25f},
    };
    return between(r, stops, TOOL_COUNT(stops), along);
}

/* The same for the leg: knee at 6.0, ankle at 1.3. Positions are negative heights, because they count from
 * above. */
cage_skin body_leg_skin(const rig *r, vec3 p)
{
    static const stop stops[] = {
        {"左足D", -9.9f}, {"左足D", -6.5f}, {"左ひざD", -5.5f}, {"左ひざD", -1.9f}, {"左足首D", -1.0f},
    };
    cage_skin skin = between(r, stops, TOOL_COUNT(stops), -p.y);
    skin = skin_mix(skin1(rig_find(r, "下半身")), skin, thigh_share(p));
    float toes = body_ramp(-0.45f, -1.05f, p.z) * body_ramp(1.3f, 0.9f, p.y);
    return skin_mix(skin, skin1(rig_find(r, "左足先EX")), toes);
}
