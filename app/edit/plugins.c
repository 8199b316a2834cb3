#include "plugins.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/system.h"
#include "files/hashes.h"
#include "mmd/memory.h"
#include "mmd/source.h"

enum { PLUGINS_MAX = 32, LIBRARIES_MAX = 256, PATH_TEXT = 1024 };

/* A library in memory: loaded as a plug-in, or with commands that a history may still hold. */
typedef struct library {
    void *handle;
    const mmd_edit_plugin *plugin;
    digest hash;
    char path[PATH_TEXT];
} library;

struct odori_plugins {
    library libraries[LIBRARIES_MAX]; /* all that were ever loaded, each once */
    size_t library_count;
    size_t used[PLUGINS_MAX]; /* indices of the active ones, in the order of loading */
    size_t count;
};

size_t plugins_count(const odori_plugins *p)
{
    return p ? p->count : 0;
}

static const library *used(const odori_plugins *p, size_t index)
{
    return &p->libraries[p->used[index]];
}

plugin_info plugins_get(const odori_plugins *p, size_t index)
{
    const library *l = used(p, index);
    return (plugin_info){l->plugin->name, l->path, l->hash};
}

void plugins_close(odori_plugins *p)
{
    for (size_t i = p ? p->library_count : 0; i-- > 0;)
        system_library_close(p->libraries[i].handle);
    mmd_free(p);
}

void plugins_attach(const odori_plugins *p, mmd_edit *edit)
{
    for (size_t i = 0; i < plugins_count(p); i++)
        if (!used(p, i)->plugin->attach(edit))
            message("%s: its handlers cannot be added: %s", used(p, i)->plugin->name, mmd_edit_refusal(edit));
}

/* --- Loading --- */

/* Opens a library. The reason in error names the file. */
static bool open_library(library *l, char *error)
{
    l->hash = file_digest(l->path);
    l->handle = system_library_open(l->path, error, REFUSAL_MAX);
    return l->handle != NULL;
}

static bool find_entry(library *l, const char *path, char *error)
{
    const mmd_edit_plugin *plugin = l->plugin = system_library_symbol(l->handle, MMD_EDIT_PLUGIN_SYMBOL);
    if (!plugin)
        return refuse_with(error, "%.150s: not a plug-in: it has no symbol \"" MMD_EDIT_PLUGIN_SYMBOL "\"",
                           path);
    if (plugin->abi != MMD_EDIT_ABI)
        return refuse_with(
            error, "%.100s: made for version %u of the interface, but this is version %u; build it again",
            path, plugin->abi, (unsigned)MMD_EDIT_ABI);
    return (plugin->name && *plugin->name && plugin->attach) ||
           refuse_with(error, "%.150s: the plug-in has no name or no attach function", path);
}

/* Returns the position of the active plug-in of a name, or count. */
static size_t find_name(const odori_plugins *p, const char *name)
{
    size_t i = 0;
    while (i < p->count && strcmp(used(p, i)->plugin->name, name) != 0)
        i++;
    return i;
}

/* Stores a library that was opened. The same file again gives the library that is known. NULL: refused. */
static const library *store(odori_plugins *p, const library *l, char *error)
{
    for (size_t i = 0; i < p->library_count; i++) {
        const library *known = &p->libraries[i];
        if (known->handle != l->handle)
            continue;
        if (!digest_equal(&known->hash, &l->hash)) {
            refuse_with(error, "%.120s: the file changed while it was loaded; copy it to another name",
                        l->path);
            return NULL;
        }
        system_library_close(l->handle);
        return known;
    }
    if (p->library_count == LIBRARIES_MAX) {
        refuse_with(error, "more than %d libraries were loaded; restart the program", (int)LIBRARIES_MAX);
        return NULL;
    }
    p->libraries[p->library_count] = *l;
    return &p->libraries[p->library_count++];
}

static bool attach(odori_plugins *p, const library *l, const char *path, mmd_edit *edit, char *error)
{
    if (find_name(p, l->plugin->name) < p->count)
        return refuse_with(error, "%.120s: plug-in %.60s is loaded already", path, l->plugin->name);
    if (p->count == PLUGINS_MAX)
        return refuse_with(error, "%.120s: more than %d plug-ins", path, (int)PLUGINS_MAX);
    mmd_edit_refuse(edit, "%s", "");
    if (!l->plugin->attach(edit)) {
        refuse_with(error, "%.120s: its handlers cannot be added%s%.60s", path,
                    *mmd_edit_refusal(edit) ? ": " : "", mmd_edit_refusal(edit));
        if (mmd_edit_set_chain(edit, NULL, NULL, 0)) /* some of its handlers may have been added */
            plugins_attach(p, edit);
        return false;
    }
    p->used[p->count++] = (size_t)(l - p->libraries);
    return true;
}

static bool load(odori_plugins *p, const char *path, mmd_edit *edit, char *error)
{
    library l = {.handle = NULL};
    /* The system searches its folders for bare names, but a file is meant. */
    if (snprintf(l.path, sizeof l.path, "%s%s", strchr(path, '/') ? "" : "./", path) >= (int)sizeof l.path)
        return refuse_with(error, "%.100s…: the path is too long", path);
    int file;
    mmd_error why = {0};
    if (mmd_file_open(l.path, &file, &why) != MMD_OK) /* loading would wait for pipes */
        return refuse_with(error, "%.120s: %.120s", path,
                           why.code == MMD_ERROR_NOT_FOUND ? "no such file" : why.message);
    close(file);
    if (!open_library(&l, error))
        return false;
    const library *kept = find_entry(&l, path, error) ? store(p, &l, error) : NULL;
    if (!kept) {
        system_library_close(l.handle);
        return false;
    }
    return attach(p, kept, path, edit, error);
}

/* Returns the history's plug-ins, creating the list if needed. NULL when out of memory. */
static odori_plugins *plugins_of(odori_history *h)
{
    if (h->plugins)
        return h->plugins;
    odori_plugins *p = mmd_alloc(sizeof *p);
    if (p)
        p->library_count = p->count = 0;
    h->plugins = p;
    return p;
}

bool plugins_load(odori_history *h, const char *path, char *error)
{
    mmd_edit *edit = history_edit(h);
    odori_plugins *p = edit ? plugins_of(h) : NULL;
    return p ? load(p, path, edit, error) : refuse_with(error, "out of memory");
}

int plugins_use(odori_history *h, const text_list *paths)
{
    char error[REFUSAL_MAX];
    for (size_t i = 0; i < paths->count; i++) {
        if (plugins_load(h, paths->items[i], error))
            continue;
        message("%s", error);
        if (!h->plugins)
            return EXIT_FACILITY;
        mmd_edit_set_chain(h->edit, NULL, NULL, 0);
        h->plugins->count = 0;
        return EXIT_INPUT;
    }
    return EXIT_DONE;
}

/* --- Unloading --- */

bool plugins_unload(odori_history *h, const char *name, char *error)
{
    mmd_edit *edit = history_edit(h);
    odori_plugins *p = edit ? plugins_of(h) : NULL;
    if (!p)
        return refuse_with(error, "out of memory");
    size_t at = find_name(p, name);
    if (at == p->count)
        return refuse_with(error, "there is no plug-in \"%.80s\"; `plugin.list` prints those that are loaded",
                           name);
    if (!mmd_edit_set_chain(edit, NULL, NULL, 0))
        return refuse_with(error, "out of memory");
    memmove(&p->used[at], &p->used[at + 1], (--p->count - at) * sizeof *p->used);
    plugins_attach(p, edit);
    return true;
}
