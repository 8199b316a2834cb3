/*
 * The parent process of a check. It distributes scenes to worker processes (worker_process.h) and collects
 * their results. It never opens OpenGL, so a crash of the driver costs only one scene.
 *
 * While a run with a report is incomplete, its results are stored in state.jsonl in the folder of the report,
 * one line per scene. The next run reuses the results whose key is still valid.
 *
 * With --repeat, new worker processes draw the scenes again in every round, which load and simulate them
 * anew. Every second round begins with the last scene, so that what a scene leaves behind is noticed, too.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/paths.h"
#include "deal.h"
#include "internal.h"
#include "worker_process.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"
#include "base/progress.h"

enum { READ_SIZE = 65536, NO_SCENE = -1 };

typedef struct child {
    bool runs;
    worker_process worker;
    bool ready;
    long scene;      /* index into run->chosen, or NO_SCENE */
    size_t piece;    /* of the deal that it draws */
    mmd_buffer line; /* output that does not end in a line feed yet */
} child;

typedef struct check_parent {
    const check_run *run;
    child *children;
    size_t child_count;
    int *files;       /* room for those of worker_process_start, and for those that are waited for */
    bool *readable;   /* of each child: there is output */
    json_t *stored;   /* results of an interrupted run, by the name of the scene */
    json_t **results; /* indexed as run->chosen; NULL: not done */
    deal deal;        /* scenes that were not sent yet */
    size_t finished, pictures;
    FILE *state;
    json_t *about;
    progress bar;
    problem *why; /* the first failure, which ends the run */
} check_parent;

/* --- State of an unfinished run --- */

/* Writes the path of state.jsonl. False: this run has none. */
static bool state_path(const check_run *run, char path[MMD_FILE_PATH_MAX])
{
    if (!run->options->report || run->options->accept)
        return false;
    path_join(path, run->options->report, "state.jsonl");
    return true;
}

/* Opens the file with the results of an unfinished run, which belongs to one run at a time. */
static bool open_state_file(check_parent *c, const char *path)
{
    platform_info about;
    const char *wrong = NULL;
    int file = platform_open(
        path, PLATFORM_READ | PLATFORM_WRITE | PLATFORM_CREATE | PLATFORM_APPEND | PLATFORM_NO_LINK, 0666);
    if (file < 0 || !platform_stat_open(file, &about))
        wrong = strerror(errno);
    else if (about.kind != PLATFORM_FILE)
        wrong = "it is not a regular file; delete it";
    else if (!platform_lock(file) && errno == EWOULDBLOCK)
        wrong = "another run is writing this report; wait until it ends, or choose another folder";
    else if (!(c->state = fdopen(file, "ab")))
        wrong = strerror(errno);
    if (!wrong)
        return true;
    if (file >= 0)
        close(file);
    return problem_set(c->why, EXIT_FACILITY, "%s: cannot be written: %s", path, wrong);
}

/* Reads the results that an interrupted run stored. */
static void read_state(check_parent *c, const char *path)
{
    mmd_bytes bytes = {0};
    if (mmd_file_read(path, &bytes, NULL) != MMD_OK)
        return;
    const char *at = (const char *)bytes.data, *end = at + bytes.size;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        /* A line that was cut off when the run ended is not valid JSON and is skipped. */
        json_t *result = json_loadb(at, length, 0, NULL);
        const char *name = json_string_value(json_object_get(result, "name"));
        if (name)
            json_object_set(c->stored, name, result);
        json_decref(result);
        at += length + 1;
    }
    mmd_bytes_finish(&bytes);
}

/* Reads the results of an interrupted run, and opens the file that stores those of this one. */
static bool open_state(check_parent *c)
{
    char path[MMD_FILE_PATH_MAX];
    if (!state_path(c->run, path))
        return true;
    if (!open_state_file(c, path))
        return false;
    if (!c->run->options->fresh && c->run->options->repeat == 1)
        read_state(c, path);
    size_t stored = json_object_size(c->stored);
    if (stored)
        message("continuing an interrupted run: %zu scene%s done already", stored,
                stored == 1 ? " is" : "s are");
    else if (ftruncate(fileno(c->state), 0) != 0)
        return problem_set(c->why, EXIT_FACILITY, "%s: cannot be written: %s", path, strerror(errno));
    if (stored)
        putc('\n', c->state); /* ends a line that was cut off */
    return true;
}

/* --- Workers --- */

/* Starts a worker. */
static bool start_worker(check_parent *c, child *h)
{
    size_t count = 0;
    for (size_t i = 0; i < c->child_count; i++) {
        const worker_process *other = &c->children[i].worker;
        const bool runs = c->children[i].runs;
        c->files[count++] = runs ? other->in : -1;
        c->files[count++] = runs ? other->out : -1;
        c->files[count++] = runs ? other->late : -1;
    }
    c->files[count++] = c->state ? fileno(c->state) : -1;
    h->runs = worker_process_start(&h->worker, c->run, c->files, count, c->why);
    h->ready = false;
    h->scene = NO_SCENE;
    h->line.size = 0;
    return h->runs;
}

