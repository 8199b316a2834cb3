/*
 * What ties the ponytail: a band, a bow of two loops and two ends in front of
 * it, and a hairpin with a gold ball and a tassel that swings.
 */
#include "hair.h"

#include <math.h>

#include "mesh/spline.h"
#include "tool.h"

/* A flat strip along points, from the knot: half its width and how hollow it is across, at each. */
enum { STRIP_POINTS = 9 };
typedef struct strip {
    int count, sections;
    vec3 points[STRIP_POINTS];
    float width[STRIP_POINTS], hollow[STRIP_POINTS];
    float notch; /* how deep the end is cut in */
    float v[2];
} strip;

/* A loop, in the bow's own frame: x outward, y across the ribbon, z to the front. */
static const strip loop = {
    9,
    25,
    {{{0.0f, 0, 0.08f}},
     {{0.30f, 0, 0.20f}},
     {{0.70f, 0, 0.27f}},
     {{1.00f, 0, 0.18f}},
     {{1.10f, 0, 0.0f}},
     {{1.00f, 0, -0.15f}},
     {{0.70f, 0, -0.18f}},
     {{0.30f, 0, -0.10f}},
     {{0.0f, 0, -0.04f}}},
    {0.10f, 0.24f, 0.36f, 0.41f, 0.41f, 0.40f, 0.34f, 0.22f, 0.10f},
    {0.6f, 0.3f, 0.05f, 0, 0, 0, 0.05f, 0.2f, 0.6f},
    0,
    {0.05f, 0.9f},
};

/* The left end, in the model's space. */
static const strip end = {
    5,
    15,
    {{{0.05f, 19.55f, 1.45f}},
     {{0.50f, 19.38f, 1.75f}},
     {{0.85f, 18.90f, 2.0f}},
     {{0.98f, 18.25f, 2.02f}},
     {{1.22f, 17.65f, 1.9f}}},
    {0.10f, 0.17f, 0.21f, 0.23f, 0.25f},
    {0.3f, 0.1f, 0, 0, 0},
    0.16f,
    {0.1f, 1.0f},
};

static const vec3 knot = {{0, 19.58f, 1.45f}};
/* Which way the bow looks, and how far its loops are lifted (degrees). */
static const vec3 facing = {{0, 0.30f, -0.954f}};
#define LIFT      33.0f
#define THICKNESS 0.022f

/* One section of a strip, around: x of half its width, y of its thickness; and the faces that close its end.
 */
enum { SIDES = 10, CELLS = 5 };
static const float section_x[SIDES] = {-1, -0.96f, -0.4f, 0.4f, 0.96f, 1, 0.96f, 0.4f, -0.4f, -0.96f};
static const float section_y[SIDES] = {0, 1, 1, 1, 1, 0, -1, -1, -1, -1};
static const int8_t cells[CELLS][4] = {
    {0, 1, 9, -1}, {1, 2, 8, 9}, {2, 3, 7, 8}, {3, 4, 6, 7}, {4, 5, 6, -1}};

static vec2 uv_of(const strip *s, int i, float t)
{
    return (vec2){{0.5f + 0.5f * section_x[i], lerp(s->v[0], s->v[1], t)}};
}

/* line.out is across the ribbon here. */
static int32_t add_section(cage *c, const strip *s, const hair_line *line, float t, cage_skin skin)
{
    int32_t first = c->point_count;
    vec3 at = hair_line_at(line, t), along = hair_line_along(line, t);
    vec3 out = vec3_normalize(vec3_cross(along, hair_line_out(line, t)));
    vec3 across = vec3_cross(out, along);
    float width = spline_at(s->width, s->count, t), hollow = spline_at(s->hollow, s->count, t) * width;
    float notch = s->notch * smoothstep(0.75f, 1, t);
    for (int i = 0; i < SIDES; i++) {
        float x = section_x[i];
        vec3 p = vec3_add(at, vec3_scale(across, x * width));
        p = vec3_add(p, vec3_scale(out, section_y[i] * THICKNESS - hollow * (x * x - 0.5f)));
        p = vec3_add(p, vec3_scale(along, notch * fabsf(x)));
        c->edge[cage_point(c, p, skin)] = 0.8f;
    }
    return first;
}

