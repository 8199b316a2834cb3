/* Bone weights of an inspected pixel, interpolated from those of its triangle. */
#include "inspection.h"

/* Adds the weights of a vertex, multiplied by `part`, to those of the same bones in the list. */
static void add_corner(const mmd_vertices *vertices, uint32_t v, float part, inspect_weight *weights,
                       size_t *count)
{
    for (int i = 0; i < 4; i++) {
        int32_t bone = vertices->bone[v][i];
        size_t at = 0;
        if (bone < 0 || vertices->weight[v][i] == 0)
            continue;
        while (at < *count && weights[at].bone != (uint32_t)bone)
            at++;
        if (at == *count)
            weights[(*count)++] = (inspect_weight){.bone = (uint32_t)bone};
        weights[at].weight += part * vertices->weight[v][i];
    }
}

size_t inspect_weights(const mmd_model *model, const mmd_view_layer *layer,
                       inspect_weight weights[INSPECT_BONES])
{
    size_t count = 0;
    for (int i = 0; i < 3; i++)
        add_corner(&model->vertices, layer->corners[i], layer->parts[i], weights, &count);
    for (size_t i = 1; i < count; i++) /* insertion sort, largest weight first */
        for (size_t k = i; k > 0 && weights[k].weight > weights[k - 1].weight; k--) {
            inspect_weight moved = weights[k];
            weights[k] = weights[k - 1];
            weights[k - 1] = moved;
        }
    return count;
}

const mmd_view_layer *inspect_front(const odori_inspection *inspection)
{
    for (size_t i = inspection->count; i-- > 0;)
        if (inspection->layers[i].drawn)
            return &inspection->layers[i];
    return NULL;
}

size_t inspect_corner(const mmd_model *model, uint32_t vertex, inspect_weight weights[INSPECT_BONES])
{
    size_t count = 0;
    add_corner(&model->vertices, vertex, 1, weights, &count);
    return count;
}
