/* Morph weights, and their effect on bones and materials (docs/mmd.md 2). Vertex and UV morphs need only
 * weights here; the shader applies them. */
#include "pose_internal.h"

#include <assert.h>
#include <string.h>

#include "mmd/elementary.h"

/* Orders the group morphs so that a group comes before the groups it contains (Kahn's algorithm). Groups in a
 * cycle come last and do not affect each other, so that evaluation ends. */
static bool order_groups(mmd_pose *pose)
{
    const mmd_model *model = pose->model;
    uint32_t *incoming = mmd_arena_alloc(&pose->arena, model->morph_count, sizeof *incoming);
    pose->group_order = mmd_arena_alloc(&pose->arena, model->morph_count, sizeof *pose->group_order);
    if (!incoming || !pose->group_order)
        return false;
    uint32_t total = 0;
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph *morph = &model->morphs[m];
        if (morph->kind != MMD_MORPH_GROUP)
            continue;
        total++;
        for (uint32_t i = 0; i < morph->count; i++)
            if (morph->offsets.group[i].morph >= 0)
                incoming[morph->offsets.group[i].morph]++;
    }
    uint32_t count = 0, next = 0;
    for (uint32_t m = 0; m < model->morph_count; m++)
        if (model->morphs[m].kind == MMD_MORPH_GROUP && incoming[m] == 0)
            pose->group_order[count++] = m;
    while (next < count) {
        const mmd_morph *morph = &model->morphs[pose->group_order[next++]];
        for (uint32_t i = 0; i < morph->count; i++) {
            int32_t child = morph->offsets.group[i].morph;
            if (child >= 0 && --incoming[child] == 0 && model->morphs[child].kind == MMD_MORPH_GROUP)
                pose->group_order[count++] = (uint32_t)child;
        }
    }
    pose->group_count = count;
    for (uint32_t m = 0; m < model->morph_count && count < total; m++)
        if (model->morphs[m].kind == MMD_MORPH_GROUP && incoming[m] > 0)
            pose->group_order[count++] = m;
    pose->group_total = count;
    return true;
}

bool pose_morphs_init(mmd_pose *pose)
{
    assert(pose);
    const mmd_model *model = pose->model;
    for (uint32_t m = 0; m < model->morph_count; m++) {
        pose->has_group_morphs |= model->morphs[m].kind == MMD_MORPH_GROUP;
        pose->has_flip_morphs |= model->morphs[m].kind == MMD_MORPH_FLIP;
        pose->has_bone_morphs |= model->morphs[m].kind == MMD_MORPH_BONE;
        pose->has_material_morphs |= model->morphs[m].kind == MMD_MORPH_MATERIAL;
    }
    mmd_arena *arena = &pose->arena;
    pose->weights = mmd_arena_alloc(arena, model->morph_count, sizeof *pose->weights);
    pose->materials = mmd_arena_alloc(arena, model->material_count, sizeof *pose->materials);
    pose->material_adds = mmd_arena_alloc(arena, model->material_count, sizeof *pose->material_adds);
    pose->flip_weights = mmd_arena_alloc(arena, model->morph_count, sizeof *pose->flip_weights);
    if (!pose->weights || !pose->materials || !pose->material_adds || !pose->flip_weights)
        return false;
    for (uint32_t i = 0; i < model->material_count; i++)
        mmd_material_rest_values(&model->materials[i], &pose->materials[i]);
    if (pose->has_material_morphs) {
        pose->rest_materials = mmd_arena_alloc(arena, model->material_count, sizeof *pose->rest_materials);
        pose->factors = mmd_arena_alloc(arena, model->material_count, 2 * sizeof *pose->factors);
        if (!pose->rest_materials || !pose->factors)
            return false;
        memcpy(pose->rest_materials, pose->materials, model->material_count * sizeof *pose->materials);
    }
    if (pose->has_bone_morphs) {
        pose->morph_bones = mmd_arena_alloc(arena, model->bone_count, sizeof *pose->morph_bones);
        if (!pose->morph_bones)
            return false;
    }
    return !pose->has_group_morphs || order_groups(pose);
}

/* Adds the weights of groups to their children, with flips also to flip children. Groups in a cycle, and
 * below one, get no weight from other groups. */
static void spread_groups(const mmd_pose *pose, bool flips, float *weights)
{
    const mmd_model *model = pose->model;
    for (uint32_t g = 0; g < pose->group_total; g++) {
        uint32_t m = pose->group_order[g];
        const mmd_morph *morph = &model->morphs[m];
        float weight = weights[m];
        for (uint32_t i = 0; weight != 0.0f && i < morph->count; i++) {
            int32_t child = morph->offsets.group[i].morph;
            if (child < 0 || (!flips && model->morphs[child].kind == MMD_MORPH_FLIP))
                continue;
            if (g >= pose->group_count && model->morphs[child].kind == MMD_MORPH_GROUP)
                continue; /* part of a cycle */
            weights[child] += weight * morph->offsets.group[i].ratio;
        }
    }
}

