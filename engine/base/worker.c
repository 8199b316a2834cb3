/* The worker: a thread that runs one job at a time. */
#include "mmd/pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#include "mmd/memory.h"
#include "mmd/platform.h"

struct mmd_worker {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    mmd_worker_job *job; /* NULL: no job is running */
    void *context;
    bool ends;
    pthread_t thread;
};

/* Thread function: waits for a job, runs it without the lock, and reports its end. */
static void *worker_thread(void *context)
{
    mmd_worker *worker = context;
    pthread_mutex_lock(&worker->mutex);
    while (!worker->ends) {
        if (!worker->job) {
            pthread_cond_wait(&worker->changed, &worker->mutex);
            continue;
        }
        pthread_mutex_unlock(&worker->mutex);
        worker->job(worker->context);
        pthread_mutex_lock(&worker->mutex);
        worker->job = NULL;
        pthread_cond_broadcast(&worker->changed);
    }
    pthread_mutex_unlock(&worker->mutex);
    return NULL;
}

mmd_worker *mmd_worker_create(void)
{
    mmd_worker *worker = mmd_alloc(sizeof *worker);
    if (!worker)
        return NULL;
    *worker = (mmd_worker){.ends = false};
    pthread_mutex_init(&worker->mutex, NULL);
    pthread_cond_init(&worker->changed, NULL);
    if (platform_thread_start(&worker->thread, worker_thread, worker) == 0)
        return worker;
    pthread_cond_destroy(&worker->changed);
    pthread_mutex_destroy(&worker->mutex);
    mmd_free(worker);
    return NULL;
}

void mmd_worker_destroy(mmd_worker *worker)
{
    if (!worker)
        return;
    mmd_worker_wait(worker);
    pthread_mutex_lock(&worker->mutex);
    worker->ends = true;
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->mutex);
    pthread_join(worker->thread, NULL);
    pthread_cond_destroy(&worker->changed);
    pthread_mutex_destroy(&worker->mutex);
    mmd_free(worker);
}

void mmd_worker_start(mmd_worker *worker, mmd_worker_job *job, void *context)
{
    pthread_mutex_lock(&worker->mutex);
    assert(!worker->job);
    worker->job = job;
    worker->context = context;
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->mutex);
}

void mmd_worker_wait(mmd_worker *worker)
{
    assert(worker);
    pthread_mutex_lock(&worker->mutex);
    while (worker->job)
        pthread_cond_wait(&worker->changed, &worker->mutex);
    pthread_mutex_unlock(&worker->mutex);
}
