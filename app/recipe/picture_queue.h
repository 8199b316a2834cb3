/*
 * Pictures that threads encode or pass on while the next ones are drawn. A queue is a ring of a few pictures.
 * Its owner draws to the next one and adds it; threads take pictures in this order, and the owner gets them
 * back in the same order, so that results do not depend on the number of threads.
 */
#ifndef ODORI_PICTURE_QUEUE_H
#define ODORI_PICTURE_QUEUE_H

#include "draw.h"

/* A picture of the ring. All memory is used again for later pictures. */
typedef struct queued_picture {
    draw_canvas canvas; /* the pixels; its sum is only lent by the owner while it draws */
    bool alpha;         /* for the owner, like all that follows */
    char path[4096];
    char *text;     /* freed with free when the picture was delivered; NULL: none */
    mmd_buffer png; /* emptied before the picture is drawn again */
    bool failed;    /* work returned false */
    mmd_error error;
    bool is_done; /* only for the queue */
} queued_picture;

typedef struct picture_queue picture_queue;

typedef struct picture_queue_def {
    void *user;
    /* Works on a picture that was drawn, on any thread. Returns false for failure, with a reason in p->error
     * if it is known. */
    bool (*work)(void *user, queued_picture *p);
    /* Takes a picture after the work, also after a failed one, in order and on the owner's thread. Returns an
     * exit code. */
    int (*deliver)(void *user, queued_picture *p);
    uint32_t threads; /* for the work; 0: the owner's thread. Work of one thread is done in order */
    size_t size;      /* bytes of pixels in a picture, by which the length of the ring is limited */
} picture_queue_def;

/* Creates a queue, with fewer threads where there are no more. Returns NULL if out of memory. */
picture_queue *picture_queue_create(const picture_queue_def *def);

/* Returns the number of pictures that may be begun while the one before is not added yet: 1, without threads
 * 0. */
size_t picture_queue_ahead(const picture_queue *queue);

/* Returns the picture to begin next, after delivering those that are done; waits for one if all are in work.
 * Returns NULL with an exit code in *result when delivering failed. */
queued_picture *picture_queue_next(picture_queue *queue, int *result);

/* Adds the oldest picture of picture_queue_next that is not added yet. Without threads it is worked on and
 * delivered here. Returns an exit code. */
int picture_queue_add(picture_queue *queue);

/* Waits for all pictures and delivers them, unless delivering failed before. Returns an exit code. */
int picture_queue_drain(picture_queue *queue);

/* Frees the queue. Pictures that were not delivered are lost. NULL is allowed. */
void picture_queue_destroy(picture_queue *queue);

#endif
