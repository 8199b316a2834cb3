/*
 * The element buffer: a model's triangles as they are; materials drawn as
 * points or lines (PMX 2.1) get their points and lines instead.
 */
#include <assert.h>
#include <string.h>

#include "render_internal.h"

typedef struct element_list {
    uint32_t *elements;
    uint32_t count;
    uint32_t *seen; /* by vertex: 1 + the last material that used it as a point */
} element_list;

static void add_triangles(element_list *list, const uint32_t *indices, uint32_t count)
{
    memcpy(list->elements + list->count, indices, count * sizeof *indices);
    list->count += count;
}

/* Each vertex once: a face of a point material is A-A-A, and blending must not meet a point three times. */
static void add_points(element_list *list, const uint32_t *indices, uint32_t count, uint32_t material)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list->seen[indices[i]] == material + 1)
            continue;
        list->seen[indices[i]] = material + 1;
        list->elements[list->count++] = indices[i];
    }
}

/* A face of a line material is A-B-A: one line. A true triangle gives its three sides. */
static void add_lines(element_list *list, const uint32_t *indices, uint32_t count)
{
    for (uint32_t i = 0; i + 3 <= count; i += 3) {
        const uint32_t *face = indices + i;
        int sides = face[2] == face[0] || face[2] == face[1] ? 1 : 3;
        for (int side = 0; side < sides; side++) {
            list->elements[list->count++] = face[side];
            list->elements[list->count++] = face[(side + 1) % 3];
        }
    }
}

static void measure(const uint32_t *elements, draw_range *range)
{
    range->lowest = range->count ? UINT32_MAX : 0;
    range->highest = 0;
    for (uint32_t i = range->first; i < range->first + range->count; i++) {
        if (elements[i] < range->lowest)
            range->lowest = elements[i];
        if (elements[i] > range->highest)
            range->highest = elements[i];
    }
}

static void build(const mmd_model *model, element_list *list, draw_range *ranges)
{
    for (uint32_t m = 0; m < model->material_count; m++) {
        const mmd_material *material = &model->materials[m];
        assert((uint64_t)material->first_index + material->index_count <= model->index_count);
        const uint32_t *indices = model->indices + material->first_index;
        uint32_t count = material->index_count - material->index_count % 3;
        draw_range *range = &ranges[m];
        range->first = list->count;
        if (material->flags & MMD_MATERIAL_POINTS) {
            range->mode = GL_POINTS;
            add_points(list, indices, count, m);
        } else if (material->flags & MMD_MATERIAL_LINES) {
            range->mode = GL_LINES;
            add_lines(list, indices, count);
        } else {
            range->mode = GL_TRIANGLES;
            add_triangles(list, indices, count);
        }
        range->count = list->count - range->first;
        measure(list->elements, range);
    }
}

static void narrow(uint32_t *elements, uint32_t count)
{
    unsigned char *to = (unsigned char *)elements;
    for (uint32_t i = 0; i < count; i++) {
        uint16_t element = (uint16_t)elements[i];
        memcpy(to + 2 * (size_t)i, &element, 2);
    }
}

mmd_status draw_ranges_create(mmd_renderer *renderer, const mmd_model *model, draw_range *ranges,
                              GLuint *buffer, GLenum *type, mmd_error *error)
{
    assert(renderer && model);
    element_list list = {0};
    size_t most = 0; /* three lines a face */
    for (uint32_t m = 0; m < model->material_count; m++)
        most += 2 * (size_t)model->materials[m].index_count;
    list.elements = mmd_alloc(most * sizeof *list.elements);
    list.seen = mmd_alloc((size_t)model->vertices.count * sizeof *list.seen);
    mmd_status status;
    if (!list.elements || !list.seen) {
        status = mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a model's faces");
    } else {
        memset(list.seen, 0, (size_t)model->vertices.count * sizeof *list.seen);
        build(model, &list, ranges);
        *type = model->vertices.count <= 65536 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;
        if (*type == GL_UNSIGNED_SHORT)
            narrow(list.elements, list.count);
        mmd_gpu_buffer_desc desc = {.data = list.elements,
                                    .size = list.count * element_size(*type),
                                    .indices = true,
                                    .label = "faces"};
        status = mmd_gpu_buffer_create(renderer->gpu, &desc, buffer, error);
    }
    mmd_free(list.seen);
    mmd_free(list.elements);
    return status;
}
