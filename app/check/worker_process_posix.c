/* Drawing processes are forked (worker_process.h). */
#include "worker_process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void worker_process_begin(const check_run *run)
{
    (void)run;
}

/* Runs a worker in the child process. */
static _Noreturn void run_worker(const check_run *run, int in, int out, int late)
{
    signal(SIGPIPE, SIG_DFL);
    FILE *input = fdopen(in, "r"), *output = fdopen(out, "w");
    if (input && output) {
        check_worker(run, input, output, late);
        fflush(output);
    }
    system_exit(0);
}

static void close_pipe(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

/* Creates the three pipes of a worker. */
static bool make_pipes(int pipes[3][2], problem *why)
{
    for (int i = 0; i < 3; i++) {
        if (system_pipe(pipes[i]))
            continue;
        int code = errno;
        while (i-- > 0)
            close_pipe(pipes[i]);
        return problem_set(why, EXIT_FACILITY, "no pipe to a drawing process can be created: %s",
                           strerror(code));
    }
    return true;
}

bool worker_process_start(worker_process *worker, const check_run *run, const int *files, size_t count,
                          problem *why)
{
    int pipes[3][2], *to = pipes[0], *from = pipes[1], *late = pipes[2];
    *worker = (worker_process){0};
    if (!make_pipes(pipes, why))
        return false;
    fflush(stdout);
    fflush(stderr);
    pid_t id = fork();
    if (id == 0) {
        close(to[1]);
        close(from[0]);
        close(late[0]);
        for (size_t i = 0; i < count; i++)
            if (files[i] >= 0)
                close(files[i]);
        run_worker(run, to[0], from[1], late[1]);
    }
    const int code = errno;
    close(to[0]);
    close(from[1]);
    close(late[1]);
    *worker = (worker_process){{id > 0 ? id : 0}, to[1], from[0], late[0]};
    if (id > 0)
        return true;
    worker_process_end(worker);
    return problem_set(why, EXIT_FACILITY, "no drawing process can be started: %s", strerror(code));
}

int worker_process_end(worker_process *worker)
{
    close(worker->in);
    close(worker->out);
    close(worker->late);
    return system_process_wait(&worker->process);
}

int worker_process_apart(int (*work)(const check_options *options, size_t index),
                         const check_options *options, size_t index)
{
    fflush(stdout);
    fflush(stderr);
    pid_t id = fork();
    if (id == 0) {
        int result = work(options, index);
        fflush(stdout);
        system_exit(result);
    }
    system_process process = {id > 0 ? id : 0};
    return system_process_wait(&process);
}
