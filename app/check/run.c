/*
 * The parent of a check: children scenes to worker processes and gathers their
 * results. Workers are forked before anything of OpenGL, and the parent never
 * opens it, so a driver that crashes costs one scene.
 *
 * While a run with a report is unfinished, its results so far lie in
 * state.jsonl in the report's folder, a line a scene; the next run takes those
 * whose key is still right.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"
#include "base/paths.h"
#include "internal.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"
#include "base/progress.h"

enum { READ_SIZE = 65536, NO_SCENE = -1 };

typedef struct child {
    pid_t pid; /* 0: not running */
    int in, out;
    bool ready;
    long scene; /* place in the run's list, or NO_SCENE */
    mmd_buffer line;
} child;

typedef struct check_parent {
    const check_run *run;
    child *children;
    size_t child_count;
    json_t *stored;   /* results of an interrupted run, by name */
    json_t **results; /* by place in the run's list */
    size_t next, finished, pictures;
    FILE *state;
    json_t *about;
    progress bar;
    problem *why; /* the first failure ends the run */
} check_parent;

/* --- State of an unfinished run --- */

static bool state_path(const check_run *run, char path[PATH_MAX])
{
    if (!run->options->report || run->options->accept)
        return false;
    path_join(path, run->options->report, "state.jsonl");
    return true;
}

/* Goes on with an interrupted run, and opens the file that this one's results are kept in. */
static bool open_state(check_parent *c)
{
    char path[PATH_MAX];
    mmd_bytes bytes = {0};
    if (!state_path(c->run, path))
        return true;
    if (!c->run->options->fresh && mmd_file_read(path, &bytes, NULL) == MMD_OK) {
        const char *at = (const char *)bytes.data, *end = at + bytes.size;
        while (at < end) {
            const char *stop = memchr(at, '\n', (size_t)(end - at));
            size_t length = (size_t)((stop ? stop : end) - at);
            /* A line that was being written when the run ended is no JSON, and left out. */
            json_t *result = json_loadb(at, length, 0, NULL);
            const char *name = json_string_value(json_object_get(result, "name"));
            if (name)
                json_object_set(c->stored, name, result);
            json_decref(result);
            at += length + 1;
        }
        mmd_bytes_finish(&bytes);
    }
    size_t stored = json_object_size(c->stored);
    if (stored)
        message("going on with an interrupted run: %zu scene%s done", stored, stored == 1 ? " is" : "s are");
    c->state = fopen(path, stored ? "a" : "w");
    if (!c->state)
        return problem_set(c->why, EXIT_FACILITY, "%s: cannot be written: %s", path, strerror(errno));
    if (stored)
        putc('\n', c->state); /* behind a line that was cut */
    return true;
}

/* --- Workers --- */

/* Is the child's half. Only its own ends stay open, so that each worker sees the end of its input. */
static _Noreturn void be_worker(const check_parent *c, int in, int out)
{
    for (size_t i = 0; i < c->child_count; i++) {
        if (c->children[i].pid) {
            close(c->children[i].in);
            close(c->children[i].out);
        }
    }
    if (c->state)
        close(fileno(c->state));
    signal(SIGPIPE, SIG_DFL);
    FILE *input = fdopen(in, "r"), *output = fdopen(out, "w");
    if (input && output) {
        check_worker(c->run, input, output);
        fflush(output);
    }
    _exit(0);
}

