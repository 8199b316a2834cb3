/* Why something is not edited, in the language of the panels. */
#ifndef ODORI_REFUSALS_H
#define ODORI_REFUSALS_H

#include "session.h"

/* What mmd_edit_refusal of the session's edit has just given, in that language; other texts, plug-ins' too, are
 * as they are. At most size bytes with a NUL behind them. */
void refusal_say(const odori_session *s, const char *why, char *out, size_t size);

/* The clause in Japanese, with {1} and {2}; NULL: there is none, as of MMD_REFUSAL_OWN. */
const char *refusal_in_japanese(mmd_refusal refusal);

#endif
