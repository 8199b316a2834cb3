/* Child processes with pipes and posix_spawn (video_child_internal.h). */
#include "video_child_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"
#include "base/system.h"
#include "base/time_limit.h"

extern char **environ;

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

static bool make_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    /* The other child must not inherit these ends, because that would keep them open. */
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

enum { ENDS = 5, HIGH = 16 };

/* Adds what a program's first descriptors are: ends, or /dev/null for a standard one that is -1. */
static void add_ends(posix_spawn_file_actions_t *actions, const int ends[ENDS])
{
    for (int i = 0; i < ENDS; i++) {
        if (ends[i] >= 0)
            posix_spawn_file_actions_adddup2(actions, ends[i], i);
        else if (i < 3)
            posix_spawn_file_actions_addopen(actions, i, "/dev/null", i == 0 ? O_RDONLY : O_WRONLY, 0);
    }
}

/* Starts a program with no signal blocked or ignored. Returns 0 or an errno value. */
static int spawn_with(pid_t *id, const char *const arguments[], const int ends[ENDS])
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, piped;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        sigemptyset(&none);
        sigemptyset(&piped);
        sigaddset(&piped, SIGPIPE);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &piped);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        add_ends(&actions, ends);
        /* posix_spawnp does not modify the arguments. */
        code = posix_spawnp(id, arguments[0], &actions, &attributes, (char *const *)(uintptr_t)arguments,
                            environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* Starts a program. ends: its stdin, stdout and stderr; -1 for /dev/null. Returns 0 or an errno value. */
static int spawn(pid_t *id, const char *const arguments[], const int ends[3], child_files files)
{
    /* High numbers, so that none is overwritten before it is copied. */
    int input = files.input < 0 ? -1 : fcntl(files.input, F_DUPFD_CLOEXEC, HIGH);
    int output = files.output < 0 ? -1 : fcntl(files.output, F_DUPFD_CLOEXEC, HIGH);
    const int all[ENDS] = {ends[0], ends[1], ends[2], input, output};
    int code = spawn_with(id, arguments, all);
    close_end(&input);
    close_end(&output);
    return code;
}

static int no_pipe(const char *program)
{
    message("no pipe to %s can be created: %s", program, strerror(errno));
    return EXIT_FACILITY;
}

static int cannot_run(const char *program, int code, const char *purpose)
{
    message("%s cannot be run: %s; %s needs ffmpeg (on Debian: apt-get install ffmpeg)", program, strerror(code),
            purpose);
    return EXIT_FACILITY;
}

/* Waits for a program to end. Returns whether it succeeded. */
static bool wait_for(pid_t *id)
{
    int status = 0;
    if (*id <= 0)
        return true;
    while (waitpid(*id, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    *id = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* --- Reading --- */

int child_start(child_source *c, const char *const arguments[], child_files files, const char *purpose)
{
    int out[2], err[2];
    *c = (child_source){.out = -1, .err = -1};
    if (!make_pipe(out))
        return no_pipe(arguments[0]);
    if (!make_pipe(err)) {
        close(out[0]);
        close(out[1]);
        return no_pipe(arguments[0]);
    }
    const int ends[] = {-1, out[1], err[1]};
    int code = spawn(&c->id, arguments, ends, files);
    close(out[1]);
    close(err[1]);
    c->out = out[0];
    c->err = err[0];
    if (code == 0)
        return EXIT_DONE;
    c->id = 0;
    return cannot_run(arguments[0], code, purpose);
}

bool child_finish(child_source *c)
{
    close_end(&c->out);
    close_end(&c->err);
    return wait_for(&c->id);
}

/* Reads stderr, keeping only its start. A full pipe would block the program. */
static void take_complaint(child_source *c)
{
    char part[512];
    ssize_t size = read(c->err, part, sizeof part);
    if (size < 0 && errno == EINTR)
        return;
    if (size <= 0) {
        close_end(&c->err);
        return;
    }
    size_t room = sizeof c->complaint - 1 - c->complaint_size;
    size_t taken = (size_t)size < room ? (size_t)size : room;
    memcpy(c->complaint + c->complaint_size, part, taken);
    c->complaint_size += taken;
}

size_t child_read(child_source *c, void *data, size_t size)
{
    size_t done = 0;
    while (done < size && c->out >= 0) {
        struct pollfd ends[] = {{.fd = c->out, .events = POLLIN}, {.fd = c->err, .events = POLLIN}};
        if (poll(ends, 2, -1) < 0 && errno != EINTR)
            break;
        if (c->err >= 0 && ends[1].revents)
            take_complaint(c);
        if (!ends[0].revents)
            continue;
        ssize_t part = read(c->out, (uint8_t *)data + done, size - done);
        if (part > 0)
            done += (size_t)part;
        else if (part == 0 || errno != EINTR)
            close_end(&c->out);
    }
    return done;
}

void child_drain(child_source *c)
{
    char rest[256];
    while (child_read(c, rest, sizeof rest) == sizeof rest)
        ;
    while (c->err >= 0)
        take_complaint(c);
}

/* --- Writing --- */

/* Opens an unnamed file for stderr. Unlike a pipe, it need not be read while pictures are written. */
static int open_complaints(void)
{
    FILE *file = system_scratch_file();
    int copy = file ? dup(fileno(file)) : -1;
    if (file)
        fclose(file);
    if (copy >= 0)
        fcntl(copy, F_SETFD, FD_CLOEXEC);
    return copy;
}

/* Starts the encoder. It ends with this program when the time limit is reached. */
static int spawn_sink(child_sink *c, const char *const arguments[], const int ends[3], child_files files)
{
    int code = spawn(&c->id, arguments, ends, files);
    time_limit_kill_too(code == 0 ? &(system_process){c->id} : NULL);
    return code;
}

int child_sink_start(child_sink *c, const char *const arguments[], child_files files, const char *purpose)
{
    int in[2];
    *c = (child_sink){.in = -1, .err = -1};
    if (!make_pipe(in))
        return no_pipe(arguments[0]);
    signal(SIGPIPE, SIG_IGN); /* the failing write reports a program that ends early */
    c->err = open_complaints();
    const int ends[] = {in[0], -1, c->err};
    int code = spawn_sink(c, arguments, ends, files);
    close(in[0]);
    c->in = in[1];
    if (code == 0)
        return EXIT_DONE;
    c->id = 0;
    return cannot_run(arguments[0], code, purpose);
}

bool child_sink_write(child_sink *c, const void *data, size_t size)
{
    const uint8_t *at = data;
    while (size) {
        ssize_t wrote = write(c->in, at, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        at += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

/* Returns whether ffmpeg complains that the end of a file is not stored. Before version 6.1 it ends with exit code 0
 * then. */
static bool tells_loss(const char *line)
{
    return strstr(line, "Error writing trailer") || strstr(line, "Error closing file");
}

/* Reads the line of the error output that tells best what went wrong: one of a loss, else the first one. Returns
 * whether it is one of a loss. */
static bool read_complaint(int file, char complaint[CHILD_COMPLAINT_MAX])
{
    char line[CHILD_COMPLAINT_MAX];
    FILE *lines = file < 0 || lseek(file, 0, SEEK_SET) != 0 ? NULL : fdopen(file, "r");
    bool lost = false;
    *complaint = '\0';
    while (lines && !lost && fgets(line, sizeof line, lines)) {
        line[strcspn(line, "\r\n")] = '\0';
        lost = tells_loss(line);
        if (lost || !*complaint)
            memcpy(complaint, line, sizeof line);
    }
    if (lines)
        fclose(lines);
    else if (file >= 0)
        close(file);
    return lost;
}

bool child_sink_finish(child_sink *c, char complaint[CHILD_COMPLAINT_MAX])
{
    close_end(&c->in);
    bool ok = wait_for(&c->id);
    time_limit_kill_too(NULL);
    bool lost = read_complaint(c->err, complaint);
    c->err = -1;
    return ok && !lost;
}

void child_sink_stop(child_sink *c)
{
    char ignored[CHILD_COMPLAINT_MAX];
    if (c->id > 0)
        kill(c->id, SIGKILL);
    child_sink_finish(c, ignored);
}
