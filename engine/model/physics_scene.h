/* What the two files that make a model's physics scene share. */
#ifndef MMD_MODEL_PHYSICS_SCENE_H
#define MMD_MODEL_PHYSICS_SCENE_H

#include "distinct.h"
#include "mmd/model.h"

#include <math.h>

/* Beyond this (a light minute in MMD's units) squares and products of numbers overflow: not a number to use.
 */
#define PHYSICS_NUMBER_MAX MMD_PHYS_MASS_MOST

/* Places of bodies and joints are seen from one another: an eighth of what a scene may have is left of it. */
#define PHYSICS_LENGTH_MAX (MMD_PHYS_LENGTH_MOST / 8)

static inline bool physics_within(const float *numbers, int count, float most)
{
    for (int i = 0; i < count; i++) {
        if (!(fabsf(numbers[i]) <= most))
            return false;
    }
    return true;
}

static inline bool physics_usable(const float *numbers, int count)
{
    return physics_within(numbers, count, PHYSICS_NUMBER_MAX);
}

static inline bool physics_usable_length(const float *numbers, int count)
{
    return physics_within(numbers, count, PHYSICS_LENGTH_MAX);
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
