/*
 * Where the meshes of a .x file stand: frames multiplied out, the scale of ten
 * applied (MMD.md 1.6), meshes that frames name put there. A frame may hold any
 * number of meshes "inlined or by reference" (Microsoft, DirectX file format,
 * template Frame). A mesh that lies in no frame is, where frames name it, what
 * they are made of, and stands nowhere by itself; one in a frame stands there
 * too.
 */
#include "x_reader.h"

#include <math.h>

/* MMD draws accessories ten times as large as their files say. */
static const float file_scale = 10.0f;

/* out = a b, rows times columns; out may be a. */
static void multiply(const float a[16], const float b[16], float out[16])
{
    float product[16];
    for (int i = 0; i < 16; i++) {
        const float *row = a + i / 4 * 4, *column = b + i % 4;
        product[i] = row[0] * column[0] + row[1] * column[4] + row[2] * column[8] + row[3] * column[12];
    }
    memcpy(out, product, sizeof product);
}

static void place_frames(x_reader *reader)
{
    x_frame *frames = reader->frames.items;
    for (uint32_t i = 0; i < reader->frames.count; i++)
        if (frames[i].parent >= 0)
            multiply(frames[i].matrix, frames[frames[i].parent].matrix, frames[i].matrix);
}

static void place_position(float p[3], const float m[16])
{
    float placed[3];
    for (int k = 0; k < 3; k++) {
        placed[k] = (p[0] * m[k] + p[1] * m[4 + k] + p[2] * m[8 + k] + m[12 + k]) * file_scale;
        placed[k] = isfinite(placed[k]) ? placed[k] : 0;
    }
    memcpy(p, placed, sizeof placed);
}

/* The inverse transpose of m's rotation, stretched: its cofactors, with the sign of its determinant. */
static void normal_matrix(const float m[16], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const float *a = m + 4 * ((i + 1) % 3), *b = m + 4 * ((i + 2) % 3);
            int y = (k + 1) % 3, z = (k + 2) % 3;
            out[3 * i + k] = (double)a[y] * (double)b[z] - (double)a[z] * (double)b[y];
        }
    double determinant = (double)m[0] * out[0] + (double)m[1] * out[1] + (double)m[2] * out[2];
    for (int i = 0; i < 9 && determinant < 0; i++)
        out[i] = -out[i];
}

/* A unit vector; or nothing, which the computed normal replaces. */
static void place_normal(float n[3], const double m[9])
{
    double x = (double)n[0], y = (double)n[1], z = (double)n[2], placed[3];
    for (int k = 0; k < 3; k++)
        placed[k] = x * m[k] + y * m[3 + k] + z * m[6 + k];
    double length = sqrt(placed[0] * placed[0] + placed[1] * placed[1] + placed[2] * placed[2]);
    for (int k = 0; k < 3; k++)
        n[k] = length > 0 && isfinite(length) ? (float)(placed[k] / length) : 0.0f;
}

static void place_mesh(const x_reader *reader, x_mesh *mesh)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const x_frame *frames = reader->frames.items;
    const float *matrix = mesh->frame < 0 ? identity : frames[mesh->frame].matrix;
    double turn[9];
    normal_matrix(matrix, turn);
    for (uint32_t i = 0; i < mesh->position_count; i++)
        place_position(mesh->positions[i], matrix);
    for (uint32_t i = 0; i < mesh->normal_count; i++)
        place_normal(mesh->normals[i], turn);
}

/* A mesh with positions, normals and corners of its own; it shares the rest. */
static bool copy_mesh(x_reader *reader, const x_mesh *from, x_mesh *to)
{
    const x_array *corners = &from->faces.corners;
    *to = *from;
    to->positions = x_alloc(reader, from->position_count, sizeof *to->positions);
    to->normals = x_alloc(reader, from->normal_count, sizeof *to->normals);
    to->faces.corners.items = x_alloc(reader, corners->count, sizeof(uint32_t));
    if (!mmd_cursor_ok(&reader->base.cursor))
        return false;
    if (from->position_count)
        memcpy(to->positions, from->positions, from->position_count * sizeof *to->positions);
    if (from->normal_count)
        memcpy(to->normals, from->normals, from->normal_count * sizeof *to->normals);
    if (corners->count)
        memcpy(to->faces.corners.items, corners->items, corners->count * sizeof(uint32_t));
    return true;
}

static void place_reference(x_reader *reader, const x_reference *reference, uint32_t number)
{
    x_mesh copy, *named = (x_mesh *)reader->meshes.items + number;
    if (named->frame < 0) {
        named->frame = reference->frame;
    } else if (copy_mesh(reader, named, &copy)) {
        copy.frame = reference->frame;
        x_mesh *added = x_array_add(reader, &reader->meshes, sizeof *added);
        if (added)
            *added = copy;
    }
}

static void place_references(x_reader *reader)
{
    const x_reference *references = reader->references.items;
    for (uint32_t i = 0; i < reader->references.count && mmd_cursor_ok(&reader->base.cursor); i++) {
        int64_t number = x_names_find(&reader->object_names, references[i].name);
        if (number < 0)
            model_reader_broken(&reader->base, "frame", (uint32_t)references[i].frame, "reference", i);
        else if (number != X_NO_MESH)
            place_reference(reader, &references[i], (uint32_t)number);
    }
}

void x_place_meshes(x_reader *reader)
{
    place_frames(reader);
    place_references(reader);
    x_mesh *meshes = reader->meshes.items;
    for (uint32_t i = 0; i < reader->meshes.count && mmd_cursor_ok(&reader->base.cursor); i++)
        place_mesh(reader, &meshes[i]);
}
