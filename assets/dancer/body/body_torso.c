/*
 * The torso: rows from the inside of the collar over shoulders, bust and waist to the hips. Each has seven
 * columns, from the middle of the chest around her left side to the middle of the back. Two more columns in
 * front, near the middle, are the edge of the piping; they end under the sash.
 */
#include "body.h"

#include <math.h>

#include "paint/textures.h"
#include "tool.h"

/* Size of the body that the top's texture covers, in units around it and down it. */
#define TORSO_ROUND 6.5f
#define TORSO_HIGH  3.2f

enum {
    COLUMNS = 9, /* of a row: the middle, two of the piping, then six around the side */
    SIDE = 5     /* the column at her side */
};

/*
 * A row: its height in front, at the side and at the back; half its width; its front and back ends in z, and
 * the z at which it is widest. bust moves the column over the breast outward. material is that of the faces
 * down to the next row.
 */
typedef struct row {
    float front, side, back;
    float width, z_front, z_back, z_side;
    float square; /* 0: an ellipse; higher: boxier */
    float bust;
    float v; /* position on the top's texture, in units downward */
    material_id material;
    bool sharp;
} row;

static const row rows[] = {
    /* the collar: inside, upper edge, piping, base */
    {15.10f, 15.12f, 15.15f, 0.40f, -0.28f, 0.52f, 0.12f, 0, 0, 0, MATERIAL_TOP, false},
    {15.36f, 15.45f, 15.52f, 0.43f, -0.31f, 0.55f, 0.12f, 0, 0, 0, MATERIAL_TRIM, true},
    {15.36f, 15.45f, 15.52f, 0.49f, -0.37f, 0.61f, 0.12f, 0, 0, 0, MATERIAL_TRIM, true},
    {15.26f, 15.35f, 15.42f, 0.51f, -0.40f, 0.63f, 0.12f, 0, 0, 0.15f, MATERIAL_TOP, true},
    {15.06f, 15.20f, 15.24f, 0.60f, -0.50f, 0.70f, 0.12f, 0, 0, 0.24f, MATERIAL_TOP, false},
    /* shoulders, armpit */
    {14.82f, 15.18f, 15.02f, 1.06f, -0.63f, 0.80f, 0.14f, 0.05f, 0.02f, 0.52f, MATERIAL_TOP, false},
    {14.28f, 14.22f, 14.26f, 1.13f, -0.76f, 0.84f, 0.12f, 0.08f, 0.13f, 1.1f, MATERIAL_TOP, false},
    /* bust, under it, waist */
    {13.82f, 13.78f, 13.78f, 1.12f, -0.78f, 0.79f, 0.08f, 0.06f, 0.17f, 1.6f, MATERIAL_TOP, false},
    {13.26f, 13.26f, 13.26f, 1.01f, -0.72f, 0.72f, 0.04f, 0.04f, 0.04f, 2.2f, MATERIAL_TOP, false},
    {12.62f, 12.62f, 12.62f, 0.89f, -0.68f, 0.66f, 0.02f, 0.02f, 0, 2.85f, MATERIAL_TOP, false},
    {12.05f, 12.05f, 12.05f, 0.88f, -0.67f, 0.67f, 0.02f, 0.02f, 0, 3.2f, MATERIAL_TOP, false},
    /* hips */
    {11.55f, 11.55f, 11.55f, 1.05f, -0.74f, 0.78f, 0.03f, 0.02f, 0, 3.2f, MATERIAL_SOCK, false},
    {10.92f, 10.95f, 10.95f, 1.27f, -0.82f, 0.98f, 0.05f, 0.03f, 0, 0, MATERIAL_SOCK, false},
    {10.28f, 10.42f, 10.22f, 1.38f, -0.70f, 0.94f, 0.05f, 0.06f, 0, 0, MATERIAL_SOCK, false},
};
enum {
    ROWS = TOOL_COUNT(rows),
    ROW_SHOULDER = 5,
    ROW_ARMPIT = 6,
    ROW_PIPING_END = 10, /* last row that has the piping's columns */
    ROW_HIP = ROWS - 1
};

/* Angle of each column around the body in steps of 30 degrees; the piping's columns have an x instead. */
static const float steps[COLUMNS] = {0, -1, -1, 1, 2, 3, 4, 5, 6};
static const float piping_x[3] = {0, 0.15f, 0.2f};

static float column_u(int column)
{
    return column == 1 || column == 2 ? 0.5f + piping_x[column] / TORSO_ROUND : 0.5f + steps[column] / 12.0f;
}

static vec3 place(const row *w, int column)
{
    bool piping = column < 3;
    float angle = piping ? mmd_asinf(piping_x[column] / w->width) : steps[column] * PI / 6;
    float power = 1 / (1 + w->square);
    float s = mmd_powf(fabsf(mmd_sinf(angle)), power),
          c = copysignf(mmd_powf(fabsf(mmd_cosf(angle)), power), mmd_cosf(angle));
    if (piping)
        s = piping_x[column] / w->width;
    float to = c > 0 ? w->front : w->back, far = c > 0 ? w->z_front : w->z_back;
    float z = w->z_side + (far - w->z_side) * fabsf(c);
    static const float over_breast[COLUMNS] = {0, 0, 0, 1, 0.3f};
    z -= w->bust * over_breast[column];
    if (column == 1 || column == 2)
        z -= 0.02f; /* the piping stands out */
    return (vec3){{w->width * s, w->side + (to - w->side) * c * c, z}};
}

