/* Tests folder_watch.h with what not all systems have: links, times that are set, folders that are renamed.
 */
#include "document/folder_watch.h"
#include "support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 10 /* seconds */ };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned count;
} wakes = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static char root[] = "/tmp/odori-folder-links-XXXXXX";

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
    static char paths[4][256];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", root, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(in_root(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int begin(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(root));
    assert_int_equal(mkdir(in_root("a"), 0777), 0);
    assert_int_equal(mkdir(in_root("b"), 0777), 0);
    write_text("a/model.pmx", "1");
    write_text("b/texture.png", "1");
    assert_int_equal(symlink("../b/texture.png", in_root("a/link.png")), 0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    char line[300];
    snprintf(line, sizeof line, "rm -rf '%s'", root);
    return system(line);
}

/* Asserts that a change wakes, once until it is taken. */
static void assert_wakes(folder_watch *w, unsigned *times)
{
    assert_true(was_woken(++*times));
    assert_true(folder_watch_is_stirred(w));
    nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL); /* for the rest of its events */
    assert_true(folder_watch_take(w));
    assert_false(folder_watch_is_stirred(w));
    assert_false(folder_watch_take(w));
    assert_int_equal(wakes.count, *times);
}

static void links_and_times_are_followed(void **state)
{
    (void)state;
    unsigned times = 0;
    folder_watch *w = folder_watch_create(wake, &wakes);
    assert_non_null(w);
    folder_watch_add_file(w, in_root("a/link.png"));
    assert_true(folder_watch_is_complete(w));
    const struct timespec early[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    assert_int_equal(utimensat(0, in_root("a/model.pmx"), early, 0), 0);
    assert_wakes(w, &times);
    write_text("b/texture.png", "333");
    assert_wakes(w, &times);
    assert_int_equal(rename(in_root("a"), in_root("c")), 0);
    assert_wakes(w, &times);
    assert_false(folder_watch_is_complete(w));
    folder_watch_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(links_and_times_are_followed)};
    return cmocka_run_group_tests(tests, begin, end);
}
