/*
 * Asks the user for files in the desktop's dialog (file_dialog.h), and passes the answer on to whoever asked.
 * Where there is no such dialog, the player's own page of files is shown (file_page.h).
 */
#ifndef ODORI_CHOOSER_H
#define ODORI_CHOOSER_H

#include "chooser_aim.h"
#include "command/command_group.h"
#include "mmd/source.h"
#include "file_dialog.h"

typedef struct file_chooser file_chooser;

/* Takes an answer: a state beyond DIALOG_WAITING. */
typedef void chooser_taker(odori_session *s, const dialog_answer *answer);

/* Creates the chooser of a player. `wake` is as for dialog_create. Returns NULL when out of memory. */
file_chooser *chooser_create(void (*wake)(void *user), void *user);
void chooser_destroy(file_chooser *c); /* closes an open dialog; does nothing when NULL */

/* Sets the window that dialogs belong to (dialog_request.parent); 0 (as at first): it is not known. */
void chooser_set_parent(file_chooser *c, uintptr_t window);

/*
 * Asks for a dialog, above the window and with a title and a folder if the request has none. `taker` gets the
 * answer later, on the player's thread. Returns DIALOG_WAITING; or, with the reason in error (REFUSAL_MAX
 * bytes), DIALOG_MISSING or DIALOG_FAILED.
 */
dialog_state chooser_ask(odori_session *s, const dialog_request *request, chooser_taker *taker, char *error);

/* Returns whether the desktop has a dialog as far as is known: there may be one, and the last question was
 * not in vain. c may be NULL. */
bool chooser_is_likely(const file_chooser *c);

/* Asks for files, in the desktop's dialog or on the player's own page. Returns false with the reason. */
bool chooser_ask_for(odori_session *s, const chooser_aim *aim, char *error);

/* Does with chosen files what they are for. Returns false with the reason. */
bool chooser_open(odori_session *s, const chooser_aim *aim, const char *const *paths, size_t count,
                  char *error);

/* Writes the folder of the scene's first model, or of the archive that it is in. Returns false if there is
 * none, as for the bundled dancer. */
bool chooser_folder(const odori_session *s, char folder[MMD_FILE_PATH_MAX]);

/* Passes an answer on if there is one. Does nothing when c is NULL. To be called once in each turn of the
 * player. */
void chooser_poll(file_chooser *c, odori_session *s);

/* Returns the seconds after which chooser_poll must be called even if nobody wakes. INFINITY: somebody does,
 * or c is NULL. */
double chooser_wait(const file_chooser *c);

extern const command_group commands_of_chooser;

#endif
