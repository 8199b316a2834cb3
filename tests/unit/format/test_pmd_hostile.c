/* Damaged PMD files. */
#include "hostile.h"
#include "sample_models.h"
#include "support.h"
#include "mmd/cursor.h"

static mmd_status try_pmd(const uint8_t *data, size_t size, const hostile_totals *totals, mmd_error *error)
{
    return hostile_model(data, size, mmd_pmd_read, totals, error);
}

static void pmd_survives_damage_of_shared_files(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    hostile_totals totals = {0};
    hostile_shared(".pmd", try_pmd, &totals);
    hostile_report("shared PMD", &totals);
}

static void pmd_survives_damage_of_every_feature(void **state)
{
    (void)state;
    hostile_totals totals = {0};
    for (int tail = 0; tail <= 4; tail += 2) {
        mmd_buffer out = {0};
        sample_pmd(&out, tail);
        hostile_bytes(out.data, out.size, try_pmd, &totals);
        mmd_buffer_finish(&out);
    }
    hostile_report("sample PMD", &totals);
}

/* The record with the most memory per byte: an IK entry without links on a bone that already has one, which
 * creates a helper bone. */
static void pmd_keeps_to_its_memory_with_helpers_only(void **state)
{
    (void)state;
    enum { ENTRIES = 60000 };
    mmd_buffer out = {0};
    mmd_write_bytes(&out, "Pmd\0\0\x80\x3f", 7);
    mmd_write_zeros(&out, 276 + 12);
    mmd_write_u16(&out, 1);
    mmd_write_zeros(&out, 20);
    mmd_write_u16(&out, 0xffff);
    mmd_write_zeros(&out, 17);
    mmd_write_u16(&out, ENTRIES);
    mmd_write_zeros(&out, 11 * ENTRIES);
    mmd_write_zeros(&out, 2 + 1 + 1 + 4);
    mmd_model *model = NULL;
    mmd_error error = {0};
    if (mmd_pmd_read(out.data, out.size, &model, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    assert_int_equal(model->bone_count, ENTRIES);
    assert_true(model->bones[ENTRIES - 1].internal);
    print_message("%d helpers: %zu bytes of file, %zu of memory\n", ENTRIES - 1, out.size, model->arena.used);
    assert_true(model->arena.used <= MMD_MODEL_MEMORY_FACTOR * out.size + MMD_MODEL_MEMORY_EXTRA);
    mmd_model_destroy(model);
    mmd_buffer_finish(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pmd_survives_damage_of_shared_files),
        cmocka_unit_test(pmd_survives_damage_of_every_feature),
        cmocka_unit_test(pmd_keeps_to_its_memory_with_helpers_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
