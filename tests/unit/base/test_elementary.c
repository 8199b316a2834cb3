/*
 * Elementary functions: their errors against the C library's long double, what C's Annex F says about special
 * arguments, and the bits of their results, which must be the same on every machine and with every compiler.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "support.h"

#include "mmd/elementary.h"

typedef long double reference;

static float sine_of_both(float x)
{
    float sine, cosine;
    mmd_sincosf(x, &sine, &cosine);
    return sine;
}

static float cosine_of_both(float x)
{
    float sine, cosine;
    mmd_sincosf(x, &sine, &cosine);
    return cosine;
}

static const struct {
    const char *name;
    float (*function)(float);
    reference (*exact)(reference);
    uint64_t bits;
} floats[] = {
    {"sinf", mmd_sinf, sinl, 0x63900995248c585d},
    {"cosf", mmd_cosf, cosl, 0xbce5d327a46ca86b},
    {"sincosf, sine", sine_of_both, sinl, 0x63900995248c585d},
    {"sincosf, cosine", cosine_of_both, cosl, 0xbce5d327a46ca86b},
    {"tanf", mmd_tanf, tanl, 0x357a179cb51bdb46},
    {"asinf", mmd_asinf, asinl, 0x5e8d56a47d01f533},
    {"acosf", mmd_acosf, acosl, 0xd0a77fa9fbc85265},
    {"expf", mmd_expf, expl, 0xd0d479416a902448},
    {"lnf", mmd_lnf, logl, 0x35612d589b2f908d},
    {"cbrtf", mmd_cbrtf, cbrtl, 0xa2e0005fb073a6b5},
};

static const struct {
    const char *name;
    float (*function)(float, float);
    reference (*exact)(reference, reference);
    uint64_t bits;
} float_pairs[] = {
    {"atan2f", mmd_atan2f, atan2l, 0xa7402751b0d81a8a},
    {"powf", mmd_powf, powl, 0x92441e15d6e30bd4},
    {"hypotf", mmd_hypotf, hypotl, 0xbbb469596dea6367},
};

static const struct {
    const char *name;
    double (*function)(double);
    reference (*exact)(reference);
    double limit; /* units in the last place */
    uint64_t bits;
} doubles[] = {
    {"sin", mmd_sin, sinl, 1.01, 0x70bca5d753c410e3}, {"cos", mmd_cos, cosl, 1.01, 0x11f3bbf38fd74239},
    {"tan", mmd_tan, tanl, 2.5, 0xb65b7c985a81c6c6},  {"acos", mmd_acos, acosl, 2.5, 0xdc6ed9b43978be70},
    {"exp", mmd_exp, expl, 1.01, 0xaf5cb5ebbd3e5bd3}, {"expm1", mmd_expm1, expm1l, 2.5, 0x7cfa6113f31c9898},
    {"ln", mmd_ln, logl, 1.01, 0xcf2803cd0f665d91},   {"cbrt", mmd_cbrt, cbrtl, 1.01, 0xcb203aab22f28f98},
};

static const struct {
    const char *name;
    double (*function)(double, double);
    reference (*exact)(reference, reference);
    uint64_t bits;
} double_pairs[] = {{"atan2", mmd_atan2, atan2l, 0x94e472136dd8d03b},
                    {"hypot", mmd_hypot, hypotl, 0x75b3f55d6f9d92bf}};

/* Adds a number's bytes to a hash (FNV-1a). */
static void hash(uint64_t *state, const void *number, size_t size)
{
    uint64_t bits = 0;
    memcpy(&bits, number, size); /* little-endian */
    for (size_t i = 0; i < size; i++, bits >>= 8)
        *state = (*state ^ (bits & 0xff)) * 0x100000001b3u;
}

/*
 * Compares a result with the exact one rounded to a type of this many digits, whose smallest number is tiny.
 * Where the exact result is NaN, zero or no finite number of the type, both must be the same.
 */
