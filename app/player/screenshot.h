/* Screenshots of the player. Like those of `shot` they record how they were made. */
#ifndef ODORI_SCREENSHOT_H
#define ODORI_SCREENSHOT_H

#include "edit/session.h"

/* Returns whether this user may write files in a folder. */
bool screenshot_may_write_in(const char *folder);

/*
 * Renders the scene in the size of the window, without panels and overlays, and writes it to path. If that is
 * NULL, a new file named after scene and frame is written to the current folder. The file records how it was
 * made (provenance.h), unless options cannot describe it because motions move only some of several dancers.
 * Returns false with the reason in error (REFUSAL_MAX bytes).
 */
bool screenshot_write(odori_session *s, const char *path, char *error);

/* Writes a small picture of the scene for the next time (document/last.h), unless it is that of the bundled
 * dancer. A scene that cannot be described is forgotten. */
void screenshot_keep_last(odori_session *s);

/* Adds the scene to the playlist (document/playlist.h), as a small picture in the state folder. Returns false
 * with the reason in error (REFUSAL_MAX bytes). */
bool screenshot_add_to_playlist(odori_session *s, char *error);

#endif
