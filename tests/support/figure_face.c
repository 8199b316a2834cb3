/*
 * The face of the figure: patches and lines on the surface of the head. Each is a grid of points in the
 * frontal plane, projected onto the head from the front. Morphs move the points in the plane and project them
 * again.
 */
#include "figure.h"

#include "mmd/elementary.h"

const char *const figure_morph_names[MORPH_COUNT] = {"まばたき", "笑い", "あ"};

enum { EYE_COLUMNS = 10, EYE_ROWS = 12, LINE_COLUMNS = 16 };

#define EYE_X      0.98f
#define EYE_Y      13.35f
#define EYE_WIDTH  0.52f /* half the width */
#define EYE_HEIGHT 0.72f /* half the height */
#define MOUTH_Y    12.32f

/* Computes the point of the head's surface at x, y, raised towards the viewer by lift. */
static void lay_on(float x, float y, float lift, float p[3])
{
    p[0] = x;
    p[1] = y;
    p[2] = -4;
    for (int i = 0; i < 40; i++) {
        float d = figure_head_distance(p);
        if (d < 1e-4f)
            break;
        p[2] += 0.8f * d;
    }
    /* Corners beyond the outline of the head have no surface below them and stay near the cheek. */
    p[2] = mmd_minf(p[2], -0.3f) - lift;
}

/* Position of a patch's point in the plane, at rest and in each morph. */
typedef struct face_point {
    float rest[2], morph[MORPH_COUNT][2];
    float u, v;
    float lift;
} face_point;

static face_point point_at(float x, float y, float lift)
{
    face_point f = {.rest = {x, y}, .lift = lift};
    for (int m = 0; m < MORPH_COUNT; m++) {
        f.morph[m][0] = x;
        f.morph[m][1] = y;
    }
    return f;
}

static uint32_t add_point(figure_mesh *mesh, const face_point *f)
{
    figure_vertex v = {.normal = {0, 0, -1}, .uv = {f->u, f->v}, .weights = {{BONE_HEAD, -1, -1, -1}, {1}}};
    float p[3], moved[3];
    lay_on(f->rest[0], f->rest[1], f->lift, p);
    for (int m = 0; m < MORPH_COUNT; m++) {
        lay_on(f->morph[m][0], f->morph[m][1], f->lift, moved);
        for (int i = 0; i < 3; i++)
            v.morph[m][i] = FIGURE_SCALE * (moved[i] - p[i]);
    }
    for (int i = 0; i < 3; i++)
        v.position[i] = FIGURE_SCALE * p[i];
    return figure_mesh_vertex(mesh, &v);
}

/* Adds quads between rows of points that were added one after the other. */
static void add_grid(figure_mesh *mesh, uint32_t first, int columns, int rows)
{
    uint32_t width = (uint32_t)columns + 1;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            uint32_t a = first + (uint32_t)r * width + (uint32_t)c;
            figure_mesh_quad(mesh, a, a + 1, a + width + 1, a + width);
        }
}

/* Curves of the eye. s is the position across the eye, from -1 (towards the nose) to 1. */

static float upper_lid(float s)
{
    return EYE_Y + EYE_HEIGHT * (0.88f - 0.38f * s * s + 0.1f * s);
}

static float closed_lid(float s)
{
    return EYE_Y - 0.22f - 0.2f * (1 - s * s);
}

static float smiling_lid(float s)
{
    return EYE_Y - 0.25f + 0.42f * (1 - s * s);
}

void figure_add_eyes(figure_mesh *mesh)
{
    for (int side = -1; side <= 1; side += 2) {
        uint32_t first = mesh->vertex_count;
        for (int r = 0; r <= EYE_ROWS; r++)
            for (int c = 0; c <= EYE_COLUMNS; c++) {
                float s = 2.0f * (float)c / EYE_COLUMNS - 1, t = 2.0f * (float)r / EYE_ROWS - 1;
                face_point f = point_at((float)side * (EYE_X + EYE_WIDTH * s), EYE_Y - EYE_HEIGHT * t, 0.03f);
                /* A closed eye is only a line, which the lashes hide. */
                f.morph[MORPH_BLINK][1] = closed_lid(s) - 0.01f * t;
                f.morph[MORPH_SMILE][1] = smiling_lid(s) - 0.01f * t;
                f.u = 0.5f + 0.5f * s * (float)side; /* the highlight is on the same side in both eyes */
                f.v = 0.5f + 0.5f * t;
                add_point(mesh, &f);
            }
        add_grid(mesh, first, EYE_COLUMNS, EYE_ROWS);
    }
}

