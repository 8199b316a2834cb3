/* The obi: a soft closed band around the waist, a gold cord (obijime) around its middle and a clasp in front.
 * The band bends where 上半身 and 下半身 meet: a hidden bone with half of both rotations moves its middle. */
#include "skirt.h"

#include <math.h>

#include "tool.h"

enum { AROUND = 32 };

typedef struct band_row {
    float y, x, z; /* half axes */
    float v;
    material_id material; /* material of the faces to the next row */
} band_row;

/* The band's cross-section: down the outer face, up the inner one. */
static const band_row band[] = {
    {12.54f, 0.860f, 0.640f, 0.00f, MATERIAL_OBI}, {12.57f, 0.965f, 0.755f, 0.00f, MATERIAL_OBI},
    {12.50f, 1.005f, 0.795f, 0.06f, MATERIAL_OBI}, {12.30f, 1.025f, 0.815f, 0.24f, MATERIAL_OBI},
    {12.02f, 1.035f, 0.825f, 0.48f, MATERIAL_OBI}, {11.75f, 1.090f, 0.870f, 0.72f, MATERIAL_OBI},
    {11.54f, 1.175f, 0.945f, 0.94f, MATERIAL_OBI}, {11.46f, 1.185f, 0.955f, 1.00f, MATERIAL_OBI},
    {11.46f, 1.020f, 0.780f, 1.00f, MATERIAL_OBI}, {11.80f, 0.900f, 0.660f, 0.50f, MATERIAL_OBI},
    {12.20f, 0.840f, 0.620f, 0.20f, MATERIAL_OBI},
};
enum { BAND_ROWS = TOOL_COUNT(band), OUTER_FIRST = 1, OUTER_LAST = 7 };
static const float centre_z = 0.03f;

vec3 obi_point(float azimuth, float y, float out)
{
    int i = OUTER_FIRST + 1;
    while (i < OUTER_LAST && y < band[i].y)
        i++;
    const band_row *a = &band[i - 1], *b = &band[i];
    float t = clamp((a->y - y) / (a->y - b->y), 0, 1);
    float x = lerp(a->x, b->x, t) + out, z = lerp(a->z, b->z, t) + out;
    return (vec3){{x * mmd_sinf(azimuth), y, centre_z - z * mmd_cosf(azimuth)}};
}

/*
 * Adds the bone 帯, which takes half of the rotation of 上半身 and half of that of 下半身, about their common
 * point.
 */
void obi_rig(rig *r)
{
    const vec3 waist = rig_at(r, "上半身");
    const rig_spec helper = {.name = "帯補助",
                             .name_en = "obi helper",
                             .parent = "腰",
                             .position = waist,
                             .flags = RIG_HIDDEN | RIG_APPEND_ROTATION,
                             .source = "上半身",
                             .ratio = 0.5f,
                             .panel = PANEL_NONE};
    const rig_spec obi = {.name = "帯",
                          .name_en = "obi",
                          .parent = helper.name,
                          .position = waist,
                          .tail = "帯結び",
                          .flags = RIG_APPEND_ROTATION,
                          .source = "下半身",
                          .ratio = 0.5f,
                          .panel = PANEL_CLOTHES};
    rig_add(r, &helper);
    rig_add(r, &obi);
}

/* Returns weights like those of the torso below: 下半身 at the lower edge, 上半身 at the upper one, 帯 in the
 * middle. */
static cage_skin obi_skin(const rig *r, float y)
{
    int32_t middle = rig_find(r, "帯");
    float t = 2 * smoothstep(11.5f, 12.7f, y);
    return t < 1 ? skin2(rig_find(r, "下半身"), middle, t) : skin2(middle, rig_find(r, "上半身"), t - 1);
}

static void add_band(dancer *d)
{
    cage c;
    cage_init(&c, &d->arena);
    for (int i = 0; i < BAND_ROWS; i++)
        for (int k = 0; k < AROUND; k++) {
            float azimuth = 2 * PI * ((float)k / AROUND - 0.5f);
            vec3 p = {{band[i].x * mmd_sinf(azimuth), band[i].y, centre_z - band[i].z * mmd_cosf(azimuth)}};
            cage_point(&c, p, obi_skin(&d->rig, band[i].y));
        }
    for (int i = 0; i < BAND_ROWS; i++) {
        int next = (i + 1) % BAND_ROWS;
        cage_bridge(&c, i * AROUND, next * AROUND, AROUND, band[i].v, band[next].v, band[i].material);
    }
    cage fine = cage_subdivide(&c, 1, &d->arena);
    dancer_add(d, "obi", &fine);
}

/* Adds a closed ring with a round cross-section. */
static void add_cord(dancer *d)
{
    enum { STEPS = 56, SIDES = 6 };
    const float radius = 0.07f, y = 12.0f;
    cage c;
    cage_init(&c, &d->arena);
    for (int i = 0; i < STEPS; i++)
        for (int k = 0; k < SIDES; k++) {
            float azimuth = 2 * PI * (float)i / STEPS, a = 2 * PI * (float)k / SIDES;
            vec3 p = obi_point(azimuth, y, 0.015f + radius * mmd_cosf(a));
            p.y += radius * mmd_sinf(a);
            c.edge[cage_point(&c, p, obi_skin(&d->rig, y))] = 0.6f;
        }
    for (int i = 0; i < STEPS; i++)
        cage_bridge(&c, i * SIDES, (i + 1) % STEPS * SIDES, SIDES, 0.2f, 0.8f, MATERIAL_GOLD);
    dancer_add(d, "cord", &c);
}

/* Adds a petal of the gold plum blossom: a heart and five petals, flattened against the band. */
static void add_petal(dancer *d, float x, float y, float size, float stand)
{
    enum { SIDES = 6 };
    static const struct {
        float out, wide;
    } rows[] = {{-0.4f, 0.7f}, {0.0f, 1.0f}, {0.5f, 0.86f}, {0.85f, 0.45f}};
    enum { ROWS = TOOL_COUNT(rows) };
    cage_section sections[ROWS];
    vec3 at = obi_point(mmd_asinf(x / 1.03f), y, 0.02f);
    cage c;
    cage_init(&c, &d->arena);
    for (int i = 0; i < ROWS; i++)
        sections[i] = (cage_section){
            .centre = {{x, y, at.z - stand * rows[i].out}},
            .x = {{size * rows[i].wide, 0, 0}},
            .y = {{0, size * rows[i].wide, 0}},
            .v = 0.8f - 0.6f * (float)i / ROWS,
            .edge = 0.6f,
            .skin = obi_skin(&d->rig, y),
            .material = MATERIAL_GOLD,
        };
    cage_tube(&c, sections, ROWS, SIDES, 0.3f);
    cage fine = cage_subdivide(&c, 1, &d->arena);
    dancer_add(d, "clasp", &fine);
}

static void add_clasp(dancer *d)
{
    const float y = 12.0f;
    for (int i = 0; i < 5; i++) {
        float a = PI * (0.5f + 0.4f * (float)i);
        add_petal(d, 0.125f * mmd_cosf(a), y + 0.125f * mmd_sinf(a), 0.1f, 0.1f);
    }
    add_petal(d, 0, y, 0.075f, 0.16f);
}

void obi_add(dancer *d)
{
    add_band(d);
    add_cord(d);
    add_clasp(d);
}
