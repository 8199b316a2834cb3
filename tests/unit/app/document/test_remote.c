/* Tests that no file makes Windows contact a server: what a picture, a playlist and a suite name. On other
 * systems the same names are files of this machine, and missing. */
#include "support.h"

#include <string.h>
#include <unistd.h>

#include "check/suite.h"
#include "document/playlist.h"
#include "folder.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "recipe/provenance.h"

static char folder[MMD_FILE_PATH_MAX];

static int make_folder(void **state)
{
    (void)state;
    test_folder_make(folder);
    return chdir(folder); /* as most people call it: the folder is "." */
}

static int remove_folder(void **state)
{
    (void)state;
    int left = chdir("/");
    test_folder_remove(folder);
    return left;
}

/* Ways to name a file of a server, for JSON and for a playlist's quotes alike, where '\' is doubled. */
static const char *const servers[] = {
    "\\\\\\\\no-server\\\\share\\\\a.pmx",
    "//no-server/share/a.pmx",
    "\\\\\\\\?\\\\UNC\\\\no-server\\\\share\\\\a.pmx",
    "\\\\\\\\.\\\\pipe\\\\a.pmx",
    "/\\\\no-server/share/a.pmx",
};
enum { SERVERS = sizeof servers / sizeof *servers };

static mmd_status read_picture(const char *server, const char *picture, const char *search, bool is_own,
                               mmd_error *error)
{
    char text[1024];
    const char *folders[] = {search};
    const text_list list = {folders, search ? 1 : 0};
    const provenance_search places = {.picture = picture, .folders = &list, .is_own = is_own};
    mmd_arena arena = {0};
    recipe r;
    snprintf(text, sizeof text,
             "{\"format\":1,\"models\":[{\"path\":\"%s\",\"hash\":\"0123456789abcdef\"}],\"motions\":[],"
             "\"frame\":0,\"size\":[32,24],\"view\":{}}",
             server);
    *error = (mmd_error){0};
    mmd_status status = provenance_read(text, &places, &arena, &r, error);
    mmd_arena_finish(&arena);
    return status;
}

static void pictures_name_no_servers(void **state)
{
    mmd_error error;
    (void)state;
    for (size_t i = 0; i < SERVERS; i++) {
        assert_int_equal(read_picture(servers[i], "a.png", NULL, false, &error),
                         test_is_windows() ? MMD_ERROR_REFUSED : MMD_OK);
        assert_true(!test_is_windows() || strstr(error.message, "on another computer"));
        assert_int_equal(read_picture(servers[i], "a.png", "", false, &error),
                         test_is_windows() ? MMD_ERROR_REFUSED : MMD_OK);
    }
    /* What the program wrote for itself names what the user opened. A picture on a share names what lies
     * there: the name ".invalid" belongs to no server. */
    assert_int_equal(read_picture("//no-server.invalid/share/a.pmx", "a.png", NULL, true, &error), MMD_OK);
    assert_int_equal(read_picture("//no-server.invalid/share/a.pmx", "//no-server.invalid/share/b/a.png",
                                  NULL, false, &error),
                     MMD_OK);
}

static void playlists_name_no_servers(void **state)
{
    static const char *const options[] = {
        "", "a.pmx --motion ", "a.pmx --audio ", "a.pmx --camera ", "a.pmx --stage ", "a.pmx --pose "};
    (void)state;
    for (size_t i = 0; i < SERVERS * sizeof options / sizeof *options; i++) {
        char text[256];
        mmd_error error = {0};
        odori_playlist list = {0};
        int size = snprintf(text, sizeof text, "%s\"%s\"\n", options[i / SERVERS], servers[i % SERVERS]);
        assert_int_equal(playlist_parse(text, (size_t)size, "", &list, &error),
                         test_is_windows() ? MMD_ERROR_REFUSED : MMD_OK);
        assert_true(!test_is_windows() || strstr(error.message, "line 1: a file on another computer"));
        playlist_finish(&list);
        list = (odori_playlist){.is_own = true};
        assert_int_equal(playlist_parse(text, (size_t)size, "", &list, NULL), MMD_OK);
        playlist_finish(&list);
    }
    odori_playlist list = {0};
    static const char beside[] = "//no-server/share/a.pmx\nb.pmx\n";
    assert_int_equal(playlist_parse(beside, strlen(beside), "//no-server/share/lists", &list, NULL), MMD_OK);
    playlist_finish(&list);
    list = (odori_playlist){0};
    static const char below[] = "no-server/share/a.pmx\n";
    assert_int_equal(playlist_parse(below, strlen(below), "/", &list, NULL), MMD_OK);
    assert_string_equal(list.entries[0].scene.files.items[0].path, "/no-server/share/a.pmx");
    playlist_finish(&list);
}

/* Reads a suite with these members of its only scene. */
static void read_suite(const char *members, problem *why)
{
    char text[1024];
    static const text_list no_roots;
    const suite_opening how = {.path = "suite.json", .roots = &no_roots, .option = "--root"};
    suite s;
    int size = snprintf(text, sizeof text, "{\"scenes\":[{\"name\":\"a\",%s,\"frames\":0}]}", members);
    assert_int_equal(mmd_file_write("suite.json", text, (size_t)size, NULL), MMD_OK);
    why->code = EXIT_DONE;
    why->text[0] = '\0';
    assert_false(suite_read(&s, &how, why));
    suite_finish(&s);
}

static void suites_name_no_servers(void **state)
{
    static const char *const around[][2] = {
        {"\"model\":\"", "\""},
        {"\"model\":\"dancer\",\"motion\":\"", "\""},
        {"\"model\":\"", "*\""},
        {"\"model\":[\"", "/*.pmx\"]"},
        {"\"model\":\"dancer\",\"stage\":\"", "\""},
        {"\"model\":\"dancer\",\"mask\":[{\"picture\":\"", "\"}]"},
    };
    static problem why;
    (void)state;
    for (size_t i = 0; i < SERVERS * sizeof around / sizeof *around; i++) {
        char members[512];
        const char *const *parts = around[i / SERVERS];
        snprintf(members, sizeof members, "%s%s%s", parts[0], servers[i % SERVERS], parts[1]);
        read_suite(members, &why);
        assert_int_equal(why.code, EXIT_INPUT);
        /* A pattern with backslashes matches names in the suite's folder only. */
        const bool is_pattern = strpbrk(members, "*?") != NULL;
        if (test_is_windows() && !strstr(why.text, "is on another computer") &&
            !(is_pattern && strstr(why.text, "no file matches")))
            fail_msg("%s: %s", members, why.text);
    }
    /* A name behind ** that begins anew at a server is not looked at. */
    read_suite("\"model\":\"**/\\\\\\\\no-server\\\\share\\\\a.pmx\"", &why);
    assert_non_null(strstr(why.text, "no file matches"));
    read_suite("\"model\":\"**///no-server/share/a.pmx\"", &why);
    assert_int_equal(why.code, EXIT_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_name_no_servers),
        cmocka_unit_test(playlists_name_no_servers),
        cmocka_unit_test(suites_name_no_servers),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
