/*
 * A drawing process is this program started again with the same arguments (worker_process.h). It comes to the
 * place where the first one started it in the same way, and learns from its environment what it is there for.
 */
#include "worker_process_system.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mmd/cursor.h"
#include "mmd/memory.h"

/* What a process is there for: "ROUND HASH_OF_SUITE" of a worker, and the number of one piece of work. */
#define WORKER_VARIABLE "ODORI_CHECK_WORKER"
#define APART_VARIABLE  "ODORI_CHECK_APART"

/* The descriptors of a worker: it reads requests from stdin, and what it prints goes where the other's does.
 */
enum { WORKER_IN = 0, WORKER_OUT = 3, WORKER_LATE = 4 };

/* Starts this program again, with a variable of its environment. */
static bool start_again(system_process *process, const char *variable, const char *value,
                        const system_start *how)
{
    char program[MMD_FILE_PATH_MAX];
    const char *const *given = system_arguments();
    size_t count = 0;
    while (given[count])
        count++;
    const char **arguments = mmd_alloc((count + 1) * sizeof *arguments);
    if (!arguments || count == 0 || !system_program_path(program)) {
        const int why = arguments ? ENOENT : ENOMEM;
        mmd_free(arguments);
        errno = why;
        return false;
    }
    memcpy(arguments, given, (count + 1) * sizeof *arguments);
    arguments[0] = program;
    fflush(stdout);
    fflush(stderr);
    bool ok = system_set_variable(variable, value) && system_process_start(process, arguments, how);
    const int number = errno;
    system_set_variable(variable, NULL);
    mmd_free(arguments);
    errno = number;
    return ok;
}

/* Reads the line with the results of the first round, which workers of later ones get. Returns NULL if there
 * is none. */
static json_t *read_first(FILE *in)
{
    mmd_buffer line = {0};
    for (int c = getc(in); c != EOF && c != '\n'; c = getc(in))
        mmd_write_u8(&line, (uint8_t)c);
    json_t *first = line.failed ? NULL : json_loadb((const char *)line.data, line.size, 0, NULL);
    mmd_buffer_finish(&line);
    return first;
}

void worker_process_begin(const check_run *run)
{
    const char *meant = getenv(WORKER_VARIABLE);
    unsigned round = 0;
    char hash[40] = "";
    if (!meant || sscanf(meant, "%u %39s", &round, hash) != 2)
        return;
    system_set_variable(WORKER_VARIABLE, NULL);
    FILE *in = fdopen(WORKER_IN, "rb"), *out = fdopen(WORKER_OUT, "wb");
    if (!in || !out)
        system_exit(EXIT_FACILITY);
    check_run mine = *run;
    mine.round = round;
    mine.first = round > 1 ? read_first(in) : NULL;
    if (strcmp(hash, run->suite->content.text) == 0)
        check_worker(&mine, in, out, WORKER_LATE);
    else
        fprintf(out, "H{\"code\":%d,\"message\":\"the suite was changed while it was checked\"}\n",
                EXIT_INPUT);
    fflush(out);
    system_exit(0);
}

/* Sends the results of the first round. Returns false with errno set. */
static bool send_first(int in, const json_t *first)
{
    char *text = json_dumps(first, JSON_COMPACT);
    bool ok = text && system_write(in, text, strlen(text)) && system_write(in, "\n", 1);
    const int number = text ? errno : ENOMEM;
    free(text);
    errno = number;
    return ok;
}

bool worker_process_spawn(system_process *process, const check_run *run, const worker_pipes *pipes,
                          const int *files, size_t count)
{
    (void)files, (void)count; /* nothing but the pipes is inherited */
    const system_start how = {.files = {pipes->in[0], 1, 2, pipes->out[1], pipes->late[1]}};
    char value[64];
    snprintf(value, sizeof value, "%" PRIu32 " %s", run->round, run->suite->content.text);
    return start_again(process, WORKER_VARIABLE, value, &how);
}

bool worker_process_greet(const worker_process *worker, const check_run *run)
{
    return run->round == 1 || send_first(worker->in, run->first);
}

int worker_process_apart(int (*work)(const check_options *options, size_t index),
                         const check_options *options, size_t index)
{
    const char *meant = getenv(APART_VARIABLE);
    char value[32];
    snprintf(value, sizeof value, "%zu", index);
    if (meant && strcmp(meant, value) != 0)
        return EXIT_DONE; /* of another process */
    if (meant) {
        int result = work(options, index);
        fflush(stdout);
        system_exit(result);
    }
    system_process process;
    const system_start how = {.files = {-1, 1, 2, -1, -1}};
    return start_again(&process, APART_VARIABLE, value, &how) ? system_process_wait(&process) : SYSTEM_LOST;
}
