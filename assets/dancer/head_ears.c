/*
 * An ear: rings round its middle, from the root inside the head over the
 * outer fold and its rolled edge to the hollow in front.
 */
#include <math.h>

#include "head.h"

#include "tool.h"

enum { EAR_SIDES = 12 };

/* How large a ring is, in parts of the ear's outline, and how far off the head it stands. */
static const struct {
    float size, out;
} rings[] = {{0.55f, -0.30f}, {0.80f, 0.00f}, {1.04f, 0.07f}, {1.00f, 0.13f},
             {0.84f, 0.13f},  {0.70f, 0.06f}, {0.40f, 0.03f}};
enum { EAR_RINGS = TOOL_COUNT(rings) };

/* The outline, half an ear high: round and leaning back above, narrow below, straight in front. */
static vec2s outline(float angle)
{
    float back = cosf(angle), up = sinf(angle);
    float width = back > 0 ? 0.25f : 0.15f;
    width *= up < 0 ? 1 + 0.42f * up : 1;
    return (vec2s){{width * back + 0.10f * up, 0.36f * up}};
}

static vec3s ear_point(vec2s place, float out)
{
    const vec3s middle = {{1.52f, 17.27f, 0.14f}};
    const float turn = 0.42f; /* the back edge stands off the head */
    float back = place.x * cosf(turn) - out * sinf(turn), side = place.x * sinf(turn) + out * cosf(turn);
    return (vec3s){{middle.x + side + 0.06f * place.y, middle.y + place.y, middle.z + back}};
}

static cage_skin head_skin(const rig *r)
{
    return skin1(rig_find(r, "頭"));
}

void head_ears_make(cage *c, const rig *r)
{
    for (int i = 0; i < EAR_RINGS; i++) {
        for (int k = 0; k < EAR_SIDES; k++) {
            vec2s place = outline(2 * GLM_PIf * (float)k / EAR_SIDES);
            int32_t p =
                cage_point(c, ear_point(glms_vec2_scale(place, rings[i].size), rings[i].out), head_skin(r));
            c->edge[p] = i < 2 ? 0.3f : 0.7f;
        }
        if (i > 0)
            cage_bridge(c, (i - 1) * EAR_SIDES, i * EAR_SIDES, EAR_SIDES, 0, 1, MATERIAL_SKIN);
    }
    const vec3s none = {{0, 0, 0}};
    cage_cap(c, 0, EAR_SIDES, none, head_skin(r), 0, MATERIAL_SKIN);
    cage_cap(c, (EAR_RINGS - 1) * EAR_SIDES, EAR_SIDES, none, head_skin(r), 1, MATERIAL_SKIN);
    cage_mirror(c, r, false);
}
