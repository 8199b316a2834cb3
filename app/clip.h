/* What play does without a display: a short clip in a folder. */
#ifndef ODORI_CLIP_H
#define ODORI_CLIP_H

#include "session.h"

/* Draws the clip and says on stdout where it is. Returns the exit code. */
int clip_write(odori_session *s, const mmd_log *log);

#endif