static void close_strip(cage *c, const strip *s, int32_t ring, float t)
{
    for (int i = 0; i < CELLS; i++) {
        vec2 uv[4];
        int32_t at[4] = {CAGE_NONE, CAGE_NONE, CAGE_NONE, CAGE_NONE};
        for (int k = 0; k < 4 && cells[i][k] >= 0; k++) {
            at[k] = ring + cells[i][k];
            uv[k] = uv_of(s, cells[i][k], t);
        }
        cage_quad(c, at[0], at[1], at[2], at[3], uv, MATERIAL_RIBBON);
    }
}

static void add_strip(cage *c, const strip *s, const hair_line *line, cage_skin skin)
{
    float before = 0;
    for (int n = 0; n < s->sections; n++) {
        float t = (float)n / (float)(s->sections - 1);
        int32_t ring = add_section(c, s, line, t, skin), last = ring - SIDES;
        for (int i = 0; n > 0 && i < SIDES; i++) {
            int k = (i + 1) % SIDES;
            const vec2 uv[4] = {uv_of(s, i, before), uv_of(s, k, before), uv_of(s, k, t), uv_of(s, i, t)};
            cage_quad(c, last + i, last + k, ring + k, ring + i, uv, MATERIAL_RIBBON);
        }
        if (n == 0 || n == s->sections - 1)
            close_strip(c, s, ring, t);
        before = t;
    }
}

static void add_loop(cage *c, cage_skin skin)
{
    vec3 points[STRIP_POINTS];
    float lift = to_radians(LIFT);
    vec3 up = {{0, -facing.z, facing.y}};
    vec3 outward = vec3_add((vec3){{mmd_cosf(lift), 0, 0}}, vec3_scale(up, mmd_sinf(lift)));
    vec3 across = vec3_cross(facing, outward);
    for (int i = 0; i < loop.count; i++) {
        vec3 p = vec3_scale(outward, loop.points[i].x);
        points[i] = vec3_add(knot, vec3_add(p, vec3_scale(facing, loop.points[i].z)));
    }
    hair_line line = hair_line_points(points, loop.count, across, across);
    add_strip(c, &loop, &line, skin);
}

static void add_end(cage *c, cage_skin skin)
{
    hair_line line =
        hair_line_points(end.points, end.count, (vec3){{0.2f, 0.3f, 0.9f}}, (vec3){{0.75f, 0.1f, 0.65f}});
    add_strip(c, &end, &line, skin);
}

