/* What both kinds of .x tokens share: numbers, blocks, errors. */
#include "x_lexer.h"
#include "load.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static bool at_end(const x_lexer *lexer)
{
    return !mmd_cursor_ok(lexer->cursor) || (mmd_cursor_left(lexer->cursor) == 0 && lexer->list_left == 0);
}

x_token x_next(x_lexer *lexer)
{
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
        /* Letters of both cases differ in one bit; templates' names have nothing else that does. */
        if (a != b && ((a ^ b) != 0x20 || (b | 0x20) < 'a' || (b | 0x20) > 'z'))
            return false;
    }
    return true;
}

/* How printf wrote what is no number: nan, -nan(ind), inf. */
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

/* False where the text is none. */
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
    for (size_t i = 0; i < count; i++)
        values[i] = x_real(lexer);
}

/* Digits, and perhaps a point with zeros. False for others and from 2^32. */
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
    /* In text a digit and a separator or brace, in binary more. */
    size_t smallest = lexer->binary ? 4 : 2;
    assert(numbers > 0);
    uint32_t count = x_whole(lexer);
    return mmd_cursor_check_count(lexer->cursor, count, smallest * numbers);
}

void x_skip_block(x_lexer *lexer)
{
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
