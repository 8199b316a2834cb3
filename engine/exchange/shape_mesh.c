/*
 * Collision shapes as triangles. Round shapes are profiles rotated about Y, boxes and planes are quads, hulls
 * and meshes are triangles whose normals are smooth across flat angles and split at sharp edges.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "exchange_internal.h"
#include "mmd/elementary.h"
#include "mmd/memory.h"

enum { SEGMENTS = 24, PROFILE_MAX = 32 };

/*
 * plane_half: half the side of the square for a plane. crease_cosine: faces that meet at a smaller angle than
 * this share smooth normals.
 */
static const float pi = 3.14159265f, plane_half = 200.0f, crease_cosine = 0.77f;

/*
 * Returns the array with room for one more element. When out of memory sets *failed and returns the old
 * array.
 */
static void *grow(void *items, uint32_t count, uint32_t *room, size_t size, bool *failed)
{
    if (count < *room)
        return items;
    uint32_t wanted = *room ? *room * 2 : 256;
    void *grown = *failed || *room > UINT32_MAX / 2 ? NULL : mmd_realloc(items, (size_t)wanted * size);
    if (!grown) {
        *failed = true;
        return items;
    }
    *room = wanted;
    return grown;
}

/* Appends a vertex in the coordinates of `frame` and returns its index. */
static uint32_t add_vertex(shape_mesh *mesh, const mmd_transform *frame, const float position[3],
                           const float normal[3])
{
    uint32_t normal_room = mesh->vertex_room;
    mesh->positions = grow(mesh->positions, mesh->vertex_count, &mesh->vertex_room, sizeof mesh->positions[0],
                           &mesh->failed);
    mesh->normals =
        grow(mesh->normals, mesh->vertex_count, &normal_room, sizeof mesh->normals[0], &mesh->failed);
    if (mesh->failed)
        return 0;
    mmd_transform turn = *frame;
    memset(turn.translation, 0, sizeof turn.translation);
    mmd_transform_point(frame, position, mesh->positions[mesh->vertex_count]);
    mmd_transform_point(&turn, normal, mesh->normals[mesh->vertex_count]);
    return mesh->vertex_count++;
}

static void add_triangle(shape_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corners[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        mesh->indices =
            grow(mesh->indices, mesh->index_count, &mesh->index_room, sizeof *mesh->indices, &mesh->failed);
        if (mesh->failed)
            return;
        mesh->indices[mesh->index_count++] = corners[i];
    }
}

/* ----------------------------------------------------------------- round */

/* Points of a profile from bottom to top. `broken` starts a new strip, so that the normal can change. */
typedef struct turned_profile {
    uint32_t count;
    struct {
        float radius, height, normal_radius, normal_height;
        bool broken;
    } points[PROFILE_MAX];
} turned_profile;

static void profile_add(turned_profile *profile, float radius, float height, float angle, bool broken)
{
    if (profile->count == PROFILE_MAX)
        return;
    profile->points[profile->count].radius = radius;
    profile->points[profile->count].height = height;
    profile->points[profile->count].normal_radius = mmd_cosf(angle);
    profile->points[profile->count].normal_height = mmd_sinf(angle);
    profile->points[profile->count++].broken = broken;
}

/*
 * Appends one ring of vertices: a profile point rotated about Y. First and last vertex have the same
 * position.
 */
static void add_ring(shape_mesh *mesh, const mmd_transform *frame, const turned_profile *profile,
                     uint32_t row, uint32_t segments)
{
    for (uint32_t i = 0; i <= segments; i++) {
        float angle = 2.0f * pi * (float)(i % segments) / (float)segments, x = mmd_cosf(angle),
              z = mmd_sinf(angle);
        float radius = profile->points[row].radius, out = profile->points[row].normal_radius;
        add_vertex(mesh, frame, (float[3]){radius * x, profile->points[row].height, radius * z},
                   (float[3]){out * x, profile->points[row].normal_height, out * z});
    }
}

/* Appends the surface of a rotated profile. Segments at a pole (radius 0) have one triangle, others two. */
static void turn_profile(shape_mesh *mesh, const mmd_transform *frame, const turned_profile *profile)
{
    uint32_t segments = mesh->segments ? mesh->segments : SEGMENTS;
    for (uint32_t row = 0; row < profile->count; row++) {
        add_ring(mesh, frame, profile, row, segments);
        if (!row || profile->points[row].broken || mesh->failed)
            continue;
        uint32_t high = mesh->vertex_count - (segments + 1), low = high - (segments + 1);
        for (uint32_t i = 0; i < segments; i++) {
            if (profile->points[row - 1].radius > 0.0f)
                add_triangle(mesh, low + i, high + i, low + i + 1);
            if (profile->points[row].radius > 0.0f)
                add_triangle(mesh, low + i + 1, high + i, high + i + 1);
        }
    }
}

