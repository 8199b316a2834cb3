/*
 * The elementary functions (sine, exponential...) of the engine and the program. They give the same bits on
 * every machine, which a system's libm does not: only IEEE 754's exactly rounded operations are used, without
 * fused multiplication and addition. Arguments outside of a domain give a NaN, infinities and signed zeros
 * what C's Annex F says; every NaN that comes out has the same bits.
 *
 * The float functions compute in double and round once: the error is below 0.502 units in the last place.
 * Errors of the double functions are below 1.01 (tangent, arc functions, expm1 and hypot: 2.5).
 * Neither errno nor floating-point exceptions are set as C says.
 */
#ifndef MMD_ELEMENTARY_H
#define MMD_ELEMENTARY_H

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Angles are in radians. */
float mmd_sinf(float x);
float mmd_cosf(float x);
void mmd_sincosf(float x, float *sine, float *cosine); /* both for little more than the price of one */
float mmd_tanf(float x);
float mmd_asinf(float x);
float mmd_acosf(float x);
float mmd_atan2f(float y, float x);

float mmd_expf(float x);
float mmd_lnf(float x);
float mmd_powf(float x, float y);
float mmd_cbrtf(float x);
float mmd_hypotf(float x, float y);

double mmd_sin(double x);
double mmd_cos(double x);
void mmd_sincos(double x, double *sine, double *cosine);
double mmd_tan(double x);
double mmd_acos(double x);
double mmd_atan2(double y, double x);

double mmd_exp(double x);
double mmd_expm1(double x);
double mmd_ln(double x);
double mmd_cbrt(double x);
double mmd_hypot(double x, double y);

/* The smaller and the larger of two numbers. Of a number and a NaN that is the number, and of two zeros the
 * second, for which C's fmin and fmax leave both possible. */
static inline float mmd_minf(float a, float b)
{
    return a < b || isnan(b) ? a : b;
}

static inline float mmd_maxf(float a, float b)
{
    return a > b || isnan(b) ? a : b;
}

static inline double mmd_min(double a, double b)
{
    return a < b || isnan(b) ? a : b;
}

static inline double mmd_max(double a, double b)
{
    return a > b || isnan(b) ? a : b;
}

#ifdef __cplusplus
}
#endif

#endif
