/* Tokens of binary .x files (Microsoft's DirectX .x reference, "binary encoding"): a code of two bytes, and
 * what it brings. Numbers come in lists that need not end where records do. */
#include "load.h"
#include "x_lexer.h"

#include <math.h>

enum {
    TOKEN_NAME = 1,
    TOKEN_STRING = 2,
    TOKEN_INTEGER = 3,
    TOKEN_GUID = 5,
    TOKEN_INTEGER_LIST = 6,
    TOKEN_REAL_LIST = 7,
    TOKEN_OPEN = 10,
    TOKEN_CLOSE = 11,
    TOKEN_PARENTHESIS = 12, /* and brackets, angles, the point: up to */
    TOKEN_COLON = 18,
    TOKEN_COMMA = 19,
    TOKEN_SEMICOLON = 20,
    TOKEN_TEMPLATE = 31,
    TOKEN_WORD = 40, /* and the other types of members: up to */
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
    /* Out of a float's range is as far out as infinity. */
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

/* A token without anything behind its code. */
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

bool x_binary_token(x_lexer *lexer, x_token *token)
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
