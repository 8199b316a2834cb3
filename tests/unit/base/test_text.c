/* Tests CP932, UTF-16, WTF-8, texts for display, and name keys. */
#include "support.h"

#include "mmd/cursor.h"
#include "mmd/text.h"

/* Decodes CP932 into a terminated string. */
static const char *decode(const void *bytes, size_t size, char out[256], bool *lossy)
{
    size_t length = mmd_utf8_from_cp932(bytes, size, out, 255, lossy);
    assert_in_range(length, 0, 255);
    out[length] = '\0';
    return out;
}

static void assert_cp932(const char *utf8, const char *bytes, size_t size)
{
    char text[256];
    uint8_t back[256];
    bool lossy = true;
    assert_string_equal(decode(bytes, size, text, &lossy), utf8);
    assert_false(lossy);
    assert_int_equal(mmd_cp932_from_utf8(utf8, strlen(utf8), back, sizeof back, &lossy), size);
    assert_false(lossy);
    assert_memory_equal(back, bytes, size);
}

static void cp932_has_what_windows_has(void **state)
{
    (void)state;
    assert_cp932("センター", "\x83\x5a\x83\x93\x83\x5e\x81\x5b", 8);
    assert_cp932("～", "\x81\x60", 2); /* U+FF5E, not the wave dash */
    assert_cp932("－", "\x81\x7c", 2); /* U+FF0D */
    assert_cp932("①", "\x87\x40", 2);  /* NEC row 13 */
    assert_cp932("㈱", "\x87\x8a", 2); /* NEC row 13, also an IBM extension */
    assert_cp932("髙", "\xfb\xfc", 2); /* IBM extension, also NEC's selection */
    assert_cp932("≡", "\x81\xdf", 2);  /* JIS, also NEC row 13 */
    assert_cp932("ﾐｸｱ｡ﾟ", "\xd0\xb8\xb1\xa1\xdf", 5);
    assert_cp932("左足ＩＫ", "\x8d\xb6\x91\xab\x82\x68\x82\x6a", 8);
    assert_cp932("a\\~", "a\x5c~", 3);
    assert_cp932("\xC2\x80\xC2\xA0", "\x80\xa0", 2);
    assert_cp932("\xEF\xA3\xB1\xEF\xA3\xB2\xEF\xA3\xB3", "\xfd\xfe\xff", 3);
    assert_cp932("a\xC0\x80z", "a\0z", 3);
    assert_cp932("", "", 0);
}

static void cp932_drops_half_a_character_at_the_end(void **state)
{
    (void)state;
    char text[256];
    bool lossy = false;
    assert_string_equal(decode("\x83\x5a\x83", 3, text, &lossy), "セ");
    assert_true(lossy);
    /* Elsewhere the incomplete character becomes U+FFFD, and the next byte is kept. */
    assert_string_equal(decode("\x83\x20z", 3, text, &lossy), "\xEF\xBF\xBD z");
    assert_true(lossy);
    assert_string_equal(decode("\x85\x40z", 3, text, &lossy), "\xEF\xBF\xBDz");
    assert_true(lossy);
}

static void cp932_writes_a_question_mark_for_what_it_lacks(void **state)
{
    (void)state;
    uint8_t out[16];
    bool lossy = false;
    const char *text = "a한😀é";
    assert_int_equal(mmd_cp932_from_utf8(text, strlen(text), out, sizeof out, &lossy), 4);
    assert_memory_equal(out, "a???", 4);
    assert_true(lossy);
    assert_int_equal(mmd_cp932_from_utf8("\xFFz", 2, out, sizeof out, &lossy), 2);
    assert_memory_equal(out, "?z", 2);
    assert_true(lossy);
}

/* Returns whether a code is the second one of its character, for which Windows writes the first. */
static bool is_known_double(unsigned code)
{
    static const uint16_t nec[] = {0x8790, 0x8791, 0x8792, 0x8795, 0x8796, 0x8797, 0x879A, 0x879B, 0x879C};
    for (size_t i = 0; i < sizeof nec / sizeof *nec; i++)
        if (code == nec[i])
            return true;
    if (code >> 8 == 0xED || code >> 8 == 0xEE)
        return true;
    /* IBM's extensions that repeat Roman numerals, the not sign, and signs of NEC's row 13 or JIS. */
    return (code >= 0xFA4A && code <= 0xFA54) || (code >= 0xFA58 && code <= 0xFA5B);
}

