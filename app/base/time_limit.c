#include "time_limit.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "clock.h"
#include "mmd/elementary.h"
#include "output.h"

/* Seconds after the limit at which the timer ends the program. */
#define GRACE 1.0

/* Room for "odori: the time limit of 5 s was reached at frame 120 of 300; ...". */
enum { SENTENCE_MAX = 1024, STDERR = 2 };

/* A handler of a signal reads all of this. */
static struct {
    time_limit limit;
    double end;
    char seconds[32]; /* as text */
    double aim;
    _Atomic int64_t frame, last; /* the frame reached, and the last frame; -1: none yet */
    bool terminal;
    system_process child;
} running;

/* --- The sentence is made without printf, which a handler of a signal must not call. --- */

typedef struct line {
    char text[SENTENCE_MAX];
    size_t length;
} line;

/* Adds a text, cut where the line is full. */
static void add(line *l, const char *text)
{
    while (*text && l->length < sizeof l->text)
        l->text[l->length++] = *text++;
}

static void add_number(line *l, int64_t number)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    add(l, digits + at);
}

static void add_sentence(line *l)
{
    int64_t frame = atomic_load(&running.frame), last = atomic_load(&running.last);
    add(l, "the time limit of ");
    add(l, running.seconds);
    add(l, " s was reached ");
    if (frame < 0) {
        add(l, "before the first frame");
    } else {
        add(l, "at frame ");
        add_number(l, frame);
        if (last > frame) {
            add(l, " of ");
            add_number(l, last);
        }
    }
    add(l, "; give a longer --time-limit");
    add(l, frame < 0 ? "" : ", fewer frames or --physics off");
}

/* --- The end --- */

/* Ends the program. Calls only functions that a handler of a signal may call. */
static _Noreturn void end(void)
{
    line l = {.length = 0};
    bool apart = running.limit.sentence > 0;
    system_process_kill(&running.child);
    output_remove_guarded();
    if (!apart)
        add(&l, running.terminal ? "\r\x1b[Kodori: " : "odori: "); /* clears a progress bar */
    if (running.limit.about) {
        add(&l, running.limit.about);
        add(&l, ": ");
    }
    add_sentence(&l);
    add(&l, apart ? "" : "\n");
    system_write(apart ? running.limit.sentence : STDERR, l.text, l.length);
    system_exit(running.limit.code);
}

void time_limit_start(const time_limit *limit)
{
    if (!(limit->seconds > 0))
        return;
    time_limit_stop();
    running.limit = *limit;
    running.aim = 0;
    atomic_store(&running.frame, -1);
    atomic_store(&running.last, -1);
    running.end = clock_seconds() + limit->seconds;
    running.terminal = system_is_terminal(STDERR);
    snprintf(running.seconds, sizeof running.seconds, "%.10g", limit->seconds);
    system_set_timer(limit->seconds + GRACE, end);
}

void time_limit_stop(void)
{
    if (running.limit.seconds > 0)
        system_set_timer(0, NULL);
    running.limit.seconds = 0;
}

void time_limit_aim(double last)
{
    running.aim = last;
}

void time_limit_check(double frame, double goal)
{
    if (!(running.limit.seconds > 0))
        return;
    atomic_store(&running.last, (int64_t)mmd_max(goal, running.aim));
    atomic_store(&running.frame, (int64_t)mmd_max(frame, 0));
    if (clock_seconds() >= running.end)
        end();
}

void time_limit_kill_too(const system_process *child)
{
    running.child = child ? *child : (system_process){0};
}
