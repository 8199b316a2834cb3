/* The ponytail: a centre line that leaves the tie upward, swings out and falls in an S, and locks that wind
 * around it, each of which leaves and joins it in its own way. */
#include "hair.h"

#include <math.h>

#include "mesh/spline.h"
#include "tool.h"

static const vec3 middle[] = {
    {{0, 18.75f, 1.25f}},    {{0, 19.2f, 1.95f}},    {{0.08f, 19.15f, 2.7f}}, {{0.32f, 18.3f, 3.28f}},
    {{0.72f, 16.9f, 3.45f}}, {{0.98f, 15.4f, 3.3f}}, {{0.92f, 13.9f, 3.25f}}, {{1.12f, 12.5f, 3.7f}},
};

/* Position of the tie along the line. */
#define TIE 0.09f

/* A lock's line runs beside the centre line: its direction from it (degrees, 0 is her left, 90 the outside)
 * and its distance, at five positions from the tie to the tip. */
enum { STATIONS = 5 };
typedef struct tail_row {
    float angle[STATIONS], beside[STATIONS];
    float length; /* as a share of the centre line's */
    float width, depth, point;
    float u;
    int sections;
} tail_row;

static const tail_row locks[] = {
    /* Inner locks, which fill the ponytail. */
    {{90, 90, 90, 90, 90}, {0, 0, 0, 0, 0}, 0.92f, 0.72f, 0.46f, 0.9f, 0.10f, 16},
    {{-90, -90, -90, -90, -90}, {0, 0.1f, 0.2f, 0.2f, 0.1f}, 0.84f, 0.70f, 0.42f, 0.9f, 0.20f, 16},
    /* Outer locks; they wind to her right on their way down. */
    {{70, 85, 112, 128, 75}, {0.12f, 0.24f, 0.36f, 0.30f, 0.12f}, 1.0f, 0.54f, 0.28f, 1.0f, 0.30f, 24},
    {{5, 18, 44, 62, 50}, {0.12f, 0.40f, 0.58f, 0.46f, 0.28f}, 0.92f, 0.52f, 0.28f, 1.0f, 0.40f, 24},
    {{140, 160, 178, 172, 120}, {0.12f, 0.40f, 0.62f, 0.52f, 0.32f}, 0.96f, 0.50f, 0.28f, 1.0f, 0.50f, 24},
    {{-45, -35, -14, 8, 25}, {0.10f, 0.40f, 0.62f, 0.58f, 0.62f}, 0.80f, 0.44f, 0.24f, 1.0f, 0.60f, 24},
    {{200, 205, 215, 205, 180}, {0.10f, 0.40f, 0.60f, 0.60f, 0.70f}, 0.75f, 0.44f, 0.24f, 1.0f, 0.70f, 24},
    {{35, 48, 78, 92, 95}, {0.12f, 0.44f, 0.66f, 0.70f, 0.85f}, 0.66f, 0.27f, 0.15f, 1.1f, 0.80f, 24},
    {{110, 124, 146, 150, 150}, {0.12f, 0.43f, 0.66f, 0.66f, 0.74f}, 0.72f, 0.27f, 0.15f, 1.1f, 0.90f, 24},
};

hair_line hair_tail_axis(void)
{
    /* Outward is away from her back and perpendicular to the line, which lies almost in the plane x = 0. */
    hair_line line = hair_line_points(middle, TOOL_COUNT(middle), (vec3){{0, 1, 0}}, (vec3){{0, 0, 1}});
    for (int i = 0; i <= HAIR_LINE; i++) {
        vec3 along = hair_line_along(&line, (float)i / HAIR_LINE);
        line.out[i] = vec3_normalize(vec3_cross((vec3){{-1, 0, 0}}, along));
    }
    return line;
}

float hair_tail_bone(int number)
{
    return TIE + (1 - TIE) * (float)number / HAIR_CHAIN_BONES;
}

static hair_line lock_line(const hair_line *axis, const tail_row *row)
{
    hair_line line = {.length = axis->length * row->length};
    for (int i = 0; i <= HAIR_LINE; i++) {
        float t = (float)i / HAIR_LINE, s = t * row->length;
        float a = to_radians(spline_at(row->angle, STATIONS, t));
        float far = spline_at(row->beside, STATIONS, t) * smoothstep(0, 0.15f, s);
        vec3 out = hair_line_out(axis, s);
        vec3 left = vec3_normalize(vec3_cross(out, hair_line_along(axis, s)));
        if (left.x < 0)
            left = vec3_negate(left);
        vec3 way = vec3_add(vec3_scale(left, mmd_cosf(a)), vec3_scale(out, mmd_sinf(a)));
        line.at[i] = vec3_add(hair_line_at(axis, s), vec3_scale(way, far));
        line.out[i] = way;
    }
    return line;
}

void hair_tail_add(dancer *d)
{
    cage c;
    cage_init(&c, &d->arena);
    hair_line axis = hair_tail_axis();
    hair_chain chain = hair_chain_find(&d->rig, CHAIN_TAIL, 1);
    for (size_t i = 0; i < TOOL_COUNT(locks); i++) {
        const tail_row *row = &locks[i];
        hair_line line = lock_line(&axis, row);
        const hair_shape shape = {.width = row->width,
                                  .depth = row->depth,
                                  .root = 0.36f,
                                  .belly = 0.5f,
                                  .point = row->point,
                                  .bend = 0.25f,
                                  .u = row->u,
                                  .v = {0.1f, 1.0f},
                                  .sections = row->sections,
                                  .material = MATERIAL_HAIR};
        hair_lock_add(&c, &line, &shape, &chain, &chain, 0);
    }
    dancer_add(d, "ponytail", &c);
}
