/*
 * The desktop's clipboard. Text is copied through the window. GLFW cannot copy pictures, so these go through
 * a program that serves the clipboard in the background: wl-copy on Wayland, otherwise xclip. `error` is a
 * buffer of REFUSAL_MAX bytes that receives the reason when a function returns false.
 */
#ifndef ODORI_CLIPBOARD_H
#define ODORI_CLIPBOARD_H

#include "edit/session.h"

/* Copies a PNG file. */
bool clipboard_put_png(const mmd_buffer *png, char *error);

/* Copies a UTF-8 text. Returns false when there is no window. */
bool clipboard_put_text(odori_session *s, const char *text, char *error);

/*
 * Pastes the text of the clipboard: a pose (text of a VPD file) is applied to the selected model, and paths
 * or file URIs, one in each line, are opened. Returns false if it is neither or if that fails.
 */
bool clipboard_paste(odori_session *s, char *error);

#endif
