#include "compare_models.h"
#include "support.h"

#define SAME(field)      assert_int_equal(a->field, b->field)
#define SAME_TEXT(field) assert_string_equal(a->field, b->field)
/* Compare the bytes of fields and arrays, so that NaNs compare equal. The elements of an array must be of one
 * number type, without padding. */
#define SAME_BYTES(field) assert_memory_equal(&a->field, &b->field, sizeof a->field)
#define SAME_ARRAY(field, count)                                                                             \
    do {                                                                                                     \
        if (count)                                                                                           \
            assert_memory_equal(a->field, b->field, (count) * sizeof *a->field);                             \
    } while (0)

static void compare_vertices(const mmd_vertices *a, const mmd_vertices *b)
{
    SAME(count);
    SAME(additional_uv_count);
    SAME(sdef_count);
    SAME_ARRAY(position, a->count);
    SAME_ARRAY(normal, a->count);
    SAME_ARRAY(uv, a->count);
    for (uint32_t i = 0; i < a->additional_uv_count; i++)
        SAME_ARRAY(additional_uv[i], a->count);
    SAME_ARRAY(deform, a->count);
    SAME_ARRAY(bone, a->count);
    SAME_ARRAY(weight, a->count);
    SAME_ARRAY(edge_scale, a->count);
    if (a->sdef_count)
        SAME_ARRAY(sdef_index, a->count);
    SAME_ARRAY(sdef, a->sdef_count);
}

static void compare_materials(const mmd_material *a, const mmd_material *b)
{
    SAME_TEXT(name);
    SAME_TEXT(name_en);
    SAME_TEXT(memo);
    SAME_BYTES(diffuse);
    SAME_BYTES(specular);
    SAME_BYTES(specular_power);
    SAME_BYTES(ambient);
    SAME_BYTES(edge_color);
    SAME_BYTES(edge_size);
    SAME(flags);
    SAME(sphere_mode);
    SAME(shared_toon);
    SAME(texture);
    SAME(sphere);
    SAME(toon);
    SAME(first_index);
    SAME(index_count);
}

static void compare_links(const mmd_ik_link *a, const mmd_ik_link *b)
{
    SAME(bone);
    SAME(has_limit);
    SAME_BYTES(lower);
    SAME_BYTES(upper);
}

static void compare_bones(const mmd_bone *a, const mmd_bone *b)
{
    SAME_TEXT(name);
    SAME_TEXT(name_en);
    SAME_BYTES(position);
    SAME(parent);
    SAME(layer);
    SAME(flags);
    SAME(tail_bone);
    SAME_BYTES(tail_offset);
    SAME(append_source);
    SAME_BYTES(append_ratio);
    SAME_BYTES(fixed_axis);
    SAME_BYTES(local_x);
    SAME_BYTES(local_z);
    SAME(external_key);
    SAME(ik_target);
    SAME(ik_loops);
    SAME_BYTES(ik_limit);
    SAME(ik_link_count);
    for (uint32_t i = 0; i < a->ik_link_count; i++)
        compare_links(&a->ik_links[i], &b->ik_links[i]);
}

static void compare_impulses(const mmd_impulse_offset *a, const mmd_impulse_offset *b)
{
    SAME(body);
    SAME(local);
    SAME_BYTES(velocity);
    SAME_BYTES(torque);
}

static void compare_material_offsets(const mmd_material_offset *a, const mmd_material_offset *b)
{
    SAME(material);
    SAME(operation);
    SAME_BYTES(values);
}

static void compare_morphs(const mmd_morph *a, const mmd_morph *b)
{
    SAME_TEXT(name);
    SAME_TEXT(name_en);
    SAME(panel);
    SAME(kind);
    SAME(count);
    switch (a->kind) {
    case MMD_MORPH_GROUP:
    case MMD_MORPH_FLIP:
        SAME_ARRAY(offsets.group, a->count);
        break;
    case MMD_MORPH_VERTEX:
        SAME_ARRAY(offsets.vertex, a->count);
        break;
    case MMD_MORPH_BONE:
        SAME_ARRAY(offsets.bone, a->count);
        break;
    case MMD_MORPH_MATERIAL:
        for (uint32_t i = 0; i < a->count; i++)
            compare_material_offsets(&a->offsets.material[i], &b->offsets.material[i]);
        break;
    case MMD_MORPH_IMPULSE:
        for (uint32_t i = 0; i < a->count; i++)
            compare_impulses(&a->offsets.impulse[i], &b->offsets.impulse[i]);
        break;
    default:
        SAME_ARRAY(offsets.uv, a->count);
        break;
    }
}

