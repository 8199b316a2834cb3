#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "clock.h"

enum { BAR_WIDTH = 40 };
#define PATIENCE 1.0 /* seconds before the bar appears */
#define INTERVAL 0.1 /* between its pictures */

progress progress_start(size_t total)
{
    return (progress){.total = total, .started = clock_seconds(), .terminal = isatty(STDERR_FILENO)};
}

void progress_show(progress *p, size_t done)
{
    if (!p->terminal || done == 0 || done > p->total)
        return;
    double time = clock_seconds(), passed = time - p->started;
    if (passed < PATIENCE || time - p->shown < INTERVAL)
        return;
    p->shown = time;
    int filled = (int)(BAR_WIDTH * done / p->total);
    double left = passed * (double)(p->total - done) / (double)done;
    fprintf(stderr, "\r[%.*s%*s] %zu of %zu, %.0f s left ", filled,
            "########################################", BAR_WIDTH - filled, "", done, p->total, left);
}

void progress_finish(progress *p)
{
    if (p->shown > 0)
        fputs("\r\x1b[K", stderr);
}
