/*
 * Text codecs: UTF-8 as in RFC 3629, lone surrogates as in WTF-8 (simonsapin.github.io/wtf-8), CP932 by
 * Microsoft's table with two-byte codes from the generated cp932_table.h and one-byte codes here.
 */
#include "mmd/text.h"
#include "mmd/cursor.h"
#include "cp932_table.h"

#include <assert.h>
#include <string.h>

enum { REPLACEMENT = 0xFFFD };

/* Destination of a result. Bytes beyond the capacity are counted but not written. */
typedef struct byte_sink {
    uint8_t *out;
    size_t capacity, size;
} byte_sink;

static void put(byte_sink *sink, uint32_t byte)
{
    if (sink->size < sink->capacity)
        sink->out[sink->size] = (uint8_t)byte;
    sink->size++;
}

/* Appends a character as UTF-8: U+0000 as C0 80, a surrogate as its three bytes. */
static void put_utf8(byte_sink *sink, uint32_t character)
{
    /* Unsigned: U+0000 wraps around and takes the two-byte form. */
    if (character - 1 < 0x7F) {
        put(sink, character);
    } else if (character < 0x800) {
        put(sink, 0xC0 | character >> 6);
        put(sink, 0x80 | (character & 0x3F));
    } else if (character < 0x10000) {
        put(sink, 0xE0 | character >> 12);
        put(sink, 0x80 | (character >> 6 & 0x3F));
        put(sink, 0x80 | (character & 0x3F));
    } else {
        put(sink, 0xF0 | character >> 18);
        put(sink, 0x80 | (character >> 12 & 0x3F));
        put(sink, 0x80 | (character >> 6 & 0x3F));
        put(sink, 0x80 | (character & 0x3F));
    }
}

static bool is_surrogate(uint32_t character)
{
    return character >= 0xD800 && character <= 0xDFFF;
}
static bool is_high_surrogate(uint32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}
static bool is_low_surrogate(uint32_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

/*
 * Decodes the character at the start of size (> 0) bytes of the engine's UTF-8 and returns its length.
 * Invalid bytes give U+FFFD, length 1, and *valid false.
 */
static size_t decode_utf8(const uint8_t *text, size_t size, uint32_t *character, bool *valid)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t first = text[0];
    *valid = true;
    *character = first;
    if (first < 0x80)
        return 1;
    size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    bool ok = first >= 0xC0 && first < 0xF8 && length <= size;
    uint32_t value = first & (0x7FU >> length);
    for (size_t i = 1; ok && i < length; i++) {
        ok = (text[i] & 0xC0) == 0x80;
        value = value << 6 | (text[i] & 0x3F);
    }
    bool is_nul = ok && length == 2 && value == 0;
    if (!ok || (value < smallest[length] && !is_nul) || value > 0x10FFFF) {
        *character = REPLACEMENT;
        *valid = false;
        return 1;
    }
    *character = value;
    return length;
}

/* Returns the character of a one-byte CP932 code as in Windows' table, including the private ones at the
 * ends. */
static uint32_t cp932_single(uint32_t byte)
{
    if (byte >= 0xA1 && byte <= 0xDF)
        return 0xFF61 + byte - 0xA1;
    return byte >= 0xFD ? 0xF8F1 + byte - 0xFD : byte;
}

/* Returns whether a byte can be the first of a two-byte code. cp932_is_trail tests for the second. */
static bool cp932_is_lead(uint32_t byte)
{
    return (byte >= 0x81 && byte <= 0x9F) || (byte >= 0xE0 && byte <= 0xFC);
}

static bool cp932_is_trail(uint32_t byte)
{
    return byte >= 0x40 && byte <= 0xFC && byte != 0x7F;
}

