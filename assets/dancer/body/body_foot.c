/* The boot's foot. Behind, the shaft's ring continues as the heel; in front, three of its points are the
 * upper side of a second tube that runs forward to the toes. The sole runs under both. */
#include "body.h"

enum {
    HEEL = 7,    /* points of a row around the heel, from the inner to the outer front end */
    TOES = 8,    /* points of a ring around the toes */
    SECTIONS = 4 /* rings up to the end of the toes */
};

/* Points of a ring around the toes: across the top from inside, down the outer side, back under the sole, up
 * inside. */
enum { TOP_IN, TOP, TOP_OUT, RAND_OUT, SOLE_OUT, SOLE, SOLE_IN, RAND_IN };

/*
 * A section: z in the middle and at the sides; half the width inside and outside, above and at the sole;
 * heights of the top, its shoulders and the sole's upper and lower edge; the texture's u, from 0.5 on, on top
 * and at the sole; its v on top.
 */
typedef struct section {
    float z, z_side;
    float top_in, top_out, sole_in, sole_out;
    float top, shoulder, rand, floor;
    float u_top, u_sole, v;
} section;

static const section sections[SECTIONS] = {
    {-0.30f, -0.22f, 0.25f, 0.265f, 0.29f, 0.305f, 1.07f, 0.84f, 0.36f, 0.22f, 0.125f, 0.27f, 0.59f},
    {-0.78f, -0.76f, 0.275f, 0.295f, 0.335f, 0.36f, 0.74f, 0.56f, 0.20f, 0, 0.115f, 0.19f, 0.67f},
    {-1.24f, -1.20f, 0.30f, 0.32f, 0.37f, 0.39f, 0.60f, 0.45f, 0.17f, 0, 0.09f, 0.11f, 0.72f},
    {-1.60f, -1.54f, 0.22f, 0.235f, 0.29f, 0.305f, 0.45f, 0.37f, 0.165f, 0, 0.06f, 0.055f, 0.765f},
};
static const float toe_z = -1.78f;

static const float middle_x = 0.85f;

static int32_t foot_point(body_build *b, float x, float y, float z)
{
    vec3 p = {{middle_x + x, y, z}};
    return cage_point(&b->c, p, body_leg_skin(b->r, p));
}

static void add_section(body_build *b, const section *s, int32_t ring[TOES])
{
    ring[TOP_IN] = foot_point(b, -s->top_in, s->shoulder, s->z_side);
    ring[TOP] = foot_point(b, 0, s->top, s->z);
    ring[TOP_OUT] = foot_point(b, s->top_out, s->shoulder, s->z_side);
    ring[RAND_OUT] = foot_point(b, s->sole_out, s->rand, s->z_side);
    ring[SOLE_OUT] = foot_point(b, s->sole_out, s->floor, s->z_side);
    ring[SOLE] = foot_point(b, 0, s->floor, s->z);
    ring[SOLE_IN] = foot_point(b, -s->sole_in, s->floor, s->z_side);
    ring[RAND_IN] = foot_point(b, -s->sole_in, s->rand, s->z_side);
}

/* Adds one face of the toes' tube with a texture coordinate for each corner. */
static void upper_quad(body_build *b, const int32_t p[4], const float u[4], const float v[4])
{
    vec2 uv[4];
    for (int k = 0; k < 4; k++)
        uv[k] = (vec2){{u[k], v[k]}};
    cage_quad(&b->c, p[0], p[1], p[2], p[3], uv, MATERIAL_BOOT);
}

static const vec2 plain = {{0.5f, 0.5f}};
/* v of the texture at the shaft's last ring, its end, and the seam above the sole. */
static const float shaft_v = 0.46f, instep_v = 0.59f, rand_v = 0.89f;

