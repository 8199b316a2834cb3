/* The ring of pictures and its threads (picture_queue.h). */
#include "picture_queue.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "mmd/memory.h"
#include "mmd/pool.h"
#include "provenance.h"

enum { THREADS_MAX = 32 };

/* Pictures of the ring besides those that threads work on: one is drawn while OpenGL finishes another. */
enum { DRAWN_AT_ONCE = 2 };

/* Limit of the memory of the ring's pixels. */
#define RING_BYTES ((size_t)256 << 20)

/* Where a thread finds its work. */
typedef struct ring_place {
    const picture_queue *queue;
    queued_picture picture;
} ring_place;

/* Pictures are numbered in the order in which they are begun; number n is at n % length in the ring, and
 * thread n % thread_count works on it. */
struct picture_queue {
    picture_queue_def def;
    mmd_picture_sum sum;            /* for drawing, one picture after the other */
    size_t begun, added, delivered; /* numbers of pictures */
    int result;                     /* of delivering */
    uint32_t thread_count;          /* 0: the owner's thread does the work */
    mmd_worker *threads[THREADS_MAX];
    size_t length;
    ring_place ring[];
};

/* Returns how many threads work on pictures, so that the ring stays within its memory. */
static uint32_t count_threads(const picture_queue_def *def)
{
    const size_t size = (size_t)def->size.width * def->size.height * (def->quality->bits == 16 ? 8 : 4);
    const size_t places = RING_BYTES / size;
    size_t threads = def->threads < THREADS_MAX ? def->threads : THREADS_MAX;
    if (def->threads < 2 || places <= DRAWN_AT_ONCE)
        return 0;
    if (def->in_order)
        threads = 1;
    return (uint32_t)(threads < places - DRAWN_AT_ONCE ? threads : places - DRAWN_AT_ONCE);
}

picture_queue *picture_queue_create(const picture_queue_def *def)
{
    assert(def && def->work && def->deliver && def->quality && def->size.width && def->size.height);
    const uint32_t threads = count_threads(def);
    const size_t length = threads > 0 ? threads + DRAWN_AT_ONCE : 1;
    const size_t bytes = sizeof(picture_queue) + length * sizeof(ring_place);
    picture_queue *q = mmd_alloc(bytes);
    if (!q)
        return NULL;
    memset(q, 0, bytes);
    q->def = *def;
    q->length = length;
    for (size_t i = 0; i < length; i++)
        q->ring[i].queue = q;
    while (q->thread_count < threads && (q->threads[q->thread_count] = mmd_worker_create()))
        q->thread_count++;
    return q;
}

/* Works on a picture (mmd_worker_job). */
static void work_on(void *context)
{
    ring_place *place = context;
    const picture_queue_def *def = &place->queue->def;
    place->picture.failed = !def->work(def->user, &place->picture);
}

/* Waits for the oldest picture and delivers it, unless delivering failed before. */
static void deliver_oldest(picture_queue *q)
{
    const size_t number = q->delivered++;
    queued_picture *p = &q->ring[number % q->length].picture;
    if (q->thread_count > 0)
        mmd_worker_wait(q->threads[number % q->thread_count]);
    if (q->result == EXIT_DONE)
        q->result = q->def.deliver(q->def.user, p);
    free(p->text);
    p->text = NULL;
}

/* Reads the oldest picture that OpenGL draws, and has it worked on. Returns an exit code. */
static int add(picture_queue *q, const odori_screen *screen)
{
    mmd_error error = {0};
    const size_t number = q->added;
    ring_place *place = &q->ring[number % q->length];
    if (!draw_end(q->def.quality, screen, &place->picture.canvas, &error)) {
        q->begun = number;
        return draw_failed(&error);
    }
    q->added++;
    if (q->thread_count == 0) {
        work_on(place);
        deliver_oldest(q);
        return q->result;
    }
    if (number - q->delivered == q->thread_count)
        deliver_oldest(q);
    mmd_worker_start(q->threads[number % q->thread_count], work_on, place);
    return q->result;
}

int picture_queue_draw(picture_queue *q, const draw_moment *at, const char *path, char *text)
{
    assert(q && at && path && q->begun - q->delivered < q->length);
    assert(at->width == q->def.size.width && at->height == q->def.size.height);
    mmd_error error = {0};
    queued_picture *p = &q->ring[q->begun % q->length].picture;
    p->png.size = 0;
    p->failed = false;
    p->error = (mmd_error){0};
    p->alpha = at->session->view.background[3] < 1.0f;
    p->text = text;
    snprintf(p->path, sizeof p->path, "%s", path);
    p->canvas.sum = q->sum;
    const bool drawn = draw_begin(q->def.quality, at, &p->canvas, &error);
    q->sum = p->canvas.sum;
    p->canvas.sum = (mmd_picture_sum){0};
    if (!drawn)
        return draw_failed(&error);
    q->begun++;
    const size_t ahead = q->thread_count > 0 ? 1 : 0;
    return q->begun - q->added > ahead ? add(q, at->screen) : EXIT_DONE;
}

bool queued_picture_compress(queued_picture *p, const draw_quality *quality)
{
    const mmd_image_text chunk = {PROVENANCE_KEY, p->text};
    return draw_encode_png(quality, &p->canvas, p->alpha, &chunk, p->text ? 1 : 0, &p->png, &p->error) ==
           MMD_OK;
}

int picture_queue_drain(picture_queue *q, const odori_screen *screen)
{
    assert(q && screen);
    int result = q->result;
    while (result == EXIT_DONE && q->added < q->begun)
        result = add(q, screen);
    while (q->delivered < q->added)
        deliver_oldest(q);
    return result == EXIT_DONE ? q->result : result;
}

void picture_queue_destroy(picture_queue *q)
{
    if (!q)
        return;
    for (uint32_t i = 0; i < q->thread_count; i++)
        mmd_worker_destroy(q->threads[i]);
    for (size_t i = 0; i < q->length; i++) {
        queued_picture *p = &q->ring[i].picture;
        draw_canvas_finish(&p->canvas);
        mmd_buffer_finish(&p->png);
        free(p->text);
    }
    mmd_picture_sum_finish(&q->sum);
    mmd_free(q);
}
