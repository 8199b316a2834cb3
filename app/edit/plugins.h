/*
 * Plug-ins: shared objects whose handlers decide how edits are performed (mmd/edit.h).
 *
 * A plug-in that is unloaded leaves the chain of handlers at once, but its code stays in memory as long as
 * the history does, because its commands may still be undone and redone, and a drag may hold its objects.
 */
#ifndef ODORI_PLUGINS_H
#define ODORI_PLUGINS_H

#include "files/hashes.h"
#include "history.h"
#include "base/options.h"

typedef struct odori_plugins odori_plugins;

/*
 * Loads files and adds their handlers to the history's edit, in this order, each before the present ones. A
 * name without a slash is a file in the current folder. Returns EXIT_DONE, or the exit code of the reported
 * error; then none is loaded.
 */
int plugins_use(odori_history *h, const text_list *paths);

/* Loads one plug-in. Returns false with the reason in error (REFUSAL_MAX bytes), and nothing has changed. */
bool plugins_load(odori_history *h, const char *path, char *error);

/*
 * Removes the handlers of a plug-in, given by the name it has for itself: the chain is built again from the
 * standard handlers and the remaining plug-ins. Returns false as above.
 */
bool plugins_unload(odori_history *h, const char *name, char *error);

/* A loaded plug-in. hash: of the file as it was loaded. */
typedef struct plugin_info {
    const char *name, *path;
    digest hash;
} plugin_info;
size_t plugins_count(const odori_plugins *p); /* Return the number of loaded plug-ins (0 for NULL), and one of
                                                 them; the first loaded is first. */
plugin_info plugins_get(const odori_plugins *p, size_t index);

/* Adds the handlers of all loaded plug-ins to a new edit. p may be NULL. */
void plugins_attach(const odori_plugins *p, mmd_edit *edit);

/* Unloads all libraries, once no edit has handlers or commands of theirs. p may be NULL. */
void plugins_close(odori_plugins *p);

#endif
