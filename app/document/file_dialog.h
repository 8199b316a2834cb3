/*
 * The desktop's own dialog for choosing files: on Linux the interface org.freedesktop.portal.FileChooser of
 * xdg-desktop-portal, over D-Bus, on Windows that of the shell. A thread of its own asks for the dialog and
 * sleeps until the user has answered; the player's thread never waits. There is one dialog at a time.
 *
 * A session bus is only used, never started. Without one, or without a portal that answers, the state is
 * DIALOG_MISSING, and the caller has to offer something else.
 */
#ifndef ODORI_FILE_DIALOG_H
#define ODORI_FILE_DIALOG_H

#include <stdint.h>

#include "base/message.h"
#include "base/options.h"
#include "mmd/assemble.h"
#include "mmd/memory.h"

typedef struct file_dialog file_dialog;

typedef enum dialog_state {
    DIALOG_IDLE,      /* nothing was asked */
    DIALOG_WAITING,   /* the user has not answered yet */
    DIALOG_CHOSEN,    /* files were chosen, at least one */
    DIALOG_CANCELLED, /* by the user, or by dialog_cancel */
    DIALOG_MISSING,   /* there is no dialog */
    DIALOG_FAILED,    /* the dialog failed */
} dialog_state;

typedef enum dialog_kind { DIALOG_OPEN, DIALOG_SAVE } dialog_kind;

/* Files that the dialog offers to show alone. */
typedef struct dialog_filter {
    const char *name;
    unsigned kinds; /* bits 1u << mmd_name_kind; 0: all files */
} dialog_filter;

enum { DIALOG_FILTERS_MAX = 16, DIALOG_PATHS_MAX = 256 };

/* What the dialog is to show. Zero-initialise; NULL and 0 leave the choice to the desktop. */
typedef struct dialog_request {
    dialog_kind kind;
    const char *title;
    bool multiple; /* several files may be opened at once */
    const dialog_filter *filters;
    size_t filter_count;
    const char *folder; /* in which the dialog begins */
    const char *name;   /* of the file, for DIALOG_SAVE */
    uintptr_t parent; /* window that the dialog belongs to: X11's, or Windows' HWND; 0: it is not known, as on
                         Wayland */
} dialog_request;

typedef struct dialog_answer {
    dialog_state state;
    text_list paths;         /* absolute; of DIALOG_CHOSEN */
    size_t left_out;         /* chosen things that are no files of this machine, or beyond DIALOG_PATHS_MAX */
    char error[REFUSAL_MAX]; /* of DIALOG_MISSING and DIALOG_FAILED: why */
    mmd_arena arena;         /* of the paths */
} dialog_answer;

/* Creates a dialog, which is not shown yet. `wake` is called from another thread when an answer has come;
 * NULL: it is not. Returns NULL when out of memory or descriptors. */
file_dialog *dialog_create(void (*wake)(void *user), void *user);

/* Closes the dialog if one is open. Does nothing when NULL. Waits half a second at most: a bus that hangs
 * delays nothing. */
void dialog_destroy(file_dialog *d);

/* Returns whether there may be a dialog, without asking for it. */
bool dialog_is_likely(void);

/*
 * Asks for a dialog. The request is copied. Returns DIALOG_WAITING; or, with the reason in error (REFUSAL_MAX
 * bytes), DIALOG_MISSING where there is no session bus, and DIALOG_FAILED if a dialog is open already or out
 * of memory.
 */
dialog_state dialog_choose(file_dialog *d, const dialog_request *request, char *error);

/* Returns the state. An answer is handed over to the caller, who has to finish it, and the state is
 * DIALOG_IDLE afterwards. */
dialog_state dialog_poll(file_dialog *d, dialog_answer *answer);

/* Returns the seconds after which dialog_poll must be called even if nobody wakes, because a bus that hangs
 * does not. INFINITY: somebody wakes. */
double dialog_wait(const file_dialog *d);
void dialog_answer_finish(dialog_answer *answer);

/* Closes the dialog. The answer is then DIALOG_CANCELLED, unless another one has come already. */
void dialog_cancel(file_dialog *d);

/* --- For the implementations --- */

/* Copies a request, with texts that are valid UTF-8. The folder keeps its bytes; a missing title becomes "".
 * Returns false when out of memory. */
bool dialog_request_copy(const dialog_request *from, mmd_arena *arena, dialog_request *copy);

/* Adds a chosen file to an answer, or counts it as left out: NULL, or one too many. Returns false when out of
 * memory. */
bool dialog_answer_add(dialog_answer *answer, const char *path);

#endif
