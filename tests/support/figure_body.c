/* The body of the figure: its shapes as signed distance functions, its weights, parts and bones. */
#include "figure.h"

#include <math.h>
#include <stdio.h>

#include "mmd/elementary.h"

/* Shapes. The smooth minimum and the distance functions follow I. Quilez, "Distance functions". */

static float smooth_min(float a, float b, float k)
{
    float h = mmd_maxf(k - fabsf(a - b), 0.0f) / k;
    return mmd_minf(a, b) - h * h * k * 0.25f;
}

static float smooth_max(float a, float b, float k)
{
    return -smooth_min(-a, -b, k);
}

static float ellipsoid(const float p[3], float cx, float cy, float cz, float rx, float ry, float rz)
{
    float x = (p[0] - cx) / rx, y = (p[1] - cy) / ry, z = (p[2] - cz) / rz;
    float k0 = sqrtf(x * x + y * y + z * z);
    float gx = x / rx, gy = y / ry, gz = z / rz;
    float k1 = sqrtf(gx * gx + gy * gy + gz * gz);
    return k1 > 1e-6f ? k0 * (k0 - 1.0f) / k1 : -mmd_minf(rx, mmd_minf(ry, rz));
}

/* Returns the distance to a limb from a to b whose radius changes from ra to rb. */
static float limb(const float p[3], const float a[3], const float b[3], float ra, float rb)
{
    float along = 0, square = 0, h, distance = 0;
    for (int i = 0; i < 3; i++) {
        along += (p[i] - a[i]) * (b[i] - a[i]);
        square += (b[i] - a[i]) * (b[i] - a[i]);
    }
    h = figure_clamp(along / square);
    for (int i = 0; i < 3; i++) {
        float d = p[i] - a[i] - h * (b[i] - a[i]);
        distance += d * d;
    }
    return sqrtf(distance) - (ra + h * (rb - ra));
}

static const float shoulder[3] = {1.15f, 10.35f, 0.05f}, elbow[3] = {2.75f, 9.05f, 0.1f},
                   wrist[3] = {4.25f, 7.85f, 0}, fingers[3] = {4.85f, 7.35f, -0.05f},
                   hip[3] = {0.75f, 6.5f, 0}, knee[3] = {0.8f, 3.7f, -0.05f},
                   ankle[3] = {0.82f, 0.95f, 0.12f},
                   tail[4][3] = {
                       {2.2f, 15.1f, 0.7f}, {3.3f, 14.0f, 0.9f}, {3.75f, 11.6f, 1.0f}, {3.5f, 9.0f, 0.8f}};

float figure_head_distance(const float p[3])
{
    float skull = ellipsoid(p, 0, 14.0f, 0.05f, 2.25f, 2.3f, 2.2f);
    float jaw = ellipsoid(p, 0, 12.75f, -0.55f, 1.35f, 1.1f, 1.3f);
    return smooth_min(skull, jaw, 0.9f);
}

static float head_distance(const float p[3])
{
    static const float low[3] = {0, 10.2f, 0.15f}, high[3] = {0, 12.6f, 0.1f};
    return smooth_min(figure_head_distance(p), limb(p, low, high, 0.55f, 0.5f), 0.3f);
}

static float arm_distance(const float p[3])
{
    static const float thumb[3] = {4.35f, 7.35f, -0.5f};
    float d = smooth_min(limb(p, shoulder, elbow, 0.5f, 0.4f), limb(p, elbow, wrist, 0.4f, 0.29f), 0.15f);
    d = smooth_min(d, limb(p, wrist, fingers, 0.34f, 0.3f), 0.2f);
    return smooth_min(d, limb(p, wrist, thumb, 0.2f, 0.14f), 0.15f);
}

static float leg_distance(const float p[3])
{
    return smooth_min(limb(p, hip, knee, 0.85f, 0.55f), limb(p, knee, ankle, 0.52f, 0.36f), 0.2f);
}

