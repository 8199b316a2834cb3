/*
 * Plug-ins: shared objects whose handlers decide what edits do (mmd/edit.h).
 *
 * One that is unloaded leaves the chain of handlers at once, and stays in
 * memory as long as the history does: commands of its own may be undone and
 * done again for as long as they are kept, and a drag that holds its objects
 * ends well.
 */
#ifndef ODORI_PLUGINS_H
#define ODORI_PLUGINS_H

#include "files/hashes.h"
#include "history.h"
#include "base/options.h"

typedef struct odori_plugins odori_plugins;

/*
 * Loads those files and gives the history's edit their handlers, in this order,
 * each before those that were there. A name without a slash lies in the current
 * folder. Returns EXIT_DONE, or the exit code of what it reported; then none is
 * in use.
 */
int plugins_use(odori_history *h, const text_list *paths);

/* Loads one more. False: why in error (REFUSAL_MAX bytes), and all is as it was. */
bool plugins_load(odori_history *h, const char *path, char *error);

/*
 * Takes the handlers of one away, by the name that it gives itself: the chain
 * is made anew, of the standard one and those that stay. False as above.
 */
bool plugins_unload(odori_history *h, const char *name, char *error);

/* Returns those in use, the first loaded first. hash: of the file, as it was read. */
typedef struct plugin_told {
    const char *name, *path;
    digest hash;
} plugin_told;
size_t plugins_count(const odori_plugins *p); /* NULL: 0 */
plugin_told plugins_tell(const odori_plugins *p, size_t index);

/* Gives an edit that was made anew the handlers of plug-ins in use. NULL is allowed. */
void plugins_attach(const odori_plugins *p, mmd_edit *edit);

/* Lets all libraries go, once no edit has handlers or commands of theirs any more. NULL is allowed. */
void plugins_close(odori_plugins *p);

#endif
