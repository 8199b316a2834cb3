/* Packs contents, and unpacks those of strangers: every count is compared with the bytes that are left. */
#include <string.h>
#include <zlib.h>

#include "contents_internal.h"
#include "mmd/text.h"

enum { VERSION = 1, NAME_MOST = 1024, ROWS_MOST = 1 << 24 };

/* The memory of contents that were read is at most so many times their size, and so many bytes, ten times
 * what those of a model with a million vertices take. A row may be one byte, an empty name. */
enum { MEMORY_FACTOR = 192, MEMORY_EXTRA = 1 << 16, MEMORY_MOST = 512 << 20 };

/* --- Tables --- */

bool contents_add_table(contents *c, contents_id table, uint32_t count)
{
    contents_table *t = &c->tables[table];
    *t = (contents_table){.count = count, .has_rows = true};
    uint16_t place = 0;
    for (uint32_t i = 0; i < CONTENTS_COLUMNS && contents_tables[table].columns[i].words; i++) {
        t->columns |= 1u << i;
        t->places[i] = place;
        place += contents_tables[table].columns[i].count;
    }
    t->places[CONTENTS_COLUMNS] = place;
    t->cells = mmd_arena_alloc(&c->arena, (size_t)count * place + 1, sizeof *t->cells);
    if (contents_tables[table].one)
        t->names = mmd_arena_alloc(&c->arena, (size_t)count + 1, sizeof *t->names);
    return t->cells && (t->names || !contents_tables[table].one);
}

bool contents_set_name(contents *c, contents_id table, uint32_t row, char prefix, const char *name)
{
    char clean[NAME_MOST];
    mmd_text_clean(name, false, clean + 1, sizeof clean - 1);
    clean[0] = prefix;
    const char *text = prefix ? clean : clean + 1;
    c->tables[table].names[row] = mmd_arena_text(&c->arena, text, strlen(text));
    return c->tables[table].names[row];
}

const char *contents_name(const contents *c, contents_id table, uint32_t row)
{
    const contents_table *t = &c->tables[table];
    return t->names && row < t->count && t->names[row] ? t->names[row] : "";
}

bool contents_has(const contents *c, contents_id table, uint32_t column)
{
    const contents_table *t = &c->tables[table];
    return t->has_rows && t->cells && t->columns >> column & 1;
}

void contents_finish(contents *c)
{
    mmd_arena_finish(&c->arena);
    *c = (contents){0};
}

/* --- Hashes of rows and tables --- */

static uint32_t all_columns(contents_id table)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < CONTENTS_COLUMNS && contents_tables[table].columns[i].words; i++)
        set |= 1u << i;
    return set;
}

bool contents_has_row_hash(const contents *c, contents_id table)
{
    const contents_table *t = &c->tables[table];
    return t->has_rows && (t->rows || (t->cells && t->columns == all_columns(table)));
}

uint32_t contents_row_hash(const contents *c, contents_id table, uint32_t row)
{
    const contents_words *words = &contents_tables[table];
    if (c->tables[table].rows)
        return c->tables[table].rows[row];
    uint64_t hash = 7;
    for (uint32_t i = 0; i < CONTENTS_COLUMNS && words->columns[i].words; i++)
        for (uint32_t k = 0; k < words->columns[i].count && words->columns[i].cell != CELL_SPAN; k++) {
            const uint32_t value = contents_value(c, table, row, i, k);
            if (words->columns[i].cell == CELL_ITEM && value && contents_tables[words->columns[i].of].one)
                hash = contents_mix_text(hash, contents_name(c, words->columns[i].of, value - 1));
            else
                hash = contents_mix(hash, value);
        }
    return (uint32_t)(contents_mixed(hash) >> 48);
}

uint32_t contents_table_hash(const contents *c, contents_id table)
{
    const contents_table *t = &c->tables[table];
    if (!contents_has_row_hash(c, table))
        return t->hash;
    uint64_t hash = 8;
    for (uint32_t i = 0; i < t->count; i++)
        hash =
            contents_mix(contents_mix_text(hash, contents_name(c, table, i)), contents_row_hash(c, table, i));
    return (uint32_t)(contents_mixed(hash) >> 32);
}

/* --- Packing --- */

static void write_number(mmd_buffer *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        mmd_write_u8(out, (uint8_t)(value | 0x80));
    mmd_write_u8(out, (uint8_t)value);
}

