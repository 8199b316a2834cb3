/* The tokens of .x files, text and binary, as one stream. Private to the reader of accessories. */
#ifndef MMD_FORMAT_X_LEXER_H
#define MMD_FORMAT_X_LEXER_H

#include "mmd/cursor.h"

typedef enum x_token_kind {
    X_END, /* of the file, or after a failure */
    X_NAME,
    X_STRING,
    X_NUMBER,
    X_OPEN,  /* { */
    X_CLOSE, /* } */
    X_OTHER  /* what only templates hold */
} x_token_kind;

/* Bytes of the file, or made of them. */
typedef struct x_span {
    const uint8_t *text;
    size_t size;
} x_span;

typedef struct x_token {
    x_token_kind kind;
    size_t at;      /* where it begins */
    x_span span;    /* a name; a string as it stands between its quotes; in text files a number */
    bool real;      /* of binary numbers */
    uint32_t whole; /* unless real */
    float value;    /* if real */
} x_token;

typedef struct x_lexer {
    mmd_cursor *cursor;
    bool binary;
    uint32_t real_size; /* bytes of a binary file's floats: 4 or 8 */
    uint32_t list_left; /* numbers left in the list of a binary file */
    bool list_real;
} x_lexer;

/*
 * The next token. Separators (which files put where they like), comments and
 * GUIDs are none.
 */
x_token x_next(x_lexer *lexer);

/* Numbers. Anything else fails and gives 0. What is no finite number (1.#QNAN) counts as 0. */
uint32_t x_whole(x_lexer *lexer);
float x_real(x_lexer *lexer);
void x_reals(x_lexer *lexer, float *values, size_t count);

/* A number of records of at least numbers numbers each: fails if so many cannot follow. */
uint32_t x_count(x_lexer *lexer, size_t numbers);

/* Fails at the token, with the line of a text file; at the end of the file as truncated. */
void x_expected(x_lexer *lexer, const x_token *token, const char *wanted);

/* Behind an opening brace: to behind its closing one. */
void x_skip_block(x_lexer *lexer);

/* Whether the bytes are this word, in upper or lower case. */
bool x_span_is(x_span span, const char *word);

#endif
