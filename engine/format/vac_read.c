/* Reads VAC files: six lines that place an accessory (docs/mmd.md 1.6). */
#include "load.h"
#include "mmd/cursor.h"
#include "mmd/format.h"
#include "mmd/text.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct vac_line {
    const uint8_t *text;
    size_t size;
} vac_line;

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t';
}

/* Returns the next line without surrounding blanks; empty at the end. Lines end with CR LF, LF or CR. */
static vac_line take_line(mmd_cursor *cursor)
{
    const uint8_t *text = cursor->data + cursor->at, *end = cursor->data + cursor->size;
    vac_line line = {text, 0};
    while (line.text + line.size < end && line.text[line.size] != '\r' && line.text[line.size] != '\n')
        line.size++;
    const uint8_t *next = line.text + line.size;
    if (next < end)
        next += *next == '\r' && next + 1 < end && next[1] == '\n' ? 2 : 1;
    cursor->at = (size_t)(next - cursor->data);
    for (; line.size && is_blank(line.text[0]); line.size--)
        line.text++;
    while (line.size && is_blank(line.text[line.size - 1]))
        line.size--;
    return line;
}

static const char *take_text(mmd_cursor *cursor, mmd_arena *arena)
{
    vac_line line = take_line(cursor);
    size_t length = mmd_utf8_from_cp932(line.text, line.size, NULL, 0, NULL);
    char *text = mmd_arena_alloc(arena, length + 1, 1);
    if (text)
        mmd_utf8_from_cp932(line.text, line.size, text, length, NULL);
    else
        mmd_cursor_fail(cursor, MMD_ERROR_MEMORY, "no memory for a text");
    return text ? text : "";
}

/* Reads numbers separated by commas. Missing ones leave values unchanged. */
static void take_numbers(mmd_cursor *cursor, float *values, int count)
{
    vac_line line = take_line(cursor);
    for (int i = 0; i < count; i++) {
        const uint8_t *comma = line.size ? memchr(line.text, ',', line.size) : NULL;
        size_t field = comma ? (size_t)(comma - line.text) : line.size, skip = 0;
        float value;
        while (skip < field && is_blank(line.text[skip]))
            skip++;
        if (load_decimal(line.text + skip, field - skip, &value) && isfinite(value))
            values[i] = value;
        field += comma != NULL;
        line.text += field;
        line.size -= field;
    }
}

static void read_lines(mmd_cursor *cursor, mmd_arena *arena, mmd_vac *vac)
{
    static const float degree = 0.017453292f;
    mmd_cursor_section(cursor, "name", -1);
    vac->name = take_text(cursor, arena);
    mmd_cursor_section(cursor, "file", -1);
    vac->file = take_text(cursor, arena);
    if (!vac->file[0])
        mmd_cursor_fail(cursor, MMD_ERROR_SYNTAX, "line 2 names no file");
    vac->scale = 1;
    take_numbers(cursor, &vac->scale, 1);
    take_numbers(cursor, vac->position, 3);
    take_numbers(cursor, vac->rotation, 3);
    for (int k = 0; k < 3; k++)
        vac->rotation[k] *= degree;
    mmd_cursor_section(cursor, "bone", -1);
    vac->bone = take_text(cursor, arena);
}

mmd_status mmd_vac_read(const void *data, size_t size, mmd_vac **result, mmd_error *error)
{
    assert(result && (data || size == 0));
    *result = NULL;
    mmd_arena arena = {0};
    mmd_cursor cursor = mmd_cursor_make(data, size, error);
    mmd_cursor_section(&cursor, "header", -1);
    if (size > INT32_MAX)
        return mmd_cursor_fail(&cursor, MMD_ERROR_LIMIT, "a placement of over two gigabytes");
    mmd_vac *vac = mmd_arena_alloc(&arena, 1, sizeof *vac);
    if (!vac)
        return mmd_cursor_fail(&cursor, MMD_ERROR_MEMORY, "no memory for the placement");
    read_lines(&cursor, &arena, vac);
    vac->arena = arena;
    if (mmd_cursor_ok(&cursor))
        *result = vac;
    else
        mmd_vac_destroy(vac);
    return cursor.status;
}

void mmd_vac_destroy(mmd_vac *vac)
{
    if (!vac)
        return;
    /* Copy the arena first, because the struct is allocated in it. */
    mmd_arena arena = vac->arena;
    mmd_arena_finish(&arena);
}
