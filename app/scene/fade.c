#include "fade.h"

#include <string.h>

#include "edited_motion.h"
#include "mmd/keying.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"

/* --- Motions of a model by number --- */

/* Returns the index of the scene's motion of a number; motion_count if there are fewer. */
static size_t find_source(const odori_scene *s, size_t model, size_t number)
{
    size_t i = 0;
    for (; i < s->motion_count; i++)
        if (scene_moves(s, &s->motions[i], model) && number-- == 0)
            break;
    return i;
}

/* Tests whether a motion of a model's actor came from no file. */
static bool is_own(const odori_scene *s, size_t model, const mmd_motion *motion)
{
    for (size_t i = 0; i < s->edited_count; i++) {
        const edited_motion *k = &s->edited[i];
        if (k->model == s->models[model].role && !k->is_stage && k->source < 0 &&
            (k->motion == motion || k->mirrored == motion))
            return true;
    }
    return false;
}

bool fade_find_motion(const odori_scene *s, size_t model, size_t number, size_t *slot)
{
    size_t count, own = SIZE_MAX;
    const mmd_actor_motion *motions = mmd_actor_motions(s->models[model].actor, &count);
    for (size_t i = 0; i < count; i++) {
        if (motions[i].fades_out)
            continue;
        if (is_own(s, model, motions[i].motion)) {
            own = i;
        } else if (number-- == 0) {
            *slot = i;
            return true;
        }
    }
    *slot = own;
    return number == 0 && own != SIZE_MAX;
}

bool fade_find_source(const odori_scene *s, size_t model, size_t source, size_t *slot)
{
    size_t number = 0;
    for (size_t i = 0; i < source; i++)
        number += scene_moves(s, &s->motions[i], model);
    return scene_moves(s, &s->motions[source], model) && fade_find_motion(s, model, number, slot);
}

bool fade_is_off(const odori_scene *s, size_t model, size_t source)
{
    size_t slot, count;
    const mmd_actor_motion *motions = mmd_actor_motions(s->models[model].actor, &count);
    return fade_find_source(s, model, source, &slot) && motions[slot].weight <= 0;
}

size_t fade_count_motions(const odori_scene *s, size_t model)
{
    size_t count = 0;
    for (size_t i = 0; i < s->motion_count; i++)
        count += scene_moves(s, &s->motions[i], model);
    return count;
}

const char *fade_motion_name(const odori_scene *s, size_t model, size_t number)
{
    size_t i = find_source(s, model, number);
    return i < s->motion_count ? mmd_path_name(s->motions[i].path) : "";
}

/* --- Motions that were danced before --- */

