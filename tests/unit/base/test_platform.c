/* Tests the platform layer (mmd/platform.h), on each system that has one. */
#include "folder.h"
#include "support.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

enum { PATH = MMD_FILE_PATH_MAX + 512 };

static char folder[MMD_FILE_PATH_MAX];

static int make_folder(void **state)
{
    (void)state;
    test_folder_make(folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    test_folder_remove(folder);
    return 0;
}

/* Writes the path of a file of the test to a buffer that later calls overwrite in turn. */
static const char *in(const char *name)
{
    static char texts[4][PATH];
    static int next;
    char *text = texts[next++ % 4];
    assert_true(snprintf(text, PATH, "%s/%s", folder, name) < PATH);
    return text;
}

static void put(const char *path, const char *text)
{
    int file = platform_open(path, PLATFORM_WRITE | PLATFORM_CREATE | PLATFORM_EMPTY, 0666);
    if (file < 0)
        fail_msg("%s: %s", path, strerror(errno));
    assert_int_equal(write(file, text, (unsigned)strlen(text)), strlen(text));
    assert_int_equal(close(file), 0);
}

static void assert_text(int file, const char *text)
{
    char got[64] = "";
    assert_int_equal(read(file, got, sizeof got - 1), strlen(text));
    assert_string_equal(got, text);
}

static void assert_file(const char *path, const char *text)
{
    int file = platform_open(path, PLATFORM_READ, 0);
    if (file < 0)
        fail_msg("%s: %s", path, strerror(errno));
    assert_text(file, text);
    close(file);
}

/* --- Paths --- */

static void roots_are_told(void **state)
{
    static const struct {
        const char *path;
        size_t posix, windows;
    } cases[] = {
        {"", 0, 0},      {"a", 0, 0},           {"a/b", 0, 0},  {"/", 1, 1},
        {"/a", 1, 1},    {"C:/", 0, 3},         {"C:/a", 0, 3}, {"C:a", 0, 0},
        {"z:\\a", 0, 3}, {"//server/s", 1, 10}, {"1:/a", 0, 0}, {"//server/share/a", 1, 15},
        {"C:", 0, 0},    {"\\a", 0, 1},         {"é:/", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t root = platform_path_root(cases[i].path);
        if (root != (test_is_windows() ? cases[i].windows : cases[i].posix))
            fail_msg("%s: %zu", cases[i].path, root);
    }
}

static void paths_are_tidied(void **state)
{
    static const char *const cases[][2] = {{"C:\\a\\b.pmx", "C:/a/b.pmx"},
                                           {"a/b\\c", "a/b/c"},
                                           {"\\\\?\\C:\\a", "C:/a"},
                                           {"\\\\?\\UNC\\server\\a", "//server/a"},
                                           {"", ""}};
    char path[64];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(path, sizeof path, "%s", cases[i][0]);
        platform_path_tidy(path);
        assert_string_equal(path, cases[i][test_is_windows()]);
    }
}

/* The texts are judged on every system, but only Windows acts on it. */
static void shares_and_devices_are_told_from_files(void **state)
{
    static const struct {
        const char *path;
        bool is_remote;
    } rows[] = {
        {"", false},
        {"a", false},
        {"a//b", false},
        {"a\\\\b", false},
        {"/a/b", false},
        {"\\a", false},
        {"C:/a", false},
        {"C:\\\\server\\a", false},
        {"\\\\?\\C:\\a", false},
        {"//?/c:/a", false},
        {"\\\\server\\share\\a", true},
        {"//server/share/a", true},
        {"/\\server/share", true},
        {"\\/server\\share", true},
        {"//server", true},
        {"//", true},
        {"///server/share", true},
        {"\\\\?\\UNC\\server\\share\\a", true},
        {"//?/unc/server/share", true},
        {"\\\\.\\UNC\\server\\share", true},
        {"\\\\?\\C:", true},
        {"\\\\?\\\\\\server\\share", true},
        {"\\\\?\\GLOBALROOT\\Device\\Mup\\server\\share", true},
        {"\\\\.\\pipe\\a", true},
        {"//./C:/a", true},
        {"\\\\127.0.0.1@80\\share", true},
        {"\\??\\UNC\\server\\share", true},
        {"/?\?/C:/a", true},
        {"/?a/b", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (platform_windows_is_remote(rows[i].path) != rows[i].is_remote)
            fail_msg("%s: %d", rows[i].path, !rows[i].is_remote);
        assert_int_equal(platform_path_is_remote(rows[i].path, folder),
                         rows[i].is_remote && test_is_windows());
        assert_int_equal(platform_path_is_remote(rows[i].path, ""), rows[i].is_remote && test_is_windows());
    }
}

static void a_file_on_a_share_may_name_others_there(void **state)
{
    static const struct {
        const char *path, *folder;
        bool is_same;
    } rows[] = {
        {"//server/share/a", "//server/share", true},
        {"\\\\SERVER\\Share\\a", "//server/share/b/c", true},
        {"\\\\?\\UNC\\server\\share\\a", "//server/share/b", true},
        {"//server/share/../a", "//server/share/b", true},
        {"//server/share2/a", "//server/share", false},
        {"//server/shar", "//server/share", false},
        {"//server2/share/a", "//server/share", false},
        {"//server@80/share/a", "//server/share", false},
        {"//server/../share", "//server/share", false},
        {"//server/..", "//server/..", false},
        {"//./pipe/a", "//./pipe/b", false},
        {"//?/UNC//server/share", "//server/share", false},
        {"//?/GLOBALROOT/a", "//?/GLOBALROOT/b", false},
        {"//server", "//server", false},
        {"//server/", "//server/", false},
        {"C:/a", "C:/", false},
        {"a", "b", false},
        {"//server/share/a", "C:/b", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (platform_windows_same_share(rows[i].path, rows[i].folder) != rows[i].is_same)
            fail_msg("%s, %s: %d", rows[i].path, rows[i].folder, !rows[i].is_same);
        if (rows[i].is_same)
            assert_false(platform_path_is_remote(rows[i].path, rows[i].folder));
    }
}

static void folders_of_roots_are_the_roots(void **state)
{
    char text[64];
    (void)state;
    mmd_path_folder("/a", text, sizeof text);
    assert_string_equal(text, "/");
    mmd_path_folder("C:/a", text, sizeof text);
    assert_string_equal(text, test_is_windows() ? "C:/" : "C:");
}

static void paths_are_resolved(void **state)
{
    char path[MMD_FILE_PATH_MAX], here[MMD_FILE_PATH_MAX];
    (void)state;
    assert_true(platform_make_folder(in("初音"), 0777));
    put(in("初音/ミク.txt"), "");
    assert_true(platform_path_resolve(in("./初音//../初音/ミク.txt"), path));
    assert_string_equal(path, in("初音/ミク.txt"));
    assert_false(platform_path_resolve(in("初音/none"), path));
    assert_int_equal(errno, ENOENT);
    assert_false(platform_path_resolve("", path));
    assert_true(platform_current_folder(here));
    assert_true(platform_path_root(here) > 0);
    assert_null(strchr(here, '\\'));
    assert_true(platform_path_resolve(".", path));
    assert_string_equal(path, here);
    assert_true(platform_path_resolve("/", path));
    assert_int_equal(path[platform_path_root(path)], '\0');
    assert_true(platform_home(path));
    assert_true(platform_path_root(path) > 0);
}

static void links_are_resolved(void **state)
{
    char path[MMD_FILE_PATH_MAX];
    platform_info info, link;
    (void)state;
    put(in("file"), "12345");
    assert_true(platform_make_folder(in("below"), 0777));
    if (!test_link("file", in("link")) || !test_link("..", in("below/up")))
        test_skip("no symbolic links");
    assert_true(platform_path_resolve(in("below/up/link"), path));
    assert_string_equal(path, in("file"));
    assert_true(platform_stat(in("link"), &info) && platform_stat_link(in("link"), &link));
    assert_int_equal(info.kind, PLATFORM_FILE);
    assert_int_equal(info.size, 5);
    assert_int_equal(link.kind, PLATFORM_LINK);
    assert_false(platform_is_same(&info, &link));
    assert_int_equal(platform_open(in("link"), PLATFORM_READ | PLATFORM_NO_LINK, 0), -1);
    assert_int_equal(errno, ELOOP);
    assert_true(platform_remove(in("link")));
    assert_true(platform_exists(in("file")) && !platform_exists(in("link")));
}

/* Folders deeper than 260 characters, and names that are no longer than the system's limit. */
static void paths_may_be_long(void **state)
{
    char path[PATH], resolved[MMD_FILE_PATH_MAX];
    (void)state;
    test_folder_make_deep(folder, path);
    strcat(path, "/a.txt");
    assert_true(strlen(path) > 400);
    put(path, "deep");
    assert_file(path, "deep");
    assert_true(platform_path_resolve(path, resolved));
    assert_string_equal(resolved, path);
    memset(path + strlen(folder) + 1, 'n', MMD_FILE_PATH_MAX);
    path[strlen(folder) + 1 + MMD_FILE_PATH_MAX] = '\0';
    assert_int_equal(platform_open(path, PLATFORM_READ, 0), -1);
    assert_int_equal(errno, ENAMETOOLONG);
}

/* --- What lies at a path --- */

static void files_are_described(void **state)
{
    platform_info file, open_file, other, about;
    time_t now = time(NULL);
    (void)state;
    put(in("a"), "123");
    put(in("b"), "");
    assert_true(platform_stat(in("a"), &file) && platform_stat(in("b"), &other));
    assert_int_equal(file.kind, PLATFORM_FILE);
    assert_int_equal(file.size, 3);
    assert_int_equal(other.size, 0);
    assert_true(file.mode & 0400);
    assert_true(file.is_own);
    assert_in_range(file.modified / 1000000000, now - 3600, now + 3600);
    assert_in_range(file.changed / 1000000000, now - 3600, now + 3600);
    assert_false(platform_is_same(&file, &other));
    int descriptor = platform_open(in("a"), PLATFORM_READ, 0);
    assert_true(platform_stat_open(descriptor, &open_file));
    assert_true(platform_is_same(&file, &open_file));
    assert_true(open_file.size == file.size && open_file.modified == file.modified);
    assert_false(platform_is_made_up(descriptor));
    close(descriptor);
    assert_true(platform_stat(folder, &about));
    assert_int_equal(about.kind, PLATFORM_FOLDER);
    assert_false(platform_stat(in("none"), &about));
    assert_int_equal(errno, ENOENT);
    assert_false(platform_stat("", &about));
    assert_int_equal(errno, ENOENT);
    assert_true(platform_exists(in("a")) && !platform_exists(in("none")));
    assert_false(platform_stat(in("a/"), &about)); /* names a folder */
    assert_int_equal(errno, ENOTDIR);
    assert_int_equal(platform_open(in("a/"), PLATFORM_READ, 0), -1);
    assert_int_equal(errno, ENOTDIR);
    assert_true(platform_stat(in(""), &about));
    assert_true(platform_may_read(in("a")) && platform_may_write(in("a")) && platform_may_write(folder));
    assert_false(platform_may_read(in("none")));
}

static void devices_are_told_from_files(void **state)
{
    const char *null = test_is_windows() ? "nul" : "/dev/null";
    platform_info about;
    (void)state;
    assert_true(platform_is_device_path(null));
    assert_true(platform_stat(null, &about));
    assert_int_equal(about.kind, PLATFORM_DEVICE);
    int file = platform_open(null, PLATFORM_WRITE | PLATFORM_APPEND | PLATFORM_WAIT, 0);
    assert_true(file >= 0);
    assert_int_equal(write(file, "x", 1), 1);
    assert_true(platform_stat_open(file, &about));
    assert_int_equal(about.kind, PLATFORM_DEVICE);
    close(file);
    assert_false(platform_is_device_path("file"));
    assert_false(platform_is_device_path(in("nul")));
    assert_int_equal(mmd_file_write(null, "x", 1, NULL), MMD_OK);
}

/* --- Files --- */

static void files_are_opened_as_wished(void **state)
{
    (void)state;
    const char *path = in("a.txt");
    assert_int_equal(platform_open(path, PLATFORM_READ, 0), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(platform_open(in("none/a"), PLATFORM_WRITE | PLATFORM_CREATE, 0666), -1);
    assert_int_equal(errno, ENOENT);
    int file = platform_open(path, PLATFORM_READ | PLATFORM_WRITE | PLATFORM_NEW, 0666);
    assert_true(file >= 0);
    assert_int_equal(write(file, "a\nb\r\n\x1a", 6), 6); /* nothing is translated */
    assert_int_equal(lseek(file, 0, SEEK_SET), 0);
    assert_text(file, "a\nb\r\n\x1a");
    close(file);
    assert_int_equal(platform_open(path, PLATFORM_WRITE | PLATFORM_NEW, 0666), -1);
    assert_int_equal(errno, EEXIST);
    file = platform_open(path, PLATFORM_WRITE | PLATFORM_CREATE, 0666);
    assert_int_equal(write(file, "A", 1), 1);
    close(file);
    file = platform_open(path, PLATFORM_WRITE | PLATFORM_APPEND, 0);
    assert_int_equal(write(file, "end", 3), 3);
    close(file);
    assert_file(path, "A\nb\r\n\x1a"
                      "end");
    file = platform_open(path, PLATFORM_READ | PLATFORM_WRITE | PLATFORM_APPEND, 0);
    assert_int_equal(ftruncate(file, 1), 0);
    assert_int_equal(write(file, "B", 1), 1);
    close(file);
    assert_file(path, "AB");
    put(path, "x");
    assert_file(path, "x");
    file = platform_open(path, PLATFORM_READ, 0);
    assert_int_equal(write(file, "y", 1), -1);
    close(file);
}

static void files_are_read_at_offsets(void **state)
{
    char text[8] = "";
    size_t got;
    (void)state;
    put(in("a"), "0123456789");
    int file = platform_open(in("a"), PLATFORM_READ, 0);
    assert_true(platform_read_at(file, text, 4, 3, &got));
    assert_int_equal(got, 4);
    assert_string_equal(text, "3456");
    assert_true(platform_read_at(file, text, 4, 8, &got));
    assert_int_equal(got, 2);
    assert_memory_equal(text, "89", 2);
    assert_true(platform_read_at(file, text, 4, UINT64_C(1) << 40, &got));
    assert_int_equal(got, 0);
    close(file);
    assert_false(platform_read_at(-1, text, 4, 0, &got));
}

/* Files are larger than 32 bits can count. */
static void offsets_have_64_bits(void **state)
{
    platform_info about;
    char text[2] = "x";
    size_t got;
    (void)state;
    put(in("huge"), "");
    if (!test_file_stretch(in("huge"), (UINT64_C(5) << 30) + 1))
        test_skip("the file system has no holes in files");
    assert_true(platform_stat(in("huge"), &about));
    assert_int_equal(about.size, (UINT64_C(5) << 30) + 1);
    int file = platform_open(in("huge"), PLATFORM_READ, 0);
    assert_int_equal(lseek(file, 0, SEEK_END), (UINT64_C(5) << 30) + 1);
    assert_true(platform_read_at(file, text, 2, UINT64_C(5) << 30, &got));
    assert_int_equal(got, 1);
    assert_int_equal(text[0], 0);
    close(file);
}

static void open_files_are_renamed_replaced_and_removed(void **state)
{
    (void)state;
    put(in("old"), "old");
    put(in("new"), "new");
    int new = platform_open(in("new"), PLATFORM_READ | PLATFORM_WRITE, 0);
    assert_true(platform_replace(in("new"), in("newer")));
    assert_false(platform_exists(in("new")));
    int old = test_replaces_open_files(folder) ? platform_open(in("old"), PLATFORM_READ, 0) : -1;
    assert_true(platform_replace(in("newer"), in("old")));
    if (old >= 0)
        assert_text(old, "old");
    assert_text(new, "new");
    close(old);
    close(new);
    assert_file(in("old"), "new");
    int file = platform_open(in("old"), PLATFORM_READ, 0);
    assert_true(platform_remove(in("old")));
    assert_text(file, "new");
    close(file);
    assert_false(platform_exists(in("old")));
    assert_int_equal(test_folder_count(folder), 0);
}

static void folders_and_files_do_not_replace_each_other(void **state)
{
    (void)state;
    put(in("file"), "x");
    assert_true(platform_make_folder(in("folder"), 0777));
    assert_false(platform_replace(in("file"), in("folder")));
    assert_false(platform_remove(in("folder")));
    assert_false(platform_remove_folder(in("file")));
    assert_false(platform_make_folder(in("folder"), 0777));
    assert_int_equal(errno, EEXIST);
    assert_false(platform_make_folder(in("none/below"), 0777));
    assert_int_equal(errno, ENOENT);
    put(in("folder/x"), "");
    assert_false(platform_remove_folder(in("folder")));
    assert_int_equal(errno, ENOTEMPTY);
    assert_true(platform_remove(in("folder/x")));
    assert_true(platform_remove_folder(in("folder")));
    assert_false(platform_remove(in("none")));
    assert_int_equal(errno, ENOENT);
    assert_false(platform_replace(in("none"), in("other")));
    assert_int_equal(errno, ENOENT);
    assert_file(in("file"), "x");
}

static void a_file_is_locked_once(void **state)
{
    (void)state;
    put(in("a"), "locked");
    int first = platform_open(in("a"), PLATFORM_READ | PLATFORM_WRITE, 0);
    int second = platform_open(in("a"), PLATFORM_READ, 0);
    assert_true(platform_lock(first));
    assert_false(platform_lock(second));
    assert_int_equal(errno, EWOULDBLOCK);
    assert_text(second, "locked"); /* a lock keeps nobody from reading */
    close(first);
    assert_true(platform_lock(second));
    close(second);
}

static void a_file_without_a_name_gets_one(void **state)
{
    (void)state;
    int file = platform_open_unnamed(folder, 0666);
    if (file < 0) {
        assert_true(test_is_windows() || errno == EOPNOTSUPP || errno == EISDIR);
        return; /* file_draft.c gives it a name */
    }
    assert_int_equal(write(file, "x", 1), 1);
    assert_int_equal(test_folder_count(folder), 0);
    put(in("there"), "");
    assert_false(platform_name(file, in("there")));
    assert_int_equal(errno, EEXIST);
    assert_true(platform_name(file, in("a")));
    close(file);
    assert_file(in("a"), "x");
}

/* What Windows takes for devices, streams or other names is a plain name, or none. */
static void names_mean_what_they_say(void **state)
{
    static const char *const names[] = {"NUL", "con.png", "aux", "COM1.txt", "lpt9", "a.", "a ", "nul .png"};
    platform_info about;
    (void)state;
    put(in("a"), "file");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_false(platform_stat(in(names[i]), &about));
        assert_int_equal(platform_open(in(names[i]), PLATFORM_READ, 0), -1);
        assert_int_equal(errno, ENOENT);
        int file = platform_open(in(names[i]), PLATFORM_WRITE | PLATFORM_CREATE, 0666);
        assert_int_equal(file >= 0, !test_is_windows()); /* nobody could remove it there */
        if (file >= 0)
            close(file);
        if (test_is_windows())
            assert_false(platform_replace(in("a"), in(names[i])) || platform_make_folder(in(names[i]), 0777));
    }
    assert_false(platform_stat(in("a:stream"), &about));
    assert_false(platform_stat(in("a::$DATA"), &about));
    assert_int_equal(platform_open(in("a:stream"), PLATFORM_READ, 0), -1);
    assert_int_equal(errno, ENOENT);
    put(in("common"), ""); /* begins like a device */
    put(in("a.con"), "");
    assert_file(in("a"), "file");
}

/* --- Folders --- */

static void folders_are_listed(void **state)
{
    static const char *const names[] = {"a.txt", "ミク", "folder"};
    platform_info about;
    unsigned seen = 0;
    (void)state;
    put(in(names[0]), "12");
    put(in(names[1]), "");
    assert_true(platform_make_folder(in(names[2]), 0777));
    platform_folder *listing = platform_folder_open(folder);
    assert_non_null(listing);
    for (const char *name; (name = platform_folder_next(listing));) {
        unsigned i = 0;
        while (i < 3 && strcmp(names[i], name) != 0)
            i++;
        if (i == 3 || (seen & 1u << i))
            fail_msg("%s", name);
        seen |= 1u << i;
        assert_int_equal(platform_folder_has_folder(listing), i == 2);
        assert_true(platform_folder_stat(listing, &about));
        assert_int_equal(about.kind, i == 2 ? PLATFORM_FOLDER : PLATFORM_FILE);
        if (i < 2)
            assert_int_equal(about.size, i == 0 ? 2 : 0);
    }
    assert_null(platform_folder_next(listing));
    assert_int_equal(seen, 7);
    platform_folder_close(listing);
    listing = platform_folder_open(in("folder"));
    assert_non_null(listing);
    assert_null(platform_folder_next(listing));
    platform_folder_close(listing);
    platform_folder_close(NULL);
    assert_null(platform_folder_open(in("none")));
    assert_int_equal(errno, ENOENT);
    assert_null(platform_folder_open(in("a.txt")));
    assert_int_equal(errno, ENOTDIR);
}

static void links_in_folders_are_followed(void **state)
{
    platform_info about;
    size_t folders = 0, count = 0;
    (void)state;
    assert_true(platform_make_folder(in("folder"), 0777));
    if (!test_link("folder", in("link")) || !test_link("nowhere", in("broken")))
        test_skip("no symbolic links");
    platform_folder *listing = platform_folder_open(folder);
    for (const char *name; (name = platform_folder_next(listing)); count++) {
        folders += platform_folder_has_folder(listing);
        assert_int_equal(platform_folder_stat(listing, &about), strcmp(name, "broken") != 0);
    }
    assert_int_equal(count, 3);
    assert_int_equal(folders, 2);
    platform_folder_close(listing);
}

/* --- The rest --- */

static void numbers_are_random(void **state)
{
    uint64_t numbers[2][4] = {{0}};
    (void)state;
    for (int i = 0; i < 2; i++)
        assert_true(platform_random(numbers[i], sizeof numbers[i]));
    for (int i = 0; i < 4; i++)
        assert_true(numbers[0][i] != numbers[1][i] && numbers[0][i] != 0);
}

static void errors_have_sentences(void **state)
{
    char text[128], cut[5];
    (void)state;
    platform_error_text(ENOENT, text, sizeof text);
    assert_string_equal(text, "No such file or directory");
    platform_error_text(ENOENT, cut, sizeof cut);
    assert_string_equal(cut, "No s");
    platform_error_text(123456, text, sizeof text);
    assert_true(text[0]);
}

static void *set_true(void *context)
{
    *(bool *)context = true;
    return context;
}

static void threads_run(void **state)
{
    pthread_t thread;
    bool has_run = false;
    void *result = NULL;
    (void)state;
    assert_int_equal(platform_thread_start(&thread, set_true, &has_run), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_true(has_run && result == &has_run);
    platform_hold_signals();
    platform_hold_signals();
    platform_release_signals();
    platform_release_signals();
    assert_true(platform_process_number() > 0);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_are_told),
        cmocka_unit_test(paths_are_tidied),
        cmocka_unit_test(shares_and_devices_are_told_from_files),
        cmocka_unit_test(a_file_on_a_share_may_name_others_there),
        cmocka_unit_test(folders_of_roots_are_the_roots),
        IN_FOLDER(paths_are_resolved),
        IN_FOLDER(links_are_resolved),
        IN_FOLDER(paths_may_be_long),
        IN_FOLDER(files_are_described),
        IN_FOLDER(devices_are_told_from_files),
        IN_FOLDER(files_are_opened_as_wished),
        IN_FOLDER(files_are_read_at_offsets),
        IN_FOLDER(offsets_have_64_bits),
        IN_FOLDER(open_files_are_renamed_replaced_and_removed),
        IN_FOLDER(folders_and_files_do_not_replace_each_other),
        IN_FOLDER(a_file_is_locked_once),
        IN_FOLDER(a_file_without_a_name_gets_one),
        IN_FOLDER(names_mean_what_they_say),
        IN_FOLDER(folders_are_listed),
        IN_FOLDER(links_in_folders_are_followed),
        cmocka_unit_test(numbers_are_random),
        cmocka_unit_test(errors_have_sentences),
        cmocka_unit_test(threads_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
