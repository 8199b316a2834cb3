/*
 * The cap: a closed shell over the skull, of bundles that are combed from the
 * hairline to the ponytail. Its rings are scaled copies of the hairline,
 * drawn along great circles towards the tie; each bundle is a few columns
 * wide and stands out between its neighbours.
 */
#include "hair.h"

#include <math.h>

#include "mesh/spline.h"
#include "tool.h"

/* The hairline: degrees around and up, from the nape over her left side to the front. The right is its
 * mirror image. */
static const float hairline_around[] = {180, 160, 142, 128, 117, 108, 100, 91, 82, 70, 52, 26, 0};
static const float hairline_up[] = {-57, -55, -50, -44, -34, -22, -9, -5, -8, 2, 20, 34, 36};
enum { HAIRLINE = TOOL_COUNT(hairline_up) };

/* Where all bundles meet: the tie of the ponytail. */
#define TIE_UP 35.0f

/* Widths of the bundles of one half, from the nape to the front. */
static const float bundles[] = {0.7f, 1.3f, 0.9f, 1.4f, 0.8f, 1.2f, 0.7f, 1.3f, 1.0f, 0.7f, 1.2f, 1.0f, 1.2f};
enum { BUNDLES = TOOL_COUNT(bundles), COLUMNS = 4, AROUND = 2 * BUNDLES * COLUMNS };

/* A ring: its share of the way from the tie to the hairline, how far it is from the skull there, and how much
 * the bundles stand out. */
typedef struct ring_row {
    float share, gap, relief;
} ring_row;

static const ring_row rings[] = {
    {0.06f, 0.18f, 0.02f}, {0.16f, 0.17f, 0.04f}, {0.28f, 0.16f, 0.06f}, {0.42f, 0.15f, 0.07f},
    {0.56f, 0.14f, 0.08f}, {0.70f, 0.13f, 0.08f}, {0.82f, 0.12f, 0.08f}, {0.91f, 0.11f, 0.08f},
    {0.97f, 0.08f, 0.07f}, {1.00f, 0.03f, 0.05f}, {0.99f, -0.05f, 0.0f}, {0.80f, -0.10f, 0.0f},
    {0.40f, -0.12f, 0.0f},
};
enum { RINGS = TOOL_COUNT(rings) };

/* A column: its place along the hairline, 0 to 1 and round, and how high it lies in its bundle. */
typedef struct column {
    float along, height;
} column;

/* Columns of the left half; a bundle's first lies in the groove. */
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

/* Directions as unit vectors: along degrees around and up. */
static vec3s direction(float around, float up)
{
    float a = glm_rad(around), e = glm_rad(up);
    return (vec3s){{cosf(e) * sinf(a), sinf(e), -cosf(e) * cosf(a)}};
}

static vec3s hairline_at(float along)
{
    float half = 2 * fminf(along, 1 - along);
    float around = spline_at(hairline_around, HAIRLINE, half), up = spline_at(hairline_up, HAIRLINE, half);
    return direction(along > 0.5f ? -around : around, up);
}

/* `share` of the way from a to b, on the great circle and past b. */
static vec3s on_arc(vec3s a, vec3s b, float share)
{
    float angle = acosf(glm_clamp(glms_vec3_dot(a, b), -1, 1));
    return glms_vec3_scale(
        glms_vec3_add(glms_vec3_scale(a, sinf((1 - share) * angle)), glms_vec3_scale(b, sinf(share * angle))),
        1 / sinf(angle));
}

static vec3s cap_point(const column *c, const ring_row *ring)
{
    /* The middles of the bundles end a little lower than the grooves between them. */
    float share = ring->share * (1 + 0.035f * c->height * ring->share * ring->share);
    vec3s d = on_arc(direction(180, TIE_UP), hairline_at(c->along), share);
    float around = glm_deg(atan2f(d.x, -d.z)), up = glm_deg(asinf(glm_clamp(d.y, -1, 1)));
    /* It lies flat where the fringe covers it. */
    float relief = ring->relief * c->height * glm_smoothstep(-0.35f, 0.05f, d.z);
    return hair_skull_point(around, up, ring->gap + relief);
}

static vec2s cap_uv(const column *columns, int n, int ring)
{
    float along = n == AROUND ? 1 : columns[n].along;
    return (vec2s){{along, 0.03f + 0.5f * (1 - rings[ring].share)}};
}

static void close_middle(cage *c, const column *columns, int ring, vec3s at, cage_skin skin)
{
    int32_t middle = cage_point(c, at, skin);
    for (int n = 0; n < AROUND; n++) {
        const vec2s a = cap_uv(columns, n, ring), b = cap_uv(columns, n + 1, ring);
        const vec2s uv[4] = {a, b, {{0.5f * (a.x + b.x), 0.53f}}};
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
            const vec2s uv[4] = {cap_uv(columns, n, r), cap_uv(columns, n + 1, r),
                                 cap_uv(columns, n + 1, r + 1), cap_uv(columns, n, r + 1)};
            int32_t k = (n + 1) % AROUND, a = r * AROUND, b = a + AROUND;
            cage_quad(&c, a + n, a + k, b + k, b + n, uv, MATERIAL_HAIR);
        }
    close_middle(&c, columns, 0, hair_skull_point(180, TIE_UP, rings[0].gap), skin);
    close_middle(&c, columns, RINGS - 1, hair_skull_point(180, TIE_UP, rings[RINGS - 1].gap), skin);
    dancer_add(d, "hair cap", &c);
}
