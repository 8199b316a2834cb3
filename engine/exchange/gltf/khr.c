/*
 * KHR_physics_rigid_bodies, seed and current dialect (FORMATS.md 1;
 * seeds/khr-physics-rigid-bodies.md): a joint stands on a node and names
 * another, and joins the bodies that the two are fixed to.
 */
#include "physics.h"

static mmd_status read_joints(phys_reader *reader)
{
    const gltf_file *file = reader->file;
    json_spot descriptions;
    mmd_status status =
        json_read_kind(&file->reader, &reader->rigid, "physicsJoints", JSON_ARRAY, &descriptions);
    for (uint32_t i = 0; i < file->node_count && !status; i++) {
        phys_spot spot;
        json_spot joint;
        mmd_phys_joint *added;
        if (!file->nodes[i].in_scene || !phys_spot_of(reader, i, reader->extension, &spot))
            continue;
        status = json_read_kind(&file->reader, &spot.physics, "joint", JSON_OBJECT, &joint);
        if (!status && joint.value)
            status = phys_read_node_joint(reader, &joint, i, &descriptions, &added);
    }
    return status;
}

mmd_status gltf_read_khr(gltf_file *file)
{
    phys_reader reader;
    mmd_status status = phys_begin_reading(&reader, file, false);
    if (!status)
        status = phys_sort(&reader);
    if (!status)
        status = phys_bodies(&reader);
    if (!status)
        status = read_joints(&reader);
    return phys_end_reading(&reader, status);
}
