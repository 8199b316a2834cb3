/* Edges, orientation and normals of cages. */
#include "cage_edges.h"

#include <stdlib.h>

#include "tool.h"

typedef struct side {
    int32_t a, b; /* a < b */
    int32_t face, corner;
    bool forward;
} side;

static int compare_sides(const void *left, const void *right)
{
    const side *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    if (x->b != y->b)
        return x->b < y->b ? -1 : 1;
    if (x->face != y->face)
        return x->face < y->face ? -1 : 1;
    return (x->corner > y->corner) - (x->corner < y->corner);
}

static int32_t list_sides(const cage *c, side *sides)
{
    int32_t count = 0;
    for (int32_t f = 0; f < c->face_count; f++) {
        const cage_face *face = &c->faces[f];
        int n = cage_corners(face);
        for (int k = 0; k < n; k++) {
            int32_t p = face->point[k], q = face->point[(k + 1) % n];
            sides[count++] = (side){p < q ? p : q, p < q ? q : p, f, k, p < q};
        }
    }
    qsort(sides, (size_t)count, sizeof *sides, compare_sides);
    return count;
}

static int compare_creases(const void *key, const void *element)
{
    const cage_edge *x = key, *y = element;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

static void mark_creases(const cage *c, cage_edges *e)
{
    for (uint32_t i = 0; i < c->crease_count; i++) {
        cage_crease crease = c->creases[i];
        cage_edge key = {.a = crease.a < crease.b ? crease.a : crease.b,
                         .b = crease.a < crease.b ? crease.b : crease.a};
        cage_edge *edge = bsearch(&key, e->edges, (size_t)e->count, sizeof key, compare_creases);
        if (edge && crease.sharpness > edge->sharpness)
            edge->sharpness = crease.sharpness;
    }
}

cage_edges cage_find_edges(const cage *c)
{
    cage_edges e = {0};
    size_t most = (size_t)c->face_count * 4;
    side *sides = tool_alloc(c->arena, most, sizeof *sides);
    int32_t count = list_sides(c, sides);
    e.edges = tool_alloc(c->arena, most, sizeof *e.edges);
    e.of_face = tool_alloc(c->arena, (size_t)c->face_count, sizeof *e.of_face);
    for (int32_t i = 0; i < count; i++) {
        const side *s = &sides[i];
        cage_edge *edge = e.count ? &e.edges[e.count - 1] : NULL;
        if (!edge || edge->a != s->a || edge->b != s->b) {
            edge = &e.edges[e.count++];
            *edge = (cage_edge){s->a, s->b, {s->face, CAGE_NONE}, {s->forward, false}, 0};
        } else if (edge->face[1] == CAGE_NONE) {
            edge->face[1] = s->face;
            edge->forward[1] = s->forward;
        } else {
            vec3 p = c->points[s->a];
            tool_die("three faces meet in an edge at (%.3f, %.3f, %.3f)", (double)p.x, (double)p.y,
                     (double)p.z);
        }
        e.of_face[s->face][s->corner] = e.count - 1;
    }
    mark_creases(c, &e);
    return e;
}

int cage_open_edges(const cage *c)
{
    cage_edges e = cage_find_edges(c);
    int open = 0;
    for (int32_t i = 0; i < e.count; i++)
        open += e.edges[i].face[1] == CAGE_NONE;
    return open;
}

static void flip(cage_face *face)
{
    int n = cage_corners(face);
    for (int i = 0; i < n / 2; i++) {
        int j = n - 1 - i;
        int32_t p = face->point[i];
        vec2 uv = face->uv[i];
        face->point[i] = face->point[j];
        face->uv[i] = face->uv[j];
        face->point[j] = p;
        face->uv[j] = uv;
    }
}

static double face_volume(const cage *c, const cage_face *face)
{
    double volume = 0;
    for (int k = 2; k < cage_corners(face); k++) {
        vec3 p = c->points[face->point[0]], q = c->points[face->point[k - 1]], r = c->points[face->point[k]];
        volume += (double)vec3_dot(p, vec3_cross(q, r));
    }
    return volume;
}

/* State of a walk over a shell. */
typedef struct walk {
    const cage_edges *edges;
    int8_t *turned; /* -1 not visited, 0 unchanged, 1 to be flipped */
    int32_t *shell; /* faces of the shell in the order of visiting */
    int32_t count;
} walk;

/* Visits the neighbour over an edge. It must be flipped if both faces traverse the edge in the same
 * direction, unless one of them already is. */
static void visit(walk *w, int32_t face, const cage_edge *edge)
{
    if (edge->face[1] == CAGE_NONE)
        return;
    int own = edge->face[0] == face ? 0 : 1;
    int32_t next = edge->face[1 - own];
    if (w->turned[next] >= 0)
        return;
    bool same = edge->forward[0] == edge->forward[1];
    w->turned[next] = (int8_t)(w->turned[face] ^ (same ? 1 : 0));
    w->shell[w->count++] = next;
}

static void orient_shell(cage *c, walk *w, int32_t start)
{
    double volume = 0;
    w->count = 0;
    w->shell[w->count++] = start;
    w->turned[start] = 0;
    for (int32_t at = 0; at < w->count; at++) {
        int32_t face = w->shell[at];
        for (int k = 0; k < cage_corners(&c->faces[face]); k++)
            visit(w, face, &w->edges->edges[w->edges->of_face[face][k]]);
    }
    for (int32_t i = 0; i < w->count; i++) {
        cage_face *face = &c->faces[w->shell[i]];
        if (w->turned[w->shell[i]])
            flip(face);
        volume += face_volume(c, face);
    }
    for (int32_t i = 0; i < w->count && volume < 0; i++)
        flip(&c->faces[w->shell[i]]);
}

void cage_orient(cage *c)
{
    cage_edges e = cage_find_edges(c);
    walk w = {.edges = &e};
    w.turned = tool_alloc(c->arena, (size_t)c->face_count, sizeof *w.turned);
    w.shell = tool_alloc(c->arena, (size_t)c->face_count, sizeof *w.shell);
    for (int32_t f = 0; f < c->face_count; f++)
        w.turned[f] = -1;
    for (int32_t f = 0; f < c->face_count; f++)
        if (w.turned[f] < 0)
            orient_shell(c, &w, f);
}

vec3 *cage_normals(const cage *c, mmd_arena *arena)
{
    vec3 *normals = tool_alloc(arena, (size_t)c->point_count, sizeof *normals);
    for (int32_t f = 0; f < c->face_count; f++) {
        const cage_face *face = &c->faces[f];
        for (int k = 2; k < cage_corners(face); k++) {
            const int32_t t[3] = {face->point[0], face->point[k - 1], face->point[k]};
            vec3 n = vec3_cross(vec3_sub(c->points[t[1]], c->points[t[0]]),
                                vec3_sub(c->points[t[2]], c->points[t[0]]));
            for (int i = 0; i < 3; i++)
                normals[t[i]] = vec3_add(normals[t[i]], n);
        }
    }
    for (int32_t i = 0; i < c->point_count; i++)
        normals[i] = vec3_normalize(normals[i]);
    return normals;
}
