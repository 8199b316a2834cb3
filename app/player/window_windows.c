/* The window on Windows. */
#include "window_internal.h"

#include <windows.h>

#include <dwmapi.h>
#include <fcntl.h>
#include <io.h>
#include <unistd.h>

#define GLFW_EXPOSE_NATIVE_WIN32
#include <GLFW/glfw3native.h>

/* DWMWA_USE_IMMERSIVE_DARK_MODE, which older headers lack. Windows 10 knows it from version 20H1 on. */
enum { DARK_MODE = 20 };

const char window_keys_file[] = "%APPDATA%\\odori\\keys.conf";

bool window_has_display(void)
{
    return true;
}

/* Returns the number of processes that share the console, at most 2; 0: there is none. */
static DWORD count_console_processes(void)
{
    DWORD processes[2];
    const DWORD count = GetConsoleProcessList(processes, 2);
    return count < 2 ? count : 2;
}

bool window_is_from_desktop(void)
{
    return count_console_processes() <= 1;
}

void window_leave_console(void)
{
    if (count_console_processes() != 1)
        return;
    /* Standard streams that are the console's lead to NUL, so that their numbers stay taken. */
    const int nothing = _open("NUL", _O_RDWR | _O_BINARY | _O_NOINHERIT);
    for (int file = 0; file < 3 && nothing >= 0; file++)
        if (_isatty(file))
            _dup2(nothing, file);
    if (nothing > 2)
        close(nothing);
    FreeConsole();
}

/* Makes the title bar dark as the panels are. */
void window_dress(odori_window *window)
{
    const BOOL dark = TRUE;
    DwmSetWindowAttribute(glfwGetWin32Window(window->handle), DARK_MODE, &dark, sizeof dark);
}

uintptr_t window_number(const odori_window *window)
{
    return (uintptr_t)glfwGetWin32Window(window->handle);
}
