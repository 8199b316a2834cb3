/* Starting threads that leave the signals that end the program to the main thread. */
#ifndef MMD_BASE_THREAD_H
#define MMD_BASE_THREAD_H

#include <pthread.h>
#include <signal.h>

/* The signals that people, systems and time limits end programs with. */
static const int thread_ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM};
enum { THREAD_ENDING_COUNT = sizeof thread_ending / sizeof *thread_ending };

/* Fills a set with them. */
static inline void thread_ending_signals(sigset_t *set)
{
    sigemptyset(set);
    for (size_t i = 0; i < THREAD_ENDING_COUNT; i++)
        sigaddset(set, thread_ending[i]);
}

/* Starts a thread with these signals blocked, so that a thread that holds them back for a moment
 * (file_draft.c) is not bypassed by another one. Returns what pthread_create does. */
static inline int thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    sigset_t ending, before;
    thread_ending_signals(&ending);
    pthread_sigmask(SIG_BLOCK, &ending, &before);
    int code = pthread_create(thread, NULL, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

#endif
