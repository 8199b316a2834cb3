#include "plugins.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "mmd/memory.h"

enum { PLUGINS_MAX = 32, PATH_TEXT = 1024 };

typedef struct loaded {
    void *library;
    const mmd_edit_plugin *plugin;
} loaded;

struct odori_plugins {
    loaded items[PLUGINS_MAX];
    size_t count;
};

void plugins_close(odori_plugins *p)
{
    for (size_t i = p ? p->count : 0; i-- > 0;)
        dlclose(p->items[i].library);
    mmd_free(p);
}

void plugins_attach(const odori_plugins *p, mmd_edit *edit)
{
    for (size_t i = 0; p && i < p->count; i++)
        if (!p->items[i].plugin->attach(edit))
            message("%s: its handlers cannot be added: %s", p->items[i].plugin->name, mmd_edit_refusal(edit));
}

/* dlopen looks for bare names in the system's folders: what is meant is a file. */
static void *open_library(const char *path)
{
    char text[PATH_TEXT];
    if (snprintf(text, sizeof text, "%s%s", strchr(path, '/') ? "" : "./", path) >= (int)sizeof text) {
        message("%.100s…: the path is too long", path);
        return NULL;
    }
    void *library = dlopen(text, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        message("%s", dlerror());
    return library;
}

static const mmd_edit_plugin *entry_of(void *library, const char *path)
{
    const mmd_edit_plugin *plugin = dlsym(library, MMD_EDIT_PLUGIN_SYMBOL);
    if (!plugin)
        message("%s: it is no plug-in: it has no \"" MMD_EDIT_PLUGIN_SYMBOL "\"", path);
    else if (plugin->abi != MMD_EDIT_ABI)
        message("%s: it was made for version %u of the interface, and this is version %u", path, plugin->abi,
                (unsigned)MMD_EDIT_ABI);
    else if (plugin->name && plugin->attach)
        return plugin;
    else
        message("%s: it does not say its name, or has nothing to attach", path);
    return NULL;
}

static bool load(odori_plugins *p, const char *path, mmd_edit *edit)
{
    if (p->count == PLUGINS_MAX) {
        message("%s: more than %d plug-ins", path, (int)PLUGINS_MAX);
        return false;
    }
    void *library = open_library(path);
    const mmd_edit_plugin *plugin = library ? entry_of(library, path) : NULL;
    if (plugin && plugin->attach(edit)) {
        p->items[p->count++] = (loaded){library, plugin};
        return true;
    }
    if (plugin)
        message("%s: its handlers cannot be added%s%s", path, *mmd_edit_refusal(edit) ? ": " : "",
                mmd_edit_refusal(edit));
    if (library)
        dlclose(library);
    return false;
}

int plugins_use(odori_history *h, const text_list *paths)
{
    if (!paths->count)
        return EXIT_DONE;
    mmd_edit *edit = history_edit(h);
    odori_plugins *p = edit ? mmd_alloc(sizeof *p) : NULL;
    if (!p) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    *p = (odori_plugins){.count = 0};
    for (size_t i = 0; i < paths->count; i++)
        if (!load(p, paths->items[i], edit)) {
            mmd_edit_set_chain(edit, NULL, NULL, 0);
            plugins_close(p);
            return EXIT_INPUT;
        }
    h->plugins = p;
    return EXIT_DONE;
}