static float sock_distance(const float p[3])
{
    float sock = leg_distance(p) - 0.06f;
    return smooth_max(sock, p[1] - 4.7f, 0.35f);
}

static float shoe_distance(const float p[3])
{
    float foot = smooth_min(ellipsoid(p, 0.85f, 0.4f, -0.5f, 0.55f, 0.55f, 0.95f),
                            ellipsoid(p, 0.83f, 0.65f, 0.25f, 0.52f, 0.7f, 0.55f), 0.35f);
    return smooth_max(foot, -p[1], 0.1f);
}

static float sleeve_distance(const float p[3])
{
    return ellipsoid(p, 1.45f, 10.15f, 0.05f, 0.82f, 0.78f, 0.78f);
}

/* Returns the distance to the skirt. It widens downwards from the waist and its pleats grow. */
static float skirt_distance(const float p[3])
{
    float t = figure_clamp((8.2f - p[1]) / 3.3f);
    float pleat = 0.16f * t * mmd_cosf(12.0f * mmd_atan2f(p[0], p[2]));
    float radius = 0.85f + 1.9f * mmd_powf(t, 0.8f) + pleat;
    float side = 0.75f * (sqrtf(p[0] * p[0] + 1.15f * p[2] * p[2]) - radius);
    return smooth_max(smooth_max(side, 4.9f - p[1], 0.4f), p[1] - 8.3f, 0.4f);
}

static float dress_distance(const float p[3])
{
    static const float low[3] = {0, 7.6f, 0}, high[3] = {0, 9.2f, 0};
    float chest = ellipsoid(p, 0, 9.6f, 0, 1.3f, 1.15f, 0.95f);
    float torso = smooth_min(chest, limb(p, low, high, 0.88f, 0.8f), 0.5f);
    return smooth_min(torso, skirt_distance(p), 0.35f);
}

static float collar_distance(const float p[3])
{
    float ring = sqrtf(p[0] * p[0] + p[2] * p[2]) - 0.78f, y = p[1] - 10.55f - 0.12f * p[2];
    float knot = ellipsoid(p, 0, 10.1f, -0.95f, 0.3f, 0.3f, 0.22f);
    float wing = ellipsoid(p, p[0] < 0 ? -0.5f : 0.5f, 10.15f, -0.92f, 0.5f, 0.33f, 0.18f);
    return smooth_min(sqrtf(ring * ring + y * y) - 0.27f, smooth_min(knot, wing, 0.08f), 0.1f);
}

/* Returns the distance to the hair: a cap around the head with an opening for the face, whose upper edge is
 * the fringe. */
static float hair_distance(const float p[3])
{
    float cap = smooth_min(ellipsoid(p, 0, 14.25f, 0.15f, 2.55f, 2.5f, 2.5f),
                           ellipsoid(p, 0, 13.1f, 0.75f, 2.3f, 2.1f, 1.85f), 0.5f);
    float locks = 0.5f * fabsf(mmd_sinf(2.6f * p[0] + 0.5f)) + 0.1f * p[0] * p[0];
    float fringe = 14.35f + locks - 0.22f * p[0] * p[0];
    float window = mmd_maxf(mmd_maxf(0.6f * (p[1] - fringe), p[2] + 0.45f),
                            fabsf(p[0]) - 2.05f + 0.15f * (14.0f - p[1]));
    float below = mmd_maxf(p[2] + 0.3f, p[1] - 12.9f);
    float d = smooth_max(cap, -window, 0.2f);
    d = smooth_max(d, -below, 0.2f);
    /* The lock of hair that sticks up. */
    static const float a[3] = {0.1f, 16.5f, 0}, b[3] = {0.35f, 17.4f, -0.2f}, c[3] = {1.1f, 17.65f, -0.5f};
    d = smooth_min(d, limb(p, a, b, 0.2f, 0.14f), 0.15f);
    return smooth_min(d, limb(p, b, c, 0.14f, 0.03f), 0.08f);
}

