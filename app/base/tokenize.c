#include "tokenize.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Copies the text between the quote at *at and the closing one to *out, and moves both on. False: it is not
 * closed. */
static bool read_quoted(const char **at, const char *end, char **out)
{
    for (const char *c = *at + 1; c < end; c++) {
        if (*c == '"') {
            *at = c + 1;
            return true;
        }
        if (*c == '\\' && c + 1 < end && (c[1] == '"' || c[1] == '\\'))
            c++;
        *(*out)++ = *c;
    }
    return false;
}

tokenize_result tokenize(const char *line, size_t length, char *storage, char **tokens, size_t max,
                         size_t *count)
{
    const char *at = line, *end = line + length;
    *count = 0;
    for (;;) {
        while (at < end && is_blank(*at))
            at++;
        if (at == end || *at == '#')
            return TOKENIZE_DONE;
        if (*count == max)
            return TOKENIZE_TOO_MANY;
        tokens[(*count)++] = storage;
        while (at < end && !is_blank(*at)) {
            if (*at == '"') {
                if (!read_quoted(&at, end, &storage))
                    return TOKENIZE_OPEN_QUOTE;
            } else {
                *storage++ = *at++;
            }
        }
        *storage++ = '\0';
    }
}

void token_quote(const char *text, mmd_buffer *out)
{
    mmd_write_u8(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            mmd_write_u8(out, '\\');
        mmd_write_u8(out, *text == '\n' ? ' ' : (uint8_t)*text);
    }
    mmd_write_u8(out, '"');
}

size_t token_find(const char *const *list, size_t count, const char *token)
{
    size_t i = 0;
    while (i < count && strcmp(list[i], token) != 0)
        i++;
    return i;
}
