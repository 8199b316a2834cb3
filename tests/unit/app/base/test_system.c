/* Tests the program's layer above the system (base/system.h), and what of base depends on systems. The
 * program starts itself as a child process: "test_system child MODE ...". */
#include "support.h"

#include <errno.h>
#include <unistd.h>

#include "base/file_uri.h"
#include "base/paths.h"
#include "base/system.h"
#include "base/wildcard.h"
#include "folder.h"

static char folder[MMD_FILE_PATH_MAX];

static const char *in(const char *name)
{
    static char paths[4][MMD_FILE_PATH_MAX];
    static unsigned next;
    return path_join(paths[next++ % 4], folder, "%s", name);
}

static int make_folder(void **state)
{
    (void)state;
    char temporary[MMD_FILE_PATH_MAX];
    uint64_t number = 0;
    assert_true(system_find_folder(SYSTEM_TEMPORARY, temporary) && platform_random(&number, sizeof number));
    path_join(folder, temporary, "odori-system-%08x", (unsigned)number);
    return platform_make_folder(folder, 0700) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return platform_remove_folder(folder) ? 0 : -1;
}

/* -------------------------------------------------------------------- the child process */

static void ring(void)
{
    system_write(1, "rang", 4);
    system_exit(7);
}

static int print_file(const char *path)
{
    char bytes[100];
    FILE *file = fopen(path, "rb");
    size_t got = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    fwrite(bytes, 1, got, stdout);
    return file && fclose(file) == 0 ? 0 : 1;
}

/* Copies descriptor 3 to descriptor 4. */
static int copy_files(void)
{
    char bytes[4096];
    for (ssize_t got; (got = read(3, bytes, sizeof bytes)) != 0;)
        if (got < 0 || !system_write(4, bytes, (size_t)got))
            return 1;
    return 0;
}

/* Prints the path of a scratch file, and keeps it for so many seconds. */
static int keep_scratch(const char *seconds)
{
    char path[MMD_FILE_PATH_MAX];
    FILE *file = system_scratch_file();
    if (!file || fputs("kept", file) < 0 || fflush(file) != 0 || !system_scratch_path(file, path))
        return 1;
    printf("%s", path);
    fflush(stdout);
    system_sleep(atof(seconds));
    return fclose(file) == 0 ? 0 : 1;
}

static int run_child(int argc, char **argv)
{
    const char *mode = argv[2];
    if (strcmp(mode, "echo") == 0) {
        for (int i = 3; i < argc; i++)
            printf("%s\n", argv[i]);
        return 41;
    } else if (strcmp(mode, "much") == 0) {
        for (int i = 0; i < 30000; i++)
            fputs("0123456789", stdout);
    } else if (strcmp(mode, "copy") == 0) {
        return copy_files();
    } else if (strcmp(mode, "sleep") == 0) {
        system_sleep(60);
    } else if (strcmp(mode, "abort") == 0) {
        abort();
    } else if (strcmp(mode, "crash") == 0) {
        *(volatile int *)(uintptr_t)strtoul(argv[3], NULL, 10) = 1;
    } else if (strcmp(mode, "timer") == 0) {
        system_set_timer(0.05, ring);
        system_sleep(60);
    } else if (strcmp(mode, "lock") == 0) {
        return system_lock_folder(argv[3]) >= 0 ? 0 : errno == EWOULDBLOCK ? 5 : 6;
    } else if (strcmp(mode, "scratch") == 0) {
        return keep_scratch(argv[3]);
    } else if (strcmp(mode, "print") == 0) {
        return print_file(argv[3]);
    } else if (strcmp(mode, "variable") == 0) {
        const char *value = getenv("ODORI_TEST");
        printf("%s", value ? value : "none");
    } else if (strcmp(mode, "folder") == 0) {
        char here[MMD_FILE_PATH_MAX];
        printf("%s", platform_current_folder(here) ? here : "none");
    }
    return 0;
}

/* Starts this program as a child, with a pipe as its stdout. Returns its end that is read. */
static int start_child(system_process *process, const char *const arguments[], system_start how)
{
    char program[MMD_FILE_PATH_MAX];
    const char *all[12] = {program, "child"};
    int ends[2];
    assert_true(system_program_path(program));
    for (size_t i = 0; arguments[i]; i++)
        all[2 + i] = arguments[i];
    assert_true(system_pipe(ends));
    how.files[0] = -1;
    how.files[1] = ends[1];
    how.files[2] = 2;
    assert_true(system_process_start(process, all, &how));
    close(ends[1]);
    return ends[0];
}

