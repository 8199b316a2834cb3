/* Copies pictures to the clipboard through wl-copy or xclip. The program reads from an unnamed temporary file
 * and not from a pipe, so that neither side can block the other. */
#include "clipboard.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/system.h"

#define WAIT_MAX 3.0 /* seconds until a clipboard program must have forked and exited */

/* Waits until a clipboard program has exited, and kills it after WAIT_MAX. The part of it that serves the
 * clipboard has forked by then. Returns whether it exited with code 0. */
static bool wait_for(system_process *program)
{
    int code;
    double end = clock_seconds() + WAIT_MAX;
    while (clock_seconds() < end) {
        if (system_process_has_ended(program, &code))
            return code == 0;
        system_sleep(0.002);
    }
    system_process_kill(program);
    system_process_wait(program);
    return false;
}

bool clipboard_put_png(const mmd_buffer *png, char *error)
{
    static const struct {
        const char *display, *arguments[7];
    } programs[] = {
        {"WAYLAND_DISPLAY", {"wl-copy", "--type", "image/png", NULL}},
        {"DISPLAY", {"xclip", "-selection", "clipboard", "-t", "image/png", NULL}},
    };
    bool was_there = false;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const char *display = getenv(programs[i].display);
        FILE *input = display && *display ? system_scratch_file() : NULL;
        if (!input)
            continue;
        system_process program = {0};
        const system_start how = {.files = {fileno(input), -1, -1, -1, -1}};
        bool started = fwrite(png->data, 1, png->size, input) == png->size && fflush(input) == 0 &&
                       lseek(fileno(input), 0, SEEK_SET) == 0;
        if (started) {
            started = system_process_start(&program, programs[i].arguments, &how);
            was_there |= started || errno != ENOENT;
        }
        fclose(input);
        if (started && wait_for(&program))
            return true;
    }
    return refuse_with(error, "%s",
                       was_there ? "wl-copy or xclip failed to copy the picture"
                                 : "to copy a picture, install wl-copy (Wayland) or xclip (X11)");
}

void clipboard_tidy_path(char *path)
{
    (void)path;
}
