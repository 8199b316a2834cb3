/* Where models and accessories stand, and in which order they are drawn, as their files say. */
#ifndef MMD_PLACING_H
#define MMD_PLACING_H

#include "mmd/actor.h"
#include "mmd/format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The draw orders (mmd_staging) that models get when they are opened. */
enum {
    MMD_ORDER_BACKDROP = -2,        /* scenery behind everything */
    MMD_ORDER_FIRST_ACCESSORY = -1, /* the first accessory, before all models */
    MMD_ORDER_MODEL = 0,
    MMD_ORDER_ACCESSORY = 1, /* other accessories, after all models */
};

/* Returns the draw order of a model that is opened. is_first: no other accessory comes before it. */
int32_t mmd_usual_order(bool is_accessory, bool is_backdrop, bool is_first);

/* Returns a number from a file, which may be NaN or infinite, limited to positions of a million units, so
 * that sums stay finite; 0 for NaN. */
float mmd_bounded(double value);

/* Sets position, rotation and scale of an accessory as its file says. */
void mmd_vac_place(const mmd_vac *vac, mmd_staging *staging);

#ifdef __cplusplus
}
#endif

#endif
