/*
 * Each bone has a few points, the vertices at its surface that reach furthest in some directions. They follow
 * the bone through frames that are spread over the dance. Physics is not simulated for that, which would take
 * as long as the dance: its bones follow their parents, and what may swing gets more room to both sides.
 */
#include "dance_box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/assemble.h"
#include "mmd/elementary.h"
#include "mmd/memory.h"
#include "physics.h"

enum { FRAMES_MOST = 720, DIRECTIONS = 26 };

/* What is assumed without models, in units: the size of a usual figure. */
#define USUAL_WIDTH  12.0
#define USUAL_HEIGHT 20.0

/* How far a point that physics moves may swing aside, as a share of its distance from where its chain begins.
 */
#define SWING 0.25

/* Share of the frames in which feet may be below the floor, and how far at most, as a share of the height. */
#define FRAMES_BELOW 0.05
#define DEPTH_BELOW  0.03

/* Room beside and above, as a share of the height: for edges, and what happens between the frames. */
#define MARGIN 0.025

/* Limit of the width, relative to the height. Who dances further leaves the picture. */
#define ASPECT_MOST 4.0

/* A point of a model that a bone carries. */
typedef struct carried {
    int32_t bone;
    float at[3];  /* from the bone at rest */
    double swing; /* how far physics may move it aside; 0: it is not moved by physics */
} carried;

typedef struct outline {
    carried *points;
    size_t count;
} outline;

/* What is gathered over the frames. Points that swing count for the floor only where there are no others. */
typedef struct gathered {
    double left, right, top, low;
    double *floors; /* the lowest point of each frame */
    size_t frames;
} gathered;

/* Writes direction i, one of those to the faces, edges and corners of a cube. */
static void direction_of(int i, float d[3])
{
    int k = i < DIRECTIONS / 2 ? i : i + 1; /* the one in the middle is none */
    d[0] = (float)(k % 3 - 1);
    d[1] = (float)(k / 3 % 3 - 1);
    d[2] = (float)(k / 9 - 1);
}

/* Returns how far a point on a bone may swing: by its distance from the bone at which the uppermost bone
 * hangs that physics moves. */
static double swing_of(const mmd_model *model, int32_t bone, const bool *driven, const float p[3])
{
    const float *root = NULL;
    for (int32_t b = bone; b >= 0; b = model->bones[b].parent)
        if (driven[b]) {
            int32_t parent = model->bones[b].parent;
            root = model->bones[parent >= 0 ? parent : b].position;
        }
    return root ? SWING * mmd_hypot(mmd_hypot(p[0] - root[0], p[1] - root[1]), p[2] - root[2]) : 0;
}

/* Finds the vertices that reach furthest: furthest[DIRECTIONS * bone + direction], UINT32_MAX for none. The
 * last bone stands for vertices without one. */
static void find_furthest(const mmd_model *model, uint32_t *furthest)
{
    const mmd_vertices *v = &model->vertices;
    float d[DIRECTIONS][3];
    for (int i = 0; i < DIRECTIONS; i++)
        direction_of(i, d[i]);
    for (uint32_t i = 0; i < v->count; i++) {
        const size_t bone = v->bone[i][0] >= 0 ? (size_t)v->bone[i][0] : model->bone_count;
        const float *p = v->position[i];
        for (int k = 0; k < DIRECTIONS; k++) {
            uint32_t *best = &furthest[bone * DIRECTIONS + (size_t)k];
            const float *b = *best == UINT32_MAX ? NULL : v->position[*best];
            if (!b || (p[0] - b[0]) * d[k][0] + (p[1] - b[1]) * d[k][1] + (p[2] - b[2]) * d[k][2] > 0)
                *best = i;
        }
    }
}

/* Fills the outline of a model from the vertices that reach furthest. One vertex may do so several times. */
static void list_points(const mmd_model *model, const uint32_t *furthest, const bool *driven, outline *out)
{
    for (size_t i = 0; i < (model->bone_count + (size_t)1) * DIRECTIONS; i++) {
        const int32_t bone = i / DIRECTIONS < model->bone_count ? (int32_t)(i / DIRECTIONS) : -1;
        if (furthest[i] == UINT32_MAX)
            continue;
        const float *p = model->vertices.position[furthest[i]];
        carried *c = &out->points[out->count++];
        *c = (carried){.bone = bone, .at = {p[0], p[1], p[2]}, .swing = swing_of(model, bone, driven, p)};
        for (int k = 0; k < 3 && bone >= 0; k++)
            c->at[k] -= model->bones[bone].position[k];
    }
}

/* Makes the outline of a model. Returns false if out of memory. */
static bool make_outline(const mmd_model *model, outline *out)
{
    const size_t bones = model->bone_count + (size_t)1, most = bones * DIRECTIONS;
    uint32_t *furthest = mmd_alloc(most * sizeof *furthest);
    bool *driven = mmd_alloc(bones * sizeof *driven);
    out->points = mmd_alloc(most * sizeof *out->points);
    bool ok = furthest && driven && out->points;
    if (ok) {
        memset(furthest, 0xff, most * sizeof *furthest);
        for (size_t i = 0; i < bones; i++)
            driven[i] = i < model->bone_count && mmd_model_bone_is_driven(model, (int32_t)i);
        find_furthest(model, furthest);
        list_points(model, furthest, driven, out);
    }
    mmd_free(furthest);
    mmd_free(driven);
    return ok;
}

