/*
 * The desktop's clipboard. Text is copied through the window. GLFW cannot copy pictures, so these go through
 * a program that serves the clipboard in the background: wl-copy on Wayland, otherwise xclip. Files are read
 * through wl-paste or xclip (clipboard_read.h). Windows does both by itself (clipboard_windows.c). `error` is
 * a buffer of REFUSAL_MAX bytes that receives the reason when a function returns false.
 */
#ifndef ODORI_CLIPBOARD_H
#define ODORI_CLIPBOARD_H

#include "edit/session.h"

/* Copies a PNG file. */
bool clipboard_put_png(const mmd_buffer *png, char *error);

/* Turns a path as the system's programs copy it as text into one of this program. Windows' Explorer puts it
 * into quotes. */
void clipboard_tidy_path(char *path);

/* Copies a UTF-8 text. Returns false when there is no window. */
bool clipboard_put_text(odori_session *s, const char *text, char *error);

/*
 * Pastes what is in the clipboard: files that a file manager has copied there, and paths or file URIs in a
 * text, one in each line, are opened; a pose (text of a VPD file) is applied to the selected model. In a
 * window this only begins, because the owner of the clipboard has to answer first, and reasons for failing
 * are reported as messages by clipboard_poll. Returns false if it fails at once.
 */
bool clipboard_paste(odori_session *s, char *error);

/* Pastes what was read. To be called once in each turn of the player. */
void clipboard_poll(odori_session *s);

#endif
