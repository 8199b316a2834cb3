/*
 * Loads files in the background while the scene plays. A separate thread builds a second scene from the
 * present files and the new ones, decodes its textures, and simulates its physics up to the present frame.
 * The player's thread uploads the textures, a few in each turn. Then the second scene replaces the first one,
 * with all edits made by then. Until that moment nothing changes, and on failure nothing changes at all.
 *
 * All functions belong to the player's thread, with the window's GL context current.
 */
#ifndef ODORI_OPEN_WORK_H
#define ODORI_OPEN_WORK_H

#include "edit/session.h"
#include "recipe/recipe.h"

typedef struct open_work open_work;

/* Creates the loader of a session, which must have an opener with a screen and outlive the loader. Returns
 * NULL when out of memory or threads; files are then loaded at once. */
open_work *open_work_create(odori_session *session);
void open_work_destroy(open_work *l); /* cancels the job; does nothing when NULL */

/*
 * Begins to open files, as open_files does, or queues them behind the running job. Returns false when out of
 * memory, with the reason in error (REFUSAL_MAX bytes). Later errors are reported as messages.
 */
bool open_work_files(open_work *l, const char *const *paths, size_t count, char *error);

/* Begins to replace the scene, as open_replace does. `files` must stay valid until then. Its audio is played,
 * if it has one. */
bool open_work_replace(open_work *l, const recipe *files, bool plays, char *error);

/* Begins to reload the scene's own files, of which path has changed. */
bool open_work_reopen(open_work *l, const char *path, char *error);

/* Begins to open the audio that is playing again, because its file has changed. */
bool open_work_sound(open_work *l, const char *path, char *error);

/* Begins to reload the textures of a model, of which these (at least one) have changed. A texture that cannot
 * be read is reported, and the old one stays. */
bool open_work_textures(open_work *l, size_t model, const char *const *paths, size_t count, char *error);

/* Begins to put the model of a file in the place of another one, as open_in_place_of does. No other job may
 * be running. */
bool open_work_model(open_work *l, size_t model, const char *path, char *error);

/* Returns whether a job is running; false for NULL. */
bool open_work_is_busy(const open_work *l);

/* Writes the progress, 0 to 1, and the name of the file, which is valid until open_work_poll. Returns false
 * when no job is running or it was cancelled. */
bool open_work_progress(const open_work *l, double *part, const char **name);

/* Cancels the running job and the waiting one. Returns false when there was none. */
bool open_work_cancel(open_work *l);

/* Does a short step of the job, to be called once in each turn of the player. Does nothing when NULL. */
void open_work_poll(open_work *l);

#endif