/* Appends an arc from one angle to another to a profile. center: height of the circle's centre. */
static void profile_arc(const shape_mesh *mesh, turned_profile *profile, float center, float radius,
                        float from, float to)
{
    uint32_t pieces = mesh->segments && mesh->segments < SEGMENTS ? 3 : 8;
    for (uint32_t i = 0; i <= pieces; i++) {
        float angle = from + (to - from) * (float)i / (float)pieces;
        bool pole = fabsf(angle) > 0.499f * pi;
        profile_add(profile, pole ? 0.0f : radius * mmd_cosf(angle), center + radius * mmd_sinf(angle), angle,
                    false);
    }
}

/*
 * Appends a capsule: two balls joined by a cone tangent to both. With different radii the cone touches the
 * balls at the angle `seam` from the equator.
 */
static void add_capsule(shape_mesh *mesh, const mmd_transform *frame, float bottom, float length, float top)
{
    turned_profile profile = {0};
    float ratio = length > 0.0f ? (bottom - top) / length : 0.0f;
    float seam = mmd_asinf(mmd_maxf(-1.0f, mmd_minf(1.0f, ratio)));
    if (ratio < 1.0f)
        profile_arc(mesh, &profile, -0.5f * length, bottom, -0.5f * pi, ratio > -1.0f ? seam : -0.5f * pi);
    if (ratio >= 1.0f)
        profile_arc(mesh, &profile, -0.5f * length, bottom, -0.5f * pi, 0.5f * pi);
    else
        profile_arc(mesh, &profile, 0.5f * length, top, ratio > -1.0f ? seam : -0.5f * pi, 0.5f * pi);
    turn_profile(mesh, frame, &profile);
}

static void add_cylinder(shape_mesh *mesh, const mmd_transform *frame, float bottom, float height, float top)
{
    turned_profile profile = {0};
    float half = 0.5f * height, lean = mmd_atan2f(bottom - top, height);
    profile_add(&profile, 0.0f, -half, -0.5f * pi, true);
    profile_add(&profile, bottom, -half, -0.5f * pi, false);
    profile_add(&profile, bottom, -half, lean, true);
    profile_add(&profile, top, half, lean, false);
    profile_add(&profile, top, half, 0.5f * pi, true);
    profile_add(&profile, 0.0f, half, 0.5f * pi, false);
    turn_profile(mesh, frame, &profile);
}

/* ---------------------------------------------------------------- square */

/* Appends the face of a box on the positive or negative side of an axis. */
static void add_box_face(shape_mesh *mesh, const mmd_transform *frame, const float half[3], int axis,
                         float sign)
{
    float normal[3] = {0.0f, 0.0f, 0.0f};
    uint32_t corner[4];
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    normal[axis] = sign;
    for (int i = 0; i < 4; i++) {
        float at[3];
        at[axis] = sign * half[axis];
        at[u] = i & 1 ? half[u] : -half[u];
        at[v] = (i & 2 ? half[v] : -half[v]) * sign; /* keeps the winding clockwise on the negative side */
        corner[i] = add_vertex(mesh, frame, at, normal);
    }
    add_triangle(mesh, corner[0], corner[1], corner[2]);
    add_triangle(mesh, corner[2], corner[1], corner[3]);
}

static void add_box(shape_mesh *mesh, const mmd_transform *frame, const float half[3])
{
    for (int axis = 0; axis < 3; axis++) {
        add_box_face(mesh, frame, half, axis, 1.0f);
        add_box_face(mesh, frame, half, axis, -1.0f);
    }
}

/* ------------------------------------------------------------- triangles */

/* Faces adjacent to each point: those of point i are faces[first[i]] to faces[first[i + 1] - 1]. */
typedef struct face_lists {
    uint32_t *first, *faces;
    float (*normals)[3]; /* face normals, as long as twice the area */
} face_lists;

/* Computes the cross product of two sides: the normal, with twice the triangle's area as length. */
static void face_normal(const float (*points)[3], const uint32_t *corner, float normal[3])
{
    float u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = points[corner[1]][k] - points[corner[0]][k];
        v[k] = points[corner[2]][k] - points[corner[0]][k];
    }
    for (int k = 0; k < 3; k++)
        normal[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
}

