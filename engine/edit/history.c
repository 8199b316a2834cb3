/*
 * Undo and redo. A step is a list of commands. The oldest steps are dropped when there are too many or they
 * use too much memory.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/memory.h"

void edit_drop_step(edit_step *step)
{
    assert(step);
    for (size_t i = 0; i < step->count; i++)
        mmd_command_destroy(step->commands[i]);
    mmd_free(step->commands);
    *step = (edit_step){0};
}

/* Drops the steps that could be redone. */
static void drop_undone(mmd_edit *edit)
{
    while (edit->step_count > edit->steps_done)
        edit_drop_step(&edit->steps[--edit->step_count]);
}

void mmd_edit_clear_history(mmd_edit *edit)
{
    assert(edit);
    edit->steps_done = 0;
    drop_undone(edit);
    edit_drop_step(&edit->open);
}

/* Drops the oldest steps. */
static void drop_oldest(mmd_edit *edit, size_t count)
{
    for (size_t i = 0; i < count; i++)
        edit_drop_step(&edit->steps[i]);
    edit->step_count -= count;
    edit->steps_done -= count < edit->steps_done ? count : edit->steps_done;
    if (count)
        memmove(edit->steps, edit->steps + count, edit->step_count * sizeof *edit->steps);
}

void mmd_edit_forget_steps(mmd_edit *edit, size_t count)
{
    assert(edit && count <= edit->steps_done);
    drop_oldest(edit, count);
}

void mmd_edit_visit_commands(const mmd_edit *edit,
                             void (*visit)(void *context, const mmd_edit_visited *command), void *context)
{
    assert(edit && visit);
    for (size_t i = 0; i < edit->step_count; i++)
        for (size_t k = 0; k < edit->steps[i].count; k++) {
            mmd_command *command = edit->steps[i].commands[k];
            const mmd_edit_visited visited = {edit_command_table(command), mmd_command_self(command), i,
                                              i < edit->steps_done};
            visit(context, &visited);
        }
}

void edit_finish_history(mmd_edit *edit)
{
    assert(edit);
    mmd_edit_clear_history(edit);
    mmd_free(edit->steps);
}

size_t mmd_edit_history_steps(const mmd_edit *edit)
{
    assert(edit);
    return edit->step_count;
}

size_t mmd_edit_history_bytes(const mmd_edit *edit)
{
    assert(edit);
    size_t bytes = 0;
    for (size_t i = 0; i < edit->step_count; i++)
        bytes += sizeof *edit->steps + edit->steps[i].bytes;
    return bytes;
}

/* Drops the oldest steps beyond the limits, but never the last one. */
static void shorten(mmd_edit *edit)
{
    size_t bytes = mmd_edit_history_bytes(edit), gone = 0;
    while (edit->step_count - gone > 1 &&
           (edit->step_count - gone > edit->options.history_steps || bytes > edit->options.history_bytes)) {
        bytes -= sizeof *edit->steps + edit->steps[gone].bytes;
        gone++;
    }
    drop_oldest(edit, gone);
}

