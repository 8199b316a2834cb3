/*
 * Tokens of text .x files (MMD.md 1.6; grammar: Microsoft's DirectX .x
 * reference, "text encoding"). The bytes are CP932, whose second bytes may
 * look like braces: pairs are stepped over whole.
 */
#include "x_lexer.h"

#include <string.h>

static bool is_blank(uint8_t c)
{
    return c <= ' ' || c == 0x7f;
}

static bool is_pair(const uint8_t *text, size_t size)
{
    return size >= 2 && ((text[0] >= 0x81 && text[0] <= 0x9f) || (text[0] >= 0xe0 && text[0] <= 0xfc)) &&
           text[1] >= 0x40 && text[1] != 0x7f && text[1] <= 0xfc;
}

static bool starts_comment(const uint8_t *text, size_t size)
{
    return text[0] == '#' || (size >= 2 && text[0] == '/' && text[1] == '/');
}

/* Bytes of a name or number. A # behind a point belongs to what C calls no number: 1.#IND. */
static size_t word_length(const uint8_t *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        uint8_t c = text[at];
        if (is_blank(c) || strchr(";,{}\"<>", c))
            break;
        if (starts_comment(text + at, size - at) && !(c == '#' && at > 0 && text[at - 1] == '.'))
            break;
        at += is_pair(text + at, size - at) ? 2 : 1;
    }
    return at;
}

static size_t line_length(const uint8_t *text, size_t size)
{
    size_t at = 0;
    while (at < size && text[at] != '\n' && text[at] != '\r')
        at++;
    return at;
}

/* Behind the opening quote: bytes before the closing one, or size. Only \" does not close. */
static size_t string_length(const uint8_t *text, size_t size)
{
    size_t at = 0;
    while (at < size && text[at] != '"') {
        bool escaped = text[at] == '\\' && at + 1 < size && (text[at + 1] == '"' || text[at + 1] == '\\');
        at += escaped || is_pair(text + at, size - at) ? 2 : 1;
    }
    return at < size ? at : size;
}

static void read_string(mmd_cursor *cursor, x_token *token)
{
    const uint8_t *text = cursor->data + cursor->at + 1;
    size_t left = mmd_cursor_left(cursor) - 1;
    size_t length = string_length(text, left);
    if (length == left) {
        mmd_cursor_fail(cursor, MMD_ERROR_TRUNCATED, "a text without its closing quote");
        return;
    }
    token->kind = X_STRING;
    token->span = (x_span){text, length};
    cursor->at += length + 2;
}

/* A GUID says nothing that the name of a template does not. */
static void skip_guid(mmd_cursor *cursor)
{
    const uint8_t *text = cursor->data + cursor->at;
    size_t length = line_length(text, mmd_cursor_left(cursor));
    const uint8_t *end = memchr(text, '>', length);
    cursor->at += end ? (size_t)(end - text) + 1 : 1;
}

static bool starts_number(uint8_t c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
}

static void read_word(mmd_cursor *cursor, x_token *token)
{
    const uint8_t *text = cursor->data + cursor->at;
    size_t length = word_length(text, mmd_cursor_left(cursor));
    token->kind = length == 0 ? X_OTHER : starts_number(text[0]) ? X_NUMBER : X_NAME;
    token->span = (x_span){text, length ? length : 1};
    cursor->at += token->span.size;
}

bool x_text_token(mmd_cursor *cursor, x_token *token)
{
    const uint8_t *text = cursor->data + cursor->at;
    size_t left = mmd_cursor_left(cursor);
    if (is_blank(text[0]) || text[0] == ';' || text[0] == ',') {
        cursor->at++;
        return false;
    }
    if (starts_comment(text, left)) {
        cursor->at += line_length(text, left);
        return false;
    }
    switch (text[0]) {
    case '<':
        skip_guid(cursor);
        return false;
    case '"':
        read_string(cursor, token);
        return true;
    case '{':
    case '}':
        token->kind = text[0] == '{' ? X_OPEN : X_CLOSE;
        cursor->at++;
        return true;
    default:
        read_word(cursor, token);
        return true;
    }
}