/* Fills the lists by counting sort: counts, running sums, then faces. */
static void find_adjacent_faces(face_lists *around, const float (*points)[3], uint32_t point_count,
                                const uint32_t *indices, uint32_t index_count)
{
    for (uint32_t i = 0; i < index_count; i++)
        around->first[indices[i] + 1]++;
    for (uint32_t i = 0; i < point_count; i++)
        around->first[i + 1] += around->first[i];
    for (uint32_t i = 0; i < index_count;
         i++) /* moves first[i] to the end of its list; the next loop moves it back */
        around->faces[around->first[indices[i]]++] = i / 3;
    for (uint32_t i = point_count; i > 0; i--)
        around->first[i] = around->first[i - 1];
    around->first[0] = 0;
    for (uint32_t i = 0; i < index_count; i += 3)
        face_normal(points, indices + i, around->normals[i / 3]);
}

/* Normalises a vector; a zero vector becomes +Y. */
static void normalize(float vector[3])
{
    float length = sqrtf(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
    for (int k = 0; k < 3; k++)
        vector[k] = length > 0.0f ? vector[k] / length : (k == 1 ? 1.0f : 0.0f);
}

/*
 * Computes the normal at a corner of a face: the area-weighted mean of all adjacent faces within the crease
 * angle.
 */
static void corner_normal(const face_lists *around, uint32_t face, uint32_t point, float normal[3])
{
    enum { AROUND_MAX = 64 }; /* keeps the time linear when one point is in all faces */
    float own[3], sum[3] = {0.0f, 0.0f, 0.0f};
    uint32_t first = around->first[point], end = around->first[point + 1];
    memcpy(own, around->normals[face], sizeof own);
    normalize(own);
    for (uint32_t i = first; i < end && i - first < AROUND_MAX; i++) {
        float other[3];
        memcpy(other, around->normals[around->faces[i]], sizeof other);
        normalize(other);
        if (own[0] * other[0] + own[1] * other[1] + own[2] * other[2] > crease_cosine)
            for (int k = 0; k < 3; k++)
                sum[k] += around->normals[around->faces[i]][k];
    }
    memcpy(normal, sum[0] != 0.0f || sum[1] != 0.0f || sum[2] != 0.0f ? sum : own, sizeof own);
    normalize(normal);
}

/* Appends triangles, each with three vertices of its own and smoothed normals. */
static void add_triangles(shape_mesh *mesh, const mmd_transform *frame, const float (*points)[3],
                          uint32_t point_count, const uint32_t *indices, uint32_t index_count)
{
    face_lists around = {mmd_alloc(((size_t)point_count + 2) * sizeof(uint32_t)),
                         mmd_alloc((size_t)index_count * sizeof(uint32_t)),
                         mmd_alloc((size_t)index_count / 3 * sizeof(float[3]))};
    mesh->failed = mesh->failed || !around.first || !around.faces || !around.normals;
    if (!mesh->failed) {
        memset(around.first, 0, ((size_t)point_count + 2) * sizeof(uint32_t));
        find_adjacent_faces(&around, points, point_count, indices, index_count);
    }
    for (uint32_t i = 0; !mesh->failed && i + 2 < index_count; i += 3) {
        uint32_t corner[3];
        for (uint32_t k = 0; k < 3; k++) {
            float normal[3];
            corner_normal(&around, i / 3, indices[i + k], normal);
            corner[k] = add_vertex(mesh, frame, points[indices[i + k]], normal);
        }
        add_triangle(mesh, corner[0], corner[1], corner[2]);
    }
    mmd_free(around.first);
    mmd_free(around.faces);
    mmd_free(around.normals);
}

/* Appends the bounding box of points that have no hull because they lie in a plane. */
static void add_bounding_box(shape_mesh *mesh, const mmd_transform *frame, const mmd_phys_mesh *points)
{
    float low[3], high[3], half[3];
    mmd_transform middle = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}}, transform;
    if (!points->point_count)
        return;
    memcpy(low, points->points[0], sizeof low);
    memcpy(high, points->points[0], sizeof high);
    for (uint32_t i = 1; i < points->point_count; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = mmd_minf(low[k], points->points[i][k]);
            high[k] = mmd_maxf(high[k], points->points[i][k]);
        }
    for (int k = 0; k < 3; k++) {
        half[k] = 0.5f * (high[k] - low[k]);
        middle.translation[k] = 0.5f * (high[k] + low[k]);
    }
    mmd_transform_multiply(frame, &middle, &transform);
    add_box(mesh, &transform, half);
}

