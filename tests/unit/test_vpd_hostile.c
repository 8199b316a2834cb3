/* Damaged VPD files: every copy ends in a pose that can be used, or in a clear error. */
#include "damage.h"
#include "sample_motions.h"
#include "support.h"

typedef struct totals {
    size_t files, inputs, read, errors;
    double sum;
} totals;

static void report(const char *what, const totals *t)
{
    print_message("%s: %zu files, %zu inputs, %zu read, %zu errors, 0 crashes\n", what, t->files, t->inputs,
                  t->read, t->errors);
    assert_int_equal(t->inputs, t->read + t->errors);
    assert_true(t->read > 0 && t->errors > 0);
}

/* Formatted anew it reads again, and is then formatted as the same bytes. */
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

static void try_input(const uint8_t *data, size_t size, void *user)
{
    totals *t = user;
    mmd_vpd *vpd = NULL;
    mmd_error error = {0};
    mmd_status status = mmd_vpd_read(data, size, &vpd, &error);
    t->inputs++;
    if (status != MMD_OK) {
        t->errors++;
        assert_null(vpd);
        assert_int_equal(error.code, status);
        assert_true(error.message[0] && error.section[0] && error.offset <= size);
        return;
    }
    t->read++;
    assert_true(vpd->arena.used <= 8 * size + 65536);
    mmd_motion *motion = mmd_vpd_to_motion(vpd);
    assert_non_null(motion);
    t->sum += sample_everywhere(motion);
    mmd_motion_destroy(motion);
    if (size <= 4096 || t->read % 8 == 0)
        write_twice(vpd);
    mmd_vpd_destroy(vpd);
}

static void damage_bytes(const uint8_t *data, size_t size, totals *t)
{
    uint64_t blocks = mmd_heap_blocks_in_use();
    t->files++;
    damage_each(data, size, try_input, t);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

static void damage_shared(const char *name, void *user)
{
    mmd_bytes bytes = shared_read(name);
    damage_bytes(bytes.data, bytes.size, user);
    mmd_bytes_finish(&bytes);
}

static void vpd_survives_damage_of_shared_files(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    totals t = {0};
    shared_each(".vpd", damage_shared, &t);
    report("shared VPD", &t);
}

static void vpd_survives_damage_of_a_pose_with_morphs(void **state)
{
    (void)state;
    totals t = {0};
    mmd_vpd pose;
    mmd_buffer out = {0};
    sample_pose(&pose);
    assert_int_equal(mmd_vpd_write(&pose, &out, NULL), MMD_OK);
    damage_bytes(out.data, out.size, &t);
    mmd_buffer_finish(&out);
    sample_pose_finish(&pose);
    report("sample VPD", &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vpd_survives_damage_of_shared_files),
        cmocka_unit_test(vpd_survives_damage_of_a_pose_with_morphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
