#include "model_edit.h"

#include <string.h>

#include "base/message.h"
#include "base/parse.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "remap.h"
#include "scene/presence.h"
#include "stage_edit.h"

static odori_scene *scene_of(const mmd_edit *edit)
{
    const odori_history *h = mmd_edit_get_options(edit)->user;
    return h->scene;
}

static void tell_changed(mmd_edit *edit, size_t model)
{
    mmd_edit_changed(edit, (mmd_item){.kind = MMD_ITEM_MODEL, .model = (uint32_t)model});
}

static bool move_model(const mmd_edit_map *map, size_t *model)
{
    return remap_model(map->context, model);
}

/* --- Removing --- */

/* State of a command that removes a model, or adds one. */
typedef struct removal {
    size_t model;
} removal;

static bool redo_removal(void *self, mmd_edit *edit)
{
    const removal *r = self;
    scene_set_present(scene_of(edit), r->model, false);
    tell_changed(edit, r->model);
    return true;
}

static bool set_removal(void *self, mmd_edit *edit, const double *values)
{
    (void)values;
    return redo_removal(self, edit);
}

static void undo_removal(void *self, mmd_edit *edit)
{
    const removal *r = self;
    scene_set_present(scene_of(edit), r->model, true);
    tell_changed(edit, r->model);
}

static bool remap_removal(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    removal *r = self;
    (void)edit;
    return move_model(map, &r->model);
}

static const mmd_command_table removal_table = {.label = "remove model",
                                                .set = set_removal,
                                                .undo = undo_removal,
                                                .redo = redo_removal,
                                                .remap = remap_removal};

bool model_edit_remove(odori_session *s, size_t model)
{
    mmd_command *made =
        history_edit(&s->history) ? mmd_command_create(&removal_table, sizeof(removal)) : NULL;
    if (made)
        *(removal *)mmd_command_self(made) = (removal){model};
    return history_take(&s->history, made);
}

/* --- Opening: removing the other way round --- */

static bool redo_addition(void *self, mmd_edit *edit)
{
    undo_removal(self, edit);
    return true;
}

static bool set_addition(void *self, mmd_edit *edit, const double *values)
{
    (void)values;
    return redo_addition(self, edit);
}

static void undo_addition(void *self, mmd_edit *edit)
{
    redo_removal(self, edit);
}

static const mmd_command_table addition_table = {.label = "open model",
                                                 .set = set_addition,
                                                 .undo = undo_addition,
                                                 .redo = redo_addition,
                                                 .remap = remap_removal};

bool model_edit_add(odori_session *s, size_t model)
{
    mmd_command *made =
        history_edit(&s->history) ? mmd_command_create(&addition_table, sizeof(removal)) : NULL;
    if (made)
        *(removal *)mmd_command_self(made) = (removal){model};
    return history_take(&s->history, made);
}

/* --- Renaming --- */

/* State of a command that renames a model: the names by hand before and after, "" for none. */
typedef struct renaming {
    size_t model;
    char *before, *after;
} renaming;

static bool put_name(mmd_edit *edit, size_t model, const char *name)
{
    bool done = mmd_stage_set_name(scene_of(edit)->stage, model, *name ? name : NULL, NULL) == MMD_OK;
    tell_changed(edit, model);
    return done;
}

static bool redo_renaming(void *self, mmd_edit *edit)
{
    const renaming *r = self;
    return put_name(edit, r->model, r->after);
}

static bool set_renaming(void *self, mmd_edit *edit, const double *values)
{
    (void)values;
    return redo_renaming(self, edit);
}

static void undo_renaming(void *self, mmd_edit *edit)
{
    const renaming *r = self;
    put_name(edit, r->model, r->before);
}

static void destroy_renaming(void *self)
{
    const renaming *r = self;
    mmd_free(r->before);
    mmd_free(r->after);
}

static size_t bytes_of_renaming(const void *self)
{
    const renaming *r = self;
    return strlen(r->before) + strlen(r->after) + 2;
}

