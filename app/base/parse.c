#include "parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/memory.h"

enum { NUMBER_LENGTH_MAX = 64, SIZE_MAX_PIXELS = 16384 };

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

/* Returns whether the text is [+-] digits [. digits] [e [+-] digits], with a digit before the exponent. */
static bool is_decimal(const char *at, const char *end)
{
    if (at < end && (*at == '+' || *at == '-'))
        at++;
    const char *mantissa = at;
    at = skip_digits(at, end);
    ptrdiff_t digits = at - mantissa;
    if (at < end && *at == '.') {
        const char *fraction = ++at;
        at = skip_digits(at, end);
        digits += at - fraction;
    }
    if (digits == 0)
        return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-'))
            at++;
        const char *exponent = at;
        at = skip_digits(at, end);
        if (at == exponent)
            return false;
    }
    return at == end;
}

/* Reads a finite decimal number from length bytes. */
static bool parse_real_range(const char *text, size_t length, double *value)
{
    char copy[NUMBER_LENGTH_MAX];
    if (length >= sizeof copy || !is_decimal(text, text + length))
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    /* The program never calls setlocale for numbers, so strtod expects a decimal point. */
    double parsed = strtod(copy, NULL);
    if (!isfinite(parsed))
        return false;
    *value = parsed;
    return true;
}

bool parse_real(const char *text, double *value)
{
    return parse_real_range(text, strlen(text), value);
}

bool parse_whole(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
    uint64_t sum = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (sum > (UINT64_MAX - digit) / 10)
            return false;
        sum = 10 * sum + digit;
    }
    if (sum < min || sum > max)
        return false;
    *value = sum;
    return true;
}

bool parse_switch(const char *text, bool *value)
{
    bool on = strcmp(text, "on") == 0;
    if (!on && strcmp(text, "off") != 0)
        return false;
    *value = on;
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool parse_color(const char *text, float rgb[3])
{
    if (strlen(text) != 6)
        return false;
    float parsed[3];
    for (int i = 0; i < 3; i++) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        parsed[i] = (float)(16 * high + low) / 255.0f;
    }
    memcpy(rgb, parsed, sizeof parsed);
    return true;
}

bool parse_reals(const char *text, size_t count, float *values)
{
    float parsed[8];
    if (count > sizeof parsed / sizeof *parsed)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t length = strcspn(text, ",");
        double value;
        if (!parse_real_range(text, length, &value) || fabs(value) > 1e30)
            return false;
        parsed[i] = (float)value;
        text += length;
        if (*text != (i + 1 < count ? ',' : '\0'))
            return false;
        text++;
    }
    memcpy(values, parsed, count * sizeof *values);
    return true;
}

bool parse_size(const char *text, uint32_t *width, uint32_t *height)
{
    char left[8];
    size_t length = strcspn(text, "x");
    uint64_t w, h;
    if (text[length] != 'x' || length >= sizeof left)
        return false;
    memcpy(left, text, length);
    left[length] = '\0';
    if (!parse_whole(left, 1, SIZE_MAX_PIXELS, &w) || !parse_whole(text + length + 1, 1, SIZE_MAX_PIXELS, &h))
        return false;
    *width = (uint32_t)w;
    *height = (uint32_t)h;
    return true;
}

/* Records which part of a list is wrong, and why. Returns false. */
static bool refuse(frames_problem *problem, const char *part, size_t length, const char *why)
{
    *problem = (frames_problem){part, length, why};
    return false;
}

/* Reads the numbers between colons: one, two or three. */
static bool parse_range_numbers(const char *text, size_t length, double values[3], size_t *given,
                                frames_problem *problem)
{
    const char *end = text + length;
    *given = 0;
    for (const char *at = text;; at++) {
        const char *colon = memchr(at, ':', (size_t)(end - at));
        const char *stop = colon ? colon : end;
        if (*given == 3)
            return refuse(problem, text, length, "has more than three numbers (first:last:step)");
        if (!parse_real_range(at, (size_t)(stop - at), &values[(*given)++]))
            return refuse(problem, at, (size_t)(stop - at), "is not a number");
        at = stop;
        if (at == end)
            return true;
    }
}

/* Reads one item of a list of frames: F, A:B or A:B:STEP, as first, step and number of frames. */
static bool parse_range(const char *text, size_t length, double *first, double *step, size_t *count,
                        frames_problem *problem)
{
    double values[3] = {0, 0, 1};
    size_t given;
    if (!parse_range_numbers(text, length, values, &given, problem))
        return false;
    if (given == 1)
        values[1] = values[0];
    if (values[0] < 0)
        return refuse(problem, text, length, "is below 0");
    if (values[1] < values[0])
        return refuse(problem, text, length, "ends before it begins");
    /* A motion's frames are 32-bit numbers. */
    if (values[1] > 4294967295.0)
        return refuse(problem, text, length, "is greater than the last frame that a motion can have, 4294967295");
    if (values[2] <= 0)
        return refuse(problem, text, length, "has a step that is not greater than 0");
    double steps = floor((values[1] - values[0]) / values[2] + 1e-9);
    if (steps >= FRAMES_MAX)
        return refuse(problem, text, length, "is more than a million frames");
    *first = values[0];
    *step = values[2];
    *count = (size_t)steps + 1;
    return true;
}

/* Appends the frames of one item. */
static bool add_range(double **list, size_t *used, const char *text, size_t length, frames_problem *problem)
{
    double first, step;
    size_t added;
    if (!parse_range(text, length, &first, &step, &added, problem))
        return false;
    if (*used + added > FRAMES_MAX)
        return refuse(problem, text, length, "makes more than a million frames together with those before it");
    double *grown = mmd_realloc(*list, (*used + added) * sizeof **list);
    if (!grown)
        return refuse(problem, text, length, "needs more memory than is free");
    *list = grown;
    for (size_t i = 0; i < added; i++)
        grown[(*used)++] = first + step * (double)i;
    return true;
}

bool parse_frames(const char *text, double **frames, size_t *count, frames_problem *problem)
{
    double *list = NULL;
    size_t used = 0;
    for (;; text++) {
        size_t length = strcspn(text, ",");
        if (!add_range(&list, &used, text, length, problem)) {
            mmd_free(list);
            return false;
        }
        text += length;
        if (!*text)
            break;
    }
    mmd_free(*frames);
    *frames = list;
    *count = used;
    return true;
}

char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = mmd_alloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}