static void add_hull_triangles(shape_mesh *mesh, const mmd_transform *frame, const mmd_phys_mesh *points,
                               uint32_t *indices, uint32_t index_count)
{
    add_triangles(mesh, frame, points->points, points->point_count, indices, index_count);
    mmd_free(indices);
}

/* Appends the triangles of a mesh, else its convex hull, else its bounding box. */
static void add_hull(shape_mesh *mesh, const mmd_transform *frame, const mmd_phys_mesh *points)
{
    uint32_t *indices, index_count;
    if (points->index_count)
        add_triangles(mesh, frame, points->points, points->point_count, points->indices, points->index_count);
    else if (mmd_hull_triangles(points->points, points->point_count, &indices, &index_count))
        add_hull_triangles(mesh, frame, points, indices, index_count);
    else
        add_bounding_box(mesh, frame, points);
}

void shape_mesh_add(shape_mesh *mesh, const mmd_physscene *scene, const mmd_phys_shape *shape,
                    const mmd_transform *transform)
{
    assert(mesh && scene && shape && transform);
    const float *size = shape->size;
    mmd_transform frame;
    mmd_transform_multiply(transform, &shape->frame, &frame);
    switch ((mmd_phys_shape_kind)shape->kind) {
    case MMD_PHYS_SPHERE:
        add_capsule(mesh, &frame, size[0], 0.0f, size[0]);
        break;
    case MMD_PHYS_BOX:
        add_box(mesh, &frame, size);
        break;
    case MMD_PHYS_CAPSULE:
        add_capsule(mesh, &frame, size[0], size[1], size[2]);
        break;
    case MMD_PHYS_CYLINDER:
        add_cylinder(mesh, &frame, size[0], size[1], size[2]);
        break;
    case MMD_PHYS_HULL:
    case MMD_PHYS_MESH:
        add_hull(mesh, &frame, &scene->meshes[shape->mesh]);
        break;
    case MMD_PHYS_PLANE:
        add_box_face(mesh, &frame, (float[3]){plane_half, 0.0f, plane_half}, 1, 1.0f);
        break;
    }
}

void shape_mesh_finish(shape_mesh *mesh)
{
    assert(mesh);
    mmd_free(mesh->positions);
    mmd_free(mesh->normals);
    mmd_free(mesh->indices);
    *mesh = (shape_mesh){.segments = mesh->segments};
}

/* ------------------------------------------------------------------- models */

/*
 * Mesh of files that have none: the shapes of a scene's bodies, with one material and one run of triangles
 * per body, attached to the body's bone.
 */

/*
 * Scenes with more shapes than SHAPES_FINE get coarse round shapes, so that memory stays within a multiple of
 * the file's size.
 */
enum { SHAPES_FINE = 200, SEGMENTS_COARSE = 8 };

/* Returns whether a body has only triggers, which are drawn translucent. */
static bool only_triggers(const mmd_physscene *scene, const mmd_phys_body *body)
{
    for (uint32_t i = 0; i < body->shape_count; i++)
        if (!scene->shapes[body->first_shape + i].trigger)
            return false;
    return body->shape_count > 0;
}

/*
 * Sets the material of a body. Diffuse and ambient are chosen so that it has the given colour in full light:
 * MMD adds the ambient colour to 0.6 of the diffuse one.
 */
static void set_material(const mmd_physscene *scene, const mmd_phys_body *body, const float color[4],
                         mmd_material *material)
{
    *material = (mmd_material){
        .name = body->name,
        .name_en = "",
        .memo = "",
        .edge_size = 0.6f,
        .flags = MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_CASTS_SHADOW | MMD_MATERIAL_RECEIVES_SHADOW |
                 MMD_MATERIAL_EDGE,
        .shared_toon = true,
        .toon = 0,
        .texture = -1,
        .sphere = -1,
    };
    for (int k = 0; k < 3; k++) {
        material->diffuse[k] = color[k];
        material->ambient[k] = 0.4f * color[k];
        material->edge_color[k] = 0.3f * color[k];
    }
    material->edge_color[3] = 1.0f;
    material->diffuse[3] = only_triggers(scene, body) ? 0.35f * color[3] : color[3];
    if (scene->shapes && body->shape_count && scene->shapes[body->first_shape].kind == MMD_PHYS_PLANE)
        material->flags = MMD_MATERIAL_TWO_SIDED | MMD_MATERIAL_RECEIVES_SHADOW;
}

