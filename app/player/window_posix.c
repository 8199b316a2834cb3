/* The window on systems with X11 or Wayland. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "window_internal.h"

const char window_keys_file[] = "$XDG_CONFIG_HOME/odori/keys.conf (~/.config/odori/keys.conf)";

bool window_has_display(void)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x && *x) || (wayland && *wayland);
}

bool window_is_from_desktop(void)
{
    return false;
}

void window_leave_console(void) {}

void window_dress(odori_window *window)
{
    (void)window;
}

/* GLFW for Wayland lacks the function, so it is looked up in the library that the program runs with. */
uintptr_t window_number(const odori_window *window)
{
    unsigned long (*number_of)(GLFWwindow *) = NULL;
    void *program = dlopen(NULL, RTLD_LAZY);
    void *symbol = program ? dlsym(program, "glfwGetX11Window") : NULL;
    memcpy(&number_of, &symbol, sizeof number_of);
    unsigned long number = number_of ? number_of(window->handle) : 0;
    if (program)
        dlclose(program);
    return number;
}
