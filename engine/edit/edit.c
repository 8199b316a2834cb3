/* The life of an edit. */
#include <assert.h>
#include <string.h>

#include "edit_internal.h"
#include "mmd/memory.h"

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
    mmd_free(edit->places);
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
