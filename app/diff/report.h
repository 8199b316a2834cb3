/*
 * The report of `odori diff --report`: one HTML file with everything in it.
 * Pictures of a frame are kept as PNG while frames go by: of long sequences
 * the worst ones and every k-th, so that the file stays bounded.
 */
#ifndef ODORI_REPORT_H
#define ODORI_REPORT_H

#include "internal.h"

typedef struct diff_report diff_report;

/* NULL: out of memory. */
diff_report *report_create(void);
void report_destroy(diff_report *r); /* NULL is allowed */

/* The frame that was compared last. */
typedef struct report_frame {
    const mmd_compare *compare;
    const diff_frame *frame;
    const ids_picture *ids; /* or NULL */
    const cause_table *materials, *bones;
    const mmd_mask *mask; /* or NULL */
} report_frame;

/* Keeps the frame's pictures if it is one to keep. MMD_ERROR_MEMORY. */
mmd_status report_add(diff_report *r, const report_frame *frame, mmd_error *error);

/* Writes FOLDER/index.html; makes the folder. */
bool report_write(const diff_report *r, const diff_findings *findings, const char *folder, problem *why);

#endif
