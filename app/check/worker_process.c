/* What the drawing processes of all systems share (worker_process.h). */
#include "worker_process_system.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static void close_pipe(const int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

bool worker_process_start(worker_process *worker, const check_run *run, const int *files, size_t count,
                          problem *why)
{
    worker_pipes pipes = {{-1, -1}, {-1, -1}, {-1, -1}};
    *worker = (worker_process){0};
    if (!system_pipe(pipes.in) || !system_pipe(pipes.out) || !system_pipe(pipes.late)) {
        problem_set(why, EXIT_FACILITY, "no pipe to a drawing process can be created: %s", strerror(errno));
        close_pipe(pipes.in);
        close_pipe(pipes.out);
        close_pipe(pipes.late);
        return false;
    }
    bool ok = worker_process_spawn(&worker->process, run, &pipes, files, count);
    int code = errno;
    close(pipes.in[0]);
    close(pipes.out[1]);
    close(pipes.late[1]);
    worker->in = pipes.in[1];
    worker->out = pipes.out[0];
    worker->late = pipes.late[0];
    if (ok && !worker_process_greet(worker, run)) {
        ok = false;
        code = errno;
    }
    if (ok)
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
