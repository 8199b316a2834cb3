/*
 * Catmull-Clark subdivision: E. Catmull, J. Clark, "Recursively generated B-spline surfaces on arbitrary
 * topological meshes" (1978), with the sharp edges of T. DeRose, M. Kass, T. Truong, "Subdivision surfaces in
 * character animation" (1998). Every new point is a sum of old points. The sums are computed once and applied
 * to positions, weights, morphs and outline width.
 */
#include "cage_edges.h"
#include "tool.h"

typedef struct term {
    int32_t point;
    float factor;
} term;

/* Sums of all new points. Those of point i are terms[first[i]] to terms[first[i + 1] - 1]. */
typedef struct sums {
    term *terms;
    uint32_t count, capacity;
    uint32_t *first;
} sums;

/* Numbers of faces and sharp edges at a point of the old cage. */
typedef struct fan {
    int faces, sharp;
    bool open;
    int32_t sharp_end[2];
} fan;

static void add(sums *s, int32_t point, float factor)
{
    term *t = TOOL_PUSH(s->terms, s->count, s->capacity);
    *t = (term){point, factor};
}

static void add_face(sums *s, const cage_face *face, float factor)
{
    int n = cage_corners(face);
    for (int k = 0; k < n; k++)
        add(s, face->point[k], factor / (float)n);
}

static bool is_sharp(const cage_edge *e)
{
    return e->face[1] == CAGE_NONE || e->sharpness > 0;
}

static fan *find_fans(const cage *c, const cage_edges *edges)
{
    fan *fans = tool_alloc(c->arena, (size_t)c->point_count, sizeof *fans);
    for (int32_t f = 0; f < c->face_count; f++)
        for (int k = 0; k < cage_corners(&c->faces[f]); k++)
            fans[c->faces[f].point[k]].faces++;
    for (int32_t i = 0; i < edges->count; i++) {
        const cage_edge *e = &edges->edges[i];
        const int32_t ends[2] = {e->a, e->b};
        for (int k = 0; k < 2 && is_sharp(e); k++) {
            fan *point = &fans[ends[k]];
            if (point->sharp < 2)
                point->sharp_end[point->sharp] = ends[1 - k];
            point->sharp++;
        }
    }
    return fans;
}

/* Faces and edges around each point, as lists; first[i] as in sums. */
typedef struct around {
    int32_t *items;
    int32_t *first;
} around;

static around faces_around(const cage *c)
{
    around a;
    a.first = tool_alloc(c->arena, (size_t)c->point_count + 2, sizeof *a.first);
    a.items = tool_alloc(c->arena, (size_t)c->face_count * 4, sizeof *a.items);
    for (int32_t f = 0; f < c->face_count; f++)
        for (int k = 0; k < cage_corners(&c->faces[f]); k++)
            a.first[c->faces[f].point[k] + 2]++;
    for (int32_t i = 2; i < c->point_count + 2; i++)
        a.first[i] += a.first[i - 1];
    for (int32_t f = 0; f < c->face_count; f++)
        for (int k = 0; k < cage_corners(&c->faces[f]); k++)
            a.items[a.first[c->faces[f].point[k] + 1]++] = f;
    return a;
}

/*
 * Smooth point: 1/n of the face points, 1/n^2 of the neighbours and the point itself for each edge, (n - 3)/n
 * of the point. Every edge at the point belongs to two of its faces, so a walk over the sides of faces visits
 * each edge twice.
 */
static void smooth_point(sums *s, const cage *c, const around *a, int32_t p, int n)
{
    float f = 1.0f / (float)(n * n);
    add(s, p, (float)(n - 3) / (float)n + f * (float)n);
    for (int32_t i = a->first[p]; i < a->first[p + 1]; i++) {
        const cage_face *face = &c->faces[a->items[i]];
        int corners = cage_corners(face);
        add_face(s, face, f);
        for (int k = 0; k < corners; k++)
            if (face->point[k] == p) {
                add(s, face->point[(k + 1) % corners], 0.5f * f);
                add(s, face->point[(k + corners - 1) % corners], 0.5f * f);
            }
    }
}

static void old_points(sums *s, const cage *c, const fan *fans, const around *a)
{
    for (int32_t p = 0; p < c->point_count; p++) {
        s->first[p] = s->count;
        if (fans[p].sharp < 2 && fans[p].faces > 0) {
            smooth_point(s, c, a, p, fans[p].faces);
        } else if (fans[p].sharp == 2) {
            add(s, p, 0.75f);
            add(s, fans[p].sharp_end[0], 0.125f);
            add(s, fans[p].sharp_end[1], 0.125f);
        } else {
            add(s, p, 1);
        }
    }
}