static void compare_frames(const mmd_display_frame *a, const mmd_display_frame *b)
{
    SAME_TEXT(name);
    SAME_TEXT(name_en);
    SAME(special);
    SAME(count);
    for (uint32_t i = 0; i < a->count; i++) {
        SAME(items[i].kind);
        SAME(items[i].index);
    }
}

static void compare_bodies(const mmd_rigid_body *a, const mmd_rigid_body *b)
{
    SAME_TEXT(name);
    SAME_TEXT(name_en);
    SAME(bone);
    SAME(group);
    SAME(mask);
    SAME(shape);
    SAME_BYTES(size);
    SAME_BYTES(position);
    SAME_BYTES(rotation);
    SAME_BYTES(mass);
    SAME_BYTES(linear_damping);
    SAME_BYTES(angular_damping);
    SAME_BYTES(restitution);
    SAME_BYTES(friction);
    SAME(mode);
}

static void compare_joints(const mmd_joint *a, const mmd_joint *b)
{
    SAME_TEXT(name);
    SAME_TEXT(name_en);
    SAME(kind);
    SAME(body_a);
    SAME(body_b);
    SAME_BYTES(position);
    SAME_BYTES(rotation);
    SAME_BYTES(linear_lower);
    SAME_BYTES(linear_upper);
    SAME_BYTES(angular_lower);
    SAME_BYTES(angular_upper);
    SAME_BYTES(linear_spring);
    SAME_BYTES(angular_spring);
}

static void compare_soft_bodies(const mmd_soft_body *a, const mmd_soft_body *b)
{
    SAME_TEXT(name);
    SAME_TEXT(name_en);
    SAME(shape);
    SAME(material);
    SAME(group);
    SAME(mask);
    SAME(flags);
    SAME(link_distance);
    SAME(cluster_count);
    SAME_BYTES(mass);
    SAME_BYTES(margin);
    SAME(aero_model);
    SAME_BYTES(config);
    SAME_BYTES(cluster);
    SAME_BYTES(iterations);
    SAME_BYTES(material_config);
    SAME(anchor_count);
    SAME(pin_count);
    for (uint32_t i = 0; i < a->anchor_count; i++) {
        SAME(anchors[i].body);
        SAME(anchors[i].vertex);
        SAME(anchors[i].near_mode);
    }
    SAME_ARRAY(pins, a->pin_count);
}

static void compare_layouts(const mmd_pmx_layout *a, const mmd_pmx_layout *b)
{
    SAME(encoding);
    SAME(vertex_index_size);
    SAME(texture_index_size);
    SAME(material_index_size);
    SAME(bone_index_size);
    SAME(morph_index_size);
    SAME(body_index_size);
    SAME(globals_count);
    if (a->globals_count > 8)
        SAME_ARRAY(extra_globals, a->globals_count - 8u);
    SAME(hard_space);
    SAME(no_soft_bodies);
    SAME(trailing_size);
    SAME_ARRAY(trailing, a->trailing_size);
}

void assert_models_equal(const mmd_model *a, const mmd_model *b)
{
    SAME_BYTES(version);
    compare_layouts(&a->layout, &b->layout);
    SAME_TEXT(name);
    SAME_TEXT(name_en);
    SAME_TEXT(comment);
    SAME_TEXT(comment_en);
    compare_vertices(&a->vertices, &b->vertices);
    SAME(index_count);
    SAME_ARRAY(indices, a->index_count);
    SAME(texture_count);
    for (uint32_t i = 0; i < a->texture_count; i++)
        SAME_TEXT(textures[i]);
#define SAME_EACH(count, array, compare)                                                                     \
    do {                                                                                                     \
        SAME(count);                                                                                         \
        for (uint32_t i = 0; i < a->count; i++)                                                              \
            compare(&a->array[i], &b->array[i]);                                                             \
    } while (0)
    SAME_EACH(material_count, materials, compare_materials);
    SAME_EACH(bone_count, bones, compare_bones);
    SAME_EACH(morph_count, morphs, compare_morphs);
    SAME_EACH(frame_count, frames, compare_frames);
    SAME_EACH(body_count, bodies, compare_bodies);
    SAME_EACH(joint_count, joints, compare_joints);
    SAME_EACH(soft_body_count, soft_bodies, compare_soft_bodies);
#undef SAME_EACH
}
