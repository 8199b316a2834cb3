/* Reads VPD poses (docs/mmd.md 1.4). Bytes are parsed as CP932: second bytes may look like braces, but never
 * like a semicolon, a slash or a line break, so names end where lines or comments do. */
#include "load.h"
#include "mmd/cursor.h"
#include "mmd/format.h"
#include "mmd/text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- decimal numbers, without strtod, which depends on the locale ---- */

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

/* Computes m * 10^e. Exact up to the last rounding for m < 2^53 and |e| <= 22, as in every number that odori
 * writes. */
static double scale_by_ten(double m, int64_t e)
{
    static const double powers[] = {1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256};
    /* Beyond this, even 19 digits are 0 or infinite. */
    int64_t left = e < -400 || e > 400 ? 400 : llabs(e);
    double power = 1.0;
    for (int i = 0; left; i++, left /= 2)
        if (left % 2)
            power *= powers[i];
    return e < 0 ? m / power : m * power;
}

/*
 * Reads digits into a 64-bit mantissa; *dropped counts those that do not fit. Returns the number of digits.
 */
static size_t parse_digits(const uint8_t *text, size_t size, uint64_t *mantissa, int64_t *dropped)
{
    size_t at = 0;
    for (; at < size && is_digit(text[at]); at++) {
        if (*mantissa < UINT64_C(100000000000000000))
            *mantissa = 10 * *mantissa + (uint64_t)(text[at] - '0');
        else
            ++*dropped;
    }
    return at;
}

/* Returns the bytes of an exponent including its e; 0 if there is none. */
static size_t parse_exponent(const uint8_t *text, size_t size, int *exponent)
{
    if (size < 2 || (text[0] != 'e' && text[0] != 'E'))
        return 0;
    size_t at = 1;
    int value = 0, negative = text[at] == '-';
    if (text[at] == '-' || text[at] == '+')
        at++;
    if (at == size || !is_digit(text[at]))
        return 0;
    for (; at < size && is_digit(text[at]); at++)
        if (value < 100000)
            value = 10 * value + (text[at] - '0');
    *exponent = negative ? -value : value;
    return at;
}

size_t load_decimal(const uint8_t *text, size_t size, float *value)
{
    assert(text || size == 0);
    uint64_t mantissa = 0;
    size_t at = 0, digits;
    int64_t dropped = 0, dropped_behind = 0;
    int exponent = 0;
    int negative = size > 0 && text[0] == '-';
    if (size > 0 && (text[0] == '-' || text[0] == '+'))
        at++;
    at += digits = parse_digits(text + at, size - at, &mantissa, &dropped);
    int64_t scale = dropped;
    if (at < size && text[at] == '.') {
        size_t behind = parse_digits(text + at + 1, size - at - 1, &mantissa, &dropped_behind);
        scale -= (int64_t)behind - dropped_behind;
        digits += behind;
        at += behind + 1;
    }
    if (digits == 0)
        return 0;
    at += parse_exponent(text + at, size - at, &exponent);
    double result = mantissa ? scale_by_ten((double)mantissa, scale + exponent) : 0.0;
    *value = (float)(negative ? -result : result);
    return at;
}

/* ---- poses ---- */

typedef struct vpd_reader {
    mmd_cursor cursor;
    mmd_arena *arena;
} vpd_reader;

/* Returns the byte at the cursor; 0 at the end and after a failure. */
static uint8_t peek(const mmd_cursor *cursor)
{
    return mmd_cursor_ok(cursor) && mmd_cursor_left(cursor) ? cursor->data[cursor->at] : 0;
}

static bool looking_at(const mmd_cursor *cursor, const char *text)
{
    size_t length = strlen(text);
    return mmd_cursor_ok(cursor) && mmd_cursor_left(cursor) >= length &&
           memcmp(cursor->data + cursor->at, text, length) == 0;
}

static void syntax_error(mmd_cursor *cursor, const char *wanted)
{
    unsigned long line = 1;
    for (size_t i = 0; i < cursor->at; i++)
        line += cursor->data[i] == '\n';
    mmd_cursor_fail(cursor, MMD_ERROR_SYNTAX, "line %lu: %s is expected", line, wanted);
}

