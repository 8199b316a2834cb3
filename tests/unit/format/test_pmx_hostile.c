/* Damaged PMX files. */
#include "hostile.h"
#include "sample_models.h"
#include "support.h"

static mmd_status try_pmx(const uint8_t *data, size_t size, const hostile_totals *totals, mmd_error *error)
{
    return hostile_model(data, size, mmd_pmx_read, totals, error);
}

static void pmx_survives_damage_of_shared_files(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    hostile_totals totals = {0};
    hostile_shared(".pmx", try_pmx, &totals);
    hostile_report("shared PMX", &totals);
}

static void damage_sample(mmd_model *model, hostile_totals *totals)
{
    mmd_buffer out = {0};
    assert_int_equal(mmd_pmx_write(model, &out, NULL), MMD_OK);
    hostile_bytes(out.data, out.size, try_pmx, totals);
    mmd_buffer_finish(&out);
    sample_finish(model);
}

static void pmx_survives_damage_of_every_feature(void **state)
{
    (void)state;
    hostile_totals totals = {0};
    mmd_model model;
    for (uint8_t size = 1; size <= 4; size *= 2) {
        sample_everything(&model, size == 1, size);
        damage_sample(&model, &totals);
    }
    sample_tiny(&model, 2.0f);
    damage_sample(&model, &totals);
    sample_tiny(&model, 2.1f);
    damage_sample(&model, &totals);
    hostile_report("sample PMX", &totals);
}

/* The records with the most memory per byte. */
static void pmx_keeps_to_its_memory_with_links_only(void **state)
{
    (void)state;
    enum { BONES = 200, LINKS = 200 };
    mmd_model model;
    sample_chain(&model, BONES, 3);
    mmd_ik_link *links = mmd_arena_alloc(&model.arena, LINKS, sizeof *links);
    for (uint32_t i = 0; i < BONES; i++) {
        model.bones[i].name = "";
        model.bones[i].flags = MMD_BONE_IK | MMD_BONE_TAIL_IS_BONE;
        model.bones[i].ik_link_count = LINKS;
        model.bones[i].ik_links = links;
    }
    mmd_buffer out = {0};
    assert_int_equal(mmd_pmx_write(&model, &out, NULL), MMD_OK);
    mmd_model *read = NULL;
    assert_int_equal(mmd_pmx_read(out.data, out.size, &read, NULL), MMD_OK);
    print_message("%d links: %zu bytes of file, %zu of memory\n", BONES * LINKS, out.size, read->arena.used);
    assert_true(read->arena.used <= MMD_MODEL_MEMORY_FACTOR * out.size + MMD_MODEL_MEMORY_EXTRA);
    mmd_model_destroy(read);
    mmd_buffer_finish(&out);
    sample_finish(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pmx_survives_damage_of_shared_files),
        cmocka_unit_test(pmx_survives_damage_of_every_feature),
        cmocka_unit_test(pmx_keeps_to_its_memory_with_links_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
