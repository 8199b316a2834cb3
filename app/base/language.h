/* The language of the user, from the environment; on Windows from the settings of the user interface. */
#ifndef ODORI_LANGUAGE_H
#define ODORI_LANGUAGE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns whether the user reads Japanese, by the first of LC_ALL, LC_MESSAGES and LANG that is set and not empty. If
 * none is, Windows tells. */
bool language_is_japanese(void);

#ifdef __cplusplus
}
#endif

#endif
