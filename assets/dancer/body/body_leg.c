/*
 * The leg: shorts to their hem, bare thigh, the over-knee sock with its band,
 * the boot's shaft down to the ankle. Rings of eight points.
 */
#include "body.h"

#include <math.h>

#include "tool.h"

/* A ring: height, centre, and its extent to the inner and outer side, to the front and to the back. v and
 * material are those of the faces from this ring to the next. */
typedef struct ring {
    float y, x, z;
    float inner, outer, front, back;
    float v, v_next;
    material_id material;
    bool sharp;
} ring;

static const ring rings[] = {
    /* shorts and their hem */
    {9.92f, 0.76f, 0.06f, 0.66f, 0.65f, 0.64f, 0.75f, 0.5f, 0.5f, MATERIAL_SOCK, true},
    {9.905f, 0.76f, 0.05f, 0.62f, 0.62f, 0.61f, 0.71f, 0.5f, 0.5f, MATERIAL_SKIN, true},
    /* thigh */
    {9.10f, 0.79f, 0.00f, 0.60f, 0.625f, 0.615f, 0.64f, 0.5f, 0.5f, MATERIAL_SKIN, false},
    {8.30f, 0.815f, -0.03f, 0.55f, 0.575f, 0.58f, 0.575f, 0.5f, 0.5f, MATERIAL_SKIN, false},
    {7.83f, 0.825f, -0.05f, 0.505f, 0.525f, 0.545f, 0.53f, 0.5f, 0.5f, MATERIAL_SKIN, true},
    /* sock */
    {7.815f, 0.825f, -0.05f, 0.525f, 0.545f, 0.565f, 0.55f, 0.0f, 0.11f, MATERIAL_SOCK, true},
    {7.35f, 0.835f, -0.06f, 0.475f, 0.495f, 0.52f, 0.49f, 0.11f, 0.26f, MATERIAL_SOCK, false},
    {6.65f, 0.84f, -0.08f, 0.395f, 0.415f, 0.455f, 0.40f, 0.26f, 0.333f, MATERIAL_SOCK, false},
    {6.32f, 0.843f, -0.09f, 0.373f, 0.388f, 0.443f, 0.362f, 0.333f, 0.4f, MATERIAL_SOCK, false},
    {6.02f, 0.845f, -0.09f, 0.36f, 0.37f, 0.43f, 0.335f, 0.4f, 0.465f, MATERIAL_SOCK, false},
    {5.71f, 0.848f, -0.065f, 0.368f, 0.380f, 0.400f, 0.362f, 0.465f, 0.53f, MATERIAL_SOCK, false},
    {5.38f, 0.85f, -0.03f, 0.385f, 0.40f, 0.37f, 0.40f, 0.53f, 0.7f, MATERIAL_SOCK, false},
    {4.60f, 0.85f, 0.03f, 0.42f, 0.445f, 0.345f, 0.49f, 0.7f, 1.0f, MATERIAL_SOCK, false},
    {3.215f, 0.85f, 0.09f, 0.325f, 0.335f, 0.285f, 0.365f, 0.0f, 0.0f, MATERIAL_BOOT, true},
    /* boot: over the rim, the cuff with its step, the shaft */
    {3.25f, 0.85f, 0.09f, 0.38f, 0.395f, 0.34f, 0.42f, 0.0f, 0.0f, MATERIAL_BOOT, true},
    {3.23f, 0.85f, 0.09f, 0.435f, 0.45f, 0.395f, 0.475f, 0.0f, 0.09f, MATERIAL_BOOT, true},
    {2.92f, 0.85f, 0.10f, 0.41f, 0.425f, 0.37f, 0.45f, 0.09f, 0.095f, MATERIAL_BOOT, true},
    {2.89f, 0.85f, 0.10f, 0.375f, 0.39f, 0.34f, 0.415f, 0.095f, 0.29f, MATERIAL_BOOT, true},
    {2.25f, 0.85f, 0.12f, 0.315f, 0.33f, 0.295f, 0.375f, 0.28f, 0.46f, MATERIAL_BOOT, false},
    {1.48f, 0.85f, 0.14f, 0.225f, 0.235f, 0.265f, 0.255f, 0.46f, 0.46f, MATERIAL_BOOT, false},
};
enum { RINGS = TOOL_COUNT(rings) };

/* u of the columns: eighths of a turn, from the back over the inside to the front. */
static const float columns_u[LEG_SIDES + 1] = {0, 0.125f, 0.25f, 0.375f, 0.5f, 0.625f, 0.75f, 0.875f, 1};

static void add_ring(body_build *b, const ring *g, int32_t points[LEG_SIDES])
{
    for (int i = 0; i < LEG_SIDES; i++) {
        float angle = (float)i * PI / 4, s = -mmd_sinf(angle), c = mmd_cosf(angle);
        vec3 p = {{g->x + s * (s < 0 ? g->inner : g->outer), g->y, g->z + c * (c > 0 ? g->back : g->front)}};
        points[i] = cage_point(&b->c, p, body_leg_skin(b->r, p));
    }
    if (g->sharp)
        body_crease(&b->c, points, LEG_SIDES, true);
}

void body_leg(body_build *b, const int32_t hip[LEG_SIDES], int32_t ankle[LEG_SIDES])
{
    int32_t points[RINGS][LEG_SIDES];
    for (int i = 0; i < RINGS; i++) {
        add_ring(b, &rings[i], points[i]);
        if (i == 0) {
            body_bridge(&b->c, hip, points[0],
                        &(body_strip){columns_u, 0.5f, 0.5f, LEG_SIDES, true, MATERIAL_SOCK});
            continue;
        }
        const ring *above = &rings[i - 1];
        body_bridge(&b->c, points[i - 1], points[i],
                    &(body_strip){columns_u, above->v, above->v_next, LEG_SIDES, true, above->material});
    }
    for (int k = 0; k < LEG_SIDES; k++)
        ankle[k] = points[RINGS - 1][k];
}
