#include "thumbnails.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/system.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "thumbnail_cache.h"

/* Limits of a process that makes a picture. Time that it only waits is no reason to give a file up for ever:
 * the machine may be busy, or its disk slow. */
#define TIME_LIMIT  "90"         /* seconds, in case nobody is left to kill it */
#define CPU_LAST    20           /* seconds of computing */
#define MEMORY_LAST (4ull << 30) /* bytes of address space */
#define END_LOOK    0.005        /* seconds between two looks at whether it has ended */

enum { WORKERS = 2, OUTPUT_MAX = 1 << 20 };

/* A picture that is done. */
typedef struct finished {
    uint32_t number;
    mmd_image image; /* empty: there is none */
} finished;

/* A thread, while it runs. */
typedef struct worker {
    struct work *work;
    bool runs;
    bool has_wish;
    uint32_t number;      /* of that wish */
    system_process child; /* that makes it */
} worker;

/* The pictures of one list. They belong to their threads and to the maker together, and the last one frees
 * them: a thread that hangs on a dead disk cannot be waited for. */
typedef struct work {
    pthread_mutex_t lock; /* of all that follows but the last two */
    int owners;
    bool is_given_up;
    void (*wake)(void *user);
    void *user;
    bool stores;
    thumbnail_wish wishes[THUMBNAILS_WISHES_MAX]; /* first one first */
    size_t wish_count;
    finished done[THUMBNAILS_WISHES_MAX + WORKERS];
    size_t done_count;
    worker workers[WORKERS];
    char program[MMD_FILE_PATH_MAX];
    double patience;
} work;

struct thumbnails {
    char program[MMD_FILE_PATH_MAX];
    double patience; /* seconds */
    void (*wake)(void *user);
    void *user;
    bool stores;
    work *work; /* NULL: nothing was wanted since the last thumbnails_clear */
};

/* Gives up one share of the work. */
static void drop(work *w)
{
    pthread_mutex_lock(&w->lock);
    bool is_last = --w->owners == 0;
    pthread_mutex_unlock(&w->lock);
    if (!is_last)
        return;
    for (size_t i = 0; i < w->done_count; i++)
        mmd_image_finish(&w->done[i].image);
    pthread_mutex_destroy(&w->lock);
    mmd_free(w);
}

/* --- The process that makes a picture --- */

/* Starts it with a pipe as its output. */
static bool start(const work *w, const char *path, int output, system_process *child)
{
    const char *const arguments[] = {w->program,  "thumbnail", "--size", "128", "--time-limit", TIME_LIMIT,
                                     "--sandbox", "on",        "-o",     "-",   path,           NULL};
    const system_start how = {.files = {-1, output, -1, -1, -1},
                              .background = true,
                              .memory_max = MEMORY_LAST,
                              .computing_max = CPU_LAST};
    return system_process_start(child, arguments, &how);
}

/* Reads from a pipe until its end. Returns false if that does not come in time, or there is too much. */
static bool read_all(int from, double deadline, mmd_buffer *out)
{
    char block[4096];
    while (out->size < OUTPUT_MAX) {
        double left = deadline - clock_seconds();
        bool ready = false;
        if (left <= 0 || !system_wait_readable(&from, &ready, 1, left))
            return false;
        ssize_t got = ready ? read(from, block, sizeof block) : 0;
        if (ready && got == 0)
            return true;
        if (got > 0)
            mmd_write_bytes(out, block, (size_t)got);
        else if (got < 0 && errno != EINTR)
            return false;
    }
    return false;
}

/* Waits until a process has ended, and kills it if it does not in time. Nobody kills a number that is no
 * longer its own, because that is forgotten in the same moment. Returns its exit code (system_process_wait).
 */
static int wait_for_end(work *w, worker *me, double deadline)
{
    int code = 0;
    for (bool ended = false; !ended;) {
        if (clock_seconds() >= deadline)
            system_process_kill(&me->child);
        pthread_mutex_lock(&w->lock);
        ended = system_process_has_ended(&me->child, &code);
        pthread_mutex_unlock(&w->lock);
        if (!ended)
            system_sleep(END_LOOK);
    }
    return code;
}

