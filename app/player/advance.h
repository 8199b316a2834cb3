/* Advances the dance in a window by the clock, or by the sound that plays along. */
#ifndef ODORI_ADVANCE_H
#define ODORI_ADVANCE_H

#include "edit/session.h"
#include "rate_governor.h"

/* Returns whether the scene moves. One without keyframes is a still picture. */
bool advance_is_moving(const odori_session *s);

/* Advances the scene after `passed` seconds, at the time `now` of the clock, and goes to the next playlist
 * entry at its end. */
void advance_session(rate_governor *governor, odori_session *s, double now, double passed);

#endif
