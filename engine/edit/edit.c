/* The lifetime of an edit, its observers, its refusals, and its move to another stage. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/memory.h"

/* --------------------------------------------------------------------- life */

mmd_edit_options mmd_default_edit_options(void)
{
    return (mmd_edit_options){
        .paused = false, .redirect_ik = true, .history_steps = 1000, .history_bytes = (size_t)16 << 20};
}

mmd_edit *mmd_edit_create(mmd_stage *stage, const mmd_edit_options *options)
{
    mmd_edit *edit = mmd_alloc(sizeof *edit);
    if (!edit)
        return NULL;
    *edit = (mmd_edit){.stage = stage, .options = options ? *options : mmd_default_edit_options()};
    assert(edit->options.history_steps);
    if (edit_standard_chain(edit))
        return edit;
    mmd_free(edit);
    return NULL;
}

void mmd_edit_destroy(mmd_edit *edit)
{
    if (!edit)
        return;
    edit_finish_history(edit);
    edit_free_chain(edit->chain);
    edit_finish_nodes(edit);
    edit_finish_attachments(edit);
    mmd_free(edit->key_motions);
    mmd_free(edit->placements);
    mmd_free(edit->observers);
    mmd_free(edit->changed);
    mmd_free(edit);
}

void mmd_edit_set_options(mmd_edit *edit, const mmd_edit_options *options)
{
    assert(edit);
    assert(options->history_steps);
    edit->options = *options;
}

const mmd_edit_options *mmd_edit_get_options(const mmd_edit *edit)
{
    assert(edit);
    return &edit->options;
}

mmd_stage *mmd_edit_stage(const mmd_edit *edit)
{
    assert(edit);
    return edit->stage;
}

/* ---------------------------------------------------------------- observers */

/* Observers are notified once per change, with each changed item once. */