/* Pass 1: each flip morph sets the child that its weight, including groups, selects. */
static void apply_flips(mmd_pose *pose, const float *weights)
{
    const mmd_model *model = pose->model;
    memcpy(pose->flip_weights, weights, model->morph_count * sizeof *weights);
    spread_groups(pose, true, pose->flip_weights);
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph *morph = &model->morphs[m];
        if (morph->kind != MMD_MORPH_FLIP || morph->count == 0)
            continue;
        float v = pose->flip_weights[m];
        if (!(v > 0.0f))
            continue;
        float position = mmd_minf((float)(morph->count + 1) * mmd_minf(v, 2.0f), (float)morph->count) - 1.0f;
        uint32_t child = position > 0.0f ? (uint32_t)position : 0;
        if (child >= morph->count)
            child = morph->count - 1;
        const mmd_group_offset *selected = &morph->offsets.group[child];
        if (selected->morph >= 0)
            pose->weights[selected->morph] = selected->ratio;
    }
}

static void apply_bone_morphs(mmd_pose *pose)
{
    const mmd_model *model = pose->model;
    pose->bone_morphs_active = false;
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph *morph = &model->morphs[m];
        float weight = pose->weights[m];
        if (morph->kind != MMD_MORPH_BONE || weight == 0.0f)
            continue;
        if (!pose->bone_morphs_active) {
            pose->bone_morphs_active = true;
            for (uint32_t b = 0; b < model->bone_count; b++)
                pose->morph_bones[b] = (mmd_transform){.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
        }
        for (uint32_t i = 0; i < morph->count; i++) {
            const mmd_bone_offset *offset = &morph->offsets.bone[i];
            if (offset->bone < 0)
                continue;
            mmd_transform *sum = &pose->morph_bones[offset->bone];
            float unit[4], part[4];
            quat_copy(offset->rotation, unit);
            quat_normalize(unit);
            quat_power(unit, weight, part);
            quat_multiply(part, sum->rotation, sum->rotation); /* docs/mmd.md 2.6 */
            for (int k = 0; k < 3; k++)
                sum->translation[k] += offset->translation[k] * weight;
        }
    }
}

/* Material values are treated as an array of floats here. */
enum { MATERIAL_FLOATS = sizeof(mmd_material_values) / sizeof(float) };

static void add_material_offset(mmd_material_values *multiply, mmd_material_values *add,
                                const mmd_material_offset *offset, float weight)
{
    const float *value = (const float *)&offset->values;
    float *product = (float *)multiply, *sum = (float *)add;
    for (int k = 0; k < MATERIAL_FLOATS; k++) {
        if (offset->operation == 0)
            product[k] *= 1.0f + (value[k] - 1.0f) * weight;
        else
            sum[k] += value[k] * weight;
    }
}

/* Computes base * multiply + add, except for the three texture factors, which drawing needs separately
 * (docs/mmd.md 6.4). */
static void combine_material(const mmd_material_values *rest, const mmd_material_values *multiply,
                             const mmd_material_values *add, mmd_material_values *result,
                             mmd_material_adds *adds)
{
    const float *r = (const float *)rest, *m = (const float *)multiply, *a = (const float *)add;
    float *out = (float *)result;
    for (int k = 0; k < MATERIAL_FLOATS; k++)
        out[k] = r[k] * m[k] + a[k];
    memcpy(result->texture_factor, multiply->texture_factor, sizeof result->texture_factor);
    memcpy(result->sphere_factor, multiply->sphere_factor, sizeof result->sphere_factor);
    memcpy(result->toon_factor, multiply->toon_factor, sizeof result->toon_factor);
    memcpy(adds->texture, add->texture_factor, sizeof adds->texture);
    memcpy(adds->sphere, add->sphere_factor, sizeof adds->sphere);
    memcpy(adds->toon, add->toon_factor, sizeof adds->toon);
}

static void apply_material_morphs(mmd_pose *pose)
{
    const mmd_model *model = pose->model;
    uint32_t count = model->material_count;
    mmd_material_values *multiply = pose->factors, *add = pose->factors + count;
    memset(add, 0, count * sizeof *add);
    for (size_t i = 0; i < (size_t)count * MATERIAL_FLOATS; i++)
        ((float *)multiply)[i] = 1.0f;
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph *morph = &model->morphs[m];
        float weight = pose->weights[m];
        if (morph->kind != MMD_MORPH_MATERIAL || weight == 0.0f)
            continue;
        for (uint32_t i = 0; i < morph->count; i++) {
            const mmd_material_offset *offset = &morph->offsets.material[i];
            uint32_t first = offset->material < 0 ? 0 : (uint32_t)offset->material;
            uint32_t last = offset->material < 0 ? count : first + 1;
            for (uint32_t material = first; material < last; material++)
                add_material_offset(&multiply[material], &add[material], offset, weight);
        }
    }
    for (uint32_t i = 0; i < count; i++)
        combine_material(&pose->rest_materials[i], &multiply[i], &add[i], &pose->materials[i],
                         &pose->material_adds[i]);
}

void pose_morphs_evaluate(mmd_pose *pose, const float *weights)
{
    assert(pose);
    memcpy(pose->weights, weights, pose->model->morph_count * sizeof *weights);
    if (pose->has_flip_morphs)
        apply_flips(pose, weights);
    spread_groups(pose, false, pose->weights); /* pass 2 */
    if (pose->has_bone_morphs)
        apply_bone_morphs(pose);
    if (pose->has_material_morphs)
        apply_material_morphs(pose);
}
