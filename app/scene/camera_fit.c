/*
 * What is to be seen is a box: around each bone's vertices at rest, carried
 * where the bone and the model's place take it, and around all of these.
 * home_view.c goes as near to it as its eight corners allow. Vertices count for
 * the first of their bones.
 */
#include "camera_fit.h"

#include <math.h>
#include <string.h>

#include "home_view.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"

/* Share of the picture that is filled; a dance needs more room around it than those who stand. */
#define FILLED       0.92
#define FILLED_CROWD 0.88
#define FILLED_TINY  0.70

/* Radians that the camera looks down on a crowd: heads of the back rows stand above those before them. */
#define LOOK_DOWN 0.20f

/* Units: all of a scene that is smaller is tiny. */
#define TINY 3.0f

typedef struct bounds {
    float low[3], high[3];
} bounds;

static const bounds nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void add_point(bounds *b, const float p[3])
{
    for (int k = 0; k < 3; k++) {
        b->low[k] = fminf(b->low[k], p[k]);
        b->high[k] = fmaxf(b->high[k], p[k]);
    }
}

static bool is_empty(const bounds *b)
{
    return !(b->low[0] <= b->high[0] && isfinite(b->low[0] + b->low[1] + b->low[2]) &&
             isfinite(b->high[0] + b->high[1] + b->high[2]));
}

static float size_of(const bounds *b)
{
    return fmaxf(fmaxf(b->high[0] - b->low[0], b->high[1] - b->low[1]), b->high[2] - b->low[2]);
}

static void put(const float matrix[16], const float in[3], float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = matrix[k] * in[0] + matrix[4 + k] * in[1] + matrix[8 + k] * in[2] + matrix[12 + k];
}

/* A bone's box where it is now; world NULL: as it is at rest. */
static void add_carried(bounds *sum, const bounds *box, const float *rest, const mmd_transform *world,
                        const float place[16])
{
    for (int corner = 0; corner < 8; corner++) {
        float p[3], placed[3];
        for (int k = 0; k < 3; k++)
            p[k] = (corner >> k & 1 ? box->high[k] : box->low[k]) - (world ? rest[k] : 0);
        if (world)
            mmd_transform_point(world, p, p);
        put(place, p, placed);
        add_point(sum, placed);
    }
}

/* By bone, and behind the last what no bone carries. */
static void box_bones(const mmd_model *model, bounds *boxes)
{
    const mmd_vertices *v = &model->vertices;
    for (uint32_t i = 0; i <= model->bone_count; i++)
        boxes[i] = nothing;
    for (uint32_t i = 0; i < v->count; i++)
        add_point(&boxes[v->bone[i][0] >= 0 ? (uint32_t)v->bone[i][0] : model->bone_count], v->position[i]);
}

static bool add_model(const odori_scene *s, size_t index, bool posed, bounds *sum)
{
    const mmd_model *model = s->models[index].model;
    const mmd_transform *world = posed ? mmd_pose_world(mmd_actor_pose(s->models[index].actor)) : NULL;
    float place[16];
    bounds *boxes = mmd_alloc((model->bone_count + 1u) * sizeof *boxes);
    if (!boxes)
        return false;
    mmd_stage_placement(s->stage, index, place);
    box_bones(model, boxes);
    for (uint32_t i = 0; i <= model->bone_count; i++)
        if (!is_empty(&boxes[i])) {
            bool carried = world && i < model->bone_count;
            add_carried(sum, &boxes[i], carried ? model->bones[i].position : NULL, carried ? &world[i] : NULL,
                        place);
        }
    mmd_free(boxes);
    return true;
}

static bool add_models(const odori_scene *s, bool backdrops, bool posed, bounds *sum)
{
    *sum = nothing;
    for (size_t i = 0; i < s->model_count; i++)
        if (s->models[i].is_backdrop == backdrops && (!posed || mmd_stage_actor_visible(s->stage, i)) &&
            !add_model(s, i, posed, sum))
            return false;
    return !is_empty(sum);
}

bool camera_fit(const odori_scene *s, double aspect, mmd_camera *camera)
{
    bounds b;
    if (!add_models(s, false, true, &b) && !add_models(s, true, true, &b))
        return false;
    home_view_fit(b.low, b.high, aspect, FILLED, camera);
    return true;
}

/* Where it is someone else's to say what is seen. */
static bool has_camera(const odori_scene *s)
{
    bool all_interchange = true;
    for (size_t i = 0; i < s->model_count; i++)
        all_interchange = all_interchange && s->models[i].document;
    for (size_t i = 0; i < s->motion_count; i++)
        if (s->motions[i].motion->camera_key_count)
            return true;
    return all_interchange || s->settings.given;
}

static bool is_crowd(const odori_scene *s)
{
    for (size_t i = 0; i < s->model_count; i++)
        if (s->models[i].is_copy)
            return true;
    return false;
}

/* So that a picture tells it. Without memory it does not. */
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

void camera_fit_home(odori_scene *s, double aspect, bool tiny)
{
    bounds b;
    mmd_camera camera = mmd_default_camera();
    const float usual = camera.distance;
    bool crowd = is_crowd(s);
    if ((!crowd && !tiny) || has_camera(s) || !add_models(s, false, false, &b) ||
        (!crowd && size_of(&b) >= TINY))
        return;
    if (crowd)
        camera.rotation[0] = -LOOK_DOWN;
    home_view_fit(b.low, b.high, aspect, crowd ? FILLED_CROWD : FILLED_TINY, &camera);
    if (crowd)
        camera.distance = fminf(camera.distance, usual);
    mmd_stage_set_default_camera(s->stage, &camera);
    keep_camera(s, &camera);
}
