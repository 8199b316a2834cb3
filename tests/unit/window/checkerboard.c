/*
 * checkerboard: covers the X server's screen with squares of 16 pixels in two colours, below all other
 * windows, and prints "click X Y" for each press of a mouse button on them. Ends with the server.
 */
#include <X11/Xlib.h>
#include <stdio.h>

enum { SIDE = 16 };

int main(void)
{
    Display *display = XOpenDisplay(NULL);
    if (!display)
        return 1;
    const int screen = DefaultScreen(display);
    const unsigned depth = (unsigned)DefaultDepth(display, screen);
    Window root = RootWindow(display, screen);
    Pixmap tile = XCreatePixmap(display, root, 2 * SIDE, 2 * SIDE, depth);
    GC gc = XCreateGC(display, tile, 0, NULL);
    for (int i = 0; i < 4; i++) {
        XSetForeground(display, gc, i == 0 || i == 3 ? 0x2040c0 : 0xe0c060);
        XFillRectangle(display, tile, gc, SIDE * (i % 2), SIDE * (i / 2), SIDE, SIDE);
    }
    XSetWindowAttributes attributes = {
        .background_pixmap = tile, .override_redirect = True, .event_mask = ButtonPressMask};
    Window window =
        XCreateWindow(display, root, 0, 0, (unsigned)DisplayWidth(display, screen),
                      (unsigned)DisplayHeight(display, screen), 0, CopyFromParent, InputOutput,
                      CopyFromParent, CWBackPixmap | CWOverrideRedirect | CWEventMask, &attributes);
    XMapWindow(display, window);
    XLowerWindow(display, window);
    for (XEvent event;;) {
        XNextEvent(display, &event);
        if (event.type == ButtonPress) {
            printf("click %d %d\n", event.xbutton.x_root, event.xbutton.y_root);
            fflush(stdout);
        }
    }
}
