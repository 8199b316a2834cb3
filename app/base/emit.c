#include "emit.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "mmd/memory.h"
#include "mmd/text.h"

/* Writes the comma between the previous value of an object or array and the next one. */
static void separate(emitter *j)
{
    if (j->comma)
        putc(',', j->out);
    j->comma = true;
}

void emit_open(emitter *j, char bracket)
{
    separate(j);
    putc(bracket, j->out);
    j->comma = false;
}

void emit_close(emitter *j, char bracket)
{
    putc(bracket, j->out);
    j->comma = true;
}

/* Writes valid UTF-8 as a JSON string. */
static void put_quoted(FILE *out, const char *text)
{
    putc('"', out);
    for (size_t size; *text; text += size ? size : 1) {
        uint32_t control;
        size = mmd_text_control(text, &control);
        if (size)
            fprintf(out, "\\u%04" PRIx32, control);
        else if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else
            putc(*text, out);
    }
    putc('"', out);
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
    separate(j);
    put_quoted(j->out, key);
    putc(':', j->out);
    j->comma = false;
}

void emit_real(emitter *j, double value)
{
    separate(j);
    if (isfinite(value))
        fprintf(j->out, "%.9g", value);
    else
        fputs("null", j->out);
}

void emit_whole(emitter *j, int64_t value)
{
    separate(j);
    fprintf(j->out, "%" PRId64, value);
}

void emit_bool(emitter *j, bool value)
{
    separate(j);
    fputs(value ? "true" : "false", j->out);
}

void emit_null(emitter *j)
{
    separate(j);
    fputs("null", j->out);
}

void emit_text(emitter *j, const char *text)
{
    char small[512]; /* for nearly every text; longer ones are allocated */
    size_t size = mmd_text_clean(text, false, small, sizeof small) + 1;
    separate(j);
    if (size <= sizeof small) {
        put_quoted(j->out, small);
        return;
    }
    char *large = mmd_alloc(size);
    if (large)
        mmd_text_clean(text, false, large, size);
    put_quoted(j->out, large ? large : small);
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
    emit_key(j, key);
    emit_open(j, '[');
    for (size_t i = 0; i < count; i++)
        emit_real(j, (double)values[i]);
    emit_close(j, ']');
}
