/*
 * The difference of two pictures in memory, as the page of reports reads it from a file: a script that passes
 * one object to odoriDifference. It is a script because pages from disk may not read other files in any other
 * way.
 */
#ifndef ODORI_DIFF_PAIR_H
#define ODORI_DIFF_PAIR_H

#include "mmd/ids.h"

/* Two pictures of the same size, and how they are compared. */
typedef struct diff_pair {
    const mmd_image *a, *b;
    const char *names[2];
    double number;                      /* of the frame */
    const mmd_compare_options *compare; /* without ssim and flip, which are always computed */
    const mmd_limits *limits;
    const mmd_mask *mask; /* or NULL */
    const mmd_ids *ids;   /* of a or b, or NULL */
} diff_pair;

enum { DIFF_PAIR_MATERIAL_MAX = 1024 };

/*
 * Compares the pictures and appends the script to out. material receives the name of the material with most
 * of the difference, such as "髪 of 踊り子", or "". MMD_ERROR_MEMORY and errors of mmd_compare_run.
 */
mmd_status diff_pair_write(mmd_compare *compare, const diff_pair *pair, mmd_buffer *out,
                           char material[DIFF_PAIR_MATERIAL_MAX], mmd_error *error);

/* Returns whether a file is such a script and nothing else: what is passed is an object in JSON, which cannot
 * act. */
bool diff_pair_is_script(const void *script, size_t size);

#endif
