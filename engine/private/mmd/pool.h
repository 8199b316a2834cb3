/*
 * Threads: a pool that distributes the items of a loop, and a worker that runs one job in parallel with its
 * owner. Neither affects results, only timing.
 */
#ifndef MMD_POOL_H
#define MMD_POOL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmd_pool mmd_pool;

/* Creates a pool with this many threads in addition to the caller's; 0 is allowed. Returns NULL when out of
 * memory or threads. */
mmd_pool *mmd_pool_create(uint32_t threads);
void mmd_pool_destroy(mmd_pool *pool); /* NULL is allowed */

typedef void mmd_pool_job(void *context, uint32_t item);

/*
 * Calls job for each item from 0 to count - 1, in any order, on the pool's threads and the caller's, and
 * returns when all are done. pool NULL: on the caller's thread only. Only one run at a time; jobs must not
 * call it. Allocates nothing.
 */
void mmd_pool_run(mmd_pool *pool, uint32_t count, mmd_pool_job *job, void *context);

typedef struct mmd_worker mmd_worker;
typedef void mmd_worker_job(void *context);

/* Creates a thread that waits for jobs. Returns NULL when out of memory or threads. */
mmd_worker *mmd_worker_create(void);
void mmd_worker_destroy(mmd_worker *worker); /* waits for the current job; NULL is allowed */

/* Starts a job on the worker's thread. No job may be running. Only from the owner's thread. */
void mmd_worker_start(mmd_worker *worker, mmd_worker_job *job, void *context);

/* Waits until no job is running. Results of the job can be read afterwards. */
void mmd_worker_wait(mmd_worker *worker);

#ifdef __cplusplus
}
#endif

#endif
