/* Damaged accessories: every copy gives a usable model or a clear error. */
#include "hostile.h"
#include "sample_accessories.h"
#include "support.h"
#include "mmd/cursor.h"

static mmd_status try_x(const uint8_t *data, size_t size, const hostile_totals *totals, mmd_error *error)
{
    return hostile_model(data, size, mmd_x_read, totals, error);
}

/* The decompressed text may be longer than the file. Memory and error offsets refer to the text. */
static mmd_status try_compressed(const uint8_t *data, size_t size, const hostile_totals *totals,
                                 mmd_error *error)
{
    (void)totals;
    mmd_model *model = NULL;
    size_t text = size * MMD_X_TEXT_RATIO;
    mmd_status status = mmd_x_read(data, size, &model, error);
    if (status == MMD_OK)
        assert_true(model->arena.used <= MMD_MODEL_MEMORY_FACTOR * text + MMD_MODEL_MEMORY_EXTRA);
    else
        assert_true(!model && error->offset <= text);
    error->offset = error->offset <= size ? error->offset : size;
    mmd_model_destroy(model);
    return status;
}

static void x_survives_damage_of_shared_files(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    hostile_totals totals = {0};
    hostile_shared(".x", try_x, &totals);
    hostile_report("shared X", &totals);
}

static void x_survives_damage_of_texts(void **state)
{
    (void)state;
    hostile_totals totals = {0};
    hostile_bytes((const uint8_t *)sample_x_text(), strlen(sample_x_text()), try_x, &totals);
    hostile_bytes((const uint8_t *)sample_x_shared_text(), strlen(sample_x_shared_text()), try_x, &totals);
    hostile_report("X text", &totals);
}

static void x_survives_damage_of_binary_files(void **state)
{
    (void)state;
    hostile_totals totals = {0};
    for (uint32_t size = 4; size <= 8; size += 4) {
        mmd_buffer out = {0};
        sample_x_binary(sample_x_text(), size, &out);
        hostile_bytes(out.data, out.size, try_x, &totals);
        out.size = 0;
        sample_x_binary(sample_x_shared_text(), size, &out);
        hostile_bytes(out.data, out.size, try_x, &totals);
        mmd_buffer_finish(&out);
    }
    hostile_report("X binary", &totals);
}

static void x_survives_damage_of_compressed_files(void **state)
{
    (void)state;
    hostile_totals totals = {0};
    mmd_buffer binary = {0}, out = {0};
    sample_x_compressed(sample_x_text(), strlen(sample_x_text()), &out);
    hostile_bytes(out.data, out.size, try_compressed, &totals);
    sample_x_binary(sample_x_text(), 4, &binary);
    out.size = 0;
    sample_x_compressed(binary.data, binary.size, &out);
    hostile_bytes(out.data, out.size, try_compressed, &totals);
    mmd_buffer_finish(&binary);
    mmd_buffer_finish(&out);
    hostile_report("X compressed", &totals);
}

/* Every corner uses another vertex, in the fewest possible bytes. */
static void x_keeps_to_its_memory_with_dense_corners(void **state)
{
    (void)state;
    enum { SIDE = 100 };
    mmd_buffer out = {0};
    mmd_model *model = NULL;
    mmd_error error = {0};
    mmd_write_format(&out, "xof 0303txt 0032 Mesh{%d ", SIDE);
    for (int i = 0; i < SIDE; i++)
        mmd_write_format(&out, "%d %d 0 ", i, i * i);
    mmd_write_format(&out, "1 %d ", SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        mmd_write_format(&out, "%d ", i / SIDE);
    mmd_write_format(&out, "MeshNormals{%d ", SIDE);
    for (int i = 0; i < SIDE; i++)
        mmd_write_format(&out, "%d 1 0 ", i);
    mmd_write_format(&out, "1 %d ", SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        mmd_write_format(&out, "%d ", i % SIDE);
    mmd_write_format(&out, "}}");
    if (mmd_x_read(out.data, out.size, &model, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    assert_int_equal(model->vertices.count, SIDE * SIDE);
    print_message("%zu bytes of file, %zu of memory\n", out.size, model->arena.used);
    assert_true(model->arena.used <= MMD_MODEL_MEMORY_FACTOR * out.size + MMD_MODEL_MEMORY_EXTRA);
    mmd_model_destroy(model);
    mmd_buffer_finish(&out);
}

/* Three bytes per material are implausibly few. */
static void x_too_dense_to_be_meant_is_refused(void **state)
{
    (void)state;
    mmd_buffer out = {0};
    mmd_model *model = NULL;
    mmd_error error = {0};
    mmd_write_format(
        &out, "xof 0303txt 0032 Mesh{1 0 0 0 0 MeshMaterialList{1 0 Material a{1 1 1 1 1 1 1 1 1 1 1}");
    for (int i = 0; i < 50000; i++)
        mmd_write_format(&out, "{a}");
    mmd_write_format(&out, "}}");
    uint64_t blocks = mmd_heap_blocks_in_use();
    assert_int_equal(mmd_x_read(out.data, out.size, &model, &error), MMD_ERROR_LIMIT);
    assert_null(model);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    mmd_buffer_finish(&out);
}

/* A mesh is referred to so often that its copies exceed what the size of the file can justify. */
static void x_meshes_without_number_are_refused(void **state)
{
    (void)state;
    mmd_buffer out = {0};
    mmd_model *model = NULL;
    mmd_error error = {0};
    sample_x_grid(60, &out);
    mmd_write_format(&out, "Frame f {");
    for (int i = 0; i < 50000; i++)
        mmd_write_format(&out, "{grid}");
    mmd_write_format(&out, "}");
    uint64_t blocks = mmd_heap_blocks_in_use();
    assert_int_equal(mmd_x_read(out.data, out.size, &model, &error), MMD_ERROR_LIMIT);
    assert_null(model);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    mmd_buffer_finish(&out);
}

/* With one position and as many normals as corners, a linked list would take quadratic time. */
static void x_one_position_with_many_normals_takes_no_quadratic_time(void **state)
{
    (void)state;
    enum { CORNERS = 200000 };
    mmd_buffer out = {0};
    mmd_model *model = NULL;
    mmd_write_format(&out, "xof 0303txt 0032 Mesh{1;0;0;0;1;%d;", CORNERS);
    for (int i = 0; i < CORNERS; i++)
        mmd_write_format(&out, "0,");
    mmd_write_format(&out, "MeshNormals{%d;", CORNERS);
    for (int i = 0; i < CORNERS; i++)
        mmd_write_format(&out, "1;%d;0;,", i);
    mmd_write_format(&out, "1;%d;", CORNERS);
    for (int i = 0; i < CORNERS; i++)
        mmd_write_format(&out, "%d,", i);
    mmd_write_format(&out, "}}");
    assert_int_equal(mmd_x_read(out.data, out.size, &model, NULL), MMD_OK);
    assert_true(model->vertices.count > CORNERS / 2);
    mmd_model_destroy(model);
    mmd_buffer_finish(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(x_survives_damage_of_shared_files),
        cmocka_unit_test(x_survives_damage_of_texts),
        cmocka_unit_test(x_survives_damage_of_binary_files),
        cmocka_unit_test(x_survives_damage_of_compressed_files),
        cmocka_unit_test(x_keeps_to_its_memory_with_dense_corners),
        cmocka_unit_test(x_too_dense_to_be_meant_is_refused),
        cmocka_unit_test(x_meshes_without_number_are_refused),
        cmocka_unit_test(x_one_position_with_many_normals_takes_no_quadratic_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
