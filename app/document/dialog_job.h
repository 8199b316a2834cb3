/*
 * A dialog that is open (file_dialog.h) and the thread that shows it: what file_dialog.c and the
 * implementation of each system (file_dialog_linux.c, file_dialog_windows.c) share. A job belongs to its
 * thread and to the player together, and the last one frees it: a thread may hang in a call without a time
 * limit, and cannot be waited for then.
 */
#ifndef ODORI_DIALOG_JOB_H
#define ODORI_DIALOG_JOB_H

#include <pthread.h>

#include "file_dialog.h"

/* The first member of the job of a system, which begins zeroed but for `answers_by` and `silence`. */
typedef struct dialog_job {
    pthread_mutex_t lock; /* of what follows */
    int owners;
    bool done;                /* the thread has stored its answer */
    double answers_by;        /* time until which the thread may be silent; INFINITY: there is no limit */
    const char *silence;      /* the reason to give when it is silent for longer */
    void (*wake)(void *user); /* NULL: nobody is to be woken up any more */
    void *user;
    /* The thread's own until it is done. */
    mmd_arena arena; /* of the request */
    dialog_request request;
    dialog_answer answer;
} dialog_job;

/* --- What each system has --- */

/* Creates a job. Returns NULL where there is no dialog, with the state and the reason, or when out of memory
 * or descriptors, with the state DIALOG_FAILED. */
dialog_job *dialog_job_create(dialog_state *state, char *error);

/* Frees a job. Everything of dialog_job has been freed. */
void dialog_job_destroy(dialog_job *j);

/* Shows the dialog and waits for the user. Called on the thread of the job. Stores what was chosen in the
 * answer, and returns its state. */
dialog_state dialog_job_ask(dialog_job *j);

/* Ends dialog_job_ask soon, with DIALOG_CANCELLED. */
void dialog_job_cancel(dialog_job *j);

/* Tells dialog_job_wait that the job is done. Called on its thread with the lock held. */
void dialog_job_signal(dialog_job *j);

/* Waits until the job is done, half a second at most. */
void dialog_job_wait(dialog_job *j);

/* --- What they call --- */

/* Ends with a state and its reason. */
dialog_state dialog_job_fail(dialog_job *j, dialog_state state, const char *why);

#endif
