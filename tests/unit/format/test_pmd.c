/* PMD: the conversion of each block to PMX. */
#include "compare_models.h"
#include "sample_models.h"
#include "support.h"

static mmd_model *read_sample(int tail_blocks)
{
    mmd_buffer out = {0};
    sample_pmd(&out, tail_blocks);
    mmd_model *model = NULL;
    mmd_error error = {0};
    if (mmd_pmd_read(out.data, out.size, &model, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    mmd_buffer_finish(&out);
    return model;
}

static void pmd_tail_blocks_may_be_missing(void **state)
{
    (void)state;
    for (int tail = 0; tail <= 4; tail++) {
        mmd_model *model = read_sample(tail);
        assert_int_equal(model->origin, MMD_ORIGIN_PMD);
        assert_string_equal(model->name, "見本");
        assert_string_equal(model->comment, "一行目\n二行目");
        assert_string_equal(model->name_en, tail >= 1 ? "model" : "");
        assert_string_equal(model->bones[12].name_en, tail >= 1 ? "bm" : "");
        assert_int_equal(model->texture_count, tail >= 2 ? 5 : 4);
        assert_int_equal(model->body_count, tail >= 3 ? 2 : 0);
        assert_int_equal(model->joint_count, tail >= 4 ? 1 : 0);
        mmd_model_destroy(model);
    }
}

static void pmd_blocks_cut_in_the_middle_are_errors(void **state)
{
    (void)state;
    mmd_buffer whole = {0};
    sample_pmd(&whole, 4);
    size_t accepted = 0;
    for (size_t size = 0; size < whole.size; size++) {
        mmd_model *model = NULL;
        accepted += mmd_pmd_read(whole.data, size, &model, NULL) == MMD_OK;
        mmd_model_destroy(model);
    }
    /* Files may end before the English names, the toons, the bodies and the joints. */
    assert_int_equal(accepted, 4);
    mmd_buffer_finish(&whole);
}

static void pmd_vertices_follow_their_weights(void **state)
{
    (void)state;
    mmd_model *model = read_sample(4);
    const mmd_vertices *v = &model->vertices;
    static const uint8_t deforms[5] = {MMD_DEFORM_BDEF1, MMD_DEFORM_BDEF1, MMD_DEFORM_BDEF2, MMD_DEFORM_BDEF1,
                                       MMD_DEFORM_BDEF1};
    static const int32_t first[5] = {1, 2, 1, 1, 1};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(v->deform[i], deforms[i]);
        assert_int_equal(v->bone[i][0], first[i]);
        assert_int_equal(v->bone[i][1], i == 2 ? 2 : -1);
        assert_true(v->edge_scale[i] == (i == 1 ? 0.0f : 1.0f));
    }
    assert_true(v->weight[2][0] == 0.3f && v->weight[2][1] == 1 - 0.3f && v->weight[0][0] == 1);
    assert_true(v->position[1][0] == 2.25f && v->uv[0][1] == 2.0f);
    mmd_model_destroy(model);
}

static void pmd_materials_get_flags_textures_and_toons(void **state)
{
    (void)state;
    mmd_model *model = read_sample(4);
    static const struct {
        uint8_t flags;
        int32_t texture, sphere;
        uint8_t mode;
        bool shared;
        int32_t toon;
    } expected[4] = {
        {MMD_MATERIAL_EDGE | MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_CASTS_SHADOW |
             MMD_MATERIAL_RECEIVES_SHADOW,
         0, 1, MMD_SPHERE_MULTIPLY, true, 0},
        {MMD_MATERIAL_TWO_SIDED | MMD_MATERIAL_RECEIVES_SHADOW, -1, 2, MMD_SPHERE_ADD, false, 4},
        {MMD_MATERIAL_TWO_SIDED | MMD_MATERIAL_CASTS_SHADOW | MMD_MATERIAL_RECEIVES_SHADOW, 3, 1,
         MMD_SPHERE_MULTIPLY, false, -1},
        {MMD_MATERIAL_EDGE | MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_CASTS_SHADOW |
             MMD_MATERIAL_RECEIVES_SHADOW,
         -1, -1, MMD_SPHERE_NONE, true, 4},
    };
    static const char *const textures[5] = {"a.bmp", "b.sph", "c.SPA", "顔.bmp", "mine.bmp"};
    for (int i = 0; i < 5; i++)
        assert_string_equal(model->textures[i], textures[i]);
    for (uint32_t i = 0; i < 4; i++) {
        const mmd_material *material = &model->materials[i];
        assert_int_equal(material->flags, expected[i].flags);
        assert_int_equal(material->texture, expected[i].texture);
        assert_int_equal(material->sphere, expected[i].sphere);
        assert_int_equal(material->sphere_mode, expected[i].mode);
        assert_int_equal(material->shared_toon, expected[i].shared);
        assert_int_equal(material->toon, expected[i].toon);
        assert_int_equal(material->first_index, 3 * i);
        /* PMD stores the power before the specular colour. */
        assert_true(material->specular_power == 5 && material->specular[0] == 0.125f &&
                    material->ambient[2] == 3);
        assert_true(material->edge_color[0] == 0 && material->edge_color[3] == 1 && material->edge_size == 1);
    }
    mmd_model_destroy(model);
}

static void pmd_without_toon_list_uses_the_shared_ones(void **state)
{
    (void)state;
    mmd_model *model = read_sample(1);
    assert_true(model->materials[1].shared_toon && model->materials[1].toon == 1);
    assert_false(model->materials[2].shared_toon);
    assert_int_equal(model->materials[2].toon, -1);
    assert_true(model->materials[3].shared_toon && model->materials[3].toon == 2);
    mmd_model_destroy(model);
}

static void pmd_bones_get_flags_by_kind(void **state)
{
    (void)state;
    const uint16_t plain = MMD_BONE_ROTATABLE | MMD_BONE_VISIBLE | MMD_BONE_OPERABLE | MMD_BONE_TAIL_IS_BONE;
    const uint16_t hidden = MMD_BONE_ROTATABLE | MMD_BONE_TAIL_IS_BONE;
    const uint16_t flags[14] = {plain | MMD_BONE_MOVABLE,
                                plain,
                                plain,
                                plain,
                                plain,
                                hidden,
                                plain | MMD_BONE_MOVABLE | MMD_BONE_IK,
                                plain,
                                plain | MMD_BONE_APPEND_ROTATION,
                                plain,
                                plain | MMD_BONE_FIXED_AXIS,
                                hidden,
                                hidden | MMD_BONE_APPEND_ROTATION,
                                hidden | MMD_BONE_MOVABLE | MMD_BONE_IK};
    mmd_model *model = read_sample(4);
    assert_int_equal(model->bone_count, 14);
    for (int i = 0; i < 14; i++)
        assert_int_equal(model->bones[i].flags, flags[i]);
    const mmd_bone *eye = &model->bones[8], *twist = &model->bones[10], *co_rotate = &model->bones[12];
    assert_true(eye->append_source == 2 && eye->append_ratio == 1);
    for (int k = 0; k < 3; k++)
        assert_true(fabsf(twist->fixed_axis[k] - 0.57735027f) < 1e-6f);
    assert_true(co_rotate->append_source == 10 && co_rotate->append_ratio == 0.5f &&
                co_rotate->tail_bone == -1);
    /* 0 and -1 mean no tail. */
    assert_int_equal(model->bones[1].tail_bone, -1);
    assert_int_equal(model->bones[5].tail_bone, -1);
    assert_int_equal(model->bones[2].tail_bone, 3);
    mmd_model_destroy(model);
}

static void pmd_layers_let_appended_bones_see_ik(void **state)
{
    (void)state;
    mmd_model *model = read_sample(4);
    static const int32_t layers[14] = {0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 0, 0, 0, 1};
    for (int i = 0; i < 14; i++)
        assert_int_equal(model->bones[i].layer, layers[i]);
    static const uint32_t order[14] = {0, 1, 2, 3, 4, 5, 10, 11, 12, 6, 7, 13, 8, 9};
    assert_memory_equal(model->bone_order, order, sizeof order);
    mmd_model_destroy(model);
}

static void pmd_second_ik_entry_gets_a_helper(void **state)
{
    (void)state;
    mmd_model *model = read_sample(4);
    const mmd_bone *ik = &model->bones[6], *helper = &model->bones[13];
    assert_false(ik->internal);
    assert_true(ik->ik_target == 4 && ik->ik_loops == 40 && ik->ik_limit == 2 && ik->ik_link_count == 2);
    assert_true(ik->ik_links[0].bone == 3 && ik->ik_links[0].has_limit);
    assert_true(fabsf(ik->ik_links[0].lower[0] + 3.14159265f) < 1e-6f);
    assert_true(fabsf(ik->ik_links[0].upper[0] + 0.00872665f) < 1e-7f);
    assert_true(ik->ik_links[0].lower[1] == 0 && ik->ik_links[0].upper[2] == 0);
    assert_true(ik->ik_links[1].bone == 2 && !ik->ik_links[1].has_limit);
    assert_true(helper->internal && helper->parent == 6 && helper->ik_target == 5);
    assert_true(helper->ik_loops == 3 && helper->ik_link_count == 1 && helper->ik_links[0].bone == 4);
    assert_memory_equal(helper->position, ik->position, sizeof helper->position);
    assert_string_equal(helper->name_en, "bg");
    mmd_model_destroy(model);
}

static void pmd_morphs_go_through_the_base_list(void **state)
{
    (void)state;
    mmd_model *model = read_sample(4);
    assert_int_equal(model->morph_count, 2);
    const mmd_morph *blink = &model->morphs[0], *a = &model->morphs[1];
    assert_string_equal(blink->name, "まばたき");
    assert_string_equal(blink->name_en, "blink");
    assert_true(blink->kind == MMD_MORPH_VERTEX && blink->panel == 2 && blink->count == 3);
    assert_true(blink->offsets.vertex[0].vertex == 2 && blink->offsets.vertex[1].vertex == 0 &&
                blink->offsets.vertex[2].vertex == 4);
    /* 40 values of vertices, 39 of bones and 9 of the base morph come before it. */
    assert_true(blink->offsets.vertex[0].offset[0] == 0.25f + 0.25f * 88);
    assert_true(a->panel == 3 && a->count == 2);
    assert_true(a->offsets.vertex[0].vertex == 4 && a->offsets.vertex[1].vertex == 0);
    assert_int_equal(model->broken_reference_count, 1);
    assert_string_equal(model->broken_references[0].field, "base entry");
    mmd_model_destroy(model);
}

static void pmd_frames_are_what_an_editor_makes(void **state)
{
    (void)state;
    mmd_model *model = read_sample(4);
    static const char *const names[4] = {"Root", "表情", "ＩＫ", "体"}, *const english[4] = {"Root", "Exp",
                                                                                             "IK", "body"};
    static const int32_t items[4][2] = {{0, -1}, {1, 0}, {6, -1}, {3, 2}};
    assert_int_equal(model->frame_count, 4);
    for (int i = 0; i < 4; i++) {
        const mmd_display_frame *frame = &model->frames[i];
        assert_string_equal(frame->name, names[i]);
        assert_string_equal(frame->name_en, english[i]);
        assert_int_equal(frame->special, i < 2);
        assert_int_equal(frame->count, items[i][1] < 0 ? 1 : 2);
        for (uint32_t k = 0; k < frame->count; k++) {
            assert_int_equal(frame->items[k].kind, i == 1);
            assert_int_equal(frame->items[k].index, items[i][k]);
        }
    }
    mmd_model_destroy(model);
}

static void pmd_bodies_are_relative_to_their_bones(void **state)
{
    (void)state;
    mmd_model *model = read_sample(4);
    const mmd_rigid_body *a = &model->bodies[0], *b = &model->bodies[1];
    assert_true(a->bone == 3 && b->bone == -1);
    assert_true(a->size[0] == 26.75f && a->rotation[0] == 28.25f);
    /* 27.5 in the file, and bone 3 at 12.5; 31 in the file, and bone 0 at 10.25. */
    assert_true(a->position[0] == 40.0f && b->position[0] == 41.25f);
    assert_true(a->mask == 0xfffb && a->group == 2 && a->shape == 1 && a->mode == 1);
    const mmd_joint *joint = &model->joints[0];
    assert_true(joint->body_a == 0 && joint->body_b == 1 && joint->kind == 0);
    assert_true(joint->position[0] == 33.75f);
    mmd_model_destroy(model);
}

static void pmd_becomes_a_pmx(void **state)
{
    (void)state;
    mmd_model *model = read_sample(4), *again = NULL;
    mmd_buffer out = {0};
    assert_int_equal(mmd_pmx_write(model, &out, NULL), MMD_OK);
    assert_int_equal(mmd_pmx_read(out.data, out.size, &again, NULL), MMD_OK);
    model->version = 2.0f;
    model->layout = again->layout;
    assert_models_equal(model, again);
    mmd_model_destroy(model);
    mmd_model_destroy(again);
    mmd_buffer_finish(&out);
}

static void pmd_refuses_what_cannot_be(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint8_t value;
        mmd_status status;
        const char *section;
    } cases[] = {
        {0, 'p', MMD_ERROR_MAGIC, "header"},    {6, 0x40, MMD_ERROR_VERSION, "header"},
        {286, 1, MMD_ERROR_COUNT, "vertex"},    {477, 13, MMD_ERROR_COUNT, "surface"},
        {483, 5, MMD_ERROR_INDEX, "surface 1"}, {508, 1, MMD_ERROR_COUNT, "material"},
        {790, 255, MMD_ERROR_COUNT, "bone"},    {1304, 14, MMD_ERROR_COUNT, "IK 0"},
    };
    mmd_buffer out = {0};
    sample_pmd(&out, 4);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mmd_model *model = NULL;
        mmd_error error = {0};
        uint8_t saved = out.data[cases[i].at];
        out.data[cases[i].at] = cases[i].value;
        assert_int_equal(mmd_pmd_read(out.data, out.size, &model, &error), cases[i].status);
        assert_string_equal(error.section, cases[i].section);
        assert_null(model);
        out.data[cases[i].at] = saved;
    }
    mmd_buffer_finish(&out);
}

