/* File names in archives: their encodings, and paths that stay inside the archive. */
#include <string.h>

#include "mmd/archive.h"
#include "mmd/text.h"

/* Returns the length of the well-formed UTF-8 sequence at c (table 3-7 of the Unicode Standard); 0 if there
 * is none. */
static size_t sequence_length(const unsigned char *c)
{
    static const struct {
        unsigned char first, last, from, to; /* ranges of the first byte and of the second */
        size_t length;
    } rows[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (c[0] < rows[i].first || c[0] > rows[i].last)
            continue;
        size_t length = rows[i].length;
        if (length > 1 && (c[1] < rows[i].from || c[1] > rows[i].to))
            return 0;
        for (size_t k = 2; k < length; k++)
            if (c[k] < 0x80 || c[k] > 0xbf)
                return 0;
        return length;
    }
    return 0;
}

bool mmd_archive_name_is_utf8(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        size_t length = sequence_length(c);
        if (length == 0)
            return false;
        c += length;
    }
    return true;
}

/* Removes the last part of a path. Returns false if there is none. */
static bool drop_part(char *clean)
{
    char *slash = strrchr(clean, '/');
    bool any = clean[0] != '\0';
    *(slash ? slash : clean) = '\0';
    return any;
}

static bool append_part(char clean[MMD_PATH_MAX], const char *part, size_t length)
{
    size_t at = strlen(clean), separator = at ? 1 : 0;
    if (at + separator + length >= MMD_PATH_MAX)
        return false;
    if (separator)
        clean[at] = '/';
    memcpy(clean + at + separator, part, length);
    clean[at + separator + length] = '\0';
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool take_parts(const char *name, char clean[MMD_PATH_MAX])
{
    clean[0] = '\0';
    for (const char *part = name; *part;) {
        while (!clean[0] && is_letter(part[0]) && part[1] == ':')
            part += 2;
        size_t length = strcspn(part, "/\\");
        bool ok = true;
        if (length == 2 && memcmp(part, "..", 2) == 0)
            ok = drop_part(clean);
        else if (length > 0 && !(length == 1 && part[0] == '.'))
            ok = append_part(clean, part, length);
        if (!ok)
            return false;
        part += length + (part[length] != '\0');
    }
    return clean[0] != '\0';
}

bool mmd_archive_name_clean(const char *name, bool cp932, char clean[MMD_PATH_MAX])
{
    enum { LONGEST = 4 * MMD_PATH_MAX };
    char decoded[LONGEST];
    size_t size = strlen(name);
    if (!cp932)
        return take_parts(name, clean);
    /* Decode first, because the second byte of a character may equal a backslash. */
    size_t length = mmd_utf8_from_cp932((const uint8_t *)name, size, decoded, LONGEST - 1, NULL);
    if (length >= LONGEST)
        return false;
    decoded[length] = '\0';
    return take_parts(decoded, clean);
}
