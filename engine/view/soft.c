/* Soft bodies of actors as input of the skin pass and of the CPU reference. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/simulation.h"
#include "view_internal.h"

/* Fills in a soft body. Returns false if it does not drive vertices at the stage's frame. */
static bool find_soft(const mmd_stage *stage, size_t actor, uint32_t number, mmd_render_soft *soft)
{
    soft->body = &mmd_stage_physscene(stage, actor)->soft_bodies[number];
    if (!soft->body->node_count || !soft->body->vertex_count)
        return false;
    soft->positions = mmd_stage_soft_positions(stage, actor, number);
    soft->normals = mmd_stage_soft_normals(stage, actor, number);
    return soft->positions && soft->normals;
}

static bool make_room(mmd_view *view, size_t count)
{
    if (count <= view->softs_room)
        return true;
    mmd_render_soft *grown = mmd_realloc(view->softs, count * sizeof *grown);
    if (!grown)
        return false;
    view->softs = grown;
    view->softs_room = count;
    return true;
}

mmd_status view_add_softs(mmd_view *view, const mmd_stage *stage, size_t actor, mmd_render_pose *pose,
                          mmd_error *error)
{
    assert(view && stage && pose);
    const mmd_physscene *scene = mmd_stage_physscene(stage, actor);
    if (!scene || !scene->soft_body_count)
        return MMD_OK;
    if (!make_room(view, scene->soft_body_count))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a frame");
    pose->softs = view->softs;
    for (uint32_t i = 0; i < scene->soft_body_count; i++)
        if (find_soft(stage, actor, i, &view->softs[pose->soft_count]))
            pose->soft_count++;
    return MMD_OK;
}

static double length_of(const float v[3])
{
    double x = (double)v[0], y = (double)v[1], z = (double)v[2];
    return sqrt(x * x + y * y + z * z);
}

/* Transforms a point and a direction from world space to the actor's space before its placement, which is a
 * rotation, a uniform scale and a translation. */
static void unplace(const float *placement, float point[3], float direction[3])
{
    float from[3], turned[3], square = 0.0f;
    for (int k = 0; k < 3; k++) {
        from[k] = point[k] - placement[12 + k];
        turned[k] = direction[k];
        square += placement[k] * placement[k];
    }
    if (!(square > 0.0f))
        return;
    for (int axis = 0; axis < 3; axis++) {
        const float *a = placement + 4 * axis;
        point[axis] = (a[0] * from[0] + a[1] * from[1] + a[2] * from[2]) / square;
        direction[axis] = (a[0] * turned[0] + a[1] * turned[1] + a[2] * turned[2]) / sqrtf(square);
    }
}

void view_unplace_softs(const mmd_render_pose *pose, const float *placement, float (*positions)[3],
                        float (*normals)[3])
{
    assert(pose);
    for (size_t i = 0; placement && i < pose->soft_count; i++) {
        const mmd_phys_soft_body *body = pose->softs[i].body;
        for (uint32_t v = 0; v < body->vertex_count; v++) {
            float none[3] = {0.0f, 0.0f, 0.0f};
            unplace(placement, positions[body->vertices[v]], normals ? normals[body->vertices[v]] : none);
        }
    }
}

static void move_vertices(const mmd_render_soft *soft, const int32_t *nodes, const float *placement,
                          mmd_skinned_vertex *vertices)
{
    for (uint32_t i = 0; i < soft->body->vertex_count; i++) {
        mmd_skinned_vertex *vertex = &vertices[soft->body->vertices[i]];
        int32_t node = (nodes[i] < 0 ? -nodes[i] : nodes[i]) - 1;
        float position[3], direction[3];
        memcpy(position, soft->positions[node], sizeof position);
        memcpy(direction, soft->normals[node], sizeof direction);
        if (placement)
            unplace(placement, position, direction);
        /* Interpolated normals between two steps do not have unit length. */
        double length = length_of(direction), scale = length > 0.0 ? 1.0 / length : 1.0;
        for (int k = 0; k < 3; k++) {
            double normal = (double)direction[k] * scale;
            vertex->position[k] = (double)position[k];
            vertex->normal[k] = nodes[i] < 0 ? -normal : normal;
        }
    }
}

static mmd_status skin_soft(const mmd_model *model, const mmd_render_soft *soft, const float *placement,
                            mmd_skinned_vertex *vertices, mmd_error *error)
{
    int32_t *nodes = mmd_alloc((size_t)soft->body->vertex_count * sizeof *nodes);
    if (!nodes)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a soft body");
    mmd_status status = mmd_soft_vertex_nodes(model, soft->body, nodes, error);
    if (status == MMD_OK)
        move_vertices(soft, nodes, placement, vertices);
    mmd_free(nodes);
    return status;
}

mmd_status mmd_soft_skin_reference(const mmd_stage *stage, size_t actor, mmd_skinned_vertex *vertices,
                                   mmd_error *error)
{
    assert(stage && vertices);
    const mmd_physscene *scene = mmd_stage_physscene(stage, actor);
    const mmd_model *model = mmd_actor_model(mmd_stage_actor(stage, actor));
    mmd_status status = MMD_OK;
    float placement[16];
    bool placed = mmd_stage_placement(stage, actor, placement);
    for (uint32_t i = 0; scene && i < scene->soft_body_count && status == MMD_OK; i++) {
        mmd_render_soft soft;
        if (find_soft(stage, actor, i, &soft))
            status = skin_soft(model, &soft, placed ? placement : NULL, vertices, error);
    }
    return status;
}
