/* The processes that draw for a check, so that a crash of the driver costs only one scene. */
#ifndef ODORI_WORKER_PROCESS_H
#define ODORI_WORKER_PROCESS_H

#include "base/system.h"
#include "internal.h"

/* A process that runs check_worker. Zeroed: none. */
typedef struct worker_process {
    system_process process;
    int in, out, late; /* ends of its pipes: requests, replies, the sentence about the time limit */
} worker_process;

/* Begins a run. Does not return in a process that was started as a worker of it: that one runs check_worker
 * and ends. Call it before anything of the run is written. */
void worker_process_begin(const check_run *run);

/*
 * Starts a worker, before this process opens OpenGL. files: the other descriptors of this process that the
 * worker must not keep open; those below 0 are skipped. False: the problem is filled.
 */
bool worker_process_start(worker_process *worker, const check_run *run, const int *files, size_t count,
                          problem *why);

/* Closes the pipes of a worker and waits. Returns its exit code, or minus the number of the signal that ended
 * it. */
int worker_process_end(worker_process *worker);

/*
 * Runs work with an index in a process of its own, and waits for it. Returns its exit code, or a number below
 * 0 if it did not return. Indices are tried in ascending order, from 0.
 */
int worker_process_apart(int (*work)(const check_options *options, size_t index),
                         const check_options *options, size_t index);

#endif
