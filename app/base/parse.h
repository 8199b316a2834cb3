/*
 * Strict parsers for values that users type. The whole text has to be the value, and nothing depends on the locale.
 * When a parser returns false, its result is unchanged.
 */
#ifndef ODORI_PARSE_H
#define ODORI_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One degree in radians. */
#define DEGREE (3.14159265358979323846 / 180.0)

/* Reads a finite decimal number: 7, -0.5, .5, 1e-3. Hexadecimal numbers, inf, nan and blanks are refused. */
bool parse_real(const char *text, double *value);

/* Reads a whole number from min to max, written in digits only. */
bool parse_whole(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/* Reads "on" or "off". */
bool parse_switch(const char *text, bool *value);

/* Reads six hexadecimal digits RRGGBB as three numbers from 0 to 1. */
bool parse_color(const char *text, float rgb[3]);

/* Reads count finite numbers (at most 8), separated by commas. */
bool parse_reals(const char *text, size_t count, float *values);

/* Reads "WxH", both from 1 to 16384. */
bool parse_size(const char *text, uint32_t *width, uint32_t *height);

/* Why a list of frames was refused: the wrong part of the text and the rest of a sentence about it. */
typedef struct frames_problem {
    const char *part;
    size_t length;
    const char *why; /* "is not a number" */
} frames_problem;

/* The most frames that a subcommand goes through. Motions of strangers may end at frame 4,294,967,295. */
enum { FRAMES_MAX = 1000000 };

/*
 * Reads a list of frames: numbers and ranges A:B[:STEP] (both ends included), separated by commas. No frame may be
 * negative, and there may be at most a million. Replaces *frames, which is freed with mmd_free. False: *problem is
 * filled.
 */
bool parse_frames(const char *text, double **frames, size_t *count, frames_problem *problem);

/* Returns a copy of a text, to be freed with mmd_free, or NULL when out of memory. */
char *copy_text(const char *text);

#endif