static bool remap_renaming(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    renaming *r = self;
    (void)edit;
    return move_model(map, &r->model);
}

bool model_edit_rename(odori_session *s, size_t model, const char *name)
{
    static const mmd_command_table table = {.label = "rename model",
                                            .set = set_renaming,
                                            .undo = undo_renaming,
                                            .redo = redo_renaming,
                                            .destroy = destroy_renaming,
                                            .bytes = bytes_of_renaming,
                                            .remap = remap_renaming};
    const char *own = s->scene->models[model].model->name, *now = mmd_stage_name(s->scene->stage, model);
    char *before = copy_text(strcmp(now, own) == 0 ? "" : now), *after = copy_text(name);
    bool can = before && after && history_edit(&s->history);
    mmd_command *made = can ? mmd_command_create(&table, sizeof(renaming)) : NULL;
    if (made) {
        *(renaming *)mmd_command_self(made) = (renaming){model, before, after};
        return history_take(&s->history, made);
    }
    mmd_free(before);
    mmd_free(after);
    return false;
}

/* --- Replacing --- */

/* State of a command that puts a model in the place of another. */
typedef struct replacement {
    size_t model, by;
} replacement;

static bool exchange(mmd_edit *edit, size_t from, size_t to)
{
    bool done = scene_exchange(scene_of(edit), from, to);
    tell_changed(edit, from);
    tell_changed(edit, to);
    return done;
}

static bool redo_replacement(void *self, mmd_edit *edit)
{
    const replacement *r = self;
    return exchange(edit, r->model, r->by);
}

static bool set_replacement(void *self, mmd_edit *edit, const double *values)
{
    (void)values;
    return redo_replacement(self, edit);
}

static void undo_replacement(void *self, mmd_edit *edit)
{
    const replacement *r = self;
    exchange(edit, r->by, r->model);
}

static bool remap_replacement(void *self, mmd_edit *edit, const mmd_edit_map *map)
{
    replacement *r = self;
    (void)edit;
    return move_model(map, &r->model) && move_model(map, &r->by);
}