/* Returns how many bytes of a cell are kept; 0: numbers of variable length. */
static int plane_count(contents_cell cell)
{
    switch (cell) {
    case CELL_FLOAT:
    case CELL_ANGLE:
    case CELL_HASH:
    case CELL_VERTEX:
    case CELL_OFFSET:
        return 4;
    case CELL_SHORT:
        return 2;
    default:
        return 0;
    }
}

/* Writes the k-th cells of a column. */
static void write_column(const contents *c, contents_id table, uint32_t column, uint32_t k, mmd_buffer *out)
{
    const uint32_t count = c->tables[table].count;
    const int planes = plane_count(contents_tables[table].columns[column].cell);
    uint32_t before = 0;
    for (int plane = 0; plane < planes; plane++)
        for (uint32_t i = 0; i < count; i++)
            mmd_write_u8(out, (uint8_t)(contents_value(c, table, i, column, k) >> (8 * plane)));
    for (uint32_t i = 0; i < count && !planes; i++) {
        const uint32_t value = contents_value(c, table, i, column, k), change = value - before;
        write_number(out, change << 1 ^ (change & 0x80000000 ? UINT32_MAX : 0));
        before = value;
    }
}

enum { ROW_HASHES = CONTENTS_COLUMNS - 1 }; /* the bit of hashes of rows in a set of columns */

static void write_table(const contents *c, contents_id table, contents_detail detail, mmd_buffer *out)
{
    const contents_table *t = &c->tables[table];
    const bool named = contents_tables[table].one;
    uint32_t set = detail >= CONTENTS_USUAL ? t->columns : 0;
    if (detail == CONTENTS_COARSE && named && contents_has_row_hash(c, table))
        set = 1u << ROW_HASHES;
    const bool has_rows = t->has_rows && (detail >= CONTENTS_USUAL || (detail == CONTENTS_COARSE && named));
    mmd_write_u8(out, (uint8_t)(table + 1));
    write_number(out, t->count);
    mmd_write_u32(out, contents_table_hash(c, table));
    mmd_write_u8(out, has_rows);
    if (!has_rows)
        return;
    write_number(out, set);
    for (uint32_t i = 0; named && i < t->count; i++)
        mmd_write_bytes(out, contents_name(c, table, i), strlen(contents_name(c, table, i)) + 1);
    for (int plane = 0; plane < 2 && set == 1u << ROW_HASHES; plane++)
        for (uint32_t i = 0; i < t->count; i++)
            mmd_write_u8(out, (uint8_t)(contents_row_hash(c, table, i) >> (8 * plane)));
    for (uint32_t i = 0; i < ROW_HASHES; i++)
        for (uint32_t k = 0; set >> i & 1 && k < contents_tables[table].columns[i].count; k++)
            write_column(c, table, i, k, out);
}

void contents_write(const contents *c, contents_detail detail, mmd_buffer *out)
{
    mmd_write_u8(out, c->is_motion);
    mmd_write_u8(out, c->whole);
    for (int i = 0; i < CONTENTS_TABLES; i++)
        if (c->tables[i].count &&
            (detail == CONTENTS_FULL || (i != CONTENTS_VERTICES && i != CONTENTS_OFFSETS)))
            write_table(c, (contents_id)i, detail, out);
    mmd_write_u8(out, 0);
}

void contents_pack(const contents *c, contents_detail detail, mmd_buffer *out)
{
    mmd_buffer plain = {0};
    contents_write(c, detail, &plain);
    mmd_write_u8(out, VERSION);
    write_number(out, plain.size);
    uLongf size = compressBound(plain.size);
    mmd_buffer_reserve(out, size);
    if (plain.failed || out->failed ||
        compress2(out->data + out->size, &size, plain.data, plain.size, 6) != Z_OK)
        out->failed = true;
    else
        out->size += size;
    mmd_buffer_finish(&plain);
}

/* --- Unpacking --- */

/* Reads a number of variable length. One that is too large fails. */
static uint64_t read_number(mmd_cursor *in)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
        const uint8_t byte = mmd_read_u8(in);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    mmd_cursor_fail(in, MMD_ERROR_VALUE, "the number is too large");
    return 0;
}