/* Reads a pipe to its end. Returns how many bytes came; text gets the first ones. */
static size_t read_all(int file, char *text, size_t capacity)
{
    char bytes[4096];
    size_t used = 0, all = 0;
    bool ready;
    for (ssize_t got = 1; got > 0; all += got > 0 ? (size_t)got : 0) {
        assert_true(system_wait_readable(&file, &ready, 1, 30));
        assert_true(ready);
        got = read(file, bytes, sizeof bytes);
        assert_true(got >= 0);
        size_t room = capacity - 1 - used, more = (size_t)got < room ? (size_t)got : room;
        memcpy(text + used, bytes, more);
        used += more;
    }
    text[used] = '\0';
    close(file);
    return all;
}

static const system_start plain = {.files = {-1, -1, -1, -1, -1}};

/* Runs this program as a child. Returns its exit code; text gets what it printed. */
static int run(const char *const arguments[], system_start how, char text[1000])
{
    system_process process;
    int file = start_child(&process, arguments, how);
    read_all(file, text, 1000);
    return system_process_wait(&process);
}

/* -------------------------------------------------------------------- processes */

static void children_get_arguments_as_they_are(void **state)
{
    (void)state;
    char text[1000];
    const char *const arguments[] = {"echo",   "a b", "",         "\"quoted\"", "back\\slash\\",
                                     "a\\\"b", "*.c", "初音ミク", NULL};
    assert_int_equal(run(arguments, plain, text), 41);
    assert_string_equal(text, "a b\n\n\"quoted\"\nback\\slash\\\na\\\"b\n*.c\n初音ミク\n");
}

static void children_get_descriptors_3_and_4(void **state)
{
    (void)state;
    static const char sent[] = "one\r\ntwo\n\x1a\0three";
    char text[1000];
    int to[2], from[2];
    const char *const arguments[] = {"copy", NULL};
    assert_true(system_pipe(to) && system_pipe(from));
    system_start how = plain;
    how.files[3] = to[0];
    how.files[4] = from[1];
    system_process process;
    int out = start_child(&process, arguments, how);
    close(to[0]);
    close(from[1]);
    assert_true(system_write(to[1], sent, sizeof sent));
    close(to[1]); /* nobody else has it open, so the child sees the end */
    assert_int_equal(read_all(from[0], text, sizeof text), sizeof sent);
    assert_memory_equal(text, sent, sizeof sent);
    assert_int_equal(read_all(out, text, sizeof text), 0);
    assert_int_equal(system_process_wait(&process), 0);
}

/* Windows would take the number of a closed descriptor for the program's own process, and hand that on. */
static void a_closed_descriptor_is_told(void **state)
{
    (void)state;
    int ends[2];
    system_process process;
    system_start how = plain;
    const char *const arguments[] = {"odori-has-no-such-program", NULL};
    assert_true(system_pipe(ends));
    close(ends[0]);
    close(ends[1]);
    how.files[3] = ends[1];
    assert_false(system_process_start(&process, arguments, &how));
    assert_int_equal(errno, EBADF);
}

static void much_output_comes_whole(void **state)
{
    (void)state;
    char text[1000];
    system_process process;
    const char *const arguments[] = {"much", NULL};
    int file = start_child(&process, arguments, plain);
    assert_int_equal(read_all(file, text, sizeof text), 300000);
    assert_int_equal(system_process_wait(&process), 0);
    assert_int_equal(process.id, 0);
}

static void killed_and_crashed_processes_are_told_apart(void **state)
{
    (void)state;
    char text[1000];
    system_process process;
    int code = 0;
    const char *const sleeping[] = {"sleep", NULL}, *const aborting[] = {"abort", NULL},
                      *const crashing[] = {"crash", "0", NULL};
    for (int background = 0; background < 2; background++) {
        system_start how = plain;
        how.background = background != 0;
        int file = start_child(&process, sleeping, how);
        bool ready = true;
        assert_true(system_wait_readable(&file, &ready, 1, 0.1));
        assert_false(ready);
        assert_false(system_process_has_ended(&process, &code));
        system_process_kill(&process);
        read_all(file, text, sizeof text);
        assert_int_equal(system_process_wait(&process), SYSTEM_KILLED);
    }
    assert_int_equal(run(aborting, plain, text), -6);  /* SIGABRT */
#if !defined(ODORI_TEST_SLOWLY)                        /* sanitizers report a crash and end with 1 */
    assert_int_equal(run(crashing, plain, text), -11); /* SIGSEGV */
#else
    (void)crashing;
#endif
    system_process_kill(&(system_process){0}); /* does nothing */
    assert_int_equal(system_process_wait(&(system_process){0}), SYSTEM_LOST);
}

