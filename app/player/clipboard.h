/*
 * The desktop's clipboard. Text goes by the window; pictures, which it does not
 * carry, by a program that stays to hand them out: wl-copy on Wayland, else
 * xclip. Strings for errors have REFUSAL_MAX bytes.
 */
#ifndef ODORI_CLIPBOARD_H
#define ODORI_CLIPBOARD_H

#include "edit/session.h"

/* Puts a PNG there for other programs to paste. False: why in error. */
bool clipboard_put_png(const mmd_buffer *png, char *error);

/* Puts text there, UTF-8. False: there is no window. */
bool clipboard_put_text(odori_session *s, const char *text, char *error);

/*
 * Pastes what is there: a pose (VPD, or the text of one) for the selected model, or
 * paths or file URIs, a line each, which are opened. False: it is neither, or
 * could not be done; why in error.
 */
bool clipboard_paste(odori_session *s, char *error);

#endif
