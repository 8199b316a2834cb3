/* The page of reports: one for the reports of diff and of check. */
#ifndef ODORI_DIFF_PAGE_H
#define ODORI_DIFF_PAGE_H

#include <stdbool.h>

/*
 * Writes the page with its data, which is JSON: of diff the findings and the stored frames, of check the
 * results. others: the page loads files beside it, too. False: it failed, which was reported.
 */
bool page_write(const char *path, const char *data, bool others);

#endif