static void edge_points(sums *s, const cage *c, const cage_edges *edges)
{
    for (int32_t i = 0; i < edges->count; i++) {
        const cage_edge *e = &edges->edges[i];
        bool sharp = is_sharp(e);
        s->first[c->point_count + c->face_count + i] = s->count;
        add(s, e->a, sharp ? 0.5f : 0.25f);
        add(s, e->b, sharp ? 0.5f : 0.25f);
        if (!sharp) {
            add_face(s, &c->faces[e->face[0]], 0.25f);
            add_face(s, &c->faces[e->face[1]], 0.25f);
        }
    }
}

static sums find_sums(const cage *c, const cage_edges *edges)
{
    sums s = {0};
    int32_t count = c->point_count + c->face_count + edges->count;
    s.first = tool_alloc(c->arena, (size_t)count + 1, sizeof *s.first);
    around a = faces_around(c);
    old_points(&s, c, find_fans(c, edges), &a);
    for (int32_t f = 0; f < c->face_count; f++) {
        s.first[c->point_count + f] = s.count;
        add_face(&s, &c->faces[f], 1);
    }
    edge_points(&s, c, edges);
    s.first[count] = s.count;
    return s;
}

/* Computes to[i] as the sum of elements of from, with width floats per point. */
static void apply(const sums *s, int32_t count, const float *from, float *to, int width)
{
    for (int32_t i = 0; i < count; i++)
        for (uint32_t t = s->first[i]; t < s->first[i + 1]; t++)
            for (int k = 0; k < width; k++)
                to[i * width + k] += s->terms[t].factor * from[s->terms[t].point * width + k];
}

static void apply_all(const sums *s, const cage *from, cage *to)
{
    int32_t count = to->point_count;
    apply(s, count, from->points[0].raw, to->points[0].raw, 3);
    apply(s, count, from->edge, to->edge, 1);
    for (int b = 0; b < RIG_MAX; b++)
        if (from->weights[b]) {
            to->weights[b] = tool_alloc(to->arena, (size_t)count, sizeof(float));
            apply(s, count, from->weights[b], to->weights[b], 1);
        }
    for (int m = 0; m < MORPH_COUNT; m++)
        if (from->morphs[m]) {
            to->morphs[m] = tool_alloc(to->arena, (size_t)count, sizeof(vec3));
            apply(s, count, from->morphs[m][0].raw, to->morphs[m][0].raw, 3);
        }
}

static vec2 middle(vec2 a, vec2 b)
{
    return vec2_scale(vec2_add(a, b), 0.5f);
}

/* Creates a quad for each corner: the corner, the two edge points, the face point. */
static void split_face(cage *fine, const cage *c, const cage_edges *edges, int32_t f)
{
    const cage_face *face = &c->faces[f];
    int n = cage_corners(face);
    vec2 mean = (vec2){{0}};
    for (int k = 0; k < n; k++)
        mean = vec2_add(mean, vec2_scale(face->uv[k], 1.0f / (float)n));
    int32_t first_edge = c->point_count + c->face_count;
    for (int k = 0; k < n; k++) {
        int before = (k + n - 1) % n, after = (k + 1) % n;
        const vec2 uv[4] = {face->uv[k], middle(face->uv[k], face->uv[after]), mean,
                            middle(face->uv[before], face->uv[k])};
        cage_quad(fine, face->point[k], first_edge + edges->of_face[f][k], c->point_count + f,
                  first_edge + edges->of_face[f][before], uv, face->material);
    }
}

static void split_creases(cage *fine, const cage *c, const cage_edges *edges)
{
    for (int32_t i = 0; i < edges->count; i++) {
        const cage_edge *e = &edges->edges[i];
        int32_t middle_point = c->point_count + c->face_count + i;
        if (e->sharpness > 1) {
            cage_set_crease(fine, e->a, middle_point, e->sharpness - 1);
            cage_set_crease(fine, middle_point, e->b, e->sharpness - 1);
        }
    }
}

static cage subdivide_once(const cage *c, mmd_arena *arena)
{
    cage fine;
    cage_edges edges = cage_find_edges(c);
    sums s = find_sums(c, &edges);
    int32_t points = c->point_count + c->face_count + edges.count;
    cage_init_sized(&fine, arena, points, c->face_count * 4);
    fine.point_count = points;
    apply_all(&s, c, &fine);
    for (int32_t f = 0; f < c->face_count; f++)
        split_face(&fine, c, &edges, f);
    split_creases(&fine, c, &edges);
    mmd_free(s.terms);
    return fine;
}

cage cage_subdivide(const cage *c, int levels, mmd_arena *arena)
{
    cage fine = *c;
    for (int i = 0; i < levels; i++)
        fine = subdivide_once(&fine, arena);
    return fine;
}
