/*
 * window_watch WINDOW SECONDS X Y WIDTH HEIGHT: watches a part of a window of the X server, sampling faster
 * than it is drawn. Prints the times, in seconds of the clock, at which the part changed. The first line is
 * the time at which watching began.
 */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double time_of_day(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns a hash of the part's pixels (FNV-1a, 64 bits), or 0 if it is not visible at the moment, for example
 * while the window is being resized. */
static uint64_t look(Display *display, Window window, const int part[4])
{
    uint64_t hash = 14695981039346656037u;
    XImage *image = XGetImage(display, window, part[0], part[1], (unsigned)part[2], (unsigned)part[3],
                              AllPlanes, ZPixmap);
    if (!image)
        return 0;
    size_t size = (size_t)image->bytes_per_line * (size_t)image->height;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)image->data[i]) * 1099511628211u;
    XDestroyImage(image);
    return hash;
}

/* Ignores errors: the part may lie outside the window. */
static int ignore(Display *display, XErrorEvent *event)
{
    (void)display, (void)event;
    return 0;
}

int main(int argc, char **argv)
{
    const struct timespec pause = {.tv_nsec = 1500000};
    int part[4];
    Display *display = XOpenDisplay(NULL);
    if (!display || argc != 7)
        return 2;
    XSetErrorHandler(ignore);
    Window window = strtoul(argv[1], NULL, 0);
    for (int i = 0; i < 4; i++)
        part[i] = atoi(argv[3 + i]);
    double end = time_of_day() + atof(argv[2]);
    uint64_t before = look(display, window, part);
    printf("%.4f\n", time_of_day());
    fflush(stdout);
    while (time_of_day() < end) {
        uint64_t now = look(display, window, part);
        if (now && now != before) {
            printf("%.4f\n", time_of_day());
            fflush(stdout);
            before = now;
        }
        nanosleep(&pause, NULL);
    }
    XCloseDisplay(display);
    return 0;
}
