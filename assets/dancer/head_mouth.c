/* Upper teeth, an arch behind the lip that comes down as the mouth opens, and the tongue. */
#include <math.h>

#include "head.h"
#include "textures.h"

enum { TEETH_SECTIONS = 6, TONGUE_SECTIONS = 4, TONGUE_POINTS = 5 };

static const vec2s tongue_uv[4] = {{{0.45f, 0.74f}}, {{0.55f, 0.74f}}, {{0.55f, 0.84f}}, {{0.45f, 0.84f}}};

/* The arch from x = 0 to its end, four corners a section: front top, front bottom, back bottom, back top. */
static void lay_teeth(const head_look *look, vec3s *points)
{
    for (int i = 0; i < TEETH_SECTIONS; i++) {
        float t = (float)i / (TEETH_SECTIONS - 1), angle = 1.2f * t;
        float x = 0.27f * sinf(angle) / sinf(1.2f), z = -1.40f + 0.16f * (1 - cosf(angle));
        float bottom = 16.615f - look->mouth->teeth + 0.02f * t * t, top = 16.70f;
        points[4 * i] = (vec3s){{x, top, z}};
        points[4 * i + 1] = (vec3s){{x, bottom, z}};
        points[4 * i + 2] = (vec3s){{0.9f * x, bottom, z + 0.06f}};
        points[4 * i + 3] = (vec3s){{0.9f * x, top, z + 0.06f}};
    }
}

/* The right half of a tube, in half circles from its lower to its upper middle, and a point at either end. */
static void lay_tongue(const head_look *look, vec3s *points)
{
    static const float ways[TONGUE_SECTIONS] = {0.03f, 0.2f, 0.6f, 1};
    static const float widths[TONGUE_SECTIONS] = {0.07f, 0.12f, 0.135f, 0.10f};
    const float y = look->mouth->lower[0].y + look->mouth->tongue - 0.15f, z = -1.21f, length = 0.30f;
    for (int i = 0; i < TONGUE_SECTIONS; i++)
        for (int k = 0; k < TONGUE_POINTS; k++) {
            float angle = GLM_PIf * ((float)k / (TONGUE_POINTS - 1) - 0.5f);
            float x = k == 0 || k == TONGUE_POINTS - 1 ? 0 : widths[i] * cosf(angle);
            float middle = y - 0.02f * (1 - ways[i]), half = 0.055f * fminf(1, 0.5f + 2 * ways[i]);
            points[i * TONGUE_POINTS + k] = (vec3s){{x, middle + half * sinf(angle), z + length * ways[i]}};
        }
    points[TONGUE_SECTIONS * TONGUE_POINTS] = (vec3s){{0, y - 0.02f, z}};
    points[TONGUE_SECTIONS * TONGUE_POINTS + 1] = (vec3s){{0, y, z + length}};
}

static void add_teeth(cage *c, const rig *r)
{
    int32_t first = head_points(c, lay_teeth, 4 * TEETH_SECTIONS, skin1(rig_find(r, "頭")));
    const vec2s uv[4] = {{{0.3f, 0.04f}}, {{0.3f, 0.18f}}, {{0.6f, 0.18f}}, {{0.6f, 0.04f}}};
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
