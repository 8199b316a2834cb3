/* The parts of the player that its commands reach through a session: the window and the inspected pixel. */
#ifndef ODORI_PLAYER_INTERNAL_H
#define ODORI_PLAYER_INTERNAL_H

#include "document/document.h"
#include "gizmo_mouse.h"

struct odori_window;
struct odori_inspection;
struct clipboard_reader;

typedef struct player_parts {
    struct odori_window *window;         /* that shows the session; NULL: there is none */
    struct odori_inspection *inspection; /* the inspected pixel (inspect.h); NULL: there is none */
    struct clipboard_reader *clipboard;  /* reads copied files (clipboard_read.h); NULL: they are not read */
} player_parts;

/* These return the parts of the session's player, or NULL when there is none. */
player_parts *player_of(const odori_session *s);
struct odori_window *player_window(const odori_session *s);
struct odori_inspection *player_inspection(const odori_session *s);

/* Returns the picture in the window of the session's player. Its width is 0 if there is no window, or if that
 * has no size. */
gizmo_mouse_view player_view(const odori_session *s);

/* Adapts the session after its panels have changed. Does nothing without a window. */
void player_follow_layout(odori_session *s);

#endif
