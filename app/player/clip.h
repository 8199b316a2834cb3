/* What play does without a display: a short clip in a folder. */
#ifndef ODORI_CLIP_H
#define ODORI_CLIP_H

#include "edit/session.h"
#include "media/video.h"

/*
 * Draws the clip from the session's frame on and says on stdout where it is:
 * pictures, and a video where ffmpeg is there. sound:
 * path and offset count; where there is one, the clip is longer. Returns the exit code.
 */
int clip_write(odori_session *s, const video_sound *sound, const mmd_log *log);

#endif
