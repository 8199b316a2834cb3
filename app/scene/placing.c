/* Places models and orders their drawing: defaults of loading, .vac files of accessories, and options for
 * single models. Options are also recorded as lines of the command table, so that pictures can repeat them.
 */
#include "placing.h"

#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/tokenize.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"

static void set_order(odori_scene *s, size_t index, int32_t order)
{
    mmd_staging staging = *mmd_stage_staging(s->stage, index);
    staging.draw_order = order;
    mmd_stage_set_staging(s->stage, index, &staging);
}

void scene_order(odori_scene *s, size_t from)
{
    for (size_t i = from; i < s->model_count; i++)
        if (!s->models[i].project)
            set_order(s, i, scene_usual_order(s, i));
}

/* Tests whether no accessory comes before this one. A stage that is an accessory is the first. */
static bool is_first_accessory(const odori_scene *s, size_t index)
{
    for (size_t i = 0; i < s->model_count; i++)
        if (i != index && scene_is_present(s, i) && s->models[i].is_accessory &&
            (s->models[i].is_backdrop || mmd_stage_place(s->stage, i) < mmd_stage_place(s->stage, index)))
            return false;
    return true;
}

int32_t scene_usual_order(const odori_scene *s, size_t index)
{
    const scene_model *m = &s->models[index];
    return mmd_usual_order(m->is_accessory, m->is_backdrop, is_first_accessory(s, index));
}

void scene_place(odori_scene *s, size_t index)
{
    const mmd_vac *vac = s->models[index].vac;
    if (!vac)
        return;
    mmd_staging staging = *mmd_stage_staging(s->stage, index);
    mmd_vac_place(vac, &staging);
    mmd_stage_set_staging(s->stage, index, &staging);
}

/* Finds the model whose bone a .vac means: the last dancer before this model, otherwise the first one;
 * model_count if there is none. */
static size_t find_holder(const odori_scene *s, size_t model)
{
    size_t holder = s->model_count;
    for (size_t i = 0; i < s->model_count; i++) {
        const scene_model *m = &s->models[i];
        if (i != model && scene_is_present(s, i) && !m->is_accessory && !m->is_backdrop &&
            (i < model || holder == s->model_count))
            holder = i;
    }
    return holder;
}

static void attach(odori_scene *s, size_t index, const mmd_log *log)
{
    const scene_model *m = &s->models[index];
    size_t holder = find_holder(s, index);
    if (holder == s->model_count) {
        mmd_log_message(log, MMD_LOG_WARNING, "%s: there is no model to attach it to (bone \"%.100s\")",
                        m->path, m->vac->bone);
        return;
    }
    const scene_model *h = &s->models[holder];
    int32_t bone = mmd_model_find_bone(h->model, m->vac->bone);
    if (bone < 0) {
        mmd_log_message(log, MMD_LOG_WARNING, "%s: %s has no bone \"%.100s\"; it is placed at the origin",
                        m->path, h->path, m->vac->bone);
        return;
    }
    mmd_staging staging = *mmd_stage_staging(s->stage, index);
    staging.parent = h->actor;
    staging.parent_bone = bone;
    mmd_stage_set_staging(s->stage, index, &staging);
}

void scene_attach_one(odori_scene *s, size_t index, const mmd_log *log)
{
    const scene_model *m = &s->models[index];
    if (m->vac && m->vac->bone[0] && !m->project)
        attach(s, index, log);
}

void scene_attach(odori_scene *s, const mmd_log *log)
{
    for (size_t i = 0; i < s->model_count; i++)
        scene_attach_one(s, i, log);
}

/* --- Options for single models --- */