static void a_missing_program_is_told(void **state)
{
    (void)state;
    system_process process;
    const char *const by_name[] = {"odori-has-no-such-program", NULL}, *const by_path[] = {"/odori/none",
                                                                                           NULL};
    assert_false(system_process_start(&process, by_name, &plain));
    assert_int_equal(errno, ENOENT);
    assert_false(system_process_start(&process, by_path, &plain));
    assert_int_equal(errno, ENOENT);
}

/* A program's name may have a dot, which Windows takes for the beginning of an ending. */
static void programs_with_a_dot_in_their_names_are_found(void **state)
{
    (void)state;
    const char *name = strcmp(system_library_ending, ".dll") == 0 ? "tool-6.1.exe" : "tool-6.1";
    const char *const arguments[] = {"tool-6.1", "child", "echo", NULL}, *before = getenv("PATH");
    char program[MMD_FILE_PATH_MAX], paths[16384];
    mmd_bytes bytes;
    system_process process;
    assert_true(snprintf(paths, sizeof paths, "%s", before ? before : "") < (int)sizeof paths);
    assert_true(system_program_path(program) && mmd_file_read(program, &bytes, NULL) == MMD_OK);
    int file = platform_open(in(name), PLATFORM_WRITE | PLATFORM_NEW, 0777);
    assert_true(file >= 0 && system_write(file, bytes.data, bytes.size) && close(file) == 0);
    mmd_bytes_finish(&bytes);
    const system_start how = {.files = {-1, 1, 2, -1, -1}};
    assert_false(system_process_start(&process, arguments, &how));
    assert_int_equal(errno, ENOENT);
    assert_true(system_set_variable("PATH", folder));
    bool started = system_process_start(&process, arguments, &how);
    assert_true(system_set_variable("PATH", paths));
    assert_true(started);
    assert_int_equal(system_process_wait(&process), 41);
    assert_true(platform_remove(in(name)));
}

static void a_missing_folder_of_a_process_is_told(void **state)
{
    (void)state;
    char program[MMD_FILE_PATH_MAX];
    const char *const arguments[] = {program, "child", "echo", NULL};
    const system_start how = {.files = {-1, 1, 2, -1, -1}, .folder = in("none")};
    system_process process;
    assert_true(system_program_path(program));
    errno = 0;
    assert_false(system_process_start(&process, arguments, &how));
    assert_true(errno == ENOENT || errno == ENOTDIR || errno == EIO); /* EIO: Wine's own error */
}

static void children_get_variables_and_a_folder(void **state)
{
    (void)state;
    char text[1000], resolved[MMD_FILE_PATH_MAX];
    const char *const variable[] = {"variable", NULL}, *const where[] = {"folder", NULL};
    assert_true(system_set_variable("ODORI_TEST", "a b"));
    assert_int_equal(run(variable, plain, text), 0);
    assert_string_equal(text, "a b");
    assert_true(system_set_variable("ODORI_TEST", NULL));
    assert_int_equal(run(variable, plain, text), 0);
    assert_string_equal(text, "none");
    system_start how = plain;
    how.folder = folder;
    assert_int_equal(run(where, how, text), 0);
    assert_true(platform_path_resolve(folder, resolved));
    assert_string_equal(text, resolved);
}

static void a_timer_rings_while_the_program_sleeps(void **state)
{
    (void)state;
    char text[1000];
    const char *const arguments[] = {"timer", NULL};
    assert_int_equal(run(arguments, plain, text), 7);
    assert_string_equal(text, "rang");
}

static void a_folder_is_locked_against_other_processes(void **state)
{
    (void)state;
    char text[1000];
    const char *const arguments[] = {"lock", folder, NULL};
    int lock = system_lock_folder(folder);
    assert_true(lock >= 0);
    assert_int_equal(run(arguments, plain, text), 5);
    assert_int_equal(mmd_file_write(in("inside"), "x", 1, NULL), MMD_OK);
    assert_true(platform_remove(in("inside")));
    close(lock);
    assert_int_equal(run(arguments, plain, text), 0);
}

