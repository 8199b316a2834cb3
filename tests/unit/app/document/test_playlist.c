/* Tests the user's own playlist and the memory of the last scene, which are kept in the state folder. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/system.h"
#include "document/last.h"
#include "document/playlist.h"
#include "folder.h"
#include "mmd/memory.h"

static char root[MMD_FILE_PATH_MAX];

static const char *at(const char *name)
{
    static char paths[4][MMD_FILE_PATH_MAX];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, MMD_FILE_PATH_MAX, "%.4000s/odori/%s", root, name);
    return path;
}

static void put(const char *name, const char *text)
{
    int file = platform_open(at(name), PLATFORM_WRITE | PLATFORM_CREATE | PLATFORM_EMPTY, 0666);
    assert_true(file >= 0 && system_write(file, text, strlen(text)));
    close(file);
}

static void assert_file(const char *name, const char *wanted)
{
    mmd_bytes bytes;
    assert_int_equal(mmd_file_read(at(name), &bytes, NULL), MMD_OK);
    assert_int_equal(bytes.size, strlen(wanted));
    assert_memory_equal(bytes.data, wanted, bytes.size);
    mmd_bytes_finish(&bytes);
}

static int make_root(void **state)
{
    (void)state;
    test_folder_make(root);
    bool made = system_set_variable(test_is_windows() ? "LOCALAPPDATA" : "XDG_STATE_HOME", root) &&
                platform_make_folder(at(""), 0700) && platform_make_folder(at(PLAYLIST_FOLDER), 0700);
    return made ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    test_folder_remove(root);
    return 0;
}

static void the_own_playlist_is_kept(void **state)
{
    odori_playlist list;
    char label[PLAYLIST_LABEL_MAX], picture[MMD_FILE_PATH_MAX], other[MMD_FILE_PATH_MAX];
    const char *own =
        test_is_windows() ? PLAYLIST_FOLDER "/rin '1' - dance.png" : PLAYLIST_FOLDER "/rin \"1\" - dance.png";
    uint64_t blocks = mmd_heap_blocks_in_use();
    (void)state;
    assert_int_equal(playlist_read_own(&list, NULL), MMD_OK);
    assert_true(list.is_own && list.count == 0);
    snprintf(picture, sizeof picture, "%s", at(own));
    snprintf(other, sizeof other, "%.4000s/elsewhere.png", root);
    put(own, "");
    put("../elsewhere.png", "");
    unsigned version = list.version;
    assert_true(playlist_add_picture(&list, picture, "/music/a song.wav"));
    assert_true(playlist_add_picture(&list, other, NULL));
    assert_true(list.version != version);
    assert_true(playlist_append_own(picture, "/music/a song.wav"));
    assert_true(playlist_append_own(other, NULL));
    playlist_finish(&list);
    /* The next start: the first entry follows. */
    assert_int_equal(playlist_read_own(&list, NULL), MMD_OK);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.at, 1);
    assert_string_equal(list.entries[0].scene.files.items[0].path, picture);
    assert_int_equal(list.entries[0].scene.files.items[0].kind, INPUT_FILE);
    assert_string_equal(list.entries[0].sound.path, "/music/a song.wav");
    assert_null(list.entries[1].sound.path);
    playlist_label(&list, 0, label);
    assert_string_equal(label, test_is_windows() ? "rin '1' - dance" : "rin \"1\" - dance");
    /* Only pictures of the state folder go with their entries. */
    playlist_remove(&list, 1);
    assert_int_equal(list.at, 0);
    playlist_delete_picture(other);
    assert_true(platform_exists(other));
    assert_true(playlist_save_own(&list, other));
    playlist_remove(&list, 0);
    playlist_delete_picture(picture);
    assert_false(platform_exists(picture));
    assert_int_equal(list.count, 0);
    assert_true(playlist_save_own(&list, picture));
    playlist_finish(&list);
    assert_int_equal(playlist_read_own(&list, NULL), MMD_OK);
    assert_true(list.is_own && list.count == 0);
    playlist_finish(&list);
    /* A damaged one stays as it is. */
    put(PLAYLIST_FOLDER ".txt", "a.png\n\"open");
    assert_int_equal(playlist_read_own(&list, NULL), MMD_ERROR_SYNTAX);
    assert_true(!list.is_own && list.count == 0);
    assert_true(playlist_save_own(&list, NULL));
    assert_true(playlist_append_own("b.png", NULL));
    assert_file(PLAYLIST_FOLDER ".txt", "a.png\n\"open\n\"b.png\"\n");
    playlist_finish(&list);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

/* Lists of files, which may come from anybody, cannot name pictures, and are not written. */
static void other_playlists_are_left_alone(void **state)
{
    static const char text[] = "miku.pmx --motion \"first dance.vmd\"\n";
    odori_playlist list = {0};
    char label[PLAYLIST_LABEL_MAX];
    (void)state;
    platform_remove(at(PLAYLIST_FOLDER ".txt"));
    assert_int_equal(playlist_parse(text, strlen(text), "lists", &list, NULL), MMD_OK);
    assert_int_equal(list.entries[0].scene.files.items[0].kind, INPUT_LISTED);
    playlist_label(&list, 0, label);
    assert_string_equal(label, "miku - first dance");
    assert_true(playlist_add_picture(&list, "own.png", NULL));
    assert_int_equal(list.entries[1].scene.files.items[0].kind, INPUT_FILE);
    assert_true(playlist_save_own(&list, NULL));
    assert_false(platform_exists(at(PLAYLIST_FOLDER ".txt")));
    playlist_finish(&list);
}

