/*
 * Tokens of .x files, text and binary, and reading numbers, skipping blocks and reporting errors with them.
 */
#include "load.h"
#include "x_lexer.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- text files ---- */

/* Tokens of text .x files (docs/mmd.md 1.6; grammar: Microsoft's DirectX .x reference, "text encoding").
 * Texts are CP932, whose second bytes may look like braces, so double-byte characters are skipped as a whole.
 */

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

/* Returns the length of a name or number. A # after a point belongs to special values such as 1.#IND. */
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

/*
 * Returns the length of a string after its opening quote, or size if it is not closed. \" does not close it.
 */
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

/* Skips a GUID, which adds nothing to the template's name. */
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

/* Reads a token of a text file and moves the cursor. Returns false for a separator. */
static bool x_text_token(mmd_cursor *cursor, x_token *token)
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

/* ---- binary files ---- */

/* Tokens of binary .x files (Microsoft's DirectX .x reference, "binary encoding"): a two-byte code and its
 * data. Numbers come in lists that need not end where records do. */

enum {
    TOKEN_NAME = 1,
    TOKEN_STRING = 2,
    TOKEN_INTEGER = 3,
    TOKEN_GUID = 5,
    TOKEN_INTEGER_LIST = 6,
    TOKEN_REAL_LIST = 7,
    TOKEN_OPEN = 10,
    TOKEN_CLOSE = 11,
    TOKEN_PARENTHESIS = 12, /* from here to TOKEN_COLON: brackets, angles, point */
    TOKEN_COLON = 18,
    TOKEN_COMMA = 19,
    TOKEN_SEMICOLON = 20,
    TOKEN_TEMPLATE = 31,
    TOKEN_WORD = 40, /* from here on: types of members */
    TOKEN_ARRAY = 52,
    GUID_SIZE = 16
};

static void read_listed(x_lexer *lexer, x_token *token)
{
    lexer->list_left--;
    token->kind = X_NUMBER;
    token->real = lexer->list_real;
    if (!token->real) {
        token->whole = mmd_read_u32(lexer->cursor);
        return;
    }
    const uint8_t *bytes = mmd_read_bytes(lexer->cursor, lexer->real_size);
    double wide = 0;
    if (bytes && lexer->real_size == sizeof wide)
        memcpy(&wide, bytes, sizeof wide);
    else if (bytes)
        wide = (double)load_f32(bytes);
    /* Values outside of a float's range are treated like infinity. */
    token->value = fabs(wide) <= 3.4e38 ? (float)wide : 0.0f;
}

static void start_list(x_lexer *lexer, bool real)
{
    lexer->list_real = real;
    lexer->list_left = mmd_cursor_check_count(lexer->cursor, mmd_read_u32(lexer->cursor),
                                              real ? lexer->real_size : sizeof(uint32_t));
}

static x_span read_text(mmd_cursor *cursor)
{
    uint32_t size = mmd_read_u32(cursor);
    const uint8_t *text = mmd_read_bytes(cursor, size);
    return (x_span){text, text ? size : 0};
}

/* Reads a token that has only a code. */
static void read_plain(x_lexer *lexer, x_token *token, uint16_t code)
{
    token->kind = X_OTHER;
    if (code == TOKEN_OPEN)
        token->kind = X_OPEN;
    else if (code == TOKEN_CLOSE)
        token->kind = X_CLOSE;
    else if (!(code >= TOKEN_PARENTHESIS && code <= TOKEN_COLON) &&
             !(code >= TOKEN_WORD && code <= TOKEN_ARRAY)) {
        lexer->cursor->at = token->at;
        mmd_cursor_fail(lexer->cursor, MMD_ERROR_SYNTAX, "no token has the code %u", code);
    }
}

/* Reads a token of a binary file and moves the cursor. Returns false for a separator. */
static bool x_binary_token(x_lexer *lexer, x_token *token)
{
    static const uint8_t template_word[] = "template";
    mmd_cursor *cursor = lexer->cursor;
    if (lexer->list_left > 0) {
        read_listed(lexer, token);
        return true;
    }
    uint16_t code = mmd_read_u16(cursor);
    switch (code) {
    case TOKEN_NAME:
    case TOKEN_STRING:
        token->kind = code == TOKEN_NAME ? X_NAME : X_STRING;
        token->span = read_text(cursor);
        return true;
    case TOKEN_TEMPLATE:
        token->kind = X_NAME;
        token->span = (x_span){template_word, sizeof template_word - 1};
        return true;
    case TOKEN_INTEGER:
        token->kind = X_NUMBER;
        token->whole = mmd_read_u32(cursor);
        return true;
    case TOKEN_INTEGER_LIST:
    case TOKEN_REAL_LIST:
        start_list(lexer, code == TOKEN_REAL_LIST);
        return false;
    case TOKEN_GUID:
        mmd_read_bytes(cursor, GUID_SIZE);
        return false;
    case TOKEN_COMMA:
    case TOKEN_SEMICOLON:
        return false;
    default:
        read_plain(lexer, token, code);
        return true;
    }
}

/* ---- both kinds ---- */

static bool at_end(const x_lexer *lexer)
{
    return !mmd_cursor_ok(lexer->cursor) || (mmd_cursor_left(lexer->cursor) == 0 && lexer->list_left == 0);
}