/* -------------------------------------------------------------------- files */

static void a_memory_stream_keeps_every_byte(void **state)
{
    (void)state;
    system_memory memory;
    assert_true(system_memory_open(&memory));
    for (int i = 0; i < 100000; i++)
        fprintf(memory.stream, "%d\n", i % 10);
    char *text = system_memory_close(&memory);
    assert_non_null(text);
    assert_int_equal(memory.size, 200000);
    assert_int_equal(strlen(text), 200000);
    assert_int_equal(memcmp(text, "0\n1\n2\n", 6), 0);
    free(text);
    assert_true(system_memory_open(&memory));
    text = system_memory_close(&memory);
    assert_string_equal(text, "");
    free(text);
}

static void children_can_open_a_scratch_file(void **state)
{
    (void)state;
    char path[MMD_FILE_PATH_MAX], text[1000];
    for (int i = 0; i < 2; i++) { /* the second one has contents of its own */
        FILE *file = system_scratch_file();
        assert_non_null(file);
        fprintf(file, "scratch %d\n", i);
        assert_int_equal(fflush(file), 0);
        assert_true(system_scratch_path(file, path));
        const char *const arguments[] = {"print", path, NULL};
        assert_int_equal(run(arguments, plain, text), 0);
        assert_string_equal(text, i == 0 ? "scratch 0\n" : "scratch 1\n");
        rewind(file);
        assert_non_null(fgets(text, sizeof text, file));
        fclose(file);
    }
}

static void scratch_paths_of_killed_processes_go(void **state)
{
    (void)state;
    char path[MMD_FILE_PATH_MAX] = "", text[MMD_FILE_PATH_MAX];
    const char *const keeping[] = {"scratch", "60", NULL}, *const ending[] = {"scratch", "0", NULL};
    system_process process;
    bool ready;
    if (!test_is_windows())
        return; /* the path is that of a descriptor, and no file is made */
    int file = start_child(&process, keeping, plain);
    assert_true(system_wait_readable(&file, &ready, 1, 30) && ready);
    assert_true(read(file, path, sizeof path - 1) > 0);
    assert_int_equal(run(ending, plain, text), 0); /* removes those that were left, but not this one */
    assert_true(platform_exists(path));
    system_process_kill(&process);
    close(file);
    assert_int_equal(system_process_wait(&process), SYSTEM_KILLED);
    assert_int_equal(run(ending, plain, text), 0);
    assert_false(platform_exists(path));
    assert_string_not_equal(path, text);
    assert_false(platform_exists(text));
}

static void a_file_can_have_two_names(void **state)
{
    (void)state;
    char deep[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX];
    platform_info a, b;
    assert_int_equal(mmd_file_write(in("a"), "x", 1, NULL), MMD_OK);
    assert_true(system_link(in("a"), in("b")));
    assert_false(system_link(in("a"), in("b")));
    assert_int_equal(errno, EEXIST);
    assert_true(platform_stat(in("a"), &a) && platform_stat(in("b"), &b) && platform_is_same(&a, &b));
    assert_true(platform_make_folder(in("deep"), 0700));
    test_folder_make_deep(in("deep"), deep);
    path_join(path, deep, "a");
    assert_true(system_link(in("a"), path));
    assert_true(platform_stat(path, &b) && platform_is_same(&a, &b));
    assert_true(platform_remove(in("a")) && platform_remove(in("b")));
    test_folder_remove(in("deep"));
}

static void a_duplicate_is_above_the_standard_ones(void **state)
{
    (void)state;
    int copy = system_duplicate(1);
    assert_true(copy > 2);
    close(copy);
}

static void the_system_tells_about_itself(void **state)
{
    (void)state;
    char path[MMD_FILE_PATH_MAX];
    assert_true(system_program_path(path));
    assert_int_equal(strncmp(mmd_path_name(path), "test_system", strlen("test_system")), 0);
    assert_true(platform_path_root(path) > 0 && platform_exists(path));
    assert_true(system_core_count() >= 1);
    assert_true(system_memory_in_use() > 1 << 16);
    assert_true(system_memory_peak() > 1 << 16);
    for (int i = SYSTEM_CONFIG; i <= SYSTEM_TEMPORARY; i++)
        if (system_find_folder((system_folder)i, path))
            assert_true(platform_path_root(path) > 0 && path[strlen(path) - 1] != '/');
}

