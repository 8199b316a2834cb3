/* Building cages: points, faces, rings, mirroring. */
#include "cage_edges.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "rig/morphs.h"
#include "tool.h"

cage_skin skin1(int32_t bone)
{
    return (cage_skin){{bone, -1, -1, -1}, {1, 0, 0, 0}};
}

cage_skin skin2(int32_t a, int32_t b, float t)
{
    t = mmd_minf(mmd_maxf(t, 0), 1);
    return (cage_skin){{a, b, -1, -1}, {1 - t, t, 0, 0}};
}

static void skin_put(cage_skin *s, int32_t bone, float weight)
{
    int lightest = 0;
    for (int i = 0; i < 4; i++) {
        if (s->weight[i] > 0 && s->bone[i] == bone) {
            s->weight[i] += weight;
            return;
        }
        if (s->weight[i] < s->weight[lightest])
            lightest = i;
    }
    if (weight > s->weight[lightest]) {
        s->bone[lightest] = bone;
        s->weight[lightest] = weight;
    }
}

cage_skin skin_mix(cage_skin a, cage_skin b, float t)
{
    cage_skin s = {{-1, -1, -1, -1}, {0, 0, 0, 0}};
    for (int i = 0; i < 4; i++) {
        if (a.weight[i] * (1 - t) > 0)
            skin_put(&s, a.bone[i], a.weight[i] * (1 - t));
        if (b.weight[i] * t > 0)
            skin_put(&s, b.bone[i], b.weight[i] * t);
    }
    return s;
}

void cage_init_sized(cage *c, mmd_arena *arena, int32_t points, int32_t faces)
{
    *c = (cage){.arena = arena, .point_capacity = points, .face_capacity = faces};
    c->points = tool_alloc(arena, (size_t)points, sizeof *c->points);
    c->edge = tool_alloc(arena, (size_t)points, sizeof *c->edge);
    c->faces = tool_alloc(arena, (size_t)faces, sizeof *c->faces);
    c->crease_capacity = (uint32_t)faces;
    c->creases = tool_alloc(arena, c->crease_capacity, sizeof *c->creases);
}

void cage_init(cage *c, mmd_arena *arena)
{
    cage_init_sized(c, arena, CAGE_POINTS_MAX, CAGE_FACES_MAX);
}

static void add_weight(cage *c, int32_t point, int32_t bone, float weight)
{
    if (!c->weights[bone])
        c->weights[bone] = tool_alloc(c->arena, (size_t)c->point_capacity, sizeof(float));
    c->weights[bone][point] += weight;
}

void cage_set_skin(cage *c, int32_t point, cage_skin skin)
{
    assert(point >= 0 && point < c->point_count);
    float sum = 0;
    for (int b = 0; b < RIG_MAX; b++)
        if (c->weights[b])
            c->weights[b][point] = 0;
    for (int i = 0; i < 4; i++)
        sum += skin.weight[i];
    for (int i = 0; i < 4 && sum > 0; i++)
        if (skin.weight[i] > 0)
            add_weight(c, point, skin.bone[i], skin.weight[i] / sum);
}

int32_t cage_point(cage *c, vec3 position, cage_skin skin)
{
    if (c->point_count == c->point_capacity)
        tool_die("a cage has more than %d points", (int)c->point_capacity);
    int32_t point = c->point_count++;
    c->points[point] = position;
    c->edge[point] = 1;
    cage_set_skin(c, point, skin);
    return point;
}

void cage_set_morph(cage *c, int32_t point, morph_id morph, vec3 offset)
{
    assert(point >= 0 && point < c->point_count && morph < MORPH_COUNT);
    if (!c->morphs[morph])
        c->morphs[morph] = tool_alloc(c->arena, (size_t)c->point_capacity, sizeof(vec3));
    c->morphs[morph][point] = offset;
}

void cage_quad(cage *c, int32_t a, int32_t b, int32_t cc, int32_t d, const vec2 uv[4], material_id material)
{
    assert(a != b && a < c->point_count && b < c->point_count && cc < c->point_count && d < c->point_count);
    if (c->face_count == c->face_capacity)
        tool_die("a cage has more than %d faces", (int)c->face_capacity);
    cage_face *face = &c->faces[c->face_count++];
    *face = (cage_face){.point = {a, b, cc, d}, .material = (uint8_t)material};
    memcpy(face->uv, uv, (d == CAGE_NONE ? 3 : 4) * sizeof *uv);
}

void cage_set_crease(cage *c, int32_t a, int32_t b, int sharpness)
{
    assert(a != b && a < c->point_count && b < c->point_count && sharpness > 0);
    if (c->crease_count == c->crease_capacity)
        tool_die("a cage has more than %u creases", c->crease_capacity);
    c->creases[c->crease_count++] = (cage_crease){a, b, sharpness};
}

void cage_crease_ring(cage *c, int32_t first, int count, int sharpness)
{
    for (int i = 0; i < count; i++)
        cage_set_crease(c, first + i, first + (i + 1) % count, sharpness);
}

void cage_bridge(cage *c, int32_t ring_a, int32_t ring_b, int count, float va, float vb, material_id material)
{
    for (int i = 0; i < count; i++) {
        int j = (i + 1) % count;
        float u0 = (float)i / (float)count, u1 = (float)(i + 1) / (float)count;
        const vec2 uv[4] = {{{u0, va}}, {{u1, va}}, {{u1, vb}}, {{u0, vb}}};
        cage_quad(c, ring_a + i, ring_a + j, ring_b + j, ring_b + i, uv, material);
    }
}

