/* Tests how JSON is read whose strings are long: data: URIs are as long as the files that they hold. */
#include "engine/exchange/json.h"
#include "support.h"

enum { LONG = 70000, PLACES = 6 };

/* Makes a document with long strings in each place where a string can be. quote ends the text: it is left out
 * to damage the document. */
static mmd_buffer make_document(const char *quote)
{
    static const char *const before[PLACES] = {
        "{\"uri\":\"", "\",\"list\":[1,\"", "\",{\"in\":\"", "\"}],\"", "\":\"", "\",\"escaped\":\"\\u00e4"};
    mmd_buffer text = {0};
    for (int i = 0; i < PLACES; i++) {
        mmd_write_bytes(&text, before[i], strlen(before[i]));
        for (int k = 0; k < LONG; k++)
            mmd_write_u8(&text, (uint8_t)('a' + (k + i) % 26));
    }
    mmd_write_format(&text, "\",\"like\":\"odori: long string 0\"%s", quote);
    return text;
}

static mmd_status parse(const mmd_buffer *text, json_reader *reader, mmd_arena *arena, mmd_error *error)
{
    return json_reader_parse(reader, (const char *)text->data, text->size, 0, arena, error);
}

static void long_strings_are_read_like_others(void **state)
{
    (void)state;
    for (int with_mark = 0; with_mark < 2; with_mark++) {
        mmd_buffer text = make_document("}");
        mmd_arena arena = {0};
        mmd_error error = {0};
        json_reader reader = {0};
        if (!with_mark) { /* blanks instead of the string that looks like a mark */
            char *like = strstr((char *)text.data + 5 * LONG, ",\"like\"");
            assert_non_null(like);
            memset(like, ' ', strlen(",\"like\":\"odori: long string 0\""));
        }
        json_t *plain = json_loadb((const char *)text.data, text.size, 0, NULL);
        assert_non_null(plain);
        assert_int_equal(parse(&text, &reader, &arena, &error), MMD_OK);
        assert_true(json_equal(reader.root, plain));
        json_decref(plain);
        json_decref(reader.root);
        mmd_arena_finish(&arena);
        mmd_buffer_finish(&text);
    }
}

static void errors_behind_long_strings_have_their_offsets(void **state)
{
    (void)state;
    mmd_buffer text = make_document("?}");
    mmd_arena arena = {0};
    mmd_error error = {0};
    json_reader reader = {0};
    assert_int_equal(parse(&text, &reader, &arena, &error), MMD_ERROR_SYNTAX);
    assert_in_range(error.offset, text.size - 2, text.size);
    json_decref(reader.root);
    mmd_arena_finish(&arena);
    mmd_buffer_finish(&text);
}

/* A list of numbers takes twenty times as much memory as its text, a string as much as its text. */
static void values_are_limited_but_strings_are_not(void **state)
{
    (void)state;
    const size_t size = 65 << 20;
    mmd_buffer text = {0};
    mmd_buffer_reserve(&text, size);
    for (int numbers = 0; numbers < 2; numbers++) {
        mmd_arena arena = {0};
        mmd_error error = {0};
        json_reader reader = {0};
        text.size = size;
        memset(text.data, numbers ? ' ' : 'A', size);
        memcpy(text.data, numbers ? "[0    " : "[\"", 2);
        memcpy(text.data + size - 2, numbers ? " ]" : "\"]", 2);
        mmd_status status = parse(&text, &reader, &arena, &error);
        assert_int_equal(status, numbers ? MMD_ERROR_LIMIT : MMD_OK);
        if (!numbers)
            assert_int_equal(json_string_length(json_array_get(reader.root, 0)), size - 4);
        json_decref(reader.root);
        mmd_arena_finish(&arena);
    }
    mmd_buffer_finish(&text);
}

static void base64_is_read_and_written(void **state)
{
    (void)state;
    static const char *const bad[] = {"AAA", "AA*A", "AAAB=", "AB==", "=AAA"};
    mmd_error error = {0};
    for (size_t size = 0; size < 300; size++) {
        uint8_t bytes[300];
        mmd_buffer text = {0}, back = {0};
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)(i * 89 + size);
        json_base64_encode(bytes, size, &text);
        assert_int_equal(text.size, (size + 2) / 3 * 4);
        assert_int_equal(json_base64_decode((const char *)text.data, text.size, &back, &error), MMD_OK);
        assert_int_equal(back.size, size);
        assert_true(size == 0 || memcmp(back.data, bytes, size) == 0);
        mmd_buffer_finish(&text);
        mmd_buffer_finish(&back);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mmd_buffer back = {0};
        assert_int_not_equal(json_base64_decode(bad[i], strlen(bad[i]), &back, &error), MMD_OK);
        mmd_buffer_finish(&back);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_strings_are_read_like_others),
        cmocka_unit_test(errors_behind_long_strings_have_their_offsets),
        cmocka_unit_test(values_are_limited_but_strings_are_not),
        cmocka_unit_test(base64_is_read_and_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
