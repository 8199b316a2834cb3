/*
 * What a modeller looks for in a mesh, as lines over the picture: normals and
 * bones. From the vertices as the GPU
 * skinned them, so that nothing is shown where it is not drawn.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "debug_lines.h"
#include "view_internal.h"

#define NORMAL_LENGTH 0.12f /* units */

static const uint8_t normal_color[4] = {0, 120, 255, 130};
static const uint8_t bone_color[4] = {30, 90, 230, 255}, ik_color[4] = {255, 140, 0, 255},
                     unseen_color[4] = {130, 130, 140, 200};

/* An actor's mesh. */
typedef struct mesh_seen {
    const mmd_model *model;
    const mmd_pose *pose;
    const float *placement;               /* of bones; NULL: none */
    float (*positions)[3], (*normals)[3]; /* in the world */
    const float *eye;
} mesh_seen;

static void set_pen(debug_pen *pen, const uint8_t color[4], float width)
{
    memcpy(pen->color, color, sizeof pen->color);
    pen->width = width;
}

/* What is behind would only make the front darker. */
static bool faces_eye(const mesh_seen *seen, uint32_t v)
{
    float sum = 0;
    for (int k = 0; k < 3; k++)
        sum += seen->normals[v][k] * (seen->eye[k] - seen->positions[v][k]);
    return sum > 0;
}

static void draw_normals(debug_pen *pen, const mesh_seen *seen)
{
    set_pen(pen, normal_color, 1);
    pen->is_front = true;
    for (uint32_t v = 0; v < seen->model->vertices.count; v++) {
        float tip[3];
        if (!faces_eye(seen, v))
            continue;
        for (int k = 0; k < 3; k++)
            tip[k] = seen->positions[v][k] + NORMAL_LENGTH * seen->normals[v][k];
        debug_line(pen, seen->positions[v], tip);
    }
    pen->is_front = false;
}

static void place_of_bone(const mesh_seen *seen, uint32_t bone, float place[3])
{
    const float *at = mmd_pose_world(seen->pose)[bone].translation, *m = seen->placement;
    for (int k = 0; k < 3; k++)
        place[k] = m ? m[k] * at[0] + m[4 + k] * at[1] + m[8 + k] * at[2] + m[12 + k] : at[k];
}

static void draw_bones(debug_pen *pen, const mesh_seen *seen)
{
    for (uint32_t b = 0; b < seen->model->bone_count; b++) {
        const mmd_bone *bone = &seen->model->bones[b];
        float place[3], parent[3];
        bool is_seen = bone->flags & MMD_BONE_VISIBLE;
        place_of_bone(seen, b, place);
        set_pen(pen,
                bone->flags & MMD_BONE_IK ? ik_color
                : is_seen                 ? bone_color
                                          : unseen_color,
                is_seen ? 2 : 1);
        debug_dot(pen, place, is_seen ? 7 : 4);
        if (bone->parent < 0)
            continue;
        place_of_bone(seen, (uint32_t)bone->parent, parent);
        debug_line(pen, parent, place);
    }
}

static void draw(debug_pen *pen, const mesh_seen *seen, const mmd_view_options *options)
{
    if (options->show_normals)
        draw_normals(pen, seen);
    if (options->show_bones)
        draw_bones(pen, seen);
}

static size_t write(const mesh_seen *seen, const mmd_view_options *options, mmd_render_line *lines,
                    size_t max)
{
    debug_pen pen = {.lines = lines, .max = max, .frame = {.rotation = {0, 0, 0, 1}}};
    draw(&pen, seen, options);
    return pen.count;
}

static mmd_status no_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for debug lines");
}

static mmd_status append(mmd_view *view, const mesh_seen *seen, const mmd_view_options *options,
                         mmd_error *error)
{
    size_t start = view->line_count, count = write(seen, options, NULL, 0);
    if (count > view->line_room - start) {
        mmd_render_line *grown = mmd_realloc(view->lines, (start + count) * sizeof *grown);
        if (!grown)
            return no_memory(error);
        view->lines = grown;
        view->line_room = start + count;
    }
    if (count)
        view->line_count += write(seen, options, view->lines + start, count);
    return MMD_OK;
}

static mmd_status add_actor(mmd_view *view, const mmd_stage *stage, const view_drawn *drawn,
                            const mmd_view_options *options, mmd_error *error)
{
    mmd_actor *actor = mmd_stage_actor(stage, drawn->actor);
    mesh_seen seen = {.model = mmd_actor_model(actor),
                      .pose = mmd_actor_pose(actor),
                      .placement = drawn->placed ? drawn->placement : NULL,
                      .eye = view->scene.eye};
    uint32_t count = seen.model->vertices.count;
    if (!options->show_normals)
        return append(view, &seen, options, error);
    float(*both)[3] = mmd_alloc(2 * (size_t)count * sizeof *both);
    if (!both)
        return no_memory(error);
    seen.positions = both;
    seen.normals = both + count;
    mmd_status status =
        mmd_render_read_vertices(drawn->instance, seen.positions, seen.normals, NULL, NULL, error);
    if (status == MMD_OK)
        status = append(view, &seen, options, error);
    mmd_free(both);
    return status;
}

mmd_status view_add_mesh_lines(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                               mmd_error *error)
{
    assert(view && options);
    mmd_status status = MMD_OK;
    if (!options->show_normals && !options->show_bones)
        return MMD_OK;
    for (size_t i = 0; i < view->drawn_count && status == MMD_OK; i++)
        status = add_actor(view, stage, &view->drawn[i], options, error);
    return status;
}
