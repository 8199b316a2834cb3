/* Why something that was asked for was not done: a sentence in a buffer of the caller's. */
#ifndef ODORI_REFUSAL_H
#define ODORI_REFUSAL_H

#include <stdbool.h>

/* Bytes of a buffer for a refusal, the NUL included. */
enum { REFUSAL_MAX = 256 };

/* Writes a sentence to error (REFUSAL_MAX bytes), cut where it is longer. Returns false. */
bool refuse_with(char *error, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#endif