int32_t cage_cap(cage *c, int32_t ring, int count, vec3 bulge, cage_skin skin, float v, material_id material)
{
    vec3 middle = (vec3){{0}};
    for (int i = 0; i < count; i++)
        middle = vec3_add(middle, c->points[ring + i]);
    middle = vec3_add(vec3_scale(middle, 1.0f / (float)count), bulge);
    float edge = c->edge[ring];
    int32_t top = cage_point(c, middle, skin);
    c->edge[top] = edge;
    for (int i = 0; i < count; i++) {
        float u0 = (float)i / (float)count, u1 = (float)(i + 1) / (float)count;
        const vec2 uv[4] = {{{u0, v}}, {{u1, v}}, {{0.5f * (u0 + u1), v}}, {{0, 0}}};
        cage_quad(c, ring + i, ring + (i + 1) % count, top, CAGE_NONE, uv, material);
    }
    return top;
}

/* Returns a coordinate of a circle that is squared off, as a superellipse with exponent 2 to 8. */
static float squared(float x, float square)
{
    return copysignf(mmd_powf(fabsf(x), 1.0f / (1.0f + 3.0f * square)), x);
}

static int32_t add_ring(cage *c, const cage_section *s, int sides)
{
    int32_t first = c->point_count;
    for (int i = 0; i < sides; i++) {
        float angle = 2 * PI * (float)i / (float)sides;
        float x = squared(mmd_cosf(angle), s->square), y = squared(mmd_sinf(angle), s->square);
        vec3 p = vec3_add(s->centre, vec3_add(vec3_scale(s->x, x), vec3_scale(s->y, y)));
        int32_t point = cage_point(c, p, s->skin);
        c->edge[point] = s->edge != 0 ? s->edge : 1;
    }
    return first;
}

int32_t cage_tube(cage *c, const cage_section *sections, int count, int sides, float bulge)
{
    assert(count >= 2 && sides >= 3);
    int32_t first = c->point_count;
    for (int i = 0; i < count; i++) {
        int32_t ring = add_ring(c, &sections[i], sides);
        if (i > 0)
            cage_bridge(c, ring - sides, ring, sides, sections[i - 1].v, sections[i].v,
                        sections[i - 1].material);
    }
    const cage_section *a = &sections[0], *z = &sections[count - 1];
    vec3 below = vec3_sub(a->centre, sections[1].centre);
    vec3 above = vec3_sub(z->centre, sections[count - 2].centre);
    cage_cap(c, first, sides, vec3_scale(below, bulge), a->skin, a->v, a->material);
    cage_cap(c, first + sides * (count - 1), sides, vec3_scale(above, bulge), z->skin, z->v,
             sections[count - 2].material);
    return first;
}

static void mirror_planes(cage *c, const rig *r, int32_t from, int32_t to)
{
    for (int b = 0; b < (int)r->count; b++)
        if (c->weights[b] && c->weights[b][from] > 0)
            add_weight(c, to, rig_mirror(r, b), c->weights[b][from]);
    for (int m = 0; m < MORPH_COUNT; m++)
        if (c->morphs[m]) {
            vec3 offset = c->morphs[m][from];
            offset.x = -offset.x;
            if (vec3_length(offset) > 0)
                cage_set_morph(c, to, morph_mirror((morph_id)m), offset);
        }
}

/* Makes weights and morphs of a point in the middle symmetrical. */
static void mirror_middle(cage *c, const rig *r, int32_t point)
{
    cage_skin skin = {{-1, -1, -1, -1}, {0, 0, 0, 0}};
    c->points[point].x = 0;
    for (int b = 0; b < (int)r->count; b++)
        if (c->weights[b] && c->weights[b][point] > 0) {
            skin_put(&skin, b, c->weights[b][point]);
            skin_put(&skin, rig_mirror(r, b), c->weights[b][point]);
        }
    cage_set_skin(c, point, skin);
    for (int m = 0; m < MORPH_COUNT; m++)
        if (c->morphs[m] && morph_mirror((morph_id)m) == (morph_id)m)
            c->morphs[m][point].x = 0;
}

void cage_mirror(cage *c, const rig *r, bool flip_u)
{
    int32_t points = c->point_count, faces = c->face_count;
    uint32_t creases = c->crease_count;
    const cage_skin none = {{-1, -1, -1, -1}, {0, 0, 0, 0}};
    int32_t *other = tool_alloc(c->arena, (size_t)points, sizeof *other);
    for (int32_t i = 0; i < points; i++) {
        other[i] = i;
        if (fabsf(c->points[i].x) < 1e-4f) {
            mirror_middle(c, r, i);
            continue;
        }
        other[i] = cage_point(c, (vec3){{-c->points[i].x, c->points[i].y, c->points[i].z}}, none);
        c->edge[other[i]] = c->edge[i];
        mirror_planes(c, r, i, other[i]);
    }
    for (int32_t f = 0; f < faces; f++) {
        cage_face face = c->faces[f];
        for (int k = 0; k < 4; k++) {
            face.point[k] = face.point[k] == CAGE_NONE ? CAGE_NONE : other[face.point[k]];
            face.uv[k].x = flip_u ? 1 - face.uv[k].x : face.uv[k].x;
        }
        cage_quad(c, face.point[0], face.point[1], face.point[2], face.point[3], face.uv, face.material);
    }
    for (uint32_t i = 0; i < creases; i++) {
        cage_crease e = c->creases[i];
        if (other[e.a] != e.a || other[e.b] != e.b)
            cage_set_crease(c, other[e.a], other[e.b], e.sharpness);
    }
}