bool mmd_edit_observe(mmd_edit *edit, mmd_edit_observer *observer, void *context)
{
    assert(edit);
    edit_observer *grown = mmd_realloc(edit->observers, (edit->observer_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    edit->observers = grown;
    grown[edit->observer_count++] = (edit_observer){observer, context};
    return true;
}

void mmd_edit_unobserve(mmd_edit *edit, mmd_edit_observer *observer, void *context)
{
    assert(edit);
    for (size_t i = 0; i < edit->observer_count; i++)
        if (edit->observers[i].function == observer && edit->observers[i].context == context) {
            edit->observer_count--;
            memmove(edit->observers + i, edit->observers + i + 1,
                    (edit->observer_count - i) * sizeof *edit->observers);
            return;
        }
}

/* Defers notifications of observers until the matching edit_release. Calls nest. */
void edit_hold(mmd_edit *edit)
{
    assert(edit);
    edit->holding++;
}

void edit_release(mmd_edit *edit)
{
    assert(edit);
    if (--edit->holding || !edit->changed_count)
        return;
    size_t count = edit->changed_count;
    edit->changed_count = 0;
    edit->holding++; /* a write by an observer must not start another round */
    for (size_t i = 0; i < edit->observer_count; i++)
        edit->observers[i].function(edit->observers[i].context, edit, edit->changed, count);
    edit->holding--;
}

/* Adds an item to those that observers are notified of. Out of memory, an observer misses an item, but the
 * edit itself is done. */
void mmd_edit_changed(mmd_edit *edit, mmd_item item)
{
    assert(edit);
    bool is_posed = item.kind == MMD_ITEM_MODEL || item.kind == MMD_ITEM_BONE || item.kind == MMD_ITEM_BODY ||
                    item.kind == MMD_ITEM_JOINT || item.kind == MMD_ITEM_MORPH;
    edit->stale = edit->stale || is_posed;
    edit_hold(edit);
    bool is_new = edit->observer_count > 0;
    for (size_t i = 0; i < edit->changed_count; i++)
        is_new = is_new && !mmd_item_equal(edit->changed[i], item);
    if (is_new && edit->changed_count == edit->changed_room) {
        size_t room = edit->changed_room ? 2 * edit->changed_room : 16;
        mmd_item *grown = mmd_realloc(edit->changed, room * sizeof *grown);
        is_new = grown != NULL;
        edit->changed = grown ? grown : edit->changed;
        edit->changed_room = grown ? room : edit->changed_room;
    }
    if (is_new)
        edit->changed[edit->changed_count++] = item;
    edit_release(edit);
}

/* ----------------------------------------------------------------- refusals */

/* A refusal is stored as a text, its code, and what it is about, so that it can be given in another
 * language. */

/* Copies a text, cut to size at a whole UTF-8 character. NULL is copied as "". */
static void copy(char *out, size_t size, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
            length--;
    }
    if (length)
        memcpy(out, text, length);
    out[length] = '\0';
}

/* Copies a text, replacing {item}, {1} and {2}. At most size bytes are written, with a NUL at the end. */
static void write(const mmd_edit *edit, const char *text, const mmd_item_texts *texts, char *out, size_t size)
{
    size_t length = 0;
    while (*text && length + 1 < size) {
        bool is_name = text[0] == '{' && (text[1] == '1' || text[1] == '2') && text[2] == '}';
        if (is_name) {
            copy(out + length, size - length, edit->refusal_names[text[1] - '1']);
            length += strlen(out + length);
            text += 3;
        } else if (strncmp(text, "{item}", 6) == 0) {
            char described[512], cut[2 * REFUSAL_NAME_MAX];
            mmd_edit_describe(edit, edit->refusal_item, texts, described, sizeof described);
            copy(cut, sizeof cut, described);
            copy(out + length, size - length, cut);
            length += strlen(out + length);
            text += 6;
        } else {
            out[length++] = *text++;
        }
    }
    out[length] = '\0';
}

void mmd_edit_refuse(mmd_edit *edit, const char *format, ...)
{
    assert(edit);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(edit->refusal, sizeof edit->refusal, format, arguments);
    va_end(arguments);
    edit->refusal_code = MMD_REFUSAL_OWN;
}

void mmd_edit_refuse_as(mmd_edit *edit, mmd_refusal code, const char *first, const char *second)
{
    assert(edit);
    mmd_edit_refuse_item(edit, code, (mmd_item){0}, first, second);
}

void mmd_edit_refuse_item(mmd_edit *edit, mmd_refusal code, mmd_item item, const char *first,
                          const char *second)
{
    assert(edit);
#define CLAUSE(name, clause) clause,
    static const char *const clauses[MMD_REFUSAL_COUNT] = {MMD_REFUSALS(CLAUSE)};
#undef CLAUSE
    assert(code > MMD_REFUSAL_OWN && code < MMD_REFUSAL_COUNT);
    copy(edit->refusal_names[0], REFUSAL_NAME_MAX, first);
    copy(edit->refusal_names[1], REFUSAL_NAME_MAX, second);
    edit->refusal_item = item;
    write(edit, clauses[code], NULL, edit->refusal, sizeof edit->refusal);
    edit->refusal_code = code;
}

const char *mmd_edit_refusal(const mmd_edit *edit)
{
    assert(edit);
    return edit->refusal;
}

mmd_refusal mmd_edit_refusal_code(const mmd_edit *edit)
{
    assert(edit);
    return edit->refusal[0] ? edit->refusal_code : MMD_REFUSAL_NONE;
}

void mmd_edit_refusal_in(const mmd_edit *edit, const char *text, const mmd_item_texts *texts, char *out,
                         size_t size)
{
    assert(edit && text && out);
    assert(size);
    write(edit, text, texts, out, size);
}

/* ------------------------------------------------------------ another stage */

/*
 * Moving to another stage: all steps are undone, each command is told its new item, and the steps are done
 * again. Steps that were undone before stay undone.
 */

bool mmd_edit_map_item(const mmd_edit_map *map, mmd_item *item)
{
    assert(map && item);
    bool hangs_on_model = (item->kind >= MMD_ITEM_MODEL && item->kind <= MMD_ITEM_JOINT) ||
                          item->kind == MMD_ITEM_MORPH || item->kind == MMD_ITEM_SWITCHES;
    return !hangs_on_model || map->item(map->context, item);
}

/* Moves the commands of a step. Returns how many were lost. */
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

/* Moves all steps. *done: number of steps to do again, reduced by those that were lost. Returns how many
 * commands were lost. */
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
    edit_move_placements(edit, map);
    edit_move_attachments(edit, map);
    edit->changed_count = 0; /* these are items of the old stage */
    edit->stage = map->stage;
    edit->stale = false;
    if (map->undone)
        map->undone(map->context, edit);
    edit->remaps = true;
    size_t gone = remap_steps(edit, map, &done);
    edit->remaps = false;
    while (edit->steps_done < done && mmd_edit_redo(edit))
        ;
    edit_release(edit);
    return gone;
}
