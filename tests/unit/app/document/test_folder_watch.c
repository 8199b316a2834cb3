/* Tests folder_watch.h: changes in folders wake somebody who sleeps. Links are tested in test_folder_links.c.
 */
#include "document/folder_watch.h"
#include "folder.h"
#include "support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/system.h"

enum { PATIENCE = 10 /* seconds */ };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned count;
} wakes = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static char root[MMD_FILE_PATH_MAX];

static void wake(void *user)
{
    assert_ptr_equal(user, &wakes);
    pthread_mutex_lock(&wakes.lock);
    wakes.count++;
    pthread_cond_signal(&wakes.changed);
    pthread_mutex_unlock(&wakes.lock);
}

/* Waits until somebody was woken that often. Returns false when it takes too long. */
static bool was_woken(unsigned times)
{
    struct timespec until;
    int result = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    pthread_mutex_lock(&wakes.lock);
    while (wakes.count < times && result == 0)
        result = pthread_cond_timedwait(&wakes.changed, &wakes.lock, &until);
    bool all = wakes.count >= times;
    pthread_mutex_unlock(&wakes.lock);
    return all;
}

static const char *in_root(const char *name)
{
    static char paths[4][MMD_FILE_PATH_MAX + 64];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", root, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    int file = platform_open(in_root(name), PLATFORM_WRITE | PLATFORM_CREATE | PLATFORM_EMPTY, 0666);
    assert_true(file >= 0 && system_write(file, text, strlen(text)));
    close(file);
}

static int begin(void **state)
{
    (void)state;
    test_folder_make(root);
    assert_true(platform_make_folder(in_root("a"), 0700));
    assert_true(platform_make_folder(in_root("b"), 0700));
    write_text("a/model.pmx", "1");
    write_text("b/texture.png", "1");
    return 0;
}

static int end(void **state)
{
    (void)state;
    test_folder_remove(root);
    return 0;
}

/* Asserts that a change wakes, once until it is taken. */
static void assert_wakes(folder_watch *w, unsigned *times)
{
    assert_true(was_woken(++*times));
    assert_true(folder_watch_is_stirred(w));
    system_sleep(0.1); /* for the rest of its events */
    assert_true(folder_watch_take(w));
    assert_false(folder_watch_is_stirred(w));
    assert_false(folder_watch_take(w));
    assert_int_equal(wakes.count, *times);
}

static void changes_wake(void **state)
{
    (void)state;
    unsigned times = 0;
    folder_watch *w = folder_watch_create(wake, &wakes);
    assert_non_null(w);
    folder_watch_add_file(w, in_root("a/model.pmx"));
    assert_true(folder_watch_is_complete(w));
    assert_false(folder_watch_is_stirred(w));
    write_text("a/model.pmx", "22");
    assert_wakes(w, &times);
    write_text("a/model.tmp", "333");
    assert_wakes(w, &times);
    assert_true(platform_replace(in_root("a/model.tmp"), in_root("a/model.pmx")));
    assert_wakes(w, &times);
    /* What is only read does not wake, and neither does another folder, until it is added. */
    char first = 0;
    int file = platform_open(in_root("a/model.pmx"), PLATFORM_READ, 0);
    assert_true(read(file, &first, 1) == 1 && first == '3');
    close(file);
    write_text("b/texture.png", "22");
    system_sleep(0.1);
    assert_int_equal(wakes.count, times);
    folder_watch_add_file(w, in_root("b/texture.png"));
    folder_watch_add_file(w, in_root("b/another.png"));
    write_text("b/texture.png", "333");
    assert_wakes(w, &times);
    assert_true(platform_remove(in_root("a/model.pmx")));
    assert_wakes(w, &times);
    folder_watch_clear(w);
    write_text("b/texture.png", "4444");
    write_text("a/model.pmx", "4444");
    system_sleep(0.1);
    assert_int_equal(wakes.count, times);
    folder_watch_destroy(w);
}

static void folders_may_be_deep(void **state)
{
    (void)state;
    unsigned times = wakes.count;
    char deep[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX + 8];
    folder_watch *w = folder_watch_create(wake, &wakes);
    assert_non_null(w);
    test_folder_make_deep(in_root("b"), deep);
    snprintf(path, sizeof path, "%s/a.pmx", deep);
    folder_watch_add_file(w, path);
    assert_true(folder_watch_is_complete(w));
    write_text(path + strlen(root) + 1, "1");
    assert_wakes(w, &times);
    folder_watch_destroy(w);
}

static void a_folder_that_is_not_there_is_missed(void **state)
{
    (void)state;
    folder_watch *w = folder_watch_create(wake, &wakes);
    assert_non_null(w);
    folder_watch_add_file(w, in_root("nowhere/model.pmx"));
    assert_false(folder_watch_is_complete(w));
    folder_watch_clear(w);
    assert_true(folder_watch_is_complete(w));
    folder_watch_add_file(w, in_root("a/model.pmx"));
    assert_true(folder_watch_is_complete(w));
    folder_watch_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_wake),
        cmocka_unit_test(folders_may_be_deep),
        cmocka_unit_test(a_folder_that_is_not_there_is_missed),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
