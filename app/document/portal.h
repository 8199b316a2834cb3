/*
 * The desktop's own dialog for choosing files: the interface org.freedesktop.portal.FileChooser of
 * xdg-desktop-portal, over D-Bus. A thread with a connection of its own asks for the dialog and sleeps until
 * the user has answered; the player's thread never waits. There is one dialog at a time.
 *
 * A session bus is only used, never started. Without one, or without a portal that answers, the state is
 * PORTAL_MISSING, and the caller has to offer something else.
 */
#ifndef ODORI_PORTAL_H
#define ODORI_PORTAL_H

#include "base/message.h"
#include "base/options.h"
#include "mmd/assemble.h"
#include "mmd/memory.h"

typedef struct portal portal;

typedef enum portal_state {
    PORTAL_IDLE,      /* nothing was asked */
    PORTAL_WAITING,   /* the user has not answered yet */
    PORTAL_CHOSEN,    /* files were chosen, at least one */
    PORTAL_CANCELLED, /* by the user, or by portal_cancel */
    PORTAL_MISSING,   /* there is no portal that answers */
    PORTAL_FAILED,    /* the portal, or the dialog, failed */
} portal_state;

typedef enum portal_kind { PORTAL_OPEN, PORTAL_SAVE } portal_kind;

/* Files that the dialog offers to show alone. */
typedef struct portal_filter {
    const char *name;
    unsigned kinds; /* bits 1u << mmd_name_kind; 0: all files */
} portal_filter;

enum { PORTAL_FILTERS_MAX = 16, PORTAL_PATHS_MAX = 256 };

/* What the dialog is to show. Zero-initialise; NULL and 0 leave the choice to the desktop. */
typedef struct portal_request {
    portal_kind kind;
    const char *title;
    bool multiple; /* several files may be opened at once */
    const portal_filter *filters;
    size_t filter_count;
    const char *folder;   /* in which the dialog begins */
    const char *name;     /* of the file, for PORTAL_SAVE */
    unsigned long parent; /* X11 window that the dialog belongs to; 0: it is not known, as on Wayland */
} portal_request;

typedef struct portal_answer {
    portal_state state;
    text_list paths;         /* absolute; of PORTAL_CHOSEN */
    size_t left_out;         /* chosen things that are no files of this machine, or beyond PORTAL_PATHS_MAX */
    char error[REFUSAL_MAX]; /* of PORTAL_MISSING and PORTAL_FAILED: why */
    mmd_arena arena;         /* of the paths */
} portal_answer;

/* Creates a portal. `wake` is called from another thread when an answer has come; NULL: it is not. Returns
 * NULL when out of memory or descriptors. */
portal *portal_create(void (*wake)(void *user), void *user);

/* Closes the dialog if one is open. Does nothing when NULL. Waits half a second at most: a bus that hangs
 * delays nothing. */
void portal_destroy(portal *p);

/*
 * Asks for a dialog. The request is copied. Returns PORTAL_WAITING; or, with the reason in error (REFUSAL_MAX
 * bytes), PORTAL_MISSING where there is no session bus, and PORTAL_FAILED if a dialog is open already or out
 * of memory.
 */
portal_state portal_choose(portal *p, const portal_request *request, char *error);

/* Returns the state. An answer is handed over to the caller, who has to finish it, and the state is
 * PORTAL_IDLE afterwards. */
portal_state portal_poll(portal *p, portal_answer *answer);

/* Returns the seconds after which portal_poll must be called even if nobody wakes, because a bus that hangs
 * does not. INFINITY: somebody wakes. */
double portal_wait(const portal *p);
void portal_answer_finish(portal_answer *answer);

/* Closes the dialog. The answer is then PORTAL_CANCELLED, unless another one has come already. */
void portal_cancel(portal *p);

#endif