static void read_column(mmd_cursor *in, contents_table *t, contents_id table, uint32_t column, uint32_t k)
{
    const uint32_t width = t->places[CONTENTS_COLUMNS], place = t->places[column] + k;
    const int planes = plane_count(contents_tables[table].columns[column].cell);
    uint32_t value = 0;
    for (int plane = 0; plane < planes; plane++) {
        const uint8_t *bytes = mmd_read_bytes(in, t->count);
        for (uint32_t i = 0; i < t->count && bytes; i++)
            t->cells[(size_t)i * width + place] |= (uint32_t)bytes[i] << (8 * plane);
    }
    for (uint32_t i = 0; i < t->count && !planes && mmd_cursor_ok(in); i++) {
        const uint32_t change = (uint32_t)read_number(in);
        value += change >> 1 ^ (change & 1 ? UINT32_MAX : 0);
        t->cells[(size_t)i * width + place] = value;
    }
}

static bool read_names(mmd_cursor *in, contents *c, contents_id table)
{
    for (uint32_t i = 0; i < c->tables[table].count; i++) {
        const char *name = (const char *)in->data + in->at;
        const size_t length = strnlen(name, mmd_cursor_left(in));
        if (length >= NAME_MOST - 1 || !mmd_read_bytes(in, length + 1) ||
            !contents_set_name(c, table, i, 0, name))
            return false;
    }
    return true;
}

/* Returns whether the items of a table are rows that exist, and spans are possible. */
static bool rows_are_valid(const contents *c, contents_id table)
{
    for (uint32_t i = 0; i < CONTENTS_COLUMNS && contents_tables[table].columns[i].words; i++) {
        const contents_column *column = &contents_tables[table].columns[i];
        if (column->cell != CELL_ITEM || !contents_has(c, table, i))
            continue;
        for (uint32_t row = 0; row < c->tables[table].count; row++)
            for (uint32_t k = 0; k < column->count; k++)
                if (contents_value(c, table, row, i, k) > c->tables[column->of].count)
                    return false;
    }
    for (uint32_t row = 0;
         table == CONTENTS_TRACKS && contents_has(c, table, TRACK_SPAN) && row < c->tables[table].count;
         row++)
        if (contents_value(c, table, row, TRACK_SPAN, 0) > 31)
            return false;
    return true;
}

static bool read_table(mmd_cursor *in, contents *c, contents_id table)
{
    contents_table *t = &c->tables[table];
    const bool named = contents_tables[table].one;
    const uint64_t count = read_number(in);
    const uint32_t hash = mmd_read_u32(in);
    const bool has_rows = mmd_read_u8(in);
    if (!mmd_cursor_ok(in) || count == 0 || count > ROWS_MOST || t->count)
        return false;
    if (!has_rows) {
        *t = (contents_table){.count = (uint32_t)count, .hash = hash};
        return true;
    }
    const uint64_t set = read_number(in);
    const bool hashed = set == 1u << ROW_HASHES;
    /* A row takes at least a byte of its name and one of each column. */
    if ((!hashed && set & ~(uint64_t)all_columns(table)) || (!set && !named) || (hashed && !named) ||
        count > mmd_cursor_left(in) || !contents_add_table(c, table, (uint32_t)count))
        return false;
    t->hash = hash;
    t->columns = hashed ? 0 : (uint32_t)set;
    if (named && !read_names(in, c, table))
        return false;
    if (hashed && !(t->rows = mmd_arena_alloc(&c->arena, t->count, sizeof *t->rows)))
        return false;
    for (int plane = 0; plane < 2 && hashed; plane++) {
        const uint8_t *bytes = mmd_read_bytes(in, t->count);
        for (uint32_t i = 0; i < t->count && bytes; i++)
            t->rows[i] |= (uint32_t)bytes[i] << (8 * plane);
    }
    for (uint32_t i = 0; i < ROW_HASHES; i++)
        for (uint32_t k = 0; t->columns >> i & 1 && k < contents_tables[table].columns[i].count; k++)
            read_column(in, t, table, i, k);
    return mmd_cursor_ok(in);
}