/* -------------------------------------------------------------------- paths */

static void paths_of_missing_files_are_resolved(void **state)
{
    (void)state;
    char resolved[MMD_FILE_PATH_MAX], expected[MMD_FILE_PATH_MAX], own[MMD_FILE_PATH_MAX];
    assert_true(platform_path_resolve(folder, own));
    assert_true(path_resolve(in("none/below/"), resolved));
    assert_string_equal(resolved, path_join(expected, own, "none/below"));
    assert_true(path_resolve(in("./none"), resolved));
    assert_string_equal(resolved, path_join(expected, own, "none"));
    /* Windows takes ".." off a path before it looks for files. Elsewhere it depends on what "none" will be.
     */
    if (path_resolve(in("none/../other"), resolved))
        assert_string_equal(resolved, path_join(expected, own, "other"));
    else
        assert_string_equal(system_library_ending, ".so");
    assert_true(path_make_folder(in("x/y/z")) && platform_exists(in("x/y/z")) && path_make_folder(in("x/y")));
    assert_true(platform_remove_folder(in("x/y/z")) && platform_remove_folder(in("x/y")) &&
                platform_remove_folder(in("x")));
}

static void backslashes_of_other_systems_are_slashes(void **state)
{
    (void)state;
    const bool can_be_named = strcmp(system_library_ending, ".dll") != 0;
    char path[] = "models\\miku.pmx", plain_path[] = "models/miku.pmx", named[] = "a\\b";
    assert_true(path_tidy_foreign(path, path));
    assert_string_equal(path, "models/miku.pmx");
    assert_false(path_tidy_foreign(plain_path, plain_path));
    if (!can_be_named)
        return;
    assert_int_equal(mmd_file_write(in("a\\b"), "x", 1, NULL), MMD_OK);
    assert_false(path_tidy_foreign(named, in("a\\b")));
    assert_string_equal(named, "a\\b");
    assert_true(platform_remove(in("a\\b")));
}

static void uris_name_files_of_drives(void **state)
{
    (void)state;
    const bool has_drives = strcmp(system_library_ending, ".dll") == 0;
    static const char uri[] = "file:///C:/models/%E3%83%9F%E3%82%AF.pmx", unix_uri[] = "file:///a%20b/c",
                      escaped_uri[] = "file:///C:/a%5Cb";
    char path[MMD_FILE_PATH_MAX], made[FILE_URI_MAX];
    assert_true(file_uri_path(uri, strlen(uri), path));
    assert_string_equal(path, has_drives ? "C:/models/ミク.pmx" : "/C:/models/ミク.pmx");
    assert_true(file_uri_of(path, made));
    assert_string_equal(made, uri);
    assert_true(file_uri_path(unix_uri, strlen(unix_uri), path));
    assert_string_equal(path, "/a b/c");
    assert_true(file_uri_path(escaped_uri, strlen(escaped_uri), path));
    assert_string_equal(path, has_drives ? "C:/a/b" : "/C:/a\\b");
    assert_false(file_uri_of("models/miku.pmx", made));
}

static void uris_name_no_servers_of_windows(void **state)
{
    static const struct {
        const char *uri, *path; /* path: elsewhere than on Windows */
        bool is_remote;
    } rows[] = {
        {"file://localhost/a", "/a", false},
        {"file:/a", "/a", false},
        {"file://server/share/a", "/share/a", true},
        {"file:////server/share/a", "//server/share/a", true},
        {"file:///%5C%5Cserver/a", "/\\\\server/a", true},
        {"file:///%2Fserver/a", "//server/a", true},
        {"file:///%3F%3F/UNC/server/a", "/?\?/UNC/server/a", true},
    };
    const bool is_windows = strcmp(system_library_ending, ".dll") == 0;
    char path[MMD_FILE_PATH_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool is_path = file_uri_path(rows[i].uri, strlen(rows[i].uri), path);
        if (is_path != !(is_windows && rows[i].is_remote))
            fail_msg("%s: %d", rows[i].uri, is_path);
        if (is_path)
            assert_string_equal(path, rows[i].path);
    }
}

/* -------------------------------------------------------------------- wildcards */

