#include "html.h"

#include <stdint.h>
#include <stdlib.h>

/* Writes base64 (RFC 4648, section 4): three bytes become four characters, `=` for what is missing of the
 * last. */
static void put_base64(FILE *out, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { PIECE = 256 };
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

char *html_png_text(const void *png, size_t size)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    html_put_png(out, png, size);
    int failed = ferror(out);
    if (fclose(out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

void html_put_json(FILE *out, const char *json)
{
    for (; *json; json++) {
        if (*json == '<')
            fputs("\\u003c", out);
        else
            putc(*json, out);
    }
}
