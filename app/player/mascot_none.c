/* The mascot where the window system has no input regions, or nobody has written it: the whole window takes
 * the mouse. */
#include "mascot_system.h"

const char mascot_system_opaque[] =
    "this window system gives no transparent windows, so the dancer has a background";

mascot_system *mascot_system_open(const odori_window *window)
{
    (void)window;
    return NULL;
}

void mascot_system_close(mascot_system *system)
{
    (void)system;
}

void mascot_system_keep_above(mascot_system *system)
{
    (void)system;
}

void mascot_system_set_shape(mascot_system *system, const mascot_shape *shape)
{
    (void)system, (void)shape;
}
