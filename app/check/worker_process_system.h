/* What worker_process.c needs of each system: worker_process_posix.c, worker_process_windows.c. */
#ifndef ODORI_WORKER_PROCESS_SYSTEM_H
#define ODORI_WORKER_PROCESS_SYSTEM_H

#include "worker_process.h"

/* The pipes of a worker, each with the end that is read, then the one that is written. */
typedef struct worker_pipes {
    int in[2], out[2], late[2];
} worker_pipes;

/* Starts a worker with its ends of the pipes. files: as for worker_process_start. Returns false with errno
 * set. */
bool worker_process_spawn(system_process *process, const check_run *run, const worker_pipes *pipes,
                          const int *files, size_t count);

/* Sends a worker, whose ends of the pipes are closed here, what it does not know of a run. Returns false with
 * errno set. */
bool worker_process_greet(const worker_process *worker, const check_run *run);

#endif