/* What another player adds and removes meanwhile holds, in both, beside a change of the order. */
static void two_players_share_the_own_playlist(void **state)
{
    odori_playlist list;
    uint64_t blocks = mmd_heap_blocks_in_use();
    (void)state;
    put(PLAYLIST_FOLDER ".txt", "/a.png\n/b.png --audio /b.ogg\n/c.png\n/d.png\n");
    assert_int_equal(playlist_read_own(&list, NULL), MMD_OK);
    list.at = 0;
    playlist_move(&list, 0, 2); /* b c a d */
    assert_int_equal(list.at, 2);
    playlist_move(&list, 3, 0); /* d b c a */
    assert_int_equal(list.at, 3);
    playlist_move(&list, 0, 3);
    assert_int_equal(list.at, 2);
    put(PLAYLIST_FOLDER ".txt", "/a.png\n/b.png --audio /b.ogg\n/d.png\n/e.png --audio \"/e 1.ogg\"\n");
    assert_true(playlist_save_own(&list, NULL));
    assert_file(PLAYLIST_FOLDER ".txt", "\"/b.png\" --audio \"/b.ogg\"\n\"/a.png\"\n\"/d.png\"\n"
                                        "\"/e.png\" --audio \"/e 1.ogg\"\n");
    assert_int_equal(list.count, 4);
    assert_int_equal(list.at, 1);
    assert_true(playlist_append_own("/f.png", NULL));
    playlist_remove(&list, 2);
    assert_true(playlist_save_own(&list, "/d.png"));
    assert_int_equal(list.count, 4);
    assert_string_equal(list.entries[3].scene.files.items[0].path, "/f.png");
    put(PLAYLIST_FOLDER ".txt", "\"open");
    assert_false(playlist_save_own(&list, NULL));
    assert_file(PLAYLIST_FOLDER ".txt", "\"open");
    playlist_finish(&list);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

enum { ADDED = 100, PLAYERS = 3 };

/* Another player, in a process of its own: adds pictures. Returns its exit code. */
static int add_pictures(const char *player)
{
    char name[32];
    bool added = true;
    for (int i = 0; i < ADDED; i++) {
        snprintf(name, sizeof name, "/%.8s-%d.png", player, i);
        added = playlist_append_own(name, NULL) && added;
    }
    return added ? 0 : 1;
}

/* Players that add and move at the same time wait for each other. */
static void no_player_overwrites_another(void **state)
{
    odori_playlist list;
    char program[MMD_FILE_PATH_MAX], player[8];
    system_process others[PLAYERS];
    (void)state;
    assert_true(system_program_path(program));
    for (int p = 1; p < PLAYERS; p++) {
        snprintf(player, sizeof player, "%d", p);
        const char *const arguments[] = {program, player, NULL};
        const system_start how = {.files = {-1, 1, 2, -1, -1}};
        assert_true(system_process_start(&others[p], arguments, &how));
    }
    assert_int_equal(playlist_read_own(&list, NULL), MMD_OK);
    for (int p = 1, code = 0; p < PLAYERS; p++) {
        while (!system_process_has_ended(&others[p], &code))
            assert_true(playlist_save_own(&list, NULL));
        assert_int_equal(code, 0);
    }
    assert_true(playlist_save_own(&list, NULL));
    assert_int_equal(list.count, ADDED * (PLAYERS - 1));
    playlist_finish(&list);
}

/* Lists that were written on another system name their files with its separators and ends of lines. */
static void either_separator_names_files(void **state)
{
    static const char text[] = "models\\miku.pmx --motion \"..\\motions\\first dance.vmd\"\r\n"
                               "/models/rin.pmx\r\n";
    odori_playlist list = {0};
    (void)state;
    assert_int_equal(playlist_parse(text, strlen(text), "lists", &list, NULL), MMD_OK);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.entries[0].scene.files.items[0].path, "lists/models/miku.pmx");
    assert_string_equal(list.entries[0].scene.motions.items[0].path, "lists/../motions/first dance.vmd");
    assert_string_equal(list.entries[1].scene.files.items[0].path, "/models/rin.pmx");
    playlist_finish(&list);
}

static void the_last_scene_is_known(void **state)
{
    last_scene last = {.name = "miku.pmx", .sound = "/music/a song.wav"}, found;
    (void)state;
    assert_false(last_scene_find(&found));
    last_scene_note(&last);
    assert_false(last_scene_find(&found)); /* without its picture there is none */
    put("last.png", "");
    assert_true(last_scene_find(&found));
    assert_string_equal(found.picture, at("last.png"));
    assert_string_equal(found.name, "miku.pmx");
    assert_string_equal(found.sound, "/music/a song.wav");
    last.sound[0] = '\0';
    last_scene_note(&last);
    assert_true(last_scene_find(&found) && !*found.sound);
    put("last", "");
    assert_false(last_scene_find(&found));
    last_scene_note(&last);
    last_scene_forget();
    assert_false(last_scene_find(&found));
    assert_false(platform_exists(at("last.png")));
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return add_pictures(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_own_playlist_is_kept, make_root, remove_root),
        cmocka_unit_test_setup_teardown(other_playlists_are_left_alone, make_root, remove_root),
        cmocka_unit_test_setup_teardown(two_players_share_the_own_playlist, make_root, remove_root),
        cmocka_unit_test_setup_teardown(no_player_overwrites_another, make_root, remove_root),
        cmocka_unit_test(either_separator_names_files),
        cmocka_unit_test_setup_teardown(the_last_scene_is_known, make_root, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