/* Joins one ring to the next: two faces on top, two at the sides, four of the sole. */
static void add_segment(body_build *b, const section *s, const int32_t *a, const int32_t *z)
{
    float ua = s[0].u_top, uz = s[1].u_top, sa = s[0].u_sole, sz = s[1].u_sole, va = s[0].v, vz = s[1].v;
    upper_quad(b, (int32_t[]){a[TOP_IN], a[TOP], z[TOP], z[TOP_IN]},
               (float[]){0.5f - ua, 0.5f, 0.5f, 0.5f - uz}, (float[]){va, va, vz, vz});
    upper_quad(b, (int32_t[]){a[TOP], a[TOP_OUT], z[TOP_OUT], z[TOP]},
               (float[]){0.5f, 0.5f + ua, 0.5f + uz, 0.5f}, (float[]){va, va, vz, vz});
    upper_quad(b, (int32_t[]){a[TOP_OUT], a[RAND_OUT], z[RAND_OUT], z[TOP_OUT]},
               (float[]){0.5f + ua, 0.5f + sa, 0.5f + sz, 0.5f + uz}, (float[]){va, rand_v, rand_v, vz});
    upper_quad(b, (int32_t[]){a[RAND_IN], a[TOP_IN], z[TOP_IN], z[RAND_IN]},
               (float[]){0.5f - sa, 0.5f - ua, 0.5f - uz, 0.5f - sz}, (float[]){rand_v, va, vz, rand_v});
    for (int i = RAND_OUT; i < RAND_IN; i++)
        body_plain_quad(&b->c, a[i], a[i + 1], z[i + 1], z[i], plain, MATERIAL_SOLE);
    const int32_t edges[4][2] = {{a[RAND_OUT], z[RAND_OUT]},
                                 {a[SOLE_OUT], z[SOLE_OUT]},
                                 {a[SOLE_IN], z[SOLE_IN]},
                                 {a[RAND_IN], z[RAND_IN]}};
    for (int i = 0; i < 4; i++)
        cage_set_crease(&b->c, edges[i][0], edges[i][1], CREASE);
}

/* Closes the front: two faces of leather above, two of the sole below. */
static void close_toes(body_build *b, const section *s, const int32_t *ring)
{
    int32_t middle = foot_point(b, 0, s->rand, toe_z);
    b->c.points[ring[SOLE]].z = toe_z;
    for (int side = 0; side < 2; side++) {
        int top = side ? TOP_OUT : TOP_IN, edge = side ? RAND_OUT : RAND_IN, sole = side ? SOLE_OUT : SOLE_IN;
        float sign = side ? 1 : -1;
        upper_quad(b, (int32_t[]){ring[TOP], ring[top], ring[edge], middle},
                   (float[]){0.5f, 0.5f + sign * s->u_top, 0.5f + sign * s->u_sole, 0.5f},
                   (float[]){s->v, s->v, rand_v, rand_v});
        body_plain_quad(&b->c, middle, ring[edge], ring[sole], ring[SOLE], plain, MATERIAL_SOLE);
        cage_set_crease(&b->c, ring[edge], middle, CREASE);
        cage_set_crease(&b->c, ring[sole], ring[SOLE], CREASE);
    }
}

/* Points around the heel between the ends of a row, from inside: where the shaft ends, at the sole's upper
 * edge, and on the floor, where the heel is smaller. */
static const struct {
    float x, y, z;
    float rand_x, rand_y, rand_z;
    float floor_x, floor_z;
} heel[HEEL] = {
    [1] = {-0.28f, 0.88f, 0.14f, -0.30f, 0.44f, 0.10f, -0.265f, 0.14f},
    [2] = {-0.225f, 0.84f, 0.45f, -0.245f, 0.46f, 0.50f, -0.215f, 0.45f},
    [3] = {0, 0.82f, 0.60f, 0, 0.47f, 0.645f, 0, 0.58f},
    [4] = {0.235f, 0.84f, 0.45f, 0.255f, 0.46f, 0.50f, 0.225f, 0.45f},
    [5] = {0.29f, 0.88f, 0.14f, 0.315f, 0.44f, 0.10f, 0.28f, 0.14f},
};

/* Adds three rows around the heel: the end of the shaft, the sole's upper edge, the floor. */
static void add_heel_rows(body_build *b, const int32_t *ring, int32_t rows[3][HEEL])
{
    static const int ends[3][2] = {{TOP_IN, TOP_OUT}, {RAND_IN, RAND_OUT}, {SOLE_IN, SOLE_OUT}};
    for (int row = 0; row < 3; row++) {
        rows[row][0] = ring[ends[row][0]];
        rows[row][HEEL - 1] = ring[ends[row][1]];
        for (int i = 1; i < HEEL - 1; i++) {
            const vec3 at[3] = {{{heel[i].x, heel[i].y, heel[i].z}},
                                {{heel[i].rand_x, heel[i].rand_y, heel[i].rand_z}},
                                {{heel[i].floor_x, 0, heel[i].floor_z}}};
            rows[row][i] = foot_point(b, at[row].x, at[row].y, at[row].z);
        }
        if (row > 0)
            body_crease(&b->c, rows[row], HEEL, false);
    }
}