static bool are_equal(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Finds the material that corresponds to one of another version of a model: that of the same number if it has
 * the same name, otherwise the first one of that name. */
static bool find_material(const mmd_model *from, uint32_t material, const mmd_model *to, uint32_t *found)
{
    const char *name = from->materials[material].name;
    *found = material;
    if (material < to->material_count && are_equal(to->materials[material].name, name))
        return true;
    for (*found = 0; *found < to->material_count; ++*found)
        if (are_equal(to->materials[*found].name, name))
            return true;
    return false;
}

void model_edit_hide_same(const scene_model *from, const scene_model *to)
{
    uint32_t found;
    const uint8_t *hidden = mmd_actor_hidden(from->actor);
    for (uint32_t i = 0; hidden && i < from->model->material_count; i++)
        if (hidden[i] && find_material(from->model, i, to->model, &found))
            mmd_actor_hide_material(to->actor, found, true);
}

/* Takes over poses by hand of bones of the same names, as part of the step. */
static bool take_bones(odori_session *s, size_t from, size_t to)
{
    const scene_model *a = &s->scene->models[from], *b = &s->scene->models[to];
    bool all = true;
    for (uint32_t i = 0; i < a->model->bone_count && all; i++) {
        static const float nothing[7] = {0, 0, 0, 0, 0, 0, 1};
        float v[7];
        int32_t bone = mmd_model_find_bone(b->model, a->model->bones[i].name);
        mmd_pose_get_user(mmd_actor_pose(a->actor), i, v, v + 3);
        if (bone >= 0 && memcmp(v, nothing, sizeof v) != 0)
            all = history_bone(&s->history, to, (uint32_t)bone, v, v + 3);
    }
    return all;
}

/* Takes over weights by hand of morphs of the same names, as part of the step. */
static bool take_morphs(odori_session *s, size_t from, size_t to)
{
    const mmd_model *a = s->scene->models[from].model, *b = s->scene->models[to].model;
    const float *weights = mmd_actor_morphs_by_hand(s->scene->models[from].actor);
    bool all = true;
    for (uint32_t i = 0; i < a->morph_count && all; i++) {
        int32_t morph = mmd_model_find_morph(b, a->morphs[i].name);
        if (weights[i] == weights[i] && morph >= 0)
            all = history_morph(&s->history, to, (uint32_t)morph, weights[i]);
    }
    return all;
}

/* Attaches bones of the same names to the same outside parents, as part of the step. */
static bool take_parents(odori_session *s, size_t from, size_t to)
{
    const odori_scene *scene = s->scene;
    const mmd_model *a = scene->models[from].model;
    bool all = true;
    for (int32_t i = MMD_WHOLE_ACTOR; i < (int32_t)a->bone_count && all; i++) {
        size_t count;
        const mmd_outside_key *keys = mmd_stage_outside_keys(scene->stage, from, i, &count);
        int32_t bone = i < 0 ? i : mmd_model_find_bone(scene->models[to].model, a->bones[i].name);
        history_parent parent = {0, count ? keys[0].parent_bone : -1};
        while (count && parent.model < scene->model_count &&
               scene->models[parent.model].actor != keys[0].parent)
            parent.model++;
        if (count && keys[0].parent && parent.model < scene->model_count && (i < 0 || bone >= 0))
            all = history_attach(&s->history, to, bone, &parent);
    }
    return all;
}

/* Puts a model where another one stands, as part of the step. */
static void take_placement(odori_session *s, size_t from, size_t to)
{
    const mmd_staging *at = mmd_stage_staging(s->scene->stage, from);
    double placement[7] = {[6] = (double)at->scale};
    for (int k = 0; k < 3; k++) {
        placement[k] = (double)at->position[k];
        placement[3 + k] = (double)at->rotation[k] * (1 / DEGREE);
    }
    stage_edit_place_model(s, to, placement);
}

static const mmd_command_table replacement_table = {.label = "replace model",
                                                    .set = set_replacement,
                                                    .undo = undo_replacement,
                                                    .redo = redo_replacement,
                                                    .remap = remap_replacement};

bool model_edit_replace(odori_session *s, size_t model, size_t by)
{
    mmd_command *made =
        history_edit(&s->history) ? mmd_command_create(&replacement_table, sizeof(replacement)) : NULL;
    const char *name = mmd_stage_name(s->scene->stage, model);
    bool has_name = strcmp(name, s->scene->models[model].model->name) != 0;
    bool joined = s->history.joins;
    history_begin(&s->history);
    if (made)
        *(replacement *)mmd_command_self(made) = (replacement){model, by};
    scene_stand_in(s->scene, by, model);
    model_edit_hide_same(&s->scene->models[model], &s->scene->models[by]);
    if (!history_take(&s->history, made))
        return false;
    s->history.joins = true;
    take_placement(s, model, by);
    bool all = (!has_name || model_edit_rename(s, by, name)) && take_bones(s, model, by) &&
               take_morphs(s, model, by) && take_parents(s, model, by);
    s->history.joins = joined;
    return all;
}

/* --- Removed models that nothing brings back --- */

enum { REMOVED_MOST = 8 }; /* models that undo can bring back */

/* The models that steps can bring back. */
typedef struct held_models {
    const odori_scene *scene;
    bool *by_undo, *by_redo; /* by model */
    size_t *step;            /* by model: the step that undo would have to undo */
} held_models;

static void hold(void *context, const mmd_edit_visited *c)
{
    const held_models *h = context;
    size_t model = h->scene->model_count;
    bool replaces = c->table == &replacement_table;
    if (replaces)
        model = c->is_done ? ((const replacement *)c->self)->model : ((const replacement *)c->self)->by;
    else if (c->table == (c->is_done ? &removal_table : &addition_table))
        model = ((const removal *)c->self)->model;
    if (model >= h->scene->model_count || scene_is_present(h->scene, model))
        return;
    (c->is_done ? h->by_undo : h->by_redo)[model] = true;
    if (c->is_done)
        h->step[model] = c->step;
}

/* Finds the removed model that has to be brought back last. Returns their number. */
static size_t find_oldest(const held_models *h, size_t *oldest)
{
    size_t count = 0;
    for (size_t i = 0; i < h->scene->model_count; i++)
        if (h->by_undo[i] && (count++ == 0 || h->step[i] < h->step[*oldest]))
            *oldest = i;
    return count;
}

/* Drops the steps up to the removal of a model. */
static void forget(odori_session *s, size_t model, size_t step)
{
    mmd_edit_forget_steps(s->history.edit, step + 1);
    s->history.last = NULL;
    panel_log_tell(s->messages,
                   "the removal of %.100s can no longer be undone: the last %d removed models are kept%s",
                   mmd_stage_name(s->scene->stage, model), REMOVED_MOST,
                   step ? ", and so it is with the edits before it" : "");
}

size_t model_edit_bound(odori_session *s)
{
    size_t count = s->scene->model_count, given_up = 0, oldest = 0;
    bool *marks = mmd_alloc((2 * count + 1) * sizeof *marks);
    held_models held = {s->scene, marks, marks + count, mmd_alloc((count + 1) * sizeof *held.step)};
    if (marks)
        memset(marks, 0, 2 * count * sizeof *marks);
    for (bool again = marks && held.step && s->history.edit; again;) {
        memset(marks, 0, 2 * count * sizeof *marks);
        mmd_edit_visit_commands(s->history.edit, hold, &held);
        again = find_oldest(&held, &oldest) > REMOVED_MOST;
        if (again)
            forget(s, oldest, held.step[oldest]);
    }
    for (size_t i = 0; marks && held.step && i < count; i++) {
        scene_model *m = &s->scene->models[i];
        m->is_given_up |= !held.by_undo[i] && !held.by_redo[i] && scene_can_give_up(s->scene, i);
        given_up += m->is_given_up && !m->is_empty;
    }
    mmd_free(marks);
    mmd_free(held.step);
    return given_up;
}

/* --- The session after steps that change the list --- */

static uint64_t hash_of_weights(const odori_scene *s)
{
    uint64_t hash = SESSION_HASH_START;
    for (size_t i = 0; i < s->model_count; i++) {
        size_t count;
        const mmd_actor_motion *motions = mmd_actor_motions(s->models[i].actor, &count);
        for (size_t k = 0; k < count; k++)
            hash = session_hash(hash, &motions[k].weight, sizeof motions[k].weight);
    }
    return hash;
}

model_edit_seen model_edit_look(const odori_session *s)
{
    size_t count = s->scene->model_count;
    model_edit_seen seen = {.is_there = mmd_alloc((count + 1) * sizeof(bool)),
                            .count = count,
                            .weights = hash_of_weights(s->scene)};
    for (size_t i = 0; seen.is_there && i < count; i++)
        seen.is_there[i] = scene_is_present(s->scene, i);
    return seen;
}

void model_edit_follow(odori_session *s, model_edit_seen *before)
{
    bool changed = !before->is_there || before->weights != hash_of_weights(s->scene);
    for (size_t i = 0; before->is_there && i < before->count; i++) {
        bool is_there = scene_is_present(s->scene, i);
        changed |= is_there != before->is_there[i];
        if (is_there && !before->is_there[i])
            s->selected = i;
    }
    mmd_free(before->is_there);
    *before = (model_edit_seen){0};
    if (!changed)
        return;
    if (!scene_is_present(s->scene, s->selected))
        s->selected = scene_main_model(s->scene);
    s->follow.on &= scene_is_present(s->scene, s->follow.model);
    session_restart(s);
}
