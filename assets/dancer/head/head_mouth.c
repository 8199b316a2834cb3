/* The upper teeth, an arch behind the lip that comes down as the mouth opens, and the tongue. */
#include <math.h>

#include "head.h"
#include "paint/textures.h"

enum { TEETH_ON_LIP = 7, TEETH_SECTIONS = TEETH_ON_LIP + 2, TONGUE_SECTIONS = 4, TONGUE_POINTS = 7 };

static const vec2 tongue_uv[4] = {{{0.45f, 0.74f}}, {{0.55f, 0.74f}}, {{0.55f, 0.84f}}, {{0.45f, 0.84f}}};

/*
 * Lays out the arch from x = 0 along the lip and on behind the cheek, with four corners for each section:
 * front top, front bottom, back bottom, back top. Its lower edge runs between the lips and meets them in the
 * corner. With the mouth shut it stays above the upper lip.
 */
static void lay_teeth(const head_look *look, vec3 *points)
{
    const head_mouth *mouth = look->mouth;
    const float hidden = 0.03f, above = 0.05f, thick = 0.03f;
    for (int i = 0; i < TEETH_SECTIONS; i++) {
        float t = mmd_minf((float)i / (TEETH_ON_LIP - 1), 1),
              beyond = 0.06f * mmd_maxf((float)(i + 1 - TEETH_ON_LIP), 0);
        vec2 upper = head_curve(mouth->upper, HEAD_LIP_KEYS, t);
        vec2 lower = head_curve(mouth->lower, HEAD_LIP_KEYS, t);
        if (mouth->teeth <= 0)
            upper.y = mouth->upper[0].y; /* no teeth, or the sides of a round mouth, where none show */
        float bottom = lerp(upper.y + hidden, lower.y, mouth->teeth), behind = 0.05f - 0.015f * t;
        upper.x += beyond;
        vec3 low = head_lift(look, upper, 0), high = head_lift(look, (vec2){{upper.x, upper.y + above}}, 0);
        points[4 * i] = (vec3){{upper.x, upper.y + above, high.z + behind}};
        points[4 * i + 1] = (vec3){{upper.x, bottom, low.z + behind}};
        points[4 * i + 2] = (vec3){{0.95f * upper.x, bottom, low.z + behind + thick}};
        points[4 * i + 3] = (vec3){{0.95f * upper.x, upper.y + above, high.z + behind + thick}};
    }
}

/* Lays out the right half of a tube, as half circles from its lower to its upper middle, with a point at
 * either end. */
static void lay_tongue(const head_look *look, vec3 *points)
{
    static const float ways[TONGUE_SECTIONS] = {0.05f, 0.2f, 0.55f, 1};
    static const float sizes[TONGUE_SECTIONS] = {0.55f, 0.88f, 1.0f, 0.75f};
    const head_mouth *mouth = look->mouth;
    const float length = 0.34f, high = 0.05f + 0.5f * mouth->tongue;
    const float wide = 0.05f + 0.55f * mouth->upper[HEAD_LIP_KEYS - 1].x;
    const float y = mouth->lower[0].y + mouth->tongue - high - 0.01f;
    const float z = head_lift(look, mouth->lower[0], 0).z + 0.09f;
    for (int i = 0; i < TONGUE_SECTIONS; i++)
        for (int k = 0; k < TONGUE_POINTS; k++) {
            float angle = PI * ((float)k / (TONGUE_POINTS - 1) - 0.5f);
            float x = k == 0 || k == TONGUE_POINTS - 1 ? 0 : wide * sizes[i] * mmd_cosf(angle);
            points[i * TONGUE_POINTS + k] =
                (vec3){{x, y + high * sizes[i] * mmd_sinf(angle), z + length * ways[i]}};
        }
    points[TONGUE_SECTIONS * TONGUE_POINTS] = (vec3){{0, y, z}};
    points[TONGUE_SECTIONS * TONGUE_POINTS + 1] = (vec3){{0, y, z + length}};
}

static void add_teeth(cage *c, const rig *r)
{
    int32_t first = head_points(c, lay_teeth, 4 * TEETH_SECTIONS, skin1(rig_find(r, "頭")));
    const vec2 uv[4] = {{{0.3f, 0.04f}}, {{0.3f, 0.18f}}, {{0.6f, 0.18f}}, {{0.6f, 0.04f}}};
    for (int i = 0; i + 1 < TEETH_SECTIONS; i++)
        for (int k = 0; k < 4; k++) {
            int32_t a = first + 4 * i + k, b = first + 4 * i + (k + 1) % 4;
            cage_quad(c, a, b, b + 4, a + 4, uv, MATERIAL_MOUTH);
            cage_set_crease(c, a, a + 4, 2);
        }
    int32_t end = first + 4 * (TEETH_SECTIONS - 1);
    cage_quad(c, end, end + 1, end + 2, end + 3, uv, MATERIAL_MOUTH);
}

static void add_tongue(cage *c, const rig *r)
{
    enum { COUNT = TONGUE_SECTIONS * TONGUE_POINTS };
    int32_t first = head_points(c, lay_tongue, COUNT + 2, skin1(rig_find(r, "頭")));
    for (int i = 0; i + 1 < TONGUE_SECTIONS; i++)
        for (int k = 0; k + 1 < TONGUE_POINTS; k++) {
            int32_t a = first + i * TONGUE_POINTS + k;
            cage_quad(c, a, a + 1, a + TONGUE_POINTS + 1, a + TONGUE_POINTS, tongue_uv, MATERIAL_MOUTH);
        }
    for (int k = 0; k + 1 < TONGUE_POINTS; k++) {
        int32_t front = first + k, back = front + (TONGUE_SECTIONS - 1) * TONGUE_POINTS;
        cage_quad(c, front, front + 1, first + COUNT, CAGE_NONE, tongue_uv, MATERIAL_MOUTH);
        cage_quad(c, back, back + 1, first + COUNT + 1, CAGE_NONE, tongue_uv, MATERIAL_MOUTH);
    }
}

void head_mouth_make(cage *c, const rig *r)
{
    add_teeth(c, r);
    add_tongue(c, r);
    cage_mirror(c, r, false);
}
