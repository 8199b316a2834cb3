/*
 * An edit whose stage is another one: all is undone, each command told of the
 * new items, and done again. What was undone before stays undone.
 */
#include <assert.h>

#include "edit_internal.h"

bool mmd_edit_map_item(const mmd_edit_map *map, mmd_item *item)
{
    assert(map && item);
    bool hangs_on_model = (item->kind >= MMD_ITEM_MODEL && item->kind <= MMD_ITEM_JOINT) ||
                          item->kind == MMD_ITEM_MORPH || item->kind == MMD_ITEM_SWITCHES;
    return !hangs_on_model || map->item(map->context, item);
}

/* Returns how many of its commands are gone. */
static size_t remap_step(mmd_edit *edit, edit_step *step, const mmd_edit_map *map)
{
    size_t count = step->count, kept = 0;
    step->bytes = 0;
    for (size_t i = 0; i < count; i++) {
        mmd_command *command = step->commands[i];
        if (mmd_command_remap(edit, command, map)) {
            step->commands[kept++] = command;
            step->bytes += sizeof command + edit_command_bytes(command);
        } else {
            mmd_command_destroy(command);
        }
    }
    step->count = kept;
    return count - kept;
}

/* Those of the first `done` steps that are left are to be done again. */
static size_t remap_steps(mmd_edit *edit, const mmd_edit_map *map, size_t *done)
{
    size_t kept = 0, kept_done = 0, gone = 0;
    for (size_t i = 0; i < edit->step_count; i++) {
        gone += remap_step(edit, &edit->steps[i], map);
        if (!edit->steps[i].count) {
            edit_drop_step(&edit->steps[i]);
            continue;
        }
        kept_done += i < *done;
        edit->steps[kept++] = edit->steps[i];
    }
    edit->step_count = kept;
    *done = kept_done;
    return gone;
}

size_t mmd_edit_move(mmd_edit *edit, const mmd_edit_map *map)
{
    size_t done = edit->steps_done;
    assert(!edit->depth && edit->stage && map->stage && map->item);
    edit_hold(edit);
    while (mmd_edit_undo(edit))
        ;
    edit_move_places(edit, map);
    edit->changed_count = 0; /* items of the other stage */
    edit->stage = map->stage;
    edit->stale = false;
    if (map->undone)
        map->undone(map->context, edit);
    size_t gone = remap_steps(edit, map, &done);
    while (edit->steps_done < done && mmd_edit_redo(edit))
        ;
    edit_release(edit);
    return gone;
}
