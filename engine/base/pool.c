/* The thread pool: threads take a loop's items one by one under a lock. Items are coarse, such as a step of a
 * world, so the lock costs little. */
#include "mmd/pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#include "mmd/memory.h"
#include "mmd/platform.h"

struct mmd_pool {
    pthread_mutex_t mutex;
    pthread_cond_t work, done;
    mmd_pool_job *job;
    void *context;
    uint32_t next, count; /* next item to run, and number of items */
    uint32_t running;     /* items being run */
    bool ends;
    uint32_t thread_count;
    pthread_t threads[];
};

/* Runs items until none are left. The mutex is locked before and after, but not while a job runs. */
static void run_items(mmd_pool *pool)
{
    while (pool->next < pool->count) {
        uint32_t item = pool->next++;
        pool->running++;
        pthread_mutex_unlock(&pool->mutex);
        pool->job(pool->context, item);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->running == 0 && pool->next == pool->count)
            pthread_cond_signal(&pool->done);
    }
}

/* Thread function: runs items whenever there are some, until the pool ends. */
static void *pool_thread(void *context)
{
    mmd_pool *pool = context;
    pthread_mutex_lock(&pool->mutex);
    while (!pool->ends) {
        run_items(pool);
        if (!pool->ends)
            pthread_cond_wait(&pool->work, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

mmd_pool *mmd_pool_create(uint32_t threads)
{
    mmd_pool *pool = mmd_alloc(sizeof *pool + threads * sizeof pool->threads[0]);
    if (!pool)
        return NULL;
    *pool = (mmd_pool){.ends = false};
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    for (; pool->thread_count < threads; pool->thread_count++) {
        if (platform_thread_start(&pool->threads[pool->thread_count], pool_thread, pool) != 0) {
            mmd_pool_destroy(pool);
            return NULL;
        }
    }
    return pool;
}

void mmd_pool_destroy(mmd_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->ends = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->thread_count; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    mmd_free(pool);
}

void mmd_pool_run(mmd_pool *pool, uint32_t count, mmd_pool_job *job, void *context)
{
    if (!pool || pool->thread_count == 0 || count < 2) {
        for (uint32_t i = 0; i < count; i++)
            job(context, i);
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    assert(pool->running == 0 && pool->next == pool->count);
    pool->job = job;
    pool->context = context;
    pool->next = 0;
    pool->count = count;
    pthread_cond_broadcast(&pool->work);
    run_items(pool);
    while (pool->running)
        pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}
