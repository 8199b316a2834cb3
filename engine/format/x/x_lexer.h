/* Tokens of .x files, text and binary, as one stream. Private to this module. */
#ifndef MMD_FORMAT_X_LEXER_H
#define MMD_FORMAT_X_LEXER_H

#include "mmd/cursor.h"

typedef enum x_token_kind {
    X_END, /* end of the file, or after a failure */
    X_NAME,
    X_STRING,
    X_NUMBER,
    X_OPEN,  /* { */
    X_CLOSE, /* } */
    X_OTHER  /* tokens that occur only in templates */
} x_token_kind;

/* Bytes in the file, or derived from them. */
typedef struct x_span {
    const uint8_t *text;
    size_t size;
} x_span;

typedef struct x_token {
    x_token_kind kind;
    size_t at;      /* offset of its first byte */
    x_span span;    /* a name; a string without its quotes; in text files also a number */
    bool real;      /* for numbers of binary files */
    uint32_t whole; /* value of an integer */
    float value;    /* value of a real number */
} x_token;

typedef struct x_lexer {
    mmd_cursor *cursor;
    bool binary;
    uint32_t real_size; /* size of floats in a binary file: 4 or 8 bytes */
    uint32_t list_left; /* numbers left in the current list of a binary file */
    bool list_real;
} x_lexer;

/* Returns the next token. Separators (which files place freely), comments and GUIDs are skipped. */
x_token x_next(x_lexer *lexer);

/* Read numbers. Anything else fails and returns 0. Values that are not finite (1.#QNAN) become 0. */
uint32_t x_whole(x_lexer *lexer);
float x_real(x_lexer *lexer);
void x_reals(x_lexer *lexer, float *values, size_t count);

/* Reads a count of records with at least `numbers` numbers each. Fails if the file is too short for them. */
uint32_t x_count(x_lexer *lexer, size_t numbers);

/*
 * Reports an unexpected token, with the line in a text file. At the end of the file the error is "truncated".
 */
void x_expected(x_lexer *lexer, const x_token *token, const char *wanted);

/* Skips to after the closing brace that matches an opening brace before the cursor. */
void x_skip_block(x_lexer *lexer);

/* Compares with a word, ignoring case. */
bool x_span_is(x_span span, const char *word);

#endif