size_t mmd_utf8_from_cp932(const uint8_t *text, size_t size, char *out, size_t capacity, bool *lossy)
{
    assert(text || size == 0);
    assert(out || capacity == 0);
    byte_sink sink = {(uint8_t *)out, capacity, 0};
    bool lost = false;
    for (size_t i = 0; i < size; i++) {
        uint32_t lead = text[i];
        if (!cp932_is_lead(lead)) {
            put_utf8(&sink, cp932_single(lead));
            continue;
        }
        if (i + 1 == size) {
            lost = true;
            break;
        }
        /* A byte that cannot be the second of a pair is decoded by itself, so an incomplete pair does not
         * swallow ASCII. */
        uint32_t character = 0, trail = text[i + 1];
        if (cp932_is_trail(trail)) {
            character = cp932_to_unicode[(lead - 0x81) * 189 + (trail - 0x40)];
            i++;
        }
        lost |= character == 0;
        put_utf8(&sink, character ? character : REPLACEMENT);
    }
    if (lossy)
        *lossy = lost;
    return sink.size;
}

/* Returns the one- or two-byte CP932 code of a character, or -1. */
static int32_t cp932_code(uint32_t character)
{
    if (character <= 0x80 || character == 0xA0)
        return (int32_t)character;
    if (character >= 0xFF61 && character <= 0xFF9F)
        return (int32_t)(character - 0xFF61 + 0xA1);
    if (character >= 0xF8F1 && character <= 0xF8F3)
        return (int32_t)(character - 0xF8F1 + 0xFD);
    if (character > 0xFFFF || unicode_to_cp932[character] == 0)
        return -1;
    return unicode_to_cp932[character];
}

size_t mmd_cp932_from_utf8(const char *text, size_t size, uint8_t *out, size_t capacity, bool *lossy)
{
    assert(text || size == 0);
    assert(out || capacity == 0);
    byte_sink sink = {out, capacity, 0};
    bool lost = false, valid;
    uint32_t character;
    for (size_t i = 0; i < size;) {
        i += decode_utf8((const uint8_t *)text + i, size - i, &character, &valid);
        int32_t code = cp932_code(character);
        if (code < 0) {
            lost = true;
            code = '?';
        }
        if (code > 0xFF)
            put(&sink, (uint32_t)code >> 8);
        put(&sink, (uint32_t)code & 0xFF);
    }
    if (lossy)
        *lossy = lost;
    return sink.size;
}

/* Reads a UTF-16LE code unit. */
static uint32_t unit_at(const uint8_t *text)
{
    return (uint32_t)text[0] | (uint32_t)text[1] << 8;
}

size_t mmd_utf8_from_utf16le(const uint8_t *text, size_t size, char *out, size_t capacity)
{
    assert(text || size == 0);
    assert(out || capacity == 0);
    byte_sink sink = {(uint8_t *)out, capacity, 0};
    for (size_t i = 0; i + 1 < size; i += 2) {
        uint32_t character = unit_at(text + i);
        if (is_high_surrogate(character) && i + 3 < size && is_low_surrogate(unit_at(text + i + 2))) {
            character = 0x10000 + ((character - 0xD800) << 10) + (unit_at(text + i + 2) - 0xDC00);
            i += 2;
        }
        put_utf8(&sink, character);
    }
    return sink.size;
}

static void put_unit(byte_sink *sink, uint32_t unit)
{
    put(sink, unit & 0xFF);
    put(sink, unit >> 8);
}

size_t mmd_utf16le_from_utf8(const char *text, size_t size, uint8_t *out, size_t capacity)
{
    assert(text || size == 0);
    assert(out || capacity == 0);
    byte_sink sink = {out, capacity, 0};
    bool valid;
    uint32_t character;
    for (size_t i = 0; i < size;) {
        i += decode_utf8((const uint8_t *)text + i, size - i, &character, &valid);
        if (character >= 0x10000) {
            put_unit(&sink, 0xD800 + ((character - 0x10000) >> 10));
            put_unit(&sink, 0xDC00 + ((character - 0x10000) & 0x3FF));
        } else {
            put_unit(&sink, character);
        }
    }
    return sink.size;
}

