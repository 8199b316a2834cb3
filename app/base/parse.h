/*
 * Reads what people type, strictly. The whole text must be the value;
 * nothing depends on the locale. On false the result is untouched.
 */
#ifndef ODORI_PARSE_H
#define ODORI_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One degree in radians. */
#define DEGREE (3.14159265358979323846 / 180.0)

/* Reads a finite decimal number: 7, -0.5, .5, 1e-3. No hexadecimal, no inf, no nan, no blanks. */
bool parse_real(const char *text, double *value);

/* Reads a whole number within min..max, digits only. */
bool parse_whole(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/* "on" or "off". */
bool parse_switch(const char *text, bool *value);

/* Reads six hexadecimal digits as numbers from 0 to 1. */
bool parse_color(const char *text, float rgb[3]);

/* Reads count finite numbers with commas between. */
bool parse_reals(const char *text, size_t count, float *values);

/* Reads "WxH", both 1..16384. */
bool parse_size(const char *text, uint32_t *width, uint32_t *height);

/* Why a list of frames was refused: a part of the text, and the end of a sentence about it. */
typedef struct frames_problem {
    const char *part;
    size_t length;
    const char *why; /* "is not a number" */
} frames_problem;

/*
 * Reads frames: numbers and ranges A:B[:STEP] (both ends included) with commas
 * between, none negative, at most a million. *frames comes from mmd_alloc.
 * On false *problem is filled.
 */
bool parse_frames(const char *text, double **frames, size_t *count, frames_problem *problem);

/* Copies a text, to be freed with mmd_free. NULL: out of memory. */
char *copy_text(const char *text);

#endif
