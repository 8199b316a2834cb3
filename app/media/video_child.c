/* Child processes with pipes (video_child_internal.h). */
#include "video_child_internal.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/time_limit.h"

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* Writes the name of a descriptor of a child process, or else that of a path. */
static void name_file(int file, const char *path, char name[CHILD_NAME_MAX])
{
    char own[32];
    snprintf(name, CHILD_NAME_MAX, "file:%s", system_file_name(file, own) ? own : path);
}

void child_name_input(const char *path, char name[CHILD_NAME_MAX])
{
    name_file(3, path, name);
}

void child_name_output(const char *path, char name[CHILD_NAME_MAX])
{
    name_file(4, path, name);
}

static int no_pipe(const char *program)
{
    message("no pipe to %s can be created: %s", program, strerror(errno));
    return EXIT_FACILITY;
}

static int cannot_run(const char *program, int code, const char *purpose)
{
    message("%s cannot be run: %s; %s needs ffmpeg (%s)", program, strerror(code), purpose,
            system_ffmpeg_advice);
    return EXIT_FACILITY;
}

/* Waits for a program to end, if it has not ended already. Returns whether it succeeded. */
static bool wait_for(system_process *process)
{
    return !process->id || system_process_wait(process) == 0;
}

/* --- Reading --- */

int child_start(child_source *c, const char *const arguments[], child_files files, const char *purpose)
{
    int out[2], err[2];
    *c = (child_source){.out = -1, .err = -1};
    if (!system_pipe(out))
        return no_pipe(arguments[0]);
    if (!system_pipe(err)) {
        close(out[0]);
        close(out[1]);
        return no_pipe(arguments[0]);
    }
    const system_start how = {.files = {-1, out[1], err[1], files.input, files.output}};
    int code = system_process_start(&c->process, arguments, &how) ? 0 : errno;
    close(out[1]);
    close(err[1]);
    c->out = out[0];
    c->err = err[0];
    return code == 0 ? EXIT_DONE : cannot_run(arguments[0], code, purpose);
}

bool child_finish(child_source *c)
{
    close_end(&c->out);
    close_end(&c->err);
    return wait_for(&c->process);
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
        const int ends[] = {c->out, c->err};
        bool ready[2];
        if (!system_wait_readable(ends, ready, 2, -1))
            break;
        if (c->err >= 0 && ready[1])
            take_complaint(c);
        if (!ready[0])
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
    int copy = file ? system_duplicate(fileno(file)) : -1;
    if (file)
        fclose(file);
    return copy;
}

int child_sink_start(child_sink *c, const char *const arguments[], child_files files, const char *purpose)
{
    int in[2];
    *c = (child_sink){.in = -1, .err = -1};
    if (!system_pipe(in))
        return no_pipe(arguments[0]);
    system_ignore_broken_pipes(); /* the failing write reports a program that ends early */
    c->err = open_complaints();
    const system_start how = {.files = {in[0], -1, c->err, files.input, files.output}};
    int code = system_process_start(&c->process, arguments, &how) ? 0 : errno;
    time_limit_kill_too(code == 0 ? &c->process : NULL);
    close(in[0]);
    c->in = in[1];
    return code == 0 ? EXIT_DONE : cannot_run(arguments[0], code, purpose);
}

bool child_sink_write(child_sink *c, const void *data, size_t size)
{
    return system_write(c->in, data, size);
}

/* Returns whether ffmpeg complains that the end of a file is not stored. Before version 6.1 it ends with exit
 * code 0 then. */
static bool tells_loss(const char *line)
{
    return strstr(line, "Error writing trailer") || strstr(line, "Error closing file");
}

/* Reads the line of the error output that tells best what went wrong: one of a loss, else the first one.
 * Returns whether it is one of a loss. */
static bool read_complaint(int file, char complaint[CHILD_COMPLAINT_MAX])
{
    char line[CHILD_COMPLAINT_MAX];
    FILE *lines = file < 0 || lseek(file, 0, SEEK_SET) != 0 ? NULL : fdopen(file, "rb");
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
    bool ok = wait_for(&c->process);
    time_limit_kill_too(NULL);
    bool lost = read_complaint(c->err, complaint);
    c->err = -1;
    return ok && !lost;
}

void child_sink_stop(child_sink *c)
{
    char ignored[CHILD_COMPLAINT_MAX];
    system_process_kill(&c->process);
    child_sink_finish(c, ignored);
}
