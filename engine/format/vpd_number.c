/* Decimal numbers, without strtod and printf's %f, whose decimal point is the locale's. */
#include "vpd_number.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

/* m * 10^e. Exact up to the last rounding while m < 2^53 and |e| <= 22, which every number we write is. */
static double scale_by_ten(double m, int64_t e)
{
    static const double powers[] = {1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256};
    /* Past this, even 19 digits are 0 or infinite. */
    int64_t left = e < -400 || e > 400 ? 400 : llabs(e);
    double power = 1.0;
    for (int i = 0; left; i++, left /= 2)
        if (left % 2)
            power *= powers[i];
    return e < 0 ? m / power : m * power;
}

/* Digits into mantissa, as far as 64 bits hold them; *dropped counts the others. Returns their number. */
static size_t parse_digits(const uint8_t *text, size_t size, uint64_t *mantissa, int64_t *dropped)
{
    size_t at = 0;
    for (; at < size && is_digit(text[at]); at++) {
        if (*mantissa < UINT64_C(100000000000000000))
            *mantissa = 10 * *mantissa + (uint64_t)(text[at] - '0');
        else
            ++*dropped;
    }
    return at;
}

/* Bytes of an exponent with its e; 0 where none follows. */
static size_t parse_exponent(const uint8_t *text, size_t size, int *exponent)
{
    if (size < 2 || (text[0] != 'e' && text[0] != 'E'))
        return 0;
    size_t at = 1;
    int value = 0, negative = text[at] == '-';
    if (text[at] == '-' || text[at] == '+')
        at++;
    if (at == size || !is_digit(text[at]))
        return 0;
    for (; at < size && is_digit(text[at]); at++)
        if (value < 100000)
            value = 10 * value + (text[at] - '0');
    *exponent = negative ? -value : value;
    return at;
}

size_t vpd_number_parse(const uint8_t *text, size_t size, float *value)
{
    uint64_t mantissa = 0;
    size_t at = 0, digits;
    int64_t dropped = 0, dropped_behind = 0;
    int exponent = 0;
    int negative = size > 0 && text[0] == '-';
    if (size > 0 && (text[0] == '-' || text[0] == '+'))
        at++;
    at += digits = parse_digits(text + at, size - at, &mantissa, &dropped);
    int64_t scale = dropped;
    if (at < size && text[at] == '.') {
        size_t behind = parse_digits(text + at + 1, size - at - 1, &mantissa, &dropped_behind);
        scale -= (int64_t)behind - dropped_behind;
        digits += behind;
        at += behind + 1;
    }
    if (digits == 0)
        return 0;
    at += parse_exponent(text + at, size - at, &exponent);
    double result = mantissa ? scale_by_ten((double)mantissa, scale + exponent) : 0.0;
    *value = (float)(negative ? -result : result);
    return at;
}

char *vpd_number_format(float value, char text[VPD_NUMBER_MAX])
{
    assert(isfinite(value));
    /* d?dddddddde[+-]xx: the digits are there whatever the locale puts for the point. */
    char scientific[40], digits[10] = "000000000";
    int length = snprintf(scientific, sizeof scientific, "%.8e", (double)fabsf(value));
    char *e = strchr(scientific, 'e');
    assert(length > 0 && e && e - scientific > 9);
    (void)length;
    digits[0] = scientific[0];
    memcpy(digits + 1, e - 8, 8);
    int exponent = (int)strtol(e + 1, NULL, 10); /* of the first digit */

    int last = 8; /* the last digit that is not zero */
    while (last > 0 && digits[last] == '0')
        last--;
    int behind = last - exponent > 6 ? last - exponent : 6;
    int before = exponent > 0 ? exponent : 0;
    char *out = text;
    if (signbit(value))
        *out++ = '-';
    /* i is the power of ten of a place, counted downwards. */
    for (int i = before; i >= -behind; i--) {
        int digit = exponent - i;
        *out++ = digit >= 0 && digit < 9 ? digits[digit] : '0';
        if (i == 0)
            *out++ = '.';
    }
    *out = '\0';
    return text;
}
