/* The edit of a session, its steps of undo, and edits of bones, morphs and outside parents as parts of them.
 */
#include "history.h"

#include <string.h>

#include "mmd/memory.h"
#include "plugins.h"

void history_init(odori_history *h, odori_scene *s)
{
    *h = (odori_history){.scene = s};
}

void history_finish(odori_history *h)
{
    mmd_edit_destroy(h->edit);
    plugins_close(h->plugins);
    mmd_free(h->dragged);
    *h = (odori_history){0};
}

static odori_history *history_of(const mmd_edit *edit)
{
    return mmd_edit_get_options(edit)->user;
}

static void count_change(void *context, mmd_edit *edit, const mmd_item *items, size_t count)
{
    (void)context, (void)items, (void)count;
    odori_history *h = history_of(edit);
    if (h)
        h->changes++;
}

/* Passes the current address of the history to the edit, since it may have moved in memory. */
mmd_edit *history_edit(odori_history *h)
{
    if (!h->edit) {
        h->edit = mmd_edit_create(h->scene->stage, NULL);
        if (h->edit && !mmd_edit_observe(h->edit, count_change, NULL)) {
            mmd_edit_destroy(h->edit);
            h->edit = NULL;
        }
        if (h->edit)
            plugins_attach(h->plugins, h->edit);
    }
    if (!h->edit)
        return NULL;
    mmd_edit_options options = *mmd_edit_get_options(h->edit);
    options.user = h;
    mmd_edit_set_options(h->edit, &options);
    return h->edit;
}

void history_begin(odori_history *h)
{
    if (h->joins)
        return;
    h->continues = false;
    h->last = NULL;
    h->dragged_count = 0;
}

bool history_take(odori_history *h, mmd_command *made)
{
    if (!made)
        return false;
    h->last = NULL;
    bool taken = h->continues ? mmd_edit_do_in_last(h->edit, made) : mmd_edit_do(h->edit, made);
    h->continues |= taken;
    return taken;
}

const char *history_refusal(const odori_history *h)
{
    const char *why = h->edit ? mmd_edit_refusal(h->edit) : "";
    return *why ? why : "out of memory";
}

/* --- Edits --- */

/* Sets a bone or morph by hand: with the last command, if that belongs to the current step and to the same
 * item. */
static bool set_by_hand(odori_history *h, mmd_item item, const double *values)
{
    if (h->last && mmd_edit_is_of_last_step(h->edit, h->last) && mmd_item_equal(h->last_item, item))
        return mmd_command_set(h->edit, h->last, values);
    mmd_command *made = item.kind == MMD_ITEM_BONE ? mmd_edit_bone_command(h->edit, item, values)
                                                   : mmd_edit_morph_command(h->edit, item, (float)values[0]);
    if (!history_take(h, made))
        return false;
    h->last = made;
    h->last_item = item;
    return true;
}

/* Sets some of the numbers of a bone by hand, from an index on. */
static bool set_bone(odori_history *h, size_t model, uint32_t bone, size_t from, const float *numbers,
                     size_t count)
{
    const mmd_item item = {MMD_ITEM_BONE, (uint32_t)model, bone};
    double values[MMD_BONE_NUMBERS];
    mmd_edit *edit = history_edit(h);
    if (!edit)
        return false;
    mmd_edit_bone_values(edit, item, values);
    for (size_t k = 0; k < count; k++)
        values[from + k] = (double)numbers[k];
    return set_by_hand(h, item, values);
}

bool history_bone(odori_history *h, size_t model, uint32_t bone, const float translation[3],
                  const float rotation[4])
{
    float numbers[7];
    memcpy(numbers, translation, 3 * sizeof *numbers);
    memcpy(numbers + 3, rotation, 4 * sizeof *numbers);
    return set_bone(h, model, bone, 0, numbers, 7);
}

bool history_bone_scale(odori_history *h, size_t model, uint32_t bone, const float scale[3])
{
    return set_bone(h, model, bone, 7, scale, 3);
}

bool history_morph(odori_history *h, size_t model, uint32_t morph, float weight)
{
    const double value = (double)weight;
    return history_edit(h) && set_by_hand(h, (mmd_item){MMD_ITEM_MORPH, (uint32_t)model, morph}, &value);
}

/* Returns the item of a bone, or of a whole model. */
static mmd_item item_of(size_t model, int32_t bone)
{
    return bone < 0 ? (mmd_item){MMD_ITEM_MODEL, (uint32_t)model, 0}
                    : (mmd_item){MMD_ITEM_BONE, (uint32_t)model, (uint32_t)bone};
}

bool history_attach(odori_history *h, size_t model, int32_t bone, const history_parent *parent)
{
    const mmd_item to = parent->bone < 0 ? (mmd_item){0} : item_of(parent->model, parent->bone);
    return history_edit(h) && history_take(h, mmd_edit_attach_command(h->edit, item_of(model, bone), to));
}

bool history_has_attached(const odori_history *h, size_t model, int32_t bone)
{
    return h->edit && mmd_edit_is_attached_by_hand(h->edit, item_of(model, bone));
}

/* --- Another scene in the place of this one --- */

void history_remap(odori_history *h, odori_scene *to)
{
    h->scene = to;
    h->last = NULL;
    h->continues = false;
    h->dragged_count = 0;
}

void history_rewind(odori_history *h)
{
    while (history_undo(h))
        ;
    history_finish(h);
}

void history_moved(odori_history *h, odori_scene *scene)
{
    h->scene = scene;
    history_edit(h);
}

/* --- Steps --- */

bool history_undo(odori_history *h)
{
    h->last = NULL;
    h->continues = false;
    h->dragged_count = 0;
    return h->edit && mmd_edit_undo(history_edit(h));
}

bool history_redo(odori_history *h)
{
    h->last = NULL;
    h->continues = false;
    h->dragged_count = 0;
    return h->edit && mmd_edit_redo(history_edit(h));
}