/* A ball: a cube, which subdivision makes round. */
static void add_ball(cage *c, vec3 at, vec3 radii, cage_skin skin, material_id material)
{
    static const int8_t sides[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    const float grow = 1.16f; /* what subdivision takes away */
    int32_t first = c->point_count;
    for (int i = 0; i < 8; i++) {
        vec3 p = {{i & 1 ? grow : -grow, i & 2 ? -grow : grow, i & 4 ? grow : -grow}};
        int32_t point = cage_point(c, vec3_add(at, vec3_mul(p, radii)), skin);
        c->edge[point] = 0.7f;
    }
    for (int f = 0; f < 6; f++) {
        vec2 uv[4];
        for (int k = 0; k < 4; k++)
            uv[k] = (vec2){{(sides[f][k] & 1) != 0, (sides[f][k] & 2) != 0}};
        cage_quad(c, first + sides[f][0], first + sides[f][1], first + sides[f][2], first + sides[f][3], uv,
                  material);
    }
}

/* The band: a ring around the tail where it is tied. */
static void add_band(cage *c, cage_skin skin)
{
    enum { AROUND = 14, ROUND = 4 };
    static const float over[ROUND] = {0, 0.12f, 0, -0.06f}, beside[ROUND] = {-0.17f, 0, 0.17f, 0};
    hair_line axis = hair_tail_axis();
    float t = hair_tail_bone(0);
    vec3 at = hair_line_at(&axis, t), along = hair_line_along(&axis, t), out = hair_line_out(&axis, t);
    vec3 left = vec3_cross(out, along);
    int32_t first = c->point_count;
    for (int i = 0; i < AROUND; i++)
        for (int k = 0; k < ROUND; k++) {
            float a = 2 * PI * (float)i / AROUND;
            vec3 way = vec3_add(vec3_scale(left, 0.44f * mmd_cosf(a)), vec3_scale(out, 0.42f * mmd_sinf(a)));
            vec3 p = vec3_add(at, vec3_scale(way, 1 + over[k] / 0.42f));
            cage_point(c, vec3_add(p, vec3_scale(along, beside[k])), skin);
        }
    for (int i = 0; i < AROUND; i++)
        for (int k = 0; k < ROUND; k++) {
            int32_t a = first + i * ROUND, b = first + (i + 1) % AROUND * ROUND;
            float v0 = (float)i / AROUND, v1 = (float)(i + 1) / AROUND, u0 = 0.5f + 2 * beside[k],
                  u1 = 0.5f + 2 * beside[(k + 1) % ROUND];
            const vec2 uv[4] = {{{u0, v0}}, {{u1, v0}}, {{u1, v1}}, {{u0, v1}}};
            cage_quad(c, a + k, a + (k + 1) % ROUND, b + (k + 1) % ROUND, b + k, uv, MATERIAL_RIBBON);
        }
}

/* A turned piece along a line down: radii at heights, a tube. */
typedef struct turned {
    float y, radius;
    material_id material;
} turned;

/* What hangs from the pin: a thread with beads, then the tassel. */
static const turned dangle[] = {
    {0.02f, 0.03f, MATERIAL_GOLD},    {-0.10f, 0.03f, MATERIAL_GOLD},   {-0.14f, 0.09f, MATERIAL_GOLD},
    {-0.22f, 0.09f, MATERIAL_GOLD},   {-0.26f, 0.03f, MATERIAL_GOLD},   {-0.36f, 0.03f, MATERIAL_GOLD},
    {-0.40f, 0.10f, MATERIAL_RIBBON}, {-0.50f, 0.11f, MATERIAL_RIBBON}, {-0.54f, 0.06f, MATERIAL_RIBBON},
    {-0.62f, 0.10f, MATERIAL_RIBBON}, {-0.98f, 0.15f, MATERIAL_RIBBON}, {-1.02f, 0.13f, MATERIAL_RIBBON},
};

static void add_dangle(cage *c, vec3 at, cage_skin skin)
{
    enum { COUNT = TOOL_COUNT(dangle) };
    cage_section sections[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const turned *t = &dangle[i];
        sections[i] = (cage_section){.centre = {{at.x, at.y + t->y, at.z}},
                                     .x = {{t->radius, 0, 0}},
                                     .y = {{0, 0, t->radius}},
                                     .v = -t->y,
                                     .edge = 0.6f,
                                     .skin = skin,
                                     .material = t->material};
    }
    cage_tube(c, sections, COUNT, 8, 0);
}

/* The pin goes from her right through the tie to a ball at her left. */
static const vec3 pin_end = {{-1.1f, 18.75f, 1.75f}};

static void add_pin(cage *c, vec3 ball, cage_skin skin)
{
    cage_section sections[4];
    for (int i = 0; i < 4; i++) {
        float t = (float)i / 3, radius = lerp(0.045f, 0.07f, t);
        sections[i] = (cage_section){.centre = vec3_lerp(pin_end, ball, t),
                                     .x = {{0, radius, 0}},
                                     .y = {{0, 0, radius}},
                                     .v = 0.2f + 0.3f * t,
                                     .edge = 0.6f,
                                     .skin = skin,
                                     .material = MATERIAL_GOLD};
    }
    cage_tube(c, sections, 4, 8, 0.1f);
}

static void add_bow(dancer *d, cage_skin skin)
{
    cage c;
    cage_init(&c, &d->arena);
    add_loop(&c, skin);
    add_end(&c, skin);
    cage_mirror(&c, &d->rig, false);
    dancer_add(d, "hair bow", &c);
}

static void add_fine(dancer *d, const cage *c, int levels)
{
    cage fine = cage_subdivide(c, levels, &d->arena);
    dancer_add(d, "hair ornament", &fine);
}

void hair_ribbon_add(dancer *d)
{
    cage turned_parts, balls;
    hair_chain chain = hair_chain_find(&d->rig, CHAIN_DANGLE, 1);
    cage_skin head = skin1(chain.head);
    vec3 ball = chain.at[0];
    add_bow(d, head);
    cage_init(&turned_parts, &d->arena);
    add_band(&turned_parts, head);
    add_pin(&turned_parts, ball, head);
    add_dangle(&turned_parts, vec3_sub(ball, (vec3){{0, 0.17f, 0}}), skin1(chain.bone[0]));
    add_fine(d, &turned_parts, 1);
    cage_init(&balls, &d->arena);
    add_ball(&balls, ball, (vec3){{0.19f, 0.19f, 0.19f}}, head, MATERIAL_GOLD);
    add_ball(&balls, pin_end, (vec3){{0.09f, 0.09f, 0.09f}}, head, MATERIAL_GOLD);
    add_ball(&balls, knot, (vec3){{0.18f, 0.24f, 0.20f}}, head, MATERIAL_RIBBON);
    add_fine(d, &balls, 2);
}
