/* The fallback of `play` without a display: renders a short clip to a folder. */
#ifndef ODORI_CLIP_H
#define ODORI_CLIP_H

#include "edit/session.h"
#include "media/video.h"

/*
 * Renders the clip from the session's frame on, and prints the paths to stdout: pictures, and a video if
 * ffmpeg is installed. Of sound only path and offset are used; with a path the clip is longer. Returns the
 * exit code.
 */
int clip_write(odori_session *s, const video_sound *sound, const mmd_log *log);

#endif
