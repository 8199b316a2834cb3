/*
 * The report of `odori diff --report`: a single HTML file that contains everything. The pictures of frames
 * are stored as PNG while frames are compared. Of long sequences only the worst frames and every k-th one are
 * stored, which limits the size of the file.
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
    const mmd_image *a; /* whole */
    const mmd_ids *ids; /* or NULL */
    const mmd_causes *materials, *bones;
    const mmd_mask *mask; /* or NULL */
} report_frame;

/* Checks a frame against the limits of the findings. Without limits the pictures have to be equal. (pair.c)
 */
void findings_judge(diff_findings *found, diff_frame *frame);

/* Adds the difference of a frame of the findings to the tables by cause, finds its kind if it is the worst so
 * far, and stores its pictures in the report (NULL: none). (pair.c) */
mmd_status findings_add_causes(diff_findings *found, const report_frame *frame, diff_report *report,
                               mmd_error *error);

/* Stores the pictures of a frame if it is one of those to store. MMD_ERROR_MEMORY. */
mmd_status report_add(diff_report *r, const report_frame *frame, mmd_error *error);

/* Emits the findings and the stored frames in order, with their pictures: the data of the page. */
void report_emit(emitter *j, const diff_report *r, const diff_findings *findings);

/* Writes FOLDER/index.html and creates the folder. */
bool report_write(const diff_report *r, const diff_findings *findings, const char *folder, problem *why);

#endif
