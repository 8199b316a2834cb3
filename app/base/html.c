#include "html.h"

#include <stdint.h>
#include <string.h>

#include "system.h"

/* Writes bytes as Base64 (RFC 4648, section 4): three bytes become four characters. `=` pads the last group.
 */
static void put_base64(FILE *out, const void *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { PIECE = 256 }; /* groups of four characters that are written at once */
    const uint8_t *bytes = data;
    char text[4 * PIECE];
    size_t used = 0;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0);
        text[used++] = digits[three >> 18];
        text[used++] = digits[three >> 12 & 63];
        text[used++] = left > 1 ? digits[three >> 6 & 63] : '=';
        text[used++] = left > 2 ? digits[three & 63] : '=';
        if (used == sizeof text || left <= 3) {
            fwrite(text, 1, used, out);
            used = 0;
        }
    }
}

void html_put_png(FILE *out, const void *png, size_t size)
{
    fputs("data:image/png;base64,", out);
    put_base64(out, png, size);
}

/* Returns what one of the functions above writes. NULL: out of memory. */
static char *text_of(void (*put)(FILE *, const void *, size_t), const void *data, size_t size)
{
    system_memory text;
    if (system_memory_open(&text))
        put(text.stream, data, size);
    return system_memory_close(&text);
}

char *html_png_text(const void *png, size_t size)
{
    return text_of(html_put_png, png, size);
}

char *html_base64_text(const void *data, size_t size)
{
    return text_of(put_base64, data, size);
}

void html_put_page(FILE *out, const char *page, const html_part *parts, size_t count)
{
    for (const char *mark = strstr(page, "{{"); mark; mark = strstr(page, "{{")) {
        const char *name = mark + 2, *end = strstr(name, "}}");
        fwrite(page, 1, (size_t)(mark - page), out);
        for (size_t i = 0; i < count; i++) {
            const html_part *part = &parts[i];
            if (strncmp(part->name, name, (size_t)(end - name)) != 0 || part->name[end - name])
                continue;
            for (const char *c = part->text; part->json && *c; c++)
                *c == '<' ? fputs("\\u003c", out) : putc(*c, out);
            if (!part->json)
                fputs(part->text, out);
        }
        page = end + 2;
    }
    fputs(page, out);
}
