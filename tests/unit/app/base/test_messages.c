/* Tests the messages of the player: which are shown over the picture, and how long. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "base/message.h"

static panel_log messages;
static panel_message list[PANEL_LOG_LINES];

static void ignore(void *user, mmd_log_level level, const char *text)
{
    (void)user, (void)level, (void)text;
}

/* Begins an empty log. Returns the log of the engine that writes to it. */
static mmd_log begin(void)
{
    const mmd_log quiet = {.write = ignore, .level = MMD_LOG_INFO};
    return panel_log_start(&messages, &quiet);
}

static bool is_open(size_t number)
{
    size_t count = panel_log_messages(&messages, list);
    for (size_t i = 0; i < count; i++)
        if (list[i].number == number)
            return list[i].is_open;
    return false;
}

static void news_ends_and_errors_stay(void **state)
{
    (void)state;
    begin();
    panel_log_put(&messages, MESSAGE_NEWS, "news");
    panel_log_put(&messages, MESSAGE_REFUSAL, "refusal");
    panel_log_put(&messages, MESSAGE_ERROR, "error");
    panel_log_put(&messages, MESSAGE_EDIT, "edit");
    assert_int_equal(panel_log_messages(&messages, list), 4);
    assert_true(list[0].is_open && list[1].is_open && list[2].is_open && !list[3].is_open);
    unsigned changes = panel_log_changes(&messages);
    assert_true(panel_log_expire(&messages, 1000) == 5);
    assert_true(panel_log_expire(&messages, 1004.5) == 0.5);
    assert_int_equal(panel_log_changes(&messages), changes);
    assert_true(panel_log_expire(&messages, 1005) == 3);
    assert_true(panel_log_changes(&messages) != changes);
    assert_true(!is_open(0) && is_open(1) && is_open(2));
    assert_true(isinf(panel_log_expire(&messages, 1008)));
    assert_true(!is_open(1) && is_open(2));
    assert_true(isinf(panel_log_expire(&messages, 1e9)));
    assert_true(is_open(2));
}

static void messages_are_closed_by_number_and_by_escape(void **state)
{
    (void)state;
    begin();
    panel_log_put(&messages, MESSAGE_NEWS, "news");
    assert_false(panel_log_close_errors(&messages));
    assert_true(is_open(0));
    panel_log_put(&messages, MESSAGE_ERROR, "error");
    assert_true(panel_log_close(&messages, 1));
    assert_false(panel_log_close(&messages, 1));
    assert_false(panel_log_close(&messages, 2));
    assert_true(is_open(0) && !is_open(1));
    panel_log_put(&messages, MESSAGE_ERROR, "error"); /* the last one again */
    assert_true(is_open(1));
    assert_int_equal(panel_log_messages(&messages, list), 2);
    assert_true(panel_log_close_errors(&messages));
    assert_true(!is_open(0) && !is_open(1));
    assert_false(panel_log_close_all(&messages));
    panel_log_put(&messages, MESSAGE_NEWS, "other news");
    assert_true(panel_log_close_all(&messages));
    assert_false(is_open(2));
}

static void old_messages_give_way(void **state)
{
    (void)state;
    char text[40];
    begin();
    for (int i = 0; i < PANEL_LOG_LINES + 10; i++) {
        snprintf(text, sizeof text, "error %d", i);
        panel_log_put(&messages, MESSAGE_ERROR, text);
    }
    assert_int_equal(panel_log_messages(&messages, list), PANEL_LOG_LINES);
    assert_string_equal(list[0].text, "error 10");
    assert_int_equal(list[0].number, 10);
    assert_false(panel_log_close(&messages, 9));
    assert_true(panel_log_close(&messages, 10));
}

static void the_engine_writes_to_it(void **state)
{
    (void)state;
    mmd_log log = begin();
    mmd_log_message(&log, MMD_LOG_INFO, "information");
    mmd_log_message(&log, MMD_LOG_WARNING, "warning");
    mmd_log_message(&log, MMD_LOG_ERROR, "error");
    assert_int_equal(panel_log_messages(&messages, list), 3);
    assert_int_equal(list[0].kind, MESSAGE_LOG);
    assert_int_equal(list[1].kind, MESSAGE_WARNING);
    assert_int_equal(list[2].kind, MESSAGE_ERROR);
    assert_false(list[0].is_open);
}

/* Asserts what a message becomes when it is shown. */
static void assert_brief(const char *text, const char *wanted)
{
    char out[256];
    assert_int_equal(message_brief(text, out, sizeof out), strcmp(text, wanted) != 0);
    assert_string_equal(out, wanted);
}

static void paths_are_shown_as_names(void **state)
{
    (void)state;
    char out[9];
    assert_brief("/home/me/miku.pmx: there is no such file", "miku.pmx: there is no such file");
    assert_brief("/home/me/My Dances/a b.vmd: not a motion", "a b.vmd: not a motion");
    assert_brief("theirs/dancer.pmx: reloaded", "dancer.pmx: reloaded");
    assert_brief("../miku.pmx: using tex/../a.pmx", "miku.pmx: using tex/../a.pmx");
    assert_brief("saved /home/me/My Dances/a.vmd", "saved a.vmd");
    assert_brief("\"/home/me: you/a; b.so\" is loaded, \"./c/d.so\" too",
                 "\"a; b.so\" is loaded, \"d.so\" too");
    assert_brief("初音ミク: texture tex/hair.png: there is no such file",
                 "初音ミク: texture tex/hair.png: there is no such file");
    assert_brief("on/off is not a number", "off is not a number");
    assert_brief("loop on / off", "loop on / off");
    assert_brief("/home/me/: the folder cannot be read", "/home/me/: the folder cannot be read");
    assert_brief("", "");
    assert_true(message_brief("/a/ミクミク.pmx", out, sizeof out));
    assert_string_equal(out, "ミク");
}

static void a_warning_is_told_once(void **state)
{
    (void)state;
    mmd_log log = begin();
    mmd_log_message(&log, MMD_LOG_WARNING, "no face.tga");
    mmd_log_message(&log, MMD_LOG_WARNING, "no hair.tga");
    assert_true(panel_log_expire(&messages, 1000) == 8);
    panel_log_expire(&messages, 1008);
    assert_true(!is_open(0) && !is_open(1));
    mmd_log_message(&log, MMD_LOG_WARNING, "no face.tga");
    mmd_log_message(&log, MMD_LOG_WARNING, "no hair.tga");
    assert_int_equal(panel_log_messages(&messages, list), 2);
    assert_true(!list[0].is_open && !list[1].is_open);
    panel_log_put(&messages, MESSAGE_REFUSAL, "no face.tga"); /* others are told again */
    assert_true(is_open(2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(news_ends_and_errors_stay),
        cmocka_unit_test(messages_are_closed_by_number_and_by_escape),
        cmocka_unit_test(old_messages_give_way),
        cmocka_unit_test(the_engine_writes_to_it),
        cmocka_unit_test(paths_are_shown_as_names),
        cmocka_unit_test(a_warning_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
