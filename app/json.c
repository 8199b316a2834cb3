#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "mmd/memory.h"
#include "mmd/text.h"

static void separate(json *j)
{
    if (j->comma)
        putc(',', j->out);
    j->comma = true;
}

void json_open(json *j, char bracket)
{
    separate(j);
    putc(bracket, j->out);
    j->comma = false;
}

void json_close(json *j, char bracket)
{
    putc(bracket, j->out);
    j->comma = true;
}

static void put_quoted(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            fprintf(out, "\\u%04x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

void json_key(json *j, const char *key)
{
    separate(j);
    put_quoted(j->out, key);
    putc(':', j->out);
    j->comma = false;
}

void json_real(json *j, double value)
{
    separate(j);
    if (isfinite(value))
        fprintf(j->out, "%.9g", value);
    else
        fputs("null", j->out);
}

void json_whole(json *j, int64_t value)
{
    separate(j);
    fprintf(j->out, "%" PRId64, value);
}

void json_bool(json *j, bool value)
{
    separate(j);
    fputs(value ? "true" : "false", j->out);
}

void json_null(json *j)
{
    separate(j);
    fputs("null", j->out);
}

void json_text(json *j, const char *text)
{
    char small[512];
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

void json_floats(json *j, const float *values, size_t count)
{
    json_open(j, '[');
    for (size_t i = 0; i < count; i++)
        json_real(j, (double)values[i]);
    json_close(j, ']');
}

void json_member_real(json *j, const char *key, double value)
{
    json_key(j, key);
    json_real(j, value);
}

void json_member_whole(json *j, const char *key, int64_t value)
{
    json_key(j, key);
    json_whole(j, value);
}

void json_member_bool(json *j, const char *key, bool value)
{
    json_key(j, key);
    json_bool(j, value);
}

void json_member_text(json *j, const char *key, const char *text)
{
    json_key(j, key);
    json_text(j, text);
}

void json_member_floats(json *j, const char *key, const float *values, size_t count)
{
    json_key(j, key);
    json_floats(j, values, count);
}
