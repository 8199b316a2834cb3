/* Damaged projects: every copy ends in a project that can be used, or in a clear error. */
#include "damage.h"
#include "hostile.h"
#include "sample_projects.h"
#include "support.h"

/* Motions of everything in it, sampled nowhere: they must only come about. */
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

/* What is written needs no mending, and is then written as the same bytes: the file's, where nothing was
 * mended. */
static void write_twice(const mmd_project *project, const uint8_t *data, size_t size)
{
    mmd_buffer first = {0}, second = {0};
    mmd_project *again = NULL;
    write_project(project, &first);
    if (project->repair_count == 0) {
        assert_int_equal(first.size, size);
        assert_memory_equal(first.data, data, size);
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
    assert_true(project->repair_kept <= project->repair_count);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pmm_survives_damage_of_the_shared_file),
        cmocka_unit_test(pmm_survives_damage_of_every_section),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
