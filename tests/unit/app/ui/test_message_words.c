/* Tests the Japanese sentences for messages: names and numbers are found in the English ones. */
#include "ui/message_words.h"
#include "support.h"

static void messages_are_told_in_japanese(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"everything is saved", "すべて保存済みです"},
        {"a: b.pmx: reloaded", "a: b.pmx：再読み込みしました"},
        {"miku: reloaded-5.png: picture of frame 5 written",
         "miku: reloaded-5.png：フレーム5の画像を保存しました"},
        {"first.vmd is off: \"Motions\" on the page Models, or undo, switches it on again",
         "first.vmdをオフにしました。「モデル」の「モーション」か「元に戻す」で再びオンにできます"},
        {"a.pmx: texture b.png: no such file", "a.pmx：テクスチャb.png：no such file"},
        {"late.vmd: the first keyframes of 3 bones (from frame 20 on) hold from frame 0, where MMD starts at "
         "rest; key.rest adds keyframes at rest there",
         "late."
         "vmd：最初のキーフレーム（フレーム20から）の値がフレーム0から続いています。MMDではフレーム0は初期姿"
         "勢です"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char out[512] = "";
        assert_true(message_in_japanese(rows[i][0], out, sizeof out));
        assert_string_equal(out, rows[i][1]);
    }
}

static void other_messages_stay(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "saved ", ": reloaded", "everything is saved now", "a.pmx: reloaded again", "a.pmx: no model"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char out[64] = "as it was";
        assert_false(message_in_japanese(texts[i], out, sizeof out));
        assert_string_equal(out, "as it was");
    }
}

/* A place that is too small holds the beginning. */
static void long_messages_are_cut(void **state)
{
    (void)state;
    char text[600], out[40];
    memset(text, 'x', sizeof text);
    strcpy(text + sizeof text - 12, ": reloaded");
    assert_true(message_in_japanese(text, out, sizeof out));
    assert_int_equal(strlen(out), sizeof out - 1);
    for (size_t i = 0; message_words_at(i); i++)
        assert_true(*message_words_at(i) != '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_told_in_japanese),
        cmocka_unit_test(other_messages_stay),
        cmocka_unit_test(long_messages_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
