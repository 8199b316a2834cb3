/*
 * Conversion between MMD's space and those of the files (docs/formats.md 4): mirrored in Z, and units of 8 cm
 * instead of metres or centimetres.
 */
#include <assert.h>

#include "exchange_internal.h"

/* Returns the length of MMD's unit in units of a format. */
static float metres(mmd_exchange_format format)
{
    static const float size[] = {
        [MMD_EXCHANGE_GLTF] = METRES_PER_UNIT,
        [MMD_EXCHANGE_RAGDOLL] = METRES_PER_UNIT * 100,
        [MMD_EXCHANGE_PMX] = 1,
    };
    return format == MMD_EXCHANGE_UNKNOWN ? 1 : size[format];
}

/* Scales translations by `unit` and, for right-handed formats, mirrors the transform in Z. */
static void mirror(mmd_exchange_format format, const mmd_transform *from, float unit, mmd_transform *to)
{
    float sign = format == MMD_EXCHANGE_GLTF || format == MMD_EXCHANGE_RAGDOLL ? -1.0F : 1.0F;
    *to = (mmd_transform){
        {sign * from->rotation[0], sign * from->rotation[1], from->rotation[2], from->rotation[3]},
        {unit * from->translation[0], unit * from->translation[1], sign * unit * from->translation[2], 0},
    };
}

void mmd_exchange_to_file(mmd_exchange_format format, const mmd_transform *from, mmd_transform *to)
{
    assert(to);
    mirror(format, from, metres(format), to);
}

void mmd_exchange_from_file(mmd_exchange_format format, const mmd_transform *from, mmd_transform *to)
{
    assert(to);
    mirror(format, from, 1 / metres(format), to);
}