static float tail_distance(const float p[3])
{
    float d = limb(p, tail[0], tail[1], 0.45f, 0.85f);
    d = smooth_min(d, limb(p, tail[1], tail[2], 0.85f, 0.8f), 0.4f);
    d = smooth_min(d, limb(p, tail[2], tail[3], 0.8f, 0.2f), 0.4f);
    float groove = 0.05f * mmd_cosf(9.0f * mmd_atan2f(p[0] - 3.4f, p[2] - 0.9f));
    return d + groove;
}

static float tie_distance(const float p[3])
{
    return ellipsoid(p, 2.3f, 15.05f, 0.7f, 0.62f, 0.62f, 0.62f);
}

/* Weights. */

/*
 * A chain of bones for computing weights: bones[0] before the first joint, bones[i + 1] behind joint i, with
 * a smooth transition over width on both sides of each joint. joint[i] and next[i] give the direction of the
 * chain at each joint.
 */
typedef struct chain {
    int count;
    const float *joint[4], *next[4]; /* the joint, and a point in the direction of the chain */
    float width[4];
    int bone[5];
} chain;

/* Computes the weights of a point along a chain of bones, from the last joint towards the first. */
static void weigh_chain(const chain *c, const float p[3], int right, figure_weights *w)
{
    float left_over = 1;
    *w = (figure_weights){.bone = {-1, -1, -1, -1}};
    int used = 0;
    for (int i = c->count - 1; i >= -1 && used < 4; i--) {
        float share = left_over;
        if (i >= 0) {
            float along = 0, square = 0;
            for (int k = 0; k < 3; k++) {
                float axis = c->next[i][k] - c->joint[i][k];
                along += (p[k] - c->joint[i][k]) * axis;
                square += axis * axis;
            }
            share = left_over * figure_step(-c->width[i], c->width[i], along / sqrtf(square));
        }
        left_over -= share;
        if (share < 1e-4f)
            continue;
        int bone = c->bone[i + 1];
        w->bone[used] = bone + (bone >= BONE_SHOULDER ? right : 0);
        w->weight[used++] = share;
    }
}

static void weigh_arm(const float p[3], int right, figure_weights *w)
{
    static const chain arm = {3,
                              {shoulder, elbow, wrist},
                              {elbow, wrist, fingers},
                              {0.5f, 0.45f, 0.3f},
                              {BONE_UPPER2, BONE_ARM, BONE_ELBOW, BONE_WRIST}};
    weigh_chain(&arm, p, right, w);
}

static void weigh_leg(const float p[3], int right, figure_weights *w)
{
    static const float ground[3] = {0.82f, 0, 0.12f};
    static const chain leg = {3,
                              {hip, knee, ankle},
                              {knee, ankle, ground},
                              {0.6f, 0.5f, 0.3f},
                              {BONE_LOWER, BONE_LEG, BONE_KNEE, BONE_ANKLE}};
    weigh_chain(&leg, p, right, w);
}

static void weigh_shoe(const float p[3], int right, figure_weights *w)
{
    (void)p;
    *w = (figure_weights){{BONE_ANKLE + right, -1, -1, -1}, {1}};
}

static void weigh_sleeve(const float p[3], int right, figure_weights *w)
{
    static const chain sleeve = {1, {shoulder}, {elbow}, {0.9f}, {BONE_UPPER2, BONE_ARM}};
    weigh_chain(&sleeve, p, right, w);
}

/* Weighs the dress: above the waist by height, below it each thigh moves its side of the skirt. */
static void weigh_dress(const float p[3], int right, figure_weights *w)
{
    (void)right;
    float upper = figure_step(7.3f, 8.4f, p[1]), chest = figure_step(8.6f, 9.8f, p[1]);
    float thigh = 0.65f * figure_step(7.2f, 5.2f, p[1]), left = figure_step(-1.2f, 1.2f, p[0]);
    if (upper > 0)
        *w = (figure_weights){{BONE_LOWER, BONE_UPPER, BONE_UPPER2, -1},
                              {1 - upper, upper * (1 - chest), upper * chest}};
    else
        *w = (figure_weights){{BONE_LOWER, BONE_LEG, BONE_LEG + 1, -1},
                              {1 - thigh, thigh * left, thigh * (1 - left)}};
}

