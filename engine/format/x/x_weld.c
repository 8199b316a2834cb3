/*
 * Vertices of a mesh from the corners of its polygons: .x gives positions and
 * normals indices of their own, a model has one index for both. Corners of one
 * position with equal normals become one vertex, by a hash table (linear
 * probing). Missing and empty normals are computed: the sum of the polygons
 * around a position, each by Newell's vector, whose length is its area (Sutherland,
 * Sproull, Schumacker, "A Characterization of Ten Hidden-Surface Algorithms", 1974).
 */
#include "x_reader.h"

#include <math.h>

typedef struct weld {
    x_reader *reader;
    x_mesh *mesh;
    uint32_t *slots; /* vertices + 1 */
    uint32_t mask;
} weld;

/* The normal of a position where it takes part in polygons; else up, for something has to stand there. */
static void set_length(float normal[3], const double sum[3])
{
    double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    bool usable = length > 0 && isfinite(length);
    for (int k = 0; k < 3; k++)
        normal[k] = usable ? (float)(sum[k] / length) : k == 1 ? 1.0f : 0.0f;
}

static void polygon_vector(const x_mesh *mesh, const uint32_t *corners, uint32_t count, double sum[3])
{
    for (uint32_t i = 0; i < count; i++) {
        const float *a = mesh->positions[corners[i]], *b = mesh->positions[corners[(i + 1) % count]];
        for (int k = 0; k < 3; k++) {
            int y = (k + 1) % 3, z = (k + 2) % 3;
            sum[k] += ((double)a[y] - (double)b[y]) * ((double)a[z] + (double)b[z]);
        }
    }
}

static void compute_normals(x_reader *reader, x_mesh *mesh)
{
    double(*sums)[3] = x_alloc(reader, mesh->position_count, sizeof *sums);
    mesh->computed = x_alloc(reader, mesh->position_count, sizeof *mesh->computed);
    if (!sums || !mesh->computed)
        return;
    const uint32_t *corners = mesh->faces.corners.items;
    for (uint32_t i = 0, at = 0; i < mesh->faces.count; at += mesh->faces.sizes[i++]) {
        double vector[3] = {0};
        uint32_t count = mesh->faces.sizes[i];
        if (count >= 3)
            polygon_vector(mesh, corners + at, count, vector);
        for (uint32_t k = 0; k < count; k++)
            for (int n = 0; n < 3; n++)
                sums[corners[at + k]][n] += vector[n];
    }
    for (uint32_t i = 0; i < mesh->position_count; i++)
        set_length(mesh->computed[i], sums[i]);
}

static bool is_empty(const float normal[3])
{
    return normal[0] == 0 && normal[1] == 0 && normal[2] == 0;
}

static uint32_t hash_vertex(const x_mesh *mesh, x_vertex vertex)
{
    uint32_t bits[3] = {0};
    if (vertex.normal != X_COMPUTED)
        memcpy(bits, mesh->normals[vertex.normal], sizeof bits);
    uint32_t hash = vertex.position * 2654435761u;
    for (int k = 0; k < 3; k++)
        hash = (hash ^ hash >> 15 ^ bits[k]) * 2246822519u;
    return hash ^ hash >> 15;
}

static bool same_vertex(const x_mesh *mesh, x_vertex a, x_vertex b)
{
    if (a.position != b.position || a.normal == b.normal)
        return a.position == b.position;
    return a.normal != X_COMPUTED && b.normal != X_COMPUTED &&
           memcmp(mesh->normals[a.normal], mesh->normals[b.normal], sizeof mesh->normals[0]) == 0;
}

static uint32_t find_vertex(weld *w, x_vertex vertex)
{
    x_mesh *mesh = w->mesh;
    uint32_t slot = hash_vertex(mesh, vertex) & w->mask;
    for (; w->slots[slot]; slot = (slot + 1) & w->mask)
        if (same_vertex(mesh, mesh->vertices[w->slots[slot] - 1], vertex))
            return w->slots[slot] - 1;
    mesh->vertices[mesh->vertex_count] = vertex;
    w->slots[slot] = ++mesh->vertex_count;
    return mesh->vertex_count - 1;
}

/* The normal that a corner names: with a list of polygons by its index, without one by the position's. */
static uint32_t corner_normal(weld *w, uint32_t position, const uint32_t *named)
{
    const x_mesh *mesh = w->mesh;
    uint32_t normal = X_COMPUTED;
    if (named)
        normal = *named;
    else if (mesh->normal_faces.count == 0 && mesh->normal_count == mesh->position_count)
        normal = position;
    if (normal == X_COMPUTED)
        return normal;
    if (normal < mesh->normal_count)
        return is_empty(mesh->normals[normal]) ? X_COMPUTED : normal;
    const x_mesh *first = w->reader->meshes.items;
    model_reader_broken(&w->reader->base, "mesh", (uint32_t)(mesh - first), "normal", normal);
    return X_COMPUTED;
}

static void weld_face(weld *w, uint32_t *corners, uint32_t count, const uint32_t *normals)
{
    for (uint32_t k = 0; k < count; k++) {
        x_vertex vertex = {corners[k], corner_normal(w, corners[k], normals ? normals + k : NULL)};
        corners[k] = find_vertex(w, vertex);
    }
}

static bool allocate(weld *w)
{
    uint32_t corners = w->mesh->faces.corners.count, slots = 4;
    while (slots / 2 < corners)
        slots *= 2;
    w->mask = slots - 1;
    w->slots = x_alloc(w->reader, slots, sizeof *w->slots);
    w->mesh->vertices = x_alloc(w->reader, corners, sizeof *w->mesh->vertices);
    return w->slots && w->mesh->vertices;
}

/* Whether a corner may ask for a computed normal. Corners lose their positions when they are welded: so,
 * before. */
static bool lacks_normals(const x_mesh *mesh)
{
    const x_faces *faces = &mesh->faces, *normals = &mesh->normal_faces;
    const uint32_t *named = normals->corners.items;
    bool by_position = normals->count == 0 && mesh->normal_count == mesh->position_count;
    for (uint32_t i = 0; i < faces->count; i++)
        if (!by_position && (i >= normals->count || normals->sizes[i] != faces->sizes[i]))
            return true;
    for (uint32_t i = 0; i < normals->corners.count; i++)
        if (named[i] >= mesh->normal_count)
            return true;
    for (uint32_t i = 0; i < mesh->normal_count; i++)
        if (is_empty(mesh->normals[i]))
            return true;
    return false;
}

void x_weld(x_reader *reader, x_mesh *mesh)
{
    weld w = {.reader = reader, .mesh = mesh};
    const x_faces *faces = &mesh->faces, *normals = &mesh->normal_faces;
    if (lacks_normals(mesh))
        compute_normals(reader, mesh);
    if (!allocate(&w))
        return;
    uint32_t *corners = faces->corners.items;
    const uint32_t *named = normals->corners.items;
    for (uint32_t i = 0, at = 0, named_at = 0; i < faces->count; i++) {
        uint32_t count = faces->sizes[i];
        bool listed = i < normals->count && normals->sizes[i] == count;
        /* Points and lines are not drawn. */
        if (count >= 3)
            weld_face(&w, corners + at, count, listed ? named + named_at : NULL);
        at += count;
        named_at += i < normals->count ? normals->sizes[i] : 0;
    }
}