static void every_cp932_code_comes_back_or_is_a_known_double(void **state)
{
    (void)state;
    unsigned decoded = 0, doubles = 0;
    for (unsigned code = 0x8140; code <= 0xFCFC; code++) {
        uint8_t bytes[2] = {(uint8_t)(code >> 8), (uint8_t)code}, back[2] = {0};
        bool is_lead = bytes[0] < 0xA0 || bytes[0] >= 0xE0;
        if (!is_lead || bytes[1] < 0x40 || bytes[1] == 0x7F || bytes[1] > 0xFC)
            continue;
        char text[8];
        bool lossy;
        size_t length = mmd_utf8_from_cp932(bytes, 2, text, sizeof text, &lossy);
        if (lossy)
            continue;
        decoded++;
        assert_int_equal(mmd_cp932_from_utf8(text, length, back, 2, &lossy), 2);
        assert_false(lossy);
        bool same = back[0] == bytes[0] && back[1] == bytes[1];
        assert_int_equal(same, !is_known_double(code));
        doubles += !same;
        char again[8];
        assert_int_equal(mmd_utf8_from_cp932(back, 2, again, sizeof again, NULL), length);
        assert_memory_equal(again, text, length);
    }
    /* JIS X 0208 has 6,879, NEC 83 and 374, IBM 388, and 1,880 are user-defined. */
    assert_int_equal(decoded, 6879 + 83 + 374 + 388 + 1880);
    assert_int_equal(doubles, 398);
}

static void single_cp932_bytes_come_back(void **state)
{
    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        if ((byte >= 0x81 && byte <= 0x9F) || (byte >= 0xE0 && byte <= 0xFC))
            continue;
        uint8_t in = (uint8_t)byte, back = 0;
        char text[4];
        bool lossy;
        size_t length = mmd_utf8_from_cp932(&in, 1, text, sizeof text, &lossy);
        assert_false(lossy);
        assert_int_equal(mmd_cp932_from_utf8(text, length, &back, 1, &lossy), 1);
        assert_false(lossy);
        assert_int_equal(back, byte);
    }
}

static void assert_utf16(const char *utf8, const char *bytes, size_t size)
{
    char text[64];
    uint8_t back[64];
    assert_int_equal(mmd_utf8_from_utf16le((const uint8_t *)bytes, size, text, sizeof text), strlen(utf8));
    assert_memory_equal(text, utf8, strlen(utf8));
    assert_int_equal(mmd_utf16le_from_utf8(utf8, strlen(utf8), back, sizeof back), size);
    assert_memory_equal(back, bytes, size);
}

static void utf16_goes_through_utf8_unchanged(void **state)
{
    (void)state;
    assert_utf16("aé初", "a\0\xe9\0\x1d\x52", 6);
    assert_utf16("😀", "\x3d\xd8\x00\xde", 4);
    assert_utf16("\xED\xA0\xBDz", "\x3d\xd8z\0", 4);                 /* a lone high surrogate */
    assert_utf16("\xED\xB8\x80", "\x00\xde", 2);                     /* a lone low surrogate */
    assert_utf16("\xED\xB8\x80\xED\xA0\xBD", "\x00\xde\x3d\xd8", 4); /* in the wrong order */
    assert_utf16("a\xC0\x80z", "a\0\0\0z\0", 6);
    assert_utf16("\xEF\xBF\xBF", "\xff\xff", 2);
    assert_utf16("\xF4\x8F\xBF\xBF", "\xff\xdb\xff\xdf", 4);
    assert_utf16("", "", 0);
}

static void every_utf16_unit_comes_back(void **state)
{
    (void)state;
    for (unsigned unit = 0; unit < 0x10000; unit++) {
        uint8_t bytes[2] = {(uint8_t)unit, (uint8_t)(unit >> 8)}, back[2] = {0};
        char text[4];
        size_t length = mmd_utf8_from_utf16le(bytes, 2, text, sizeof text);
        assert_int_equal(mmd_utf16le_from_utf8(text, length, back, 2), 2);
        assert_memory_equal(back, bytes, 2);
    }
}