static void weigh_collar(const float p[3], int right, figure_weights *w)
{
    (void)p, (void)right;
    *w = (figure_weights){{BONE_UPPER2, -1, -1, -1}, {1}};
}

static void weigh_head(const float p[3], int right, figure_weights *w)
{
    float neck = figure_step(10.4f, 11.0f, p[1]), head = figure_step(11.2f, 12.0f, p[1]);
    (void)right;
    *w =
        (figure_weights){{BONE_UPPER2, BONE_NECK, BONE_HEAD, -1}, {1 - neck, neck * (1 - head), neck * head}};
}

static void weigh_hair(const float p[3], int right, figure_weights *w)
{
    (void)p, (void)right;
    *w = (figure_weights){{BONE_HEAD, -1, -1, -1}, {1}};
}

static void weigh_tail(const float p[3], int right, figure_weights *w)
{
    static const chain hair = {3,
                               {tail[0], tail[1], tail[2]},
                               {tail[1], tail[2], tail[3]},
                               {0.3f, 1.0f, 1.2f},
                               {BONE_HEAD, BONE_TAIL1, BONE_TAIL2, BONE_TAIL3}};
    weigh_chain(&hair, p, right, w);
}

/* Parts. */

static const figure_shape skin[] = {
    {head_distance, weigh_head, {-2.8f, 9.4f, -2.6f}, {2.8f, 16.6f, 2.6f}, 0.3f, false},
    {arm_distance, weigh_arm, {0.5f, 6.7f, -0.9f}, {5.4f, 11.1f, 0.9f}, 0.2f, true},
    {leg_distance, weigh_leg, {-0.3f, 0.3f, -1.1f}, {1.9f, 7.6f, 1.1f}, 0.26f, true},
};
static const figure_shape dress[] = {
    {dress_distance, weigh_dress, {-3.3f, 4.6f, -3.3f}, {3.3f, 11, 3.3f}, 0.26f, false},
    {sleeve_distance, weigh_sleeve, {0.4f, 9.2f, -1}, {2.5f, 11.1f, 1}, 0.26f, true},
};
static const figure_shape white[] = {
    {collar_distance, weigh_collar, {-1.4f, 9.5f, -1.5f}, {1.4f, 11.1f, 1.4f}, 0.14f, false},
    {tie_distance, weigh_hair, {1.5f, 14.2f, -0.1f}, {3.1f, 15.9f, 1.5f}, 0.25f, true},
};
static const figure_shape dark[] = {
    {sock_distance, weigh_leg, {0, 0.3f, -0.8f}, {1.7f, 5, 0.9f}, 0.24f, true},
    {shoe_distance, weigh_shoe, {0.1f, -0.3f, -1.7f}, {1.6f, 1.6f, 1.1f}, 0.2f, true},
};
static const figure_shape hair[] = {
    {hair_distance, weigh_hair, {-3, 10.6f, -2.7f}, {3, 18, 3}, 0.17f, false},
    {tail_distance, weigh_tail, {1.6f, 8.0f, -0.3f}, {4.9f, 15.8f, 2.1f}, 0.22f, true},
};

#define SHAPES(name) name, sizeof name / sizeof *name, NULL

