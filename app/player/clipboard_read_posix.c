#include "clipboard_read.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system.h"
#include "mmd/memory.h"

#define ANSWER_WAIT 1.0  /* seconds until the owner of the clipboard must have answered everything */
#define LOOK_TIME   0.02 /* seconds between two looks at whether reading is cancelled */

enum { FILES_SIZE_MAX = 1 << 20 };

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

/* Reads from a pipe until its end. Returns false if that does not come in time, or there is too much. */
static bool read_all(const clipboard_reader *r, int from, double deadline, mmd_buffer *out)
{
    char block[4096];
    while (!atomic_load(&r->cancelled) && clock_seconds() < deadline && out->size < FILES_SIZE_MAX) {
        bool ready = false;
        if (!system_wait_readable(&from, &ready, 1, LOOK_TIME) || !ready)
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
static bool ends_well(system_process *program, double deadline)
{
    int code = -1;
    while (!system_process_has_ended(program, &code)) {
        if (clock_seconds() >= deadline)
            system_process_kill(program);
        system_sleep(0.001);
    }
    return code == 0;
}

/* Runs a program and takes its output. */
static outcome run_program(const clipboard_reader *r, const char *const *arguments, double deadline,
                           mmd_buffer *out)
{
    int ends[2];
    system_process program = {0};
    if (!system_pipe(ends))
        return OUTCOME_NO;
    const system_start how = {.files = {-1, ends[1], -1, -1, -1}};
    const bool started = system_process_start(&program, arguments, &how);
    const bool is_missing = !started && errno == ENOENT;
    close(ends[1]);
    bool complete = started && read_all(r, ends[0], deadline, out);
    close(ends[0]);
    if (!started)
        return is_missing ? OUTCOME_MISSING : OUTCOME_NO;
    if (!complete)
        system_process_kill(&program);
    bool well = ends_well(&program, deadline);
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
    if (!r || r->runs)
        return r != NULL;
    r->wayland = is_set("WAYLAND_DISPLAY");
    r->x11 = is_set("DISPLAY");
    r->state = CLIPBOARD_OTHER;
    atomic_store(&r->done, false);
    r->runs = platform_thread_start(&r->thread, run, r) == 0;
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
