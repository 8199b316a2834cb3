/* What the player's window is called: the scene, and what time does in it. */
#ifndef ODORI_TITLE_H
#define ODORI_TITLE_H

#include "edit/session.h"

typedef struct title_facts {
    const char *name; /* of the scene */
    const odori_session *session;
    double fps;   /* below 0: nothing is drawn, for nobody sees it */
    double pace;  /* rate_governor.h: 1, or below it where physics is slow */
    bool unsaved; /* keys or a pose are */
} title_facts;

/* "miku.pmx* - frame 120 - beat 2.1 - 0.5x - repeats 90 to 240 - 60 fps"; the star: not all is saved. Cut
 * where it does not fit. */
void title_write(const title_facts *facts, char *title, size_t size);

#endif