static void utf16_ignores_an_odd_byte_and_replaces_invalid_utf8(void **state)
{
    (void)state;
    char text[8];
    uint8_t out[16];
    assert_int_equal(mmd_utf8_from_utf16le((const uint8_t *)"a\0b", 3, text, sizeof text), 1);
    /* Invalid start bytes, overlong forms, truncated sequences, and one above U+10FFFF. */
    const char *const broken[] = {"\xFF",         "\x80", "\xC1\x81", "\xE3\x81", "\xF4\x90\x80\x80",
                                  "\xE0\x80\x80", "\xF8"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        size_t size = mmd_utf16le_from_utf8(broken[i], strlen(broken[i]), out, sizeof out);
        assert_int_equal(size, 2 * strlen(broken[i]));
        assert_memory_equal(out, "\xfd\xff", 2);
    }
}

static void nul_survives_a_utf8_file(void **state)
{
    (void)state;
    char text[16];
    uint8_t back[16];
    const uint8_t bytes[] = {'a', 0, 0, 0xE3, 0x81, 0x82, 0xFF, 0xC0};
    size_t length = mmd_utf8_from_file(bytes, sizeof bytes, text, sizeof text);
    assert_int_equal(length, sizeof bytes + 2);
    assert_memory_equal(text, "a\xC0\x80\xC0\x80\xE3\x81\x82\xFF\xC0", length);
    assert_int_equal(mmd_file_from_utf8(text, length, back, sizeof back), sizeof bytes);
    assert_memory_equal(back, bytes, sizeof bytes);
}

static void codecs_measure_and_never_write_past_their_capacity(void **state)
{
    (void)state;
    char text[8];
    memset(text, 'x', sizeof text);
    assert_int_equal(mmd_utf8_from_cp932((const uint8_t *)"\x83\x5a\x83\x93", 4, NULL, 0, NULL), 6);
    assert_int_equal(mmd_utf8_from_cp932((const uint8_t *)"\x83\x5a\x83\x93", 4, text, 4, NULL), 6);
    assert_memory_equal(text, "\xE3\x82\xBB\xE3xxxx", 8);
    assert_int_equal(mmd_cp932_from_utf8("セン", 6, NULL, 0, NULL), 4);
    assert_int_equal(mmd_utf16le_from_utf8("セン", 6, NULL, 0), 4);
    assert_int_equal(mmd_utf8_from_utf16le((const uint8_t *)"\xbb\x30", 2, NULL, 0), 3);
    assert_int_equal(mmd_utf8_from_file((const uint8_t *)"\0", 1, NULL, 0), 2);
    assert_int_equal(mmd_file_from_utf8("\xC0\x80", 2, NULL, 0), 1);
}

static void assert_clean(const char *text, bool escape, const char *expected)
{
    char out[128];
    assert_int_equal(mmd_text_clean(text, escape, out, sizeof out), strlen(expected));
    assert_string_equal(out, expected);
}

static void clean_text_is_valid_utf8_without_controls(void **state)
{
    (void)state;
    assert_clean("初音ミク", true, "初音ミク");
    assert_clean("a\xFFz", true, "a\xEF\xBF\xBDz");
    assert_clean("a\xC0\x80z\xED\xA0\xBD", true, "a\xEF\xBF\xBDz\xEF\xBF\xBD");
    assert_clean("\x1b[0m\n\t\r\x7f\xC2\x9B", true, "\\x1b[0m\\n\\t\\x0d\\x7f\\x9b");
    assert_clean("a\nb\x1b", false, "a\nb\x1b");
    assert_clean("", true, "");
    /* characters that change the direction of text, and their neighbours that do not */
    assert_clean("a\u202Egnp.exe", true, "a\\u202egnp.exe");
    assert_clean("\u061C\u200E\u200F\u202A\u202B\u202C\u202D", true,
                 "\\u061c\\u200e\\u200f\\u202a\\u202b\\u202c\\u202d");
    assert_clean("\u2066\u2067\u2068\u2069", true, "\\u2066\\u2067\\u2068\\u2069");
    assert_clean("\u2027\u2028\u2029", true, "\u2027\\u2028\\u2029");
    assert_clean("\u061B\u200D\u2010\u202F\u2065\u206A", true, "\u061B\u200D\u2010\u202F\u2065\u206A");
    assert_clean("a\u202Eb", false, "a\u202Eb");
}

