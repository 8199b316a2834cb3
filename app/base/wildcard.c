#include "wildcard.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* Returns whether a byte belongs to a class such as "alpha". known: whether there is such a class. */
static bool has_class(const char *name, size_t length, unsigned char c, bool *known)
{
    static const struct {
        const char *name;
        int (*test)(int);
    } classes[] = {
        {"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl},
        {"digit", isdigit}, {"graph", isgraph}, {"lower", islower}, {"print", isprint},
        {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit},
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strlen(classes[i].name) == length && strncmp(classes[i].name, name, length) == 0)
            return c < 0x80 && classes[i].test(c) != 0;
    *known = false;
    return false;
}

/*
 * Matches a byte with a set. set: behind its [. Returns what is behind the ] at its end, or NULL if there is
 * none.
 */
static const char *match_set(const char *set, unsigned char c, bool *matches)
{
    const bool inverts = *set == '!' || *set == '^';
    const char *at = set + inverts, *first = at;
    bool found = false, known = true;
    while (*at && (*at != ']' || at == first)) {
        const char *end = at[0] == '[' && at[1] == ':' ? strstr(at + 2, ":]") : NULL;
        if (end) {
            found |= has_class(at + 2, (size_t)(end - at - 2), c, &known);
            at = end + 2;
            continue;
        }
        at += *at == '\\' && at[1];
        const unsigned char low = (unsigned char)*at++;
        unsigned char high = low;
        if (at[0] == '-' && at[1] && at[1] != ']') {
            at += 1 + (at[1] == '\\' && at[2]);
            high = (unsigned char)*at++;
        }
        found |= low <= c && c <= high;
    }
    *matches = known && found != inverts;
    return *at ? at + 1 : NULL;
}

/* Matches the byte of a name with the first part of a pattern that is no star. Returns the rest of the
 * pattern, or NULL. */
static const char *match_one(const char *pattern, unsigned char c)
{
    bool matches;
    if (*pattern == '?')
        return pattern + 1;
    const char *end = *pattern == '[' ? match_set(pattern + 1, c, &matches) : NULL;
    if (end)
        return matches ? end : NULL;
    pattern += *pattern == '\\';
    return (unsigned char)*pattern == c ? pattern + 1 : NULL;
}

bool wildcard_matches(const char *pattern, const char *name)
{
    /* What follows the last star, and the end of what that star matches so far. A match that fails is tried
     * again with one more byte for the star; stars before it need no other try. */
    const char *star = NULL, *taken = NULL;
    for (;;) {
        if (*pattern == '*') {
            star = ++pattern;
            taken = name;
            continue;
        }
        if (!*name && !*pattern)
            return true;
        const char *rest = *name && *pattern ? match_one(pattern, (unsigned char)*name) : NULL;
        if (rest) {
            pattern = rest;
            name++;
        } else if (star && *taken) {
            pattern = star;
            name = ++taken;
        } else {
            return false;
        }
    }
}

bool wildcard_matches_shown(const char *pattern, const char *name)
{
    const char *first = pattern + (*pattern == '\\');
    return (*name != '.' || *first == '.') && wildcard_matches(pattern, name);
}
