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

static vec3s skull_point(float around, float up, float drop, float gap)
{
    float a = glm_rad(around), e = glm_rad(up);
    vec3s d = {{cosf(e) * sinf(a), sinf(e), -cosf(e) * cosf(a)}};
    vec3s normal = glms_vec3_normalize((vec3s){{d.x / SKULL_X, d.y / SKULL_Y, d.z / SKULL_Z}});
    vec3s at = {{d.x * SKULL_X, MIDDLE_Y + d.y * SKULL_Y - drop, MIDDLE_Z + d.z * SKULL_Z}};
    return glms_vec3_add(at, glms_vec3_scale(normal, gap));
}

vec3s hair_skull_point(float around, float up, float gap)
{
    return skull_point(around, up, 0, gap);
}

/* Returns the elevation in degrees of a height. Below the skull's widest line, each degree goes down as far
 * as the first one. */
static float up_of(float y)
{
    float s = (y - MIDDLE_Y) / SKULL_Y;
    return s <= 0 ? glm_deg(s) : glm_deg(asinf(fminf(s, 1)));
}

static vec3s place_up(float around, float up, float gap)
{
    return up >= 0 ? skull_point(around, up, 0, gap) : skull_point(around, 0, -glm_rad(up) * SKULL_Y, gap);
}

/* Resamples a line with steps of its parameter to even steps of length. */
static hair_line even_steps(const hair_line *rough)
{
    hair_line line = {.length = 0};
    float reached[HAIR_LINE + 1] = {0};
    for (int i = 1; i <= HAIR_LINE; i++)
        reached[i] = reached[i - 1] + glms_vec3_distance(rough->at[i - 1], rough->at[i]);
    line.length = reached[HAIR_LINE];
    for (int i = 0, k = 0; i <= HAIR_LINE; i++) {
        float want = line.length * (float)i / HAIR_LINE;
        while (k < HAIR_LINE - 1 && reached[k + 1] < want)
            k++;
        float f = glm_clamp((want - reached[k]) / fmaxf(reached[k + 1] - reached[k], 1e-6f), 0, 1);
        line.at[i] = glms_vec3_lerp(rough->at[k], rough->at[k + 1], f);
        line.out[i] = glms_vec3_normalize(glms_vec3_lerp(rough->out[k], rough->out[k + 1], f));
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
        rough.out[i] = glms_vec3_normalize(glms_vec3_sub(place_up(a, e, g + 0.1f), rough.at[i]));
    }
    return even_steps(&rough);
}

hair_line hair_line_points(const vec3s *points, int count, vec3s out_root, vec3s out_tip)
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
        rough.out[i] = glms_vec3_normalize(glms_vec3_lerp(out_root, out_tip, t));
    }
    return even_steps(&rough);
}

static vec3s between(const vec3s *v, float t)
{
    float x = glm_clamp(t, 0, 1) * HAIR_LINE;
    int i = x >= HAIR_LINE ? HAIR_LINE - 1 : (int)x;
    return glms_vec3_lerp(v[i], v[i + 1], x - (float)i);
}

vec3s hair_line_at(const hair_line *line, float t)
{
    return between(line->at, t);
}

vec3s hair_line_out(const hair_line *line, float t)
{
    return glms_vec3_normalize(between(line->out, t));
}

vec3s hair_line_along(const hair_line *line, float t)
{
    const float step = 1.5f / HAIR_LINE;
    return glms_vec3_normalize(glms_vec3_sub(between(line->at, t + step), between(line->at, t - step)));
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
        return glm_lerp(s->root, 1, sinf(0.5f * GLM_PIf * t / s->belly));
    return powf(cosf(0.5f * GLM_PIf * (t - s->belly) / (1 - s->belly)), s->point);
}

typedef struct frame {
    vec3s at, side, out;
} frame;

static frame frame_at(const hair_line *line, const hair_shape *s, float t)
{
    vec3s along = hair_line_along(line, t), out = hair_line_out(line, t);
    vec3s side = glms_vec3_normalize(glms_vec3_cross(out, along));
    float roll = glm_rad(glm_lerp(s->roll[0], s->roll[1], t));
    out = glms_vec3_cross(along, side);
    return (frame){hair_line_at(line, t), glms_vec3_rotate(side, roll, along),
                   glms_vec3_rotate(out, roll, along)};
}

static int32_t add_section(cage *c, const hair_line *line, const hair_shape *s, float t, cage_skin skin)
{
    frame f = frame_at(line, s, t);
    float part = width_at(s, t), width = s->width * part, depth = s->depth * powf(part, 0.8f);
    int32_t first = c->point_count;
    for (int i = 0; i < SIDES; i++) {
        float x = section_x[i] * width, y = section_y[i] * depth - s->bend * x * x;
        vec3s p = glms_vec3_add(f.at, glms_vec3_add(glms_vec3_scale(f.side, x), glms_vec3_scale(f.out, y)));
        int32_t point = cage_point(c, p, skin);
        c->edge[point] = glm_clamp(1.4f * part, 0.25f, 1);
    }
    return first;
}

static vec2s uv_at(const hair_shape *s, int i, float t)
{
    float x = section_x[i % SIDES] * s->width * width_at(s, t);
    return (vec2s){{s->u + U_PER_UNIT * x, glm_lerp(s->v[0], s->v[1], t)}};
}

static void bridge(cage *c, const hair_shape *s, int32_t a, float t0, int32_t b, float t1)
{
    for (int i = 0; i < SIDES; i++) {
        int k = (i + 1) % SIDES;
        const vec2s uv[4] = {uv_at(s, i, t0), uv_at(s, k, t0), uv_at(s, k, t1), uv_at(s, i, t1)};
        cage_quad(c, a + i, a + k, b + k, b + i, uv, s->material);
    }
}

/* Closes a ring with a fan to the end of the line. */
static void close_end(cage *c, const hair_shape *s, int32_t ring, float t, vec3s end, float t_end,
                      cage_skin skin)
{
    int32_t top = cage_point(c, end, skin);
    c->edge[top] = 0.2f;
    for (int i = 0; i < SIDES; i++) {
        int k = (i + 1) % SIDES;
        const vec2s uv[4] = {uv_at(s, i, t), uv_at(s, k, t), {{s->u, glm_lerp(s->v[0], s->v[1], t_end)}}};
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
        vec3s at = hair_line_at(line, t);
        cage_skin skin = skin_mix(hair_chain_skin(a, at), hair_chain_skin(b, at), mix);
        int32_t new_ring = add_section(c, line, s, t, skin);
        if (i == 0)
            close_end(c, s, new_ring, t, at, t, skin);
        else
            bridge(c, s, ring, before, new_ring, t);
        ring = new_ring;
    }
    vec3s tip = hair_line_at(line, 1);
    close_end(c, s, ring, t, tip, 1, skin_mix(hair_chain_skin(a, tip), hair_chain_skin(b, tip), mix));
}