static bool start_worker(check_parent *c, child *h)
{
    int to[2], from[2];
    if (pipe(to) != 0)
        return problem_set(c->why, EXIT_FACILITY, "no pipe: %s", strerror(errno));
    if (pipe(from) != 0) {
        close(to[0]);
        close(to[1]);
        return problem_set(c->why, EXIT_FACILITY, "no pipe: %s", strerror(errno));
    }
    fflush(stdout);
    fflush(stderr);
    pid_t pid = fork();
    if (pid == 0) {
        close(to[1]);
        close(from[0]);
        be_worker(c, to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    h->pid = pid > 0 ? pid : 0;
    h->in = to[1];
    h->out = from[0];
    h->ready = false;
    h->scene = NO_SCENE;
    h->line.size = 0;
    if (pid > 0)
        return true;
    close(h->in);
    close(h->out);
    return problem_set(c->why, EXIT_FACILITY, "no process: %s", strerror(errno));
}

/* Waits for a worker to end; returns its status. */
static int end_worker(child *h)
{
    int status = 0;
    close(h->in);
    close(h->out);
    while (waitpid(h->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    h->pid = 0;
    return status;
}

static const suite_scene *scene_at(const check_parent *c, long place)
{
    return &c->run->suite->scenes[c->run->chosen[place]];
}

static const json_t *stored_result(const check_parent *c, long place)
{
    return json_object_get(c->stored, scene_at(c, place)->name);
}

static void give_scene(check_parent *c, child *h)
{
    if (!h->pid || !h->ready || h->scene != NO_SCENE || c->next == c->run->chosen_count)
        return;
    h->scene = (long)c->next++;
    const char *key = json_string_value(json_object_get(stored_result(c, h->scene), "key"));
    char line[96];
    int length =
        snprintf(line, sizeof line, "%zu %.32s\n", c->run->chosen[h->scene], key && *key ? key : "-");
    /* A worker that is gone is noticed when its output ends. */
    if (write(h->in, line, (size_t)length) != length)
        h->ready = false;
}

/* Keeps a scene's result, also in the file of the unfinished run. */
static void take_result(check_parent *c, child *h, json_t *result)
{
    if (c->state) {
        json_dumpf(result, c->state, JSON_COMPACT);
        putc('\n', c->state);
        fflush(c->state);
    }
    c->results[h->scene] = result;
    c->finished++;
    h->scene = NO_SCENE;
}

static void take_greeting(check_parent *c, child *h, const json_t *hello)
{
    const char *text = json_string_value(json_object_get(hello, "message"));
    bool drawing = json_object_get(hello, "driver") != NULL;
    if (text)
        problem_set(c->why, (int)json_integer_value(json_object_get(hello, "code")), "%s", text);
    else if (!drawing) /* else it would be started again and again */
        problem_set(c->why, EXIT_FACILITY, "a drawing process does not say what draws");
    else if (!json_object_size(c->about))
        json_object_update(c->about, (json_t *)(uintptr_t)hello);
    h->ready = drawing;
}

static void take_line(check_parent *c, child *h, const char *line, size_t length)
{
    json_t *value = length > 1 ? json_loadb(line + 1, length - 1, 0, NULL) : NULL;
    if (line[0] == 'H') {
        take_greeting(c, h, value);
    } else if (line[0] == 'P') {
        progress_show(&c->bar, ++c->pictures);
    } else if (line[0] == 'S' && h->scene != NO_SCENE) {
        c->pictures += scene_at(c, h->scene)->recipe.frame_count;
        progress_show(&c->bar, c->pictures);
        json_t *stored = (json_t *)(uintptr_t)stored_result(c, h->scene);
        json_object_set_new(stored, "index", json_integer((json_int_t)c->run->chosen[h->scene]));
        c->results[h->scene] = json_incref(stored);
        c->finished++;
        h->scene = NO_SCENE;
    } else if (line[0] == 'R' && h->scene != NO_SCENE && value) {
        take_result(c, h, json_incref(value));
    }
    json_decref(value);
    give_scene(c, h);
}

/* Ends a worker whose output ended. The scene it had is lost; while there are more, another takes its place.
 */
static void replace_worker(check_parent *c, child *h)
{
    int status = end_worker(h);
    bool greeted = h->ready || h->scene != NO_SCENE;
    if (h->scene != NO_SCENE) {
        const suite_scene *p = scene_at(c, h->scene);
        char text[128];
        if (WIFSIGNALED(status))
            snprintf(text, sizeof text, "the process that drew it was ended by signal %d", WTERMSIG(status));
        else
            snprintf(text, sizeof text, "the process that drew it ended early");
        take_result(c, h,
                    json_pack("{sI ss ss ss s[] si ss}", "index", (json_int_t)c->run->chosen[h->scene],
                              "name", p->name, "folder", p->folder, "status", "error", "frames", "code",
                              EXIT_FACILITY, "message", text));
    }
    if (!greeted)
        problem_set(c->why, EXIT_FACILITY, "a drawing process ended before it began");
    else if (c->next < c->run->chosen_count)
        start_worker(c, h);
}

/* Reads what a worker says, line by line. */
static void read_worker(check_parent *c, child *h)
{
    char bytes[READ_SIZE];
    ssize_t got = read(h->out, bytes, sizeof bytes);
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
        replace_worker(c, h);
    if (got <= 0)
        return;
    mmd_write_bytes(&h->line, bytes, (size_t)got);
    if (h->line.failed) {
        problem_out_of_memory(c->why);
        return;
    }
    const char *at = (const char *)h->line.data, *end = at + h->line.size, *stop;
    while (at < end && (stop = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        if (stop > at)
            take_line(c, h, at, (size_t)(stop - at));
        at = stop + 1;
    }
    h->line.size = (size_t)(end - at);
    memmove(h->line.data, at, h->line.size);
}

/* Starts the workers, and listens to them until all scenes are done or something failed. */
static void run_workers(check_parent *c, struct pollfd *polls)
{
    size_t pictures = 0;
    for (size_t i = 0; i < c->run->chosen_count; i++)
        pictures += scene_at(c, (long)i)->recipe.frame_count;
    /* A worker that is gone shall be an error to handle, not the end of this process too. */
    signal(SIGPIPE, SIG_IGN);
    c->bar = progress_start(pictures);
    for (size_t i = 0; i < c->child_count && c->why->code == EXIT_DONE; i++)
        start_worker(c, &c->children[i]);
    while (c->finished < c->run->chosen_count && c->why->code == EXIT_DONE) {
        for (size_t i = 0; i < c->child_count; i++)
            polls[i] = (struct pollfd){.fd = c->children[i].pid ? c->children[i].out : -1, .events = POLLIN};
        if (poll(polls, c->child_count, -1) < 0 && errno != EINTR)
            problem_set(c->why, EXIT_FACILITY, "poll: %s", strerror(errno));
        for (size_t i = 0; i < c->child_count && c->why->code == EXIT_DONE; i++)
            if (c->children[i].pid && polls[i].revents)
                read_worker(c, &c->children[i]);
    }
    progress_finish(&c->bar);
    for (size_t i = 0; i < c->child_count; i++) {
        if (c->children[i].pid)
            end_worker(&c->children[i]);
        mmd_buffer_finish(&c->children[i].line);
    }
}

bool check_run_all(const check_run *run, json_t *results, json_t *about, problem *why)
{
    char path[PATH_MAX];
    size_t jobs = run->options->jobs < run->chosen_count ? run->options->jobs : run->chosen_count;
    check_parent c = {.run = run, .child_count = jobs, .stored = json_object(), .about = about, .why = why};
    struct pollfd *polls = mmd_alloc(jobs * sizeof *polls);
    c.children = mmd_alloc(jobs * sizeof *c.children);
    c.results = mmd_alloc(run->chosen_count * sizeof *c.results);
    if (!polls || !c.children || !c.results) {
        problem_out_of_memory(why);
    } else {
        memset(c.children, 0, jobs * sizeof *c.children);
        memset(c.results, 0, run->chosen_count * sizeof *c.results);
        if (open_state(&c))
            run_workers(&c, polls);
        if (c.state)
            fclose(c.state);
        if (c.state && why->code == EXIT_DONE && state_path(run, path))
            unlink(path);
        for (size_t i = 0; i < run->chosen_count; i++) {
            if (!c.results[i])
                continue;
            json_object_del(c.results[i], "key");
            json_array_append_new(results, c.results[i]);
        }
    }
    json_decref(c.stored);
    mmd_free(polls);
    mmd_free(c.children);
    mmd_free(c.results);
    return why->code == EXIT_DONE;
}