size_t mmd_utf8_from_file(const uint8_t *text, size_t size, char *out, size_t capacity)
{
    assert(text || size == 0);
    assert(out || capacity == 0);
    byte_sink sink = {(uint8_t *)out, capacity, 0};
    for (size_t i = 0; i < size; i++) {
        if (text[i] == 0)
            put_utf8(&sink, 0);
        else
            put(&sink, text[i]);
    }
    return sink.size;
}

size_t mmd_file_from_utf8(const char *text, size_t size, uint8_t *out, size_t capacity)
{
    assert(text || size == 0);
    assert(out || capacity == 0);
    const uint8_t *bytes = (const uint8_t *)text;
    byte_sink sink = {out, capacity, 0};
    for (size_t i = 0; i < size; i++) {
        bool is_nul = bytes[i] == 0xC0 && i + 1 < size && bytes[i + 1] == 0x80;
        put(&sink, is_nul ? 0 : bytes[i]);
        i += is_nul;
    }
    return sink.size;
}

/* Appends the escape of a control character: \n, \t, \xNN or \uNNNN. */
static void put_escape(byte_sink *sink, uint32_t character)
{
    static const char digits[] = "0123456789abcdef";
    put(sink, '\\');
    if (character == '\n' || character == '\t') {
        put(sink, character == '\n' ? 'n' : 't');
        return;
    }
    put(sink, character > 0xFF ? 'u' : 'x');
    for (int shift = character > 0xFF ? 12 : 4; shift >= 0; shift -= 4)
        put(sink, (uint8_t)digits[character >> shift & 15]);
}

/* Returns whether a character is a C0 or C1 control character or DEL, separates lines, or changes the direction
 * of text, which makes "gnp.exe" look like "exe.png". */
static bool is_control(uint32_t character)
{
    return character < 0x20 || (character >= 0x7F && character <= 0x9F) || character == 0x061C ||
           character == 0x200E || character == 0x200F || (character >= 0x2028 && character <= 0x202E) ||
           (character >= 0x2066 && character <= 0x2069);
}

size_t mmd_text_control(const char *text, uint32_t *character)
{
    bool valid;
    size_t size = decode_utf8((const uint8_t *)text, strnlen(text, 4), character, &valid);
    return valid && is_control(*character) ? size : 0;
}

size_t mmd_text_clean(const char *text, bool escape_controls, char *out, size_t capacity)
{
    assert(out || capacity == 0);
    const uint8_t *bytes = (const uint8_t *)text;
    size_t size = strlen(text), total = 0, written = 0;
    bool room = capacity > 0, valid;
    for (size_t i = 0; i < size;) {
        uint32_t character;
        uint8_t piece[6];
        byte_sink sink = {piece, sizeof piece, 0};
        i += decode_utf8(bytes + i, size - i, &character, &valid);
        if (character == 0 || is_surrogate(character))
            character = REPLACEMENT;
        if (escape_controls && is_control(character))
            put_escape(&sink, character);
        else
            put_utf8(&sink, character);
        total += sink.size;
        /* After the first character that does not fit, nothing more is written, so the text ends at a
         * character. */
        room = room && total < capacity;
        if (room) {
            memcpy(out + written, piece, sink.size);
            written = total;
        }
    }
    if (capacity)
        out[written] = '\0';
    return total;
}

void mmd_name_key_from_utf8(const char *name, uint8_t key[MMD_NAME_KEY_SIZE], bool *lossy, bool *cut)
{
    uint8_t bytes[MMD_NAME_KEY_SIZE];
    size_t size = mmd_cp932_from_utf8(name, strlen(name), bytes, sizeof bytes, lossy);
    if (cut)
        *cut = size > sizeof bytes;
    mmd_name_key_from_field(bytes, size < sizeof bytes ? size : sizeof bytes, key);
}

void mmd_name_key_from_field(const uint8_t *field, size_t size, uint8_t key[MMD_NAME_KEY_SIZE])
{
    assert(field || size == 0);
    size_t length = 0;
    while (length < size && length < MMD_NAME_KEY_SIZE && field[length])
        length++;
    memset(key, 0, MMD_NAME_KEY_SIZE);
    if (length)
        memcpy(key, field, length);
}
