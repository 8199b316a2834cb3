/* Base64 (RFC 4648, section 4): three bytes become four characters; what is missing of the last three is `=`.
 */
#include "base64.h"

#include <stdint.h>

enum { PIECE = 3 * 256 };

void base64_text(const void *data, size_t size, char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0);
        *text++ = digits[three >> 18];
        *text++ = digits[three >> 12 & 63];
        *text++ = left > 1 ? digits[three >> 6 & 63] : '=';
        *text++ = left > 2 ? digits[three & 63] : '=';
    }
    *text = '\0';
}

void base64_put(FILE *out, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i += PIECE) {
        char text[BASE64_LENGTH(PIECE) + 1];
        size_t piece = size - i < PIECE ? size - i : PIECE;
        base64_text(bytes + i, piece, text);
        fwrite(text, 1, BASE64_LENGTH(piece), out);
    }
}
