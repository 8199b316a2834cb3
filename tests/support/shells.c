#include "shells.h"

#include "support.h"

typedef struct corner {
    float position[3];
    uint32_t vertex;
} corner;

static int compare_corners(const void *a, const void *b)
{
    const corner *x = a, *y = b;
    for (int i = 0; i < 3; i++)
        if (x->position[i] != y->position[i])
            return x->position[i] < y->position[i] ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* Finds for each vertex the lowest one at the same position. */
static void find_places(const mmd_model *model, uint32_t *place)
{
    uint32_t count = model->vertices.count;
    corner *corners = calloc(count, sizeof *corners);
    assert_non_null(corners);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(corners[i].position, model->vertices.position[i], sizeof corners[i].position);
        corners[i].vertex = i;
    }
    qsort(corners, count, sizeof *corners, compare_corners);
    for (uint32_t i = 0; i < count; i++) {
        bool same =
            i > 0 && memcmp(corners[i].position, corners[i - 1].position, sizeof corners[i].position) == 0;
        place[corners[i].vertex] = same ? place[corners[i - 1].vertex] : corners[i].vertex;
    }
    free(corners);
}

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Joins the vertices of each triangle with union-find, and numbers the resulting shells. */
static void find_shells(const mmd_model *model, shells *s)
{
    uint32_t count = model->vertices.count;
    uint32_t *parent = calloc(count, sizeof *parent), *number = calloc(count, sizeof *number);
    assert_non_null(parent);
    assert_non_null(number);
    for (uint32_t i = 0; i < count; i++)
        parent[i] = s->place[i];
    for (uint32_t i = 0; i < model->index_count; i += 3)
        for (int k = 1; k < 3; k++) {
            uint32_t a = root_of(parent, model->indices[i]),
                     b = root_of(parent, model->indices[i + (uint32_t)k]);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    for (uint32_t i = 0; i < count; i++)
        if (root_of(parent, i) == i)
            number[i] = s->count++;
    for (uint32_t i = 0; i < count; i++)
        s->of_vertex[i] = number[root_of(parent, i)];
    free(parent);
    free(number);
}

typedef struct side {
    uint32_t a, b;
    int forward;
} side;

static int compare_sides(const void *a, const void *b)
{
    const side *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

/* Counts the edges that are not part of a closed surface. In a closed surface, each edge has two faces that
 * traverse it in opposite directions. */
static void count_edges(const mmd_model *model, shells *s)
{
    side *sides = calloc(model->index_count, sizeof *sides);
    assert_non_null(sides);
    for (uint32_t i = 0; i < model->index_count; i++) {
        uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
        uint32_t a = s->place[model->indices[i]], b = s->place[model->indices[next]];
        sides[i] = (side){a < b ? a : b, a < b ? b : a, a < b ? 1 : -1};
    }
    qsort(sides, model->index_count, sizeof *sides, compare_sides);
    for (uint32_t i = 0; i < model->index_count;) {
        uint32_t n = 1;
        int sum = sides[i].forward;
        for (; i + n < model->index_count && compare_sides(&sides[i], &sides[i + n]) == 0; n++)
            sum += sides[i + n].forward;
        s->open_edges += n == 1;
        s->crowded_edges += n > 2 || (n == 2 && sum != 0);
        i += n;
    }
    free(sides);
}

void shells_find(const mmd_model *model, shells *s)
{
    *s = (shells){0};
    s->of_vertex = calloc(model->vertices.count, sizeof *s->of_vertex);
    s->place = calloc(model->vertices.count, sizeof *s->place);
    assert_non_null(s->of_vertex);
    assert_non_null(s->place);
    find_places(model, s->place);
    find_shells(model, s);
    count_edges(model, s);
}

void shells_finish(shells *s)
{
    free(s->of_vertex);
    free(s->place);
}

enum { COLUMNS = 128 };

typedef struct face {
    double p[3][3];
    uint32_t shell;
} face;

struct shell_columns {
    uint32_t shell_count;
    double low[2], size[2]; /* bounds and cell size, x and y */
    face *faces;
    uint32_t *first; /* index into items of the first face of each column */
    uint32_t *items; /* indices of faces */
};

static int column_of(const shell_columns *c, int axis, double value)
{
    int i = (int)floor((value - c->low[axis]) / c->size[axis]);
    return i < 0 ? 0 : i >= COLUMNS ? COLUMNS - 1 : i;
}

static void face_range(const shell_columns *c, const face *f, int axis, int range[2])
{
    double low = fmin(f->p[0][axis], fmin(f->p[1][axis], f->p[2][axis]));
    double high = fmax(f->p[0][axis], fmax(f->p[1][axis], f->p[2][axis]));
    range[0] = column_of(c, axis, low);
    range[1] = column_of(c, axis, high);
}

/* Computes the bounds of all faces and the size of a column. */
static void find_bounds(shell_columns *c, uint32_t face_count)
{
    for (int axis = 0; axis < 2; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < face_count; i++)
            for (int k = 0; k < 3; k++) {
                low = fmin(low, c->faces[i].p[k][axis]);
                high = fmax(high, c->faces[i].p[k][axis]);
            }
        c->low[axis] = low;
        c->size[axis] = fmax((high - low) / COLUMNS, 1e-9);
    }
}

/* Sorts the faces into columns by counting sort: a first pass counts, a second one stores the faces. */
static void fill_columns(shell_columns *c, uint32_t face_count, bool count_only)
{
    for (uint32_t i = 0; i < face_count; i++) {
        int x[2], y[2];
        face_range(c, &c->faces[i], 0, x);
        face_range(c, &c->faces[i], 1, y);
        for (int row = y[0]; row <= y[1]; row++)
            for (int column = x[0]; column <= x[1]; column++) {
                uint32_t *first = &c->first[row * COLUMNS + column];
                if (count_only)
                    first[2]++;
                else
                    c->items[first[1]++] = i;
            }
    }
}

shell_columns *shell_columns_create(const mmd_model *model, const shells *s, const mmd_skinned_vertex *posed)
{
    shell_columns *c = calloc(1, sizeof *c);
    uint32_t face_count = model->index_count / 3;
    assert_non_null(c);
    c->shell_count = s->count;
    c->faces = calloc(face_count, sizeof *c->faces);
    c->first = calloc(COLUMNS * COLUMNS + 2, sizeof *c->first);
    assert_non_null(c->faces);
    assert_non_null(c->first);
    for (uint32_t i = 0; i < face_count; i++) {
        for (int k = 0; k < 3; k++)
            memcpy(c->faces[i].p[k], posed[model->indices[3 * i + (uint32_t)k]].position,
                   sizeof c->faces[i].p[k]);
        c->faces[i].shell = s->of_vertex[model->indices[3 * i]];
    }
    find_bounds(c, face_count);
    fill_columns(c, face_count, true);
    for (int i = 2; i < COLUMNS * COLUMNS + 2; i++)
        c->first[i] += c->first[i - 1];
    c->items = calloc(c->first[COLUMNS * COLUMNS + 1] + 1, sizeof *c->items);
    assert_non_null(c->items);
    fill_columns(c, face_count, false);
    return c;
}

void shell_columns_destroy(shell_columns *c)
{
    free(c->faces);
    free(c->first);
    free(c->items);
    free(c);
}

static double cross2(const double a[3], const double b[3], double x, double y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* Returns 1 or -1 if the ray from the point towards +Z crosses the face, depending on the side, and 0
 * otherwise. */
static int crossing(const face *f, const double point[3])
{
    double a = cross2(f->p[1], f->p[2], point[0], point[1]);
    double b = cross2(f->p[2], f->p[0], point[0], point[1]);
    double c = cross2(f->p[0], f->p[1], point[0], point[1]);
    bool positive = a > 0 && b > 0 && c > 0, negative = a < 0 && b < 0 && c < 0;
    if (!positive && !negative)
        return 0;
    double z = (a * f->p[0][2] + b * f->p[1][2] + c * f->p[2][2]) / (a + b + c);
    return z > point[2] ? (positive ? 1 : -1) : 0;
}

void shell_windings(const shell_columns *c, const double point[3], int *winding)
{
    memset(winding, 0, c->shell_count * sizeof *winding);
    for (int axis = 0; axis < 2; axis++)
        if (point[axis] < c->low[axis] || point[axis] > c->low[axis] + COLUMNS * c->size[axis])
            return;
    int column = column_of(c, 1, point[1]) * COLUMNS + column_of(c, 0, point[0]);
    for (uint32_t i = c->first[column]; i < c->first[column + 1]; i++) {
        const face *f = &c->faces[c->items[i]];
        winding[f->shell] += crossing(f, point);
    }
}
