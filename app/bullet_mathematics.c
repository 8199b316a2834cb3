/*
 * The functions of the C library's mathematics that Bullet's shared library calls. The program exports them
 * (exports.list), so that the dynamic linker binds Bullet to these, and the same physics comes out on every
 * machine. Only a program may define such names; libodori exports none (docs/library.md).
 */
#include <math.h>

#include "mmd/elementary.h"

float sinf(float x)
{
    return mmd_sinf(x);
}

float cosf(float x)
{
    return mmd_cosf(x);
}

float tanf(float x)
{
    return mmd_tanf(x);
}

float asinf(float x)
{
    return mmd_asinf(x);
}

float acosf(float x)
{
    return mmd_acosf(x);
}

float atan2f(float y, float x)
{
    return mmd_atan2f(y, x);
}

float expf(float x)
{
    return mmd_expf(x);
}

float powf(float x, float y)
{
    return mmd_powf(x, y);
}

/* An extension of GNU's, which <math.h> does not declare here. */
void sincosf(float x, float *sine, float *cosine);
void sincosf(float x, float *sine, float *cosine)
{
    mmd_sincosf(x, sine, cosine);
}
