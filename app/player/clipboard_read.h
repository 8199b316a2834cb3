/*
 * Reads the files that another program has put into the clipboard, because GLFW reads texts only. On Linux,
 * wl-paste (Wayland) or xclip (X11) read them. A thread waits for the program, at most a second: an owner of
 * the clipboard that does not answer does not hold up the window, and the window itself can be the owner.
 */
#ifndef ODORI_CLIPBOARD_READ_H
#define ODORI_CLIPBOARD_READ_H

#include "mmd/cursor.h"

typedef struct clipboard_reader clipboard_reader;

typedef enum clipboard_state {
    CLIPBOARD_IDLE,    /* nothing is read */
    CLIPBOARD_WAITING, /* the owner has not answered yet */
    CLIPBOARD_FILES,   /* files: URIs or paths, one in each line, perhaps after a line "copy" or "cut" */
    CLIPBOARD_OTHER,   /* something else, or nothing, or there is no program to read it with */
    CLIPBOARD_SILENT,  /* the owner does not answer */
} clipboard_state;

/* Creates a reader. `wake` is called from another thread when something was read; NULL: it is not. Returns
 * NULL when out of memory. */
clipboard_reader *clipboard_reader_create(void (*wake)(void *user), void *user);
void clipboard_reader_destroy(clipboard_reader *r); /* does nothing when NULL */

/* Begins to read, unless that is going on. Returns false when it cannot: r is NULL, or there are no threads.
 */
bool clipboard_reader_begin(clipboard_reader *r);

/* Returns the state. With CLIPBOARD_FILES, files receives the text, with a NUL, which the caller has to
 * finish. The state is CLIPBOARD_IDLE afterwards, unless it still waits. r may be NULL. */
clipboard_state clipboard_reader_poll(clipboard_reader *r, mmd_buffer *files);

#endif
