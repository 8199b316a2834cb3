/*
 * Skins of a glTF (glTF 2.0, 3.7.3): where vertices stand while all joints
 * are at rest, and which bones carry them. The node of a skinned mesh has no
 * say in that.
 */
#include <string.h>

#include "gltf_mesh.h"

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* Column-major a * b, both affine. */
static void multiply(const float a[16], const float b[16], float out[16])
{
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            float sum = 0;
            for (int k = 0; k < 4; k++)
                sum += a[k * 4 + r] * b[c * 4 + k];
            out[c * 4 + r] = sum;
        }
}

static mmd_status read_joints(gltf_file *file, const json_spot *skin, gltf_frame *frame)
{
    json_spot joints;
    mmd_status status = json_read_kind(&file->reader, skin, "joints", JSON_ARRAY, &joints);
    size_t count = json_spot_count(&joints);
    if (status == MMD_OK && (count == 0 || count > UINT16_MAX + 1))
        status = json_spot_fail(&file->reader, skin, MMD_ERROR_COUNT, "%zu joints", count);
    if (status == MMD_OK)
        status = gltf_alloc(file, &joints, file->reader.arena, count, sizeof *frame->joints, &frame->joints);
    for (size_t i = 0; i < count && status == MMD_OK; i++) {
        json_spot spot = json_spot_element(&joints, i);
        json_int_t node = json_integer_value(spot.value);
        if (!json_is_integer(spot.value) || node < 0 || node >= (json_int_t)file->node_count)
            status =
                json_spot_fail(&file->reader, &spot, MMD_ERROR_INDEX, "none of %u nodes", file->node_count);
        else
            frame->joints[i] = (int32_t)node;
    }
    frame->joint_count = (uint32_t)count;
    return status;
}

static mmd_status read_matrices(gltf_file *file, const json_spot *skin, gltf_frame *frame)
{
    json_spot spot = json_spot_member(skin, "inverseBindMatrices");
    int32_t accessor;
    float *inverse = NULL;
    uint32_t count = 0;
    mmd_status status = json_read_index(&file->reader, skin, "inverseBindMatrices", INT32_MAX, &accessor);
    if (status == MMD_OK && accessor >= 0)
        status = gltf_read_floats(file, &spot, accessor, 16, &inverse, &count, NULL);
    if (status == MMD_OK && accessor >= 0 && count < frame->joint_count)
        status = json_spot_fail(&file->reader, &spot, MMD_ERROR_COUNT, "%u matrices for %u joints", count,
                                frame->joint_count);
    if (status == MMD_OK)
        status = gltf_alloc(file, &spot, file->reader.arena, frame->joint_count, sizeof *frame->matrices,
                            &frame->matrices);
    for (uint32_t i = 0; i < frame->joint_count && status == MMD_OK; i++)
        multiply(file->nodes[frame->joints[i]].world, inverse ? inverse + (size_t)i * 16 : identity,
                 frame->matrices[i]);
    return status;
}

/* Weights that sum to one; joints that weigh nothing are none. */
static mmd_status check_weights(gltf_file *file, gltf_frame *frame)
{
    const json_spot spot = json_spot_member(&frame->primitive.attributes, "JOINTS_0");
    for (uint32_t i = 0; i < frame->primitive.vertex_count; i++) {
        uint32_t *joints = frame->vertex_joints + (size_t)i * 4;
        float *weights = frame->vertex_weights + (size_t)i * 4, sum = 0;
        for (int k = 0; k < 4; k++) {
            weights[k] = weights[k] > 0 ? weights[k] : 0;
            joints[k] = weights[k] > 0 ? joints[k] : 0;
            sum += weights[k];
            if (joints[k] >= frame->joint_count)
                return json_spot_fail(&file->reader, &spot, MMD_ERROR_INDEX, "joint %u where there are %u",
                                      joints[k], frame->joint_count);
        }
        if (!(sum > 0))
            weights[0] = sum = 1;
        for (int k = 0; k < 4; k++)
            weights[k] /= sum;
    }
    return MMD_OK;
}

static mmd_status read_weights(gltf_file *file, gltf_frame *frame)
{
    const json_spot *attributes = &frame->primitive.attributes;
    json_spot spot = json_spot_member(attributes, "JOINTS_0");
    int32_t accessor;
    uint32_t count = 0;
    mmd_status status = json_read_index(&file->reader, attributes, "JOINTS_0", INT32_MAX, &accessor);
    if (status == MMD_OK && accessor >= 0)
        status = gltf_read_integers(file, &spot, accessor, 4, &frame->vertex_joints, &count);
    if (status == MMD_OK && count != frame->primitive.vertex_count)
        status = json_spot_fail(&file->reader, attributes, MMD_ERROR_COUNT, "joints of %u of %u vertices",
                                count, frame->primitive.vertex_count);
    if (status == MMD_OK)
        status = gltf_read_attribute(file, &frame->primitive, attributes, "WEIGHTS_0", 4,
                                     &frame->vertex_weights, NULL);
    if (status == MMD_OK && !frame->vertex_weights)
        status = json_spot_fail(&file->reader, attributes, MMD_ERROR_COUNT, "joints without weights");
    return status == MMD_OK ? check_weights(file, frame) : status;
}

