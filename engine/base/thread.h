/* The signals that end the program, which threads of the engine leave to the main thread. */
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

#endif
