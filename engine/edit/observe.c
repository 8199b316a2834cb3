/* Who wants to know what changed: told once a change, each item once. */
#include <assert.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/memory.h"

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
    edit->holding++; /* an observer that writes all the same starts no second round */
    for (size_t i = 0; i < edit->observer_count; i++)
        edit->observers[i].function(edit->observers[i].context, edit, edit->changed, count);
    edit->holding--;
}

/* Out of memory, an observer misses an item; the edit itself is done. */
void mmd_edit_changed(mmd_edit *edit, mmd_item item)
{
    assert(edit);
    bool is_posed = item.kind == MMD_ITEM_MODEL || item.kind == MMD_ITEM_BONE || item.kind == MMD_ITEM_BODY ||
                    item.kind == MMD_ITEM_JOINT;
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
