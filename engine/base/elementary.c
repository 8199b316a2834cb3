/*
 * Elementary functions with the same bits on every machine. Each one reduces its argument to a short interval
 * and evaluates a polynomial there: Muller, Elementary Functions (3rd edition, 2016), chapters 3 (minimax
 * polynomials) and 11 (range reduction). The coefficients were found with Remez's exchange algorithm in
 * 200-bit arithmetic. A comment on each polynomial has the largest relative error of what it is used for.
 */
#include "mmd/elementary.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* x87 computes with more digits than double has. On 32-bit x86, -msse2 -mfpmath=sse avoids it. */
_Static_assert(FLT_EVAL_METHOD == 0, "float and double must be evaluated in their own precision");

static const double pi = 0x1.921fb54442d18p+1, pi_rest = 0x1.1a62633145c07p-53;
static const double half_pi = 0x1.921fb54442d18p+0, half_pi_rest = 0x1.1a62633145c07p-54;
static const double quarter_pi = 0x1.921fb54442d18p-1, quarter_pi_rest = 0x1.1a62633145c07p-55;
static const double quadrants = 0x1.45f306dc9c883p-1; /* 2 / pi */
static const double tan_pi_8 = 0x1.a827999fcef32p-2;
static const double log2_e = 0x1.71547652b82fep+0, ln_2 = 0x1.62e42fefa39efp-1;
static const double ln_2_high = 0x1.62e42fef00000p-1, ln_2_low = 0x1.473de6af278edp-34; /* high has 33 bits */

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Rounds |x| < 2^51 to a whole number: the sum has no bits for a fraction. */
static inline double round_near(double x)
{
    return (x + 0x1.8p52) - 0x1.8p52;
}

/* Returns 2^n for n from -1022 to 1023. */
static inline double power_of_two(int n)
{
    return from_bits((uint64_t)(n + 1023) << 52);
}

