/* Tests the list of keys for users: the group of each key, and its Japanese text. */
#include "document/bindings.h"
#include "ui/binding_help.h"
#include "support.h"

static void every_key_is_told_in_japanese(void **state)
{
    (void)state;
    key_bindings keys;
    binding_row rows[BINDINGS_MAX];
    for (int set = 0; set < KEY_SETS; set++) {
        bindings_init_set(&keys, (key_set)set);
        size_t count = bindings_list(&keys, rows);
        for (size_t i = 0; i < count; i++) {
            if (!binding_japanese(rows[i].command))
                fail_msg("%s (%s) has no Japanese", rows[i].keys, rows[i].command);
            if (strcmp(rows[i].help, rows[i].command) == 0)
                fail_msg("%s (%s) has no English", rows[i].keys, rows[i].command);
        }
        assert_true(count > 40);
    }
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

/* Returns whether the reference lists a command, as its first word. A test compares it with the table. */
static bool is_command(const char *reference, const char *line)
{
    char name[80];
    if (strncmp(line, "toggle ", 7) == 0)
        return is_command(reference, line + 7);
    snprintf(name, sizeof name, "`%.*s", (int)strcspn(line, " "), line);
    const char *at = strstr(reference, name);
    while (at && !strchr("` ", at[strlen(name)]))
        at = strstr(at + 1, name);
    return at != NULL;
}

static void every_set_binds_each_key_once_to_a_command(void **state)
{
    (void)state;
    mmd_bytes bytes = {0};
    assert_int_equal(mmd_file_read(ODORI_SOURCE "/docs/commands.md", &bytes, NULL), MMD_OK);
    char *reference = calloc(bytes.size + 1, 1), why[128], line[2 * KEY_COMMAND_MAX];
    memcpy(reference, bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    assert_false(is_command(reference, "frame"));
    for (int set = 0; set < KEY_SETS; set++) {
        key_bindings keys, read = {0};
        bindings_init_set(&keys, (key_set)set);
        for (size_t i = 0; i < keys.count; i++) {
            const key_binding *e = &keys.entries[i];
            for (size_t k = 0; k < i; k++)
                assert_string_not_equal(keys.entries[k].key, e->key);
            if (!is_command(reference, e->command))
                fail_msg("%s: %s is no command", bindings_set_name((key_set)set), e->command);
            snprintf(line, sizeof line, "%s %s", e->key, e->command);
            assert_int_equal(bindings_read(&read, line, strlen(line), why, sizeof why), 0);
            assert_string_equal(read.entries[read.count - 1].key,
                                e->key); /* the key's name in its normal form */
        }
        assert_int_equal(read.count, keys.count);
    }
    free(reference);
}

static const char *command_of(const key_bindings *keys, int modifiers, const char *name)
{
    const key_binding *e = bindings_find(keys, modifiers, name);
    return e ? e->command : "";
}

static void sets_differ_and_the_users_keys_lie_over_them(void **state)
{
    (void)state;
    static const char mine[] = "X quit\nEnter none\n";
    char why[128];
    key_bindings keys;
    key_set set;
    bindings_init(&keys);
    assert_int_equal(keys.set, KEYS_OF_ODORI);
    assert_string_equal(command_of(&keys, 0, "X"), "gizmo.space next");
    assert_string_equal(command_of(&keys, 0, "Num1"), "camera.view front");
    assert_null(bindings_find(&keys, 0, "Enter"));
    assert_true(bindings_find_set("mmd", &set));
    bindings_init_set(&keys, set);
    assert_int_equal(keys.set, KEYS_OF_MMD);
    assert_string_equal(command_of(&keys, 0, "X"), "gizmo.mode rotate");
    assert_string_equal(command_of(&keys, 0, "Enter"), "key.set");
    assert_string_equal(command_of(&keys, KEY_CONTROL, "Right"), "frame.key 1");
    assert_true(bindings_find(&keys, KEY_CONTROL, "Right")->repeats);
    assert_string_equal(command_of(&keys, 0, "F1"), "toggle keys"); /* what MMD does not have stays */
    assert_null(bindings_find(&keys, 0, "Num1"));
    assert_int_equal(bindings_read(&keys, mine, strlen(mine), why, sizeof why), 0);
    assert_string_equal(command_of(&keys, 0, "X"), "quit");
    assert_null(bindings_find(&keys, 0, "Enter"));
    assert_true(bindings_find_set("blender", &set));
    bindings_init_set(&keys, set);
    assert_string_equal(command_of(&keys, 0, "G"), "gizmo.mode translate");
    assert_string_equal(command_of(&keys, KEY_ALT, "I"), "key.remove");
    assert_string_equal(command_of(&keys, 0, "Num3"), "camera.view right");
    assert_string_equal(bindings_key_of(&keys, "edit.controller"), "Ctrl+Up");
    assert_null(bindings_key_of(&keys, "view.ids model"));
    assert_false(bindings_find_set("maya", &set));
    assert_string_equal(bindings_set_name(KEYS_OF_ODORI), "odori");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_told_in_japanese),
        cmocka_unit_test(every_text_belongs_to_a_key),
        cmocka_unit_test(keys_are_grouped_by_their_commands),
        cmocka_unit_test(every_set_binds_each_key_once_to_a_command),
        cmocka_unit_test(sets_differ_and_the_users_keys_lie_over_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