/* Makes room for one more. Returns NULL when out of memory. */
static faded_motion *make_room(odori_scene *s)
{
    faded_motion *grown = mmd_realloc(s->faded, (s->faded_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    s->faded = grown;
    return &grown[s->faded_count];
}

/* Takes a motion out of the scene's list. Its texts stay in the arena. */
static void take_out(odori_scene *s, size_t index)
{
    const scene_motion *m = &s->motions[index];
    if (mmd_motion_is_for_stage(m->motion))
        mmd_stage_remove_scene_motion(s->stage, m->motion);
    if (m->mirrored && mmd_motion_is_for_stage(m->motion))
        mmd_stage_remove_scene_motion(s->stage, m->mirrored);
    s->motion_count--;
    memmove(s->motions + index, s->motions + index + 1, (s->motion_count - index) * sizeof *s->motions);
    for (size_t i = 0; i < s->edited_count; i++)
        s->edited[i].source -= s->edited[i].source > (int64_t)index;
}

static bool is_edited(const odori_scene *s, size_t source)
{
    for (size_t i = 0; i < s->edited_count; i++)
        if (s->edited[i].source == (int64_t)source)
            return true;
    return false;
}

bool fade_out(odori_scene *s, size_t model, size_t number, const mmd_fade *fade, const char **why)
{
    size_t source = find_source(s, model, number), slot;
    *why = "out of memory";
    if (source == s->motion_count || !fade_find_motion(s, model, number, &slot)) {
        *why = "the model has no such motion of a file";
        return false;
    }
    const scene_motion *m = &s->motions[source];
    if (m->moves_models && scene_count_dancers(s) > 1)
        *why = "it moves all models; give it to this one by --own-motion";
    else if (is_edited(s, source) || s->models[model].is_mirrored)
        *why = "it was edited or mirrored";
    else if (make_room(s) && mmd_actor_fade_out(s->models[model].actor, slot, fade, NULL) == MMD_OK)
        *why = NULL;
    if (*why)
        return false;
    s->faded[s->faded_count] = (faded_motion){.file = *m, .fade = *fade};
    s->faded[s->faded_count].file.target = (int64_t)model;
    s->faded_count++;
    take_out(s, source);
    return true;
}

/* Returns the scene's motion that an actor plays as this one; NULL if there is none. *as_filed says whether
 * its keyframes are those of the file. */
static const scene_motion *filed(const odori_scene *s, const mmd_motion *motion, bool *as_filed)
{
    *as_filed = true;
    for (size_t i = 0; i < s->motion_count; i++)
        if (s->motions[i].motion == motion)
            return &s->motions[i];
    for (size_t i = 0; i < s->faded_count; i++)
        if (s->faded[i].file.motion == motion) {
            *as_filed = !s->faded[i].is_altered;
            return &s->faded[i].file;
        }
    *as_filed = false;
    for (size_t i = 0; i < s->motion_count; i++)
        if (s->motions[i].mirrored == motion)
            return &s->motions[i];
    for (size_t i = 0; i < s->edited_count; i++)
        if (s->edited[i].source >= 0 && (s->edited[i].motion == motion || s->edited[i].mirrored == motion))
            return &s->motions[s->edited[i].source];
    return NULL;
}

/* What one actor dances, which another one fades out from. */
typedef struct leaving {
    odori_scene *to;
    const odori_scene *from;
    size_t model; /* in `to` */
    const mmd_motion *motion;
    float weight;
    mmd_fade fade;
} leaving;

/* Adds a copy of a motion, or with NULL the pose at rest, that the model fades out from. */
static bool add_leaving(const leaving *l)
{
    bool as_filed = false;
    size_t slot;
    mmd_motion *copy = NULL;
    mmd_actor *actor = l->to->models[l->model].actor;
    const scene_motion *file = l->motion ? filed(l->from, l->motion, &as_filed) : NULL;
    faded_motion *faded = make_room(l->to);
    const char *path = scene_keep_text(l->to, file ? file->path : ""),
               *given = scene_keep_text(l->to, file ? file->given : "");
    if (!faded || !path || !given || mmd_motion_copy(l->motion, &copy, NULL) != MMD_OK)
        return false;
    *faded = (faded_motion){.file = {.path = path,
                                     .given = given,
                                     .motion = copy,
                                     .is_of_project = file && file->is_of_project,
                                     .target = (int64_t)l->model},
                            .fade = l->fade,
                            .is_altered = !as_filed || (file && file->is_of_project)};
    l->to->faded_count++;
    if (mmd_actor_add_motion(actor, copy, NULL) != MMD_OK)
        return false;
    mmd_actor_motions(actor, &slot);
    return mmd_actor_set_weight(actor, slot - 1, l->weight, NULL) == MMD_OK &&
           mmd_actor_fade_out(actor, slot - 1, &l->fade, NULL) == MMD_OK;
}

/* --- From one scene to the next --- */

static bool is_same(const scene_model *a, const scene_model *b)
{
    return scene_is_dancer(a) && scene_is_dancer(b) && strcmp(a->path, b->path) == 0 &&
           a->model->bone_count == b->model->bone_count && a->model->morph_count == b->model->morph_count &&
           memcmp(a->model->bone_key, b->model->bone_key,
                  a->model->bone_count * sizeof *a->model->bone_key) == 0;
}

/* Finds the model that a dancer was in the scene before: of several of the same file the one of the same
 * number among them. Returns model_count if there is none. */
static size_t find_before(const odori_scene *to, size_t model, const odori_scene *from)
{
    size_t number = 0, i = 0;
    for (size_t k = 0; k < model; k++)
        number += is_same(&to->models[k], &to->models[model]);
    for (; i < from->model_count; i++)
        if (scene_is_present(from, i) && is_same(&from->models[i], &to->models[model]) && number-- == 0)
            break;
    return i;
}

/* Adds what a model dances at a frame: dances that it still fades out from itself, then its motions. */
static bool add_dances(odori_scene *to, size_t model, const odori_scene *from, size_t before,
                       const fade_span *span)
{
    size_t count, own = 0;
    double now = mmd_stage_frame(from->stage),
           frame = now - span->start; /* frame: where the new scene's 0 is */
    const mmd_actor *actor = from->models[before].actor;
    const mmd_actor_motion *motions = mmd_actor_motions(actor, &count);
    leaving l = {.to = to, .from = from, .model = model};
    bool all = true;
    for (size_t i = 0; i < count && all; i++) {
        const mmd_fade *f = &motions[i].fade;
        if (!motions[i].fades_out || f->ends <= now)
            continue;
        l.motion = motions[i].motion;
        l.weight = motions[i].weight;
        l.fade = (mmd_fade){f->ahead + frame, f->begins - frame, f->ends - frame};
        all = add_leaving(&l);
    }
    l.fade = (mmd_fade){frame - mmd_actor_delay(actor), span->start, span->start + span->frames};
    for (size_t i = 0; i < count && all; i++) {
        if (motions[i].fades_out || motions[i].weight <= 0)
            continue;
        l.motion = motions[i].motion;
        l.weight = motions[i].weight;
        all = add_leaving(&l);
        own++;
    }
    l.motion = NULL;
    l.weight = 1;
    return all && (own || add_leaving(&l));
}

/* Lets the bodies of a model start where those of another one are. */
static void start_bodies(odori_scene *to, size_t model, odori_scene *from, size_t before)
{
    const mmd_physscene *here = mmd_stage_physscene(to->stage, model),
                        *there = mmd_stage_physscene(from->stage, before);
    if (!here || !there || here->body_count != there->body_count)
        return;
    mmd_body_start *starts = mmd_alloc((here->body_count + 1) * sizeof *starts);
    bool known = starts && mmd_stage_take_starts(from->stage, before, starts);
    for (uint32_t b = 0; known && b < here->body_count; b++)
        if (mmd_stage_body_simulated(from->stage, before, b))
            known = mmd_stage_start_body(to->stage, model, b, &starts[b], NULL) == MMD_OK;
    mmd_free(starts);
}

bool fade_scenes(odori_scene *to, odori_scene *from, const fade_span *span)
{
    bool any = false;
    mmd_stage_settle(to->stage);
    mmd_stage_settle(from->stage);
    for (size_t i = 0; i < to->model_count; i++) {
        size_t before = scene_is_dancer(&to->models[i]) ? find_before(to, i, from) : from->model_count;
        if (before == from->model_count || !add_dances(to, i, from, before, span))
            continue;
        if (span->start <= 0)
            start_bodies(to, i, from, before);
        any = true;
    }
    return any;
}

void fades_finish(odori_scene *s)
{
    for (size_t i = 0; i < s->faded_count; i++) {
        if (!s->faded[i].file.is_lent)
            mmd_motion_destroy(s->faded[i].file.motion);
        mmd_motion_destroy(s->faded[i].file.mirrored);
    }
    mmd_free(s->faded);
    s->faded = NULL;
    s->faded_count = 0;
}

bool fade_end(odori_scene *s)
{
    bool all = true;
    if (!s->faded_count)
        return false;
    mmd_stage_settle(s->stage);
    for (size_t i = 0; i < s->model_count; i++) {
        all &= mmd_actor_end_fades(s->models[i].actor, NULL) == MMD_OK;
        mmd_stage_clear_starts(s->stage, i);
    }
    mmd_stage_set_frame(s->stage, 0); /* nothing reads the motions any more */
    if (all)                          /* otherwise some are still played */
        fades_finish(s);
    return true;
}
