/* Collects the rows of the keyframe editor from the selection and the motions of the scene. The rows are
 * rebuilt only when a hash of selection, models and motions changes; their keyframes are looked up again for
 * every frame. */
#include "key_view.h"

#include <math.h>

#include "edit/key_edit.h"
#include "edit/key_rest.h"
#include "scene/edited_motion.h"
#include "mmd/memory.h"
#include "edit/session.h"

void key_view_finish(key_view *view)
{
    mmd_free(view->rows);
    *view = (key_view){0};
}

typedef struct gathering {
    key_view *view;               /* that rows are appended to */
    const odori_session *session; /* that they are read from */
} gathering;

static key_row_kind kind_of(mmd_item item)
{
    return item.kind == MMD_ITEM_BONE       ? KEY_ROW_BONE
           : item.kind == MMD_ITEM_MORPH    ? KEY_ROW_MORPH
           : item.kind == MMD_ITEM_LIGHT    ? KEY_ROW_LIGHT
           : item.kind == MMD_ITEM_SHADOW   ? KEY_ROW_SHADOW
           : item.kind == MMD_ITEM_SWITCHES ? KEY_ROW_SWITCHES
                                            : KEY_ROW_CAMERA;
}

/* Appends a row. Returns false when out of memory. */
static bool add_row(const gathering *g, const key_row *row)
{
    key_view *v = g->view;
    if (v->count == v->room) {
        uint32_t room = v->room ? 2 * v->room : 32;
        key_row *grown = mmd_realloc(v->rows, room * sizeof *grown);
        if (!grown)
            return false;
        v->rows = grown;
        v->room = room;
    }
    v->rows[v->count++] = *row;
    return true;
}

/* Sets the names of a row from the bone or morph of its model. */
static void name_row(const odori_scene *s, key_row *row)
{
    const mmd_model *m = s->models[row->model].model;
    bool morph = row->kind == KEY_ROW_MORPH;
    row->name = morph ? m->morphs[row->index].name : m->bones[row->index].name;
    row->name_en = morph ? m->morphs[row->index].name_en : m->bones[row->index].name_en;
}

/* Appends the row of an item if a motion has keyframes of it, or if `always` is set. Returns false when out
 * of memory. */
static bool add_item(const gathering *g, mmd_item item, bool always)
{
    mmd_key_row place;
    const odori_scene *s = g->session->scene;
    key_row row = {.kind = kind_of(item), .model = item.model, .index = item.index};
    row.motion = edited_motion_of(s, item, &place);
    if (row.kind == KEY_ROW_BONE || row.kind == KEY_ROW_MORPH)
        name_row(s, &row);
    return (!row.motion && !always) || add_row(g, &row);
}

/* Appends a row for each selected item that can have keyframes, with or without some. */
static bool add_selected(const gathering *g)
{
    const odori_session *s = g->session;
    for (size_t i = 0; i < s->selection.count; i++) {
        mmd_item item = s->selection.items[i];
        if (key_edit_has_keys(item) && !add_item(g, item, true))
            return false;
    }
    return true;
}

/* Appends the rows of all bones or morphs of the selected model that have keyframes. Selected items are
 * skipped: they have their rows already. */
static bool add_parts(const gathering *g, mmd_item_kind kind)
{
    const odori_session *s = g->session;
    if (s->selected >= s->scene->model_count)
        return true;
    const mmd_model *model = s->scene->models[s->selected].model;
    uint32_t count = kind == MMD_ITEM_MORPH ? model->morph_count : model->bone_count;
    for (uint32_t i = 0; i < count; i++) {
        const mmd_item item = {.kind = kind, .model = (uint32_t)s->selected, .index = i};
        if (!selection_has(&s->selection, item) && !add_item(g, item, false))
            return false;
    }
    return true;
}

/* Appends the rows of the camera, the light, self-shadow and of the switches (visibility, IK) of the selected
 * model, as far as they have keyframes. */
