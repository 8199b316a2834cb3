/* Data derived from a model, and detection of file types. */
#include "sample_models.h"
#include "support.h"

#include "mmd/text.h"

static void order_is_after_physics_then_layer_then_index(void **state)
{
    (void)state;
    mmd_model model;
    sample_chain(&model, 6, 3);
    for (uint32_t i = 0; i < 6; i++)
        model.bones[i].parent = -1;
    model.bones[0].layer = 1;
    model.bones[1].flags |= MMD_BONE_AFTER_PHYSICS;
    model.bones[1].layer = -5;
    model.bones[2].layer = INT32_MIN;
    model.bones[3].layer = INT32_MAX;
    assert_int_equal(mmd_model_prepare(&model, NULL), MMD_OK);
    const uint32_t expected[6] = {2, 4, 5, 0, 3, 1};
    assert_memory_equal(model.bone_order, expected, sizeof expected);
    assert_int_equal(model.bone_order_before, 5);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(model.bone_order[model.bone_rank[i]], i);
    sample_finish(&model);
}

static void order_of_equal_layers_is_the_files(void **state)
{
    (void)state;
    mmd_model model;
    sample_chain(&model, 500, 3);
    assert_int_equal(mmd_model_prepare(&model, NULL), MMD_OK);
    for (uint32_t i = 0; i < 500; i++)
        assert_int_equal(model.bone_order[i], i);
    assert_int_equal(model.bone_order_before, 500);
    sample_finish(&model);
}

static void circles_of_parents_are_errors(void **state)
{
    (void)state;
    mmd_model model;
    sample_chain(&model, 5, 3);
    model.bones[1].parent = 4;
    mmd_error error = {0};
    assert_int_equal(mmd_model_prepare(&model, &error), MMD_ERROR_VALUE);
    assert_string_equal(error.section, "bone");
    sample_finish(&model);
}

static void circles_are_met_once(void **state)
{
    (void)state;
    mmd_model model;
    sample_chain(&model, 5, 3);
    model.bones[0].parent = 1; /* 0 and 1; the others are below them */
    uint32_t marks[5] = {0};
    assert_int_equal(mmd_model_parent_cycle(&model, 4, marks), 1);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(mmd_model_parent_cycle(&model, i, marks), -1);
    sample_finish(&model);
}

static void keys_are_cut_at_15_bytes_of_cp932(void **state)
{
    (void)state;
    mmd_model model;
    sample_tiny(&model, 2.0f);
    model.bones[0].name = "あいうえおかきくけ";
    model.morphs[0].name = "a";
    assert_int_equal(mmd_model_prepare(&model, NULL), MMD_OK);
    const uint8_t bone[15] = {0x82, 0xa0, 0x82, 0xa2, 0x82, 0xa4, 0x82, 0xa6,
                              0x82, 0xa8, 0x82, 0xa9, 0x82, 0xab, 0x82};
    const uint8_t morph[15] = {'a'};
    assert_memory_equal(model.bone_key[0], bone, 15);
    assert_memory_equal(model.morph_key[0], morph, 15);
    sample_finish(&model);
}

static void names_find_the_first(void **state)
{
    (void)state;
    mmd_model model;
    sample_everything(&model, 0, 1);
    assert_int_equal(mmd_model_find_bone(&model, "左足"), 1);
    assert_int_equal(mmd_model_find_bone(&model, "左"), -1);
    assert_int_equal(mmd_model_find_morph(&model, "あ"), 1);
    assert_int_equal(mmd_model_find_morph(&model, ""), -1);
    sample_finish(&model);
}

static void materials_rest_with_factors_of_one(void **state)
{
    (void)state;
    mmd_model model;
    sample_everything(&model, 0, 1);
    const mmd_material *material = &model.materials[1];
    mmd_material_values values;
    mmd_material_rest_values(material, &values);
    assert_memory_equal(values.diffuse, material->diffuse, sizeof values.diffuse);
    assert_memory_equal(values.specular, material->specular, sizeof values.specular);
    assert_memory_equal(values.ambient, material->ambient, sizeof values.ambient);
    assert_memory_equal(values.edge_color, material->edge_color, sizeof values.edge_color);
    assert_true(values.specular_power == material->specular_power && values.edge_size == material->edge_size);
    for (int i = 0; i < 4; i++)
        assert_true(values.texture_factor[i] == 1 && values.sphere_factor[i] == 1 &&
                    values.toon_factor[i] == 1);
    sample_finish(&model);
}

static void prepare_reports_missing_memory(void **state)
{
    (void)state;
    mmd_model model;
    sample_chain(&model, 1000, 3);
    model.arena.limit = model.arena.used + 100;
    assert_int_equal(mmd_model_prepare(&model, NULL), MMD_ERROR_MEMORY);
    sample_finish(&model);
}

static void kinds_are_told_by_content(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        mmd_file_kind kind;
    } cases[] = {
        {"PMX 2", MMD_FILE_PMX},
        {"PMX\xa0", MMD_FILE_PMX},
        {"Pmx ", MMD_FILE_PMX},
        {"Pmd", MMD_FILE_PMD},
        {"Vocaloid Motion Data 0002", MMD_FILE_VMD},
        {"Vocaloid Motion Data file", MMD_FILE_VMD},
        {"Vocaloid Pose Data file", MMD_FILE_VPD},
        {"Vocaloid", MMD_FILE_UNKNOWN},
        {"PM", MMD_FILE_UNKNOWN},
        {"", MMD_FILE_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(mmd_file_detect(cases[i].bytes, strlen(cases[i].bytes)), cases[i].kind);
    assert_int_equal(mmd_file_detect(NULL, 0), MMD_FILE_UNKNOWN);
}

static void models_of_both_kinds_read_by_content(void **state)
{
    (void)state;
    mmd_model made, *model = NULL;
    sample_tiny(&made, 2.0f);
    mmd_buffer out = {0};
    mmd_pmx_write(&made, &out, NULL);
    sample_finish(&made);
    assert_int_equal(mmd_model_read(out.data, out.size, &model, NULL), MMD_OK);
    assert_int_equal(model->origin, MMD_ORIGIN_PMX);
    mmd_model_destroy(model);
    out.size = 0;
    sample_pmd(&out, 4);
    assert_int_equal(mmd_model_read(out.data, out.size, &model, NULL), MMD_OK);
    assert_int_equal(model->origin, MMD_ORIGIN_PMD);
    mmd_model_destroy(model);
    assert_int_equal(mmd_model_read("Vocaloid Motion Data 0002", 25, &model, NULL), MMD_ERROR_MAGIC);
    assert_null(model);
    mmd_model_destroy(NULL);
    mmd_buffer_finish(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_after_physics_then_layer_then_index),
        cmocka_unit_test(order_of_equal_layers_is_the_files),
        cmocka_unit_test(circles_of_parents_are_errors),
        cmocka_unit_test(circles_are_met_once),
        cmocka_unit_test(keys_are_cut_at_15_bytes_of_cp932),
        cmocka_unit_test(names_find_the_first),
        cmocka_unit_test(materials_rest_with_factors_of_one),
        cmocka_unit_test(prepare_reports_missing_memory),
        cmocka_unit_test(kinds_are_told_by_content),
        cmocka_unit_test(models_of_both_kinds_read_by_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
