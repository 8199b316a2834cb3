/* What the player's own commands find through a session: its window, and what was seen of a pixel. */
#ifndef ODORI_PLAYER_INTERNAL_H
#define ODORI_PLAYER_INTERNAL_H

#include "document/document.h"

struct odori_window;
struct odori_inspection;

typedef struct player_parts {
    struct odori_window *window;         /* that shows the session; NULL: none does */
    struct odori_inspection *inspection; /* of a pixel (inspect.h); NULL: none is looked at */
} player_parts;

/* Returns that of the session's player; NULL where there is none. */
player_parts *player_of(const odori_session *s);
struct odori_window *player_window(const odori_session *s);
struct odori_inspection *player_inspection(const odori_session *s);

#endif
