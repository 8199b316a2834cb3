/*
 * Looks at the screen for tests of the window, in a fraction of the time that ImageMagick takes to start:
 *
 *   screen grab WINDOW FILE           saves the contents of a window of the X server as PPM (P6)
 *   screen colors FILE                prints the number of colours of a PPM
 *   screen part FILE WxH+X+Y OUT      cuts out a part of a PPM, as far as it lies in it
 *   screen rest PROCESS...            waits until no thread of the processes runs, but at most two seconds
 *
 * Exits 0 when that is done, else 1.
 */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct picture {
    int width, height;
    unsigned char *pixels; /* RGB, by rows from the top */
} picture;

static int no_window(Display *display, XErrorEvent *event)
{
    (void)display, (void)event;
    exit(1); /* the window has gone */
}

static int shift_of(unsigned long mask)
{
    int shift = 0;
    while (mask && !(mask >> shift & 1))
        shift++;
    return shift;
}

static bool grab(Window window, picture *p)
{
    XWindowAttributes at;
    Display *display = XOpenDisplay(NULL);
    if (!display)
        return false;
    XSetErrorHandler(no_window);
    if (!XGetWindowAttributes(display, window, &at) || at.map_state != IsViewable)
        return false;
    XImage *image =
        XGetImage(display, window, 0, 0, (unsigned)at.width, (unsigned)at.height, AllPlanes, ZPixmap);
    if (!image || image->red_mask >> shift_of(image->red_mask) != 255)
        return false;
    *p = (picture){at.width, at.height, malloc(3 * (size_t)at.width * (size_t)at.height)};
    int red = shift_of(image->red_mask), green = shift_of(image->green_mask);
    int blue = shift_of(image->blue_mask);
    for (int y = 0, i = 0; p->pixels && y < at.height; y++)
        for (int x = 0; x < at.width; x++) {
            unsigned long pixel = XGetPixel(image, x, y);
            p->pixels[i++] = (unsigned char)(pixel >> red);
            p->pixels[i++] = (unsigned char)(pixel >> green);
            p->pixels[i++] = (unsigned char)(pixel >> blue);
        }
    XDestroyImage(image);
    XCloseDisplay(display);
    return p->pixels;
}

static bool read_picture(const char *name, picture *p)
{
    FILE *file = fopen(name, "rb");
    bool done = file && fscanf(file, "P6 %d %d 255%*1[\n]", &p->width, &p->height) == 2 && p->width > 0 &&
                p->height > 0 && p->width < 32768 && p->height < 32768;
    if (done) {
        size_t size = 3 * (size_t)p->width * (size_t)p->height;
        p->pixels = malloc(size);
        done = p->pixels && fread(p->pixels, 1, size, file) == size;
    }
    if (file)
        fclose(file);
    return done;
}

static bool write_picture(const char *name, const picture *p)
{
    size_t size = 3 * (size_t)p->width * (size_t)p->height;
    FILE *file = fopen(name, "wb");
    if (!file)
        return false;
    bool done = fprintf(file, "P6\n%d %d\n255\n", p->width, p->height) > 0 &&
                fwrite(p->pixels, 1, size, file) == size;
    return fclose(file) == 0 && done;
}

static bool cut(picture *p, const char *part)
{
    int width, height, left, top;
    if (sscanf(part, "%dx%d+%d+%d", &width, &height, &left, &top) != 4 || left < 0 || top < 0)
        return false;
    width = width < p->width - left ? width : p->width - left;
    height = height < p->height - top ? height : p->height - top;
    if (width <= 0 || height <= 0)
        return false;
    for (int y = 0; y < height; y++)
        memmove(p->pixels + 3 * (size_t)y * (size_t)width,
                p->pixels + 3 * ((size_t)(top + y) * (size_t)p->width + (size_t)left), 3 * (size_t)width);
    p->width = width, p->height = height;
    return true;
}

static int colors(const picture *p)
{
    static unsigned char met[1 << 21]; /* a bit for each of 2^24 colours */
    size_t pixels = (size_t)p->width * (size_t)p->height;
    int count = 0;
    for (size_t i = 0; i < pixels; i++) {
        const unsigned char *rgb = p->pixels + 3 * i;
        unsigned color = (unsigned)rgb[0] << 16 | (unsigned)rgb[1] << 8 | rgb[2];
        count += !(met[color >> 3] >> (color & 7) & 1);
        met[color >> 3] |= (unsigned char)(1U << (color & 7));
    }
    return count;
}

/* Returns whether a thread of a process runs or waits for the disk. */
static bool is_busy(const char *process)
{
    char name[600], line[512];
    snprintf(name, sizeof name, "/proc/%.20s/task", process);
    DIR *threads = opendir(name);
    bool busy = false;
    for (const struct dirent *entry; threads && !busy && (entry = readdir(threads)) != NULL;) {
        snprintf(name, sizeof name, "/proc/%.20s/task/%s/stat", process, entry->d_name);
        FILE *file = entry->d_name[0] == '.' ? NULL : fopen(name, "r");
        if (!file)
            continue;
        const char *end = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
        busy = end && (strncmp(end, ") R", 3) == 0 || strncmp(end, ") D", 3) == 0);
        fclose(file);
    }
    if (threads)
        closedir(threads);
    return busy;
}

/* Waits until the processes have been idle three times in a row. */
static void wait_for_rest(int count, char *const *processes)
{
    for (int looks = 0, quiet = 0; looks < 60 && quiet < 3; looks++) {
        nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
        quiet++;
        for (int i = 0; i < count; i++)
            if (is_busy(processes[i]))
                quiet = 0;
    }
}

int main(int argc, char **argv)
{
    picture p = {0};
    bool done = false;
    if (argc == 4 && strcmp(argv[1], "grab") == 0)
        done = grab(strtoul(argv[2], NULL, 0), &p) && write_picture(argv[3], &p);
    else if (argc == 3 && strcmp(argv[1], "colors") == 0)
        done = read_picture(argv[2], &p) && printf("%d\n", colors(&p)) > 0;
    else if (argc == 5 && strcmp(argv[1], "part") == 0)
        done = read_picture(argv[2], &p) && cut(&p, argv[3]) && write_picture(argv[4], &p);
    else if (argc >= 3 && strcmp(argv[1], "rest") == 0)
        wait_for_rest(argc - 2, argv + 2), done = true;
    else
        fputs("usage: screen grab WINDOW FILE | colors FILE | part FILE WxH+X+Y OUT | rest PROCESS...\n",
              stderr);
    free(p.pixels);
    return done ? 0 : 1;
}
