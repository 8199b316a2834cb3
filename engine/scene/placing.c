#include "mmd/placing.h"

#include <assert.h>
#include <math.h>

int32_t mmd_usual_order(bool is_accessory, bool is_backdrop, bool is_first)
{
    if (is_backdrop)
        return MMD_ORDER_BACKDROP;
    if (!is_accessory)
        return MMD_ORDER_MODEL;
    return is_first ? MMD_ORDER_FIRST_ACCESSORY : MMD_ORDER_ACCESSORY;
}

float mmd_bounded(double value)
{
    const double far = 1e6;
    if (isnan(value))
        return 0;
    return (float)(value < -far ? -far : value > far ? far : value);
}

void mmd_vac_place(const mmd_vac *vac, mmd_staging *staging)
{
    assert(vac && staging);
    staging->scale = mmd_bounded((double)vac->scale);
    for (int k = 0; k < 3; k++) {
        staging->position[k] = mmd_bounded((double)vac->position[k]);
        staging->rotation[k] = mmd_bounded((double)vac->rotation[k]);
    }
}
