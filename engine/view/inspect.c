/*
 * Finds everything under a pixel. The triangles are found on the CPU, from the vertices as the GPU skinned
 * them, with homogeneous edge functions (Olano and Greer, "Triangle Scan Conversion using 2D Homogeneous
 * Coordinates", 1997), which need no clipping. The GPU then evaluates each of them at the pixel
 * (mmd_render_inspect), and they are covered in draw order as in the picture.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "view_internal.h"

/* Tolerance in pixels: a pixel centre this far outside of a triangle is still checked by the GPU. */
#define DOUBT 0.02

/* Vertices of the inspected actor as the GPU skinned them. */
typedef struct skinned {
    float (*positions)[3], (*normals)[3], (*uvs)[2];
} skinned;

typedef struct search {
    mmd_view *view;
    const view_drawn *drawn;
    const mmd_model *model;
    skinned at;
    double clip[16]; /* from world space to the picture's clip space */
    double pixel[2]; /* the pixel's centre in normalised device coordinates */
    double size[2];  /* size of a pixel in these coordinates */
    float
        edge_width; /* width of the edge in world units for edge size and scale 1; 0 for the surface itself */
    mmd_view_layer *layers;
    size_t max, count;
} search;

static void multiply(const float a[16], const float b[16], double out[16])
{
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += (double)a[4 * k + row] * (double)b[4 * column + k];
            out[4 * column + row] = sum;
        }
}

static void find_pixel(search *s, bool d3d9_centers, uint32_t width, uint32_t height, uint32_t x, uint32_t y)
{
    float projection[16];
    memcpy(projection, s->view->scene.projection, sizeof projection);
    if (d3d9_centers)
        mmd_shift_pixel_centers(projection, width, height, projection);
    multiply(projection, s->view->scene.view, s->clip);
    s->size[0] = 2.0 / width;
    s->size[1] = 2.0 / height;
    s->pixel[0] = (x + 0.5) * s->size[0] - 1.0;
    s->pixel[1] = 1.0 - (y + 0.5) * s->size[1];
}

/* Computes x, y and w in clip space of a vertex, moved along its normal for an edge. */
static void corner_of(const search *s, uint32_t v, float width, double out[3])
{
    double position[3];
    float move = width * s->model->vertices.edge_scale[v];
    for (int k = 0; k < 3; k++)
        position[k] = (double)(s->at.positions[v][k] + move * s->at.normals[v][k]);
    for (int k = 0; k < 3; k++) {
        int row = k < 2 ? k : 3;
        out[k] = s->clip[row] * position[0] + s->clip[4 + row] * position[1] +
                 s->clip[8 + row] * position[2] + s->clip[12 + row];
    }
}

/*
 * Computes the barycentric coordinates of the pixel's centre. Returns false if it is outside of the triangle.
 */
static bool parts_of(const search *s, double corners[3][3], float parts[3])
{
    double normals[3][3], at[3], sum = 0, determinant = 0;
    for (int i = 0; i < 3; i++) {
        const double *a = corners[(i + 1) % 3], *b = corners[(i + 2) % 3];
        for (int k = 0; k < 3; k++)
            normals[i][k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        at[i] = normals[i][0] * s->pixel[0] + normals[i][1] * s->pixel[1] + normals[i][2];
    }
    for (int k = 0; k < 3; k++)
        determinant += corners[0][k] * normals[0][k];
    if (determinant == 0)
        return false;
    double sign = determinant < 0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++) {
        double doubt = DOUBT * (fabs(normals[i][0]) * s->size[0] + fabs(normals[i][1]) * s->size[1]);
        if (sign * at[i] < -doubt)
            return false;
        sum += at[i];
    }
    for (int i = 0; i < 3; i++)
        parts[i] = (float)(at[i] / sum);
    return sum * sign > 0;
}

static void interpolate(const search *s, mmd_view_layer *layer)
{
    for (int i = 0; i < 3; i++) {
        uint32_t v = layer->corners[i];
        for (int k = 0; k < 3; k++) {
            layer->position[k] += layer->parts[i] * s->at.positions[v][k];
            layer->normal[k] += layer->parts[i] * s->at.normals[v][k];
        }
        for (int k = 0; k < 2; k++)
            layer->uv[k] += layer->parts[i] * s->at.uvs[v][k];
    }
}

static mmd_status look(search *s, const mmd_triangle *triangle, const uint32_t corners[3],
                       const float parts[3], mmd_error *error)
{
    mmd_view_layer layer = {.actor = s->drawn->actor,
                            .material = triangle->material,
                            .triangle = triangle->number,
                            .edge = triangle->edge};
    mmd_status status =
        mmd_render_inspect(s->drawn->instance, &s->drawn->desc, triangle, &layer.sample, error);
    if (status != MMD_OK || !layer.sample.covers)
        return status;
    memcpy(layer.corners, corners, sizeof layer.corners);
    memcpy(layer.parts, parts, sizeof layer.parts);
    interpolate(s, &layer);
    if (s->count == s->max) { /* drop the layers drawn first, which the others cover */
        memmove(s->layers, s->layers + 1, (s->max - 1) * sizeof *s->layers);
        s->count--;
    }
    s->layers[s->count++] = layer;
    return MMD_OK;
}

