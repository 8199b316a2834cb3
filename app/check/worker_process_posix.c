/* Drawing processes are forked (worker_process.h). */
#include "worker_process_system.h"

#include <signal.h>
#include <stdio.h>
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

bool worker_process_spawn(system_process *process, const check_run *run, const worker_pipes *pipes,
                          const int *files, size_t count)
{
    fflush(stdout);
    fflush(stderr);
    pid_t id = fork();
    if (id == 0) {
        close(pipes->in[1]);
        close(pipes->out[0]);
        close(pipes->late[0]);
        for (size_t i = 0; i < count; i++)
            if (files[i] >= 0)
                close(files[i]);
        run_worker(run, pipes->in[0], pipes->out[1], pipes->late[1]);
    }
    process->id = id > 0 ? id : 0;
    return id > 0;
}

bool worker_process_greet(const worker_process *worker, const check_run *run)
{
    (void)worker, (void)run; /* it has a copy of the memory */
    return true;
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
