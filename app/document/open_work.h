/*
 * Opens files beside the dance: a second scene is made of this one's files and
 * the new ones on a thread of its own, its pictures decoded and its physics
 * brought to where the dance is; the GPU takes its textures a few at a time
 * between two pictures; then it takes the scene's place, with what was edited
 * by then. Until that moment nothing of the dance changes, and where anything
 * goes wrong, nothing does.
 *
 * All functions: the player's thread, with the window's context current.
 */
#ifndef ODORI_OPEN_WORK_H
#define ODORI_OPEN_WORK_H

#include "edit/session.h"
#include "recipe/recipe.h"

typedef struct open_work open_work;

/* session: what it opens for; it has an opener with a screen, and outlives the work. NULL: out of memory or
 * threads, and files are opened at once. */
open_work *open_work_create(odori_session *session);
void open_work_destroy(open_work *l); /* stops what is under way; NULL is allowed */

/*
 * Begins to open files, as open_files does, or waits until it can. False: out
 * of memory, in error (REFUSAL_MAX bytes). What goes wrong later is told as
 * a message and in the opener's trouble.
 */
bool open_work_files(open_work *l, const char *const *paths, size_t count, char *error);

/* The same of open_replace; files have to stay until then. Where they name a sound, it plays along. */
bool open_work_replace(open_work *l, const recipe *files, bool plays, char *error);

/* The same of the scene's own files, of which path has changed. */
bool open_work_reopen(open_work *l, const char *path, char *error);

/* Reads the textures of a model again, of which these (at least one) have changed. One that cannot be read is
 * told of and stays what it was. */
bool open_work_textures(open_work *l, size_t model, const char *const *paths, size_t count, char *error);

/* Whether something is under way. NULL: no. */
bool open_work_is_busy(const open_work *l);

/* How far it is, 0 to 1, and what it is called (valid until open_work_poll). False: nothing to tell. */
bool open_work_tell(const open_work *l, double *part, const char **name);

/* Stops what is under way, and what waits. False: there was nothing. NULL: there is none. */
bool open_work_cancel(open_work *l);

/* A share of the work, once in a turn of the player; short. NULL: nothing happens. */
void open_work_poll(open_work *l);

#endif
