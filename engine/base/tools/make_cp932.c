/*
 * make_cp932 OUT.h: writes CP932's tables for engine/base/text.c, using the C library's iconv.
 *
 * cp932_to_unicode[lead - 0x81][trail - 0x40] holds the characters of two-byte codes (0: none). The reverse
 * table is derived by Windows' rule for characters with several codes: JIS codes come before their duplicates
 * in NEC row 13 (0x81, 0x87), NEC row 13 before IBM's extensions (FA..FC), and these before NEC's selection
 * of them (ED, EE).
 */
#include <iconv.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LEADS = 0xFC - 0x81 + 1, TRAILS = 0xFC - 0x40 + 1 };

static uint16_t to_unicode[LEADS][TRAILS];
static uint16_t from_unicode[0x10000];

/* Returns the character of a code, 0 if there is none in the Basic Multilingual Plane. */
static uint16_t decode(iconv_t converter, int lead, int trail)
{
    char in[2] = {(char)lead, (char)trail};
    unsigned char out[8];
    char *from = in, *to = (char *)out;
    size_t in_left = 2, out_left = sizeof out;
    iconv(converter, NULL, NULL, NULL, NULL);
    if (iconv(converter, &from, &in_left, &to, &out_left) == (size_t)-1 || in_left || sizeof out - out_left != 2)
        return 0;
    return (uint16_t)(out[0] | out[1] << 8);
}

/* Returns whether a code may be used to encode its character. */
static int is_reverse_candidate(int lead, int trail)
{
    int code = lead << 8 | trail;
    if (lead == 0xED || lead == 0xEE)
        return 0; /* NEC's selection of IBM's extensions */
    /* Duplicates in NEC row 13 of characters that JIS has in row 2. */
    return !(code == 0x8790 || code == 0x8791 || code == 0x8792 || code == 0x8795 || code == 0x8796 ||
             code == 0x8797 || code == 0x879A || code == 0x879B || code == 0x879C);
}

static void write_table(FILE *file, const char *head, const uint16_t *values, int count)
{
    fprintf(file, "%s = {", head);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%u,", i % 16 ? "" : "\n", values[i]);
    fprintf(file, "\n};\n");
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    iconv_t converter = iconv_open("UTF-16LE", "CP932");
    if (converter == (iconv_t)-1) {
        fprintf(stderr, "make_cp932: this C library's iconv has no CP932\n");
        return 1;
    }
    for (int lead = 0x81; lead <= 0xFC; lead++) {
        for (int trail = 0x40; trail <= 0xFC; trail++) {
            if ((lead >= 0xA0 && lead <= 0xDF) || trail == 0x7F)
                continue;
            uint16_t character = decode(converter, lead, trail);
            to_unicode[lead - 0x81][trail - 0x40] = character;
            if (character && !from_unicode[character] && is_reverse_candidate(lead, trail))
                from_unicode[character] = (uint16_t)(lead << 8 | trail);
        }
    }
    iconv_close(converter);
    FILE *file = fopen(argv[1], "w");
    if (!file)
        return 1;
    fprintf(file, "/* Made by make_cp932; do not edit. */\n#include <stdint.h>\n");
    write_table(file, "static const uint16_t cp932_to_unicode[124 * 189]", &to_unicode[0][0], LEADS * TRAILS);
    write_table(file, "static const uint16_t unicode_to_cp932[65536]", from_unicode, 0x10000);
    return fclose(file) == 0 ? 0 : 1;
}
