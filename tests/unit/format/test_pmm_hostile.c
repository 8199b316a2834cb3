/* Damaged projects: every copy gives a usable project or a clear error. */
#include "damage.h"
#include "hostile.h"
#include "sample_projects.h"
#include "support.h"
#include "mmd/cursor.h"

#include <time.h>

/* Makes the motions of everything in the project, without sampling them. */
static void make_motions(const mmd_project *project)
{
    mmd_motion *motion = mmd_project_scene_motion(project);
    assert_non_null(motion);
    mmd_motion_destroy(motion);
    for (uint32_t i = 0; i < project->model_count; i++) {
        motion = mmd_project_model_motion(&project->models[i]);
        assert_non_null(motion);
        mmd_motion_destroy(motion);
    }
}

/* The written file needs no repair and is then written as the same bytes. If nothing was repaired, it equals
 * the input. */
static void write_twice(const mmd_project *project, const uint8_t *data, size_t size)
{
    mmd_buffer first = {0}, second = {0};
    mmd_project *again = NULL;
    write_project(project, &first);
    if (project->repair_count == 0) {
        assert_int_equal(first.size, size);
        assert_memory_equal(first.data, data, size);
    }
    if (project->repair_count && mmd_project_version(project) == 1) {
        /* Repaired keyframes may be compatible with other numbers of bones, or with none. */
        mmd_buffer_finish(&first);
        return;
    }
    assert_int_equal(mmd_pmm_read(first.data, first.size, &again, NULL), MMD_OK);
    assert_int_equal(again->repair_count, 0);
    write_project(again, &second);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    mmd_project_destroy(again);
    mmd_buffer_finish(&second);
    mmd_buffer_finish(&first);
}

static mmd_status try_pmm(const uint8_t *data, size_t size, const hostile_totals *totals, mmd_error *error)
{
    mmd_project *project = NULL;
    mmd_status status = mmd_pmm_read(data, size, &project, error);
    if (status != MMD_OK) {
        assert_null(project);
        return status;
    }
    assert_true(project->arena.used <= MMD_PROJECT_MEMORY_FACTOR * size + MMD_PROJECT_MEMORY_EXTRA);
    assert_true(project->repair_listed <= project->repair_count);
    if (totals->read % 16 == 0)
        make_motions(project);
    if (hostile_now(size, totals))
        write_twice(project, data, size);
    mmd_project_destroy(project);
    return MMD_OK;
}

static void pmm_survives_damage_of_the_shared_file(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    hostile_totals t = {0};
    hostile_shared(".pmm", try_pmm, &t);
    hostile_report("shared PMM", &t);
}

static size_t damage_sample(mmd_project *project, hostile_totals *t)
{
    mmd_buffer out = {0};
    write_project(project, &out);
    size_t size = out.size;
    hostile_bytes(out.data, out.size, try_pmm, t);
    mmd_buffer_finish(&out);
    mmd_project_destroy(project);
    return size;
}

static void pmm_survives_damage_of_every_section(void **state)
{
    (void)state;
    hostile_totals t = {0};
    assert_true(damage_sample(sample_small_project(), &t) <= DAMAGE_SMALL_FILE);
    damage_sample(sample_project(), &t);
    hostile_report("sample PMM", &t);
}

static void pmm_1_survives_damage_of_every_section(void **state)
{
    (void)state;
    hostile_totals t = {0};
    mmd_project *projects[2] = {sample_small_project(), sample_project()};
    for (int i = 0; i < 2; i++) {
        mmd_buffer out = {0};
        write_project_1(projects[i], &out);
        assert_true(i == 1 || out.size <= DAMAGE_SMALL_FILE);
        hostile_bytes(out.data, out.size, try_pmm, &t);
        mmd_buffer_finish(&out);
        mmd_project_destroy(projects[i]);
    }
    hostile_report("sample PMM 0001", &t);
}

/* Makes the search for the number of bones long: runs of bytes that match all kinds of its records. */
static void pmm_1_gives_up_in_time(void **state)
{
    (void)state;
    enum { FIRST_KEY = 383, KEY = 57, BONES = 500, RUN = 1 << 18 };
    mmd_project *project = sample_small_project(), *read;
    mmd_buffer out = {0};
    mmd_error error = {0};
    uint8_t key[KEY];
    write_project_1(project, &out);
    memcpy(key, out.data + FIRST_KEY, KEY);
    out.size = FIRST_KEY;
    for (int i = 0; i < BONES; i++)
        mmd_write_bytes(&out, key, KEY);
    mmd_write_zeros(&out, RUN);
    clock_t begin = clock();
    assert_int_equal(mmd_pmm_read(out.data, out.size, &read, &error), MMD_ERROR_COUNT);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    print_message("given up after %.2f s of processor time\n", seconds);
    assert_true(seconds < 30); /* without a limit it would take hours */
    assert_int_equal(error.offset, FIRST_KEY);
    mmd_buffer_finish(&out);
    mmd_project_destroy(project);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pmm_survives_damage_of_the_shared_file),
        cmocka_unit_test(pmm_survives_damage_of_every_section),
        cmocka_unit_test(pmm_1_survives_damage_of_every_section),
        cmocka_unit_test(pmm_1_gives_up_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
