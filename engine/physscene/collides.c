/* Who collides with whom: PMX's groups and masks, and KHR's systems by intersection (FORMATS.md 1 and 4). */
#include "mmd/physscene.h"

#include <assert.h>

static bool meet(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    for (uint32_t i = 0; i < a_count; i++) {
        for (uint32_t k = 0; k < b_count; k++) {
            if (a[i] == b[k])
                return true;
        }
    }
    return false;
}

/* Whether `filter` lets `other` pass. */
static bool passes(const mmd_phys_filter *filter, const mmd_phys_filter *other)
{
    if (filter->named != other->named)
        return true;
    if (!filter->named)
        return (filter->mask >> other->group & 1) != 0;
    if (filter->has_collide_with &&
        !meet(other->systems, other->system_count, filter->collide_with, filter->collide_count))
        return false;
    return !meet(other->systems, other->system_count, filter->not_collide_with, filter->not_collide_count);
}

bool mmd_physscene_collides(const mmd_physscene *scene, int32_t filter_a, int32_t filter_b)
{
    assert(filter_a < (int32_t)scene->filter_count && filter_b < (int32_t)scene->filter_count);
    if (filter_a < 0 || filter_b < 0)
        return true;
    const mmd_phys_filter *a = &scene->filters[filter_a], *b = &scene->filters[filter_b];
    return passes(a, b) && passes(b, a);
}
