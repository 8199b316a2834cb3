/*
 * The pleated skirt: 24 knife pleats that widen towards the hem, as one closed shell with an outer and an
 * inner face, and its bones: twelve columns of three.
 *
 * The first bone of each column takes a share of the thigh's rotation, so that the skirt makes room for a
 * lifted leg even without physics; the other two are for physics. A bone can append from one source only, so
 * the middle columns, which follow both legs, have a hidden bone in between.
 */
#include "skirt.h"

#include <math.h>

#include "paint/textures.h"
#include "tool.h"

/* --- shape --- */

typedef struct profile_row {
    float y, x, z, centre_z; /* half axes of the middle surface */
    float depth;             /* depth of the pleats to each side */
} profile_row;

/* From under the obi to the hem; also the rows of the cage. */
static const profile_row profile[] = {
    {11.62f, 1.05f, 0.82f, 0.02f, 0.000f}, {11.42f, 1.18f, 0.96f, 0.03f, 0.012f},
    {11.02f, 1.44f, 1.22f, 0.04f, 0.028f}, {10.50f, 1.67f, 1.48f, 0.05f, 0.050f},
    {9.90f, 1.85f, 1.71f, 0.05f, 0.075f},  {9.30f, 2.02f, 1.91f, 0.05f, 0.100f},
    {8.75f, 2.16f, 2.07f, 0.05f, 0.122f},  {8.34f, 2.26f, 2.18f, 0.05f, 0.138f},
    {8.20f, 2.29f, 2.21f, 0.05f, 0.142f},
};
enum { PROFILE_ROWS = TOOL_COUNT(profile) };

const float skirt_heights[SKIRT_ROWS + 1] = {11.3f, 10.3f, 9.25f, 8.2f};

/* Height where the texture begins: just above the obi's lower edge. */
static const float visible_top = 11.55f;
static const float thickness = 0.05f;

/* Points of the cage across one pleat: u in it, and how far out, in pleat depths. The cloth rises slowly to
 * the fold and drops behind it at once. */
static const struct {
    float u, out;
} pleat[] = {{0.03f, -1.0f}, {0.34f, -0.35f}, {0.68f, 0.45f}, {0.93f, 1.0f}};
enum { PLEAT_POINTS = TOOL_COUNT(pleat), AROUND = TEXTURE_PLEATS * PLEAT_POINTS };

static profile_row profile_at(float y)
{
    int i = 1;
    while (i < PROFILE_ROWS - 1 && y < profile[i].y)
        i++;
    const profile_row *a = &profile[i - 1], *b = &profile[i];
    float t = clamp((a->y - y) / (a->y - b->y), 0, 1);
    return (profile_row){y, lerp(a->x, b->x, t), lerp(a->z, b->z, t), lerp(a->centre_z, b->centre_z, t),
                         lerp(a->depth, b->depth, t)};
}

static vec3 on_row(const profile_row *row, float azimuth, float out)
{
    return (vec3){
        {(row->x + out) * mmd_sinf(azimuth), row->y, row->centre_z - (row->z + out) * mmd_cosf(azimuth)}};
}

vec3 skirt_point(float azimuth, float y)
{
    profile_row row = profile_at(y);
    vec3 p = on_row(&row, azimuth, 0);
    if (fabsf(p.x) < 1e-5f)
        p.x = 0; /* exactly in the middle */
    return p;
}

float skirt_column_azimuth(int column)
{
    float azimuth = 2 * PI * (float)column / SKIRT_COLUMNS;
    return azimuth > PI + 1e-3f ? azimuth - 2 * PI : azimuth;
}

/* --- bones --- */

/* Share of the thigh's rotation that each column takes, from the front to the back. Both legs move the middle
 * columns. */
static const float follow[SKIRT_COLUMNS / 2 + 1] = {0.34f, 0.72f, 0.68f, 0.60f, 0.42f, 0.28f, 0.19f};

