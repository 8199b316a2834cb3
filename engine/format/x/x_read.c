/* DirectX .x files, retained mode: the header, which tells the form of the rest (MMD.md 1.6). */
#include "x_reader.h"

#include <assert.h>

enum { HEADER_SIZE = 16 };

/* What the header's 16 bytes say: `xof 0303txt 0032`. */
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

/* The text, no longer compressed. */
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