bool contents_read(contents *c, const void *data, size_t size)
{
    *c = (contents){0};
    c->arena.limit = size < MEMORY_MOST / MEMORY_FACTOR ? MEMORY_FACTOR * size + MEMORY_EXTRA : MEMORY_MOST;
    mmd_cursor in = mmd_cursor_make(data, size, NULL);
    c->is_motion = mmd_read_u8(&in);
    c->whole = mmd_read_u8(&in);
    for (uint8_t id; (id = mmd_read_u8(&in)) != 0;)
        if (id > CONTENTS_TABLES || !read_table(&in, c, (contents_id)(id - 1)))
            return false;
    for (int i = 0; i < CONTENTS_TABLES; i++)
        if (!rows_are_valid(c, (contents_id)i))
            return false;
    return mmd_cursor_ok(&in);
}

bool contents_unpack(contents *c, const void *data, size_t size, size_t most)
{
    *c = (contents){0};
    mmd_cursor in = mmd_cursor_make(data, size, NULL);
    const uint8_t version = mmd_read_u8(&in);
    const uint64_t plain_size = read_number(&in);
    if (!mmd_cursor_ok(&in) || version != VERSION || plain_size > most ||
        plain_size / 1100 > mmd_cursor_left(&in)) /* zlib packs at most 1032 to 1 */
        return false;
    uint8_t *plain = mmd_alloc(plain_size + 1);
    uLongf got = plain_size;
    const bool ok = plain && uncompress(plain, &got, in.data + in.at, mmd_cursor_left(&in)) == Z_OK &&
                    got == plain_size && contents_read(c, plain, plain_size);
    mmd_free(plain);
    return ok;
}

/* --- Base64 (RFC 4648, section 4) --- */

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *text_of(const mmd_buffer *packed)
{
    char *text = packed->failed ? NULL : mmd_alloc((packed->size + 2) / 3 * 4 + 1), *at = text;
    for (size_t i = 0; text && i < packed->size; i += 3) {
        const size_t left = packed->size - i;
        const uint32_t three = (uint32_t)packed->data[i] << 16 |
                               (left > 1 ? (uint32_t)packed->data[i + 1] << 8 : 0) |
                               (left > 2 ? packed->data[i + 2] : 0);
        for (size_t k = 0; k < 4; k++)
            *at++ = k <= left ? base64[three >> (18 - 6 * k) & 63] : '=';
    }
    if (text)
        *at = '\0';
    return text;
}

/* Returns the bytes of a text, or nothing if it is not base64. */
static mmd_buffer bytes_of(const char *text)
{
    mmd_buffer out = {0};
    uint8_t values[256];
    uint32_t bits = 0, count = 0;
    memset(values, 64, sizeof values);
    for (uint8_t i = 0; i < 64; i++)
        values[(unsigned char)base64[i]] = i;
    mmd_buffer_reserve(&out, strlen(text) / 4 * 3 + 3);
    for (; *text && *text != '='; text++) {
        const uint8_t value = values[(unsigned char)*text];
        if (value == 64) {
            mmd_buffer_finish(&out);
            return (mmd_buffer){0};
        }
        bits = bits << 6 | value;
        if (count++ % 4)
            mmd_write_u8(&out, (uint8_t)(bits >> (6 - 2 * ((count - 1) % 4))));
    }
    return out;
}

/* Packs with the most detail that fits. */
static char *text_within(const contents *c, size_t most)
{
    for (int detail = CONTENTS_USUAL; detail >= CONTENTS_BARE; detail--) {
        mmd_buffer packed = {0};
        contents_pack(c, (contents_detail)detail, &packed);
        char *text = packed.failed || packed.size > most / 4 * 3 ? NULL : text_of(&packed);
        mmd_buffer_finish(&packed);
        if (text)
            return text;
    }
    return NULL;
}

char *contents_text_of_model(const mmd_model *model, size_t most)
{
    contents c;
    char *text = contents_of_model(&c, model, false) ? text_within(&c, most) : NULL;
    contents_finish(&c);
    return text;
}

char *contents_text_of_motion(const mmd_motion *motion, size_t most)
{
    contents c;
    char *text = contents_of_motion(&c, motion, false) ? text_within(&c, most) : NULL;
    contents_finish(&c);
    return text;
}

bool contents_of_text(contents *c, const char *text)
{
    mmd_buffer packed = bytes_of(text);
    const bool ok = contents_unpack(c, packed.data, packed.size, CONTENTS_PICTURE_MAX);
    mmd_buffer_finish(&packed);
    return ok;
}
