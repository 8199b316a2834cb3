/* A drag as lines of the command table, which do the same again. */
#ifndef ODORI_GIZMO_LINES_H
#define ODORI_GIZMO_LINES_H

#include "mmd/cursor.h"
#include "edit/session.h"

/* Writes what is held and was set, one step of undo, ending with what is selected now. */
void gizmo_lines_write(const odori_session *s, mmd_buffer *out);

/* Tells the lines where messages are kept (on the terminal with --log info alone), and to whoever records. */
void gizmo_lines_tell(odori_session *s);

#endif
