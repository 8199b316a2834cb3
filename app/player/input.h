/* Keys and mouse of the player, as lines for the command table. */
#ifndef ODORI_INPUT_H
#define ODORI_INPUT_H

#include "edit/session.h"
#include "window.h"

typedef enum drag_kind { DRAG_NONE, DRAG_ORBIT, DRAG_PAN, DRAG_ZOOM } drag_kind;

struct odori_panels;

typedef struct odori_input {
    odori_session *session; /* NULL until connected: events do nothing */
    struct odori_panels *panels; /* events on them are theirs (panels.h); NULL: there are none */
    drag_kind drag;
    int drag_button;
    /*
     * Of the pointer, by its events. Not by asking: the answer is where it is
     * now, which a slow picture may be behind of.
     */
    double x, y;
    bool known;
} odori_input;

/* Lets the window's events act on a session, which must outlive the window. */
void input_connect(odori_window *window, odori_session *session);

/* Mouse and keys as they are at first, for --help. */
void input_help(char *text, size_t size);

#endif
