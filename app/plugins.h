/* Plug-ins: shared objects whose handlers decide what edits do (mmd/edit.h). */
#ifndef ODORI_PLUGINS_H
#define ODORI_PLUGINS_H

#include "history.h"
#include "options.h"

typedef struct odori_plugins odori_plugins;

/*
 * Loads those files and gives the history's edit their handlers, in this order,
 * each before those that were there. A name without a slash lies in the current
 * folder. Returns EXIT_DONE, or the exit code of what it reported; then none is
 * in use.
 */
int plugins_use(odori_history *h, const text_list *paths);

/* Gives an edit that was made anew the handlers of plug-ins in use. NULL is allowed. */
void plugins_attach(const odori_plugins *p, mmd_edit *edit);

/* Unloads them, once no edit has their handlers or commands any more. NULL is allowed. */
void plugins_close(odori_plugins *p);

#endif
