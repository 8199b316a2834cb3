/*
 * The mascot on Windows: a window out of the task bar that takes the mouse where she is drawn. Windows has no
 * input regions for windows with alpha, so a timer looks where the pointer is, and lets all events through
 * (WS_EX_TRANSPARENT) while it is beside her.
 */
#include "mascot_system.h"

#include <windows.h>

#include <string.h>

#include "mmd/memory.h"

enum { LOOK_MILLISECONDS = 30, LOOK_TIMER = 1 };

static const wchar_t property[] = L"odori.mascot"; /* of the window: its mascot_system */

struct mascot_system {
    HWND window;
    mascot_shape shape; /* a copy of the last one */
    bool has_shape;     /* until there is one, the whole window takes the mouse */
    bool passes;        /* the mouse reaches what is behind the window */
};

/* Returns whether a pixel of the window is in the shape. */
static bool has_pixel(const mascot_shape *shape, POINT at)
{
    for (size_t i = 0; i < shape->count; i++) {
        const mascot_rectangle *r = &shape->items[i];
        if (at.x >= (LONG)r->x && at.x < (LONG)(r->x + r->width) && at.y >= (LONG)r->y &&
            at.y < (LONG)(r->y + r->height))
            return true;
    }
    return false;
}

/* Lets the mouse through where nothing is drawn. Nothing changes while the window is dragged. */
static void follow_pointer(mascot_system *system)
{
    POINT at;
    if (!system->has_shape || GetCapture() == system->window || !GetCursorPos(&at) ||
        !ScreenToClient(system->window, &at))
        return;
    const bool passes = !has_pixel(&system->shape, at);
    if (passes == system->passes)
        return;
    system->passes = passes;
    const LONG_PTR style = GetWindowLongPtrW(system->window, GWL_EXSTYLE),
                   bits = WS_EX_TRANSPARENT | WS_EX_LAYERED; /* only layered windows let it through */
    SetWindowLongPtrW(system->window, GWL_EXSTYLE, passes ? style | bits : style & ~bits);
    if (passes)
        SetLayeredWindowAttributes(system->window, 0, 0, 0);
}

static void CALLBACK look(HWND window, UINT message, UINT_PTR timer, DWORD time)
{
    mascot_system *system = (mascot_system *)GetPropW(window, property);
    (void)message, (void)timer, (void)time;
    if (system)
        follow_pointer(system);
}

const char mascot_system_opaque[] =
    "the graphics driver gives no transparent windows, so the dancer has a background";

mascot_system *mascot_system_open(const odori_window *window)
{
    const HWND handle = (HWND)window_number(window);
    mascot_system *system = mmd_alloc(sizeof *system);
    if (!system)
        return NULL;
    *system = (mascot_system){.window = handle};
    if (SetPropW(handle, property, system) && SetTimer(handle, LOOK_TIMER, LOOK_MILLISECONDS, look))
        return system;
    RemovePropW(handle, property);
    mmd_free(system);
    return NULL;
}

void mascot_system_close(mascot_system *system)
{
    if (!system)
        return;
    KillTimer(system->window, LOOK_TIMER);
    RemovePropW(system->window, property);
    mascot_shape_finish(&system->shape);
    mmd_free(system);
}

/* GLFW has made the window a topmost one. */
void mascot_system_keep_above(mascot_system *system)
{
    const LONG_PTR style = GetWindowLongPtrW(system->window, GWL_EXSTYLE);
    SetWindowLongPtrW(system->window, GWL_EXSTYLE, (style & ~(LONG_PTR)WS_EX_APPWINDOW) | WS_EX_TOOLWINDOW);
}

void mascot_system_set_shape(mascot_system *system, const mascot_shape *shape)
{
    if (shape->count > system->shape.room) {
        mascot_rectangle *grown = mmd_realloc(system->shape.items, shape->count * sizeof *grown);
        if (!grown)
            return;
        system->shape.items = grown;
        system->shape.room = shape->count;
    }
    if (shape->count)
        memcpy(system->shape.items, shape->items, shape->count * sizeof *shape->items);
    system->shape.count = shape->count;
    system->has_shape = true;
    follow_pointer(system);
}