static void characters_that_act_on_terminals_are_found(void **state)
{
    (void)state;
    uint32_t character;
    assert_int_equal(mmd_text_control("\u202Ea", &character), 3);
    assert_int_equal(character, 0x202E);
    assert_int_equal(mmd_text_control("\xC2\x9B", &character), 2);
    assert_int_equal(mmd_text_control("\n", &character), 1);
    assert_int_equal(mmd_text_control("a", &character), 0);
    assert_int_equal(mmd_text_control("あ", &character), 0);
    assert_int_equal(mmd_text_control("\xE2\x80", &character), 0); /* cut */
}

static void clean_text_is_cut_at_a_character(void **state)
{
    (void)state;
    char out[8];
    assert_int_equal(mmd_text_clean("aあz", true, out, 4), 5);
    assert_string_equal(out, "a"); /* あ does not fit, so nothing after it is written either */
    assert_int_equal(mmd_text_clean("aあz", true, out, 5), 5);
    assert_string_equal(out, "aあ");
    assert_int_equal(mmd_text_clean("a\n", true, out, 3), 3);
    assert_string_equal(out, "a");
    assert_int_equal(mmd_text_clean("abc", true, out, 1), 3);
    assert_string_equal(out, "");
    assert_int_equal(mmd_text_clean("abc", true, NULL, 0), 3);
}

static void name_key_is_the_first_15_bytes_of_cp932(void **state)
{
    (void)state;
    uint8_t key[MMD_NAME_KEY_SIZE], other[MMD_NAME_KEY_SIZE];
    bool lossy = true, cut = true;
    mmd_name_key_from_utf8("左足ＩＫ", key, &lossy, &cut);
    assert_memory_equal(key, "\x8d\xb6\x91\xab\x82\x68\x82\x6a\0\0\0\0\0\0\0", 15);
    assert_false(lossy);
    assert_false(cut);
    /* Eight characters are 16 bytes, so the last one is cut in the middle, as in the name field of a VMD
     * file. */
    mmd_name_key_from_utf8("あいうえおかきく", key, &lossy, &cut);
    assert_true(cut);
    assert_memory_equal(key, "\x82\xa0\x82\xa2\x82\xa4\x82\xa6\x82\xa8\x82\xa9\x82\xab\x82", 15);
    mmd_name_key_from_field(
        (const uint8_t *)"\x82\xa0\x82\xa2\x82\xa4\x82\xa6\x82\xa8\x82\xa9\x82\xab\x82\xad", 16, other);
    assert_memory_equal(key, other, 15);
    mmd_name_key_from_utf8("あいうえおかきa", key, NULL, &cut);
    assert_false(cut);
    mmd_name_key_from_utf8("한a", key, &lossy, NULL);
    assert_true(lossy);
    assert_memory_equal(key, "?a\0", 3);
}

static void name_key_of_a_field_ends_at_its_nul(void **state)
{
    (void)state;
    uint8_t key[MMD_NAME_KEY_SIZE];
    const uint8_t field[15] = {'a', 'b', 0, 0xFD, 0xFD, 0xFD};
    mmd_name_key_from_field(field, sizeof field, key);
    assert_memory_equal(key, "ab\0\0\0\0\0\0\0\0\0\0\0\0\0", 15);
    mmd_name_key_from_utf8("ab\xC0\x80z", key, NULL, NULL);
    assert_memory_equal(key, "ab\0\0\0\0\0\0\0\0\0\0\0\0\0", 15);
    mmd_name_key_from_field(NULL, 0, key);
    assert_int_equal(key[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cp932_has_what_windows_has),
        cmocka_unit_test(cp932_drops_half_a_character_at_the_end),
        cmocka_unit_test(cp932_writes_a_question_mark_for_what_it_lacks),
        cmocka_unit_test(every_cp932_code_comes_back_or_is_a_known_double),
        cmocka_unit_test(single_cp932_bytes_come_back),
        cmocka_unit_test(utf16_goes_through_utf8_unchanged),
        cmocka_unit_test(every_utf16_unit_comes_back),
        cmocka_unit_test(utf16_ignores_an_odd_byte_and_replaces_invalid_utf8),
        cmocka_unit_test(nul_survives_a_utf8_file),
        cmocka_unit_test(codecs_measure_and_never_write_past_their_capacity),
        cmocka_unit_test(clean_text_is_valid_utf8_without_controls),
        cmocka_unit_test(characters_that_act_on_terminals_are_found),
        cmocka_unit_test(clean_text_is_cut_at_a_character),
        cmocka_unit_test(name_key_is_the_first_15_bytes_of_cp932),
        cmocka_unit_test(name_key_of_a_field_ends_at_its_nul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