/* Closes the heel on the floor, between its row and the middle of the front end. */
static void close_heel(body_build *b, const int32_t *row, int32_t sole)
{
    int32_t middle = foot_point(b, 0, 0, heel[1].floor_z);
    body_plain_quad(&b->c, row[0], row[1], middle, sole, plain, MATERIAL_SOLE);
    body_plain_quad(&b->c, row[1], row[2], row[3], middle, plain, MATERIAL_SOLE);
    body_plain_quad(&b->c, row[3], row[4], row[5], middle, plain, MATERIAL_SOLE);
    body_plain_quad(&b->c, row[5], row[6], sole, middle, plain, MATERIAL_SOLE);
    /* The heel's front edge makes corners of its ends. */
    cage_set_crease(&b->c, row[1], middle, CREASE);
    cage_set_crease(&b->c, middle, row[5], CREASE);
}

/* Adds one side of the heel, from the end of the shaft to the sole: columns from front to back, or from back
 * to front. */
static void add_heel_side(body_build *b, const int32_t shaft[4], const int32_t *upper, const int32_t *lower,
                          bool outside)
{
    static const float u[2][4] = {{0.375f, 0.25f, 0.125f, 0}, {1, 0.875f, 0.75f, 0.625f}};
    /* At the sole the distance around is longer in front, so that less of u is left for the heel. */
    static const float u_sole[2][4] = {{0.23f, 0.16f, 0.07f, 0}, {1, 0.93f, 0.84f, 0.77f}};
    body_bridge(&b->c, shaft, upper, &(body_strip){u[outside], shaft_v, instep_v, 4, false, MATERIAL_BOOT});
    for (int i = 0; i < 3; i++) {
        const float *top = u[outside] + i, *low = u_sole[outside] + i;
        upper_quad(b, (int32_t[]){upper[i], upper[i + 1], lower[i + 1], lower[i]},
                   (float[]){top[0], top[1], low[1], low[0]}, (float[]){instep_v, instep_v, rand_v, rand_v});
    }
}

/* Adds the heel from the shaft's ring to the floor. The texture's seam is behind. */
static void add_heel(body_build *b, const int32_t ankle[LEG_SIDES], const int32_t *ring)
{
    static const float front_u[] = {0.375f, 0.5f, 0.625f};
    static const float plain_u[HEEL] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
    int32_t rows[3][HEEL];
    add_heel_rows(b, ring, rows);
    const int32_t in[4] = {ankle[LEG_FRONT_IN], ankle[LEG_IN], ankle[LEG_BACK_IN], ankle[LEG_BACK]};
    const int32_t out[4] = {ankle[LEG_BACK], ankle[LEG_BACK_OUT], ankle[LEG_OUT], ankle[LEG_FRONT_OUT]};
    const int32_t front[3] = {ankle[LEG_FRONT_IN], ankle[LEG_FRONT], ankle[LEG_FRONT_OUT]};
    const int32_t top[3] = {ring[TOP_IN], ring[TOP], ring[TOP_OUT]};
    body_bridge(&b->c, front, top, &(body_strip){front_u, shaft_v, instep_v, 3, false, MATERIAL_BOOT});
    add_heel_side(b, in, rows[0], rows[1], false);
    add_heel_side(b, out, rows[0] + 3, rows[1] + 3, true);
    body_bridge(&b->c, rows[1], rows[2], &(body_strip){plain_u, 0.5f, 0.5f, HEEL, false, MATERIAL_SOLE});
    close_heel(b, rows[2], ring[SOLE]);
}

void body_foot(body_build *b, const int32_t ankle[LEG_SIDES])
{
    int32_t rings[SECTIONS][TOES];
    for (int i = 0; i < SECTIONS; i++) {
        add_section(b, &sections[i], rings[i]);
        if (i > 0)
            add_segment(b, &sections[i - 1], rings[i - 1], rings[i]);
    }
    close_toes(b, &sections[SECTIONS - 1], rings[SECTIONS - 1]);
    add_heel(b, ankle, rings[0]);
}
