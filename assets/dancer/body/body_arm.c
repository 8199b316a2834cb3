/*
 * The puffed sleeve with its hem, and the arm down to the wrist: rings of six
 * points round the arm's axis.
 */
#include "body.h"

#include <math.h>

#include "paint/textures.h"
#include "tool.h"

/* A ring: its position along the arm, its centre across the arm and in z, and its extent up, down and to
 * either side. v is the position down the sleeve's texture. */
typedef struct ring {
    float along, up, z;
    float above, below, wide;
    float v;
    material_id material; /* of the faces from this ring to the next */
    bool sharp;
} ring;

static const ring rings[] = {
    /* the sleeve: gathered at the shoulder, full, gathered into the hem's piping */
    {0.17f, 0.00f, 0.12f, 0.47f, 0.48f, 0.55f, 0.0f, MATERIAL_TOP, false},
    {0.45f, 0.00f, 0.13f, 0.53f, 0.52f, 0.60f, 0.38f, MATERIAL_TOP, false},
    {0.76f, 0.00f, 0.15f, 0.43f, 0.45f, 0.49f, 0.80f, MATERIAL_TOP, false},
    {0.84f, 0.00f, 0.15f, 0.40f, 0.42f, 0.45f, 0.86f, MATERIAL_TRIM, true},
    {0.97f, 0.00f, 0.16f, 0.41f, 0.43f, 0.45f, 1.0f, MATERIAL_TRIM, true},
    {0.985f, 0.00f, 0.16f, 0.305f, 0.325f, 0.345f, 0, MATERIAL_SKIN, true},
    /* upper arm; elbow, whose point stands out behind; forearm, fullest below it; wrist */
    {1.30f, 0.00f, 0.16f, 0.295f, 0.315f, 0.33f, 0, MATERIAL_SKIN, false},
    {1.85f, 0.00f, 0.172f, 0.272f, 0.292f, 0.308f, 0, MATERIAL_SKIN, false},
    {2.32f, 0.00f, 0.198f, 0.242f, 0.252f, 0.265f, 0, MATERIAL_SKIN, false},
    {2.55f, 0.00f, 0.218f, 0.228f, 0.236f, 0.248f, 0, MATERIAL_SKIN, false},
    {2.70f, 0.00f, 0.230f, 0.228f, 0.236f, 0.250f, 0, MATERIAL_SKIN, false},
    {2.85f, 0.00f, 0.220f, 0.235f, 0.243f, 0.255f, 0, MATERIAL_SKIN, false},
    {3.05f, 0.00f, 0.198f, 0.250f, 0.256f, 0.275f, 0, MATERIAL_SKIN, false},
    {3.45f, 0.00f, 0.172f, 0.252f, 0.258f, 0.288f, 0, MATERIAL_SKIN, false},
    {4.10f, 0.00f, 0.140f, 0.205f, 0.212f, 0.242f, 0, MATERIAL_SKIN, false},
    {4.75f, 0.00f, 0.112f, 0.152f, 0.162f, 0.190f, 0, MATERIAL_SKIN, false},
    {5.10f, 0.00f, 0.105f, 0.140f, 0.150f, 0.190f, 0, MATERIAL_SKIN, false},
};
enum { RINGS = TOOL_COUNT(rings) };

/* Angles of the six points in degrees: 0 in front, 90 above. */
static const float angles[ARM_SIDES] = {-90, -150, 150, 90, 30, -30};
static const float columns_u[ARM_SIDES + 1] = {0, 1 / 6.0f, 2 / 6.0f, 3 / 6.0f, 4 / 6.0f, 5 / 6.0f, 1};

/* Returns the outline's width: none in the crook of the elbow, where the bent arm would show scraps of it. In
 * front that is far along the arm, at the sides only next to the joint. */
static float outline(float along, float angle)
{
    const float elbow = 2.7f;
    float reach = lerp(0.40f, 0.85f, body_ramp(0, 0.8f, mmd_cosf(angle)));
    float near = 1 - body_ramp(0.25f * reach, reach, fabsf(along - elbow));
    return 1 - near * body_ramp(-0.8f, -0.1f, mmd_cosf(angle));
}

static void add_ring(body_build *b, const ring *g, int32_t points[ARM_SIDES])
{
    for (int i = 0; i < ARM_SIDES; i++) {
        float angle = to_radians(angles[i]), s = mmd_sinf(angle);
        float up = g->up + s * (s > 0 ? g->above : g->below);
        vec3 p = rig_on_arm(g->along, up, g->z - g->wide * mmd_cosf(angle));
        /* The start of the sleeve follows the shoulder too. */
        cage_skin skin = skin_mix(body_torso_skin(b->r, p), body_arm_skin(b->r, g->along),
                                  body_ramp(-0.15f, 0.80f, g->along));
        points[i] = cage_point(&b->c, p, skin);
        b->c.edge[points[i]] = outline(g->along, angle);
    }
    if (g->sharp)
        body_crease(&b->c, points, ARM_SIDES, true);
}

static float texture_v(const ring *g)
{
    return TEXTURE_TOP_SLEEVE + (1 - TEXTURE_TOP_SLEEVE) * g->v;
}

/* Adds the torso's cloth between armhole and sleeve; on its texture it runs toward the middle of the hole. */
static void add_seam(body_build *b, const body_armhole *hole, const int32_t points[ARM_SIDES])
{
    vec2 middle = vec2_lerp(hole->uv[ARM_TOP], hole->uv[ARM_BOTTOM], 0.5f), inner[ARM_SIDES];
    for (int i = 0; i < ARM_SIDES; i++)
        inner[i] = vec2_lerp(hole->uv[i], middle, 0.5f);
    for (int i = 0; i < ARM_SIDES; i++) {
        int j = (i + 1) % ARM_SIDES;
        cage_quad(&b->c, hole->points[i], hole->points[j], points[j], points[i],
                  (const vec2[4]){hole->uv[i], hole->uv[j], inner[j], inner[i]}, MATERIAL_TOP);
    }
}

void body_arm(body_build *b, const body_armhole *armhole, int32_t wrist[ARM_SIDES])
{
    int32_t points[RINGS][ARM_SIDES];
    for (int i = 0; i < RINGS; i++)
        add_ring(b, &rings[i], points[i]);
    add_seam(b, armhole, points[0]);
    for (int i = 1; i < RINGS; i++) {
        const ring *above = &rings[i - 1], *below = &rings[i];
        body_bridge(
            &b->c, points[i - 1], points[i],
            &(body_strip){columns_u, texture_v(above), texture_v(below), ARM_SIDES, true, above->material});
    }
    for (int k = 0; k < ARM_SIDES; k++)
        wrist[k] = points[RINGS - 1][k];
}