void figure_add_blush(figure_mesh *mesh)
{
    enum { SIZE = 6 };
    for (int side = -1; side <= 1; side += 2) {
        uint32_t first = mesh->vertex_count;
        for (int r = 0; r <= SIZE; r++)
            for (int c = 0; c <= SIZE; c++) {
                float s = 2.0f * (float)c / SIZE - 1, t = 2.0f * (float)r / SIZE - 1;
                face_point f = point_at((float)side * (1.3f + 0.45f * s), 12.52f - 0.25f * t, 0.02f);
                f.u = 0.5f + 0.5f * s;
                f.v = 0.5f + 0.5f * t;
                add_point(mesh, &f);
            }
        add_grid(mesh, first, SIZE, SIZE);
    }
}

/* Adds a point of a lash, which is thick at the outer end. row 0 is its upper edge, row 1 its lower edge. */
static void add_lash_point(figure_mesh *mesh, int side, float s, int row)
{
    float reach = 1.06f * s, thick = (row ? -0.5f : 0.5f) * (0.07f + 0.09f * figure_step(-1, 0.9f, s));
    float taper = 1 - figure_step(0.75f, 1.0f, fabsf(s)) * 0.8f;
    thick *= taper;
    face_point f = point_at((float)side * (EYE_X + EYE_WIDTH * reach), upper_lid(s) + thick, 0.06f);
    f.morph[MORPH_BLINK][1] = closed_lid(s) + thick;
    f.morph[MORPH_SMILE][1] = smiling_lid(s) + thick;
    add_point(mesh, &f);
}

static void add_brow_point(figure_mesh *mesh, int side, float s, int row)
{
    float thick = (row ? -0.045f : 0.045f) * (1 - 0.75f * s * s);
    float y = EYE_Y + 0.98f + 0.12f * (1 - s * s) + thick;
    face_point f = point_at((float)side * (EYE_X + 0.02f + 0.42f * s), y, 0.05f);
    f.morph[MORPH_SMILE][1] = y + 0.14f;
    add_point(mesh, &f);
}

void figure_add_lines(figure_mesh *mesh)
{
    void (*const add[2])(figure_mesh *, int, float, int) = {add_lash_point, add_brow_point};
    for (int line = 0; line < 2; line++)
        for (int side = -1; side <= 1; side += 2) {
            uint32_t first = mesh->vertex_count;
            for (int row = 0; row < 2; row++)
                for (int c = 0; c <= LINE_COLUMNS; c++)
                    add[line](mesh, side, 2.0f * (float)c / LINE_COLUMNS - 1, row);
            add_grid(mesh, first, LINE_COLUMNS, 1);
        }
}

/* Adds the mouth, a line whose smile opens downwards. */
void figure_add_mouth(figure_mesh *mesh)
{
    uint32_t first = mesh->vertex_count;
    for (int row = 0; row < 2; row++)
        for (int c = 0; c <= LINE_COLUMNS; c++) {
            float s = 2.0f * (float)c / LINE_COLUMNS - 1, round = 1 - s * s;
            float y = MOUTH_Y - 0.13f * round + (row ? -0.04f : 0.04f) * (0.3f + 0.7f * round);
            face_point f = point_at(0.4f * s, y, 0.04f);
            f.morph[MORPH_OPEN][0] = 0.36f * s;
            f.morph[MORPH_OPEN][1] = MOUTH_Y + (row ? -0.5f * sqrtf(round) : 0.02f - 0.05f * round);
            f.morph[MORPH_SMILE][0] = 0.46f * s;
            f.morph[MORPH_SMILE][1] = y + 0.07f * s * s;
            add_point(mesh, &f);
        }
    add_grid(mesh, first, LINE_COLUMNS, 1);
}
