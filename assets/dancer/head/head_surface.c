/*
 * The surface of the head: rows from the crown to the neck. Each row is a closed curve, given by its
 * foremost, outermost and hindmost point. A uniform cubic B-spline joins the rows smoothly; nose, lips and
 * the movement of the jaw are added to it.
 */
#include "head.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mesh/spline.h"

typedef struct head_row {
    float front_y, front_z;
    float side_x, side_y, side_z;
    float back_y, back_z;
    float square; /* of the front: 2 is an ellipse, more is flatter, less is more pointed */
} head_row;

enum { ROW_FIELDS = sizeof(head_row) / sizeof(float) };

static const head_row rows[HEAD_LAST_ROW + 1] = {
    /* front y, z      side x, y, z             back y, z      square */
    {19.62f, 0.10f, 0.00f, 19.62f, 0.10f, 19.62f, 0.10f, 2.0f},    /* crown */
    {19.52f, -0.60f, 0.66f, 19.52f, 0.05f, 19.52f, 0.72f, 2.0f},   /*  */
    {19.18f, -1.22f, 1.20f, 19.16f, 0.05f, 19.16f, 1.32f, 2.0f},   /*  */
    {18.60f, -1.60f, 1.55f, 18.60f, 0.05f, 18.58f, 1.72f, 2.1f},   /*  */
    {18.00f, -1.68f, 1.66f, 18.00f, 0.05f, 17.95f, 1.80f, 2.2f},   /* forehead */
    {17.42f, -1.545f, 1.60f, 17.45f, 0.05f, 17.35f, 1.66f, 2.35f}, /* eyes */
    {16.95f, -1.53f, 1.52f, 17.10f, 0.08f, 16.95f, 1.36f, 2.3f},   /* cheeks */
    {16.55f, -1.50f, 1.38f, 16.86f, 0.16f, 16.60f, 1.02f, 2.3f},   /* mouth */
    {16.29f, -1.44f, 1.15f, 16.68f, 0.24f, 16.35f, 0.80f, 2.1f},   /* chin */
    {16.09f, -1.38f, 0.92f, 16.52f, 0.27f, 16.16f, 0.66f, 1.9f},   /* its point */
    {16.07f, -1.12f, 0.62f, 16.50f, 0.27f, 15.99f, 0.57f,
     1.8f}, /* under it: in and up, so that the jaw has */
    {16.16f, -0.70f, 0.39f, 16.40f, 0.20f, 15.86f, 0.52f, 1.85f}, /* an edge */
    {16.08f, -0.35f, 0.365f, 16.06f, 0.13f, 15.76f, 0.48f, 2.0f}, /* throat */
    {15.70f, -0.25f, 0.36f, 15.68f, 0.10f, 15.60f, 0.46f, 2.0f},  /* neck */
    {15.28f, -0.25f, 0.365f, 15.28f, 0.10f, 15.25f, 0.46f, 2.0f}, /*  */
    {14.90f, -0.25f, 0.37f, 14.90f, 0.10f, 14.90f, 0.46f, 2.0f},  /* inside the torso */
};

/* Returns the numbers of a row. Beyond the ends the rows continue in a straight line, so that the spline
 * reaches the first and the last one. */
static void row_fields(int row, float fields[ROW_FIELDS])
{
    int end = row < 0 ? 0 : row > HEAD_LAST_ROW ? HEAD_LAST_ROW : row;
    memcpy(fields, &rows[end], sizeof rows[end]);
    if (row == end)
        return;
    float within[ROW_FIELDS];
    memcpy(within, &rows[2 * end - row], sizeof within);
    for (int k = 0; k < (int)ROW_FIELDS; k++)
        fields[k] = 2 * fields[k] - within[k];
}

