#include "dump_hash.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "mmd/pose.h"

const char *const dump_part_names[DUMP_PARTS] = {"bones", "morphs", "vertices", "camera", "light", "bodies"};

dump_hash dump_hash_begin(unsigned parts)
{
    dump_hash hash = {.wanted = parts, .all = digest_begin()};
    for (int i = 0; i < DUMP_PARTS; i++)
        if (parts & 1u << i)
            hash.parts[i] = digest_begin();
    return hash;
}

void dump_hash_floats(dump_hash *hash, int part, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0x7fc00000;
        if (!isnan(values[i]))
            memcpy(&bits, &values[i], sizeof bits);
        const uint8_t bytes[4] = {bits & 255, bits >> 8 & 255, bits >> 16 & 255, bits >> 24};
        digest_add(&hash->parts[part], bytes, sizeof bytes);
        digest_add(&hash->all, bytes, sizeof bytes);
    }
}

/* Returns whether a part is wanted. */
static bool has(const dump_hash *hash, int part)
{
    return hash->wanted & 1u << part;
}

void dump_hash_pose(dump_hash *hash, const mmd_model *model, const mmd_pose *pose)
{
    for (uint32_t i = 0; has(hash, DUMP_BONES) && i < model->bone_count; i++) {
        float matrix[16];
        mmd_transform_matrix(&mmd_pose_world(pose)[i], matrix);
        dump_hash_floats(hash, DUMP_BONES, matrix, 16);
    }
    if (has(hash, DUMP_MORPHS))
        dump_hash_floats(hash, DUMP_MORPHS, mmd_pose_weights(pose), model->morph_count);
}

void dump_hash_vertices(dump_hash *hash, const mmd_skinned_vertex *vertices, uint32_t count)
{
    if (!has(hash, DUMP_VERTICES))
        return;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            dump_hash_floats(hash, DUMP_VERTICES, &(float){(float)vertices[i].position[k]}, 1);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            dump_hash_floats(hash, DUMP_VERTICES, &(float){(float)vertices[i].normal[k]}, 1);
}

void dump_hash_scene(dump_hash *hash, const mmd_stage *stage)
{
    const mmd_camera *camera = mmd_stage_camera(stage);
    const mmd_light *light = mmd_stage_light(stage);
    if (has(hash, DUMP_CAMERA)) {
        dump_hash_floats(hash, DUMP_CAMERA, &camera->distance, 1);
        dump_hash_floats(hash, DUMP_CAMERA, camera->position, 3);
        dump_hash_floats(hash, DUMP_CAMERA, camera->rotation, 3);
        dump_hash_floats(hash, DUMP_CAMERA, &camera->fov, 1);
        dump_hash_floats(hash, DUMP_CAMERA, &(float){camera->perspective ? 1 : 0}, 1);
    }
    if (has(hash, DUMP_LIGHT)) {
        dump_hash_floats(hash, DUMP_LIGHT, light->color, 3);
        dump_hash_floats(hash, DUMP_LIGHT, light->direction, 3);
    }
}

bool dump_hash_end(dump_hash *hash, digest parts[DUMP_PARTS], digest *all)
{
    bool made = true;
    for (int i = 0; i < DUMP_PARTS; i++) {
        parts[i] = digest_end(&hash->parts[i]);
        made = made && (!has(hash, i) || *parts[i].text);
    }
    *all = digest_end(&hash->all);
    return made && *all->text;
}
