/*
 * The head, from its parts: the face's shell with skull and neck, ears, teeth
 * and tongue, lashes and brows, blush, irises. Afterwards normals are turned
 * so that toon shading falls in large, clean shapes.
 */
#include "head.h"

typedef void maker(cage *c, const rig *r);

static dancer_range add_part(dancer *d, const char *name, maker *make, int levels, maker *finish)
{
    cage c;
    cage_init(&c, &d->arena);
    make(&c, &d->rig);
    cage fine = cage_subdivide(&c, levels, &d->arena);
    if (finish)
        finish(&fine, &d->rig);
    return dancer_add(d, name, &fine);
}

/* Returns the normal of a smooth egg round the head. Below its middle it hardly looks down, so that light
 * falls on the cheeks down to the jaw. */
static vec3 egg_normal(vec3 p)
{
    const vec3 middle = {{0, 17.6f, 0.2f}}, radii = {{1.6f, 1.9f, 1.75f}};
    vec3 n = vec3_sub(p, middle);
    for (int i = 0; i < 3; i++)
        n.raw[i] /= radii.raw[i] * radii.raw[i];
    if (n.y < 0)
        n.y *= 0.35f;
    return vec3_normalize(n);
}

/* Returns how much of the egg's normal a place of the face takes: all in front, none on the neck and where
 * the surface looks down, under the jaw. */
static float egg_part(vec3 p, vec3 normal)
{
    float front = smoothstep(0.3f, -0.5f, p.z), above = smoothstep(15.95f, 16.45f, p.y);
    return front * above * smoothstep(-0.92f, -0.78f, normal.y);
}

/* Gives the whites, the inside of the mouth and what lies on the face the same lighting as the face at that
 * position. */
static vec3 shading_normal(const dancer_vertex *v)
{
    switch (v->material) {
    case MATERIAL_FACE:
    case MATERIAL_SKIN:
        return vec3_normalize(
            vec3_lerp(v->normal, egg_normal(v->position), egg_part(v->position, v->normal)));
    default:
        return vec3_normalize((vec3){{0, 0.3f, -1}});
    }
}

static void shade(dancer *d, dancer_range range)
{
    for (uint32_t i = range.first; i < range.first + range.count; i++)
        d->vertices[i].normal = shading_normal(&d->vertices[i]);
}

static void face_finish(cage *c, const rig *r)
{
    (void)r;
    head_face_uv(c);
}

void head_add(dancer *d)
{
    shade(d, add_part(d, "face", head_face_make, 1, face_finish));
    add_part(d, "ears", head_ears_make, 1, NULL);
    shade(d, add_part(d, "teeth and tongue", head_mouth_make, 1, NULL));
    shade(d, add_part(d, "lashes and brows", head_lashes_make, 1, NULL));
    shade(d, add_part(d, "blush", head_blush_make, 0, NULL));
    head_irises_add(d);
}