/* Makes room for one more command of a step. Returns false when out of memory. */
static bool has_command_room(edit_step *step)
{
    if (step->count < step->room)
        return true;
    mmd_command **grown = mmd_realloc(step->commands, (step->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    step->commands = grown;
    step->room = step->count + 1;
    return true;
}

/* Appends a command to a step. Returns false when out of memory. */
static bool add_command(edit_step *step, mmd_command *command)
{
    if (!has_command_room(step))
        return false;
    step->commands[step->count++] = command;
    step->bytes += sizeof command + edit_command_bytes(command);
    return true;
}

/* Makes room for a step in advance, so that nothing can fail after its commands are collected. */
static bool has_step_room(mmd_edit *edit)
{
    if (edit->step_count < edit->step_room)
        return true;
    size_t room = edit->step_room ? 2 * edit->step_room : 16;
    edit_step *grown = mmd_realloc(edit->steps, room * sizeof *grown);
    if (!grown)
        return false;
    edit->steps = grown;
    edit->step_room = room;
    return true;
}

/* Moves the open step to the history, which drops the undone steps. */
static void finish_open(mmd_edit *edit)
{
    if (edit->open.count)
        drop_undone(edit);
    if (edit->open.count && has_step_room(edit)) {
        edit->steps[edit->step_count++] = edit->open;
        edit->steps_done = edit->step_count;
        edit->open = (edit_step){0};
        shorten(edit);
    }
    edit_drop_step(&edit->open);
}

bool mmd_edit_add(mmd_edit *edit, mmd_command *command)
{
    assert(edit && command);
    if (!edit_command_is_set(command)) {
        mmd_command_destroy(command);
        return true;
    }
    if (!has_step_room(edit) || !add_command(&edit->open, command)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
        mmd_command_undo(edit, command);
        mmd_command_destroy(command);
        return false;
    }
    if (!edit->depth) {
        snprintf(edit->open.label, sizeof edit->open.label, "%s", mmd_command_label(command));
        finish_open(edit);
    }
    return true;
}

/* Returns whether a command can be part of the last step. */
static bool can_join(const mmd_edit *edit)
{
    return !edit->depth && edit->steps_done && edit->steps_done == edit->step_count;
}

bool mmd_edit_add_to_last(mmd_edit *edit, mmd_command *command)
{
    assert(edit && command);
    if (!can_join(edit) || !edit_command_is_set(command))
        return mmd_edit_add(edit, command);
    if (!add_command(&edit->steps[edit->step_count - 1], command)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
        mmd_command_undo(edit, command);
        mmd_command_destroy(command);
        return false;
    }
    shorten(edit);
    return true;
}

/* Sets a command and adds it to the last step, or as one of its own. There is room for it before it is set,
 * so that it need not be undone without memory. */
static bool do_command(mmd_edit *edit, mmd_command *command, bool joins)
{
    if (!command)
        return false;
    joins = joins && can_join(edit);
    if (!has_step_room(edit) ||
        !has_command_room(joins ? &edit->steps[edit->step_count - 1] : &edit->open)) {
        mmd_edit_refuse_as(edit, MMD_REFUSAL_MEMORY, NULL, NULL);
        mmd_command_destroy(command);
        return false;
    }
    if (mmd_command_set(edit, command, NULL))
        return joins ? mmd_edit_add_to_last(edit, command) : mmd_edit_add(edit, command);
    mmd_command_destroy(command);
    return false;
}

bool mmd_edit_do(mmd_edit *edit, mmd_command *command)
{
    assert(edit);
    return do_command(edit, command, false);
}

bool mmd_edit_do_in_last(mmd_edit *edit, mmd_command *command)
{
    assert(edit);
    return do_command(edit, command, true);
}

bool mmd_edit_is_of_last_step(const mmd_edit *edit, const mmd_command *command)
{
    assert(edit);
    const edit_step *step = edit->steps_done ? &edit->steps[edit->steps_done - 1] : NULL;
    bool found = false;
    for (size_t i = 0; step && edit->steps_done == edit->step_count && !found && i < step->count; i++)
        found = step->commands[i] == command;
    return found;
}

void mmd_edit_begin(mmd_edit *edit, const char *label)
{
    assert(edit);
    edit_hold(edit);
    if (!edit->depth++)
        snprintf(edit->open.label, sizeof edit->open.label, "%s", label);
}

void mmd_edit_end(mmd_edit *edit)
{
    assert(edit->depth);
    if (!--edit->depth)
        finish_open(edit);
    edit_release(edit);
}

bool mmd_edit_undo(mmd_edit *edit)
{
    assert(edit);
    if (!edit->steps_done || edit->depth)
        return false;
    const edit_step *step = &edit->steps[--edit->steps_done];
    edit_hold(edit);
    for (size_t i = step->count; i-- > 0;)
        mmd_command_undo(edit, step->commands[i]);
    edit_release(edit);
    return true;
}

/* Does a step again. A command that is refused, because its item no longer exists, is skipped. If memory
 * is out, the step is undone again and false is returned. */
static bool redo_step(mmd_edit *edit, const edit_step *step)
{
    for (size_t i = 0; i < step->count; i++) {
        edit->refusal[0] = '\0';
        if (mmd_command_redo(edit, step->commands[i]) || mmd_edit_refusal_code(edit) != MMD_REFUSAL_MEMORY)
            continue;
        while (i-- > 0)
            mmd_command_undo(edit, step->commands[i]);
        return false;
    }
    return true;
}

bool mmd_edit_redo(mmd_edit *edit)
{
    assert(edit);
    if (edit->steps_done == edit->step_count || edit->depth)
        return false;
    edit_hold(edit);
    bool done = redo_step(edit, &edit->steps[edit->steps_done]);
    edit->steps_done += done;
    edit_release(edit);
    return done;
}

const char *mmd_edit_undo_label(const mmd_edit *edit)
{
    assert(edit);
    return edit->steps_done ? edit->steps[edit->steps_done - 1].label : NULL;
}

const char *mmd_edit_redo_label(const mmd_edit *edit)
{
    assert(edit);
    return edit->steps_done < edit->step_count ? edit->steps[edit->steps_done].label : NULL;
}
