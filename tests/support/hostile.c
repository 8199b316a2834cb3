#include "hostile.h"
#include "damage.h"
#include "support.h"

typedef struct hostile_run {
    hostile_reading *read;
    hostile_totals *totals;
    size_t file_size, copies;
} hostile_run;

/* Gives one copy to the reader, counts the result, and checks the error. */
static void try_input(const uint8_t *data, size_t size, void *user)
{
    const hostile_run *run = user;
    hostile_totals *totals = run->totals;
    mmd_error error = {0};
    totals->inputs++;
    mmd_status status = run->read(data, size, totals, &error);
    if (status == MMD_OK) {
        totals->read++;
        return;
    }
    totals->errors++;
    assert_int_equal(error.code, status);
    assert_true(error.message[0] && error.section[0] && error.offset <= size);
}

/* Tries the damaged copies of a shared file. Of a small file it tries only every third one. Each byte gets
 * five values, so the third ones still include every value and every byte. */
static void try_some(const uint8_t *data, size_t size, void *user)
{
    hostile_run *run = user;
    if (run->file_size > DAMAGE_SMALL_FILE || run->copies++ % 3 == 0)
        try_input(data, size, run);
}

static void damage_all(const uint8_t *data, size_t size, damage_visit *visit, hostile_run *run)
{
    uint64_t blocks = mmd_heap_blocks_in_use();
    run->totals->files++;
    run->file_size = size;
    damage_each(data, size, visit, run);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

void hostile_bytes(const uint8_t *data, size_t size, hostile_reading *read, hostile_totals *totals)
{
    hostile_run run = {read, totals, 0, 0};
    damage_all(data, size, try_input, &run);
}

static void damage_shared(const char *name, void *user)
{
    mmd_bytes bytes = shared_read(name);
    damage_all(bytes.data, bytes.size, try_some, user);
    mmd_bytes_finish(&bytes);
}

void hostile_shared(const char *suffix, hostile_reading *read, hostile_totals *totals)
{
    hostile_run run = {read, totals, 0, 0};
    shared_each(suffix, damage_shared, &run);
}

bool hostile_now(size_t size, const hostile_totals *totals)
{
    return size <= DAMAGE_SMALL_FILE || totals->read % 16 == 0;
}

void hostile_report(const char *what, const hostile_totals *totals)
{
    print_message("%s: %zu files, %zu inputs, %zu read, %zu errors, 0 crashes\n", what, totals->files,
                  totals->inputs, totals->read, totals->errors);
    assert_int_equal(totals->inputs, totals->read + totals->errors);
    assert_true(totals->read > 0 && totals->errors > 0);
}

/* Requires that the written model can be read and is then written as the same bytes. */
static void write_twice(const mmd_model *model)
{
    mmd_buffer first = {0}, second = {0};
    mmd_model *again = NULL;
    mmd_error error = {0};
    assert_int_equal(mmd_pmx_write(model, &first, NULL), MMD_OK);
    if (mmd_pmx_read(first.data, first.size, &again, &error) != MMD_OK)
        fail_msg("written from a model, but %s %s", error.section, error.message);
    assert_int_equal(mmd_pmx_write(again, &second, NULL), MMD_OK);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    mmd_model_destroy(again);
    mmd_buffer_finish(&second);
    mmd_buffer_finish(&first);
}

mmd_status hostile_model(const uint8_t *data, size_t size, model_reading *read, const hostile_totals *totals,
                         mmd_error *error)
{
    mmd_model *model = NULL;
    mmd_status status = read(data, size, &model, error);
    if (status != MMD_OK) {
        assert_null(model);
        return status;
    }
    assert_true(model->arena.used <= MMD_MODEL_MEMORY_FACTOR * size + MMD_MODEL_MEMORY_EXTRA);
    assert_true(model->broken_reference_listed <= model->broken_reference_count);
    if (hostile_now(size, totals))
        write_twice(model);
    mmd_model_destroy(model);
    return MMD_OK;
}
