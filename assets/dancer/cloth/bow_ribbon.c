/* Ribbons: sections with two rows of points, front and back, joined at the edges. */
#include "bow_ribbon.h"

#include <math.h>

enum { N = RIBBON_ACROSS, RING = 2 * RIBBON_ACROSS };

static float across(int k)
{
    return 2 * (float)k / (N - 1) - 1;
}

/* Adds point k of the front (side 1) or back (side -1). */
static int32_t add_point(cage *c, const ribbon_section *s, int k, float side)
{
    float w = across(k);
    float fold = k % 2 ? s->gather : -s->gather;
    float out = s->belly * (1 - w * w) + fold + side * 0.5f * s->thick;
    vec3 p = vec3_add(s->centre, vec3_scale(s->across, w));
    p = vec3_add(p, vec3_scale(s->out, out));
    p = vec3_add(p, vec3_scale(s->cut, fabsf(w)));
    int32_t point = cage_point(c, p, s->skin);
    c->edge[point] = s->edge;
    return point;
}

/* Adds the front's points from one edge to the other, then the back's in reverse. */
static int32_t add_ring(cage *c, const ribbon_section *s)
{
    int32_t first = c->point_count;
    for (int k = 0; k < N; k++)
        add_point(c, s, k, 1);
    for (int k = N - 1; k >= 0; k--)
        add_point(c, s, k, -1);
    return first;
}

/* Returns the k-th point across on the front, or the one behind it on the back. */
static int corner(int i)
{
    return i % RING;
}

static float ring_u(int i)
{
    i = corner(i);
    return (1 + across(i < N ? i : RING - 1 - i)) / 2;
}

static void add_faces(cage *c, int32_t a, int32_t b, float va, float vb, material_id material)
{
    for (int i = 0; i < RING; i++) {
        const vec2 uv[4] = {
            {{ring_u(i), va}}, {{ring_u(i + 1), va}}, {{ring_u(i + 1), vb}}, {{ring_u(i), vb}}};
        cage_quad(c, a + i, a + corner(i + 1), b + corner(i + 1), b + i, uv, material);
    }
}

static void close_end(cage *c, int32_t ring, float v, material_id material)
{
    for (int k = 0; k + 1 < N; k++) {
        const vec2 uv[4] = {{{ring_u(k), v}}, {{ring_u(k + 1), v}}, {{ring_u(k + 1), v}}, {{ring_u(k), v}}};
        cage_quad(c, ring + k, ring + k + 1, ring + RING - 2 - k, ring + RING - 1 - k, uv, material);
    }
    cage_crease_ring(c, ring, RING, 1);
}

void ribbon_sweep(cage *c, const ribbon_section *sections, int count, material_id material)
{
    int32_t first = c->point_count;
    for (int i = 0; i < count; i++) {
        int32_t ring = add_ring(c, &sections[i]);
        if (i > 0)
            add_faces(c, ring - RING, ring, sections[i - 1].v, sections[i].v, material);
    }
    close_end(c, first, sections[0].v, material);
    close_end(c, first + RING * (count - 1), sections[count - 1].v, material);
}
