/*
 * An ear: rings around its centre, from the root inside the head over the outer fold and its rolled edge to
 * the hollow in front, with the second fold in it. The hollow takes its colour from the cheek on the face's
 * texture.
 */
#include <math.h>

#include "head.h"

#include "paint/textures.h"
#include "tool.h"

enum { EAR_SIDES = 12 };

/*
 * A ring: its size as a share of the ear's outline, how far its centre moves forward and down, its distance
 * from the head in front and at the back, and its shade. In front the rings lie in the cheek: the rolled edge
 * runs around the top and the back only.
 */
static const struct {
    float size, forward, down, front, back, shade;
} rings[] = {{0.55f, 0, 0, -0.30f, -0.30f, 0},          {0.84f, 0, 0, -0.10f, 0.00f, 0},
             {1.04f, 0, 0, -0.03f, 0.08f, 0},           {1.00f, 0, 0, 0.02f, 0.15f, 0},
             {0.87f, 0.01f, 0, 0.035f, 0.15f, 0.05f},   {0.77f, 0.02f, 0.01f, 0.03f, 0.07f, 0.9f},
             {0.66f, 0.03f, 0.02f, 0.03f, 0.11f, 0.2f}, {0.50f, 0.05f, 0.04f, 0.02f, 0.09f, 0.25f},
             {0.34f, 0.06f, 0.05f, -0.02f, 0.0f, 1}};
enum { EAR_RINGS = TOOL_COUNT(rings), EAR_FOLD = 4 /* first ring that faces forward */ };

/* Returns the outline, half an ear high: round and leaning back at the top, narrow at the bottom, straight in
 * front. */
static vec2 outline(float angle)
{
    float back = mmd_cosf(angle), up = mmd_sinf(angle);
    float width = back > 0 ? 0.25f : 0.15f;
    width *= up < 0 ? 1 + 0.42f * up : 1;
    return (vec2){{width * back + 0.10f * up, 0.36f * up}};
}

static vec3 ear_point(vec2 place, float out)
{
    const vec3 middle = {{1.52f, 17.27f, 0.14f}};
    const float turn = 0.42f; /* the back edge stands off the head */
    float back = place.x * mmd_cosf(turn) - out * mmd_sinf(turn),
          side = place.x * mmd_sinf(turn) + out * mmd_cosf(turn);
    return (vec3){{middle.x + side + 0.06f * place.y, middle.y + place.y, middle.z + back}};
}

/* Returns the UV of a shade, from plain skin beside the face to the middle of its cheek. */
static vec2 shade_uv(float shade)
{
    float x = lerp(1.65f, 0.92f, shade), y = 16.96f;
    return (vec2){{0.5f + x / TEXTURE_FACE_SIZE, (TEXTURE_FACE_TOP - y) / TEXTURE_FACE_SIZE}};
}

static void add_faces(cage *c, int ring)
{
    vec2 outer = shade_uv(rings[ring - 1].shade), inner = shade_uv(rings[ring].shade);
    const vec2 uv[4] = {outer, outer, inner, inner};
    int32_t a = (ring - 1) * EAR_SIDES, b = ring * EAR_SIDES;
    for (int k = 0; k < EAR_SIDES; k++) {
        int next = (k + 1) % EAR_SIDES;
        cage_quad(c, a + k, a + next, b + next, b + k, uv, MATERIAL_FACE);
    }
}

static cage_skin head_skin(const rig *r)
{
    return skin1(rig_find(r, "頭"));
}

/* Closes the bottom of the hollow with one shade. */
static void close_hollow(cage *c, const rig *r)
{
    const vec3 none = {{0, 0, 0}};
    int first = c->face_count;
    cage_cap(c, (EAR_RINGS - 1) * EAR_SIDES, EAR_SIDES, none, head_skin(r), 1, MATERIAL_FACE);
    for (int f = first; f < c->face_count; f++)
        for (int k = 0; k < 4; k++)
            c->faces[f].uv[k] = shade_uv(1);
}

void head_ears_make(cage *c, const rig *r)
{
    for (int i = 0; i < EAR_RINGS; i++) {
        for (int k = 0; k < EAR_SIDES; k++) {
            float angle = 2 * PI * (float)k / EAR_SIDES;
            vec2 place = vec2_scale(outline(angle), rings[i].size);
            place.x -= rings[i].forward;
            place.y -= rings[i].down;
            float out = lerp(rings[i].front, rings[i].back, smoothstep(-0.5f, 0.7f, mmd_cosf(angle)));
            int32_t p = cage_point(c, ear_point(place, out), head_skin(r));
            c->edge[p] = i < 2 ? 0.3f : i < 5 ? 0.7f : 0;
        }
        if (i > 0 && i < EAR_FOLD)
            cage_bridge(c, (i - 1) * EAR_SIDES, i * EAR_SIDES, EAR_SIDES, 0.5f, 0.5f, MATERIAL_SKIN);
        else if (i > 0)
            add_faces(c, i);
    }
    const vec3 none = {{0, 0, 0}};
    cage_cap(c, 0, EAR_SIDES, none, head_skin(r), 0.5f, MATERIAL_SKIN);
    close_hollow(c, r);
    cage_mirror(c, r, false);
}