static void compare(const char *name, double x, double y, double result, reference exact, int digits,
                    double tiny, double limit)
{
    double expected = digits == FLT_MANT_DIG ? (double)(float)exact : (double)exact;
    if (isnan(expected) || isinf(expected) || expected == 0.0) {
        if (isnan(expected) ? !isnan(result) : result != expected || signbit(result) != signbit(expected))
            fail_msg("%s(%a, %a) is %a instead of %a", name, x, y, result, expected);
        return;
    }
    int exponent;
    frexp(expected, &exponent);
    double unit = fmax(ldexp(1.0, exponent - digits), tiny),
           error = (double)fabsl((reference)result - exact) / unit;
    if (!(error < limit))
        fail_msg("%s(%a, %a) is %a instead of %La: %.4f units", name, x, y, result, exact, error);
}

static void compare_float(const char *name, float x, float y, float result, reference exact)
{
    uint32_t bits;
    memcpy(&bits, &result, sizeof bits);
    assert_true(!isnan(result) || bits == 0x7fc00000); /* one NaN for all */
    double limit = name[0] == 'a' ? 1.5 : 0.502; /* of the arc functions, which have MMD's last bits */
    compare(name, (double)x, (double)y, (double)result, exact, FLT_MANT_DIG, 0x1p-149, limit);
}

static void compare_double(const char *name, double x, double y, double result, reference exact, double limit)
{
    uint64_t bits;
    memcpy(&bits, &result, sizeof bits);
    assert_true(!isnan(result) || bits == 0x7ff8000000000000);
    compare(name, x, y, result, exact, DBL_MANT_DIG, 0x1p-1074, limit);
}

/* Counts and prints functions that give other bits than those that are recorded. */
static int count_other_bits(const char *name, uint64_t found, uint64_t recorded)
{
    if (found == recorded)
        return 0;
    print_error("%s gives other bits: 0x%016llx\n", name, (unsigned long long)found);
    return 1;
}

static const float special[] = {0.0f,     -0.0f,       1.0f,         -1.0f,   0.5f,     -0.5f,  2.0f,
                                -2.0f,    3.0f,        -3.0f,        1e-45f,  -1e-45f,  1e-39f, 0x1p24f,
                                -0x1p24f, 16777215.0f, -16777215.0f, 3e38f,   -3e38f,   100.0f, -150.0f,
                                INFINITY, -INFINITY,   NAN,          0x1p20f, 0x1p-30f, 1e10f,  0.41421357f};
enum { SPECIAL = sizeof special / sizeof *special };

/* A generator whose numbers are part of the recorded bits. */
static uint32_t next(uint32_t *state)
{
    return *state = *state * 1664525u + 1013904223u;
}

