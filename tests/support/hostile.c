#include "hostile.h"
#include "support.h"

enum { SMALL_FILE = 4096, SEEDED_CASES = 2000 };

static void write_and_compare(const mmd_model *model, bool again)
{
    mmd_buffer first = {0};
    assert_int_equal(mmd_pmx_write(model, &first, NULL), MMD_OK);
    if (again) {
        mmd_model *reread = NULL;
        mmd_buffer second = {0};
        mmd_error error = {0};
        if (mmd_pmx_read(first.data, first.size, &reread, &error) != MMD_OK)
            fail_msg("written from a model, but %s %s", error.section, error.message);
        assert_int_equal(mmd_pmx_write(reread, &second, NULL), MMD_OK);
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.data, second.data, first.size);
        mmd_model_destroy(reread);
        mmd_buffer_finish(&second);
    }
    mmd_buffer_finish(&first);
}

static void try_input(const uint8_t *data, size_t size, model_reading *read, bool again,
                      hostile_totals *totals)
{
    mmd_model *model = NULL;
    mmd_error error = {0};
    mmd_status status = read(data, size, &model, &error);
    totals->inputs++;
    if (status != MMD_OK) {
        totals->errors++;
        assert_null(model);
        assert_int_equal(error.code, status);
        assert_true(error.message[0] != 0 && error.section[0] != 0);
        assert_true(error.offset <= size);
        return;
    }
    totals->models++;
    assert_non_null(model);
    assert_true(model->arena.used <= MMD_MODEL_MEMORY_FACTOR * size + MMD_MODEL_MEMORY_EXTRA);
    assert_true(model->broken_reference_kept <= model->broken_reference_count);
    write_and_compare(model, again);
    mmd_model_destroy(model);
}

static void try_every_byte(const uint8_t *data, size_t size, model_reading *read, hostile_totals *totals)
{
    static const uint8_t values[] = {0, 1, 127, 128, 255};
    for (size_t length = 0; length < size; length++) {
        /* A block of exactly this size, so that a sanitizer sees the first byte too far. */
        uint8_t *cut = malloc(length ? length : 1);
        assert_non_null(cut);
        memcpy(cut, data, length);
        try_input(cut, length, read, true, totals);
        free(cut);
    }
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, data, size);
    for (size_t at = 0; at < size; at++) {
        for (size_t k = 0; k < sizeof values; k++) {
            copy[at] = values[k];
            try_input(copy, size, read, true, totals);
        }
        copy[at] = data[at];
    }
    free(copy);
}

/* A place in the file; half of them near its ends, where headers, counts and names are dense. */
static size_t random_place(size_t size, uint64_t *seed)
{
    uint64_t dice = test_random(seed) % 4;
    double u = (double)(test_random(seed) >> 11) / 9007199254740992.0;
    size_t place = (size_t)((dice < 2 ? u * u * u : u) * (double)size);
    place = place < size ? place : size - 1;
    return dice == 1 ? size - 1 - place : place;
}

static void damage(uint8_t *copy, size_t size, uint64_t *seed)
{
    static const uint32_t numbers[] = {0, 1, 127, 128, 255, 32767, 65535, 0x7fffffff, 0x80000000, 0xffffffff};
    for (uint64_t i = 1 + test_random(seed) % 4; i > 0; i--) {
        size_t at = random_place(size, seed);
        uint32_t number = numbers[test_random(seed) % 10];
        if (test_random(seed) % 2 && at + 4 <= size)
            memcpy(copy + at, &number, 4);
        else
            copy[at] = (uint8_t)test_random(seed);
    }
}

static void try_seeded(const uint8_t *data, size_t size, model_reading *read, hostile_totals *totals)
{
    uint64_t seed = size;
    for (int i = 0; i < SEEDED_CASES; i++) {
        size_t length = i % 4 == 0 ? random_place(size, &seed) : size;
        uint8_t *copy = malloc(length ? length : 1);
        assert_non_null(copy);
        memcpy(copy, data, length);
        if (i % 4)
            damage(copy, length, &seed);
        try_input(copy, length, read, i % 16 == 1, totals);
        free(copy);
    }
}

void hostile_model(const uint8_t *data, size_t size, model_reading *read, hostile_totals *totals)
{
    uint64_t blocks = mmd_heap_blocks_in_use();
    totals->files++;
    if (size <= SMALL_FILE)
        try_every_byte(data, size, read, totals);
    else
        try_seeded(data, size, read, totals);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}
