/* Tests files where POSIX systems have more than others: pipes, permissions, and processes that are killed.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/file_draft.h"
#include "folder.h"
#include "support.h"

enum { PATH = MMD_FILE_PATH_MAX + 16 };

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

static const char *in(const char *name, char path[PATH])
{
    snprintf(path, PATH, "%s/%s", folder, name);
    return path;
}

static void put_file(const char *name, const char *text)
{
    char path[PATH];
    assert_int_equal(mmd_file_write(in(name, path), text, strlen(text), NULL), MMD_OK);
}

static void assert_file(const char *path, const char *text)
{
    mmd_bytes bytes;
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    assert_int_equal(bytes.size, strlen(text));
    assert_memory_equal(bytes.data, text, bytes.size);
    mmd_bytes_finish(&bytes);
}

/* Checks that a path is neither opened, read nor looked into, and that the error says so. */
static void assert_not_regular(const char *path, const char *why)
{
    mmd_bytes bytes;
    mmd_error error = {0};
    int file;
    size_t size = 7;
    char head[4];
    assert_int_equal(mmd_file_open(path, &file, &error), MMD_ERROR_IO);
    assert_non_null(strstr(error.message, why));
    assert_int_equal(mmd_file_read_head(path, head, sizeof head, &size, NULL), MMD_ERROR_IO);
    assert_int_equal(size, 0);
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_ERROR_IO);
    assert_null(bytes.data);
}

static void only_regular_files_are_read(void **state)
{
    char path[PATH], link[PATH];
    (void)state;
    alarm(10); /* a pipe would be waited for */
    assert_int_equal(mkfifo(in("pipe", path), 0600), 0);
    assert_not_regular(path, "it is a pipe");
    assert_int_equal(symlink("pipe", in("link", link)), 0);
    assert_not_regular(link, "it is a pipe");
    assert_not_regular("/dev/zero", "it is a device");
    assert_not_regular(folder, "it is a folder");
    assert_not_regular("/proc/self/status", "it is made up by the system");
    if (access("/sys/kernel/notes", R_OK) == 0)
        assert_not_regular("/sys/kernel/notes", "it is made up by the system");
    alarm(0);
}

/* Runs in a process that is killed when it writes more than 64 KiB to a file. */
static void write_until_killed(const char *path)
{
    static char data[1 << 20];
    const struct rlimit limit = {1 << 16, 1 << 16}, none = {0, 0};
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &none);
        setrlimit(RLIMIT_FSIZE, &limit);
        mmd_file_write(path, data, sizeof data, NULL);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
}

static void killed_write_leaves_nothing_behind(void **state)
{
    char path[PATH];
    (void)state;
    write_until_killed(in("new", path));
    if (test_folder_count(folder) == 1)
        test_skip("the file system has no files without a name");
    assert_int_equal(test_folder_count(folder), 0);
    put_file("old", "whole");
    write_until_killed(in("old", path));
    assert_file(path, "whole");
    assert_int_equal(test_folder_count(folder), 1);
}

static void write_keeps_mode_and_links(void **state)
{
    char path[PATH], link[PATH];
    (void)state;
    struct stat about;
    put_file("target", "old");
    assert_int_equal(chmod(in("target", path), 0640), 0);
    assert_int_equal(symlink("target", in("link", link)), 0);
    put_file("link", "new");
    assert_file(path, "new");
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
}

static void write_goes_through_a_pipe(void **state)
{
    char path[PATH], text[8] = "";
    (void)state;
    assert_int_equal(mkfifo(in("pipe", path), 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    put_file("pipe", "through");
    assert_int_equal(read(reader, text, sizeof text), 7);
    assert_string_equal(text, "through");
    close(reader);
    assert_int_equal(mmd_file_write("/dev/null", "x", 1, NULL), MMD_OK);
}

/* A pipe with the name of a draft is neither waited for nor removed. */
static void a_sweep_keeps_pipes(void **state)
{
    char path[PATH];
    (void)state;
    assert_int_equal(mkfifo(in(".mmd-0000000000000002.tmp", path), 0600), 0);
    alarm(10);
    file_draft_sweep(folder);
    alarm(0);
    assert_int_equal(test_folder_count(folder), 1);
}

static void a_source_reads_no_pipe(void **state)
{
    char path[PATH];
    mmd_bytes bytes;
    (void)state;
    assert_int_equal(mkfifo(in("pipe", path), 0600), 0);
    mmd_source *source = mmd_source_folder(folder);
    assert_non_null(source);
    alarm(10);
    assert_int_equal(mmd_source_read(source, "pipe", &bytes, NULL), MMD_ERROR_IO);
    alarm(0);
    mmd_source_destroy(source);
}

/* Signals that end the program wait until they are let through, however often they were held back. */
static volatile sig_atomic_t heard;

static void hear(int number)
{
    (void)number;
    heard++;
}

static void signals_are_held_back(void **state)
{
    const struct sigaction action = {.sa_handler = hear};
    struct sigaction before;
    (void)state;
    sigaction(SIGTERM, &action, &before);
    platform_hold_signals();
    platform_hold_signals();
    raise(SIGTERM);
    platform_release_signals();
    assert_int_equal(heard, 0);
    platform_release_signals();
    assert_int_equal(heard, 1);
    sigaction(SIGTERM, &before, NULL);
}

/* Returns something if the thread holds the signals back. */
static void *find_mask(void *context)
{
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    return sigismember(&mask, SIGTERM) && sigismember(&mask, SIGALRM) ? context : NULL;
}

static void threads_leave_signals_to_the_main_thread(void **state)
{
    pthread_t thread;
    void *result;
    sigset_t mask;
    (void)state;
    assert_int_equal(platform_thread_start(&thread, find_mask, &thread), 0);
    pthread_join(thread, &result);
    assert_non_null(result);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert_false(sigismember(&mask, SIGTERM));
}

/* Nanoseconds since 1970 fit until 2262. */
static void times_far_away_are_the_last_that_fits(void **state)
{
    const struct timespec times[2] = {{.tv_sec = INT64_C(10000000000)}, {.tv_sec = INT64_C(10000000000)}};
    char path[PATH];
    struct stat about;
    platform_info info;
    (void)state;
    put_file("a", "");
    assert_int_equal(utimensat(AT_FDCWD, in("a", path), times, 0), 0);
    assert_int_equal(stat(path, &about), 0);
    if (about.st_mtim.tv_sec != times[1].tv_sec)
        test_skip("the file system has no such times");
    assert_true(platform_stat(path, &info));
    assert_true(info.modified == INT64_MAX);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(only_regular_files_are_read),
        IN_FOLDER(killed_write_leaves_nothing_behind),
        IN_FOLDER(write_keeps_mode_and_links),
        IN_FOLDER(write_goes_through_a_pipe),
        IN_FOLDER(times_far_away_are_the_last_that_fits),
        IN_FOLDER(a_sweep_keeps_pipes),
        IN_FOLDER(a_source_reads_no_pipe),
        cmocka_unit_test(signals_are_held_back),
        cmocka_unit_test(threads_leave_signals_to_the_main_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