/* Starts the process of a worker, unless the work was given up meanwhile. */
static bool start_child(work *w, worker *me, const char *path, int output)
{
    pthread_mutex_lock(&w->lock);
    bool started = !w->is_given_up && start(w, path, output, &me->child);
    pthread_mutex_unlock(&w->lock);
    return started;
}

/* Makes the picture of a file. Returns whether something was found out: the picture or, without pixels, that
 * none can be made. */
static bool make(work *w, worker *me, const char *path, mmd_image *image)
{
    int ends[2];
    mmd_buffer out = {0};
    const double deadline = clock_seconds() + w->patience;
    if (!system_pipe(ends))
        return false;
    bool started = start_child(w, me, path, ends[1]);
    close(ends[1]);
    bool whole = started && read_all(ends[0], deadline, &out);
    close(ends[0]);
    if (!started)
        return false;
    int code = wait_for_end(w, me, whole ? deadline : 0);
    bool is_bad = code == EXIT_INPUT ||
                  (code < 0 && code != SYSTEM_KILLED && code != SYSTEM_TERMINATED && code != SYSTEM_LOST);
    bool made =
        whole && code == 0 && !out.failed && thumbnail_decode(out.data, out.size, THUMBNAIL_SIZE, image);
    mmd_buffer_finish(&out);
    return made || is_bad;
}

/* --- The threads --- */

static bool is_given_up(work *w)
{
    pthread_mutex_lock(&w->lock);
    bool given_up = w->is_given_up;
    pthread_mutex_unlock(&w->lock);
    return given_up;
}

/* Returns the seconds of a time in nanoseconds, rounded down. */
static int64_t whole_seconds(int64_t nanoseconds)
{
    const int64_t second = 1000000000;
    return nanoseconds / second - (nanoseconds % second < 0);
}

/* Reads the picture of a file from the cache, or makes it. */
static void find_picture(work *w, worker *me, const thumbnail_wish *wish, mmd_image *image)
{
    platform_info before = {.modified = 0}, after;
    thumbnail_found found = THUMBNAIL_MISSING;
    if (wish->has_cache) {
        if (!platform_stat(wish->path, &before) || before.kind != PLATFORM_FILE)
            return;
        found = thumbnail_cache_read(wish->path, whole_seconds(before.modified), image);
    }
    if (found != THUMBNAIL_MISSING || !wish->is_made || !make(w, me, wish->path, image))
        return;
    if (wish->has_cache && w->stores && !is_given_up(w) && platform_stat(wish->path, &after) &&
        whole_seconds(after.modified) == whole_seconds(before.modified))
        thumbnail_cache_write(wish->path, whole_seconds(before.modified), image);
}

/* Takes the first wish. Returns false when there is none, and the thread is to end. */
static bool take_wish(work *w, worker *me, thumbnail_wish *wish)
{
    pthread_mutex_lock(&w->lock);
    me->has_wish = me->runs = w->wish_count > 0;
    if (me->has_wish) {
        *wish = w->wishes[0];
        me->number = wish->number;
        memmove(w->wishes, w->wishes + 1, --w->wish_count * sizeof *w->wishes);
    }
    bool taken = me->has_wish;
    pthread_mutex_unlock(&w->lock);
    return taken;
}

/* Hands a picture over. */
static void give(work *w, worker *me, const thumbnail_wish *wish, mmd_image *image)
{
    pthread_mutex_lock(&w->lock);
    me->has_wish = false;
    bool fits = w->done_count < sizeof w->done / sizeof *w->done;
    if (fits)
        w->done[w->done_count++] = (finished){wish->number, *image};
    if (w->wake && !w->is_given_up)
        w->wake(w->user);
    pthread_mutex_unlock(&w->lock);
    if (!fits)
        mmd_image_finish(image);
}

