/* The language that the environment asks for. */
#ifndef ODORI_LANGUAGE_H
#define ODORI_LANGUAGE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tells whether LC_ALL, LC_MESSAGES or LANG, the first of them that says something, asks for Japanese. */
bool language_is_japanese(void);

#ifdef __cplusplus
}
#endif

#endif
