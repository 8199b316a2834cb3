/* What play does without a display: a short clip in a folder. */
#ifndef ODORI_CLIP_H
#define ODORI_CLIP_H

#include "session.h"

/*
 * Draws the clip from the session's frame on and says on stdout where it is:
 * pictures, and a video where ffmpeg is there. music: a sound file that begins
 * with frame 0, which makes the clip longer, or "". Returns the exit code.
 */
int clip_write(odori_session *s, const char *music, const mmd_log *log);

#endif
