/* Walks over the text and skips whole values by their brackets and quotes. The text is assumed to be valid
 * JSON, so only its end is checked. */
#include "json_where.h"

#include <stdbool.h>
#include <string.h>

typedef struct walker {
    const char *at, *end;
} walker;

/* Skips white space and separators. */
static void skip_blanks(walker *w)
{
    while (w->at < w->end && strchr(" \t\r\n,:", *w->at))
        w->at++;
}

/* Skips a string, which begins at the cursor. */
static void skip_text(walker *w)
{
    for (w->at++; w->at < w->end && *w->at != '"'; w->at++)
        if (*w->at == '\\')
            w->at++;
    if (w->at < w->end)
        w->at++;
    else
        w->at = w->end;
}

/* Skips a value: a string, an object or array with everything in it, or letters up to a separator. */
static void skip_value(walker *w)
{
    int depth = 0;
    skip_blanks(w);
    do {
        skip_blanks(w);
        if (w->at >= w->end)
            return;
        if (*w->at == '"') {
            skip_text(w);
        } else if (strchr("{[", *w->at)) {
            depth++;
            w->at++;
        } else if (strchr("}]", *w->at)) {
            depth--;
            w->at++;
        } else {
            while (w->at < w->end && !strchr(" \t\r\n,:{}[]\"", *w->at))
                w->at++;
        }
    } while (depth > 0);
}

/* Moves from the opening bracket of an object to the given key. False: there is none. */
static bool find_key(walker *w, const char *key)
{
    size_t length = strlen(key);
    for (w->at++;;) {
        skip_blanks(w);
        if (w->at >= w->end || *w->at == '}')
            return false;
        if ((size_t)(w->end - w->at) > length + 1 && memcmp(w->at + 1, key, length) == 0 &&
            w->at[length + 1] == '"')
            return true;
        skip_text(w);
        skip_value(w);
    }
}

/* Moves from the opening bracket of an array to an element. False: there is none. */
static bool find_element(walker *w, size_t index)
{
    w->at++;
    for (;; index--) {
        skip_blanks(w);
        if (w->at >= w->end || *w->at == ']')
            return false;
        if (index == 0)
            return true;
        skip_value(w);
    }
}

/* Returns line and column of a byte. Bytes that continue a UTF-8 character do not count as columns. */
static json_position position_of(const char *text, const char *at)
{
    json_position position = {1, 1};
    for (; text < at; text++) {
        if (*text == '\n')
            position = (json_position){position.line + 1, 1};
        else if (((unsigned char)*text & 0xc0) != 0x80)
            position.column++;
    }
    return position;
}

json_position json_position_at(const char *text, size_t size, size_t offset)
{
    return position_of(text, text + (offset < size ? offset : size));
}

json_position json_where(const char *text, size_t size, const json_step *steps, size_t count)
{
    walker w = {text, text + size};
    skip_blanks(&w);
    const char *found = w.at;
    for (size_t i = 0; i < count; i++) {
        bool object = w.at < w.end && *w.at == '{';
        if (!(object ? steps[i].key && find_key(&w, steps[i].key)
                     : !steps[i].key && find_element(&w, steps[i].index)))
            break;
        found = w.at;
        if (object) {
            skip_text(&w);
            skip_blanks(&w);
        }
    }
    return position_of(text, found);
}
