/* Numbers in JSON are those of printf's "%.9g", character by character. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/emit.h"
#include "support.h"

enum { FEW = 4096 };

/* Writes numbers as an array and compares it with what printf writes. */
static void check(const double *values, size_t count)
{
    static char text[FEW * 32], expected[FEW * 32];
    memset(text, 0, sizeof text);
    FILE *out = tmpfile();
    assert_non_null(out);
    emitter j = {.out = out};
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        emit_real(&j, values[i]);
        length += (size_t)snprintf(expected + length, sizeof expected - length,
                                   isfinite(values[i]) ? "%s%.9g" : "%snull", i ? "," : "", values[i]);
    }
    rewind(out);
    fread(text, 1, sizeof text - 1, out);
    fclose(out);
    assert_string_equal(text, expected);
}

/* Checks a number, its negative and its neighbours. */
static void check_around(double value)
{
    const double values[] = {value, -value, nextafter(value, DBL_MAX), nextafter(value, -DBL_MAX)};
    check(values, sizeof values / sizeof *values);
}

static void numbers_of_floats_are_those_of_printf(void **state)
{
    (void)state;
    uint64_t seed = 1;
    double values[FEW];
    for (int pass = 0; pass < 100; pass++) {
        for (size_t i = 0; i < FEW; i++) {
            uint32_t bits = (uint32_t)test_random(&seed);
            float value;
            memcpy(&value, &bits, sizeof value);
            values[i] = pass % 2 ? (double)value : ((double)bits / 4294967296.0 - 0.5) * (1 << pass % 20);
        }
        check(values, FEW);
    }
}

/* Numbers half way between two of nine digits, where the last digit depends on the last bit. */
static void ties_are_those_of_printf(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 20000; i++) {
        double digits = (double)(100000000 + test_random(&seed) % 900000000) + 0.5;
        check_around(digits * pow(10, (double)(i % 40) - 20));
    }
}

static void limits_are_those_of_printf(void **state)
{
    (void)state;
    const double values[] = {0,
                             1,
                             5,
                             0.1,
                             0.5,
                             1e9,
                             999999999.4999999,
                             999999999.5,
                             99999999.95,
                             0.0001,
                             0.00001,
                             0.00009999999995,
                             0.000123456789,
                             123456789,
                             1234567890,
                             1e22,
                             1e23,
                             1e-22,
                             DBL_MAX,
                             DBL_MIN,
                             FLT_MAX,
                             FLT_MIN,
                             5e-324,
                             1e-45,
                             100,
                             1e100,
                             1e-100};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        check_around(values[i]);
    for (int i = -30; i <= 30; i++)
        check_around(pow(10, i));
    check((const double[]){-0.0, NAN, INFINITY, -INFINITY}, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_floats_are_those_of_printf),
        cmocka_unit_test(ties_are_those_of_printf),
        cmocka_unit_test(limits_are_those_of_printf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
