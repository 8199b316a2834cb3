#include "model_edit.h"

#include <string.h>

#include "mmd/memory.h"
#include "mmd/simulation.h"
#include "remap.h"
#include "scene/presence.h"

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

/* State of a command that removes a model. */
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

bool model_edit_remove(odori_session *s, size_t model)
{
    static const mmd_command_table table = {.label = "remove model",
                                            .set = set_removal,
                                            .undo = undo_removal,
                                            .redo = redo_removal,
                                            .remap = remap_removal};
    mmd_command *made = history_edit(&s->history) ? mmd_command_create(&table, sizeof(removal)) : NULL;
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

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = mmd_alloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

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

/* --- The session after steps that change the list --- */

model_edit_seen model_edit_look(const odori_session *s)
{
    size_t count = s->scene->model_count;
    model_edit_seen seen = {.is_there = mmd_alloc((count + 1) * sizeof(bool)), .count = count};
    for (size_t i = 0; seen.is_there && i < count; i++)
        seen.is_there[i] = scene_is_present(s->scene, i);
    return seen;
}

void model_edit_follow(odori_session *s, model_edit_seen *before)
{
    bool changed = !before->is_there;
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