static bool add_singles(const gathering *g)
{
    const odori_session *s = g->session;
    const mmd_item switches = {.kind = MMD_ITEM_SWITCHES, .model = (uint32_t)s->selected};
    return add_item(g, (mmd_item){.kind = MMD_ITEM_CAMERA}, false) &&
           add_item(g, (mmd_item){.kind = MMD_ITEM_LIGHT}, false) &&
           add_item(g, (mmd_item){.kind = MMD_ITEM_SHADOW}, false) &&
           (s->selected >= s->scene->model_count || add_item(g, switches, false));
}

/* Builds the rows: those of the selection, or all that have keyframes when nothing is selected, and the
 * morphs last.
 */
static bool add_all_rows(const gathering *g)
{
    key_view *v = g->view;
    bool fine = add_selected(g);
    v->selected = v->count > 0;
    if (fine && !v->selected)
        fine = add_singles(g) && add_parts(g, MMD_ITEM_BONE);
    uint32_t others = v->count;
    fine = fine && add_parts(g, MMD_ITEM_MORPH);
    v->morphs = v->count - others;
    return fine;
}

/* Mixes a value into a hash (FNV-1a on 64-bit words). */
static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 1099511628211u;
}

/* Computes a hash of everything that determines which rows there are and which motions they point into. It is
 * never 0, which stands for "no rows yet". */
static uint64_t hash_of(const odori_session *s)
{
    const odori_scene *scene = s->scene;
    uint64_t hash = mix(14695981039346656037u, s->selected);
    hash = mix(hash, (uintptr_t)edited_motion_of_stage(scene, MMD_KEY_CAMERA));
    hash = mix(hash, (uintptr_t)edited_motion_of_stage(scene, MMD_KEY_LIGHT));
    hash = mix(hash, (uintptr_t)edited_motion_of_stage(scene, MMD_KEY_SELF_SHADOW));
    for (size_t i = 0; i < s->selection.count; i++) {
        mmd_item item = s->selection.items[i];
        hash = mix(mix(mix(hash, item.kind), item.model), item.index);
    }
    for (size_t i = 0; i < scene->model_count; i++)
        hash = mix(hash, (uintptr_t)scene->models[i].model);
    for (size_t i = 0; i < scene->motion_count; i++)
        hash = mix(hash, (uintptr_t)scene->motions[i].motion);
    for (size_t i = 0; i < scene->edited_count; i++) {
        const mmd_motion *m = scene->edited[i].motion;
        hash = mix(mix(mix(hash, (uintptr_t)m), m->bone_track_count), m->morph_track_count);
        hash = mix(hash, m->property_key_count > 0);
    }
    return hash | 1;
}

/* Looks up the keyframes of a row in its motion again. */
static void update(const odori_scene *s, key_row *row)
{
    const mmd_model *model = s->model_count ? s->models[row->model].model : NULL;
    if (row->kind == KEY_ROW_BONE || row->kind == KEY_ROW_MORPH || row->kind == KEY_ROW_SWITCHES)
        row->delay = llround(mmd_actor_delay(s->models[row->model].actor));
    key_row_update(row, row->kind == KEY_ROW_BONE    ? model->bone_key[row->index]
                        : row->kind == KEY_ROW_MORPH ? model->morph_key[row->index]
                                                     : NULL);
}

/* Counts the rows whose first keyframe holds from frame 0, where MMD starts at rest. */
static void count_late(key_view *view, size_t model)
{
    view->late = 0;
    for (uint32_t i = 0; i < view->count; i++) {
        const key_row *row = &view->rows[i];
        if (row->model != model || !key_rest_is_late(row))
            continue;
        if (!view->late++ || row->frames[0] < view->late_from)
            view->late_from = row->frames[0];
    }
}

bool key_view_gather(key_view *view, const odori_session *s)
{
    const gathering g = {.view = view, .session = s};
    uint64_t hash = hash_of(s);
    view->keying = s->history.edit && mmd_edit_is_keying(s->history.edit);
    if (view->source_hash != hash) {
        view->count = view->morphs = 0;
        view->source_hash = add_all_rows(&g) ? hash : 0;
        if (!view->source_hash)
            view->count = view->morphs = 0;
    }
    for (uint32_t i = 0; i < view->count; i++)
        update(s->scene, &view->rows[i]);
    count_late(view, s->selected);
    return view->source_hash != 0;
}
