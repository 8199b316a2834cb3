/* Tests drafts: files that take the place of others when they are complete, and what is removed of killed
 * processes. */
#include "engine/base/file_draft.h"

#include <errno.h>
#include <unistd.h>

#include "folder.h"
#include "support.h"

static char folder[MMD_FILE_PATH_MAX];

static int make_folder(void **state)
{
    (void)state;
    test_folder_make(folder);
    return 0;
}

static const char *in(const char *name, char path[MMD_FILE_PATH_MAX])
{
    assert_true(snprintf(path, MMD_FILE_PATH_MAX, "%s/%s", folder, name) < MMD_FILE_PATH_MAX);
    return path;
}

static int remove_folder(void **state)
{
    (void)state;
    test_folder_remove(folder);
    return 0;
}

/* Creates a file and returns its descriptor. */
static int put(const char *name)
{
    char path[MMD_FILE_PATH_MAX];
    int file = platform_open(in(name, path),
                             PLATFORM_READ | PLATFORM_WRITE | PLATFORM_CREATE | PLATFORM_EMPTY, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, name, strlen(name)), strlen(name));
    return file;
}

static bool exists(const char *name)
{
    char path[MMD_FILE_PATH_MAX];
    platform_info about;
    return platform_stat_link(in(name, path), &about);
}

static void a_draft_takes_the_place_of_its_target_at_once(void **state)
{
    (void)state;
    char target[MMD_FILE_PATH_MAX], text[16] = "";
    file_draft draft;
    close(put("target"));
    assert_true(file_draft_open(&draft, in("target", target), 0600));
    assert_int_equal(write(draft.file, "new", 3), 3);
    int old = platform_open(target, PLATFORM_READ, 0);
    assert_int_equal(read(old, text, sizeof text), 6);
    assert_string_equal(text, "target");
    if (!test_replaces_open_files(folder))
        close(old), old = -1;
    assert_true(file_draft_finish(&draft, target));
    assert_int_equal(draft.file, -1);
    assert_int_equal(test_folder_count(folder), 1);
    int new = platform_open(target, PLATFORM_READ, 0);
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
    assert_int_equal(test_folder_count(folder), 0);
    /* One whose target is a folder cannot take its place. */
    assert_true(platform_make_folder(target, 0700));
    assert_true(file_draft_open(&draft, target, 0600));
    assert_false(file_draft_finish(&draft, target));
    assert_int_equal(test_folder_count(folder), 1);
    platform_remove_folder(target);
}

static void a_sweep_removes_what_nobody_writes(void **state)
{
    (void)state;
    close(put(".mmd-0123456789abcdef.tmp"));
    int written = put(".mmd-00000000000000ff.tmp");
    assert_true(platform_lock(written));
    file_draft_sweep(folder);
    assert_false(exists(".mmd-0123456789abcdef.tmp"));
    assert_true(exists(".mmd-00000000000000ff.tmp"));
    close(written); /* as when its process is killed */
    file_draft_sweep(folder);
    assert_int_equal(test_folder_count(folder), 0);
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
    bool has_link = test_link("file", in(".mmd-0000000000000001.tmp", path));
    if (!has_link)
        test_skip_part("no symbolic links");
    file_draft_sweep(folder);
    assert_int_equal(test_folder_count(folder), sizeof names / sizeof *names + has_link);
}

/* A draft that has a name is locked, so that a sweep of another process keeps it. */
static void a_draft_is_locked(void **state)
{
    (void)state;
    char target[MMD_FILE_PATH_MAX], self[MMD_FILE_PATH_MAX];
    file_draft draft;
    assert_true(file_draft_open(&draft, in("target", target), 0600));
    snprintf(self, sizeof self, "/proc/self/fd/%d", draft.file); /* a file without a name */
    int other = platform_open(*draft.temporary ? draft.temporary : self, PLATFORM_READ, 0);
    assert_true(other >= 0);
    assert_false(platform_lock(other));
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