static mmd_status search_material(search *s, uint32_t m, mmd_error *error)
{
    const mmd_material *material = &s->model->materials[m];
    float width = s->edge_width * s->drawn->desc.materials[m].edge_size;
    mmd_status status = MMD_OK;
    for (uint32_t i = 0; i + 3 <= material->index_count && status == MMD_OK; i += 3) {
        const uint32_t *face = s->model->indices + material->first_index + i;
        const mmd_triangle triangle = {.material = m, .number = i / 3, .edge = s->edge_width > 0};
        double corners[3][3];
        float parts[3];
        for (int k = 0; k < 3; k++)
            corner_of(s, face[k], width, corners[k]);
        if (parts_of(s, corners, parts))
            status = look(s, &triangle, face, parts, error);
    }
    return status;
}

/* Searches materials in their order, then their edges, as mmd_render_model draws them. */
static mmd_status search_actor(search *s, mmd_error *error)
{
    mmd_status status =
        mmd_render_read_vertices(s->drawn->instance, s->at.positions, s->at.normals, NULL, s->at.uvs, error);
    for (int edge = 0; edge < 2; edge++) {
        s->edge_width = edge ? s->drawn->desc.edge_scale *
                                   mmd_render_edge_width(&s->view->scene, s->drawn->desc.edge_origin)
                             : 0.0f;
        for (uint32_t m = 0; m < s->model->material_count && status == MMD_OK && (!edge || s->edge_width > 0);
             m++)
            status = search_material(s, m, error);
    }
    return status;
}

static mmd_status search_drawn(search *s, const view_drawn *drawn, const mmd_stage *stage, mmd_error *error)
{
    s->drawn = drawn;
    s->model = mmd_actor_model(mmd_stage_actor(stage, drawn->actor));
    size_t count = s->model->vertices.count;
    float *numbers = mmd_alloc((count ? count : 1) * 8 * sizeof *numbers);
    if (!numbers)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for looking at a pixel");
    s->at = (skinned){.positions = (float(*)[3])numbers,
                      .normals = (float(*)[3])(numbers + 3 * count),
                      .uvs = (float(*)[2])(numbers + 6 * count)};
    mmd_status status = search_actor(s, error);
    mmd_free(numbers);
    return status;
}

/*
 * Determines which layers are hidden, in draw order, and how much each one contributes to the pixel's colour.
 */
static void cover(const mmd_stage *stage, mmd_view_layer *layers, size_t count)
{
    float depth = 1.0f;
    for (size_t i = 0; i < count; i++) {
        layers[i].drawn = layers[i].sample.depth <= depth;
        if (layers[i].drawn)
            depth = layers[i].sample.depth;
    }
    float left = 1.0f;
    for (size_t i = count; i-- > 0;) {
        if (!layers[i].drawn)
            continue;
        float alpha = mmd_minf(layers[i].sample.color[3], 1.0f);
        layers[i].share = left * alpha;
        if (!mmd_stage_staging(stage, layers[i].actor)->additive)
            left *= 1.0f - alpha;
    }
}

mmd_status mmd_view_inspect(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                            const mmd_view_pixel *pixel, mmd_view_layer *layers, size_t max, size_t *count,
                            mmd_error *error)
{
    assert(view && stage && options && pixel && layers && max && count);
    assert(pixel->x < pixel->width && pixel->y < pixel->height);
    search s = {.view = view, .layers = layers, .max = max};
    mmd_error ignored;
    *count = 0;
    mmd_view_options each = *options;
    each.each_actor = true;
    const view_frame frame = {pixel->width, pixel->height, NULL};
    mmd_status status = view_prepare(view, stage, &each, &frame, error);
    if (status == MMD_OK)
        status = mmd_render_inspect_begin(view->renderer, &view->scene, pixel->x, pixel->y, error);
    if (status != MMD_OK)
        return status;
    find_pixel(&s, view->scene.d3d9_centers, pixel->width, pixel->height, pixel->x, pixel->y);
    if (view->scene.self_shadow)
        status = view_draw_shadow_map(view, error);
    for (size_t i = 0; i < view->drawn_count && status == MMD_OK; i++)
        status = search_drawn(&s, &view->drawn[i], stage, error);
    mmd_status ended = mmd_render_end(view->renderer, status == MMD_OK ? error : &ignored);
    cover(stage, layers, s.count);
    *count = s.count;
    return status == MMD_OK ? ended : status;
}
