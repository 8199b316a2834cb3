/* Damaged VPD files: every copy gives a usable pose or a clear error. */
#include "hostile.h"
#include "sample_motions.h"
#include "support.h"

/* The pose, formatted anew, can be read, and is then formatted as the same bytes. */
static void write_twice(mmd_vpd *vpd)
{
    mmd_buffer first = {0}, second = {0};
    mmd_vpd *again = NULL;
    vpd->raw = NULL;
    mmd_status status = mmd_vpd_write(vpd, &first, NULL);
    assert_true(status == MMD_OK || status == MMD_ERROR_TEXT);
    assert_int_equal(mmd_vpd_read(first.data, first.size, &again, NULL), MMD_OK);
    again->raw = NULL;
    assert_int_equal(mmd_vpd_write(again, &second, NULL), MMD_OK);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    mmd_vpd_destroy(again);
    mmd_buffer_finish(&second);
    mmd_buffer_finish(&first);
}

static mmd_status try_vpd(const uint8_t *data, size_t size, const hostile_totals *totals, mmd_error *error)
{
    mmd_vpd *vpd = NULL;
    mmd_status status = mmd_vpd_read(data, size, &vpd, error);
    if (status != MMD_OK) {
        assert_null(vpd);
        return status;
    }
    assert_true(vpd->arena.used <= 8 * size + 65536);
    mmd_motion *motion = mmd_vpd_to_motion(vpd);
    assert_non_null(motion);
    sample_everywhere(motion);
    mmd_motion_destroy(motion);
    if (hostile_now(size, totals))
        write_twice(vpd);
    mmd_vpd_destroy(vpd);
    return MMD_OK;
}

static void vpd_survives_damage_of_shared_files(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    hostile_totals t = {0};
    hostile_shared(".vpd", try_vpd, &t);
    hostile_report("shared VPD", &t);
}

static void vpd_survives_damage_of_a_pose_with_morphs(void **state)
{
    (void)state;
    hostile_totals t = {0};
    mmd_vpd pose;
    mmd_buffer out = {0};
    sample_pose(&pose);
    assert_int_equal(mmd_vpd_write(&pose, &out, NULL), MMD_OK);
    hostile_bytes(out.data, out.size, try_vpd, &t);
    mmd_buffer_finish(&out);
    sample_pose_finish(&pose);
    hostile_report("sample VPD", &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vpd_survives_damage_of_shared_files),
        cmocka_unit_test(vpd_survives_damage_of_a_pose_with_morphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
