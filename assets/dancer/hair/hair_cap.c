/*
 * The cap: a closed shell over the skull, of bundles that are combed from the
 * hairline to the ponytail. Its rings are scaled copies of the hairline,
 * drawn along great circles towards the tie; each bundle is a few columns
 * wide and stands out between its neighbours. The shell follows the skull's
 * ellipsoid above and the head's own surface where that reaches further out,
 * so that the hair lies on the skin down to the nape and round the ear.
 */
#include "hair.h"

#include <math.h>

#include "head/head.h"
#include "mesh/spline.h"
#include "tool.h"

/*
 * The hairline in degrees around and up, from the nape up behind her left ear, over it and up the temple to
 * the front. The right side is mirrored. Seen from the tie, the direction to it must turn one way only, or
 * the columns would cross.
 */
static const float hairline_around[] = {180, 163, 147, 134, 123, 115, 110, 107, 103,
                                        98,  92,  86,  80,  74,  67,  54,  28,  0};
static const float hairline_up[] = {-63, -62, -60, -57, -53, -47, -39, -29, -19,
                                    -12, -10, -10, -11, -7,  1,   18,  34,  36};
enum { HAIRLINE = TOOL_COUNT(hairline_up) };

/* The tie of the ponytail, where all bundles meet. */
#define TIE_UP 35.0f

/* Widths of the bundles of one half, from the nape to the front. */
static const float bundles[] = {0.7f, 1.2f, 0.8f, 1.3f, 0.8f, 1.1f, 0.7f, 1.0f,
                                0.8f, 1.1f, 0.7f, 1.0f, 0.7f, 1.2f, 1.2f};
enum { BUNDLES = TOOL_COUNT(bundles), COLUMNS = 4, AROUND = 2 * BUNDLES * COLUMNS };

/* A ring: its share of the way from the tie to the hairline, how far it is from the skull there, and how much
 * the bundles stand out. */
typedef struct ring_row {
    float share, gap, relief;
} ring_row;

static const ring_row rings[] = {
    {0.06f, 0.18f, 0.02f},   {0.15f, 0.17f, 0.04f},   {0.24f, 0.165f, 0.055f}, {0.33f, 0.155f, 0.065f},
    {0.42f, 0.15f, 0.07f},   {0.51f, 0.145f, 0.075f}, {0.60f, 0.14f, 0.08f},   {0.69f, 0.13f, 0.08f},
    {0.77f, 0.125f, 0.075f}, {0.85f, 0.115f, 0.065f}, {0.92f, 0.10f, 0.05f},   {0.97f, 0.075f, 0.025f},
    {1.00f, 0.03f, 0.005f},  {0.99f, -0.05f, 0.0f},   {0.80f, -0.10f, 0.0f},   {0.40f, -0.12f, 0.0f},
};
enum { RINGS = TOOL_COUNT(rings) };

/* A column: its position along the hairline from 0 to 1, and its height within its bundle. */
typedef struct column {
    float along, height;
} column;

/* Fills in the columns of the left half; the first of each bundle lies in the groove. */
static void make_columns(column columns[AROUND])
{
    const float height[COLUMNS] = {0, 0.72f, 1, 0.72f};
    float sum = 0, at = 0;
    for (int i = 0; i < BUNDLES; i++)
        sum += bundles[i];
    for (int i = 0; i < BUNDLES; i++)
        for (int k = 0; k < COLUMNS; k++) {
            int n = i * COLUMNS + k;
            columns[n] = (column){0.5f * (at + bundles[i] * (float)k / COLUMNS) / sum, height[k]};
            at += k + 1 == COLUMNS ? bundles[i] : 0;
        }
    for (int n = 0; n < AROUND / 2; n++)
        columns[AROUND / 2 + n] =
            n == 0 ? (column){0.5f, 0}
                   : (column){1 - columns[AROUND / 2 - n].along, columns[AROUND / 2 - n].height};
}

/* Returns the unit vector of a direction in degrees around and up. */
static vec3 direction(float around, float up)
{
    float a = to_radians(around), e = to_radians(up);
    return (vec3){{mmd_cosf(e) * mmd_sinf(a), mmd_sinf(e), -mmd_cosf(e) * mmd_cosf(a)}};
}

static vec3 hairline_at(float along)
{
    float half = 2 * mmd_minf(along, 1 - along);
    float around = spline_at(hairline_around, HAIRLINE, half), up = spline_at(hairline_up, HAIRLINE, half);
    return direction(along > 0.5f ? -around : around, up);
}

/* Returns the direction at share of the way from a to b on the great circle; over 1 lies beyond b. */
static vec3 on_arc(vec3 a, vec3 b, float share)
{
    float angle = mmd_acosf(clamp(vec3_dot(a, b), -1, 1));
    return vec3_scale(
        vec3_add(vec3_scale(a, mmd_sinf((1 - share) * angle)), vec3_scale(b, mmd_sinf(share * angle))),
        1 / mmd_sinf(angle));
}