typedef struct pmd_files {
    size_t count;
} pmd_files;

static void read_shared(const char *name, void *user)
{
    mmd_bytes bytes = shared_read(name);
    mmd_model *model = NULL;
    mmd_error error = {0};
    if (mmd_pmd_read(bytes.data, bytes.size, &model, &error) != MMD_OK)
        fail_msg("%s: %s: %s", name, error.section, error.message);
    assert_int_equal(model->broken_reference_count, 0);
    ((pmd_files *)user)->count++;
    mmd_model_destroy(model);
    mmd_bytes_finish(&bytes);
}

static void pmd_reads_every_shared_file_without_losses(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    pmd_files files = {0};
    shared_each(".pmd", read_shared, &files);
    print_message("%zu files\n", files.count);
    assert_true(files.count >= 4);
}

/* In a real model bodies are close to their bones: their relative positions are a few units at most. */
static void pmd_bodies_of_a_real_model_lie_on_it(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    mmd_bytes bytes = shared_read("data/models/pmd/Miku_Hatsune_Ver2.pmd");
    mmd_model *model = NULL;
    assert_int_equal(mmd_pmd_read(bytes.data, bytes.size, &model, NULL), MMD_OK);
    assert_int_equal(model->bone_count, 140);
    assert_int_equal(model->body_count, 45);
    for (uint32_t i = 0; i < model->body_count; i++) {
        const mmd_rigid_body *body = &model->bodies[i];
        const float *bone = model->bones[body->bone < 0 ? 0 : body->bone].position;
        for (int k = 0; k < 3; k++)
            assert_true(fabsf(body->position[k] - bone[k]) < 5);
    }
    assert_int_equal(model->bones[mmd_model_find_bone(model, "左足ＩＫ")].layer, 1);
    assert_int_equal(model->bones[mmd_model_find_bone(model, "左目")].layer, 2);
    assert_int_equal(model->bones[mmd_model_find_bone(model, "左ひざ")].layer, 0);
    mmd_model_destroy(model);
    mmd_bytes_finish(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pmd_tail_blocks_may_be_missing),
        cmocka_unit_test(pmd_blocks_cut_in_the_middle_are_errors),
        cmocka_unit_test(pmd_vertices_follow_their_weights),
        cmocka_unit_test(pmd_materials_get_flags_textures_and_toons),
        cmocka_unit_test(pmd_without_toon_list_uses_the_shared_ones),
        cmocka_unit_test(pmd_bones_get_flags_by_kind),
        cmocka_unit_test(pmd_layers_let_appended_bones_see_ik),
        cmocka_unit_test(pmd_second_ik_entry_gets_a_helper),
        cmocka_unit_test(pmd_morphs_go_through_the_base_list),
        cmocka_unit_test(pmd_frames_are_what_an_editor_makes),
        cmocka_unit_test(pmd_bodies_are_relative_to_their_bones),
        cmocka_unit_test(pmd_becomes_a_pmx),
        cmocka_unit_test(pmd_refuses_what_cannot_be),
        cmocka_unit_test(pmd_reads_every_shared_file_without_losses),
        cmocka_unit_test(pmd_bodies_of_a_real_model_lie_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
