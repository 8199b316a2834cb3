/* The ring of pictures and its threads (picture_queue.h). */
#include "picture_queue.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "mmd/memory.h"
#include "mmd/platform.h"

enum { THREADS_MAX = 32 };

/* Limit of the memory of the ring's pixels. A ring of fewer than three pictures has no threads. */
#define RING_BYTES ((size_t)256 << 20)

/* Pictures are numbered in the order in which they are added; number n is at n % length in the ring. Those up
 * to `delivered` are free, those up to `taken` are done or in work, those up to `added` wait. */
struct picture_queue {
    picture_queue_def def;
    pthread_mutex_t mutex;
    pthread_cond_t more, done;
    size_t begun, added, taken, delivered;
    bool ends;
    uint32_t thread_count;
    pthread_t threads[THREADS_MAX];
    size_t length;
    int result; /* of delivering: nothing is delivered after a failure */
    queued_picture ring[];
};

static void work_on(picture_queue *q, queued_picture *p)
{
    p->failed = !q->def.work(q->def.user, p);
}

/* Thread function: works on pictures until the queue ends. */
static void *queue_thread(void *context)
{
    picture_queue *q = context;
    pthread_mutex_lock(&q->mutex);
    while (!q->ends) {
        if (q->taken == q->added) {
            pthread_cond_wait(&q->more, &q->mutex);
            continue;
        }
        size_t place = q->taken++ % q->length;
        pthread_mutex_unlock(&q->mutex);
        work_on(q, &q->ring[place]);
        pthread_mutex_lock(&q->mutex);
        q->ring[place].is_done = true;
        pthread_cond_signal(&q->done);
    }
    pthread_mutex_unlock(&q->mutex);
    return NULL;
}

picture_queue *picture_queue_create(const picture_queue_def *def)
{
    assert(def && def->work && def->deliver && def->size);
    uint32_t threads = def->threads < THREADS_MAX ? def->threads : THREADS_MAX;
    size_t length = threads + 3, most = RING_BYTES / def->size;
    length = threads == 0 || most < 3 ? 1 : length < most ? length : most;
    size_t bytes = sizeof(picture_queue) + length * sizeof(queued_picture);
    picture_queue *q = mmd_alloc(bytes);
    if (!q)
        return NULL;
    memset(q, 0, bytes);
    q->def = *def;
    q->length = length;
    pthread_mutex_init(&q->mutex, NULL);
    pthread_cond_init(&q->more, NULL);
    pthread_cond_init(&q->done, NULL);
    while (length > 1 && q->thread_count < threads &&
           platform_thread_start(&q->threads[q->thread_count], queue_thread, q) == 0)
        q->thread_count++;
    return q;
}

/* Delivers the oldest picture, which is done. Returns an exit code. */
static int deliver(picture_queue *q)
{
    size_t place = q->delivered++ % q->length;
    queued_picture *p = &q->ring[place];
    q->result = q->def.deliver(q->def.user, p);
    free(p->text);
    p->text = NULL;
    p->is_done = false;
    return q->result;
}

/* Delivers the pictures that are done, in order. Waits for them while fewer than `room` pictures of the ring
 * are free, or if all are wanted. Returns an exit code. */
static int deliver_done(picture_queue *q, size_t room, bool all)
{
    while (q->result == EXIT_DONE && q->delivered < q->added) {
        queued_picture *oldest = &q->ring[q->delivered % q->length];
        const bool waits = all || q->begun - q->delivered + room > q->length;
        pthread_mutex_lock(&q->mutex);
        while (!oldest->is_done && waits)
            pthread_cond_wait(&q->done, &q->mutex);
        bool is_done = oldest->is_done;
        pthread_mutex_unlock(&q->mutex);
        if (!is_done)
            break;
        deliver(q);
    }
    return q->result;
}

size_t picture_queue_ahead(const picture_queue *q)
{
    assert(q);
    return q->thread_count > 0 ? 1 : 0;
}

queued_picture *picture_queue_next(picture_queue *q, int *result)
{
    assert(q && result && q->begun - q->added <= picture_queue_ahead(q));
    *result = deliver_done(q, 1, false);
    if (*result != EXIT_DONE)
        return NULL;
    queued_picture *p = &q->ring[q->begun++ % q->length];
    p->png.size = 0;
    p->failed = false;
    p->error = (mmd_error){0};
    return p;
}

int picture_queue_add(picture_queue *q)
{
    assert(q && q->added < q->begun);
    if (q->thread_count == 0) {
        work_on(q, &q->ring[q->added % q->length]);
        q->added++;
        return deliver(q);
    }
    pthread_mutex_lock(&q->mutex);
    q->added++;
    pthread_cond_signal(&q->more);
    pthread_mutex_unlock(&q->mutex);
    return EXIT_DONE;
}

int picture_queue_drain(picture_queue *q)
{
    assert(q);
    return deliver_done(q, 0, true);
}

void picture_queue_destroy(picture_queue *q)
{
    if (!q)
        return;
    pthread_mutex_lock(&q->mutex);
    q->ends = true;
    pthread_cond_broadcast(&q->more);
    pthread_mutex_unlock(&q->mutex);
    for (uint32_t i = 0; i < q->thread_count; i++)
        pthread_join(q->threads[i], NULL);
    for (size_t i = 0; i < q->length; i++) {
        draw_canvas_finish(&q->ring[i].canvas);
        mmd_buffer_finish(&q->ring[i].png);
        free(q->ring[i].text);
    }
    pthread_cond_destroy(&q->done);
    pthread_cond_destroy(&q->more);
    pthread_mutex_destroy(&q->mutex);
    mmd_free(q);
}
