/*
 * Reads folders (folder.h) and places (places.h) on a thread, for the player's own page of files, so that a
 * slow disk or a large archive does not hold up the window. The player's thread gets the finished list.
 */
#ifndef ODORI_FOLDER_LIST_H
#define ODORI_FOLDER_LIST_H

#include "folder.h"
#include "places.h"

typedef struct folder_list folder_list;

/* Creates a list. `wake` is called from another thread when a folder has been read; NULL: it is not. Returns
 * NULL when out of memory. */
folder_list *folder_list_create(void (*wake)(void *user), void *user);

/* Does nothing when NULL. Does not wait for a folder that is being read. */
void folder_list_destroy(folder_list *list);

/* Begins to read a folder, and the places. One that is being read is given up. model and recent are as for
 * places_find. Returns false when out of memory or threads. */
bool folder_list_go(folder_list *list, const char *path, const char *model, bool recent);

/* Returns whether a folder is being read. */
bool folder_list_is_busy(const folder_list *list);

/* What was read, until the next call of folder_list_go, folder_list_poll or folder_list_destroy. */
typedef struct folder_view {
    const folder_contents *contents; /* the last folder that could be read; NULL: none could yet */
    const places *places;            /* NULL: none were found yet */
    const char *error; /* why the wanted folder could not be read, in one sentence; "": it could */
} folder_view;

/* Takes over what the thread has read. Returns whether the view has changed. */
bool folder_list_poll(folder_list *list, folder_view *view);

#endif
