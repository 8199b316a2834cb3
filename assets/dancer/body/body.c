/*
 * The body under the head: a fitted top with puffed sleeves, arms, hands, dark
 * shorts, legs, over-knee socks and boots, all of one closed shell. Its parts
 * lie in body_torso.c, body_arm.c, body_hand.c, body_leg.c and body_foot.c.
 */
#include "body.h"

#include <math.h>
#include <string.h>

#include "dancer.h"
#include "tool.h"

void body_bridge(cage *c, const int32_t *a, const int32_t *b, const body_strip *strip)
{
    for (int i = 0; i < strip->count - !strip->closed; i++) {
        int j = (i + 1) % strip->count;
        float u0 = strip->u[i], u1 = strip->u[i + 1];
        const vec2 uv[4] = {{{u0, strip->va}}, {{u1, strip->va}}, {{u1, strip->vb}}, {{u0, strip->vb}}};
        cage_quad(c, a[i], a[j], b[j], b[i], uv, strip->material);
    }
}

void body_plain_quad(cage *c, int32_t p0, int32_t p1, int32_t p2, int32_t p3, vec2 uv, material_id material)
{
    cage_quad(c, p0, p1, p2, p3, (const vec2[4]){uv, uv, uv, uv}, material);
}

void body_crease(cage *c, const int32_t *row, int count, bool closed)
{
    for (int i = 0; i < count - !closed; i++)
        cage_set_crease(c, row[i], row[(i + 1) % count], CREASE);
}

float body_ramp(float a, float b, float x)
{
    float t = mmd_minf(mmd_maxf((x - a) / (b - a), 0), 1);
    return t * t * (3 - 2 * t);
}

/* Moves the cage's points so that the subdivided surface goes through their old positions: adds the
 * difference, a few times. More rounds would make sharp bends overshoot. */
static void fit(cage *c)
{
    enum { ROUNDS = 6 };
    cage shape = *c;
    memset(shape.weights, 0, sizeof shape.weights);
    memset(shape.morphs, 0, sizeof shape.morphs);
    vec3 *goals = tool_alloc(c->arena, (size_t)c->point_count, sizeof *goals);
    memcpy(goals, c->points, (size_t)c->point_count * sizeof *goals);
    for (int round = 0; round < ROUNDS; round++) {
        /* Points of the cage keep their indices in the subdivided mesh. */
        cage fine = cage_subdivide(&shape, 2, c->arena);
        for (int32_t i = 0; i < c->point_count; i++)
            c->points[i] = vec3_add(c->points[i], vec3_sub(goals[i], fine.points[i]));
    }
}

/* Where two bones of a joint meet, drops the small weights of third bones that smoothing left, so that the
 * skin can bend by SDEF. */
static void keep_pairs(cage *c, const rig *r)
{
    for (uint32_t j = 0; j < r->joint_count; j++) {
        const float *a = c->weights[r->joints[j].bone], *b = c->weights[r->joints[j].child];
        for (int32_t i = 0; a && b && i < c->point_count; i++)
            if (a[i] > 0 && b[i] > 0)
                cage_set_skin(c, i, skin2(r->joints[j].bone, r->joints[j].child, b[i] / (a[i] + b[i])));
    }
}

/* Puts the soles on the floor, with nothing below it. */
static void flatten_soles(cage *c)
{
    for (int32_t i = 0; i < c->point_count; i++)
        if (c->points[i].y < 0.004f)
            c->points[i].y = 0;
}

void body_add(dancer *d)
{
    body_build b = {.r = &d->rig};
    body_armhole armhole;
    int32_t wrist[ARM_SIDES], hip[LEG_SIDES], ankle[LEG_SIDES];
    cage_init(&b.c, &d->arena);
    body_torso(&b, &armhole, hip);
    body_arm(&b, &armhole, wrist);
    body_hand(&b, wrist);
    body_leg(&b, hip, ankle);
    body_foot(&b, ankle);
    cage_mirror(&b.c, b.r, true);
    fit(&b.c);
    cage fine = cage_subdivide(&b.c, 2, &d->arena);
    keep_pairs(&fine, b.r);
    flatten_soles(&fine);
    dancer_add(d, "body", &fine);
}
