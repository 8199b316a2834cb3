/* What was seen of a pixel, for who tells of it: as JSON, or in the window. */
#ifndef ODORI_INSPECTION_H
#define ODORI_INSPECTION_H

#include "mmd/view.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { INSPECT_LAYERS = 48, INSPECT_BONES = 12 };

/* Its numbers are of the frame that was shown then. */
typedef struct odori_inspection {
    mmd_view_pixel pixel;
    mmd_view_layer layers[INSPECT_LAYERS]; /* in the order of drawing */
    size_t count;
} odori_inspection;

/* Returns the layer in front; NULL: there is nothing. */
const mmd_view_layer *inspect_front(const odori_inspection *inspection);

/* Lists the weights of bones at a layer's place, most first, those of its corners by their parts. Returns how
 * many. */
typedef struct inspect_weight {
    uint32_t bone;
    float weight;
} inspect_weight;
size_t inspect_weights(const mmd_model *model, const mmd_view_layer *layer,
                       inspect_weight weights[INSPECT_BONES]);

/* Lists those of one of the corners alone, in the file's order. */
size_t inspect_corner(const mmd_model *model, uint32_t vertex, inspect_weight weights[INSPECT_BONES]);

#ifdef __cplusplus
}
#endif

#endif
