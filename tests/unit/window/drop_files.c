/*
 * drop_files WINDOW FILE...: drops files on a window of the X server as a file manager does, by the XDND
 * protocol, version 5 (freedesktop.org/wiki/Specifications/XDND), which xdotool cannot do. Exits 0 when the
 * window has confirmed that it received them.
 * drop_files WINDOW: asks the window to close, as a window manager's button does.
 */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct dropper {
    Display *display;
    Window source, target;
    const char *list; /* text/uri-list */
} dropper;

static Atom atom(const dropper *d, const char *name)
{
    return XInternAtom(d->display, name, False);
}

static void send(const dropper *d, const char *type, long a, long b, long c, long e)
{
    XEvent event = {.xclient = {.type = ClientMessage, .window = d->target, .format = 32}};
    event.xclient.message_type = atom(d, type);
    event.xclient.data.l[0] = (long)d->source;
    event.xclient.data.l[1] = a;
    event.xclient.data.l[2] = b;
    event.xclient.data.l[3] = c;
    event.xclient.data.l[4] = e;
    XSendEvent(d->display, d->target, False, NoEventMask, &event);
    XFlush(d->display);
}

/* Gives the list of files to the target, which has asked for it. */
static void give_list(const dropper *d, const XSelectionRequestEvent *asked)
{
    XEvent event = {.xselection = {.type = SelectionNotify,
                                   .requestor = asked->requestor,
                                   .selection = asked->selection,
                                   .target = asked->target,
                                   .property = asked->property,
                                   .time = asked->time}};
    XChangeProperty(d->display, asked->requestor, asked->property, asked->target, 8, PropModeReplace,
                    (const unsigned char *)d->list, (int)strlen(d->list));
    XSendEvent(d->display, asked->requestor, False, NoEventMask, &event);
    XFlush(d->display);
}

static int drop(const dropper *d)
{
    Atom copy = atom(d, "XdndActionCopy"), list = atom(d, "text/uri-list");
    XSetSelectionOwner(d->display, atom(d, "XdndSelection"), d->source, CurrentTime);
    send(d, "XdndEnter", 5L << 24, (long)list, 0, 0);
    send(d, "XdndPosition", 0, 200L << 16 | 200, CurrentTime, (long)copy);
    for (;;) {
        XEvent event;
        XNextEvent(d->display, &event);
        if (event.type == SelectionRequest)
            give_list(d, &event.xselectionrequest);
        if (event.type != ClientMessage)
            continue;
        if (event.xclient.message_type == atom(d, "XdndStatus")) {
            if (!(event.xclient.data.l[1] & 1))
                return 1; /* rejected */
            send(d, "XdndDrop", 0, CurrentTime, 0, 0);
        } else if (event.xclient.message_type == atom(d, "XdndFinished")) {
            return event.xclient.data.l[1] ? 0 : 1; /* GLFW returns the number of bytes received */
        }
    }
}

/* Appends a file as file:// and its full path; all but printable ASCII is escaped. */
static void append_path(FILE *list, const char *path)
{
    char *full = realpath(path, NULL);
    fputs("file://", list);
    for (const char *c = full ? full : path; *c; c++) {
        if ((unsigned char)*c < 0x21 || (unsigned char)*c > 0x7e || *c == '%')
            fprintf(list, "%%%02x", (unsigned char)*c);
        else
            putc(*c, list);
    }
    fputs("\r\n", list);
    free(full);
}

/* Sends the message of ICCCM 4.2.8.1. */
static void close_window(const dropper *d)
{
    XEvent event = {.xclient = {.type = ClientMessage, .window = d->target, .format = 32}};
    event.xclient.message_type = atom(d, "WM_PROTOCOLS");
    event.xclient.data.l[0] = (long)atom(d, "WM_DELETE_WINDOW");
    event.xclient.data.l[1] = CurrentTime;
    XSendEvent(d->display, d->target, False, NoEventMask, &event);
    XFlush(d->display);
}

int main(int argc, char **argv)
{
    char *text = NULL;
    size_t size;
    dropper d = {.display = XOpenDisplay(NULL)};
    FILE *list = open_memstream(&text, &size);
    if (!d.display || !list || argc < 2)
        return 2;
    for (int i = 2; i < argc; i++)
        append_path(list, argv[i]);
    fclose(list);
    d.list = text;
    d.target = strtoul(argv[1], NULL, 0);
    d.source = XCreateSimpleWindow(d.display, DefaultRootWindow(d.display), 0, 0, 1, 1, 0, 0, 0);
    int result = 0;
    if (argc == 2)
        close_window(&d);
    else
        result = drop(&d);
    XCloseDisplay(d.display);
    free(text);
    return result;
}
