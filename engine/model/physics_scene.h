/* What the two files that make a model's physics scene share. */
#ifndef MMD_MODEL_PHYSICS_SCENE_H
#define MMD_MODEL_PHYSICS_SCENE_H

#include "distinct.h"
#include "mmd/model.h"

#include <math.h>

/* Beyond this (a light minute in MMD's units) squares and products of numbers overflow: not a number to use.
 */
#define PHYSICS_NUMBER_MAX 1e12f

static inline bool physics_usable(const float *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        if (!(fabsf(numbers[i]) <= PHYSICS_NUMBER_MAX))
            return false;
    }
    return true;
}

/* The number of the filter of a group and a mask; filters are written out from the keys at the end. */
static inline int32_t physics_filter(distinct *filters, uint8_t group, uint16_t mask)
{
    return (int32_t)distinct_number(filters, (distinct_key){{group, mask, 0}});
}

/*
 * Fills soft body after soft body of the scene, whose bodies are made. False
 * when out of memory. (physics_scene_soft.c)
 */
bool physics_scene_soft_bodies(const mmd_model *model, distinct *filters, mmd_physscene *scene);

#endif