/* Ends a worker, and returns its exit code as worker_process_end does. */
static int end_worker(child *h)
{
    h->runs = false;
    return worker_process_end(&h->worker);
}

/* Returns the scene at an index of run->chosen. */
static const suite_scene *scene_at(const check_parent *c, long index)
{
    return &c->run->suite->scenes[c->run->chosen[index]];
}

/* Returns the result of a scene in an interrupted run, or NULL. */
static const json_t *stored_result(const check_parent *c, long index)
{
    return json_object_get(c->stored, scene_at(c, index)->name);
}

/* Sends the next scene to a worker that is idle. */
static void send_scene(check_parent *c, child *h)
{
    if (!h->runs || !h->ready || h->scene != NO_SCENE || !c->deal.left)
        return;
    h->scene = (long)deal_next(&c->deal, &h->piece);
    const char *key = json_string_value(json_object_get(stored_result(c, h->scene), "key"));
    char line[96];
    int length =
        snprintf(line, sizeof line, "%zu %.32s\n", c->run->chosen[h->scene], key && *key ? key : "-");
    /* That a worker has ended is noticed when its output ends. */
    if (!system_write(h->worker.in, line, (size_t)length))
        h->ready = false;
}

/* Stores the result of a scene, also in the state file. */
static void store_result(check_parent *c, child *h, json_t *result)
{
    if (c->state && c->run->options->repeat == 1) {
        json_dumpf(result, c->state, JSON_COMPACT);
        putc('\n', c->state);
        fflush(c->state);
    }
    c->results[h->scene] = result;
    c->finished++;
    h->scene = NO_SCENE;
}

/* Takes what the first worker says of the driver, and prints its warnings. The others say the same. */
static void take_driver(check_parent *c, const json_t *hello)
{
    const mmd_log log = stderr_log(c->run->options->common->log_level);
    const json_t *warnings = json_object_get(hello, "warnings");
    for (size_t i = 0; i < json_array_size(warnings); i++)
        mmd_log_message(&log, MMD_LOG_WARNING, "%s", json_string_value(json_array_get(warnings, i)));
    json_object_update(c->about, (json_t *)(uintptr_t)hello);
    json_object_del(c->about, "warnings");
}

/* Handles the first line of a worker: the driver, or an error, which ends the run. */
static void handle_greeting(check_parent *c, child *h, const json_t *hello)
{
    const char *text = json_string_value(json_object_get(hello, "message"));
    bool drawing = json_object_get(hello, "driver") != NULL;
    if (text)
        problem_set(c->why, (int)json_integer_value(json_object_get(hello, "code")), "%s", text);
    else if (!drawing) /* otherwise workers would be started again and again */
        problem_set(c->why, EXIT_FACILITY, "a drawing process does not report its OpenGL driver");
    else if (!json_object_size(c->about))
        take_driver(c, hello);
    h->ready = drawing;
}

/* Handles one line of a worker (check_worker). */
static void handle_line(check_parent *c, child *h, const char *line, size_t length)
{
    json_t *value = length > 1 ? json_loadb(line + 1, length - 1, 0, NULL) : NULL;
    if (line[0] == 'H') {
        handle_greeting(c, h, value);
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
        store_result(c, h, json_incref(value));
    }
    json_decref(value);
    send_scene(c, h);
}

/* Reads what a worker that has ended said about the time limit. Returns the length; 0: nothing. */
static size_t read_sentence(const child *h, char *text, size_t size)
{
    ssize_t got = read(h->worker.late, text, size - 1);
    text[got > 0 ? got : 0] = '\0';
    return got > 0 ? (size_t)got : 0;
}

/* Cleans up a worker whose output has ended. Its scene becomes an error. While scenes are left, a new worker
 * replaces it. */
static void replace_worker(check_parent *c, child *h)
{
    char text[256];
    size_t length = read_sentence(h, text, sizeof text);
    const int code = end_worker(h);
    const bool greeted = h->ready || h->scene != NO_SCENE, late = code == CHECK_LATE;
    if (code < 0 && code > SYSTEM_LOST)
        snprintf(text, sizeof text, "the drawing process was ended by signal %d", -code);
    else if (!late || !length)
        snprintf(text, sizeof text, "the drawing process ended before it was done");
    if (h->scene != NO_SCENE) {
        const suite_scene *p = scene_at(c, h->scene);
        json_t *result =
            json_pack("{sI ss ss ss s[] ss}", "index", (json_int_t)c->run->chosen[h->scene], "name", p->name,
                      "folder", p->folder, "status", late ? "fail" : "error", "frames", "message", text);
        if (!late)
            json_object_set_new(result, "code", json_integer(EXIT_FACILITY));
        store_result(c, h, result);
    }
    if (!greeted && late)
        problem_set(c->why, EXIT_NO, "a drawing process opened OpenGL: %s", text);
    else if (!greeted)
        problem_set(c->why, EXIT_FACILITY, "a drawing process ended before it could open OpenGL");
    else if (c->deal.left)
        start_worker(c, h);
}

