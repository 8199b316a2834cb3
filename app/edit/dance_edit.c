#include "dance_edit.h"

#include <string.h>

#include "mmd/assemble.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "mmd/source.h"
#include "remap.h"
#include "scene/edited_motion.h"
#include "scene/fade.h"

/* --- The step of undo --- */

/* A change of a motion: of its weight for one model, or of whether its camera and light are used. */
typedef struct change {
    size_t motion; /* index in the scene */
    size_t model;  /* SIZE_MAX: camera and light */
    float before, after;
} change;

/* State of a command that makes changes. */
typedef struct switching {
    change *changes;
    size_t count;
} switching;

static odori_scene *scene_of(const mmd_edit *edit)
{
    const odori_history *h = mmd_edit_get_options(edit)->user;
    return h->scene;
}

/* Returns the weight of one of the scene's motions for a model; 0 if it does not move it. */
static float weight_of(const odori_scene *s, size_t motion, size_t model)
{
    size_t slot, count;
    const mmd_actor_motion *motions = mmd_actor_motions(s->models[model].actor, &count);
    return fade_find_source(s, model, motion, &slot) ? motions[slot].weight : 0;
}

static void put(odori_scene *s, const change *c, float value)
{
    size_t slot;
    if (c->motion >= s->motion_count)
        return;
    mmd_stage_settle(s->stage);
    if (c->model == SIZE_MAX)
        edited_motion_use_on_stage(s, c->motion, value > 0);
    else if (fade_find_source(s, c->model, c->motion, &slot))
        mmd_actor_set_weight(s->models[c->model].actor, slot, value, NULL);
}

static bool redo(void *self, mmd_edit *edit)
{
    const switching *w = self;
    for (size_t i = 0; i < w->count; i++)
        put(scene_of(edit), &w->changes[i], w->changes[i].after);
    mmd_edit_changed(edit, (mmd_item){.kind = MMD_ITEM_STAGE});
    return true;
}

static bool set(void *self, mmd_edit *edit, const double *values)
{
    (void)values;
    return redo(self, edit);
}

/* Reverts the changes, and keeps what was changed by hand since for redo. */
static void undo(void *self, mmd_edit *edit)
{
    const switching *w = self;
    odori_scene *s = scene_of(edit);
    for (size_t i = 0; i < w->count; i++) {
        change *c = &w->changes[i];
        if (c->motion < s->motion_count)
            c->after =
                c->model == SIZE_MAX ? !s->motions[c->motion].is_ended : weight_of(s, c->motion, c->model);
        put(s, c, c->before);
    }
    mmd_edit_changed(edit, (mmd_item){.kind = MMD_ITEM_STAGE});
}

static void destroy(void *self)
{
    const switching *w = self;
    mmd_free(w->changes);
}

static size_t bytes_of(const void *self)
{
    const switching *w = self;
    return w->count * sizeof *w->changes;
}

/* Moves the changes to another scene, without those of motions and models that it lacks. */
static bool remap(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    switching *w = self;
    size_t kept = 0;
    (void)edit;
    for (size_t i = 0; i < w->count; i++) {
        change c = w->changes[i];
        int64_t motion = remap_source(map->context, (int64_t)c.motion);
        if (motion < 0 || (c.model != SIZE_MAX && !remap_model(map->context, &c.model)))
            continue;
        c.motion = (size_t)motion;
        w->changes[kept++] = c;
    }
    w->count = kept;
    return kept > 0;
}

static const mmd_command_table table = {.label = "open dance",
                                        .set = set,
                                        .undo = undo,
                                        .redo = redo,
                                        .destroy = destroy,
                                        .bytes = bytes_of,
                                        .remap = remap};

/* --- Which motions end --- */

/* Tests whether a model dances one of some motions of the scene. */
static bool dances_any(const odori_scene *s, size_t model, size_t from)
{
    for (size_t i = from; i < s->motion_count; i++)
        if (mmd_motion_is_dance(s->motions[i].motion) && weight_of(s, i, model) > 0)
            return true;
    return false;
}

