/* The mascot on X11: the input region of the Shape extension, and states of the window manager (EWMH). */
#include "mascot_system.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/extensions/shape.h>

#include "mmd/memory.h"

struct mascot_system {
    Display *display; /* a connection of its own beside GLFW's */
    Window window;
    XRectangle *rectangles;
    size_t room;
};

const char mascot_system_opaque[] =
    "no compositor is running, so the dancer has a background; as soon as one does, "
    "such as picom, the desktop is seen behind her";

mascot_system *mascot_system_open(const odori_window *window)
{
    const uintptr_t number = window_number(window);
    Display *display = number ? XOpenDisplay(NULL) : NULL;
    int event, error, major = 0, minor = 0;
    mascot_system *system = display ? mmd_alloc(sizeof *system) : NULL;
    /* Input regions came with version 1.1. */
    if (system && XShapeQueryExtension(display, &event, &error) &&
        XShapeQueryVersion(display, &major, &minor) && (major > 1 || (major == 1 && minor >= 1))) {
        *system = (mascot_system){.display = display, .window = number};
        return system;
    }
    mmd_free(system);
    if (display)
        XCloseDisplay(display);
    return NULL;
}

void mascot_system_close(mascot_system *system)
{
    if (!system)
        return;
    XCloseDisplay(system->display);
    mmd_free(system->rectangles);
    mmd_free(system);
}

void mascot_system_keep_above(mascot_system *system)
{
    static char names[][32] = {"_NET_WM_STATE", "_NET_WM_STATE_ABOVE", "_NET_WM_STATE_SKIP_TASKBAR",
                               "_NET_WM_STATE_SKIP_PAGER"};
    enum { COUNT = sizeof names / sizeof *names };
    Atom atoms[COUNT];
    for (int i = 0; i < COUNT; i++)
        atoms[i] = XInternAtom(system->display, names[i], False);
    XChangeProperty(system->display, system->window, atoms[0], XA_ATOM, 32, PropModeReplace,
                    (const unsigned char *)&atoms[1], COUNT - 1);
    XSync(system->display, False); /* GLFW shows the window through another connection */
}

void mascot_system_set_shape(mascot_system *system, const mascot_shape *shape)
{
    if (shape->count > system->room) {
        XRectangle *grown = mmd_realloc(system->rectangles, shape->count * sizeof *grown);
        if (!grown)
            return;
        system->rectangles = grown;
        system->room = shape->count;
    }
    for (size_t i = 0; i < shape->count; i++) {
        const mascot_rectangle *r = &shape->items[i];
        system->rectangles[i] =
            (XRectangle){(short)r->x, (short)r->y, (unsigned short)r->width, (unsigned short)r->height};
    }
    XShapeCombineRectangles(system->display, system->window, ShapeInput, 0, 0, system->rectangles,
                            (int)shape->count, ShapeSet, YXSorted);
    XFlush(system->display);
}
