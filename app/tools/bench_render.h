/* odori bench --render: what `odori render` does with a picture, measured. */
#ifndef ODORI_BENCH_RENDER_H
#define ODORI_BENCH_RENDER_H

#include <stdbool.h>
#include <stddef.h>

#include "mmd/log.h"
#include "recipe/stage.h"

typedef struct bench_render_options {
    size_t frames;
    const char *gpu; /* common_options */
    bool as_json;
} bench_render_options;

/* Measures a stage that was opened, and writes the results to stdout. Returns an exit code. */
int bench_render(recipe_stage *stage, const bench_render_options *options, const mmd_log *log);

/* Returns the median, and sorts the values. */
double bench_median(double *values, size_t count);

/* Returns the CPU time of all threads of the process, including those of the driver, in milliseconds. */
double bench_cpu_ms(void);

#endif
