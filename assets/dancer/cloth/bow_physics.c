/* The bow's rigid bodies: the knot follows the obi, the stiff loops nod, the tails lie on the skirt and swing
 * outward. */
#include "bow.h"

#include "skirt_cloth.h"
#include "tool.h"

typedef struct link {
    float wide, thick, mass;
    cloth_hinge hinge;
} link;

static const link loop_links[BOW_LOOP_BONES] = {
    {0.27f, 0.05f, 0.15f, {2, 2, 2, 2, {40, 5, 40}}},
    {0.40f, 0.05f, 0.10f, {3, 3, 2, 3, {30, 5, 30}}},
};
static const link tail_links[BOW_TAIL_BONES] = {
    {0.16f, 0.09f, 0.15f, {0, 30, 6, 1, {60, 3, 60}}},
    {0.26f, 0.09f, 0.12f, {0, 40, 8, 3, {30, 3, 30}}},
    {0.28f, 0.09f, 0.10f, {1, 45, 10, 6, {15, 3, 15}}},
};

static int32_t add_knot(dancer *d)
{
    int32_t bone = rig_find(&d->rig, "帯結び");
    const mmd_bone *at = &d->rig.bones[bone];
    const mmd_rigid_body body = {.name = at->name,
                                 .name_en = at->name_en,
                                 .bone = bone,
                                 .group = GROUP_BOW,
                                 .size = {0.25f, 0, 0},
                                 .position = {at->position[0], at->position[1], at->position[2]},
                                 .mass = 0.3f,
                                 .linear_damping = 0.5f,
                                 .angular_damping = 0.5f,
                                 .friction = 0.5f};
    return dancer_body(d, &body);
}

static vec3 on_side(vec3 p, int side)
{
    p.x *= (float)side;
    return p;
}

/* Adds the chain of one side, with the groups that it collides with. */
static void add_chain(dancer *d, int32_t knot, int side, const char *name, const vec3 *heads,
                      const link *links, int count, uint16_t mask)
{
    int32_t before = knot;
    for (int i = 0; i < count; i++) {
        const cloth_strip strip = {
            .bone = rig_side(&d->rig, side, tool_text(&d->arena, "%s%d", name, i + 1)),
            .head = on_side(heads[i], side),
            .tail = on_side(heads[i + 1], side),
            .outward = {{0, 0, 1}},
            .wide = links[i].wide,
            .thick = links[i].thick,
            .mass = links[i].mass,
            .mode = BODY_SWINGS,
            .group = GROUP_BOW,
            .mask = mask,
        };
        int32_t body = cloth_add(d, &strip);
        cloth_hang(d, before, body, &strip, &links[i].hinge);
        before = body;
    }
}

void bow_physics(dancer *d)
{
    int32_t knot = add_knot(d);
    for (int side = 1; side >= -1; side -= 2) {
        add_chain(d, knot, side, "帯", bow_loop_heads, loop_links, BOW_LOOP_BONES, 0);
        add_chain(d, knot, side, "帯尾", bow_tail_heads, tail_links, BOW_TAIL_BONES,
                  1u << GROUP_BODY | 1u << GROUP_SKIRT);
    }
}
