#include "progress.h"

#include <stdio.h>

#include "clock.h"
#include "system.h"

enum { BAR_WIDTH = 40 };
#define DELAY 1.0    /* seconds before the bar appears */
#define INTERVAL 0.1 /* seconds between redraws */

progress progress_start(size_t total)
{
    return (progress){.total = total, .started = clock_seconds(), .terminal = system_is_terminal(2)};
}

void progress_skip(progress *p, size_t count)
{
    p->skipped += count;
}

/* Writes a time as "45 s", "12 min 5 s" or "3 h 20 min". */
static void format_time(double seconds, char text[40])
{
    unsigned long all = seconds < 1e8 ? (unsigned long)(seconds + 0.5) : 100000000;
    if (all < 100)
        snprintf(text, 40, "%lu s", all);
    else if (all < 6000)
        snprintf(text, 40, "%lu min %lu s", all / 60, all % 60);
    else
        snprintf(text, 40, "%lu h %lu min", all / 3600, all / 60 % 60);
}

void progress_show(progress *p, size_t done)
{
    if (!p->terminal || done == 0 || done > p->total)
        return;
    double time = clock_seconds(), passed = time - p->started;
    if (passed < DELAY || time - p->shown < INTERVAL)
        return;
    p->shown = time;
    int filled = (int)(BAR_WIDTH * done / p->total);
    char left[40];
    if (done <= p->skipped)
        return;
    format_time(passed * (double)(p->total - done) / (double)(done - p->skipped), left);
    fprintf(stderr, "\r[%.*s%*s] %zu of %zu, %s left \x1b[K", filled,
            "########################################", BAR_WIDTH - filled, "", done, p->total, left);
}

void progress_finish(progress *p)
{
    if (p->shown > 0)
        fputs("\r\x1b[K", stderr);
}