static float row_v(const row *w)
{
    return w->material == MATERIAL_SOCK ? 0.5f : TEXTURE_TOP_SLEEVE * w->v / TORSO_HIGH;
}

static void add_row(body_build *b, int i, int32_t points[COLUMNS])
{
    bool merged = i > ROW_PIPING_END;
    for (int k = 0; k < COLUMNS; k++) {
        if (merged && (k == 1 || k == 2)) {
            points[k] = points[0];
            continue;
        }
        vec3 p = place(&rows[i], k);
        points[k] = cage_point(&b->c, p, body_torso_skin(b->r, p));
    }
    if (rows[i].sharp)
        body_crease(&b->c, points, COLUMNS, false);
}

/* Adds a face of the strip below row i, left of column k + 1; none where the arm starts. */
static void add_face(body_build *b, int i, int k, const int32_t *above, const int32_t *below)
{
    if (i == ROW_SHOULDER && (k == SIDE - 1 || k == SIDE))
        return;
    float va = row_v(&rows[i]), vb = row_v(&rows[i + 1]), u0 = column_u(k), u1 = column_u(k + 1);
    if (rows[i].material == MATERIAL_TOP && rows[i + 1].material == MATERIAL_SOCK)
        vb = TEXTURE_TOP_SLEEVE;
    material_id material = k == 1 && rows[i].material == MATERIAL_TOP ? MATERIAL_TRIM : rows[i].material;
    if (below[k] != below[k + 1]) {
        const vec2 uv[4] = {{{u0, va}}, {{u1, va}}, {{u1, vb}}, {{u0, vb}}};
        cage_quad(&b->c, above[k], above[k + 1], below[k + 1], below[k], uv, material);
    } else {
        const vec2 uv[4] = {{{u0, va}}, {{u1, va}}, {{u0, vb}}, {{0, 0}}};
        cage_quad(&b->c, above[k], above[k + 1], below[k], CAGE_NONE, uv, material);
    }
}

static void add_faces(body_build *b, int i, const int32_t *above, const int32_t *below)
{
    for (int k = 0; k < COLUMNS - 1; k++) {
        if (above[k] == above[k + 1])
            continue;
        add_face(b, i, k, above, below);
    }
    for (int k = 1; k <= 2 && i < ROW_PIPING_END; k++)
        cage_set_crease(&b->c, above[k], below[k], CREASE);
}

/* Closes the inside of the collar, which the neck goes through. */
static void close_collar(body_build *b, const int32_t *ring)
{
    vec3 p = {{0, 15.1f, 0.12f}};
    int32_t middle = cage_point(&b->c, p, body_torso_skin(b->r, p));
    const vec2 uv[4] = {{{0.5f, 0}}, {{0.5f, 0}}, {{0.5f, 0}}, {{0.5f, 0}}};
    for (int k = 0; k < COLUMNS - 1; k++)
        cage_quad(&b->c, ring[k], ring[k + 1], middle, CAGE_NONE, uv, MATERIAL_TOP);
}

/* Finds the opening at her side, from the front of the shoulder to the back of the armpit. */
static void find_armhole(int32_t points[][COLUMNS], body_armhole *armhole)
{
    static const struct {
        int row, column;
    } corners[ARM_SIDES] = {
        [ARM_BOTTOM] = {ROW_ARMPIT, SIDE},          [ARM_BOTTOM_BACK] = {ROW_ARMPIT, SIDE + 1},
        [ARM_TOP_BACK] = {ROW_SHOULDER, SIDE + 1},  [ARM_TOP] = {ROW_SHOULDER, SIDE},
        [ARM_TOP_FRONT] = {ROW_SHOULDER, SIDE - 1}, [ARM_BOTTOM_FRONT] = {ROW_ARMPIT, SIDE - 1},
    };
    for (int i = 0; i < ARM_SIDES; i++) {
        int at = corners[i].row, column = corners[i].column;
        armhole->points[i] = points[at][column];
        armhole->uv[i] = (vec2){{column_u(column), row_v(&rows[at])}};
    }
}

void body_torso(body_build *b, body_armhole *armhole, int32_t hip[LEG_SIDES])
{
    int32_t points[ROWS][COLUMNS];
    for (int i = 0; i < ROWS; i++) {
        add_row(b, i, points[i]);
        if (i > 0)
            add_faces(b, i - 1, points[i - 1], points[i]);
    }
    close_collar(b, points[0]);
    find_armhole(points, armhole);
    /* Each leg gets all columns of its side, and a point between the legs in the middle. */
    static const int columns[LEG_SIDES] = {7, 8, -1, 0, 3, 4, 5, 6};
    for (int i = 0; i < LEG_SIDES; i++)
        if (i != LEG_IN)
            hip[i] = points[ROW_HIP][columns[i]];
    vec3 crotch = {{0, 10.0f, 0.1f}};
    hip[LEG_IN] = cage_point(&b->c, crotch, body_torso_skin(b->r, crotch));
}