const figure_part figure_parts[] = {
    {"肌", "skin", {1.0f, 0.89f, 0.81f}, NULL, 4, 1.0f, SHAPES(skin)},
    {"頬", "blush", {1.0f, 0.55f, 0.5f}, "blush.png", 9, 0, NULL, 0, figure_add_blush},
    {"目", "eyes", {1.0f, 1.0f, 1.0f}, "eye.png", 9, 0, NULL, 0, figure_add_eyes},
    {"口", "mouth", {0.72f, 0.22f, 0.24f}, NULL, 9, 0, NULL, 0, figure_add_mouth},
    {"睫毛", "lashes", {0.25f, 0.16f, 0.2f}, NULL, 9, 0, NULL, 0, figure_add_lines},
    {"服", "dress", {1.0f, 1.0f, 1.0f}, "dress.png", 0, 1.0f, SHAPES(dress)},
    {"襟", "collar", {1.0f, 0.86f, 0.42f}, NULL, 0, 0.8f, SHAPES(white)},
    {"靴", "shoes", {0.3f, 0.3f, 0.46f}, NULL, 0, 1.0f, SHAPES(dark)},
    {"髪", "hair", {1.0f, 1.0f, 1.0f}, "hair.png", 0, 1.0f, SHAPES(hair)},
};
const size_t figure_part_count = sizeof figure_parts / sizeof *figure_parts;

/* Skeleton. */

typedef struct bone_row {
    const char *name, *name_en;
    int parent;
    float position[3];
    uint16_t flags;
    bool paired;
} bone_row;

enum {
    TURNS = MMD_BONE_ROTATABLE | MMD_BONE_VISIBLE | MMD_BONE_OPERABLE,
    MOVES = TURNS | MMD_BONE_MOVABLE,
    SOLVES = MOVES | MMD_BONE_IK
};

/* A pair of bones has one row, that of the left bone. The zeroed row after it is the right bone. */
static const bone_row rows[BONE_COUNT] = {
    [BONE_ROOT] = {"全ての親", "root", -1, {0, 0, 0}, MOVES, false},
    [BONE_CENTER] = {"センター", "center", BONE_ROOT, {0, 6.8f, 0}, MOVES, false},
    [BONE_UPPER] = {"上半身", "upper body", BONE_CENTER, {0, 7.7f, 0}, TURNS, false},
    [BONE_UPPER2] = {"上半身2", "upper body 2", BONE_UPPER, {0, 9.0f, 0}, TURNS, false},
    [BONE_NECK] = {"首", "neck", BONE_UPPER2, {0, 10.9f, 0.15f}, TURNS, false},
    [BONE_HEAD] = {"頭", "head", BONE_NECK, {0, 11.7f, 0.1f}, TURNS, false},
    [BONE_LOWER] = {"下半身", "lower body", BONE_CENTER, {0, 7.7f, 0}, TURNS, false},
    [BONE_SHOULDER] = {"肩", "shoulder", BONE_UPPER2, {0.4f, 10.4f, 0.05f}, TURNS, true},
    [BONE_ARM] = {"腕", "arm", BONE_SHOULDER, {1.15f, 10.35f, 0.05f}, TURNS, true},
    [BONE_ELBOW] = {"ひじ", "elbow", BONE_ARM, {2.75f, 9.05f, 0.1f}, TURNS, true},
    [BONE_WRIST] = {"手首", "wrist", BONE_ELBOW, {4.25f, 7.85f, 0}, TURNS, true},
    [BONE_LEG] = {"足", "leg", BONE_LOWER, {0.75f, 6.5f, 0}, TURNS, true},
    [BONE_KNEE] = {"ひざ", "knee", BONE_LEG, {0.8f, 3.7f, -0.05f}, TURNS, true},
    [BONE_ANKLE] = {"足首", "ankle", BONE_KNEE, {0.82f, 0.95f, 0.12f}, TURNS, true},
    [BONE_TOE] = {"つま先", "toe", BONE_ANKLE, {0.85f, 0.1f, -1.1f}, TURNS, true},
    [BONE_LEG_IK] = {"足ＩＫ", "leg IK", BONE_ROOT, {0.82f, 0.95f, 0.12f}, SOLVES, true},
    [BONE_TOE_IK] = {"つま先ＩＫ", "toe IK", BONE_LEG_IK, {0.85f, 0.1f, -1.1f}, SOLVES, true},
    [BONE_TAIL1] = {"髪１", "hair 1", BONE_HEAD, {2.2f, 15.1f, 0.7f}, TURNS, true},
    [BONE_TAIL2] = {"髪２", "hair 2", BONE_TAIL1, {3.3f, 14.0f, 0.9f}, TURNS, true},
    [BONE_TAIL3] = {"髪３", "hair 3", BONE_TAIL2, {3.75f, 11.6f, 1.0f}, TURNS, true},
};

