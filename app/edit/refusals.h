/* Why something is not edited, in the language of the panels. */
#ifndef ODORI_REFUSALS_H
#define ODORI_REFUSALS_H

#include "refusal_words.h"
#include "session.h"

/* What mmd_edit_refusal of the session's edit has just given, in that language; other texts, plug-ins' too, are
 * as they are. At most size bytes with a NUL behind them. */
void refusal_say(const odori_session *s, const char *why, char *out, size_t size);

#endif
