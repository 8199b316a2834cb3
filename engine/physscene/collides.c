/* Who collides with whom: PMX's groups and masks, and KHR's systems by intersection (FORMATS.md 1 and 4). */
#include "mmd/physscene.h"

#include <assert.h>

/* Lists of few names are compared name by name; of longer ones, the names of one are marked first. */
enum { FEW = 16, MARKS = 1024 };

static bool has(const uint32_t *list, uint32_t count, uint32_t name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] == name)
            return true;
    }
    return false;
}

/* Steps grow with the sum of the two lengths: a name is looked for only where its mark is set. */
static bool long_ones_meet(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    uint64_t marks[MARKS / 64] = {0};
    for (uint32_t i = 0; i < a_count; i++)
        marks[a[i] / 64 % (MARKS / 64)] |= UINT64_C(1) << a[i] % 64;
    for (uint32_t k = 0; k < b_count; k++) {
        if ((marks[b[k] / 64 % (MARKS / 64)] >> b[k] % 64 & 1) != 0 && has(a, a_count, b[k]))
            return true;
    }
    return false;
}

static bool meet(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    if ((uint64_t)a_count * b_count > FEW)
        return long_ones_meet(a, a_count, b, b_count);
    for (uint32_t k = 0; k < b_count; k++) {
        if (has(a, a_count, b[k]))
            return true;
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
