/* Tests drafts: files that take the place of others when they are complete, and what is removed of killed
 * processes. */
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/file_draft.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/odori-draft-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static const char *in(const char *name, char path[MMD_FILE_PATH_MAX])
{
    snprintf(path, MMD_FILE_PATH_MAX, "%s/%s", folder, name);
    return path;
}

static int remove_folder(void **state)
{
    (void)state;
    char path[MMD_FILE_PATH_MAX];
    DIR *listing = opendir(folder);
    for (struct dirent *entry; listing && (entry = readdir(listing));)
        unlink(in(entry->d_name, path));
    if (listing)
        closedir(listing);
    return rmdir(folder);
}

/* Creates a file and returns its descriptor. */
static int put(const char *name)
{
    char path[MMD_FILE_PATH_MAX];
    int file = open(in(name, path), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, name, strlen(name)), strlen(name));
    return file;
}

static bool exists(const char *name)
{
    char path[MMD_FILE_PATH_MAX];
    struct stat about;
    return lstat(in(name, path), &about) == 0;
}

static size_t count_files(void)
{
    size_t count = 0;
    DIR *listing = opendir(folder);
    for (struct dirent *entry; (entry = readdir(listing));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(listing);
    return count;
}

static void a_draft_takes_the_place_of_its_target_at_once(void **state)
{
    (void)state;
    char target[MMD_FILE_PATH_MAX], text[16] = "";
    file_draft draft;
    close(put("target"));
    assert_true(file_draft_open(&draft, in("target", target), 0600));
    assert_int_equal(write(draft.file, "new", 3), 3);
    int old = open(target, O_RDONLY | O_CLOEXEC);
    assert_int_equal(read(old, text, sizeof text), 6);
    assert_string_equal(text, "target");
    assert_true(file_draft_finish(&draft, target));
    assert_int_equal(draft.file, -1);
    assert_int_equal(count_files(), 1);
    int new = open(target, O_RDONLY | O_CLOEXEC);
    assert_int_equal(read(new, text, sizeof text), 3);
    close(new);
    close(old);
}

static void a_dropped_draft_leaves_nothing(void **state)
{
    (void)state;
    char target[MMD_FILE_PATH_MAX];
    file_draft draft;
    assert_true(file_draft_open(&draft, in("target", target), 0600));
    file_draft_drop(&draft);
    assert_int_equal(count_files(), 0);
    /* One whose target is a folder cannot take its place. */
    assert_int_equal(mkdir(target, 0700), 0);
    assert_true(file_draft_open(&draft, target, 0600));
    assert_false(file_draft_finish(&draft, target));
    assert_int_equal(count_files(), 1);
    rmdir(target);
}

static void a_sweep_removes_what_nobody_writes(void **state)
{
    (void)state;
    close(put(".mmd-0123456789abcdef.tmp"));
    int written = put(".mmd-00000000000000ff.tmp");
    assert_int_equal(flock(written, LOCK_EX | LOCK_NB), 0);
    file_draft_sweep(folder);
    assert_false(exists(".mmd-0123456789abcdef.tmp"));
    assert_true(exists(".mmd-00000000000000ff.tmp"));
    close(written); /* as when its process is killed */
    file_draft_sweep(folder);
    assert_int_equal(count_files(), 0);
}

/* What somebody else made is kept, even under a name that only resembles a draft's. */
static void a_sweep_keeps_other_files(void **state)
{
    (void)state;
    static const char *const names[] = {
        "file",        ".mmd-0123456789abcde.tmp",  ".mmd-0123456789abcdef0.tmp", ".mmd-0123456789abcdeg.tmp",
        ".mmd-12.tmp", ".mmd-0123456789abcdef.tm",  "mmd-0123456789abcdef.tmp",   ".mmd-notes.tmp",
        "a.part-123",  ".mmd-0123456789abcdef.tmp~"};
    char path[MMD_FILE_PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        close(put(names[i]));
    assert_int_equal(symlink("file", in(".mmd-0000000000000001.tmp", path)), 0);
    assert_int_equal(mkfifo(in(".mmd-0000000000000002.tmp", path), 0600), 0);
    alarm(10); /* a pipe would be waited for */
    file_draft_sweep(folder);
    alarm(0);
    assert_int_equal(count_files(), sizeof names / sizeof *names + 2);
}

/* A draft is locked, so that a sweep of another process keeps it. */
static void a_draft_is_locked(void **state)
{
    (void)state;
    char target[MMD_FILE_PATH_MAX], self[64];
    file_draft draft;
    assert_true(file_draft_open(&draft, in("target", target), 0600));
    snprintf(self, sizeof self, "/proc/self/fd/%d", draft.file);
    int other = open(self, O_RDONLY | O_CLOEXEC);
    assert_true(other >= 0);
    assert_int_equal(flock(other, LOCK_EX | LOCK_NB), -1);
    assert_int_equal(errno, EWOULDBLOCK);
    close(other);
    file_draft_drop(&draft);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_draft_takes_the_place_of_its_target_at_once),
        IN_FOLDER(a_dropped_draft_leaves_nothing),
        IN_FOLDER(a_sweep_removes_what_nobody_writes),
        IN_FOLDER(a_sweep_keeps_other_files),
        IN_FOLDER(a_draft_is_locked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
