/*
 * Draws pictures that threads encode or pass on while the next ones are drawn. A queue is a ring of a few
 * pictures, which are given back in the order in which they were drawn, so that results do not depend on the
 * number of threads.
 */
#ifndef ODORI_PICTURE_QUEUE_H
#define ODORI_PICTURE_QUEUE_H

#include "draw.h"

/* A picture of the queue. Its memory is used again for later pictures. */
typedef struct queued_picture {
    draw_canvas canvas; /* the pixels */
    bool alpha;         /* whether the background is transparent */
    char path[MMD_FILE_PATH_MAX];
    char *text;     /* of picture_queue_draw */
    mmd_buffer png; /* for the work; emptied before the next picture is drawn */
    bool failed;    /* work returned false */
    mmd_error error;
} queued_picture;

typedef struct picture_queue picture_queue;

typedef struct picture_queue_def {
    const draw_quality *quality; /* of all pictures; outlives the queue */
    picture_size size;
    void *user;
    /* Works on a picture that was drawn, on any thread. Returns false for failure, with a reason in p->error
     * if it is known. */
    bool (*work)(void *user, queued_picture *p);
    /* Takes a picture after the work, also after a failed one, in order and on the owner's thread. Returns an
     * exit code; nothing is delivered after a failure. */
    int (*deliver)(void *user, queued_picture *p);
    uint32_t threads; /* how many the program may use; below two, the owner's thread does the work, too */
    bool in_order;    /* the work is done in order, by one thread at most */
} picture_queue_def;

/* Creates a queue, with fewer threads where there is no memory for more. Returns NULL if out of memory. */
picture_queue *picture_queue_create(const picture_queue_def *def);

/*
 * Draws a picture, of the size and the quality of the queue, and passes the one before on to the threads,
 * since OpenGL has finished it meanwhile. path is copied. text comes from malloc and is freed by the queue;
 * NULL: none. Returns an exit code; errors were reported.
 */
int picture_queue_draw(picture_queue *queue, const draw_moment *at, const char *path, char *text);

/* Compresses a picture to p->png, with its text as the provenance if it has one: for picture_queue_def.work.
 * Returns false with the reason in p->error. */
bool queued_picture_compress(queued_picture *p, const draw_quality *quality);

/* Waits for all pictures and delivers them, unless delivering failed before. screen: where they were drawn.
 * Returns an exit code; errors were reported. */
int picture_queue_drain(picture_queue *queue, const odori_screen *screen);

/* Frees the queue. Pictures that were not delivered are lost. NULL is allowed. */
void picture_queue_destroy(picture_queue *queue);

#endif
