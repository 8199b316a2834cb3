/*
 * Threads: a pool that shares out the items of a loop, and a worker that does
 * one job beside its owner. Neither changes what is computed, only when.
 */
#ifndef MMD_POOL_H
#define MMD_POOL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmd_pool mmd_pool;

/* A pool of this many threads beside its caller's; 0 is allowed. NULL: out of memory, or no more threads. */
mmd_pool *mmd_pool_create(uint32_t threads);
void mmd_pool_destroy(mmd_pool *pool); /* NULL is allowed */

typedef void mmd_pool_job(void *context, uint32_t item);

/*
 * Calls job for each item from 0 to count - 1, on the pool's threads and the
 * caller's, in no order, and returns when all are done. pool NULL: on the
 * caller's alone. One run at a time; jobs do not call it. Allocates nothing.
 */
void mmd_pool_run(mmd_pool *pool, uint32_t count, mmd_pool_job *job, void *context);

typedef struct mmd_worker mmd_worker;
typedef void mmd_worker_job(void *context);

/* A thread that waits for jobs. NULL: out of memory, or no more threads. */
mmd_worker *mmd_worker_create(void);
void mmd_worker_destroy(mmd_worker *worker); /* waits first; NULL is allowed */

/* Starts a job on the worker's thread; none may be under way. Its owner's thread only. */
void mmd_worker_start(mmd_worker *worker, mmd_worker_job *job, void *context);

/* Returns when no job is under way; what the job wrote can be read then. */
void mmd_worker_wait(mmd_worker *worker);

#ifdef __cplusplus
}
#endif

#endif