/* Splits a positive normal number into m 2^n with m from sqrt(1/2) to sqrt(2). Returns m. */
static inline double split_exponent(double x, int *n)
{
    uint64_t bits = bits_of(x) - 0x3fe6a09e667f3bcd; /* those of sqrt(1/2) */
    *n = (int)((int64_t)bits >> 52);
    return from_bits((bits & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
}

/* ---- Angles in double ---- */

/*
 * Subtracts the nearest multiple n of pi / 2 from a finite |x| >= 0.5 and returns the lowest two bits of n.
 * The rest is hi + lo. Payne and Hanek, Radian reduction for trigonometric functions (ACM SIGNUM Newsletter
 * 18, 1983): of x 2 / pi only the bits from 2 upwards of the point to 140 behind it are computed.
 */
static int reduce_any(double x, double *hi, double *lo)
{
    /* The digits of 2 / pi behind the point. */
    static const uint32_t digits[] = {
        0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
        0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
        0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
        0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
        0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046};
    enum { WORDS = 8 };
    /* |x| = factor 2^(32 exponent), with three words of factor from the lowest. */
    uint64_t bits = bits_of(x), fraction = (bits & 0xfffffffffffff) | 0x10000000000000;
    int exponent = (int)(bits >> 52 & 0x7ff) - 1075 + 64, shift = exponent & 31;
    exponent = (exponent >> 5) - 2;
    uint32_t factor[3] = {(uint32_t)(fraction << shift), (uint32_t)(fraction << shift >> 32),
                          shift > 11 ? (uint32_t)(fraction >> (64 - shift)) : 0};
    /* Digits before exponent - 1 give multiples of 2^32. The product, from the lowest word, has one word
     * before the point. */
    uint32_t product[WORDS + 3] = {0};
    for (int i = 0; i < WORDS; i++) {
        int digit = exponent - 1 + WORDS - 1 - i;
        uint64_t carry = 0, word = digit >= 0 ? digits[digit] : 0;
        for (int k = 0; k < 3; k++) {
            carry += word * factor[k] + product[i + k];
            product[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
        product[i + 3] = (uint32_t)carry;
    }
    int n = (int)(product[WORDS - 1] & 3);
    bool above = product[WORDS - 2] >> 31; /* the next multiple is nearer */
    double high = 0.0, low = 0.0, weight = 0x1p-32;
    for (int i = WORDS - 2; i >= 0; i--, weight *= 0x1p-32) {
        double word = (double)(above ? ~product[i] : product[i]) * weight, sum = high + word;
        low += word - (sum - high);
        high = sum;
    }
    /* Multiplies by pi / 2; the first product exactly, with Veltkamp's and Dekker's halves of numbers. */
    double top = high * 0x1p27, high_top = (high + top) - top, high_end = high - high_top;
    const double pi_top = 0x1.921fb58p+0, pi_end = -0x1.dde974p-27;
    double turn = high * half_pi;
    double rest = ((high_top * pi_top - turn) + high_top * pi_end + high_end * pi_top) + high_end * pi_end;
    rest += high * half_pi_rest + low * half_pi;
    *hi = turn + rest;
    *lo = rest - (*hi - turn);
    if (above != (x < 0.0)) {
        *hi = -*hi;
        *lo = -*lo;
    }
    n += above;
    return (x < 0.0 ? -n : n) & 3;
}

/* Subtracts the nearest multiple n of pi / 2 from a finite x and returns the lowest two bits of n. */
static int reduce(double x, double *hi, double *lo)
{
    double size = fabs(x);
    *hi = x;
    *lo = 0.0;
    if (size <= quarter_pi)
        return 0;
    if (size < 0x1p20) {
        /* pi / 2 in three parts. The first two have 33 bits, so that the products are exact. near has at
         * least as many digits in common with first as second has, unless little is left. */
        double n = round_near(x * quadrants);
        double first = x - n * 0x1.921fb544p+0, second = n * 0x1.0b4611a6p-34, near = first - second;
        if (fabs(near) > 0x1p-12) {
            double rest = ((first - near) - second) - n * 0x1.3198a2e037073p-69;
            *hi = near + rest;
            *lo = rest - (*hi - near);
            return (int)n & 3;
        }
    }
    return reduce_any(x, hi, lo);
}

/* Computes the sine of hi + lo within pi / 4; 2^-57.9. */
static double sine_near(double hi, double lo)
{
    double z = hi * hi;
    double p =
        -0x1.5555555555548p-3 +
        z * (0x1.111111110f7d0p-7 +
             z * (-0x1.a01a019bfde8ap-13 +
                  z * (0x1.71de3567cea95p-19 + z * (-0x1.ae5e5a8e48416p-26 + z * 0x1.5d8fd0ce8f682p-33))));
    return hi + (hi * z * p + (lo - 0.5 * z * lo));
}

/* Computes the cosine of hi + lo within pi / 4; 2^-64. */
static double cosine_near(double hi, double lo)
{
    double z = hi * hi, half = 0.5 * z, start = 1.0 - half;
    double p =
        0x1.555555555554bp-5 +
        z * (-0x1.6c16c16c14f91p-10 +
             z * (0x1.a01a019c844c3p-16 +
                  z * (-0x1.27e4f7eac2ad6p-22 + z * (0x1.1ee9d7b394a56p-29 - z * 0x1.8fa49963da598p-37))));
    return start + (((1.0 - start) - half) + (z * z * p - hi * lo));
}

void mmd_sincos(double x, double *sine, double *cosine)
{
    if (!isfinite(x)) {
        *sine = *cosine = (double)NAN;
        return;
    }
    if (x == 0.0) { /* of which the sum in sine_near would lose the sign */
        *sine = x;
        *cosine = 1.0;
        return;
    }
    double hi, lo;
    int n = reduce(x, &hi, &lo);
    double s = sine_near(hi, lo), c = cosine_near(hi, lo);
    *sine = n & 1 ? c : s;
    *cosine = n & 1 ? s : c;
    if (n & 2)
        *sine = -*sine;
    if ((n + 1) & 2)
        *cosine = -*cosine;
}

double mmd_sin(double x)
{
    double sine, cosine;
    mmd_sincos(x, &sine, &cosine);
    return sine;
}

double mmd_cos(double x)
{
    double sine, cosine;
    mmd_sincos(x, &sine, &cosine);
    return cosine;
}

double mmd_tan(double x)
{
    double sine, cosine;
    mmd_sincos(x, &sine, &cosine);
    return sine / cosine;
}

/*
 * Finds the number t, at most tan(pi / 8) in size, and the base for which atan(low / high) is base + atan(t).
 * 0 <= low <= high < infinity, and 0 < high.
 */
static inline double arc_ratio(double low, double high, bool *eighth)
{
    *eighth = low > tan_pi_8 * high;
    return *eighth ? (low - high) / (low + high) : low / high;
}

double mmd_atan2(double y, double x)
{
    if (isnan(x) || isnan(y))
        return (double)NAN;
    double width = fabs(x), height = fabs(y), angle = 0.0;
    bool steep = height > width, eighth = false;
    double low = steep ? width : height, high = steep ? height : width;
    if (isinf(low))
        low = high = 1.0;
    if (high > 0.0 && !isinf(high)) {
        double scale = high > 1.0 ? 0.5 : 1.0;                               /* so that a sum stays finite */
        double t = arc_ratio(low * scale, high * scale, &eighth), z = t * t; /* 2^-64.2 */
        double p = 0x1.c71c71b747624p-4 +
                   z * (-0x1.745d14b946343p-4 +
                        z * (0x1.3b136e23b56f4p-4 +
                             z * (-0x1.110c72444ebbap-4 +
                                  z * (0x1.e171f69b5b6ccp-5 +
                                       z * (-0x1.ab7d4c44a7be0p-5 +
                                            z * (0x1.70ec9a0816b0cp-5 +
                                                 z * (-0x1.123686b067a2ap-5 + z * 0x1.f1e5428ff918dp-7)))))));
        p = -0x1.5555555555554p-2 + z * (0x1.999999999964bp-3 + z * (-0x1.249249247568fp-3 + z * p));
        angle = eighth ? quarter_pi + (t + (t * z * p + quarter_pi_rest)) : t + t * z * p;
    }
    if (steep)
        angle = half_pi - (angle - half_pi_rest);
    if (signbit(x))
        angle = pi - (angle - pi_rest);
    return signbit(y) ? -angle : angle;
}

double mmd_acos(double x)
{
    return fabs(x) <= 1.0 ? mmd_atan2(sqrt((1.0 - x) * (1.0 + x)), x) : (double)NAN;
}

double mmd_hypot(double x, double y)
{
    double high = mmd_max(fabs(x), fabs(y));
    if (isinf(x) || isinf(y))
        return (double)INFINITY;
    double scale = high > 0x1p500 ? 0x1p-600 : high < 0x1p-450 ? 0x1p600 : 1.0;
    x *= scale;
    y *= scale;
    double length = sqrt(x * x + y * y);
    return isnan(length) ? (double)NAN : length / scale;
}

/* ---- Exponentials and logarithms in double ---- */

/* Computes e^x - 1 = (2^n (1 + part)) - 1 for |x| < 1000; 2^-61.7. */
static int exponential_parts(double x, double *part)
{
    double n = round_near(x * log2_e), high = x - n * ln_2_high, low = n * ln_2_low;
    double r = high - low, rest = (high - r) - low;
    double p = 0x1.6c16c16c1417bp-10 +
               r * (0x1.a01a01affeccep-13 +
                    r * (0x1.a01a01b1b0f2ap-16 +
                         r * (0x1.71ddf80c44ea2p-19 +
                              r * (0x1.27e4c356030b1p-22 +
                                   r * (0x1.af5f46353457dp-26 + r * 0x1.1f993cb716cb2p-29)))));
    p = 0.5 + r * (0x1.5555555555559p-3 + r * (0x1.555555555555bp-5 + r * (0x1.111111110f675p-7 + r * p)));
    *part = r + (rest + r * r * p);
    return (int)n;
}

double mmd_exp(double x)
{
    if (isnan(x))
        return (double)NAN;
    if (x > 710.0)
        return (double)INFINITY;
    if (x < -746.0)
        return 0.0;
    double part;
    int n = exponential_parts(x, &part), half = n >> 1; /* the half, because 2^n may not be a number */
    return (1.0 + part) * power_of_two(half) * power_of_two(n - half);
}

double mmd_expm1(double x)
{
    if (!(fabs(x) < 40.0)) /* 1 changes nothing, or what is not 1 */
        return x < 0.0 ? -1.0 : mmd_exp(x);
    if (fabs(x) < 0x1p-54)
        return x;
    double part;
    double power = power_of_two(exponential_parts(x, &part));
    return power * part + (power - 1.0);
}

double mmd_ln(double x)
{
    if (!(x > 0.0))
        return x == 0.0 ? (double)-INFINITY : (double)NAN;
    if (isinf(x))
        return x;
    int n = 0, scaled = x < DBL_MIN ? 54 : 0;
    double f = split_exponent(x * power_of_two(scaled), &n) - 1.0;
    n -= scaled;
    /* log(1 + f) = 2 atanh(s) = f - f^2 / 2 + s (f^2 / 2 + z p): f has no rounding error; 2^-66.7. */
    double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
    double p = 0x1.5555555555555p-1 +
               z * (0x1.9999999999dfep-2 +
                    z * (0x1.249249242b517p-2 +
                         z * (0x1.c71c7258ea98fp-3 +
                              z * (0x1.745cde3b995e5p-3 +
                                   z * (0x1.3b20aa895c9dbp-3 +
                                        z * (0x1.0f5ce0310cb6bp-3 + z * 0x1.0f623e6edd322p-3))))));
    return n * ln_2_high - ((half - (s * (half + z * p) + n * ln_2_low)) - f);
}

double mmd_cbrt(double x)
{
    double size = fabs(x);
    if (!(size > 0.0) || isinf(size))
        return isnan(x) ? (double)NAN : x;
    double root = mmd_exp(mmd_ln(size) * (1.0 / 3.0));
    root -= (root - size / (root * root)) * (1.0 / 3.0); /* a step of Newton's method */
    return x < 0.0 ? -root : root;
}

/* ---- float: the same methods with shorter polynomials ---- */

/* Computes the sine of r within pi / 4; 2^-37.5. */
static inline double short_sine(double r)
{
    double z = r * r;
    double p = (-0x1.5555554c71c89p-3 + z * 0x1.1111086a56f93p-7) +
               z * z * (-0x1.a00f7f2005fbfp-13 + z * 0x1.6cd1f0af20afbp-19);
    return r * (1.0 + z * p);
}

/* Computes the cosine of r within pi / 4; 2^-39.5. The term of r^2 is exact, because half the arc cosine of a
 * single-precision number next to 1 has a cosine next to the middle between two such numbers. */
static inline double short_cosine(double r)
{
    double z = r * r;
    double p = (0x1.55555555027adp-5 + z * -0x1.6c16bf534c9ebp-10) +
               z * z * (0x1.a015c25366932p-16 + z * -0x1.25239a9550aefp-22);
    return (1.0 - 0.5 * z) + z * z * p;
}

/* Subtracts the nearest multiple n of pi / 2 from a finite x beyond pi / 4 and returns the lowest two bits of
 * n. */
static inline int short_reduce(double x, double *r)
{
    if (fabs(x) < 0x1p20) {
        double n = round_near(x * quadrants);
        *r = (x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a626331p-34; /* the first product has 53 bits */
        return (int)n & 3;
    }
    double rest;
    return reduce_any(x, r, &rest);
}

float mmd_sinf(float x)
{
    double r = (double)x;
    if (fabs(r) <= quarter_pi)
        return (float)short_sine(r);
    if (!isfinite(x))
        return NAN;
    int n = short_reduce(r, &r);
    double sine = n & 1 ? short_cosine(r) : short_sine(r);
    return (float)(n & 2 ? -sine : sine);
}

float mmd_cosf(float x)
{
    double r = (double)x;
    if (fabs(r) <= quarter_pi)
        return (float)short_cosine(r);
    if (!isfinite(x))
        return NAN;
    int n = short_reduce(r, &r);
    double cosine = n & 1 ? short_sine(r) : short_cosine(r);
    return (float)((n + 1) & 2 ? -cosine : cosine);
}

void mmd_sincosf(float x, float *sine, float *cosine)
{
    double r = (double)x;
    int n = 0;
    if (!isfinite(x)) {
        *sine = *cosine = NAN;
        return;
    }
    if (!(fabs(r) <= quarter_pi))
        n = short_reduce(r, &r);
    double s = short_sine(r), c = short_cosine(r), turned = n & 1 ? c : s, other = n & 1 ? s : c;
    *sine = (float)(n & 2 ? -turned : turned);
    *cosine = (float)((n + 1) & 2 ? -other : other);
}

float mmd_tanf(float x)
{
    double r = (double)x;
    int n = 0;
    if (!isfinite(x))
        return NAN;
    if (!(fabs(r) <= quarter_pi))
        n = short_reduce(r, &r);
    double sine = short_sine(r), cosine = short_cosine(r);
    return (float)(n & 1 ? -cosine / sine : sine / cosine);
}

/*
 * The arc functions compute in single precision, with the sums of the C runtime that MMD was measured with
 * (docs/mmd.md 4.5), because their last bits decide where MMD's IK stops. Their errors are below 1.5 units.
 */

/* Computes asin(x) / x - 1 of z = x^2 within 1/4. */
static inline float arc_sine_part(float z)
{
    float p = z * (0x1.555556p-3f + z * (-0x1.a323a6p-5f + z * (-0x1.8ce6f6p-7f + z * -0x1.d635ecp-9f)));
    return p / (1.0f + z * -0x1.83933cp-1f);
}

/* Splits the square root s of z: returns its upper bits, and the rest in *low. */
static inline float split_root(float s, float z, float *low)
{
    uint32_t bits;
    float high;
    memcpy(&bits, &s, sizeof bits);
    bits &= 0xffff0000;
    memcpy(&high, &bits, sizeof high);
    *low = (z - high * high) / (s + high);
    return high;
}

float mmd_asinf(float x)
{
    const float quarter_high = 0x1.921fb4p-1f, half_low = 0x1.4442d0p-24f;
    float size = fabsf(x), low;
    if (size < 0.5f)
        return x + x * arc_sine_part(x * x);
    if (!(size < 1.0f))
        return size == 1.0f ? x * (float)half_pi : NAN;
    float z = (1.0f - size) * 0.5f, s = sqrtf(z), high = split_root(s, z, &low);
    float angle =
        quarter_high - (2.0f * s * arc_sine_part(z) - (half_low - 2.0f * low) - (quarter_high - 2.0f * high));
    return x < 0.0f ? -angle : angle;
}

float mmd_acosf(float x)
{
    float size = fabsf(x), low;
    if (size < 0.5f)
        return (float)(half_pi - ((double)x - (half_pi_rest - (double)(x * arc_sine_part(x * x)))));
    if (!(size < 1.0f))
        return x == 1.0f ? 0.0f : x == -1.0f ? (float)pi : NAN;
    float z = (1.0f - size) * 0.5f, s = sqrtf(z);
    if (x < 0.0f)
        return (float)(2.0 * (half_pi - (double)(s + arc_sine_part(z) * s)));
    float high = split_root(s, z, &low);
    return 2.0f * (high + (arc_sine_part(z) * s + low));
}

/* Computes the arc tangent of x >= 0, as that of x, 1/2, 1, 3/2 or infinity and of what is left. */
static inline float arc_tangent(float x)
{
    static const float angles[4] = {0x1.dac670p-2f, 0x1.921fb4p-1f, 0x1.f730bcp-1f, 0x1.921fb4p+0f};
    static const float rests[4] = {0x1.586ed2p-28f, 0x1.4442d0p-25f, 0x1.281f68p-25f, 0x1.4442d0p-24f};
    int part = -1;
    if (x >= 0x1p26f)
        return angles[3] + rests[3];
    if (x >= 0.4375f) {
        part = x < 0.6875f ? 0 : x < 1.1875f ? 1 : x < 2.4375f ? 2 : 3;
        x = part == 0   ? (2.0f * x - 1.0f) / (2.0f + x)
            : part == 1 ? (x - 1.0f) / (x + 1.0f)
            : part == 2 ? (x - 1.5f) / (1.0f + 1.5f * x)
                        : -1.0f / x;
    }
    float z = x * x, w = z * z;
    float odd = z * (0x1.555552p-2f + w * (0x1.23ea1ap-3f + w * 0x1.f9584ap-5f));
    float even = w * (-0x1.999530p-3f + w * -0x1.b4248ep-4f);
    return part < 0 ? x - x * (odd + even) : angles[part] - ((x * (odd + even) - rests[part]) - x);
}

float mmd_atan2f(float y, float x)
{
    const float pi_high = 0x1.921fb6p+1f, pi_low = -0x1.777a5cp-24f;
    if (isnan(x) || isnan(y))
        return NAN;
    float height = fabsf(y), width = fabsf(x), angle;
    if (isinf(width) && isinf(height))
        angle = signbit(x) ? (float)(3.0 * quarter_pi) : (float)quarter_pi;
    else if (height == 0.0f || isinf(width))
        angle = signbit(x) ? pi_high : 0.0f;
    else if (width == 0.0f || isinf(height) || height / width > 0x1p26f)
        angle = (float)half_pi;
    else if (!signbit(x))
        angle = arc_tangent(height / width);
    else
        angle = pi_high - (arc_tangent(height / width) - pi_low);
    return signbit(y) ? -angle : angle;
}

/* Computes 2^t for t from -1000 to 1000; 2^-39.8. */
static inline double short_exponential(double t)
{
    double n = round_near(t), f = t - n, g = f * f;
    double p = ((0x1.62e42fef7a784p-1 + f * 0x1.ebfbdff7c5990p-3) +
                g * (0x1.c6b08defc3d13p-5 + f * 0x1.3b2ab7f3cf228p-7)) +
               g * g *
                   ((0x1.5d8729742707ap-10 + f * 0x1.4306c0e39bd2fp-13) +
                    g * (0x1.00ee080e7e680p-16 + f * 0x1.6634bc8254188p-20));
    return (1.0 + f * p) * power_of_two((int)n);
}

/* Computes log2(x) of a positive float, or of 0 or infinity; 2^-45.1. */
static inline double short_logarithm(double x)
{
    if (!(x > 0.0 && !isinf(x)))
        return x > 0.0 ? (double)INFINITY : (double)-INFINITY;
    int n;
    double m = split_exponent(x, &n), s = (m - 1.0) / (m + 1.0), z = s * s, y = z * z;
    double p = ((0x1.71547652b8251p+1 + z * 0x1.ec709dc53c311p-1) +
                y * (0x1.2776c293812fbp-1 + z * 0x1.a61a2e9155eb0p-2)) +
               y * y * (0x1.47955fd269372p-2 + z * 0x1.21b0597d1c092p-2);
    return n + s * p;
}

float mmd_expf(float x)
{
    if (isnan(x))
        return NAN;
    if (x > 89.0f)
        return INFINITY;
    if (x < -104.0f)
        return 0.0f;
    return (float)short_exponential((double)x * log2_e);
}

float mmd_lnf(float x)
{
    return x >= 0.0f ? (float)(short_logarithm((double)x) * ln_2) : NAN;
}

/* Computes size^y of a positive size other than 1, or of 0 or infinity. */
static inline double short_power(double size, double y)
{
    double t = y * short_logarithm(size);
    return t > 200.0 ? (double)INFINITY : t < -200.0 ? 0.0 : short_exponential(t);
}

float mmd_powf(float x, float y)
{
    if (x == 1.0f || y == 0.0f)
        return 1.0f;
    if (isnan(x) || isnan(y))
        return NAN;
    if (x > 0.0f)
        return (float)short_power((double)x, (double)y);
    bool even = fabsf(y) >= 0x1p24f, odd = !even && (float)(int)y == y && (int)y & 1;
    even = even || (!odd && (float)(int)y == y);
    if (!even && !odd && x != 0.0f && !isinf(x))
        return NAN;
    double power = x == -1.0f ? 1.0 : short_power(fabs((double)x), (double)y);
    return (float)(signbit(x) && odd ? -power : power);
}

float mmd_cbrtf(float x)
{
    double size = fabs((double)x);
    if (!(size > 0.0) || isinf(x))
        return isnan(x) ? NAN : x;
    double root = short_exponential(short_logarithm(size) * (1.0 / 3.0));
    return (float)(x < 0.0f ? -root : root);
}

float mmd_hypotf(float x, float y)
{
    if (isinf(x) || isinf(y))
        return INFINITY;
    double length = sqrt((double)x * (double)x + (double)y * (double)y);
    return isnan(length) ? NAN : (float)length;
}
