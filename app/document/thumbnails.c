#define _GNU_SOURCE /* pipe2, prlimit */
#include "thumbnails.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"
#include "thumbnail_cache.h"

/* Limits of a process that makes a picture. Time that it only waits is no reason to give a file up for ever:
 * the machine may be busy, or its disk slow. */
#define TIME_LIMIT  "90"         /* seconds, in case nobody is left to kill it */
#define CPU_LAST    20           /* seconds of computing */
#define MEMORY_LAST (4ull << 30) /* bytes of address space */
#define NICENESS    10
#define END_LOOK    0.005 /* seconds between two looks at whether it has ended */

enum { WORKERS = 2, OUTPUT_MAX = 1 << 20 };

extern char **environ;

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
    uint32_t number; /* of that wish */
    pid_t child;     /* process that makes it; 0: none */
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

/* Starts it, as the leader of a group of its own, with a pipe as its output. Returns 0 if it cannot be
 * started. */
static pid_t start(const work *w, const char *path, int output)
{
    const char *const arguments[] = {w->program,  "thumbnail", "--size", "128", "--time-limit", TIME_LIMIT,
                                     "--sandbox", "on",        "-o",     "-",   path,           NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child = 0;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return 0;
    if (posix_spawnattr_init(&attributes) == 0) {
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, output, 1);
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
        sigemptyset(&none); /* the thread has blocked all signals */
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
        /* posix_spawn does not modify the arguments. */
        if (posix_spawn(&child, w->program, &actions, &attributes, (char *const *)(uintptr_t)arguments,
                        environ) != 0)
            child = 0;
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    if (child) {
        const struct rlimit memory = {.rlim_cur = MEMORY_LAST, .rlim_max = MEMORY_LAST};
        const struct rlimit computing = {.rlim_cur = CPU_LAST, .rlim_max = CPU_LAST + 1};
        setpriority(PRIO_PROCESS, (id_t)child, NICENESS);
        prlimit(child, RLIMIT_AS, &memory, NULL);
        prlimit(child, RLIMIT_CPU, &computing, NULL);
    }
    return child;
}

/* Kills a process and all that it has started. */
static void kill_all(pid_t child)
{
    if (child > 0)
        kill(-child, SIGKILL);
}

/* Reads from a pipe until its end. Returns false if that does not come in time, or there is too much. */
static bool read_all(int from, double deadline, mmd_buffer *out)
{
    char block[4096];
    while (out->size < OUTPUT_MAX) {
        double left = deadline - clock_seconds();
        struct pollfd polled = {.fd = from, .events = POLLIN};
        int ready = left > 0 ? poll(&polled, 1, (int)ceil(left * 1000)) : 0;
        ssize_t got = ready > 0 ? read(from, block, sizeof block) : ready;
        if (ready == 0)
            return false;
        if (got == 0)
            return true;
        if (got > 0)
            mmd_write_bytes(out, block, (size_t)got);
        else if (errno != EINTR)
            return false;
    }
    return false;
}

/* Waits until a process has ended, and kills it if it does not in time. Nobody kills a number that is no
 * longer its own, because that is forgotten in the same moment. Returns its status. */
static int wait_for_end(work *w, worker *me, double deadline)
{
    int status = -1;
    for (pid_t child = me->child, ended = 0; ended == 0;) {
        if (clock_seconds() >= deadline)
            kill_all(child);
        pthread_mutex_lock(&w->lock);
        ended = waitpid(child, &status, WNOHANG);
        if (ended != 0)
            me->child = 0;
        pthread_mutex_unlock(&w->lock);
        if (ended == 0)
            nanosleep(&(struct timespec){.tv_nsec = (long)(END_LOOK * 1e9)}, NULL);
    }
    return status;
}

/* Starts the process of a worker, unless the work was given up meanwhile. */
static bool start_child(work *w, worker *me, const char *path, int output)
{
    pthread_mutex_lock(&w->lock);
    me->child = w->is_given_up ? 0 : start(w, path, output);
    pthread_mutex_unlock(&w->lock);
    return me->child != 0;
}

/* Makes the picture of a file. Returns whether something was found out: the picture or, without pixels, that
 * none can be made. */
static bool make(work *w, worker *me, const char *path, mmd_image *image)
{
    int ends[2];
    mmd_buffer out = {0};
    const double deadline = clock_seconds() + w->patience;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    bool started = start_child(w, me, path, ends[1]);
    close(ends[1]);
    bool whole = started && read_all(ends[0], deadline, &out);
    close(ends[0]);
    if (!started)
        return false;
    int status = wait_for_end(w, me, whole ? deadline : 0);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
        signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    bool is_bad = code == EXIT_INPUT || (signal && signal != SIGKILL && signal != SIGTERM);
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

/* Reads the picture of a file from the cache, or makes it. */
static void find_picture(work *w, worker *me, const thumbnail_wish *wish, mmd_image *image)
{
    struct stat before, after;
    thumbnail_found found = THUMBNAIL_MISSING;
    if (wish->has_cache) {
        if (stat(wish->path, &before) != 0 || !S_ISREG(before.st_mode))
            return;
        found = thumbnail_cache_read(wish->path, before.st_mtime, image);
    }
    if (found != THUMBNAIL_MISSING || !wish->is_made || !make(w, me, wish->path, image))
        return;
    if (wish->has_cache && w->stores && !is_given_up(w) && stat(wish->path, &after) == 0 &&
        after.st_mtime == before.st_mtime)
        thumbnail_cache_write(wish->path, before.st_mtime, image);
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

/* Starts as many threads as there are wishes, at most all. They take no signals, and nobody joins them. The
 * work is locked. */
static void start_threads(work *w)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (size_t i = 0, wishes = w->wish_count; i < WORKERS && wishes; i++) {
        pthread_t thread;
        worker *free_one = &w->workers[i];
        if (free_one->runs)
            continue;
        *free_one = (worker){.work = w, .runs = true};
        w->owners++;
        if (pthread_create(&thread, NULL, run, free_one) == 0) {
            pthread_detach(thread);
            wishes--;
        } else {
            free_one->runs = false;
            w->owners--;
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
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
        kill_all(w->workers[i].child);
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
