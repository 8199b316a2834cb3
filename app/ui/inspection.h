/* The result of inspecting a pixel, which is shown in the window or written as JSON. */
#ifndef ODORI_INSPECTION_H
#define ODORI_INSPECTION_H

#include "mmd/view.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { INSPECT_LAYERS = 48, INSPECT_BONES = 12 };

/* The surfaces that cover a pixel. Values are those of the frame that was shown when the pixel was inspected.
 */
typedef struct odori_inspection {
    mmd_view_pixel pixel;
    mmd_view_layer layers[INSPECT_LAYERS]; /* in the order of drawing */
    size_t count;
} odori_inspection;

/* Returns the visible layer that was drawn last, or NULL when there is none. */
const mmd_view_layer *inspect_front(const odori_inspection *inspection);

/* Writes the bone weights at a layer's position, largest first. They are interpolated from the corners of its
 * triangle by their barycentric coordinates. Returns how many there are. */
typedef struct inspect_weight {
    uint32_t bone;
    float weight;
} inspect_weight;
size_t inspect_weights(const mmd_model *model, const mmd_view_layer *layer,
                       inspect_weight weights[INSPECT_BONES]);

/* Writes the bone weights of one vertex in the order of the file. Returns how many there are. */
size_t inspect_corner(const mmd_model *model, uint32_t vertex, inspect_weight weights[INSPECT_BONES]);

#ifdef __cplusplus
}
#endif

#endif
