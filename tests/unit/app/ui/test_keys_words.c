/* Tests the list of keys for users: the group of each key, and its Japanese text. */
#include "document/bindings.h"
#include "ui/binding_help.h"
#include "support.h"

static void every_key_is_told_in_japanese(void **state)
{
    (void)state;
    key_bindings keys;
    binding_row rows[BINDINGS_MAX];
    bindings_init(&keys);
    size_t count = bindings_list(&keys, rows);
    for (size_t i = 0; i < count; i++)
        if (!binding_japanese(rows[i].command))
            fail_msg("%s (%s) has no Japanese", rows[i].keys, rows[i].command);
    assert_true(count > 40);
    assert_null(binding_japanese("view.ids model"));
    assert_null(binding_japanese(""));
}

static void every_text_belongs_to_a_key(void **state)
{
    (void)state;
    size_t count = 0;
    while (binding_help_at(count))
        assert_true(strlen(binding_help_at(count++)) > 0);
    assert_true(count > 40);
    assert_null(binding_help_at(count + 100));
}

static void keys_are_grouped_by_their_commands(void **state)
{
    (void)state;
    static const struct {
        const char *command;
        binding_group group;
    } known[] = {
        {"play.toggle", BINDINGS_TIME},
        {"play", BINDINGS_TIME},
        {"frame.step -1", BINDINGS_TIME},
        {"toggle play.loop", BINDINGS_TIME},
        {"playlist.next", BINDINGS_TIME},
        {"camera.view front", BINDINGS_CAMERA},
        {"toggle view.clay", BINDINGS_VIEW},
        {"undo", BINDINGS_EDIT},
        {"physics off", BINDINGS_EDIT},
        {"physics.reset", BINDINGS_EDIT},
        {"paste", BINDINGS_EDIT},
        {"toggle keys", BINDINGS_WINDOW},
        {"undone", BINDINGS_WINDOW},
        {"toggle ", BINDINGS_WINDOW},
        {"", BINDINGS_WINDOW},
        {"player", BINDINGS_WINDOW},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (binding_group_of(known[i].command) != known[i].group)
            fail_msg("\"%s\" is of group %d", known[i].command, (int)binding_group_of(known[i].command));
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
