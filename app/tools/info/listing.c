/* Writes facts as text or as JSON (listing.h). */
#include "listing.h"

#include <stdarg.h>
#include <string.h>

#include "mmd/text.h"

enum { TITLE_WIDTH = 26 };

/* Prints a text with its control characters escaped. */
static void put_clean(FILE *out, const char *text)
{
    char clean[4096];
    mmd_text_clean(text, true, clean, sizeof clean);
    fputs(clean, out);
}

/* Prints the title of a fact, padded to its column. */
static void put_title(facts *f, const char *title)
{
    int width = TITLE_WIDTH - f->indent;
    fprintf(f->json.out, "%*s%-*s ", f->indent, "", width, title);
}

void facts_open(facts *f, const char *key, const char *title)
{
    if (f->as_json) {
        if (key)
            emit_key(&f->json, key);
        emit_open(&f->json, '{');
        return;
    }
    fprintf(f->json.out, "%*s", f->indent, "");
    put_clean(f->json.out, title);
    putc('\n', f->json.out);
    f->indent += 2;
}

void facts_close(facts *f)
{
    if (f->as_json)
        emit_close(&f->json, '}');
    else
        f->indent -= 2;
}

void facts_text(facts *f, const char *key, const char *title, const char *text)
{
    if (f->as_json) {
        emit_member_text(&f->json, key, text);
        return;
    }
    if (!*text)
        return;
    put_title(f, title);
    put_clean(f->json.out, text);
    putc('\n', f->json.out);
}

void facts_whole(facts *f, const char *key, const char *title, int64_t value)
{
    if (f->as_json) {
        emit_member_whole(&f->json, key, value);
        return;
    }
    put_title(f, title);
    fprintf(f->json.out, "%lld\n", (long long)value);
}

void facts_real(facts *f, const char *key, const char *title, double value)
{
    if (f->as_json) {
        emit_member_real(&f->json, key, value);
        return;
    }
    put_title(f, title);
    fprintf(f->json.out, "%.6g\n", value);
}

void facts_bool(facts *f, const char *key, const char *title, bool value)
{
    if (f->as_json) {
        emit_member_bool(&f->json, key, value);
        return;
    }
    put_title(f, title);
    fputs(value ? "yes\n" : "no\n", f->json.out);
}

void facts_list_open(facts *f, const char *key, const char *title, size_t count)
{
    if (f->as_json) {
        emit_key(&f->json, key);
        emit_open(&f->json, '[');
    } else if (count) {
        put_title(f, title);
        fprintf(f->json.out, "%zu\n", count);
    }
}

void facts_item_text(facts *f, const char *text)
{
    if (f->as_json) {
        emit_text(&f->json, text);
        return;
    }
    fprintf(f->json.out, "%*s", f->indent + 2, "");
    put_clean(f->json.out, text);
    putc('\n', f->json.out);
}

void facts_item(facts *f, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    facts_item_text(f, text);
}

void facts_list_close(facts *f)
{
    if (f->as_json)
        emit_close(&f->json, ']');
}
