/* Damaged VMD files: every copy gives a usable motion or a clear error. */
#include "hostile.h"
#include "sample_motions.h"
#include "support.h"

/* The written file can be read, and is then written as the same bytes. */
static void write_twice(const mmd_motion *motion)
{
    mmd_buffer first = {0}, second = {0};
    mmd_motion *again = NULL;
    assert_int_equal(mmd_vmd_write(motion, &first, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(first.data, first.size, &again, NULL), MMD_OK);
    assert_false(again->cut);
    assert_int_equal(mmd_vmd_write(again, &second, NULL), MMD_OK);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    mmd_motion_destroy(again);
    mmd_buffer_finish(&second);
    mmd_buffer_finish(&first);
}

static mmd_status try_vmd(const uint8_t *data, size_t size, const hostile_totals *totals, mmd_error *error)
{
    mmd_motion *motion = NULL;
    mmd_status status = mmd_vmd_read(data, size, &motion, error);
    if (status != MMD_OK) {
        assert_null(motion);
        return status;
    }
    assert_true(motion->arena.used <= 8 * size + 65536);
    sample_everywhere(motion);
    if (hostile_now(size, totals))
        write_twice(motion);
    mmd_motion_destroy(motion);
    return MMD_OK;
}

static void vmd_survives_damage_of_shared_files(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    hostile_totals t = {0};
    hostile_shared(".vmd", try_vmd, &t);
    hostile_report("shared VMD", &t);
}

static void damage_sample(mmd_motion *motion, hostile_totals *t)
{
    mmd_buffer out = {0};
    assert_int_equal(mmd_vmd_write(motion, &out, NULL), MMD_OK);
    hostile_bytes(out.data, out.size, try_vmd, t);
    mmd_buffer_finish(&out);
    sample_motion_finish(motion);
}

static void vmd_survives_damage_of_every_section(void **state)
{
    (void)state;
    hostile_totals t = {0};
    mmd_motion motion;
    sample_motion(&motion);
    damage_sample(&motion, &t);
    sample_dance(&motion, 40, 50);
    damage_sample(&motion, &t);
    hostile_report("sample VMD", &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vmd_survives_damage_of_shared_files),
        cmocka_unit_test(vmd_survives_damage_of_every_section),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