/* Reads the output of a worker and handles its complete lines. */
static void read_worker(check_parent *c, child *h)
{
    char bytes[READ_SIZE];
    ssize_t got = read(h->worker.out, bytes, sizeof bytes);
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
            handle_line(c, h, at, (size_t)(stop - at));
        at = stop + 1;
    }
    h->line.size = (size_t)(end - at);
    memmove(h->line.data, at, h->line.size);
}

/* Starts the workers and handles their output until all scenes are done or the run fails. */
static void run_workers(check_parent *c)
{
    size_t pictures = 0;
    for (size_t i = 0; i < c->run->chosen_count; i++)
        pictures += scene_at(c, (long)i)->recipe.frame_count;
    /* Writing to a worker that has ended has to be an error, not a signal that ends this process. */
    system_ignore_broken_pipes();
    c->bar = progress_start(pictures);
    for (size_t i = 0; i < c->child_count && c->why->code == EXIT_DONE; i++)
        start_worker(c, &c->children[i]);
    while (c->finished < c->run->chosen_count && c->why->code == EXIT_DONE) {
        for (size_t i = 0; i < c->child_count; i++)
            c->files[i] = c->children[i].runs ? c->children[i].worker.out : -1;
        if (!system_wait_readable(c->files, c->readable, c->child_count, -1))
            problem_set(c->why, EXIT_FACILITY, "poll failed: %s", strerror(errno));
        for (size_t i = 0; i < c->child_count && c->why->code == EXIT_DONE; i++)
            if (c->children[i].runs && c->readable[i])
                read_worker(c, &c->children[i]);
    }
    progress_finish(&c->bar);
    for (size_t i = 0; i < c->child_count; i++) {
        if (c->children[i].runs)
            end_worker(&c->children[i]);
        mmd_buffer_finish(&c->children[i].line);
    }
}

/* Allocates what a round needs. False: out of memory. */
static bool begin_round(check_parent *c)
{
    const size_t scenes = c->run->chosen_count;
    const size_t jobs = c->run->options->jobs < scenes ? c->run->options->jobs : scenes;
    c->files = mmd_alloc((3 * jobs + 1) * sizeof *c->files);
    c->readable = mmd_alloc(jobs * sizeof *c->readable);
    c->child_count = jobs;
    c->children = mmd_alloc(jobs * sizeof *c->children);
    c->results = mmd_alloc(scenes * sizeof *c->results);
    if (c->results)
        memset(c->results, 0, scenes * sizeof *c->results);
    if (!deal_init(&c->deal, c->run, jobs) || !c->files || !c->readable || !c->children || !c->results)
        return problem_out_of_memory(c->why);
    for (size_t i = 0; i < jobs; i++)
        c->children[i] = (child){.piece = DEAL_NO_PIECE};
    return true;
}

/* Draws all scenes once more, and adds what differs to the results of the first round. */
static void run_again(const check_run *run, uint32_t round, json_t *results, json_t *about, problem *why)
{
    check_run again = *run;
    again.round = round;
    again.first = results;
    check_parent c = {.run = &again, .stored = json_object(), .about = about, .why = why};
    if (begin_round(&c))
        run_workers(&c);
    for (size_t i = 0; c.results && i < run->chosen_count; i++) {
        if (c.results[i])
            repeat_join(json_array_get(results, i), c.results[i], round);
        json_decref(c.results[i]);
    }
    json_decref(c.stored);
    deal_finish(&c.deal);
    mmd_free(c.files);
    mmd_free(c.readable);
    mmd_free(c.children);
    mmd_free(c.results);
}

bool check_run_all(const check_run *run, json_t *results, json_t *about, problem *why)
{
    char path[MMD_FILE_PATH_MAX];
    check_parent c = {.run = run, .stored = json_object(), .about = about, .why = why};
    worker_process_begin(run);
    if (begin_round(&c) && open_state(&c))
        run_workers(&c);
    for (size_t i = 0; c.results && i < run->chosen_count; i++) {
        if (!c.results[i])
            continue;
        json_object_del(c.results[i], "key");
        json_array_append_new(results, c.results[i]);
    }
    for (uint32_t round = 2; round <= run->options->repeat && why->code == EXIT_DONE; round++)
        run_again(run, round, results, about, why);
    for (size_t i = 0; run->options->repeat > 1 && i < json_array_size(results); i++)
        repeat_end(json_array_get(results, i));
    if (c.state && why->code == EXIT_DONE && state_path(run, path))
        platform_remove(path); /* while it is locked */
    if (c.state)
        fclose(c.state);
    json_decref(c.stored);
    deal_finish(&c.deal);
    mmd_free(c.files);
    mmd_free(c.readable);
    mmd_free(c.children);
    mmd_free(c.results);
    return why->code == EXIT_DONE;
}