static bool at_line_end(const mmd_cursor *cursor)
{
    return !mmd_cursor_left(cursor) || cursor->data[cursor->at] == '\r' || cursor->data[cursor->at] == '\n';
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Skips blanks, line breaks and comments. */
static void skip_blanks(mmd_cursor *cursor)
{
    while (mmd_cursor_ok(cursor) && mmd_cursor_left(cursor)) {
        if (is_blank(cursor->data[cursor->at]))
            cursor->at++;
        else if (looking_at(cursor, "//"))
            while (!at_line_end(cursor))
                cursor->at++;
        else
            return;
    }
}

static void expect(mmd_cursor *cursor, char wanted)
{
    skip_blanks(cursor);
    if (peek(cursor) == (uint8_t)wanted && wanted)
        cursor->at++;
    else
        syntax_error(cursor, (char[4]){'`', wanted, '\''});
}

/* Returns the length of a text without trailing blanks. */
static size_t trimmed(const uint8_t *text, size_t size)
{
    while (size && (text[size - 1] == ' ' || text[size - 1] == '\t'))
        size--;
    return size;
}

/* Reads a text up to stop, a comment or the line break, without surrounding blanks, as UTF-8. */
static const char *read_text(vpd_reader *reader, char stop)
{
    mmd_cursor *cursor = &reader->cursor;
    while (peek(cursor) == ' ' || peek(cursor) == '\t')
        cursor->at++;
    const uint8_t *text = cursor->data + cursor->at;
    size_t size = 0;
    for (; !at_line_end(cursor) && !looking_at(cursor, "//") && cursor->data[cursor->at] != (uint8_t)stop;
         size++)
        cursor->at++;
    if (!mmd_cursor_ok(cursor))
        return "";
    size = trimmed(text, size);
    size_t length = mmd_utf8_from_cp932(text, size, NULL, 0, NULL);
    char *copy = mmd_arena_alloc(reader->arena, length + 1, 1);
    if (!copy) {
        mmd_cursor_fail(cursor, MMD_ERROR_MEMORY, "no memory for a name");
        return "";
    }
    mmd_utf8_from_cp932(text, size, copy, length, NULL);
    /* Trim again: dropping half a character at the end may have exposed blanks. */
    copy[trimmed((const uint8_t *)copy, length)] = '\0';
    return copy;
}

/* Reads a number. Values too large for a float become 0, as in a VMD. */
static float read_number(mmd_cursor *cursor)
{
    float value = 0.0f;
    skip_blanks(cursor);
    size_t length =
        mmd_cursor_ok(cursor) ? load_decimal(cursor->data + cursor->at, mmd_cursor_left(cursor), &value) : 0;
    if (length == 0)
        syntax_error(cursor, "a number");
    cursor->at += length;
    return isfinite(value) ? value : 0.0f;
}

static void read_numbers(mmd_cursor *cursor, float *values, int count)
{
    for (int i = 0; i < count; i++) {
        values[i] = read_number(cursor);
        expect(cursor, i + 1 < count ? ',' : ';');
    }
}

/* Reads the start of a block, such as `Bone12{`. */
static void read_block_start(mmd_cursor *cursor, const char *keyword)
{
    assert(looking_at(cursor, keyword));
    cursor->at += strlen(keyword);
    while (peek(cursor) >= '0' && peek(cursor) <= '9')
        cursor->at++;
    expect(cursor, '{');
}

static void read_bone(vpd_reader *reader, mmd_vpd_bone *bone)
{
    read_block_start(&reader->cursor, "Bone");
    bone->name = read_text(reader, '\n');
    read_numbers(&reader->cursor, bone->translation, 3);
    read_numbers(&reader->cursor, bone->rotation, 4);
    expect(&reader->cursor, '}');
}

static void read_morph(vpd_reader *reader, mmd_vpd_morph *morph)
{
    read_block_start(&reader->cursor, "Morph");
    morph->name = read_text(reader, '\n');
    read_numbers(&reader->cursor, &morph->weight, 1);
    expect(&reader->cursor, '}');
}

static void read_header(vpd_reader *reader, mmd_vpd *vpd)
{
    static const char magic[] = "Vocaloid Pose Data file";
    mmd_cursor *cursor = &reader->cursor;
    mmd_cursor_section(cursor, "header", -1);
    if (!looking_at(cursor, magic)) {
        mmd_cursor_fail(cursor, MMD_ERROR_MAGIC, "no `%s' at the start", magic);
        return;
    }
    cursor->at += sizeof magic - 1;
    skip_blanks(cursor);
    vpd->model = read_text(reader, ';');
    expect(cursor, ';');
}

/* Reads the count of bones. Fails if the file is too short for that many blocks. */
static uint32_t read_count(mmd_cursor *cursor)
{
    static const size_t smallest_block = sizeof "Bone{\n0,0,0;0,0,0,0;}" - 1;
    uint64_t count = 0;
    skip_blanks(cursor);
    if (peek(cursor) < '0' || peek(cursor) > '9')
        syntax_error(cursor, "the number of bones");
    for (; peek(cursor) >= '0' && peek(cursor) <= '9'; cursor->at++)
        if (count < UINT32_MAX)
            count = 10 * count + (uint64_t)(peek(cursor) - '0');
    expect(cursor, ';');
    return mmd_cursor_check_count(cursor, count, smallest_block);
}

static void read_bones(vpd_reader *reader, mmd_vpd *vpd)
{
    mmd_cursor *cursor = &reader->cursor;
    uint32_t count = read_count(cursor);
    vpd->bones = mmd_arena_alloc(reader->arena, count, sizeof *vpd->bones);
    if (!vpd->bones)
        mmd_cursor_fail(cursor, MMD_ERROR_MEMORY, "no memory for the bones");
    for (uint32_t i = 0; mmd_cursor_ok(cursor) && i < count; i++) {
        mmd_cursor_section(cursor, "bone", i);
        skip_blanks(cursor);
        if (!mmd_cursor_left(cursor) || looking_at(cursor, "Morph"))
            mmd_cursor_fail(cursor, MMD_ERROR_COUNT, "%u bones follow, and the count says %u", i, count);
        else if (!looking_at(cursor, "Bone"))
            syntax_error(cursor, "`Bone'");
        else
            read_bone(reader, &vpd->bones[i]);
        vpd->bone_count = i + 1;
    }
}

/* Skips a bone beyond the count, up to the line after the closing brace. */
static void skip_bone(mmd_cursor *cursor)
{
    while (mmd_cursor_left(cursor) && !at_line_end(cursor))
        cursor->at++;
    while (mmd_cursor_left(cursor) && peek(cursor) != '}')
        cursor->at++;
    if (mmd_cursor_left(cursor))
        cursor->at++;
}

static uint32_t count_keywords(const mmd_cursor *cursor, const char *keyword)
{
    mmd_cursor ahead = *cursor;
    uint32_t count = 0;
    for (; mmd_cursor_left(&ahead); ahead.at++)
        count += looking_at(&ahead, keyword);
    return count;
}

/* Reads MikuMikuMoving's morphs, which may be mixed with bones beyond the count. MMD ignores all of it;
 * anything else ends reading. */
static void read_morphs(vpd_reader *reader, mmd_vpd *vpd)
{
    mmd_cursor *cursor = &reader->cursor;
    if (!mmd_cursor_ok(cursor))
        return;
    vpd->morphs = mmd_arena_alloc(reader->arena, count_keywords(cursor, "Morph"), sizeof *vpd->morphs);
    if (!vpd->morphs) {
        mmd_cursor_fail(cursor, MMD_ERROR_MEMORY, "no memory for the morphs");
        return;
    }
    for (;;) {
        mmd_cursor_section(cursor, "morph", vpd->morph_count);
        skip_blanks(cursor);
        if (looking_at(cursor, "Bone"))
            skip_bone(cursor);
        else if (looking_at(cursor, "Morph"))
            read_morph(reader, &vpd->morphs[vpd->morph_count++]);
        else
            return;
    }
}

static void keep_raw(vpd_reader *reader, mmd_vpd *vpd)
{
    mmd_cursor *cursor = &reader->cursor;
    uint8_t *raw = mmd_cursor_ok(cursor) ? mmd_arena_alloc(reader->arena, cursor->size, 1) : NULL;
    if (!raw) {
        mmd_cursor_fail(cursor, MMD_ERROR_MEMORY, "no memory for the text");
        return;
    }
    memcpy(raw, cursor->data, cursor->size);
    vpd->raw = raw;
    vpd->raw_size = (uint32_t)cursor->size;
}

mmd_status mmd_vpd_read(const void *data, size_t size, mmd_vpd **result, mmd_error *error)
{
    assert(result);
    assert(data || size == 0);
    *result = NULL;
    if (size > INT32_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "header", 0, "a pose of over two gigabytes");
    mmd_arena arena = {0};
    mmd_vpd *vpd = mmd_arena_alloc(&arena, 1, sizeof *vpd);
    if (!vpd)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "header", 0, "no memory for the pose");
    vpd_reader reader = {.cursor = mmd_cursor_make(data, size, error), .arena = &arena};
    read_header(&reader, vpd);
    read_bones(&reader, vpd);
    read_morphs(&reader, vpd);
    keep_raw(&reader, vpd);
    vpd->arena = arena;
    if (mmd_cursor_ok(&reader.cursor))
        *result = vpd;
    else
        mmd_vpd_destroy(vpd);
    return reader.cursor.status;
}

void mmd_vpd_destroy(mmd_vpd *vpd)
{
    if (!vpd)
        return;
    /* Copy the arena first, because the struct is allocated in it. */
    mmd_arena arena = vpd->arena;
    mmd_arena_finish(&arena);
}
