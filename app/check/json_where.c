/* A walk over the text that skips whole values by their brackets and quotes. Valid JSON is taken for granted,
 * so nothing is checked but the end. */
#include "json_where.h"

#include <stdbool.h>
#include <string.h>

typedef struct walker {
    const char *at, *end;
} walker;

static void skip_blanks(walker *w)
{
    while (w->at < w->end && strchr(" \t\r\n,:", *w->at))
        w->at++;
}

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

/* Any value: a text, a nest of brackets, or letters up to a separator. */
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

/* From the bracket that opens an object to the named key; true if it is there. */
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

static json_place place_of(const char *text, const char *at)
{
    json_place place = {1, 1};
    for (; text < at; text++) {
        if (*text == '\n')
            place = (json_place){place.line + 1, 1};
        else if (((unsigned char)*text & 0xc0) != 0x80)
            place.column++;
    }
    return place;
}

json_place json_place_at(const char *text, size_t size, size_t offset)
{
    return place_of(text, text + (offset < size ? offset : size));
}

json_place json_where(const char *text, size_t size, const json_step *steps, size_t count)
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
    return place_of(text, found);
}
