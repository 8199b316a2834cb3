/* Rows of keys, found in the motions that a scene plays. Finding is for when something else is selected or
 * played; in between a row only looks whether its track is where it was. */
#include "key_view.h"

#include <stdio.h>
#include <string.h>

#include "mmd/memory.h"
#include "session.h"

void key_view_finish(key_view *view)
{
    mmd_free(view->rows);
    *view = (key_view){0};
}

/* --- Where keys are --- */

static bool moves(const scene_motion *m, size_t model)
{
    return m->target >= 0 ? (size_t)m->target == model : m->moves_models;
}

/* What the model plays in the place of a motion of the scene, once its keys were edited. */
static const mmd_motion *played(const odori_scene *s, size_t model, int64_t source)
{
    for (size_t i = 0; i < s->keyed_count; i++)
        if (s->keyed[i].model == model && s->keyed[i].source == source)
            return s->keyed[i].motion;
    if (source < 0)
        return NULL;
    const scene_motion *m = &s->motions[source];
    return s->models[model].is_mirrored && m->mirrored ? m->mirrored : m->motion;
}

static bool has_track(const mmd_motion *motion, key_row_kind kind, const uint8_t name[15])
{
    return motion && (kind == KEY_ROW_MORPH ? mmd_motion_find_morph(motion, name) != NULL
                                            : mmd_motion_find_bone(motion, name) != NULL);
}

/* Of the motions that move the model the last one with keys of it: it is the one that counts. A motion of the
 * model's own (-1) comes last. */
static const mmd_motion *motion_of(const odori_scene *s, const key_row *row, const uint8_t name[15])
{
    for (int64_t i = (int64_t)s->motion_count; i-- > -1;) {
        bool is_there = i < 0 || moves(&s->motions[i], row->model);
        const mmd_motion *motion = is_there ? played(s, row->model, i) : NULL;
        if (has_track(motion, row->kind, name))
            return motion;
    }
    return NULL;
}

static const uint8_t *key_name(const odori_scene *s, const key_row *row)
{
    const mmd_model *model = s->models[row->model].model;
    return row->kind == KEY_ROW_MORPH ? model->morph_key[row->index] : model->bone_key[row->index];
}

/* --- Keys of a row, as they are now --- */

static void take_bone_track(key_row *row, const uint8_t name[15])
{
    const mmd_motion *m = row->motion;
    const mmd_bone_track *track = row->track < m->bone_track_count ? &m->bone_tracks[row->track] : NULL;
    if (!track || memcmp(track->name, name, sizeof track->name) != 0)
        track = mmd_motion_find_bone(m, name);
    row->track = track ? (uint32_t)(track - m->bone_tracks) : 0;
    row->count = track ? track->count : 0;
    row->frames = track ? track->frames : NULL;
    row->bones = track ? track->keys : NULL;
}

static void take_morph_track(key_row *row, const uint8_t name[15])
{
    const mmd_motion *m = row->motion;
    const mmd_morph_track *track = row->track < m->morph_track_count ? &m->morph_tracks[row->track] : NULL;
    if (!track || memcmp(track->name, name, sizeof track->name) != 0)
        track = mmd_motion_find_morph(m, name);
    row->track = track ? (uint32_t)(track - m->morph_tracks) : 0;
    row->count = track ? track->count : 0;
    row->frames = track ? track->frames : NULL;
    row->weights = track ? track->weights : NULL;
}

static void take_keys(const odori_scene *s, key_row *row)
{
    const mmd_motion *m = row->motion;
    row->count = 0;
    row->stride = sizeof(uint32_t);
    if (!m)
        return;
    switch (row->kind) {
    case KEY_ROW_BONE:
        take_bone_track(row, key_name(s, row));
        break;
    case KEY_ROW_MORPH:
        take_morph_track(row, key_name(s, row));
        break;
    case KEY_ROW_CAMERA:
        row->cameras = m->camera_keys;
        row->count = m->camera_key_count;
        row->stride = sizeof *m->camera_keys;
        row->frames = row->count ? &m->camera_keys[0].frame : NULL;
        break;
    case KEY_ROW_LIGHT:
        row->lights = m->light_keys;
        row->count = m->light_key_count;
        row->stride = sizeof *m->light_keys;
        row->frames = row->count ? &m->light_keys[0].frame : NULL;
        break;
    }
}

/* --- Which rows there are --- */

typedef struct gathering {
    key_view *view;
    const odori_session *session;
    const mmd_motion *camera, *light;
} gathering;

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

/* A bone or a morph; unless wanted without keys, too, only where it has some. */
static bool add_part(const gathering *g, key_row_kind kind, size_t model, uint32_t index, bool always)
{
    const odori_scene *s = g->session->scene;
    const mmd_model *m = s->models[model].model;
    key_row row = {.kind = kind, .model = (uint32_t)model, .index = index};
    row.name = kind == KEY_ROW_MORPH ? m->morphs[index].name : m->bones[index].name;
    row.name_en = kind == KEY_ROW_MORPH ? m->morphs[index].name_en : m->bones[index].name_en;
    row.motion = motion_of(s, &row, key_name(s, &row));
    return (!row.motion && !always) || add_row(g, &row);
}

