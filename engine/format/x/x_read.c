/* Reads DirectX .x files in retained mode: the header, which defines the form of the rest (docs/mmd.md 1.6),
 * and compressed files. */
#include "x_reader.h"

#include <assert.h>
#define ZLIB_CONST
#include <zlib.h>

/* ---- compressed files ---- */

/*
 * Compressed .x files use MSZIP, as in Microsoft's cabinets ("Microsoft Cabinet Format", 1997). The header of
 * 16 bytes is followed by the size of the whole text including its header, then by blocks: two 16-bit sizes
 * (of the text and of the stored data), `CK`, and a deflate stream (RFC 1951) of up to 32 KiB of text that
 * may refer to the previous 32 KiB.
 */

enum { HEADER_SIZE = 16, BLOCK_HEADER_SIZE = 4, BLOCK_MAX = 32 * 1024 };

typedef struct inflater {
    mmd_cursor cursor;
    z_stream stream;
    uint8_t *text;
    size_t size; /* size of the text so far, including the header */
} inflater;

/* Returns the stored data of a block and the size of its text. NULL at the end and after failing. */
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

/* Adds up the sizes of all blocks, before memory is allocated. */
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
    /* A negative size means a raw deflate stream with the largest window. */
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

/* Decompresses a file, including its header, into memory from mmd_alloc. Returns NULL with the reason in
 * *error. */
static uint8_t *x_inflate(const uint8_t *data, size_t size, size_t *result_size, mmd_error *error)
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

/* ---- the header, and the whole file ---- */

/* The contents of the 16-byte header, such as `xof 0303txt 0032`. */
typedef struct x_form {
    bool binary, compressed;
    uint32_t real_size;
    float version;
} x_form;

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static void read_version(mmd_cursor *cursor, const uint8_t *text, x_form *form)
{
    bool known = memcmp(text, "0302", 4) == 0 || memcmp(text, "0303", 4) == 0;
    if (!known)
        mmd_cursor_fail(cursor, MMD_ERROR_VERSION, "version `%c%c%c%c', not 0302 or 0303",
                        is_digit(text[0]) ? text[0] : '?', is_digit(text[1]) ? text[1] : '?',
                        is_digit(text[2]) ? text[2] : '?', is_digit(text[3]) ? text[3] : '?');
    form->version = text[3] == '2' ? 3.2f : 3.3f;
}

static void read_header(mmd_cursor *cursor, x_form *form)
{
    static const struct {
        char name[5];
        bool binary, compressed;
    } forms[] = {{"txt ", false, false}, {"bin ", true, false}, {"tzip", false, true}, {"bzip", true, true}};
    size_t i = 0;
    mmd_cursor_section(cursor, "header", -1);
    if (mmd_cursor_left(cursor) < 4 || memcmp(cursor->data, "xof ", 4) != 0) {
        mmd_cursor_fail(cursor, MMD_ERROR_MAGIC, "the file does not begin with `xof '");
        return;
    }
    const uint8_t *text = mmd_read_bytes(cursor, HEADER_SIZE);
    if (!text)
        return;
    read_version(cursor, text + 4, form);
    while (i < 4 && memcmp(text + 8, forms[i].name, 4) != 0)
        i++;
    if (i == 4) {
        mmd_cursor_fail(cursor, MMD_ERROR_UNSUPPORTED, "none of the forms txt, bin, tzip and bzip");
        return;
    }
    form->binary = forms[i].binary;
    form->compressed = forms[i].compressed;
    form->real_size = memcmp(text + 12, "0064", 4) == 0 ? 8 : 4;
    if (form->real_size == 4 && memcmp(text + 12, "0032", 4) != 0)
        mmd_cursor_fail(cursor, MMD_ERROR_VALUE, "the size of numbers is neither 0032 nor 0064");
}

/* Reads decompressed text. */
static mmd_status read_text(const uint8_t *data, size_t size, const x_form *form, mmd_model **result,
                            mmd_error *error)
{
    x_reader reader = {0};
    if (!model_reader_start(&reader.base, data, size, MMD_ORIGIN_X, error))
        return reader.base.cursor.status;
    if (size > INT32_MAX)
        mmd_cursor_fail(&reader.base.cursor, MMD_ERROR_LIMIT, "a file of %zu bytes", size);
    reader.base.model->version = form->version;
    reader.base.cursor.at = HEADER_SIZE;
    reader.scratch.limit = X_SCRATCH_FACTOR * size + MMD_MODEL_MEMORY_EXTRA;
    reader.lexer =
        (x_lexer){.cursor = &reader.base.cursor, .binary = form->binary, .real_size = form->real_size};
    x_read_objects(&reader);
    x_build(&reader);
    mmd_arena_finish(&reader.scratch);
    return model_reader_finish(&reader.base, result);
}

mmd_status mmd_x_read(const void *data, size_t size, mmd_model **result, mmd_error *error)
{
    assert(result && (data || size == 0));
    *result = NULL;
    x_form form = {0};
    mmd_cursor cursor = mmd_cursor_make(data, size, error);
    read_header(&cursor, &form);
    if (!mmd_cursor_ok(&cursor))
        return cursor.status;
    if (!form.compressed)
        return read_text(data, size, &form, result, error);
    mmd_error local = {0};
    size_t text_size;
    uint8_t *text = x_inflate(data, size, &text_size, error ? error : &local);
    if (!text)
        return error ? error->code : local.code;
    mmd_status status = read_text(text, text_size, &form, result, error);
    mmd_free(text);
    return status;
}
