/* Why something is not edited, in the language of the panels. */
#ifndef ODORI_REFUSALS_H
#define ODORI_REFUSALS_H

#include "mmd/edit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct odori_session;

/* Returns the clause of a refusal of the edit engine (MMD_REFUSALS) in Japanese, in MMD's words, with {1} and
 * {2}; NULL: there is none, as of MMD_REFUSAL_OWN. Also for the panels, whose font needs the letters. */
const char *refusal_in_japanese(mmd_refusal refusal);

/* Writes what mmd_edit_refusal of the session's edit has just given in that language; other texts, plug-ins'
 * too, as they are. At most size bytes with a NUL behind them. */
void refusal_say(const struct odori_session *s, const char *why, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
