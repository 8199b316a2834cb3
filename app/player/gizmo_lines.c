/* Tells what a drag did, in words: each item's values with all the digits that they have. */
#include "gizmo_lines.h"

#include <string.h>

#include "command/commands.h"
#include "gizmo_pick.h"
#include "base/message.h"

static void write_item(const odori_session *s, const char *command, mmd_item item, mmd_buffer *out)
{
    char path[COMMAND_LINE_MAX];
    if (gizmo_pick_path(s->history.edit, item, path, sizeof path) < sizeof path)
        mmd_write_format(out, "%s \"%s\"\n", command, path);
}

static void write_values(const odori_session *s, mmd_buffer *out)
{
    static const char *const commands[] = {
        [MMD_TRANSLATION] = "translate", [MMD_ROTATION] = "rotate", [MMD_SCALE] = "scale"};
    const gizmo_hold *hold = &s->selection.drag.hold;
    mmd_item named = {0};
    for (size_t i = 0; i < hold->count; i++) {
        const gizmo_grip *grip = &hold->grips[i];
        if (!grip->is_set)
            continue;
        if (!mmd_item_equal(grip->item, named))
            write_item(s, "edit.select", grip->item, out);
        named = grip->item;
        mmd_write_format(out, "edit.%s %.17g %.17g %.17g\n", commands[grip->component], grip->values[0],
                         grip->values[1], grip->values[2]);
    }
}

static bool is_all(const odori_selection *selection)
{
    const gizmo_hold *hold = &selection->drag.hold;
    for (size_t i = 0; i < hold->count; i++)
        if (selection->count != 1 || !mmd_item_equal(hold->grips[i].item, selection->items[0]))
            return false;
    return true;
}

void gizmo_lines_write(const odori_session *s, mmd_buffer *out)
{
    const odori_selection *selection = &s->selection;
    const gizmo_hold *hold = &selection->drag.hold;
    bool joins = hold->count > 1 && !s->history.joins;
    if (joins)
        mmd_write_format(out, "edit.join on\n");
    write_values(s, out);
    if (joins)
        mmd_write_format(out, "edit.join off\n");
    for (size_t i = 0; i < selection->count && !is_all(selection); i++)
        write_item(s, i ? "edit.add" : "edit.select", selection->items[i], out);
}

/* Logs the lines at info level, so that not every drag has a line on the terminal. */
static void tell(panel_log *messages, const char *line)
{
    panel_log_add(messages, line);
    mmd_log_message(&messages->behind, MMD_LOG_INFO, "%s", line);
}

void gizmo_lines_tell(odori_session *s)
{
    mmd_buffer lines = {0};
    gizmo_lines_write(s, &lines);
    if (s->record && !lines.failed)
        mmd_write_bytes(s->record, lines.data, lines.size);
    mmd_write_u8(&lines, '\0');
    for (char *line = (char *)lines.data; s->messages && !lines.failed && *line;) {
        char *stop = strchr(line, '\n');
        *stop = '\0';
        tell(s->messages, line);
        line = stop + 1;
    }
    mmd_buffer_finish(&lines);
}