static void patterns_match_as_those_of_shells_do(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *name;
        bool matches, shown; /* shown: with wildcard_matches_shown */
    } rows[] = {
        {"", "", true, true},
        {"", "a", false, false},
        {"*", "", true, true},
        {"*", "miku.pmx", true, true},
        {"*", ".hidden", true, false},
        {".*", ".hidden", true, true},
        {"?hidden", ".hidden", true, false},
        {"[.]hidden", ".hidden", true, false},
        {"\\.hidden", ".hidden", true, true},
        {"*.pmx", "miku.pmx", true, true},
        {"*.pmx", "miku.pmx.bak", false, false},
        {"m*k*x", "miku.pmx", true, true},
        {"a*b*c", "aXbXbc", true, true},
        {"a*b*c", "aXbXbcd", false, false},
        {"???", "abc", true, true},
        {"???", "ab", false, false},
        {"[a-c]x", "bx", true, true},
        {"[a-c]x", "dx", false, false},
        {"[!a-c]x", "dx", true, true},
        {"[^a-c]x", "bx", false, false},
        {"[]x]", "]", true, true},
        {"[a-]", "-", true, true},
        {"[[:digit:]]", "7", true, true},
        {"[[:digit:]a]", "a", true, true},
        {"[[:digit:]]", "x", false, false},
        {"[![:alpha:]]", "7", true, true},
        {"[[:none:]]", "n", false, false},
        {"[ab", "[ab", true, true},
        {"\\*", "*", true, true},
        {"\\*", "a", false, false},
        {"[\\]]", "]", true, true},
        {"a\\", "a\\", false, false},
        {"\xe5\x88\x9d*", "\xe5\x88\x9d\xe9\x9f\xb3", true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (wildcard_matches(rows[i].pattern, rows[i].name) != rows[i].matches)
            fail_msg("%s and %s", rows[i].pattern, rows[i].name);
        if (wildcard_matches_shown(rows[i].pattern, rows[i].name) != rows[i].shown)
            fail_msg("%s and %s, shown", rows[i].pattern, rows[i].name);
    }
}

static void names_have_no_characters_that_the_system_refuses(void **state)
{
    (void)state;
    char name[] = "a/b", all[] = "ミク: \"1\" <?>", end[] = "end.";
    system_name_tidy(name);
    assert_string_equal(name, "a_b");
    system_name_tidy(all);
    assert_string_equal(all, test_is_windows() ? "ミク_ _1_ ___" : "ミク: \"1\" <?>");
    system_name_tidy(end);
    assert_string_equal(end, test_is_windows() ? "end_" : "end.");
}

int main(int argc, char **argv)
{
    system_begin(&argc, &argv);
    if (argc > 2 && strcmp(argv[1], "child") == 0)
        return run_child(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_get_arguments_as_they_are),
        cmocka_unit_test(children_get_descriptors_3_and_4),
        cmocka_unit_test(a_closed_descriptor_is_told),
        cmocka_unit_test(much_output_comes_whole),
        cmocka_unit_test(killed_and_crashed_processes_are_told_apart),
        cmocka_unit_test(a_missing_program_is_told),
        cmocka_unit_test(programs_with_a_dot_in_their_names_are_found),
        cmocka_unit_test(a_missing_folder_of_a_process_is_told),
        cmocka_unit_test(children_get_variables_and_a_folder),
        cmocka_unit_test(a_timer_rings_while_the_program_sleeps),
        cmocka_unit_test(a_folder_is_locked_against_other_processes),
        cmocka_unit_test(a_memory_stream_keeps_every_byte),
        cmocka_unit_test(children_can_open_a_scratch_file),
        cmocka_unit_test(scratch_paths_of_killed_processes_go),
        cmocka_unit_test(a_file_can_have_two_names),
        cmocka_unit_test(a_duplicate_is_above_the_standard_ones),
        cmocka_unit_test(the_system_tells_about_itself),
        cmocka_unit_test(paths_of_missing_files_are_resolved),
        cmocka_unit_test(backslashes_of_other_systems_are_slashes),
        cmocka_unit_test(uris_name_files_of_drives),
        cmocka_unit_test(uris_name_no_servers_of_windows),
        cmocka_unit_test(names_have_no_characters_that_the_system_refuses),
        cmocka_unit_test(patterns_match_as_those_of_shells_do),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
