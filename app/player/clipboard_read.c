#define _GNU_SOURCE /* pipe2 */
#include "clipboard_read.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "mmd/memory.h"

#define ANSWER_WAIT 1.0  /* seconds until the owner of the clipboard must have answered everything */
#define LOOK_TIME   0.02 /* seconds between two looks at whether reading is cancelled */

enum { FILES_SIZE_MAX = 1 << 20, ARGUMENTS_MAX = 8 };

extern char **environ;

struct clipboard_reader {
    void (*wake)(void *user);
    void *user;
    pthread_t thread;
    bool runs; /* the thread was started and has not been joined */
    bool wayland, x11;
    atomic_bool cancelled, done;
    clipboard_state state;
    mmd_buffer files;
};

/* --- Programs --- */

typedef enum outcome {
    OUTCOME_DONE,    /* the program has written its answer */
    OUTCOME_NO,      /* it failed: the clipboard is empty, or has no such target */
    OUTCOME_LATE,    /* it did not end in time, and was killed */
    OUTCOME_MISSING, /* it is not installed */
} outcome;

/* Starts a program with a pipe as its output. Returns 0 or an errno value. */
static int start(const char *const *arguments, int output, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    char *argv[ARGUMENTS_MAX] = {NULL};
    if (posix_spawn_file_actions_init(&actions) != 0 || posix_spawnattr_init(&attributes) != 0)
        return ENOMEM;
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    sigemptyset(&none); /* the thread has blocked all signals */
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    /* posix_spawnp takes an array of char *, but does not write to it. */
    for (size_t i = 0; arguments[i] && i + 1 < ARGUMENTS_MAX; i++)
        argv[i] = (char *)(uintptr_t)arguments[i];
    int result = posix_spawnp(child, argv[0], &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

/* Reads from a pipe until its end. Returns false if that does not come in time, or there is too much. */
static bool read_all(const clipboard_reader *r, int from, double deadline, mmd_buffer *out)
{
    char block[4096];
    while (!atomic_load(&r->cancelled) && clock_seconds() < deadline && out->size < FILES_SIZE_MAX) {
        struct pollfd polled = {.fd = from, .events = POLLIN};
        if (poll(&polled, 1, (int)(LOOK_TIME * 1000)) <= 0)
            continue;
        ssize_t got = read(from, block, sizeof block);
        if (got == 0)
            return true;
        if (got > 0)
            mmd_write_bytes(out, block, (size_t)got);
        else if (errno != EINTR)
            return false;
    }
    return false;
}

/* Waits until a program that has closed its output has ended, and kills it if it does not. Returns whether it
 * ended with code 0. */
static bool ends_well(pid_t child, double deadline)
{
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (clock_seconds() >= deadline)
            kill(child, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Runs a program and takes its output. */
static outcome run_program(const clipboard_reader *r, const char *const *arguments, double deadline,
                           mmd_buffer *out)
{
    int ends[2];
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return OUTCOME_NO;
    int result = start(arguments, ends[1], &child);
    close(ends[1]);
    bool complete = result == 0 && read_all(r, ends[0], deadline, out);
    close(ends[0]);
    if (result != 0)
        return result == ENOENT ? OUTCOME_MISSING : OUTCOME_NO;
    if (!complete)
        kill(child, SIGKILL);
    bool well = ends_well(child, deadline);
    if (!complete && out->size < FILES_SIZE_MAX)
        return OUTCOME_LATE;
    return complete && well && !out->failed ? OUTCOME_DONE : OUTCOME_NO;
}

/* --- Reading --- */

/* Returns whether a list of targets, one in each line, has one. */
static bool has_target(const mmd_buffer *list, const char *target)
{
    size_t length = strlen(target);
    for (size_t at = 0; at < list->size;) {
        const char *line = (const char *)list->data + at;
        const char *stop = memchr(line, '\n', list->size - at);
        size_t used = stop ? (size_t)(stop - line) : list->size - at;
        if (used == length && memcmp(line, target, length) == 0)
            return true;
        at += used + 1;
    }
    return false;
}

/* Asks a program for the targets of the clipboard, and for the files if there are any. */
static outcome read_by(clipboard_reader *r, bool wayland, double deadline)
{
    static const char *const targets[] = {"text/uri-list", "x-special/gnome-copied-files"};
    const char *const list_x11[] = {"xclip", "-selection", "clipboard", "-t", "TARGETS", "-o", NULL};
    const char *const list_wayland[] = {"wl-paste", "--list-types", NULL};
    mmd_buffer list = {0};
    outcome told = run_program(r, wayland ? list_wayland : list_x11, deadline, &list);
    for (size_t i = 0; told == OUTCOME_DONE && i < 2 && r->state != CLIPBOARD_FILES; i++) {
        const char *const take_x11[] = {"xclip", "-selection", "clipboard", "-t", targets[i], "-o", NULL};
        const char *const take_wayland[] = {"wl-paste", "--no-newline", "--type", targets[i], NULL};
        if (!has_target(&list, targets[i]))
            continue;
        mmd_buffer_finish(&r->files);
        told = run_program(r, wayland ? take_wayland : take_x11, deadline, &r->files);
        if (told == OUTCOME_DONE)
            r->state = CLIPBOARD_FILES;
    }
    mmd_buffer_finish(&list);
    return told;
}

static void *run(void *user)
{
    clipboard_reader *r = user;
    double deadline = clock_seconds() + ANSWER_WAIT;
    outcome told = r->wayland ? read_by(r, true, deadline) : OUTCOME_MISSING;
    if (told == OUTCOME_MISSING && r->x11)
        told = read_by(r, false, deadline);
    if (told == OUTCOME_LATE)
        r->state = CLIPBOARD_SILENT;
    if (r->state == CLIPBOARD_FILES)
        mmd_write_u8(&r->files, 0);
    atomic_store(&r->done, true);
    if (r->wake)
        r->wake(r->user);
    return NULL;
}

clipboard_reader *clipboard_reader_create(void (*wake)(void *user), void *user)
{
    clipboard_reader *r = mmd_alloc(sizeof *r);
    if (r)
        *r = (clipboard_reader){.wake = wake, .user = user};
    return r;
}

void clipboard_reader_destroy(clipboard_reader *r)
{
    if (!r)
        return;
    atomic_store(&r->cancelled, true);
    if (r->runs)
        pthread_join(r->thread, NULL);
    mmd_buffer_finish(&r->files);
    mmd_free(r);
}

/* Returns whether the environment names a display. */
static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

bool clipboard_reader_begin(clipboard_reader *r)
{
    sigset_t all, before;
    if (!r || r->runs)
        return r != NULL;
    r->wayland = is_set("WAYLAND_DISPLAY");
    r->x11 = is_set("DISPLAY");
    r->state = CLIPBOARD_OTHER;
    atomic_store(&r->done, false);
    sigfillset(&all); /* signals are the program's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    r->runs = pthread_create(&r->thread, NULL, run, r) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return r->runs;
}

clipboard_state clipboard_reader_poll(clipboard_reader *r, mmd_buffer *files)
{
    *files = (mmd_buffer){0};
    if (!r || !r->runs)
        return CLIPBOARD_IDLE;
    if (!atomic_load(&r->done))
        return CLIPBOARD_WAITING;
    pthread_join(r->thread, NULL);
    r->runs = false;
    if (r->state == CLIPBOARD_FILES)
        *files = r->files;
    else
        mmd_buffer_finish(&r->files);
    r->files = (mmd_buffer){0};
    return r->state;
}
