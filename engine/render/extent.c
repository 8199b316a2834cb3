/*
 * Bounds where in the picture a posed mesh can be, to decide whether two models overlap.
 *
 * A vertex with several bones lies among the positions that each bone alone would give it, and its distance
 * from each of these bones stays what it is at rest. So all vertices lie in balls around the bones, whose
 * radius is the distance of the farthest vertex that the bone influences. SDEF (Kavan and Zara 2005) rotates
 * a vertex about a centre that moves likewise, which enlarges the ball. Morphs add the sum of their largest
 * displacements. There is no such bound for dual quaternions, bones with scale, and negative weights: such a
 * mesh can be anywhere.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd_math.h"
#include "render_internal.h"

/* Pixels added on each side, for rounding in rasterisation. */
static const float margin = 3.0f;

static float distance_of(const float a[3], const float b[3])
{
    const float d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrtf(dot3(d, d));
}

/* Returns the largest distance from a bone that one of its vertices can have. */
static float reach_of(const mmd_model *model, uint32_t v, const float bone[3])
{
    const mmd_vertices *vertices = &model->vertices;
    if (vertices->deform[v] != MMD_DEFORM_SDEF)
        return distance_of(vertices->position[v], bone);
    const mmd_sdef *sdef = &vertices->sdef[vertices->sdef_index[v]];
    float between = 0.25f * distance_of(sdef->r0, sdef->r1);
    return distance_of(sdef->c, bone) + distance_of(vertices->position[v], sdef->c) + between;
}

/* Adds a vertex. Returns false if its position has no bound. */
static bool add_vertex(mmd_render_mesh *mesh, uint32_t v)
{
    const mmd_vertices *vertices = &mesh->model->vertices;
    float sum = 0.0f;
    if (vertices->deform[v] == MMD_DEFORM_QDEF)
        return false;
    for (int i = 0; i < 4; i++) {
        int32_t bone = vertices->bone[v][i];
        float weight = vertices->weight[v][i];
        if (!(weight >= 0.0f) || (bone < 0 && (weight > 0.0f || i == 0)))
            return false;
        if (weight == 0.0f && i > 0)
            continue; /* a vertex without weights moves with the first bone */
        float reach = reach_of(mesh->model, v, mesh->model->bones[bone].position);
        mesh->bone_reach[bone] = mmd_maxf(mesh->bone_reach[bone], reach);
        sum += weight;
    }
    mesh->edge_reach = mmd_maxf(mesh->edge_reach, vertices->edge_scale[v]);
    return vertices->deform[v] != MMD_DEFORM_SDEF || fabsf(sum - 1.0f) < 1e-3f;
}

static void add_morphs(mmd_render_mesh *mesh)
{
    for (uint32_t m = 0; m < mesh->model->morph_count; m++) {
        const mmd_morph *morph = &mesh->model->morphs[m];
        for (uint32_t i = 0; morph->kind == MMD_MORPH_VERTEX && i < morph->count; i++)
            mesh->morph_reach[m] = mmd_maxf(mesh->morph_reach[m], length3(morph->offsets.vertex[i].offset));
    }
}

static mmd_status measure(mmd_render_mesh *mesh, mmd_error *error)
{
    const mmd_model *model = mesh->model;
    float *bones = mmd_arena_alloc(&mesh->arena, (size_t)model->bone_count + 1, sizeof *bones);
    mesh->morph_reach = mmd_arena_alloc(&mesh->arena, (size_t)model->morph_count + 1, sizeof *bones);
    if (!bones || !mesh->morph_reach)
        return render_no_memory("a mesh", error);
    memset(mesh->morph_reach, 0, model->morph_count * sizeof *mesh->morph_reach);
    for (uint32_t b = 0; b < model->bone_count; b++)
        bones[b] = -1.0f; /* the bone moves no vertex */
    mesh->bone_reach = bones;
    mesh->bounded = !model->has_scale;
    for (uint32_t v = 0; v < model->vertices.count && mesh->bounded; v++)
        mesh->bounded = add_vertex(mesh, v);
    for (uint32_t m = 0; m < model->material_count; m++)
        mesh->bounded = mesh->bounded && mesh->ranges[m].mode != GL_POINTS;
    add_morphs(mesh);
    return MMD_OK;
}

/* Returns what is added to every radius: displacements of morphs, and edges. */
static float surplus(const mmd_render_mesh *mesh, const mmd_render_pose *pose,
                     const mmd_render_model_desc *desc, const mmd_render_scene *scene)
{
    float sum = 0.0f, widest = 0.0f;
    for (uint32_t m = 0; m < mesh->model->morph_count; m++)
        sum += fabsf(pose->weights[m]) * mesh->morph_reach[m];
    for (uint32_t m = 0; m < mesh->model->material_count; m++)
        widest = mmd_maxf(widest, desc->materials[m].edge_size);
    return sum +
           widest * mesh->edge_reach * desc->edge_scale * mmd_render_edge_width(scene, desc->edge_origin);
}