/* Appends the triangles of all bodies. ends[i] receives where the indices and vertices of body i end. */
static void add_all_bodies(const mmd_physscene *scene, shape_mesh *mesh, uint32_t (*ends)[2])
{
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const mmd_phys_body *body = &scene->bodies[i];
        for (uint32_t k = 0; k < body->shape_count; k++) {
            const mmd_phys_shape *shape = &scene->shapes[body->first_shape + k];
            shape_mesh_add(mesh, scene, shape, &body->rest);
        }
        ends[i][0] = mesh->index_count;
        ends[i][1] = mesh->vertex_count;
    }
}

/* Allocates the model's vertices, indices and materials in its arena. */
static bool allocate(mmd_model *model, const mmd_physscene *scene, const shape_mesh *mesh)
{
    mmd_arena *arena = &model->arena;
    mmd_vertices *vertices = &model->vertices;
    vertices->position = mmd_arena_alloc(arena, mesh->vertex_count, sizeof vertices->position[0]);
    vertices->normal = mmd_arena_alloc(arena, mesh->vertex_count, sizeof vertices->normal[0]);
    vertices->uv = mmd_arena_alloc(arena, mesh->vertex_count, sizeof vertices->uv[0]);
    vertices->deform = mmd_arena_alloc(arena, mesh->vertex_count, sizeof vertices->deform[0]);
    vertices->bone = mmd_arena_alloc(arena, mesh->vertex_count, sizeof vertices->bone[0]);
    vertices->weight = mmd_arena_alloc(arena, mesh->vertex_count, sizeof vertices->weight[0]);
    vertices->edge_scale = mmd_arena_alloc(arena, mesh->vertex_count, sizeof vertices->edge_scale[0]);
    model->indices = mmd_arena_alloc(arena, mesh->index_count, sizeof *model->indices);
    model->materials = mmd_arena_alloc(arena, scene->body_count, sizeof *model->materials);
    return vertices->position && vertices->normal && vertices->uv && vertices->deform && vertices->bone &&
           vertices->weight && vertices->edge_scale && model->indices && model->materials;
}

/* Sets BDEF1 weights and the body's bone on all vertices. */
static void set_vertices(mmd_vertices *vertices, const mmd_physscene *scene, const uint32_t (*ends)[2])
{
    for (uint32_t body = 0, i = 0; body < scene->body_count; body++)
        for (; i < ends[body][1]; i++) {
            vertices->deform[i] = MMD_DEFORM_BDEF1;
            vertices->weight[i][0] = vertices->edge_scale[i] = 1.0f;
            vertices->bone[i][0] = scene->bodies[body].bone;
            vertices->bone[i][1] = vertices->bone[i][2] = vertices->bone[i][3] = -1;
        }
}

/* Copies the mesh into the model and makes its materials. */
static void fill(mmd_model *model, const mmd_physscene *scene, const float (*colors)[4],
                 const shape_mesh *mesh, const uint32_t (*ends)[2])
{
    mmd_vertices *vertices = &model->vertices;
    vertices->count = mesh->vertex_count;
    model->index_count = mesh->index_count;
    model->material_count = scene->body_count;
    if (mesh->vertex_count) {
        memcpy(vertices->position, mesh->positions, mesh->vertex_count * sizeof mesh->positions[0]);
        memcpy(vertices->normal, mesh->normals, mesh->vertex_count * sizeof mesh->normals[0]);
    }
    if (mesh->index_count)
        memcpy(model->indices, mesh->indices, mesh->index_count * sizeof *mesh->indices);
    set_vertices(vertices, scene, ends);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        uint32_t first = i ? ends[i - 1][0] : 0;
        set_material(scene, &scene->bodies[i], colors[i], &model->materials[i]);
        model->materials[i].first_index = first;
        model->materials[i].index_count = ends[i][0] - first;
    }
}

mmd_status shape_model_build(const mmd_physscene *scene, const float (*colors)[4], mmd_model *model,
                             mmd_error *error)
{
    assert(scene && model);
    shape_mesh mesh = {.segments = scene->shape_count > SHAPES_FINE ? SEGMENTS_COARSE : 0};
    uint32_t(*ends)[2] = mmd_alloc(((size_t)scene->body_count + 1) * sizeof *ends);
    if (ends)
        add_all_bodies(scene, &mesh, ends);
    bool done = ends && !mesh.failed && allocate(model, scene, &mesh);
    if (done)
        fill(model, scene, colors, &mesh, (const uint32_t(*)[2])ends);
    shape_mesh_finish(&mesh);
    mmd_free(ends);
    return done ? MMD_OK
                : mmd_error_set(error, MMD_ERROR_MEMORY, "physics", MMD_NO_OFFSET,
                                "no memory for the shapes of %u bodies", scene->body_count);
}
