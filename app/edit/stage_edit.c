/* The edit that places a model. */
#include "stage_edit.h"

#include <string.h>

#include "base/parse.h"
#include "mmd/actor.h"

static bool is_there(const mmd_staging *now, const mmd_staging *wanted, mmd_component component)
{
    switch (component) {
    case MMD_TRANSLATION:
        return memcmp(now->position, wanted->position, sizeof now->position) == 0;
    case MMD_ROTATION:
        return memcmp(now->rotation, wanted->rotation, sizeof now->rotation) == 0;
    default:
        return memcmp(&now->scale, &wanted->scale, sizeof now->scale) == 0;
    }
}

/* Edits one component. Returns false if refused. */
static bool perform(odori_session *s, mmd_edit *edit, mmd_item item, mmd_component component,
                    const double values[3])
{
    static const mmd_edit_hint hints[] = {MMD_HINT_TRANSLATE, MMD_HINT_ROTATE, MMD_HINT_SCALE};
    mmd_transform3d *object = mmd_edit_edit_transform3d(edit, item, hints[component]);
    mmd_command *made = object ? mmd_transform3d_command(edit, object, component, values) : NULL;
    mmd_transform3d_destroy(object);
    return history_take(&s->history, made);
}

void stage_edit_place_model(odori_session *s, size_t model, const double placement[7])
{
    const mmd_item item = {.kind = MMD_ITEM_MODEL, .model = (uint32_t)model};
    double values[3][3];
    mmd_staging wanted = *mmd_stage_staging(s->scene->stage, model);
    mmd_edit *edit = history_edit(&s->history);
    for (int k = 0; k < 3; k++) {
        values[MMD_TRANSLATION][k] = placement[k];
        values[MMD_ROTATION][k] = placement[3 + k];
        values[MMD_SCALE][k] = placement[6];
        wanted.position[k] = (float)placement[k];
        wanted.rotation[k] = (float)(placement[3 + k] * DEGREE);
    }
    wanted.scale = (float)placement[6];
    history_begin(&s->history);
    bool all = edit != NULL;
    for (mmd_component c = MMD_TRANSLATION; c <= MMD_SCALE && all; c++)
        all = is_there(mmd_stage_staging(s->scene->stage, model), &wanted, c) ||
              perform(s, edit, item, c, values[c]);
    if (!all)
        mmd_stage_set_staging(s->scene->stage, model, &wanted);
    session_touch(s);
    session_go(s, s->frame);
}