static mmd_status read_skin(gltf_file *file, int32_t number, gltf_frame *frame)
{
    json_spot skins, skin;
    mmd_status status = gltf_list(file, "skins", &skins);
    if (status == MMD_OK)
        status = gltf_element(file, &skins, (size_t)number, &skin);
    if (status == MMD_OK)
        status = read_joints(file, &skin, frame);
    if (status == MMD_OK)
        status = read_matrices(file, &skin, frame);
    return status == MMD_OK ? read_weights(file, frame) : status;
}

mmd_status gltf_open_frame(gltf_scene *scene, const gltf_piece *piece, gltf_frame *frame)
{
    gltf_file *file = scene->file;
    const gltf_node *node = &file->nodes[piece->node];
    frame->indices = NULL;
    frame->world = node->world;
    frame->joint_count = 0;
    frame->split = piece->split;
    mmd_status status = gltf_open_primitive(file, node->mesh, piece->primitive, &frame->primitive);
    if (status == MMD_OK)
        status = gltf_primitive_indices(file, &frame->primitive, &frame->indices);
    bool skinned = node->skin >= 0 && json_object_get(frame->primitive.attributes.value, "JOINTS_0");
    return status == MMD_OK && skinned ? read_skin(file, node->skin, frame) : status;
}

mmd_status gltf_read_attribute(gltf_file *file, const gltf_primitive *primitive, const json_spot *of,
                               const char *name, uint32_t components, float **values, uint32_t *found)
{
    json_spot spot = json_spot_member(of, name);
    int32_t accessor;
    uint32_t count = 0;
    *values = NULL;
    mmd_status status = json_read_index(&file->reader, of, name, INT32_MAX, &accessor);
    if (status != MMD_OK || accessor < 0)
        return status;
    status = gltf_read_floats(file, &spot, accessor, components, values, &count, found);
    if (status == MMD_OK && count != primitive->vertex_count)
        status = json_spot_fail(&file->reader, &spot, MMD_ERROR_COUNT, "%u values for %u vertices", count,
                                primitive->vertex_count);
    return status;
}

uint32_t gltf_frame_source(const gltf_frame *frame, uint32_t vertex)
{
    return frame->split ? frame->indices[vertex] : vertex;
}

void gltf_frame_matrix(const gltf_frame *frame, uint32_t source, float matrix[16])
{
    if (frame->joint_count == 0) {
        memcpy(matrix, frame->world, 16 * sizeof *matrix);
        return;
    }
    memset(matrix, 0, 16 * sizeof *matrix);
    for (int k = 0; k < 4; k++) {
        float weight = frame->vertex_weights[(size_t)source * 4 + (size_t)k];
        const float *joint = frame->matrices[frame->vertex_joints[(size_t)source * 4 + (size_t)k]];
        for (int i = 0; weight > 0 && i < 16; i++)
            matrix[i] += weight * joint[i];
    }
}

void gltf_frame_deform(const gltf_frame *frame, uint32_t node, uint32_t source, mmd_vertices *vertices,
                       uint32_t at)
{
    static const uint8_t kinds[] = {MMD_DEFORM_BDEF1, MMD_DEFORM_BDEF1, MMD_DEFORM_BDEF2, MMD_DEFORM_BDEF4,
                                    MMD_DEFORM_BDEF4};
    int32_t *bone = vertices->bone[at];
    float *weight = vertices->weight[at];
    uint32_t used = 0;
    memcpy(bone, (const int32_t[4]){(int32_t)node, -1, -1, -1}, 4 * sizeof *bone);
    memcpy(weight, (const float[4]){1, 0, 0, 0}, 4 * sizeof *weight);
    for (size_t k = 0; frame->joint_count > 0 && k < 4; k++) {
        float share = frame->vertex_weights[(size_t)source * 4 + k];
        if (!(share > 0))
            continue;
        bone[used] = frame->joints[frame->vertex_joints[(size_t)source * 4 + k]];
        weight[used++] = share;
    }
    vertices->deform[at] = kinds[used];
    if (used == 1)
        weight[0] = 1;
    if (used == 2)
        weight[1] = 1 - weight[0];
}
