/* Bodies and joints that were placed by hand, as lines of the command table: exactly there, whatever handlers edits
 * go by. */
#ifndef ODORI_SELECTION_LINES_H
#define ODORI_SELECTION_LINES_H

#include "mmd/cursor.h"
#include "session.h"

/* Appends those of a model, which the lines before select; nothing where none was. */
void selection_lines(const odori_session *s, size_t model, mmd_buffer *out);

#endif