/* Returns the row of a bone and whether the bone is the right one of a pair. */
static const bone_row *row_of(int bone, bool *right)
{
    *right = !rows[bone].name;
    return &rows[*right ? bone - 1 : bone];
}

void figure_bone_position(int bone, float position[3])
{
    bool right;
    const bone_row *row = row_of(bone, &right);
    for (int i = 0; i < 3; i++)
        position[i] = FIGURE_SCALE * row->position[i] * (right && i == 0 ? -1 : 1);
}

void figure_bone_name(int bone, char *name, size_t capacity)
{
    bool right;
    const bone_row *row = row_of(bone, &right);
    snprintf(name, capacity, "%s%s", !row->paired ? "" : right ? "右" : "左", row->name);
}

static const char *side_name(mmd_arena *arena, const char *side, const char *name)
{
    char text[64];
    int length = snprintf(text, sizeof text, "%s%s", side, name);
    return mmd_arena_text(arena, text, (size_t)length);
}

/* Adds IK to a bone. Two links are a leg, whose knee is limited, and one is a toe. */
static bool make_ik(mmd_model *model, mmd_arena *arena, int bone, int effector, const int *links,
                    uint32_t count)
{
    mmd_ik_link *made = mmd_arena_alloc(arena, count, sizeof *made);
    if (!made)
        return false;
    for (uint32_t i = 0; i < count; i++)
        made[i].bone = links[i];
    model->bones[bone].ik_target = effector;
    model->bones[bone].ik_loops = count > 1 ? 40 : 3;
    model->bones[bone].ik_limit = count > 1 ? 2 : 4;
    model->bones[bone].ik_link_count = count;
    model->bones[bone].ik_links = made;
    if (count > 1) { /* the knee bends in one direction only */
        made[0].has_limit = true;
        made[0].lower[0] = -3.14159265f;
        made[0].upper[0] = -0.00872664626f;
    }
    return true;
}

static bool make_bone(mmd_model *model, mmd_arena *arena, int i)
{
    bool right;
    const bone_row *row = row_of(i, &right);
    mmd_bone *bone = &model->bones[i];
    const char *side = row->paired ? (right ? "右" : "左") : "";
    const char *side_en = row->paired ? (right ? "right " : "left ") : "";
    bone->name = side_name(arena, side, row->name);
    bone->name_en = side_name(arena, side_en, row->name_en);
    bone->parent = row->parent >= BONE_SHOULDER && right ? row->parent + 1 : row->parent;
    bone->flags = row->flags;
    bone->tail_bone = bone->append_source = bone->ik_target = -1;
    figure_bone_position(i, bone->position);
    return bone->name && bone->name_en;
}

bool figure_make_bones(mmd_model *model, mmd_arena *arena)
{
    model->bone_count = BONE_COUNT;
    model->bones = mmd_arena_alloc(arena, BONE_COUNT, sizeof *model->bones);
    if (!model->bones)
        return false;
    for (int i = 0; i < BONE_COUNT; i++)
        if (!make_bone(model, arena, i))
            return false;
    for (int right = 0; right < 2; right++) {
        const int leg[2] = {BONE_KNEE + right, BONE_LEG + right}, toe[1] = {BONE_ANKLE + right};
        if (!make_ik(model, arena, BONE_LEG_IK + right, BONE_ANKLE + right, leg, 2) ||
            !make_ik(model, arena, BONE_TOE_IK + right, BONE_TOE + right, toe, 1))
            return false;
    }
    return true;
}