bool model_options_add(model_options *options, const model_option *added)
{
    model_option *grown = mmd_realloc(options->items, (options->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    options->items = grown;
    grown[options->count++] = *added;
    return true;
}

mmd_status placing_find_model(const odori_scene *s, const scene_options *options, const size_t *first,
                              const char *name, size_t file, size_t *model, mmd_error *error)
{
    if (*model == MODEL_OF_FILE) {
        size_t count = first[file + 1] - first[file];
        *model = first[file];
        if (count != 1) {
            mmd_error_set(error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET,
                          "%s applies to one model, but this file has %s", name, count ? "several" : "none");
            mmd_error_set_file(error, options->files.items[file].given);
            return MMD_ERROR_ARGUMENT;
        }
    }
    if (*model < s->model_count)
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET, "%s: there is no model %zu", name,
                         *model);
}

static void placement(odori_scene *s, size_t model, const model_option *o, mmd_buffer *lines)
{
    mmd_staging staging = *mmd_stage_staging(s->stage, model);
    for (int k = 0; k < 3; k++) {
        staging.position[k] = o->placement[k];
        staging.rotation[k] = (float)((double)o->placement[3 + k] * DEGREE);
    }
    staging.scale = o->placement[6];
    mmd_stage_set_staging(s->stage, model, &staging);
    mmd_write_format(lines, "model.select %zu\nmodel.place", model);
    for (int k = 0; k < 7; k++)
        mmd_write_format(lines, " %.9g", (double)o->placement[k]);
    mmd_write_u8(lines, '\n');
}

static void delay(odori_scene *s, size_t model, const model_option *o, mmd_buffer *lines)
{
    mmd_actor_set_delay(s->models[model].actor, o->delay);
    mmd_write_format(lines, "model.select %zu\nmodel.delay %.9g\n", model, o->delay);
}

/* Attaches a model to a bone. Accessories are fixed by their placement, models by an outside parent; both
 * look the same. */
static bool hang_on(odori_scene *s, size_t model, size_t holder, int32_t bone)
{
    mmd_staging staging = *mmd_stage_staging(s->stage, model);
    mmd_actor *actor = s->models[holder].actor;
    if (!s->models[model].is_accessory)
        return mmd_stage_set_outside_parent(s->stage, model, MMD_WHOLE_ACTOR, actor, bone, NULL) == MMD_OK;
    staging.parent = actor;
    staging.parent_bone = bone;
    mmd_stage_set_staging(s->stage, model, &staging);
    return true;
}

static mmd_status hang(odori_scene *s, size_t model, const model_option *o, mmd_buffer *lines,
                       mmd_error *error)
{
    const char *name = o->bone;
    size_t holder, digits = strspn(name, "0123456789");
    if (digits && digits < 8 && name[digits] == ':') {
        holder = (size_t)strtoul(name, NULL, 10);
        name += digits + 1;
    } else {
        holder = find_holder(s, model);
    }
    int32_t bone = holder < s->model_count ? mmd_model_find_bone(s->models[holder].model, name) : -1;
    if (holder >= s->model_count)
        return mmd_error_set(error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET,
                             "--hang %s: there is no model before it to attach it to", o->bone);
    if (bone < 0)
        return mmd_error_set(error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET,
                             "--hang %s: %s has no bone \"%.100s\"", o->bone, s->models[holder].path, name);
    if (holder == model || !hang_on(s, model, holder, bone))
        return mmd_error_set(error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET,
                             "--hang %s: that model is attached to this one", o->bone);
    mmd_write_format(lines, "model.select %zu\n%s %zu ", model,
                     s->models[model].is_accessory ? "model.attach" : "model.parent \"\"", holder);
    token_quote(s->models[holder].model->bones[bone].name, lines);
    mmd_write_u8(lines, '\n');
    return MMD_OK;
}

mmd_status placing_apply(odori_scene *s, const scene_options *options, const size_t *first, mmd_error *error)
{
    static const char *const names[] = {
        [MODEL_PLACE] = "--place", [MODEL_DELAY] = "--delay", [MODEL_HANG] = "--hang"};
    mmd_buffer lines = {0};
    mmd_status status = MMD_OK;
    for (size_t i = 0; i < options->own.count && status == MMD_OK; i++) {
        const model_option *o = &options->own.items[i];
        size_t model = o->model;
        status = placing_find_model(s, options, first, names[o->kind], o->file, &model, error);
        if (status != MMD_OK)
            break;
        if (o->kind == MODEL_PLACE) {
            placement(s, model, o, &lines);
        } else if (o->kind == MODEL_HANG) {
            status = hang(s, model, o, &lines, error);
        } else if (!s->models[model].is_accessory) {
            delay(s, model, o, &lines);
        } else {
            status = mmd_error_set(error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET,
                                   "--delay only applies to models, not to accessories");
            mmd_error_set_file(error, s->models[model].path);
        }
    }
    /* Restore the selection that the lines changed. */
    if (status == MMD_OK && lines.size) {
        mmd_write_format(&lines, "model.select %zu\n", scene_main_model(s));
        s->opening = lines.failed ? NULL : mmd_arena_text(&s->arena, (const char *)lines.data, lines.size);
        if (!s->opening)
            status = mmd_error_memory(error);
    }
    mmd_buffer_finish(&lines);
    return status;
}
