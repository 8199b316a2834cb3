/*
 * Options that mean the model named before them. What they do is also kept as
 * lines of the command table, so that a picture can tell how it was made.
 */
#include "scene_own.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"
#include "base/parse.h"
#include "base/tokenize.h"

bool own_wishes_add(own_wishes *wishes, const own_wish *wish)
{
    own_wish *grown = mmd_realloc(wishes->items, (wishes->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    wishes->items = grown;
    grown[wishes->count++] = *wish;
    return true;
}

void own_wishes_finish(own_wishes *wishes)
{
    mmd_free(wishes->items);
    *wishes = (own_wishes){0};
}

static const char *name_of(const own_wish *wish)
{
    static const char *const names[] = {[OWN_MOTION] = "--own-motion",
                                        [OWN_PLACE] = "--place",
                                        [OWN_DELAY] = "--delay",
                                        [OWN_HANG] = "--hang"};
    return names[wish->kind];
}

int own_model(const odori_scene *s, const scene_options *options, const size_t *first, const own_wish *wish,
              size_t *model)
{
    *model = wish->model;
    if (*model == OWN_BY_FILE) {
        size_t count = first[wish->file + 1] - first[wish->file];
        *model = first[wish->file];
        if (count != 1) {
            message("%s: %s means one model, and this file has %s", options->files.items[wish->file],
                    name_of(wish), count ? "several" : "none");
            return EXIT_USAGE;
        }
    }
    if (*model >= s->model_count) {
        message("%s: there is no model %zu", name_of(wish), *model);
        return EXIT_INPUT;
    }
    if (wish->kind == OWN_PLACE || wish->kind == OWN_HANG || !s->models[*model].is_accessory)
        return EXIT_DONE;
    message("%s: %s means a model; no motion moves an accessory", s->models[*model].path, name_of(wish));
    return EXIT_USAGE;
}

static void write_reals(mmd_buffer *lines, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mmd_write_format(lines, " %.9g", (double)values[i]);
}

static void place(odori_scene *s, size_t model, const own_wish *wish, mmd_buffer *lines)
{
    mmd_staging staging = *mmd_stage_staging(s->stage, model);
    for (int k = 0; k < 3; k++) {
        staging.position[k] = wish->place[k];
        staging.rotation[k] = (float)((double)wish->place[3 + k] * DEGREE);
    }
    staging.scale = wish->place[6];
    mmd_stage_set_staging(s->stage, model, &staging);
    mmd_write_format(lines, "model.select %zu\nmodel.place", model);
    write_reals(lines, wish->place, 7);
    mmd_write_u8(lines, '\n');
}

static void delay(odori_scene *s, size_t model, const own_wish *wish, mmd_buffer *lines)
{
    mmd_actor_set_delay(s->models[model].actor, wish->delay);
    mmd_write_format(lines, "model.select %zu\nmodel.delay %.9g\n", model, wish->delay);
}

/* Whose bone is meant: of the model that is named, else of the last dancer before this one, else of the
 * first. */
static size_t find_holder(const odori_scene *s, size_t model, const char **bone)
{
    size_t digits = strspn(*bone, "0123456789"), holder = s->model_count;
    if (digits && digits < 8 && (*bone)[digits] == ':') {
        holder = (size_t)strtoul(*bone, NULL, 10);
        *bone += digits + 1;
        return holder;
    }
    for (size_t i = 0; i < s->model_count; i++)
        if (i != model && !s->models[i].is_accessory && !s->models[i].is_backdrop &&
            (i < model || holder == s->model_count))
            holder = i;
    return holder;
}

/* Accessories stand on bones, models hang on them: what both do is the same to the eye. */
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

static int hang(odori_scene *s, size_t model, const own_wish *wish, mmd_buffer *lines)
{
    const char *name = wish->path;
    size_t holder = find_holder(s, model, &name);
    int32_t bone = holder < s->model_count ? mmd_model_find_bone(s->models[holder].model, name) : -1;
    if (holder >= s->model_count)
        message("--hang %s: there is no model whose bone that could be", wish->path);
    else if (bone < 0)
        message("--hang %s: %s has no bone \"%.100s\"", wish->path, s->models[holder].path, name);
    else if (holder == model || !hang_on(s, model, holder, bone))
        message("--hang %s: that model hangs on this one", wish->path);
    else {
        mmd_write_format(lines, "model.select %zu\n%s %zu ", model,
                         s->models[model].is_accessory ? "model.attach" : "model.parent \"\"", holder);
        token_quote(s->models[holder].model->bones[bone].name, lines);
        mmd_write_u8(lines, '\n');
        return EXIT_DONE;
    }
    return EXIT_USAGE;
}

/* The lines that say the same, and who is selected as if they had not been run. */
static int keep_lines(odori_scene *s, mmd_buffer *lines)
{
    if (lines->size)
        mmd_write_format(lines, "model.select %zu\n", scene_main_model(s));
    s->opening = lines->failed ? NULL : mmd_arena_text(&s->arena, (const char *)lines->data, lines->size);
    mmd_buffer_finish(lines);
    if (s->opening)
        return EXIT_DONE;
    message("out of memory");
    return EXIT_FACILITY;
}

int own_place(odori_scene *s, const scene_options *options, const size_t *first)
{
    mmd_buffer lines = {0};
    int result = EXIT_DONE;
    for (size_t i = 0; i < options->own.count && result == EXIT_DONE; i++) {
        const own_wish *wish = &options->own.items[i];
        size_t model;
        result = own_model(s, options, first, wish, &model);
        if (result == EXIT_DONE && wish->kind == OWN_PLACE)
            place(s, model, wish, &lines);
        if (result == EXIT_DONE && wish->kind == OWN_DELAY)
            delay(s, model, wish, &lines);
        if (result == EXIT_DONE && wish->kind == OWN_HANG)
            result = hang(s, model, wish, &lines);
    }
    if (result == EXIT_DONE && lines.size)
        return keep_lines(s, &lines);
    mmd_buffer_finish(&lines);
    return result;
}

void own_warn_of_pairs(const odori_scene *s, const scene_options *options, const mmd_log *log)
{
    size_t dancers = 0;
    for (size_t i = 0; i < s->model_count; i++)
        dancers += !s->models[i].is_accessory && !s->models[i].is_backdrop;
    if (options->is_paired && dancers > 1)
        mmd_log_message(
            log, MMD_LOG_WARNING,
            "every --motion moves every model, the last one over the others; --own-motion moves the "
            "model named before it alone");
}