static head_row row_at(float v)
{
    float fields[4][ROW_FIELDS], sums[ROW_FIELDS] = {0};
    head_row row;
    int first = (int)floorf(mmd_minf(mmd_maxf(v, 0), (float)HEAD_LAST_ROW - 1e-3f));
    float t = v - (float)first, s = 1 - t;
    const float weights[4] = {s * s * s / 6, (3 * t * t * t - 6 * t * t + 4) / 6,
                              (3 * s * s * s - 6 * s * s + 4) / 6, t * t * t / 6};
    for (int i = 0; i < 4; i++) {
        row_fields(first - 1 + i, fields[i]);
        for (int k = 0; k < (int)ROW_FIELDS; k++)
            sums[k] += weights[i] * fields[i][k];
    }
    memcpy(&row, sums, sizeof row);
    return row;
}

static vec3 row_point(const head_row *row, float angle)
{
    float s = mmd_sinf(angle), c = mmd_cosf(angle);
    if (c < 0)
        return (vec3){{row->side_x * s, lerp(row->side_y, row->back_y, c * c),
                       row->side_z - (row->back_z - row->side_z) * c}};
    float n = row->square, y = lerp(row->side_y, row->front_y, c * c);
    float size = 1 / mmd_powf(mmd_powf(fabsf(s), n) + mmd_powf(c, n), 1 / n);
    return (vec3){{row->side_x * s * size, y, row->side_z + (row->front_z - row->side_z) * c * size}};
}

static float step(float from, float to, float x)
{
    return smoothstep(from, to, x);
}

/* Returns a bump at x, y that ends smoothly at the distance rx, ry. */
static float bump(vec3 p, float x, float y, float rx, float ry)
{
    float dx = (p.x - x) / rx, dy = (p.y - y) / ry;
    float d = 1 - dx * dx - dy * dy;
    return d > 0 ? d * d : 0;
}

/* Returns the relief of the nose, which rises slowly from between the eyes to its point and ends sharply
 * below it. */
static float nose(vec3 p)
{
    const float tip = 16.90f, top = 17.30f, base = 16.77f;
    float along = p.y > tip ? 1 - step(tip, top, p.y) : step(base, tip - 0.02f, p.y);
    float width = p.y > tip ? 0.14f : 0.14f + 0.02f * (tip - p.y) / (tip - base);
    float across = p.x / width;
    return 0.19f * along * along * mmd_expf(-across * across);
}

/* Returns how far the skin stands out from the rows. */
static float relief(vec3 p)
{
    float out = nose(p);
    out += 0.030f * bump(p, 0, 16.220f, 0.34f, 0.160f);   /* chin */
    out += 0.030f * bump(p, 0.92f, 16.90f, 0.50f, 0.34f); /* cheeks */
    out -= 0.040f * bump(p, 0.66f, 17.45f, 0.60f, 0.48f); /* eyes lie a little deeper, */
    out -= 0.060f * bump(p, 0.30f, 17.32f, 0.26f, 0.40f); /* most of all beside the nose */
    return out;
}

/* Returns the relief of the lips: full along the opening of the look, with a dip below the lower lip. */
static float lips(const head_mouth *mouth, vec3 p)
{
    float upper = mouth->upper[0].y, lower = mouth->lower[0].y;
    vec2 corner = mouth->upper[HEAD_LIP_KEYS - 1];
    float out = mouth->pout * bump(p, 0, 16.54f, 0.36f, 0.26f);
    out += 0.050f * bump(p, 0, upper + 0.045f, 0.22f, 0.075f);
    out += 0.055f * bump(p, 0, lower - 0.023f, 0.18f, 0.080f);
    out -= 0.040f * bump(p, 0, lower - 0.118f, 0.26f, 0.070f);
    return out - mouth->corner * bump(p, corner.x, corner.y, 0.26f, 0.22f);
}

/* Returns 1 where the jaw moves fully, 0 where it does not move. */
static float jaw_part(vec2 at)
{
    float front = mmd_cosf(mmd_minf(at.x, 0.5f * PI));
    return front * front * step(6.7f, 8.3f, at.y) * (1 - step(10, 12, at.y));
}

