/* The list of keys for people: whose each is, and in Japanese. */
#include "document/bindings.h"
#include "ui/binding_help.h"
#include "support.h"

static void every_key_is_told_in_japanese(void **state)
{
    (void)state;
    odori_keys keys;
    keys_row row;
    size_t count = 0;
    keys_init(&keys);
    for (; keys_list(&keys, count, &row); count++)
        if (!keys_japanese(row.command))
            fail_msg("%s (%s) has no Japanese", row.keys, row.command);
    assert_true(count > 40);
    assert_null(keys_japanese("view.ids model"));
    assert_null(keys_japanese(""));
}

static void every_text_belongs_to_a_key(void **state)
{
    (void)state;
    size_t count = 0;
    while (keys_words_at(count))
        assert_true(strlen(keys_words_at(count++)) > 0);
    assert_true(count > 40);
    assert_null(keys_words_at(count + 100));
}

static void keys_are_grouped_by_their_commands(void **state)
{
    (void)state;
    static const struct {
        const char *command;
        keys_group group;
    } known[] = {
        {"play.toggle", KEYS_TIME},      {"play", KEYS_TIME},          {"frame.step -1", KEYS_TIME},
        {"toggle play.loop", KEYS_TIME}, {"playlist.next", KEYS_TIME}, {"camera.view front", KEYS_CAMERA},
        {"toggle view.clay", KEYS_VIEW}, {"undo", KEYS_EDIT},          {"physics off", KEYS_EDIT},
        {"physics.reset", KEYS_EDIT},    {"paste", KEYS_EDIT},         {"toggle keys", KEYS_WINDOW},
        {"undone", KEYS_WINDOW},         {"toggle ", KEYS_WINDOW},     {"", KEYS_WINDOW},
        {"player", KEYS_WINDOW},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (keys_group_of(known[i].command) != known[i].group)
            fail_msg("\"%s\" is of group %d", known[i].command, (int)keys_group_of(known[i].command));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_told_in_japanese),
        cmocka_unit_test(every_text_belongs_to_a_key),
        cmocka_unit_test(keys_are_grouped_by_their_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
