/*
 * A lock of hair: sections with a soft ridge on the outside and a flatter
 * inside, along a smooth line, tapered at the root and to a point at the tip.
 */
#include "hair.h"

#include <assert.h>
#include <math.h>

#include "mesh/spline.h"

#define SKULL_X  1.62f
#define SKULL_Y  1.66f
#define SKULL_Z  1.70f
#define MIDDLE_Y 17.95f
#define MIDDLE_Z 0.05f

/* u for one unit across: the texture spans the head's circumference once. */
#define U_PER_UNIT 0.1f

static vec3 skull_point(float around, float up, float drop, float gap)
{
    float a = to_radians(around), e = to_radians(up);
    vec3 d = {{mmd_cosf(e) * mmd_sinf(a), mmd_sinf(e), -mmd_cosf(e) * mmd_cosf(a)}};
    vec3 normal = vec3_normalize((vec3){{d.x / SKULL_X, d.y / SKULL_Y, d.z / SKULL_Z}});
    vec3 at = {{d.x * SKULL_X, MIDDLE_Y + d.y * SKULL_Y - drop, MIDDLE_Z + d.z * SKULL_Z}};
    return vec3_add(at, vec3_scale(normal, gap));
}

vec3 hair_skull_point(float around, float up, float gap)
{
    return skull_point(around, up, 0, gap);
}

/* Returns the elevation in degrees of a height. Below the skull's widest line, each degree goes down as far
 * as the first one. */
static float up_of(float y)
{
    float s = (y - MIDDLE_Y) / SKULL_Y;
    return s <= 0 ? to_degrees(s) : to_degrees(mmd_asinf(mmd_minf(s, 1)));
}

static vec3 place_up(float around, float up, float gap)
{
    return up >= 0 ? skull_point(around, up, 0, gap) : skull_point(around, 0, -to_radians(up) * SKULL_Y, gap);
}

/* Resamples a line with steps of its parameter to even steps of length. */
static hair_line even_steps(const hair_line *rough)
{
    hair_line line = {.length = 0};
    float reached[HAIR_LINE + 1] = {0};
    for (int i = 1; i <= HAIR_LINE; i++)
        reached[i] = reached[i - 1] + vec3_distance(rough->at[i - 1], rough->at[i]);
    line.length = reached[HAIR_LINE];
    for (int i = 0, k = 0; i <= HAIR_LINE; i++) {
        float want = line.length * (float)i / HAIR_LINE;
        while (k < HAIR_LINE - 1 && reached[k + 1] < want)
            k++;
        float f = clamp((want - reached[k]) / mmd_maxf(reached[k + 1] - reached[k], 1e-6f), 0, 1);
        line.at[i] = vec3_lerp(rough->at[k], rough->at[k + 1], f);
        line.out[i] = vec3_normalize(vec3_lerp(rough->out[k], rough->out[k + 1], f));
    }
    return line;
}

enum { CONTROLS = 12 };

hair_line hair_line_places(const hair_place *places, int count, int side)
{
    float around[CONTROLS], up[CONTROLS], gap[CONTROLS];
    hair_line rough;
    assert(count >= 2 && count <= CONTROLS);
    for (int i = 0; i < count; i++) {
        around[i] = places[i].around * (float)side;
        up[i] = up_of(places[i].y);
        gap[i] = places[i].gap;
    }
    for (int i = 0; i <= HAIR_LINE; i++) {
        float t = (float)i / HAIR_LINE;
        float a = spline_at(around, count, t), e = spline_at(up, count, t), g = spline_at(gap, count, t);
        rough.at[i] = place_up(a, e, g);
        rough.out[i] = vec3_normalize(vec3_sub(place_up(a, e, g + 0.1f), rough.at[i]));
    }
    return even_steps(&rough);
}

hair_line hair_line_points(const vec3 *points, int count, vec3 out_root, vec3 out_tip)
{
    float axis[3][CONTROLS];
    hair_line rough;
    assert(count >= 2 && count <= CONTROLS);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            axis[k][i] = points[i].raw[k];
    for (int i = 0; i <= HAIR_LINE; i++) {
        float t = (float)i / HAIR_LINE;
        for (int k = 0; k < 3; k++)
            rough.at[i].raw[k] = spline_at(axis[k], count, t);
        rough.out[i] = vec3_normalize(vec3_lerp(out_root, out_tip, t));
    }
    return even_steps(&rough);
}

static vec3 between(const vec3 *v, float t)
{
    float x = clamp(t, 0, 1) * HAIR_LINE;
    int i = x >= HAIR_LINE ? HAIR_LINE - 1 : (int)x;
    return vec3_lerp(v[i], v[i + 1], x - (float)i);
}

vec3 hair_line_at(const hair_line *line, float t)
{
    return between(line->at, t);
}

vec3 hair_line_out(const hair_line *line, float t)
{
    return vec3_normalize(between(line->out, t));
}