/* Computes a bone's position in world space. */
static void place_bone(const mmd_model *model, const mmd_render_pose *pose, uint32_t bone, float position[3])
{
    const float *q = pose->palette[bone], *t = q + 4, *v = model->bones[bone].position;
    float cross[3], twice[3];
    cross3(q, v, cross);
    for (int k = 0; k < 3; k++)
        twice[k] = cross[k] + q[3] * v[k];
    cross3(q, twice, cross);
    float own[3] = {v[0] + 2.0f * cross[0] + t[0], v[1] + 2.0f * cross[1] + t[1],
                    v[2] + 2.0f * cross[2] + t[2]};
    const float *p = pose->placement;
    for (int k = 0; k < 3; k++)
        position[k] = p ? p[k] * own[0] + p[4 + k] * own[1] + p[8 + k] * own[2] + p[12 + k] : own[k];
}

/* The camera's rows for x, y and w of clip space, and their lengths. */
typedef struct clip_rows {
    float row[3][4], length[3];
} clip_rows;

static void find_rows(const mmd_render_scene *scene, clip_rows *rows)
{
    float clip[16];
    matrix_multiply(scene->projection, scene->view, clip);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++)
            rows->row[i][k] = clip[4 * k + (i == 2 ? 3 : i)];
        rows->length[i] = length3(rows->row[i]);
    }
}

/* Position of a ball relative to the eye. SIDE_BOTH: it is partly behind, so nothing is known. */
typedef enum side { SIDE_FRONT = 1, SIDE_BEHIND = 2, SIDE_BOTH = 3 } side;

/* Adds the screen rectangle of a ball in front of the eye. */
static side add_ball(const clip_rows *rows, const float position[3], float radius, mmd_render_extent *extent)
{
    float at[3], beside[3];
    for (int i = 0; i < 3; i++) {
        at[i] = dot3(rows->row[i], position) + rows->row[i][3];
        beside[i] = radius * rows->length[i];
    }
    float near = at[2] - beside[2], far = at[2] + beside[2];
    if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(far) || !isfinite(near))
        return SIDE_BOTH;
    if (!(near > 1e-3f))
        return far < 0.0f ? SIDE_BEHIND : SIDE_BOTH;
    for (int k = 0; k < 2; k++) {
        float low = at[k] - beside[k], high = at[k] + beside[k];
        extent->low[k] = mmd_minf(extent->low[k], low / (low < 0.0f ? near : far));
        extent->high[k] = mmd_maxf(extent->high[k], high / (high < 0.0f ? far : near));
    }
    return SIDE_FRONT;
}

/* Adds all balls. Returns false if some are in front of the eye and some are not. */
static bool add_balls(const mmd_render_mesh *mesh, const mmd_render_pose *pose, const mmd_render_scene *scene,
                      float more, mmd_render_extent *extent)
{
    clip_rows rows;
    float scale = pose->placement ? length3(pose->placement) : 1.0f;
    int sides = 0;
    find_rows(scene, &rows);
    for (uint32_t b = 0; b < mesh->model->bone_count; b++) {
        float position[3];
        if (mesh->bone_reach[b] < 0.0f)
            continue;
        place_bone(mesh->model, pose, b, position);
        sides |= add_ball(&rows, position, scale * (mesh->bone_reach[b] + more), extent);
    }
    return sides != SIDE_BOTH;
}

static const mmd_render_extent everywhere = {{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};

mmd_status mmd_render_find_extent(mmd_render_mesh *mesh, const mmd_render_pose *pose,
                                  const mmd_render_model_desc *desc, const mmd_render_scene *scene,
                                  mmd_render_extent *extent, mmd_error *error)
{
    assert(mesh && pose && desc && scene && extent);
    *extent = everywhere;
    mmd_status status = mesh->bone_reach ? MMD_OK : measure(mesh, error);
    if (status != MMD_OK || !mesh->bounded || pose->affine || pose->soft_count)
        return status;
    mmd_render_extent seen = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    if (!add_balls(mesh, pose, scene, surplus(mesh, pose, desc, scene), &seen))
        return MMD_OK;
    const float pixel[2] = {2.0f / (float)scene->picture_width, 2.0f / (float)scene->picture_height};
    for (int k = 0; k < 2; k++) {
        extent->low[k] = seen.low[k] - margin * pixel[k];
        extent->high[k] = seen.high[k] + margin * pixel[k];
    }
    return MMD_OK;
}

bool mmd_render_blends(const mmd_render_mesh *mesh, const mmd_render_model_desc *desc)
{
    assert(mesh && desc);
    for (uint32_t m = 0; m < mesh->model->material_count; m++) {
        if (material_is_visible(mesh, desc, m) && material_prepare(mesh, desc, m).blend)
            return true;
        if (desc->edge_scale > 0.0f && material_has_edge(mesh, desc, m) &&
            (desc->additive || desc->materials[m].edge_color[3] * desc->opacity < 1.0f))
            return true;
    }
    return false;
}