x_token x_next(x_lexer *lexer)
{
    assert(lexer);
    mmd_cursor *cursor = lexer->cursor;
    while (!at_end(lexer)) {
        x_token token = {.kind = X_END, .at = cursor->at};
        bool found = lexer->binary ? x_binary_token(lexer, &token) : x_text_token(cursor, &token);
        if (found && mmd_cursor_ok(cursor))
            return token;
    }
    return (x_token){.kind = X_END, .at = cursor->at};
}

void x_expected(x_lexer *lexer, const x_token *token, const char *wanted)
{
    assert(lexer && token);
    mmd_cursor *cursor = lexer->cursor;
    if (!mmd_cursor_ok(cursor))
        return;
    cursor->at = token->at;
    unsigned long line = 1;
    for (size_t i = 0; !lexer->binary && i < token->at; i++)
        line += cursor->data[i] == '\n';
    if (token->kind == X_END)
        mmd_cursor_fail(cursor, MMD_ERROR_TRUNCATED, "the file ends where %s is expected", wanted);
    else if (lexer->binary)
        mmd_cursor_fail(cursor, MMD_ERROR_SYNTAX, "%s is expected", wanted);
    else
        mmd_cursor_fail(cursor, MMD_ERROR_SYNTAX, "line %lu: %s is expected", line, wanted);
}

bool x_span_is(x_span span, const char *word)
{
    if (span.size != strlen(word))
        return false;
    for (size_t i = 0; i < span.size; i++) {
        uint8_t a = span.text[i], b = (uint8_t)word[i];
        /* Letters of different case differ in one bit; template names contain no other characters that do. */
        if (a != b && ((a ^ b) != 0x20 || (b | 0x20) < 'a' || (b | 0x20) > 'z'))
            return false;
    }
    return true;
}

/* Tests for printf's forms of values that are not numbers: nan, -nan(ind), inf. */
static bool is_no_number(x_span span)
{
    size_t sign = span.size > 0 && (span.text[0] == '-' || span.text[0] == '+');
    x_span word = {span.text + sign, span.size - sign < 3 ? span.size - sign : 3};
    return x_span_is(word, "nan") || x_span_is(word, "inf");
}

static bool is_number(const x_token *token)
{
    return token->kind == X_NUMBER || (token->kind == X_NAME && is_no_number(token->span));
}

/* Parses a real number. Returns false if the text is none. */
static bool parse_real(x_span span, float *value)
{
    size_t length = load_decimal(span.text, span.size, value);
    if (length == 0) {
        *value = 0;
        return is_no_number(span);
    }
    if (length == span.size)
        return true;
    if (span.text[length] == '#')
        *value = 0;
    return span.text[length] == '#' || (length + 1 == span.size && span.text[length] == 'f');
}

float x_real(x_lexer *lexer)
{
    assert(lexer);
    x_token token = x_next(lexer);
    float value = token.real ? token.value : (float)token.whole;
    if (!is_number(&token) || (!lexer->binary && !parse_real(token.span, &value))) {
        x_expected(lexer, &token, "a number");
        return 0;
    }
    return isfinite(value) ? value : 0;
}

void x_reals(x_lexer *lexer, float *values, size_t count)
{
    assert(lexer);
    assert(values || count == 0);
    for (size_t i = 0; i < count; i++)
        values[i] = x_real(lexer);
}

/* Parses an integer, which may have a point and zeros. Returns false for other texts and values from 2^32. */
static bool parse_whole(x_span span, uint32_t *whole)
{
    uint64_t value = 0;
    size_t at = 0;
    for (; at < span.size && span.text[at] >= '0' && span.text[at] <= '9'; at++) {
        value = 10 * value + (uint64_t)(span.text[at] - '0');
        if (value > UINT32_MAX)
            return false;
    }
    bool digits = at > 0;
    if (at < span.size && span.text[at] == '.')
        for (at++; at < span.size && span.text[at] == '0';)
            at++;
    *whole = (uint32_t)value;
    return digits && at == span.size;
}

uint32_t x_whole(x_lexer *lexer)
{
    assert(lexer);
    x_token token = x_next(lexer);
    bool ok = token.kind == X_NUMBER;
    if (ok && !lexer->binary)
        ok = parse_whole(token.span, &token.whole);
    else if (ok && token.real) {
        ok = token.value >= 0 && token.value < 4294967296.0f && token.value == floorf(token.value);
        token.whole = ok ? (uint32_t)token.value : 0;
    }
    if (!ok)
        x_expected(lexer, &token, "a whole number");
    return ok ? token.whole : 0;
}

uint32_t x_count(x_lexer *lexer, size_t numbers)
{
    assert(lexer);
    /* A number takes a digit and a separator in text, more in binary. */
    size_t smallest = lexer->binary ? 4 : 2;
    assert(numbers > 0);
    uint32_t count = x_whole(lexer);
    return mmd_cursor_check_count(lexer->cursor, count, smallest * numbers);
}

void x_skip_block(x_lexer *lexer)
{
    assert(lexer);
    for (uint64_t depth = 1; depth > 0;) {
        x_token token = x_next(lexer);
        if (token.kind == X_END) {
            x_expected(lexer, &token, "`}'");
            return;
        }
        depth += token.kind == X_OPEN;
        depth -= token.kind == X_CLOSE;
    }
}
