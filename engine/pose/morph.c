/* Morph weights, and their effect on bones and materials (docs/mmd.md 2). Vertex and UV morphs need only
 * weights here; the shader applies them. */
#include "pose_internal.h"

#include <assert.h>
#include <string.h>

#include "mmd/elementary.h"

/* Limit that MMD does not have: values of bones and materials that groups change in a frame. */
enum { GROUP_WORK_MAX = 1 << 22 };

/* Returns the first group with which all groups together would exceed the limit; morph_count if none does. */
static uint32_t find_groups_end(const mmd_model *model)
{
    uint64_t work = 0;
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph *morph = &model->morphs[m];
        for (uint32_t i = 0; morph->kind == MMD_MORPH_GROUP && i < morph->count; i++) {
            int32_t member = morph->offsets.group[i].morph;
            uint8_t kind = member < 0 ? MMD_MORPH_GROUP : model->morphs[member].kind;
            work += 1;
            if (kind == MMD_MORPH_BONE)
                work += model->morphs[member].count;
            else if (kind == MMD_MORPH_MATERIAL)
                work += (uint64_t)model->morphs[member].count * model->material_count;
            if (work > GROUP_WORK_MAX)
                return m;
        }
    }
    return model->morph_count;
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
    pose->groups_end = find_groups_end(model);
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
    return true;
}

/* Adds the weights of groups to their members, with flips also to flip morphs. Groups in groups count for
 * nothing. */
static void spread_groups(const mmd_pose *pose, bool flips, float *weights)
{
    const mmd_model *model = pose->model;
    for (uint32_t m = 0; m < model->morph_count && pose->has_group_morphs; m++) {
        const mmd_morph *morph = &model->morphs[m];
        if (morph->kind != MMD_MORPH_GROUP || weights[m] == 0.0f)
            continue;
        for (uint32_t i = 0; i < morph->count; i++) {
            int32_t member = morph->offsets.group[i].morph;
            if (member < 0 || model->morphs[member].kind == MMD_MORPH_GROUP ||
                (!flips && model->morphs[member].kind == MMD_MORPH_FLIP))
                continue;
            weights[member] += weights[m] * morph->offsets.group[i].ratio;
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

/* Applies a bone morph, after those that turned its bones before (docs/mmd.md 2.6). */
static void apply_bone_morph(mmd_pose *pose, const mmd_morph *morph, float weight)
{
    if (!pose->bone_morphs_active) {
        pose->bone_morphs_active = true;
        for (uint32_t b = 0; b < pose->model->bone_count; b++)
            pose->morph_bones[b] = (mmd_transform){.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    }
    for (uint32_t i = 0; i < morph->count; i++) {
        const mmd_bone_offset *offset = &morph->offsets.bone[i];
        if (offset->bone < 0)
            continue;
        mmd_transform *sum = &pose->morph_bones[offset->bone];
        float part[4];
        quat_power(offset->rotation, weight, part);
        quat_multiply(part, sum->rotation, sum->rotation);
        for (int k = 0; k < 3; k++)
            sum->translation[k] += offset->translation[k] * weight;
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

/* Applies a material morph to the products and sums of pose->factors. */
static void apply_material_morph(mmd_pose *pose, const mmd_morph *morph, float weight)
{
    uint32_t count = pose->model->material_count;
    for (uint32_t i = 0; i < morph->count; i++) {
        const mmd_material_offset *offset = &morph->offsets.material[i];
        uint32_t first = offset->material < 0 ? 0 : (uint32_t)offset->material;
        uint32_t last = offset->material < 0 ? count : first + 1;
        for (uint32_t material = first; material < last; material++)
            add_material_offset(&pose->factors[material], &pose->factors[count + material], offset, weight);
    }
}

static void apply_morph(mmd_pose *pose, const mmd_morph *morph, float weight)
{
    if (weight == 0.0f)
        return;
    if (morph->kind == MMD_MORPH_BONE)
        apply_bone_morph(pose, morph, weight);
    else if (morph->kind == MMD_MORPH_MATERIAL)
        apply_material_morph(pose, morph, weight);
}

/* Applies bone and material morphs in the order of the list, each time with one weight: its own, and at the
 * place of a group the group's. */
static void apply_morphs(mmd_pose *pose)
{
    const mmd_model *model = pose->model;
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph *morph = &model->morphs[m];
        float weight = pose->weights[m];
        apply_morph(pose, morph, weight);
        if (morph->kind != MMD_MORPH_GROUP || weight == 0.0f || m >= pose->groups_end)
            continue;
        for (uint32_t i = 0; i < morph->count; i++) {
            const mmd_group_offset *member = &morph->offsets.group[i];
            if (member->morph >= 0)
                apply_morph(pose, &model->morphs[member->morph], weight * member->ratio);
        }
    }
}

void pose_morphs_evaluate(mmd_pose *pose, const float *weights)
{
    assert(pose);
    uint32_t materials = pose->model->material_count;
    memcpy(pose->weights, weights, pose->model->morph_count * sizeof *weights);
    if (pose->has_flip_morphs)
        apply_flips(pose, weights);
    pose->bone_morphs_active = false;
    for (size_t i = 0; pose->has_material_morphs && i < (size_t)materials * MATERIAL_FLOATS; i++) {
        ((float *)pose->factors)[i] = 1.0f;
        ((float *)(pose->factors + materials))[i] = 0.0f;
    }
    if (pose->has_bone_morphs || pose->has_material_morphs)
        apply_morphs(pose);
    for (uint32_t i = 0; pose->has_material_morphs && i < materials; i++)
        combine_material(&pose->rest_materials[i], &pose->factors[i], &pose->factors[materials + i],
                         &pose->materials[i], &pose->material_adds[i]);
    spread_groups(pose, false, pose->weights); /* for vertices and UVs, where order does not matter */
}
