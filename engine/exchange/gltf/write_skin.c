/*
 * The skin of a model (glTF 2.0, 3.7.3): joint i is bone i, behind them the
 * root node for vertices that hang on no bone. Every way of MMD's to bend a
 * vertex becomes the linear blend of its weights; what spheres (SDEF) and dual
 * quaternions (QDEF) would do is lost.
 */
#include <math.h>
#include <string.h>

#include "write_mesh.h"

enum { JOINTS_MAX = 65534 };

static uint32_t bone_joints(const mmd_model *model)
{
    return model->bone_count < JOINTS_MAX ? model->bone_count : JOINTS_MAX;
}

/* --------------------------------------------------------------- weights */

typedef struct vertex_skin {
    uint32_t count, joints[4];
    double weights[4];
} vertex_skin;

static void add_share(vertex_skin *skin, uint32_t joint, double weight)
{
    for (uint32_t k = 0; k < skin->count; k++)
        if (skin->joints[k] == joint) {
            skin->weights[k] += weight;
            return;
        }
    skin->joints[skin->count] = joint;
    skin->weights[skin->count++] = weight;
}

/* How many of a vertex's bones count: weights behind them are zeros, or another kind's. */
static int bones_used(uint8_t deform)
{
    return deform == MMD_DEFORM_BDEF1 ? 1 : deform == MMD_DEFORM_BDEF2 || deform == MMD_DEFORM_SDEF ? 2 : 4;
}

static vertex_skin skin_of(const mmd_model *model, uint32_t vertex)
{
    const mmd_vertices *v = &model->vertices;
    vertex_skin skin = {0};
    uint32_t bones = bone_joints(model);
    double sum = 0;
    int used = bones_used(v->deform[vertex]);
    for (int k = 0; k < used; k++) {
        int32_t bone = v->bone[vertex][k];
        double weight = used == 1 ? 1 : (double)v->weight[vertex][k];
        if (!(weight > 0) || !isfinite(weight))
            continue;
        add_share(&skin, bone >= 0 && (uint32_t)bone < bones ? (uint32_t)bone : bones, weight);
        sum += weight;
    }
    if (skin.count == 0) {
        int32_t bone = v->bone[vertex][0];
        add_share(&skin, bone >= 0 && (uint32_t)bone < bones ? (uint32_t)bone : bones, 1);
        sum = 1;
    }
    for (uint32_t k = 0; k < skin.count; k++)
        skin.weights[k] /= sum;
    return skin;
}

/* As floats whose sum is one: what rounding took from the others the largest gets. */
static void round_weights(const vertex_skin *skin, uint32_t joints[4], float weights[4])
{
    uint32_t largest = 0;
    double rest = 1;
    for (uint32_t k = 0; k < skin->count; k++)
        largest = skin->weights[k] > skin->weights[largest] ? k : largest;
    for (uint32_t k = 0; k < 4; k++) {
        weights[k] = k < skin->count ? (float)skin->weights[k] : 0;
        joints[k] = weights[k] > 0 ? skin->joints[k] : 0;
        rest -= k == largest ? 0 : (double)weights[k];
    }
    weights[largest] = (float)rest;
}

void gltf_write_weights(gltf_mesh_writer *writer, const gltf_mesh_piece *piece)
{
    gltf_builder *builder = writer->builder;
    size_t numbers = (size_t)piece->vertex_count * 4;
    uint32_t *joints = builder->failed ? NULL : mmd_alloc(numbers * sizeof *joints);
    float *weights = builder->failed ? NULL : mmd_alloc(numbers * sizeof *weights);
    builder->failed = !joints || !weights;
    for (uint32_t i = 0; i < piece->vertex_count && !builder->failed; i++) {
        vertex_skin skin = skin_of(writer->model, piece->vertices[i]);
        round_weights(&skin, joints + (size_t)i * 4, weights + (size_t)i * 4);
    }
    json_t *attributes = gltf_object(builder, piece->primitive, "attributes");
    if (attributes) {
        gltf_put(builder, attributes, "JOINTS_0",
                 json_integer(gltf_add_integers(builder, joints, piece->vertex_count, "VEC4",
                                                GLTF_ARRAY_BUFFER, GLTF_U8)));
        gltf_put(builder, attributes, "WEIGHTS_0",
                 json_integer(gltf_add_floats(builder, weights, piece->vertex_count, "VEC4",
                                              GLTF_ARRAY_BUFFER, false)));
    }
    mmd_free(joints);
    mmd_free(weights);
}

/* ------------------------------------------------------------------ skin */

/* The inverse of a place without scale, in double. */
static void bind(const float world[16], float inverse[16])
{
    for (int c = 0; c < 3; c++) {
        double moved = 0;
        for (int r = 0; r < 3; r++) {
            inverse[c * 4 + r] = world[r * 4 + c];
            moved -= (double)world[c * 4 + r] * (double)world[12 + r];
        }
        inverse[c * 4 + 3] = 0;
        inverse[12 + c] = (float)moved;
    }
    inverse[15] = 1;
    for (int k = 0; k < 16; k++)
        inverse[k] += 0.0F; /* no -0 */
}

static void tell_blends(const gltf_mesh_writer *writer)
{
    static const struct {
        uint8_t deform;
        const char *name;
    } kinds[] = {{MMD_DEFORM_SDEF, "SDEF"}, {MMD_DEFORM_QDEF, "QDEF"}};
    const mmd_vertices *v = &writer->model->vertices;
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < v->count; i++)
            count += v->deform[i] == kinds[kind].deform;
        if (count > 0)
            gltf_count_loss(writer->builder, MMD_LOSS_INFO, "skin.approximated", "mesh", kinds[kind].name,
                            count);
    }
}

int32_t gltf_write_skin(gltf_mesh_writer *writer)
{
    gltf_builder *builder = writer->builder;
    uint32_t bones = bone_joints(writer->model), root = writer->model->bone_count, count = bones + 1;
    float(*matrices)[16] = gltf_mesh_alloc(writer, count, sizeof *matrices);
    json_t *joints = json_array();
    for (uint32_t i = 0; i < count && !builder->failed; i++) {
        uint32_t node = i < bones ? i : root;
        bind(builder->places[node].world, matrices[i]);
        builder->failed = json_array_append_new(joints, json_integer(node)) != 0;
    }
    json_t *skin = json_pack("{s:o, s:i}", "joints", joints, "skeleton", (int)root);
    if (matrices)
        gltf_put(builder, skin, "inverseBindMatrices",
                 json_integer(gltf_add_floats(builder, matrices[0], count, "MAT4", 0, false)));
    tell_blends(writer);
    return gltf_append(builder, "skins", skin);
}