/* Tests whether a motion is a dance that the opened ones take the place of for a model. */
static bool ends_for(const odori_scene *s, size_t motion, size_t model, size_t from)
{
    return scene_is_present(s, model) && mmd_motion_is_dance(s->motions[motion].motion) &&
           weight_of(s, motion, model) > 0 && dances_any(s, model, from);
}

/* Tests whether a motion is a dance that somebody danced and that nobody dances any more. */
static bool ends_for_all(const odori_scene *s, size_t motion, size_t from)
{
    bool ends = false;
    for (size_t i = 0; i < s->model_count; i++) {
        bool ends_here = ends_for(s, motion, i, from);
        if (!ends_here && scene_is_present(s, i) && weight_of(s, motion, i) > 0)
            return false;
        ends |= ends_here;
    }
    return ends;
}

/* Tests whether two files came together: in one archive, or in one folder. */
static bool came_together(const char *one, const char *other)
{
    char a[MMD_FILE_PATH_MAX], b[MMD_FILE_PATH_MAX];
    bool in_archive = mmd_locate_archive(one, a);
    if (in_archive != mmd_locate_archive(other, b))
        return false;
    size_t folder = (size_t)(mmd_path_name(one) - one);
    return in_archive ? strcmp(a, b) == 0
                      : folder == (size_t)(mmd_path_name(other) - other) && memcmp(one, other, folder) == 0;
}

/* Tests whether the camera of a motion came with a dance that ends, and not with what was opened. */
static bool camera_ends(const odori_scene *s, size_t camera, size_t from)
{
    const scene_motion *m = &s->motions[camera];
    if (m->is_ended || !mmd_motion_is_for_stage(m->motion))
        return false;
    bool is_kept = false, ends = false;
    for (size_t i = from; i < s->motion_count; i++)
        is_kept |= came_together(m->path, s->motions[i].path);
    for (size_t i = 0; i < from && !ends; i++)
        ends = (i == camera || (!is_kept && came_together(m->path, s->motions[i].path))) &&
               ends_for_all(s, i, from);
    return ends;
}

/* Lists the changes, and returns how many there are. */
static size_t list_changes(const odori_scene *s, size_t from, change *out, dance_ending *ended)
{
    size_t count = 0;
    for (size_t i = 0; i < from; i++) {
        bool ends = false;
        for (size_t k = 0; k < s->model_count; k++)
            if (ends_for(s, i, k, from)) {
                out[count++] = (change){i, k, weight_of(s, i, k), 0};
                ends = true;
            }
        if (ends && ended->count++ == 0)
            ended->path = s->motions[i].path;
        if (camera_ends(s, i, from)) {
            out[count++] = (change){i, SIZE_MAX, 1, 0};
            ended->has_camera |= s->motions[i].motion->camera_key_count > 0;
        }
    }
    for (size_t i = from; i < s->motion_count && count; i++) { /* undo takes back what was opened */
        for (size_t k = 0; k < s->model_count; k++)
            if (weight_of(s, i, k) > 0)
                out[count++] = (change){i, k, 0, weight_of(s, i, k)};
        if (mmd_motion_is_for_stage(s->motions[i].motion))
            out[count++] = (change){i, SIZE_MAX, 0, 1};
    }
    return count;
}

bool dance_edit_end_older(odori_session *s, size_t from, dance_ending *ended)
{
    const odori_scene *scene = s->scene;
    change *changes = mmd_alloc((scene->motion_count * (scene->model_count + 1) + 1) * sizeof *changes);
    *ended = (dance_ending){.count = 0};
    size_t count = changes ? list_changes(scene, from, changes, ended) : 0;
    mmd_command *made =
        count && history_edit(&s->history) ? mmd_command_create(&table, sizeof(switching)) : NULL;
    if (!made) {
        mmd_free(changes);
        return false;
    }
    *(switching *)mmd_command_self(made) = (switching){changes, count};
    bool done = history_take(&s->history, made);
    session_restart(s);
    session_go(s, s->frame);
    return done;
}