static const char *bone_name(mmd_arena *arena, int column, int row)
{
    if (column == 0)
        return tool_text(arena, "スカート前%d", row + 1);
    if (column == SKIRT_COLUMNS / 2)
        return tool_text(arena, "スカート後%d", row + 1);
    if (column < SKIRT_COLUMNS / 2)
        return tool_text(arena, "左スカート%d-%d", column, row + 1);
    return tool_text(arena, "右スカート%d-%d", SKIRT_COLUMNS - column, row + 1);
}

static const char *bone_name_en(mmd_arena *arena, int column, int row)
{
    if (column == 0)
        return tool_text(arena, "skirt front%d", row + 1);
    if (column == SKIRT_COLUMNS / 2)
        return tool_text(arena, "skirt back%d", row + 1);
    return tool_text(arena, "skirt%d-%d_L", column, row + 1);
}

int32_t skirt_bone(const rig *r, int column, int row)
{
    return rig_find(r, bone_name(r->arena, column, row));
}

/*
 * Adds the helper bone of a middle column, which takes the left leg's share; its child takes the right leg's.
 */
static const char *add_helper(rig *r, int column)
{
    const char *name = tool_text(r->arena, "%s補助", column == 0 ? "スカート前" : "スカート後");
    rig_spec spec = {.name = name,
                     .name_en = tool_text(r->arena, "skirt %s helper", column == 0 ? "front" : "back"),
                     .parent = "下半身",
                     .position = skirt_point(skirt_column_azimuth(column), skirt_heights[0]),
                     .flags = RIG_HIDDEN | RIG_APPEND_ROTATION | RIG_LATE,
                     .source = "左足",
                     .ratio = follow[column],
                     .panel = PANEL_NONE};
    rig_add(r, &spec);
    return name;
}

static void add_column(rig *r, int column)
{
    bool middle = column % (SKIRT_COLUMNS / 2) == 0;
    float azimuth = skirt_column_azimuth(column);
    const char *parent = middle ? add_helper(r, column) : "下半身";
    for (int row = 0; row < SKIRT_ROWS; row++) {
        rig_spec spec = {.name = bone_name(r->arena, column, row),
                         .name_en = bone_name_en(r->arena, column, row),
                         .parent = parent,
                         .position = skirt_point(azimuth, skirt_heights[row]),
                         .flags = RIG_LATE,
                         .panel = PANEL_CLOTHES};
        if (row == 0) {
            spec.flags |= RIG_APPEND_ROTATION;
            spec.source = middle ? "右足" : "左足";
            spec.ratio = follow[column];
        }
        if (row + 1 < SKIRT_ROWS)
            spec.tail = bone_name(r->arena, column, row + 1);
        else
            spec.tail_offset = vec3_sub(skirt_point(azimuth, skirt_heights[row + 1]), spec.position);
        if (middle)
            rig_add(r, &spec);
        else
            rig_add_pair(r, &spec);
        parent = spec.name;
    }
}

void skirt_rig(rig *r)
{
    obi_rig(r);
    for (int column = 0; column <= SKIRT_COLUMNS / 2; column++)
        add_column(r, column);
}

/* --- weights --- */

/* Returns the weights of one column at a height: 下半身 under the obi, and fully on a bone at its middle. */
static cage_skin column_skin(const rig *r, int column, float y)
{
    const float tie = 11.5f;
    float middle[SKIRT_ROWS];
    for (int i = 0; i < SKIRT_ROWS; i++)
        middle[i] = 0.5f * (skirt_heights[i] + skirt_heights[i + 1]);
    if (y >= middle[0])
        return skin2(skirt_bone(r, column, 0), rig_find(r, "下半身"), smoothstep(middle[0], tie, y));
    int row = y > middle[1] ? 0 : 1;
    float t = (middle[row] - y) / (middle[row] - middle[row + 1]);
    return skin2(skirt_bone(r, column, row), skirt_bone(r, column, row + 1), t);
}

