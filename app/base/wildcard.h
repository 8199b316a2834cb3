/* Names with wildcards, as shells know them. */
#ifndef ODORI_WILDCARD_H
#define ODORI_WILDCARD_H

#include <stdbool.h>

/*
 * Tests whether a whole name matches a pattern of bytes, as fnmatch of POSIX does in the C locale: * any
 * bytes, ? any byte, [a-z] one of several, [!a-z] and [^a-z] one of the others, [[:digit:]] one of a class of
 * ASCII, \ takes the wildcard behind it literally. A [ without an end is literal, and a \ at the end matches
 * nothing.
 */
bool wildcard_matches(const char *pattern, const char *name);

/* Does the same, except that a dot at the front of a name is matched by nothing but a dot. */
bool wildcard_matches_shown(const char *pattern, const char *name);

#endif
