/*
 * OMI_physics_body, _shape, _joint and _gravity, seed and newer dialect
 * (FORMATS.md 2; seeds/omi-physics-joint.md).
 */
#include "physics.h"

mmd_status gltf_read_omi(gltf_file *file)
{
    phys_reader reader;
    mmd_status status = phys_begin_reading(&reader, file, true);
    if (!status)
        status = phys_sort(&reader);
    if (!status)
        status = phys_bodies(&reader);
    if (!status)
        status = omi_read_joints(&reader);
    if (!status)
        status = omi_read_gravity(&reader);
    return phys_end_reading(&reader, status);
}
