/*
 * Compressed .x files: MSZIP, as in Microsoft's cabinets ("Microsoft Cabinet
 * Format", 1997). Behind the header of 16 bytes stand the size of the whole
 * text with its header, then blocks: two sizes of 16 bits, of the text and of
 * what is stored, `CK`, and a deflate stream (RFC 1951) of up to 32 KiB of text
 * that may refer to the 32 KiB before it.
 */
#include "x_reader.h"

#define ZLIB_CONST
#include <zlib.h>

enum { HEADER_SIZE = 16, BLOCK_HEADER_SIZE = 4, BLOCK_MAX = 32 * 1024 };

typedef struct inflater {
    mmd_cursor cursor;
    z_stream stream;
    uint8_t *text;
    size_t size; /* of the text so far, header included */
} inflater;

/* A block's part of the text, and where it is stored. NULL at the end and after failing. */
static const uint8_t *next_block(mmd_cursor *cursor, size_t *text_size, size_t *stored_size)
{
    *text_size = mmd_read_u16(cursor);
    size_t size = mmd_read_u16(cursor);
    if (mmd_cursor_ok(cursor) && (*text_size > BLOCK_MAX || *text_size == 0 || size < 2))
        mmd_cursor_fail(cursor, MMD_ERROR_VALUE, "a block of %zu bytes in %zu", *text_size, size);
    const uint8_t *block = mmd_read_bytes(cursor, size);
    if (block && memcmp(block, "CK", 2) != 0)
        mmd_cursor_fail(cursor, MMD_ERROR_SYNTAX, "a block that does not begin with `CK'");
    *stored_size = size - 2;
    return mmd_cursor_ok(cursor) ? block + 2 : NULL;
}

/* The text's size by its blocks, before any memory is asked for. */
static size_t measure(mmd_cursor cursor, size_t wanted, mmd_status *status)
{
    size_t size = HEADER_SIZE, file_size = cursor.size, text_size, stored_size;
    for (int64_t block = 0; size < wanted; block++) {
        mmd_cursor_section(&cursor, "compressed block", block);
        if (!next_block(&cursor, &text_size, &stored_size))
            break;
        size += text_size;
        if (size > MMD_X_TEXT_MAX || size / MMD_X_TEXT_RATIO > file_size) {
            mmd_cursor_fail(&cursor, MMD_ERROR_LIMIT, "a text of over %zu bytes in a file of %zu", size,
                            file_size);
            break;
        }
    }
    *status = cursor.status;
    return size;
}

static bool inflate_block(inflater *in)
{
    size_t text_size, stored_size, at = in->cursor.at;
    size_t known = in->size - HEADER_SIZE < BLOCK_MAX ? in->size - HEADER_SIZE : BLOCK_MAX;
    const uint8_t *stored = next_block(&in->cursor, &text_size, &stored_size);
    if (!stored)
        return false;
    z_stream *stream = &in->stream;
    stream->next_in = stored;
    stream->avail_in = (uInt)stored_size;
    stream->next_out = in->text + in->size;
    stream->avail_out = (uInt)text_size;
    bool ok = inflateReset(stream) == Z_OK &&
              (known == 0 || inflateSetDictionary(stream, in->text + in->size - known, (uInt)known) == Z_OK);
    int result = ok ? inflate(stream, Z_FINISH) : Z_MEM_ERROR;
    if (result == Z_STREAM_END && stream->avail_out == 0) {
        in->size += text_size;
        return true;
    }
    in->cursor.at = at;
    if (result == Z_MEM_ERROR)
        mmd_cursor_fail(&in->cursor, MMD_ERROR_MEMORY, "no memory to decompress");
    else
        mmd_cursor_fail(&in->cursor, MMD_ERROR_VALUE, "the compressed data are damaged");
    return false;
}

static voidpf zlib_alloc(voidpf user, uInt count, uInt size)
{
    (void)user;
    return mmd_alloc((size_t)count * size);
}

static void zlib_free(voidpf user, voidpf memory)
{
    (void)user;
    mmd_free(memory);
}

static void inflate_all(inflater *in, size_t size)
{
    in->stream.zalloc = zlib_alloc;
    in->stream.zfree = zlib_free;
    /* Negative: a bare deflate stream with the largest window. */
    if (inflateInit2(&in->stream, -MAX_WBITS) != Z_OK) {
        mmd_cursor_fail(&in->cursor, MMD_ERROR_MEMORY, "no memory to decompress");
        return;
    }
    for (int64_t block = 0; in->size < size; block++) {
        mmd_cursor_section(&in->cursor, "compressed block", block);
        if (!inflate_block(in))
            break;
    }
    inflateEnd(&in->stream);
}

uint8_t *x_inflate(const uint8_t *data, size_t size, size_t *result_size, mmd_error *error)
{
    inflater in = {.cursor = mmd_cursor_make(data, size, error), .size = HEADER_SIZE};
    mmd_cursor_section(&in.cursor, "header", -1);
    mmd_read_bytes(&in.cursor, HEADER_SIZE);
    size_t wanted = mmd_read_u32(&in.cursor);
    if (!mmd_cursor_ok(&in.cursor))
        return NULL;
    mmd_status status;
    *result_size = measure(in.cursor, wanted, &status);
    if (status != MMD_OK)
        return NULL;
    in.text = mmd_alloc(*result_size);
    if (!in.text) {
        mmd_cursor_fail(&in.cursor, MMD_ERROR_MEMORY, "no memory for a text of %zu bytes", *result_size);
        return NULL;
    }
    memcpy(in.text, data, HEADER_SIZE);
    inflate_all(&in, *result_size);
    if (mmd_cursor_ok(&in.cursor))
        return in.text;
    mmd_free(in.text);
    return NULL;
}