/* Returns the larger of two values, rounded off where they are nearly the same. */
static float rounded_max(float a, float b)
{
    const float reach = 0.1f;
    float near = mmd_maxf(reach - fabsf(a - b), 0) / reach;
    return mmd_maxf(a, b) + 0.25f * reach * near * near;
}

static float elevation(vec3 d)
{
    return mmd_atan2f(d.y, mmd_hypotf(d.x, d.z));
}

static const vec3 skull = {{0, 17.95f, 0.05f}}; /* its middle */

/* Finds the row of the head's surface at which a point seen from the skull's middle has this elevation. */
static float find_row(float angle, float up)
{
    float high = 0, low = HEAD_CHIN_ROW + 0.5f;
    for (int i = 0; i < 20; i++) {
        float row = 0.5f * (high + low);
        vec3 p = head_surface(&head_looks[0], (vec2){{angle, row}});
        if (elevation(vec3_sub(p, skull)) > up)
            high = row;
        else
            low = row;
    }
    return 0.5f * (high + low);
}

/* Returns how far the head's skin is from the skull's middle in direction d. */
static float skin_distance(vec3 d)
{
    float want = mmd_atan2f(fabsf(d.x), -d.z), angle = want;
    vec3 out = d;
    for (int i = 0; i < 6; i++) {
        vec2 at = {{angle, find_row(angle, elevation(d))}};
        out = vec3_sub(head_surface(&head_looks[0], at), skull);
        angle = clamp(angle + want - mmd_atan2f(out.x, -out.z), 0, PI);
    }
    return vec3_length(out);
}

/* Returns the point in direction d that is this far off skin and skull; inside both where gap < 0. */
static vec3 off_skin(vec3 d, float gap)
{
    float around = to_degrees(mmd_atan2f(d.x, -d.z)), up = to_degrees(mmd_asinf(clamp(d.y, -1, 1)));
    vec3 over_skull = vec3_sub(hair_skull_point(around, up, gap), skull);
    float over = vec3_length(over_skull), skin = skin_distance(d) + gap;
    float distance = gap > 0 ? rounded_max(over, skin) : mmd_minf(over, skin);
    return vec3_add(skull, vec3_scale(vec3_normalize(over_skull), distance));
}

static vec3 cap_point(const column *c, const ring_row *ring)
{
    vec3 d = on_arc(direction(180, TIE_UP), hairline_at(c->along), ring->share);
    /* The cap lies flat where the fringe covers it. */
    float relief = ring->relief * c->height * smoothstep(-0.35f, 0.05f, d.z);
    return off_skin(d, ring->gap + relief);
}

static vec2 cap_uv(const column *columns, int n, int ring)
{
    float along = n == AROUND ? 1 : columns[n].along;
    return (vec2){{along, 0.03f + 0.5f * (1 - rings[ring].share)}};
}

static void close_middle(cage *c, const column *columns, int ring, vec3 at, cage_skin skin)
{
    int32_t middle = cage_point(c, at, skin);
    for (int n = 0; n < AROUND; n++) {
        const vec2 a = cap_uv(columns, n, ring), b = cap_uv(columns, n + 1, ring);
        const vec2 uv[4] = {a, b, {{0.5f * (a.x + b.x), 0.53f}}};
        cage_quad(c, ring * AROUND + n, ring * AROUND + (n + 1) % AROUND, middle, CAGE_NONE, uv,
                  MATERIAL_HAIR);
    }
}

void hair_cap_add(dancer *d)
{
    cage c;
    column columns[AROUND];
    cage_skin skin = skin1(rig_find(&d->rig, "頭"));
    cage_init(&c, &d->arena);
    make_columns(columns);
    for (int r = 0; r < RINGS; r++)
        for (int n = 0; n < AROUND; n++) {
            int32_t point = cage_point(&c, cap_point(&columns[n], &rings[r]), skin);
            c.edge[point] = columns[n].height > 0 ? 0.8f : 0.4f;
        }
    for (int r = 0; r + 1 < RINGS; r++)
        for (int n = 0; n < AROUND; n++) {
            const vec2 uv[4] = {cap_uv(columns, n, r), cap_uv(columns, n + 1, r),
                                cap_uv(columns, n + 1, r + 1), cap_uv(columns, n, r + 1)};
            int32_t k = (n + 1) % AROUND, a = r * AROUND, b = a + AROUND;
            cage_quad(&c, a + n, a + k, b + k, b + n, uv, MATERIAL_HAIR);
        }
    close_middle(&c, columns, 0, hair_skull_point(180, TIE_UP, rings[0].gap), skin);
    close_middle(&c, columns, RINGS - 1, hair_skull_point(180, TIE_UP, rings[RINGS - 1].gap), skin);
    dancer_add(d, "hair cap", &c);
}
