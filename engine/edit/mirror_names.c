/* Names of the left and the right side, and items that are each other's counterpart by them. */
#include <assert.h>
#include <string.h>

#include "edit_internal.h"

/* A letter of a name: ASCII, its full-width form (U+FF01 to U+FF5E), or anything else (plain 0). */
typedef struct letter {
    char plain;
    int bytes;
    bool is_wide;
} letter;

static letter letter_at(const char *at)
{
    unsigned char a = (unsigned char)at[0], b = (unsigned char)at[a != 0],
                  c = (unsigned char)at[a && b ? 2 : 0];
    if (a < 0x80)
        return (letter){.plain = (char)a, .bytes = 1};
    if (a == 0xef && (b == 0xbc || b == 0xbd) && (c & 0xc0) == 0x80) {
        int code = ((b & 0x3f) << 6 | (c & 0x3f)) - 0xf01 + 0x21; /* U+FF01 is "!" */
        if (code >= 0x21 && code <= 0x7e)
            return (letter){.plain = (char)code, .bytes = 3, .is_wide = true};
    }
    int bytes = 1;
    while (((unsigned char)at[bytes] & 0xc0) == 0x80)
        bytes++;
    return (letter){.bytes = bytes};
}

static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_large(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
    return is_small(c) || is_large(c);
}

/* Tests whether a side word ends before `next`. first and last are its first and last letters, before is
 * the letter that precedes it. */
static bool is_word(char before, char first, char last, char next)
{
    if (is_small(last) && is_small(next))
        return false; /* as in "leftover" */
    if (is_large(last) && is_letter(next))
        return false; /* as in "Lower" */
    if (is_small(first))
        return !is_letter(before); /* as in "cleft" */
    return !is_large(before);      /* as in "COL" */
}

typedef struct side_word {
    const char *from, *to;
} side_word;

static const side_word words[] = {
    {"Left", "Right"}, {"Right", "Left"}, {"left", "right"}, {"right", "left"}, {"LEFT", "RIGHT"},
    {"RIGHT", "LEFT"}, {"L", "R"},        {"R", "L"},        {"l", "r"},        {"r", "l"},
};

/* Returns the length in bytes of a word at a position, in plain or full-width letters; 0 if it is not
 * there. */
static int match(const char *at, const char *word)
{
    int bytes = 0;
    for (; *word; word++) {
        letter l = letter_at(at + bytes);
        if (l.plain != *word)
            return 0;
        bytes += l.bytes;
    }
    return bytes;
}

/* Finds a side word at a position and its length in bytes. NULL if there is none. */
static const side_word *word_at(const char *at, char before, int *bytes)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *word = words[i].from;
        *bytes = match(at, word);
        if (*bytes && is_word(before, word[0], word[strlen(word) - 1], letter_at(at + *bytes).plain))
            return &words[i];
    }
    return NULL;
}

typedef struct name_text {
    char *text;
    size_t length;
} name_text;

/* Appends bytes. Returns false if they do not fit. */
static bool put(name_text *out, const char *text, size_t bytes)
{
    if (out->length + bytes >= MMD_MIRROR_NAME_MAX)
        return false;
    memcpy(out->text + out->length, text, bytes);
    out->length += bytes;
    return true;
}

static bool put_word(name_text *out, const char *word, bool is_wide)
{
    for (; *word; word++) {
        int code = 0xf01 + *word - 0x21;
        const char wide[3] = {(char)0xef, (char)(0x80 | (code >> 6)), (char)(0x80 | (code & 0x3f))};
        if (!(is_wide ? put(out, wide, 3) : put(out, word, 1)))
            return false;
    }
    return true;
}

bool mmd_edit_mirror_name(const char *name, char out[MMD_MIRROR_NAME_MAX])
{
    assert(name && out);
    static const char left[] = "左", right[] = "右"; /* three bytes each */
    name_text made = {.text = out};
    bool swapped = false, fits = true;
    char before = '\0';
    while (*name && fits) {
        int bytes;
        bool is_left = strncmp(name, left, 3) == 0, is_right = strncmp(name, right, 3) == 0;
        const side_word *word = word_at(name, before, &bytes);
        letter l = letter_at(name);
        if (is_left || is_right)
            fits = put(&made, is_left ? right : left, 3);
        else if (word)
            fits = put_word(&made, word->to, l.is_wide);
        else
            fits = put(&made, name, (size_t)l.bytes);
        swapped |= is_left || is_right || word;
        before = word ? word->from[strlen(word->from) - 1] : l.plain;
        name += word ? bytes : l.bytes;
    }
    out[made.length] = '\0';
    return swapped && fits;
}

/* Tests whether two names are equal, full-width letters being equal to plain ones. */
static bool are_alike(const char *a, const char *b)
{
    while (*a && *b) {
        letter l = letter_at(a), m = letter_at(b);
        if (l.plain != m.plain || (!l.plain && (l.bytes != m.bytes || memcmp(a, b, (size_t)l.bytes) != 0)))
            return false;
        a += l.bytes;
        b += m.bytes;
    }
    return !*a && !*b;
}

mmd_item mmd_edit_mirrored(const mmd_edit *edit, mmd_item item)
{
    char name[MMD_MIRROR_NAME_MAX];
    const bool has_sides = item.kind == MMD_ITEM_BONE || item.kind == MMD_ITEM_BODY ||
                           item.kind == MMD_ITEM_JOINT || item.kind == MMD_ITEM_MORPH;
    assert(edit);
    if (!has_sides || !mmd_edit_has(edit, item) || !mmd_edit_mirror_name(edit_item_name(edit, item), name))
        return (mmd_item){0};
    mmd_item found = {0}, other = {.kind = item.kind, .model = item.model};
    for (uint32_t count = edit_item_count(edit, item.kind, item.model); other.index < count; other.index++) {
        const char *candidate = edit_item_name(edit, other);
        bool is_equal = strcmp(candidate, name) == 0;
        if (is_equal || (!found.kind && are_alike(candidate, name)))
            found = other;
        if (is_equal)
            break;
    }
    return mmd_item_equal(found, item) ? (mmd_item){0} : found;
}
