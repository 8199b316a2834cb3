/* Cameras that show what is on the stage (mmd/framing.h), and where a new dancer has room. */
#include "framing.h"

#include <math.h>
#include <string.h>

#include "mmd/cursor.h"
#include "mmd/elementary.h"
#include "mmd/framing.h"
#include "mmd/memory.h"
#include "mmd/placing.h"

/* --- Interchange files --- */

static bool is_of_interchange(const odori_scene *s)
{
    bool any = false;
    for (size_t i = 0; i < s->model_count; i++) {
        if (scene_is_present(s, i) && !s->models[i].document)
            return false;
        any |= scene_is_present(s, i);
    }
    return any;
}

static bool has_vertices(const odori_scene *s)
{
    for (size_t i = 0; i < s->model_count; i++)
        if (scene_is_present(s, i) && s->models[i].model->vertices.count)
            return true;
    return false;
}

static void set_view(const view_options *asked, const odori_scene *s, mmd_view_options *view)
{
    const mmd_view_options given = *view;
    mmd_view_options_take_exchange(view, has_vertices(s));
    if (asked->background)
        memcpy(view->background, given.background, sizeof given.background);
}

void frame_interchange(odori_scene *s, double aspect, const view_options *asked, mmd_view_options *view)
{
    mmd_framed *framed = is_of_interchange(s) ? mmd_alloc(s->model_count * sizeof *framed) : NULL;
    mmd_camera camera;
    size_t count = 0;
    if (!framed)
        return;
    if (view)
        set_view(asked, s, view);
    for (size_t i = 0; i < s->model_count; i++)
        if (scene_is_present(s, i))
            framed[count++] = (mmd_framed){s->models[i].model, s->models[i].document->animation_count
                                                                   ? &s->models[i].document->animations[0]
                                                                   : NULL};
    if (mmd_camera_frame(framed, count, aspect, &camera))
        mmd_stage_set_default_camera(s->stage, &camera);
    mmd_free(framed);
}

/* --- MMD models --- */

/* Share of the picture that is filled. A dance needs more room than a pose. */
#define FILLED_POSED 0.92
#define FILLED_CROWD 0.88
#define FILLED_TINY  0.70

/*
 * Radians that the camera looks down on a crowd, so that heads of the back rows appear above those in front.
 */
#define LOOK_DOWN_CROWD 0.20f

/* Size in units below which a scene counts as tiny. */
#define TINY 3.0f

static bool add_models(const odori_scene *s, bool backdrops, bool posed, mmd_box *sum)
{
    *sum = mmd_empty_box();
    for (size_t i = 0; i < s->model_count; i++)
        if (s->models[i].is_backdrop == backdrops && scene_is_present(s, i) &&
            (!posed || mmd_stage_actor_visible(s->stage, i)) && !mmd_stage_add_box(s->stage, i, posed, sum))
            return false;
    return mmd_box_is_there(sum);
}

bool camera_fit(const odori_scene *s, double aspect, mmd_camera *camera)
{
    mmd_box b;
    if (!add_models(s, false, true, &b) && !add_models(s, true, true, &b))
        return false;
    mmd_camera_fit(&b, aspect, FILLED_POSED, camera);
    return true;
}

/* Tests whether the scene has a camera of its own. */
static bool has_camera(const odori_scene *s)
{
    bool all_interchange = true;
    for (size_t i = 0; i < s->model_count; i++)
        all_interchange = all_interchange && (s->models[i].document || !scene_is_present(s, i));
    for (size_t i = 0; i < s->motion_count; i++)
        if (s->motions[i].motion->camera_key_count)
            return true;
    return all_interchange || s->settings.given;
}

static bool is_crowd(const odori_scene *s)
{
    for (size_t i = 0; i < s->model_count; i++)
        if (s->models[i].is_copy && scene_is_present(s, i))
            return true;
    return false;
}

/* Records the camera as a command, so that a picture can repeat it. Does nothing if out of memory. */
static void keep_camera(odori_scene *s, const mmd_camera *c)
{
    mmd_buffer lines = {0};
    mmd_write_format(&lines, "%scamera.set %.9g", s->opening ? s->opening : "", (double)c->distance);
    for (int k = 0; k < 3; k++)
        mmd_write_format(&lines, " %.9g", (double)c->position[k]);
    for (int k = 0; k < 3; k++)
        mmd_write_format(&lines, " %.9g", (double)c->rotation[k]);
    mmd_write_format(&lines, " %.9g\n", (double)c->fov);
    const char *kept = lines.failed ? NULL : mmd_arena_text(&s->arena, (const char *)lines.data, lines.size);
    s->opening = kept ? kept : s->opening;
    mmd_buffer_finish(&lines);
}