vec3 head_surface(const head_look *look, vec2 at)
{
    head_row row = row_at(at.y);
    vec3 p = row_point(&row, at.x);
    if (at.x < 0.45f * PI && at.y > 3 && at.y < HEAD_CHIN_ROW)
        p.z -= relief(p);
    p.z -= 0.06f * look->eye->closed * bump(p, 0.76f, 17.25f, 0.62f, 0.55f);
    p.y -= look->mouth->jaw * jaw_part(at);
    if (at.x < 0.45f * PI && at.y < HEAD_CHIN_ROW)
        p.z -= lips(look->mouth, p);
    return p;
}

vec2 head_find(const head_look *look, vec2 xy)
{
    vec2 at = {{mmd_asinf(mmd_minf(fabsf(xy.x) / 1.62f, 0.95f)), 4 + (18.0f - xy.y) / 0.45f}};
    at.y = mmd_minf(mmd_maxf(at.y, 3), HEAD_CHIN_ROW - 0.5f);
    for (int i = 0; i < 30; i++) {
        const float h = 1e-3f;
        vec3 p = head_surface(look, at);
        vec3 pu = head_surface(look, (vec2){{at.x + h, at.y}});
        vec3 pv = head_surface(look, (vec2){{at.x, at.y + h}});
        float xu = (pu.x - p.x) / h, yu = (pu.y - p.y) / h, xv = (pv.x - p.x) / h, yv = (pv.y - p.y) / h;
        float det = xu * yv - xv * yu, ex = xy.x - p.x, ey = xy.y - p.y;
        if (fabsf(det) < 1e-6f)
            break;
        at.x += 0.8f * (ex * yv - ey * xv) / det;
        at.y += 0.8f * (ey * xu - ex * yu) / det;
        at.y = mmd_minf(mmd_maxf(at.y, 1), HEAD_CHIN_ROW);
    }
    return at;
}

vec3 head_lift(const head_look *look, vec2 xy, float lift)
{
    const float h = 0.02f;
    vec2 at = head_find(look, xy);
    vec3 du =
        vec3_sub(head_surface(look, (vec2){{at.x + h, at.y}}), head_surface(look, (vec2){{at.x - h, at.y}}));
    vec3 dv =
        vec3_sub(head_surface(look, (vec2){{at.x, at.y + h}}), head_surface(look, (vec2){{at.x, at.y - h}}));
    vec3 out = vec3_normalize(vec3_cross(du, dv));
    if (out.z > 0)
        out = vec3_negate(out);
    return vec3_add(head_surface(look, at), vec3_scale(out, lift));
}

/* --- curves --- */

/* t: share of the way from the first key to the last. */
static vec2 curve_at(const vec2 *keys, int count, float t)
{
    float x[HEAD_CURVE_MAX], y[HEAD_CURVE_MAX];
    assert(count <= HEAD_CURVE_MAX);
    for (int i = 0; i < count; i++) {
        x[i] = keys[i].x;
        y[i] = keys[i].y;
    }
    return (vec2){{spline_at(x, count, t), spline_at(y, count, t)}};
}

vec2 head_curve(const vec2 *keys, int count, float t)
{
    enum { STEPS = 16 * HEAD_CURVE_MAX };
    float length[STEPS + 1] = {0};
    const float scale = 1.0f / STEPS;
    for (int i = 0; i < STEPS; i++)
        length[i + 1] = length[i] + vec2_distance(curve_at(keys, count, (float)i * scale),
                                                  curve_at(keys, count, (float)(i + 1) * scale));
    float want = mmd_minf(mmd_maxf(t, 0), 1) * length[STEPS];
    int i = 0;
    while (i < STEPS - 1 && length[i + 1] < want)
        i++;
    float part = (want - length[i]) / mmd_maxf(length[i + 1] - length[i], 1e-9f);
    return curve_at(keys, count, ((float)i + part) * scale);
}

vec2 head_curve_direction(const vec2 *keys, int count, float t)
{
    const float h = 0.02f;
    vec2 a = head_curve(keys, count, mmd_maxf(t - h, 0)), b = head_curve(keys, count, mmd_minf(t + h, 1));
    return vec2_normalize(vec2_sub(b, a));
}