static cage_skin skin_at(const rig *r, float azimuth, float y)
{
    float at = azimuth / (2 * PI) * SKIRT_COLUMNS;
    at -= SKIRT_COLUMNS * floorf(at / SKIRT_COLUMNS);
    int column = (int)at % SKIRT_COLUMNS;
    return skin_mix(column_skin(r, column, y), column_skin(r, (column + 1) % SKIRT_COLUMNS, y),
                    at - floorf(at));
}

/* --- surface --- */

static float point_u(int i)
{
    return ((float)(i / PLEAT_POINTS) + pleat[i % PLEAT_POINTS].u) / TEXTURE_PLEATS;
}

/* Returns the azimuth: u = 0 is at the back, 0.5 in front, increasing to her left there. */
static float azimuth_of(float u)
{
    return 2 * PI * (u - 0.5f);
}

static int32_t add_ring(cage *c, const rig *r, const profile_row *row, float inward)
{
    int32_t first = c->point_count;
    for (int i = 0; i < AROUND; i++) {
        float azimuth = azimuth_of(point_u(i));
        float out = row->depth * pleat[i % PLEAT_POINTS].out - inward;
        int32_t p = cage_point(c, on_row(row, azimuth, out), skin_at(r, azimuth, row->y));
        c->edge[p] = inward > 0 ? 0.2f : 1;
    }
    return first;
}

/* Does the same as cage_bridge, with the u of the pleats. */
static void bridge(cage *c, int32_t a, int32_t b, float va, float vb, material_id material)
{
    for (int i = 0; i < AROUND; i++) {
        int j = (i + 1) % AROUND;
        float u0 = point_u(i), u1 = i + 1 < AROUND ? point_u(i + 1) : 1 + point_u(0);
        const vec2 uv[4] = {{{u0, va}}, {{u1, va}}, {{u1, vb}}, {{u0, vb}}};
        cage_quad(c, a + i, a + j, b + j, b + i, uv, material);
    }
}

static float texture_v(float y)
{
    return clamp((visible_top - y) / (visible_top - profile[PROFILE_ROWS - 1].y), 0, 1);
}

/* Adds rings for every step-th row of the profile, and connects them. Returns the first ring; *last is the
 * last one. */
static int32_t add_face(cage *c, const rig *r, int step, float inward, material_id material, int32_t *last)
{
    int32_t first = *last = add_ring(c, r, &profile[0], inward);
    for (int i = step; i < PROFILE_ROWS; i += step) {
        int32_t ring = add_ring(c, r, &profile[i], inward);
        bridge(c, *last, ring, texture_v(profile[i - step].y), texture_v(profile[i].y), material);
        *last = ring;
    }
    return first;
}

/* Builds the cage. The inner face is rarely visible and has half of the rows. */
static cage make_cage(dancer *d)
{
    cage c;
    int32_t ends[4]; /* first and last ring of the outer face, then of the inner face */
    cage_init(&c, &d->arena);
    ends[0] = add_face(&c, &d->rig, 1, 0, MATERIAL_SKIRT, &ends[1]);
    ends[2] = add_face(&c, &d->rig, 2, thickness, MATERIAL_SKIRT_INSIDE, &ends[3]);
    bridge(&c, ends[0], ends[2], 0, 0, MATERIAL_SKIRT_INSIDE);
    bridge(&c, ends[1], ends[3], 1, 1, MATERIAL_SKIRT_INSIDE);
    for (int i = 0; i < 4; i++)
        cage_crease_ring(&c, ends[i], AROUND, 1);
    return c;
}

/* Adds the UV of the sub-texture: three tiles around the hem, one high. */
static void add_pattern(dancer *d, dancer_range range)
{
    for (uint32_t i = range.first; i < range.first + range.count; i++) {
        dancer_vertex *v = &d->vertices[i];
        v->extra_uv[0] = 3 * v->uv.x;
        v->extra_uv[1] = v->uv.y;
    }
}

void skirt_add(dancer *d)
{
    cage coarse = make_cage(d);
    cage fine = cage_subdivide(&coarse, 1, &d->arena);
    add_pattern(d, dancer_add(d, "skirt", &fine));
    obi_add(d);
}
