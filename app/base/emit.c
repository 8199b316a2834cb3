#include "emit.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "mmd/memory.h"
#include "mmd/text.h"

/* Text on its way to a file. Writing it in pieces of many characters saves the locks of putc. */
typedef struct piece {
    FILE *out;
    size_t size;
    char text[512];
} piece;

/* Room for any number. */
enum { NUMBER_MAX = 32 };

static void flush(piece *p)
{
    fwrite(p->text, 1, p->size, p->out);
    p->size = 0;
}

static void put(piece *p, char byte)
{
    if (p->size == sizeof p->text)
        flush(p);
    p->text[p->size++] = byte;
}

/* Writes the comma between the previous value of an object or array and the next one. */
static void separate(emitter *j, piece *p)
{
    if (j->comma)
        put(p, ',');
    j->comma = true;
}

void emit_open(emitter *j, char bracket)
{
    if (j->comma)
        putc(',', j->out);
    putc(bracket, j->out);
    j->comma = false;
}

void emit_close(emitter *j, char bracket)
{
    putc(bracket, j->out);
    j->comma = true;
}

/* Adds valid UTF-8 as a JSON string. */
static void put_quoted(piece *p, const char *text)
{
    put(p, '"');
    for (size_t size; *text; text += size ? size : 1) {
        uint32_t control;
        bool begins = (*text & 0xC0) != 0x80, is_plain = *text >= ' ' && *text <= '~';
        size = begins && !is_plain ? mmd_text_control(text, &control) : 0;
        if (size) {
            char code[NUMBER_MAX];
            int length = snprintf(code, sizeof code, "\\u%04" PRIx32, control);
            for (int i = 0; i < length; i++)
                put(p, code[i]);
            continue;
        }
        if (*text == '"' || *text == '\\')
            put(p, '\\');
        put(p, *text);
    }
    put(p, '"');
}

/* --- Numbers --- */

/* Writes nine digits, the first not 0, with the decimal point after the first `exponent` + 1, like printf's
 * "%.9g". Returns the number of characters. */
static size_t place_digits(uint32_t number, int exponent, char *text)
{
    enum { DIGITS = 9 };
    char digits[DIGITS], *at = text;
    int count = DIGITS;
    for (int i = DIGITS - 1; i >= 0; i--, number /= 10)
        digits[i] = (char)('0' + number % 10);
    while (count > 1 && digits[count - 1] == '0')
        count--;
    bool scientific = exponent < -4 || exponent >= DIGITS;
    int before = scientific ? 1 : exponent + 1; /* digits before the point */
    if (before <= 0) {
        *at++ = '0';
        *at++ = '.';
        for (int i = before; i < 0; i++)
            *at++ = '0';
    }
    for (int i = 0; i < (count > before ? count : before); i++) {
        if (i == before && i > 0)
            *at++ = '.';
        *at++ = i < count ? digits[i] : '0';
    }
    if (scientific) {
        int size = exponent < 0 ? -exponent : exponent;
        *at++ = 'e';
        *at++ = exponent < 0 ? '-' : '+';
        *at++ = (char)('0' + size / 10);
        *at++ = (char)('0' + size % 10);
    }
    return (size_t)(at - text);
}

/*
 * Writes a finite number like printf's "%.9g", several times as fast. The number times a power of ten, which
 * is exact, has an error below 2^-23; where that could change the last digit, and for very large and small
 * numbers, printf decides. Returns the number of characters.
 */
static size_t write_real(double value, char text[NUMBER_MAX])
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { POWERS = sizeof powers / sizeof *powers };
    const double size = fabs(value), unsure = 1e-5;
    char *at = text;
    if (signbit(value))
        *at++ = '-';
    if (!(size > 0)) {
        *at++ = '0';
        return (size_t)(at - text);
    }
    int exponent = (int)floor(ilogb(size) * 0.30102999566398120);
    for (;; exponent++) {
        int shift = 8 - exponent;
        if (shift >= POWERS || shift <= -POWERS)
            break;
        double scaled = shift >= 0 ? size * powers[shift] : size / powers[-shift];
        if (scaled >= 1e9)
            continue;
        double whole = floor(scaled), rest = scaled - whole;
        if (fabs(rest - 0.5) < unsure || scaled < 1e8)
            break;
        uint32_t number = (uint32_t)whole + (rest > 0.5);
        bool carries = number == 1000000000;
        return (size_t)(at - text) + place_digits(carries ? 100000000 : number, exponent + carries, at);
    }
    return (size_t)snprintf(text, NUMBER_MAX, "%.9g", value);
}

static void put_real(piece *p, double value)
{
    if (sizeof p->text - p->size < NUMBER_MAX)
        flush(p);
    if (isfinite(value)) {
        p->size += write_real(value, p->text + p->size);
        return;
    }
    for (const char *at = "null"; *at; at++)
        put(p, *at);
}

void emit_json(FILE *out, const char *json)
{
    for (size_t size; *json; json += size ? size : 1) {
        uint32_t control;
        size = mmd_text_control(json, &control);
        if (size > 1)
            fprintf(out, "\\u%04" PRIx32, control);
        else
            putc(*json, out);
    }
}

void emit_key(emitter *j, const char *key)
{
    piece p;
    p.out = j->out, p.size = 0;
    separate(j, &p);
    put_quoted(&p, key);
    put(&p, ':');
    flush(&p);
    j->comma = false;
}

void emit_real(emitter *j, double value)
{
    piece p;
    p.out = j->out, p.size = 0;
    separate(j, &p);
    put_real(&p, value);
    flush(&p);
}

void emit_whole(emitter *j, int64_t value)
{
    fprintf(j->out, "%s%" PRId64, j->comma ? "," : "", value);
    j->comma = true;
}

/* Writes a value that is a word. */
static void emit_word(emitter *j, const char *word)
{
    if (j->comma)
        putc(',', j->out);
    fputs(word, j->out);
    j->comma = true;
}

void emit_bool(emitter *j, bool value)
{
    emit_word(j, value ? "true" : "false");
}

void emit_null(emitter *j)
{
    emit_word(j, "null");
}

void emit_text(emitter *j, const char *text)
{
    char small[512]; /* for nearly every text; longer ones are allocated */
    size_t size = mmd_text_clean(text, false, small, sizeof small) + 1;
    char *large = size > sizeof small ? mmd_alloc(size) : NULL;
    if (large)
        mmd_text_clean(text, false, large, size);
    piece p;
    p.out = j->out, p.size = 0;
    separate(j, &p);
    put_quoted(&p, large ? large : small);
    flush(&p);
    mmd_free(large);
}

void emit_member_real(emitter *j, const char *key, double value)
{
    emit_key(j, key);
    emit_real(j, value);
}

void emit_member_whole(emitter *j, const char *key, int64_t value)
{
    emit_key(j, key);
    emit_whole(j, value);
}

void emit_member_bool(emitter *j, const char *key, bool value)
{
    emit_key(j, key);
    emit_bool(j, value);
}

void emit_member_text(emitter *j, const char *key, const char *text)
{
    emit_key(j, key);
    emit_text(j, text);
}

void emit_member_floats(emitter *j, const char *key, const float *values, size_t count)
{
    piece p;
    p.out = j->out, p.size = 0;
    emit_key(j, key);
    put(&p, '[');
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            put(&p, ',');
        put_real(&p, (double)values[i]);
    }
    put(&p, ']');
    flush(&p);
    j->comma = true;
}