vec3 hair_line_along(const hair_line *line, float t)
{
    const float step = 1.5f / HAIR_LINE;
    return vec3_normalize(vec3_sub(between(line->at, t + step), between(line->at, t - step)));
}

/*
 * A section, from one side over the ridge to the other and back on the inside: x in half widths, y in depths.
 */
enum { SIDES = 10 };
static const float section_x[SIDES] = {1, 0.8f, 0.42f, 0, -0.42f, -0.8f, -1, -0.6f, 0, 0.6f};
static const float section_y[SIDES] = {0, 0.42f, 0.8f, 1, 0.8f, 0.42f, 0, -0.3f, -0.42f, -0.3f};

/* Returns the width at t as a share of the greatest. */
static float width_at(const hair_shape *s, float t)
{
    if (t < s->belly)
        return lerp(s->root, 1, mmd_sinf(0.5f * PI * t / s->belly));
    return mmd_powf(mmd_cosf(0.5f * PI * (t - s->belly) / (1 - s->belly)), s->point);
}

typedef struct frame {
    vec3 at, side, out;
} frame;

static frame frame_at(const hair_line *line, const hair_shape *s, float t)
{
    vec3 along = hair_line_along(line, t), out = hair_line_out(line, t);
    vec3 side = vec3_normalize(vec3_cross(out, along));
    float roll = to_radians(lerp(s->roll[0], s->roll[1], t));
    out = vec3_cross(along, side);
    return (frame){hair_line_at(line, t), vec3_rotate(side, roll, along), vec3_rotate(out, roll, along)};
}

static int32_t add_section(cage *c, const hair_line *line, const hair_shape *s, float t, cage_skin skin)
{
    frame f = frame_at(line, s, t);
    float part = width_at(s, t), width = s->width * part, depth = s->depth * mmd_powf(part, 0.8f);
    int32_t first = c->point_count;
    for (int i = 0; i < SIDES; i++) {
        float x = section_x[i] * width, y = section_y[i] * depth - s->bend * x * x;
        vec3 p = vec3_add(f.at, vec3_add(vec3_scale(f.side, x), vec3_scale(f.out, y)));
        int32_t point = cage_point(c, p, skin);
        c->edge[point] = clamp(1.4f * part, 0.25f, 1);
    }
    return first;
}

static vec2 uv_at(const hair_shape *s, int i, float t)
{
    float x = section_x[i % SIDES] * s->width * width_at(s, t);
    return (vec2){{s->u + U_PER_UNIT * x, lerp(s->v[0], s->v[1], t)}};
}

static void bridge(cage *c, const hair_shape *s, int32_t a, float t0, int32_t b, float t1)
{
    for (int i = 0; i < SIDES; i++) {
        int k = (i + 1) % SIDES;
        const vec2 uv[4] = {uv_at(s, i, t0), uv_at(s, k, t0), uv_at(s, k, t1), uv_at(s, i, t1)};
        cage_quad(c, a + i, a + k, b + k, b + i, uv, s->material);
    }
}

/* Closes a ring with a fan to the end of the line. */
static void close_end(cage *c, const hair_shape *s, int32_t ring, float t, vec3 end, float t_end,
                      cage_skin skin)
{
    int32_t top = cage_point(c, end, skin);
    c->edge[top] = 0.2f;
    for (int i = 0; i < SIDES; i++) {
        int k = (i + 1) % SIDES;
        const vec2 uv[4] = {uv_at(s, i, t), uv_at(s, k, t), {{s->u, lerp(s->v[0], s->v[1], t_end)}}};
        cage_quad(c, ring + i, ring + k, top, CAGE_NONE, uv, s->material);
    }
}

/* Returns the position of section i. Sections lie closer together at the root, where locks bend around the
 * crown. */
static float section_t(const hair_shape *s, int i)
{
    const float last = 0.975f;
    float t = (float)i / (float)(s->sections - 1);
    return last * t * (0.65f + 0.35f * t);
}

void hair_lock_add(cage *c, const hair_line *line, const hair_shape *s, const hair_chain *a,
                   const hair_chain *b, float mix)
{
    int32_t ring = 0;
    float t = 0;
    for (int i = 0; i < s->sections; i++) {
        float before = t;
        t = section_t(s, i);
        vec3 at = hair_line_at(line, t);
        cage_skin skin = skin_mix(hair_chain_skin(a, at), hair_chain_skin(b, at), mix);
        int32_t new_ring = add_section(c, line, s, t, skin);
        if (i == 0)
            close_end(c, s, new_ring, t, at, t, skin);
        else
            bridge(c, s, ring, before, new_ring, t);
        ring = new_ring;
    }
    vec3 tip = hair_line_at(line, 1);
    close_end(c, s, ring, t, tip, 1, skin_mix(hair_chain_skin(a, tip), hair_chain_skin(b, tip), mix));
}