/* Adds a model as it stands at the stage's frame. */
static void add_model(const odori_scene *s, size_t index, const outline *o, gathered *g, double low[2])
{
    const mmd_transform *world = mmd_pose_world(mmd_actor_pose(s->models[index].actor));
    float m[16];
    const bool is_placed = mmd_stage_placement(s->stage, index, m);
    for (size_t i = 0; i < o->count; i++) {
        const carried *c = &o->points[i];
        float p[3] = {c->at[0], c->at[1], c->at[2]}, at[2];
        if (c->bone >= 0)
            mmd_transform_point(&world[c->bone], p, p);
        for (int k = 0; k < 2; k++)
            at[k] = is_placed ? m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k] : p[k];
        if (!isfinite(at[0]) || !isfinite(at[1]))
            continue;
        g->left = mmd_min(g->left, (double)at[0] - c->swing);
        g->right = mmd_max(g->right, (double)at[0] + c->swing);
        g->top = mmd_max(g->top, (double)at[1]);
        low[c->swing > 0] = mmd_min(low[c->swing > 0], (double)at[1]);
    }
}

/* Adds what is seen at the stage's frame. */
static void add_frame(const odori_scene *s, const outline *outlines, gathered *g)
{
    double low[2] = {INFINITY, INFINITY};
    for (size_t i = 0; i < s->model_count; i++)
        if (!s->models[i].is_backdrop && scene_is_present(s, i) && mmd_stage_actor_visible(s->stage, i))
            add_model(s, i, &outlines[i], g, low);
    const double floor = isfinite(low[0]) ? low[0] : low[1];
    g->low = mmd_min(g->low, floor);
    if (isfinite(floor))
        g->floors[g->frames++] = floor;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Turns what was gathered into the box. */
static void make_box(gathered *g, dance_box *box)
{
    if (!g->frames || !(g->right > g->left) || !(g->top > g->low)) {
        *box = (dance_box){-USUAL_WIDTH / 2, USUAL_WIDTH / 2, 0, USUAL_HEIGHT};
        return;
    }
    qsort(g->floors, g->frames, sizeof *g->floors, by_size);
    const double height = g->top - g->low, margin = MARGIN * height;
    box->bottom =
        mmd_min(g->floors[(size_t)(FRAMES_BELOW * (double)g->frames)], g->low + DEPTH_BELOW * height);
    box->top = g->top + margin;
    const double middle = (g->left + g->right) / 2,
                 half =
                     mmd_min((g->right - g->left) / 2 + margin, ASPECT_MOST / 2 * (box->top - box->bottom));
    box->left = middle - half;
    box->right = middle + half;
}

/* Visits frames of the whole dance. */
static void visit(const odori_scene *s, const outline *outlines, gathered *g)
{
    const double before = mmd_stage_frame(s->stage), last = mmd_max(floor(mmd_stage_last_frame(s->stage)), 0);
    const size_t count = (size_t)mmd_min(last + 1, FRAMES_MOST);
    for (size_t i = 0; i < count; i++) {
        mmd_stage_set_frame(s->stage, count > 1 ? floor(last * (double)i / (double)(count - 1)) : 0);
        add_frame(s, outlines, g);
    }
    mmd_stage_set_frame(s->stage, before);
}

mmd_status dance_box_find(odori_scene *s, dance_box *box, mmd_error *error)
{
    const bool simulates = mmd_stage_physics(s->stage) != NULL;
    gathered g = {INFINITY, -INFINITY, -INFINITY, INFINITY, NULL, 0};
    outline *outlines = mmd_alloc((s->model_count + 1) * sizeof *outlines);
    bool ok = outlines && (g.floors = mmd_alloc(FRAMES_MOST * sizeof *g.floors)) != NULL;
    if (outlines)
        memset(outlines, 0, (s->model_count + 1) * sizeof *outlines);
    for (size_t i = 0; ok && i < s->model_count; i++)
        ok = s->models[i].is_backdrop || make_outline(s->models[i].model, &outlines[i]);
    mmd_status status = ok ? physics_switch(s, NULL, error) : mmd_error_memory(error);
    if (status == MMD_OK)
        visit(s, outlines, &g);
    make_box(&g, box);
    for (size_t i = 0; outlines && i < s->model_count; i++)
        mmd_free(outlines[i].points);
    mmd_free(outlines);
    mmd_free(g.floors);
    return status == MMD_OK && simulates ? physics_switch(s, &s->physics_now, error) : status;
}

double dance_box_aspect(const dance_box *box)
{
    return (box->right - box->left) / (box->top - box->bottom);
}

mmd_camera dance_box_camera(const dance_box *box, double aspect)
{
    mmd_camera camera = mmd_default_camera();
    const double high = mmd_max(box->top - box->bottom, (box->right - box->left) / aspect);
    camera.perspective = false;
    camera.distance = (float)(-high * mmd_max(aspect, 1)); /* its longer side shows that many units */
    camera.position[0] = (float)((box->left + box->right) / 2);
    camera.position[1] = (float)(box->bottom + high / 2);
    camera.position[2] = 0;
    return camera;
}
