/*
 * The report of `odori diff --report`: a single HTML file that contains everything. The pictures of frames are stored
 * as PNG while frames are compared. Of long sequences only the worst frames and every k-th one are stored, which
 * limits the size of the file.
 */
#ifndef ODORI_REPORT_H
#define ODORI_REPORT_H

#include "internal.h"

typedef struct diff_report diff_report;

/* Creates an empty report. NULL: out of memory. */
diff_report *report_create(void);
void report_destroy(diff_report *r); /* r can be NULL */

/* The frame that was compared last. */
typedef struct report_frame {
    const mmd_compare *compare;
    const diff_frame *frame;
    const ids_picture *ids; /* or NULL */
    const cause_table *materials, *bones;
    const mmd_mask *mask; /* or NULL */
} report_frame;

/* Stores the pictures of a frame if it is one of those to store. MMD_ERROR_MEMORY. */
mmd_status report_add(diff_report *r, const report_frame *frame, mmd_error *error);

/* Writes FOLDER/index.html and creates the folder. */
bool report_write(const diff_report *r, const diff_findings *findings, const char *folder, problem *why);

#endif