static void *run(void *user)
{
    worker *me = user;
    work *w = me->work;
    thumbnail_wish wish;
    while (take_wish(w, me, &wish)) {
        mmd_image image = {0};
        find_picture(w, me, &wish, &image);
        give(w, me, &wish, &image);
    }
    drop(w);
    return NULL;
}

/* Starts as many threads as there are wishes, at most all. Nobody joins them. The work is locked. */
static void start_threads(work *w)
{
    for (size_t i = 0, wishes = w->wish_count; i < WORKERS && wishes; i++) {
        pthread_t thread;
        worker *free_one = &w->workers[i];
        if (free_one->runs)
            continue;
        *free_one = (worker){.work = w, .runs = true};
        w->owners++;
        if (platform_thread_start(&thread, run, free_one) == 0) {
            pthread_detach(thread);
            wishes--;
        } else {
            free_one->runs = false;
            w->owners--;
        }
    }
}

/* --- The player's side --- */

thumbnails *thumbnails_create(const char *program, double patience, void (*wake)(void *user), void *user)
{
    thumbnails *t = mmd_alloc(sizeof *t);
    if (!t)
        return NULL;
    *t = (thumbnails){.patience = patience, .wake = wake, .user = user};
    snprintf(t->program, sizeof t->program, "%s", program);
    return t;
}

void thumbnails_destroy(thumbnails *t)
{
    if (!t)
        return;
    thumbnails_clear(t);
    mmd_free(t);
}

void thumbnails_store(thumbnails *t, bool stores)
{
    t->stores = stores;
}

static work *create_work(const thumbnails *t)
{
    work *w = mmd_alloc(sizeof *w);
    if (!w)
        return NULL;
    *w = (work){.owners = 1, .patience = t->patience, .wake = t->wake, .user = t->user, .stores = t->stores};
    memcpy(w->program, t->program, sizeof w->program);
    pthread_mutex_init(&w->lock, NULL);
    return w;
}

/* Returns whether a picture is being made, or is done and not taken yet. */
static bool is_in_work(const work *w, uint32_t number)
{
    bool found = false;
    for (size_t i = 0; i < WORKERS; i++)
        found = found || (w->workers[i].has_wish && w->workers[i].number == number);
    for (size_t i = 0; i < w->done_count; i++)
        found = found || w->done[i].number == number;
    return found;
}

void thumbnails_want(thumbnails *t, const thumbnail_wish *wishes, size_t count)
{
    if (!t->work && count)
        t->work = create_work(t);
    work *w = t->work;
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->wish_count = 0;
    for (size_t i = 0; i < count && w->wish_count < THUMBNAILS_WISHES_MAX; i++)
        if (!is_in_work(w, wishes[i].number))
            w->wishes[w->wish_count++] = wishes[i];
    start_threads(w);
    pthread_mutex_unlock(&w->lock);
}

void thumbnails_clear(thumbnails *t)
{
    work *w = t->work;
    t->work = NULL;
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->is_given_up = true;
    w->wish_count = 0;
    for (size_t i = 0; i < WORKERS; i++)
        system_process_kill(&w->workers[i].child);
    pthread_mutex_unlock(&w->lock);
    drop(w);
}

bool thumbnails_take(thumbnails *t, uint32_t *number, mmd_image *image)
{
    work *w = t->work;
    *image = (mmd_image){0};
    if (!w)
        return false;
    pthread_mutex_lock(&w->lock);
    bool taken = w->done_count > 0;
    if (taken) {
        *number = w->done[0].number;
        *image = w->done[0].image;
        memmove(w->done, w->done + 1, --w->done_count * sizeof *w->done);
    }
    pthread_mutex_unlock(&w->lock);
    return taken;
}

bool thumbnails_are_awaited(const thumbnails *t)
{
    work *w = t->work;
    bool awaited = false;
    if (!w)
        return false;
    pthread_mutex_lock(&w->lock);
    awaited = w->wish_count > 0;
    for (size_t i = 0; i < WORKERS; i++)
        awaited = awaited || w->workers[i].has_wish;
    pthread_mutex_unlock(&w->lock);
    return awaited;
}
