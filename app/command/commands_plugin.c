/* Commands for plug-ins: handlers of edits that come and go while the program runs. */
#include <stdio.h>

#include "commands_internal.h"
#include "base/emit.h"
#include "base/message.h"
#include "edit/plugins.h"

static bool plugin_load(odori_session *s, const command_arguments *a, char *error)
{
    if (!plugins_load(&s->history, a->word[0], error))
        return false;
    const odori_plugins *p = s->history.plugins;
    if (s->messages)
        panel_log_tell(s->messages, "%s: edits go by it", plugins_tell(p, plugins_count(p) - 1).name);
    s->changed = true;
    return true;
}

static bool plugin_unload(odori_session *s, const command_arguments *a, char *error)
{
    if (!plugins_unload(&s->history, a->word[0], error))
        return false;
    if (s->messages)
        panel_log_tell(s->messages, "%s: edits do not go by it any more; what it did can still be undone",
                       a->word[0]);
    s->changed = true;
    return true;
}

static void tell_chain(const mmd_edit *edit)
{
    emitter e = {.out = stdout};
    const char *name;
    emit_open(&e, '{');
    emit_key(&e, "chain");
    emit_open(&e, '[');
    for (size_t i = 0; (name = mmd_edit_handler_name(edit, i)) != NULL; i++)
        emit_text(&e, name);
    emit_close(&e, ']');
    emit_close(&e, '}');
    putchar('\n');
}

static bool plugin_list(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    const mmd_edit *edit = history_edit(&s->history);
    if (!edit)
        return refuse_with(error, "out of memory");
    for (size_t i = 0; i < plugins_count(s->history.plugins); i++) {
        emitter e = {.out = stdout};
        const plugin_told told = plugins_tell(s->history.plugins, i);
        emit_open(&e, '{');
        emit_member_text(&e, "plugin", told.name);
        emit_member_text(&e, "file", told.path);
        emit_member_text(&e, "hash", told.hash.text);
        emit_close(&e, '}');
        putchar('\n');
    }
    tell_chain(edit);
    fflush(stdout);
    return true;
}

static const command commands[] = {
    {"plugin.load", "w", "FILE.so", "edits go by its handlers from here on, before those there are",
     plugin_load},
    {"plugin.unload", "w", "NAME", "not any more; what was edited by them can still be undone",
     plugin_unload},
    {"plugin.list", "", "",
     "tells which there are, and all handlers in their order, as lines of JSON on stdout", plugin_list},
};

const command_group commands_of_plugin = {commands, sizeof commands / sizeof *commands};
