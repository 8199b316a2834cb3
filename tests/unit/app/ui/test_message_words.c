/* Tests the Japanese sentences for messages: names and numbers are found in the English ones. */
#include "ui/message_words.h"
#include "support.h"

static void messages_are_told_in_japanese(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"everything is saved", "すべて保存済みです"},
        {"open model", "モデルを開く"}, /* a label of undo */
        {"a: b.pmx: reloaded", "a: b.pmx：再読み込みしました"},
        {"miku: reloaded-5.png: picture of frame 5 written",
         "miku: reloaded-5.png：フレーム5の画像を保存しました"},
        {"first.vmd is off: \"Motions\" on the page Models, or undo, switches it on again",
         "first.vmdをオフにしました。「モデル」の「モーション」か「元に戻す」で再びオンにできます"},
        {"a.pmx: texture b.png: no such file", "a.pmx：テクスチャb.png：no such file"},
        {"a: b.bmp: header at byte 0: no model: neither PMX nor PMD nor X",
         "a: b.bmp: header at byte 0：モデルではありません（PMX・PMD・Xのいずれでもない）"},
        {"a.pmx: texture b.png: there is no such file", "a.pmx：テクスチャb.pngがありません"},
        {"simulating 22 s of motion to reach frame 665, 10 s are done; without physics (--physics off) it is "
         "shown at once",
         "フレーム665までの物理演算を行っています（22秒のうち10秒まで完了）。物理演算をオフにすると、すぐに表"
         "示します"},
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

/* Reads the code of the program and the engine, without this table, into one text in which literals that
 * stand in several pieces are whole. */
static char *read_code(void)
{
    size_t size = 0, length = 0;
    char *code = NULL;
    FILE *files = popen("cd '" ODORI_SOURCE "' && find app engine -name '*.c' ! -name message_words.c "
                        "-exec cat {} +",
                        "r");
    assert_non_null(files);
    FILE *out = open_memstream(&code, &size);
    for (int c; (c = getc(files)) != EOF;)
        putc(c, out);
    assert_int_equal(pclose(files), 0);
    assert_int_equal(fclose(out), 0);
    for (size_t i = 0; i < size; i++) {
        size_t gap = code[i] == '"' && (i == 0 || code[i - 1] != '\\') ? strspn(code + i + 1, " \n") : 0;
        if (gap && code[i + 1 + gap] == '"')
            i += 1 + gap;
        else
            code[length++] = code[i];
    }
    code[length] = '\0';
    return code;
}

/* Undo and redo name their steps on the page Edit. The labels are those of tables of commands. */
static void labels_of_undo_have_japanese(void **state)
{
    (void)state;
    static const char *const begins[] = {"TABLE(\"", "mmd_command_table table = {.label = \"",
                                         "_table = {.label = \"", "        .label = \""};
    char *code = read_code(), label[100], out[100];
    size_t labels = 0;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        for (const char *at = code; (at = strstr(at, begins[i]));) {
            at += strlen(begins[i]);
            size_t length = strcspn(at, "\"");
            const char *next = at + length + 1 + strspn(at + length + 1, ", \n");
            if (strncmp(at + length, "\")", 2) != 0 && strncmp(next, ".set =", 6) != 0)
                continue; /* no command */
            snprintf(label, sizeof label, "%.*s", (int)length, at);
            if (!message_in_japanese(label, out, sizeof out))
                fail_msg("\"%s\" has no Japanese", label);
            labels++;
        }
    free(code);
    assert_true(labels > 20);
}

/* A message whose English has changed would silently stay English in Japanese panels. Messages are put
 * together from pieces, so each piece between names, numbers and punctuation is looked for. */
static void english_sentences_are_those_of_the_code(void **state)
{
    (void)state;
    static const char stops[] = "{}:,;\"";
    enum { SHORTEST = 8 };
    char *code = read_code();
    size_t pieces = 0;
    for (size_t i = 0; message_words_from(i); i++)
        for (const char *at = message_words_from(i); *at; at += strspn(at, stops)) {
            char piece[200];
            at += strspn(at, " ");
            size_t length = strcspn(at, stops);
            snprintf(piece, sizeof piece, "%.*s", (int)length, at);
            at += length;
            while (*piece && piece[strlen(piece) - 1] == ' ')
                piece[strlen(piece) - 1] = '\0';
            if (strlen(piece) < SHORTEST)
                continue;
            pieces++;
            if (!strstr(code, piece))
                fail_msg("no message has \"%s\"", piece);
        }
    assert_true(pieces > 50);
    free(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_told_in_japanese),
        cmocka_unit_test(other_messages_stay),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(labels_of_undo_have_japanese),
        cmocka_unit_test(english_sentences_are_those_of_the_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