static bool add_light_or_camera(const gathering *g, key_row_kind kind, bool always)
{
    key_row row = {.kind = kind, .motion = kind == KEY_ROW_CAMERA ? g->camera : g->light};
    return (!row.motion && !always) || add_row(g, &row);
}

static bool add_item(const gathering *g, mmd_item item)
{
    if (item.kind == MMD_ITEM_BONE)
        return add_part(g, KEY_ROW_BONE, item.model, item.index, true);
    if (item.kind == MMD_ITEM_CAMERA || item.kind == MMD_ITEM_LIGHT)
        return add_light_or_camera(g, item.kind == MMD_ITEM_CAMERA ? KEY_ROW_CAMERA : KEY_ROW_LIGHT, true);
    return true;
}

static bool add_parts_with_keys(const gathering *g, key_row_kind kind)
{
    const odori_session *s = g->session;
    if (s->selected >= s->scene->model_count)
        return true;
    const mmd_model *model = s->scene->models[s->selected].model;
    uint32_t count = kind == KEY_ROW_MORPH ? model->morph_count : model->bone_count;
    for (uint32_t i = 0; i < count; i++)
        if (!add_part(g, kind, s->selected, i, false))
            return false;
    return true;
}

static bool add_all_rows(const gathering *g)
{
    const odori_selection *selection = &g->session->selection;
    bool fine = true;
    for (size_t i = 0; fine && i < selection->count; i++)
        fine = add_item(g, selection->items[i]);
    g->view->selected = g->view->count > 0;
    if (fine && !g->view->selected)
        fine = add_light_or_camera(g, KEY_ROW_CAMERA, false) &&
               add_light_or_camera(g, KEY_ROW_LIGHT, false) && add_parts_with_keys(g, KEY_ROW_BONE);
    uint32_t others = g->view->count;
    fine = fine && add_parts_with_keys(g, KEY_ROW_MORPH);
    g->view->morphs = g->view->count - others;
    return fine;
}

/* --- What would make other rows --- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 1099511628211u;
}

static uint64_t hash_of(const gathering *g)
{
    const odori_session *s = g->session;
    const odori_scene *scene = s->scene;
    uint64_t hash = mix(14695981039346656037u, s->selected);
    hash = mix(mix(hash, (uintptr_t)g->camera), (uintptr_t)g->light);
    for (size_t i = 0; i < s->selection.count; i++) {
        mmd_item item = s->selection.items[i];
        hash = mix(mix(mix(hash, item.kind), item.model), item.index);
    }
    for (size_t i = 0; i < scene->model_count; i++)
        hash = mix(hash, (uintptr_t)scene->models[i].model);
    for (size_t i = 0; i < scene->motion_count; i++)
        hash = mix(hash, (uintptr_t)scene->motions[i].motion);
    for (size_t i = 0; i < scene->keyed_count; i++) {
        const mmd_motion *m = scene->keyed[i].motion;
        hash = mix(mix(mix(hash, (uintptr_t)m), m->bone_track_count), m->morph_track_count);
    }
    return hash | 1;
}

bool key_view_gather(key_view *view, const odori_session *s, const mmd_motion *camera,
                     const mmd_motion *light)
{
    gathering g = {.view = view, .session = s, .camera = camera, .light = light};
    uint64_t of = hash_of(&g);
    view->keying = s->history.edit && mmd_edit_is_keying(s->history.edit);
    if (view->of != of) {
        view->count = view->morphs = 0;
        view->of = add_all_rows(&g) ? of : 0;
        if (!view->of)
            view->count = view->morphs = 0;
    }
    for (uint32_t i = 0; i < view->count; i++)
        take_keys(s->scene, &view->rows[i]);
    return view->of != 0;
}

/* --- Keys of a row --- */

uint32_t key_row_from(const key_row *row, uint32_t frame)
{
    uint32_t low = 0, high = row->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (key_row_frame(row, middle) < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t key_row_at(const key_row *row, uint32_t frame)
{
    uint32_t key = key_row_from(row, frame);
    if (key == row->count || key_row_frame(row, key) != frame)
        return row->count;
    while (key + 1 < row->count && key_row_frame(row, key + 1) == frame)
        key++;
    return key;
}

uint32_t key_row_channels(const key_row *row)
{
    return row->kind == KEY_ROW_BONE     ? MMD_CHANNEL_ROTATION + 1
           : row->kind == KEY_ROW_CAMERA ? MMD_CAMERA_CHANNELS
                                         : 0;
}

mmd_curve key_row_curve(const key_row *row, uint32_t key, uint32_t channel)
{
    return row->kind == KEY_ROW_BONE ? row->bones[key].curve[channel] : row->cameras[key].curve[channel];
}

void key_row_path(const key_row *row, char path[KEY_PATH_MAX])
{
    switch (row->kind) {
    case KEY_ROW_BONE:
        snprintf(path, KEY_PATH_MAX, "/models/#%u/bones/#%u", row->model, row->index);
        break;
    case KEY_ROW_MORPH:
        snprintf(path, KEY_PATH_MAX, "/models/#%u/morphs/#%u", row->model, row->index);
        break;
    case KEY_ROW_CAMERA:
        snprintf(path, KEY_PATH_MAX, "/camera");
        break;
    case KEY_ROW_LIGHT:
        snprintf(path, KEY_PATH_MAX, "/light");
        break;
    }
}
