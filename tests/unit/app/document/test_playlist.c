/* Tests the user's own playlist and the memory of the last scene, which are kept in the state folder. */
#define _GNU_SOURCE
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "document/last.h"
#include "document/playlist.h"
#include "mmd/memory.h"

static char root[64];

static const char *at(const char *name)
{
    static char paths[4][MMD_FILE_PATH_MAX];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, MMD_FILE_PATH_MAX, "%s/odori/%s", root, name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *out = fopen(at(name), "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void assert_file(const char *name, const char *wanted)
{
    char text[256] = "";
    FILE *in = fopen(at(name), "r");
    assert_non_null(in);
    assert_true(fread(text, 1, sizeof text - 1, in) > 0);
    fclose(in);
    assert_string_equal(text, wanted);
}

static int make_root(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "/tmp/odori-list-XXXXXX");
    if (!mkdtemp(root))
        return -1;
    setenv("XDG_STATE_HOME", root, 1);
    return mkdir(at(""), 0700) || mkdir(at(PLAYLIST_FOLDER), 0700);
}

static int remove_root(void **state)
{
    char command[192];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

static void the_own_playlist_is_kept(void **state)
{
    odori_playlist list;
    char label[PLAYLIST_LABEL_MAX], picture[MMD_FILE_PATH_MAX], other[MMD_FILE_PATH_MAX];
    uint64_t blocks = mmd_heap_blocks_in_use();
    (void)state;
    assert_int_equal(playlist_read_own(&list, NULL), MMD_OK);
    assert_true(list.is_own && list.count == 0);
    snprintf(picture, sizeof picture, "%s", at(PLAYLIST_FOLDER "/rin \"1\" - dance.png"));
    snprintf(other, sizeof other, "%s/elsewhere.png", root);
    put(PLAYLIST_FOLDER "/rin \"1\" - dance.png", "");
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
    assert_string_equal(label, "rin \"1\" - dance");
    /* Only pictures of the state folder go with their entries. */
    playlist_remove(&list, 1);
    assert_int_equal(list.at, 0);
    playlist_delete_picture(other);
    assert_int_equal(access(other, F_OK), 0);
    assert_true(playlist_save_own(&list, other));
    playlist_remove(&list, 0);
    playlist_delete_picture(picture);
    assert_int_not_equal(access(picture, F_OK), 0);
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
    unlink(at(PLAYLIST_FOLDER ".txt"));
    assert_int_equal(playlist_parse(text, strlen(text), "lists", &list, NULL), MMD_OK);
    assert_int_equal(list.entries[0].scene.files.items[0].kind, INPUT_LISTED);
    playlist_label(&list, 0, label);
    assert_string_equal(label, "miku - first dance");
    assert_true(playlist_add_picture(&list, "own.png", NULL));
    assert_int_equal(list.entries[1].scene.files.items[0].kind, INPUT_FILE);
    assert_true(playlist_save_own(&list, NULL));
    assert_int_not_equal(access(at(PLAYLIST_FOLDER ".txt"), F_OK), 0);
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

/* Players that add and move at the same time wait for each other. */
static void no_player_overwrites_another(void **state)
{
    enum { ADDED = 100, PLAYERS = 3 };
    odori_playlist list;
    char name[32];
    (void)state;
    for (int p = 1; p < PLAYERS; p++)
        if (fork() == 0) {
            bool added = true;
            for (int i = 0; i < ADDED; i++) {
                snprintf(name, sizeof name, "/%d-%d.png", p, i);
                added = playlist_append_own(name, NULL) && added;
            }
            _exit(added ? 0 : 1);
        }
    assert_int_equal(playlist_read_own(&list, NULL), MMD_OK);
    for (int ended = 1; ended < PLAYERS;) {
        int status = 0;
        assert_true(playlist_save_own(&list, NULL));
        while (waitpid(-1, &status, WNOHANG) > 0) {
            assert_int_equal(status, 0);
            ended++;
        }
    }
    assert_true(playlist_save_own(&list, NULL));
    assert_int_equal(list.count, ADDED * (PLAYERS - 1));
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
    assert_int_not_equal(access(at("last.png"), F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_own_playlist_is_kept, make_root, remove_root),
        cmocka_unit_test_setup_teardown(other_playlists_are_left_alone, make_root, remove_root),
        cmocka_unit_test_setup_teardown(two_players_share_the_own_playlist, make_root, remove_root),
        cmocka_unit_test_setup_teardown(no_player_overwrites_another, make_root, remove_root),
        cmocka_unit_test_setup_teardown(the_last_scene_is_known, make_root, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