void frame_crowd_or_tiny(odori_scene *s, double aspect, bool tiny)
{
    mmd_box b;
    mmd_camera camera = mmd_default_camera();
    const float usual = camera.distance;
    bool crowd = is_crowd(s);
    if ((!crowd && !tiny) || has_camera(s) || !add_models(s, false, false, &b) ||
        (!crowd && mmd_box_size(&b) >= TINY))
        return;
    if (crowd)
        camera.rotation[0] = -LOOK_DOWN_CROWD;
    mmd_camera_fit(&b, aspect, crowd ? FILLED_CROWD : FILLED_TINY, &camera);
    if (crowd)
        camera.distance = mmd_minf(camera.distance, usual);
    mmd_stage_set_default_camera(s->stage, &camera);
    keep_camera(s, &camera);
}

void frame_scene(odori_scene *s, double aspect, bool tiny, bool keeps_mmd, const view_options *asked,
                 mmd_view_options *view)
{
    s->is_framed = true;
    s->framed_aspect = aspect;
    s->framed_tiny = tiny;
    s->framed_mmd = keeps_mmd;
    frame_interchange(s, aspect, asked, view);
    if (!keeps_mmd)
        frame_crowd_or_tiny(s, aspect, tiny);
}

void frame_again(odori_scene *s)
{
    const mmd_camera usual = mmd_default_camera();
    if (!s->is_framed)
        return;
    s->is_reframed = true;
    mmd_stage_set_default_camera(s->stage, &usual);
    frame_scene(s, s->framed_aspect, s->framed_tiny, s->framed_mmd, NULL, NULL);
}

/* --- A place beside others --- */

#define STAGE_SIZE 60.0f /* units; wider or deeper models are stages, unless they have the bone of a body */
#define GAP        0.1f  /* between two dancers, as a share of the width of the one that is placed */

typedef struct span {
    float low, high;
} span;

/* Tests whether a model hangs on a bone of another one. */
static bool hangs(const odori_scene *s, size_t index)
{
    const mmd_staging *staging = mmd_stage_staging(s->stage, index);
    return (staging->parent && staging->parent_bone >= 0) || mmd_stage_has_outside_parents(s->stage, index);
}

/* Tests whether something of this size is a stage, unless it has the bone of a body. */
static bool is_large(const mmd_box *b)
{
    return b->high[0] - b->low[0] > STAGE_SIZE || b->high[2] - b->low[2] > STAGE_SIZE;
}

bool model_is_stage(const mmd_model *model)
{
    mmd_box b = mmd_empty_box();
    for (uint32_t i = 0; i < model->vertices.count; i++)
        mmd_box_add_point(&b, model->vertices.position[i]);
    return mmd_box_is_there(&b) && is_large(&b) && mmd_model_find_bone(model, "上半身") < 0;
}

/* Computes the width of a dancer at rest, where she stands. Returns false if the model is none. */
static bool span_of(const odori_scene *s, size_t index, span *x)
{
    mmd_box b = mmd_empty_box();
    const scene_model *m = &s->models[index];
    if (!scene_is_present(s, index) || m->is_accessory || m->is_backdrop || hangs(s, index) ||
        !mmd_stage_add_box(s->stage, index, false, &b) || !mmd_box_is_there(&b))
        return false;
    *x = (span){b.low[0], b.high[0]};
    return !is_large(&b) || mmd_model_find_bone(m->model, "上半身") >= 0;
}

/* Tests whether a span that is moved by x is free. */
static bool is_free(const span *others, size_t count, span own, float x, float gap)
{
    const float tolerance = 1e-3f * gap;
    for (size_t i = 0; i < count; i++)
        if (own.low + x < others[i].high + gap - tolerance && own.high + x > others[i].low - gap + tolerance)
            return false;
    return true;
}

bool place_beside(const odori_scene *s, size_t model, float *x)
{
    span own, *others = mmd_alloc((s->model_count + 1) * sizeof *others);
    size_t count = 0;
    float best = INFINITY;
    bool is_dancer = others && span_of(s, model, &own);
    for (size_t i = 0; is_dancer && i < s->model_count; i++)
        count += i != model && span_of(s, i, &others[count]);
    const float gap = is_dancer ? GAP * (own.high - own.low) : 0;
    bool can_stay = !is_dancer || is_free(others, count, own, 0, gap);
    for (size_t i = 0; !can_stay && i < count; i++) {
        const float sides[] = {others[i].high + gap - own.low, others[i].low - gap - own.high};
        for (int k = 0; k < 2; k++)
            if (fabsf(sides[k]) < fabsf(best) && is_free(others, count, own, sides[k], gap))
                best = sides[k];
    }
    mmd_free(others);
    *x = best;
    return !can_stay && isfinite(best);
}
