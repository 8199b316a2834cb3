/* Damaged VMD files: every copy ends in a motion that can be used, or in a clear error. */
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

/* What is written reads again, and is then written as the same bytes. */
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

static void try_input(const uint8_t *data, size_t size, void *user)
{
    totals *t = user;
    mmd_motion *motion = NULL;
    mmd_error error = {0};
    mmd_status status = mmd_vmd_read(data, size, &motion, &error);
    t->inputs++;
    if (status != MMD_OK) {
        t->errors++;
        assert_null(motion);
        assert_int_equal(error.code, status);
        assert_true(error.message[0] && error.section[0] && error.offset <= size);
        return;
    }
    t->read++;
    assert_true(motion->arena.used <= 8 * size + 65536);
    t->sum += sample_everywhere(motion);
    /* Long files: now and then, which is enough for the same code. */
    if (size <= 4096 || t->read % 16 == 0)
        write_twice(motion);
    mmd_motion_destroy(motion);
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

static void vmd_survives_damage_of_shared_files(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    totals t = {0};
    shared_each(".vmd", damage_shared, &t);
    report("shared VMD", &t);
}

static void damage_sample(mmd_motion *motion, totals *t)
{
    mmd_buffer out = {0};
    assert_int_equal(mmd_vmd_write(motion, &out, NULL), MMD_OK);
    damage_bytes(out.data, out.size, t);
    mmd_buffer_finish(&out);
    sample_motion_finish(motion);
}

static void vmd_survives_damage_of_every_section(void **state)
{
    (void)state;
    totals t = {0};
    mmd_motion motion;
    sample_motion(&motion);
    damage_sample(&motion, &t);
    sample_dance(&motion, 40, 50);
    damage_sample(&motion, &t);
    report("sample VMD", &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vmd_survives_damage_of_shared_files),
        cmocka_unit_test(vmd_survives_damage_of_every_section),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
