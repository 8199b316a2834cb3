/* Refusals of the edit engine in Japanese; also for the panels, whose font needs the letters. */
#ifndef ODORI_REFUSAL_WORDS_H
#define ODORI_REFUSAL_WORDS_H

#include "mmd/edit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The clause in Japanese, with {1} and {2}; NULL: there is none, as of MMD_REFUSAL_OWN. */
const char *refusal_in_japanese(mmd_refusal refusal);

#ifdef __cplusplus
}
#endif

#endif