/* Returns any float, or every other time one from -4 to 4. */
static float any_float(uint32_t *state)
{
    uint32_t bits = next(state);
    if (bits & 0x10000)
        return (float)(int32_t)next(state) * 0x1p-29f;
    float x;
    bits = next(state);
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double any_double(uint32_t *state)
{
    double small = (double)any_float(state);
    return small * (1.0 + (double)next(state) * 0x1p-52);
}

static void one_argument_of_float(void **state)
{
    (void)state;
    int others = 0;
    for (size_t f = 0; f < sizeof floats / sizeof *floats; f++) {
        uint64_t bits = 0xcbf29ce484222325;
        for (int i = 0; i < SPECIAL; i++)
            compare_float(floats[f].name, special[i], 0.0f, floats[f].function(special[i]),
                          floats[f].exact((reference)special[i]));
        /* All exponents and signs, with numbers near to each other and far apart. */
        for (uint64_t step = 0; step < UINT64_C(1) << 32; step += 40009) {
            uint32_t number = (uint32_t)step;
            float x;
            memcpy(&x, &number, sizeof x);
            float result = floats[f].function(x);
            compare_float(floats[f].name, x, 0.0f, result, floats[f].exact((reference)x));
            hash(&bits, &result, sizeof result);
        }
        others += count_other_bits(floats[f].name, bits, floats[f].bits);
    }
    assert_int_equal(others, 0);
}

static void two_arguments_of_float(void **state)
{
    (void)state;
    int others = 0;
    for (size_t f = 0; f < sizeof float_pairs / sizeof *float_pairs; f++) {
        uint64_t bits = 0xcbf29ce484222325;
        uint32_t seed = 1;
        for (int i = 0; i < SPECIAL * SPECIAL; i++) {
            float x = special[i / SPECIAL], y = special[i % SPECIAL];
            compare_float(float_pairs[f].name, x, y, float_pairs[f].function(x, y),
                          float_pairs[f].exact((reference)x, (reference)y));
        }
        for (int i = 0; i < 100000; i++) {
            float x = any_float(&seed), y = any_float(&seed), result = float_pairs[f].function(x, y);
            compare_float(float_pairs[f].name, x, y, result,
                          float_pairs[f].exact((reference)x, (reference)y));
            hash(&bits, &result, sizeof result);
        }
        others += count_other_bits(float_pairs[f].name, bits, float_pairs[f].bits);
    }
    assert_int_equal(others, 0);
}

static void one_argument_of_double(void **state)
{
    (void)state;
    int others = 0;
    for (size_t f = 0; f < sizeof doubles / sizeof *doubles; f++) {
        uint64_t bits = 0xcbf29ce484222325;
        uint32_t seed = 1;
        for (int i = 0; i < SPECIAL + 100000; i++) {
            double x = i < SPECIAL ? (double)special[i] : any_double(&seed);
            double result = doubles[f].function(x);
            compare_double(doubles[f].name, x, 0.0, result, doubles[f].exact((reference)x), doubles[f].limit);
            hash(&bits, &result, sizeof result);
        }
        others += count_other_bits(doubles[f].name, bits, doubles[f].bits);
    }
    assert_int_equal(others, 0);
}

static void two_arguments_of_double(void **state)
{
    (void)state;
    int others = 0;
    for (size_t f = 0; f < sizeof double_pairs / sizeof *double_pairs; f++) {
        uint64_t bits = 0xcbf29ce484222325;
        uint32_t seed = 1;
        for (int i = 0; i < SPECIAL * SPECIAL + 100000; i++) {
            bool one = i < SPECIAL * SPECIAL;
            double x = one ? (double)special[i / SPECIAL] : any_double(&seed);
            double y = one ? (double)special[i % SPECIAL] : any_double(&seed);
            double result = double_pairs[f].function(x, y);
            compare_double(double_pairs[f].name, x, y, result,
                           double_pairs[f].exact((reference)x, (reference)y), 2.5);
            hash(&bits, &result, sizeof result);
        }
        others += count_other_bits(double_pairs[f].name, bits, double_pairs[f].bits);
    }
    assert_int_equal(others, 0);
}

/* Numbers that float does not have: the ends of double, and near multiples of pi / 2, where few digits are
 * left. */
static void ends_of_double(void **state)
{
    (void)state;
    static const double ends[] = {5e-324,
                                  -5e-324,
                                  1e-310,
                                  1e308,
                                  -1e308,
                                  709.78,
                                  709.79,
                                  -745.1,
                                  -745.2,
                                  -708.5,
                                  1e-20,
                                  0x1.6ac5b262ca1ffp+849,
                                  0x1.921fb54442d18p+0,
                                  0x1.921fb54442d18p+1,
                                  0x1.2d97c7f3321d2p+2,
                                  1e6,
                                  1e15,
                                  1e22,
                                  DBL_MAX,
                                  DBL_MIN};
    for (size_t f = 0; f < sizeof doubles / sizeof *doubles; f++)
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            compare_double(doubles[f].name, ends[i], 0.0, doubles[f].function(ends[i]),
                           doubles[f].exact((reference)ends[i]), doubles[f].limit);
    for (size_t f = 0; f < sizeof double_pairs / sizeof *double_pairs; f++)
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
                compare_double(double_pairs[f].name, ends[i], ends[k],
                               double_pairs[f].function(ends[i], ends[k]),
                               double_pairs[f].exact((reference)ends[i], (reference)ends[k]), 2.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_argument_of_float),  cmocka_unit_test(two_arguments_of_float),
        cmocka_unit_test(one_argument_of_double), cmocka_unit_test(two_arguments_of_double),
        cmocka_unit_test(ends_of_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
