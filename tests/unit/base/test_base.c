/* Tests status, log, memory, cursor and buffer of the base module. */
#include "support.h"

#include "engine/base/internal/mmd_arena.h"
#include "mmd/cursor.h"
#include "mmd/log.h"

static void every_status_has_a_name_and_a_text(void **state)
{
    (void)state;
    for (int i = 0; i < MMD_STATUS_COUNT; i++) {
        assert_memory_equal(mmd_status_name((mmd_status)i), "MMD_", 4);
        assert_true(strlen(mmd_status_text((mmd_status)i)) > 0);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(mmd_status_name((mmd_status)i), mmd_status_name((mmd_status)j));
    }
    assert_string_equal(mmd_status_name(MMD_ERROR_IO), "MMD_ERROR_IO");
    assert_string_equal(mmd_status_text(MMD_STATUS_COUNT), "unknown status");
    assert_string_equal(mmd_status_name(MMD_STATUS_COUNT), "unknown status");
}

static void error_sentence_names_file_section_and_offset(void **state)
{
    (void)state;
    char text[1024];
    mmd_error error = {0};
    assert_int_equal(mmd_error_set(&error, MMD_ERROR_INDEX, "bone 17", 1234, "an index of %d", 70000),
                     MMD_ERROR_INDEX);
    mmd_error_set_file(&error, "a.pmx");
    mmd_error_set_file(&error, "b.pmx"); /* the first name is kept */
    assert_string_equal(mmd_error_sentence(&error, text, sizeof text),
                        "a.pmx: bone 17 at byte 1234: an index of 70000");
    mmd_error_set(&error, MMD_ERROR_IO, "tail", MMD_NO_OFFSET, "gone");
    assert_string_equal(mmd_error_sentence(&error, text, sizeof text), "tail: gone");
    error = (mmd_error){.code = MMD_ERROR_MEMORY, .offset = MMD_NO_OFFSET};
    assert_string_equal(mmd_error_sentence(&error, text, sizeof text), "out of memory");
    assert_int_equal(mmd_error_set(NULL, MMD_ERROR_IO, "", 0, "nobody listens"), MMD_ERROR_IO);
}

static void error_sentence_is_safe_on_a_terminal_and_cut_at_its_capacity(void **state)
{
    (void)state;
    char text[64];
    mmd_error error = {0};
    mmd_error_set(&error, MMD_ERROR_IO, "", MMD_NO_OFFSET, "\x1b[31mred\n");
    assert_string_equal(mmd_error_sentence(&error, text, sizeof text), "\\x1b[31mred\\n");
    assert_string_equal(mmd_error_sentence(&error, text, 6), "\\x1b[");
    char name[2 * MMD_ERROR_FILE_MAX];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    mmd_error_set_file(&error, name);
    assert_int_equal(strlen(error.file), MMD_ERROR_FILE_MAX - 1);
}

typedef struct log_record {
    int count;
    mmd_log_level level;
    char text[2048];
} log_record;

static void record(void *user, mmd_log_level level, const char *text)
{
    log_record *log = user;
    log->count++;
    log->level = level;
    snprintf(log->text, sizeof log->text, "%s", text);
}

static void log_sends_what_its_level_allows(void **state)
{
    (void)state;
    log_record seen = {0};
    mmd_log log = {record, &seen, MMD_LOG_WARNING};
    mmd_log_message(&log, MMD_LOG_INFO, "quiet");
    assert_int_equal(seen.count, 0);
    mmd_log_message(&log, MMD_LOG_WARNING, "%d textures", 3);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.level, MMD_LOG_WARNING);
    assert_string_equal(seen.text, "3 textures");
    mmd_log_message(NULL, MMD_LOG_ERROR, "nobody");
    mmd_log_message(&(mmd_log){0}, MMD_LOG_ERROR, "nobody");
    mmd_log_message(&log, MMD_LOG_ERROR, "%2100d", 1);
    assert_int_equal(strlen(seen.text), 1999);
}

static void heap_counts_calls_and_blocks(void **state)
{
    (void)state;
    uint64_t calls = mmd_heap_allocations(), blocks = mmd_heap_blocks_in_use();
    void *a = mmd_alloc(0), *b = mmd_realloc(NULL, 10);
    assert_non_null(a);
    b = mmd_realloc(b, 1000);
    assert_int_equal(mmd_heap_allocations() - calls, 3);
    assert_int_equal(mmd_heap_blocks_in_use() - blocks, 2);
    mmd_free(a);
    mmd_free(b);
    mmd_free(NULL);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

/* Small blocks come from memory that was used before, large ones from the system. */
static void zeroed_memory_is_zeroed_and_counted(void **state)
{
    (void)state;
    uint64_t calls = mmd_heap_allocations(), blocks = mmd_heap_blocks_in_use();
    static const size_t sizes[] = {0, 1, 100, 5000, 1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint8_t *dirty = mmd_alloc(sizes[i]);
        assert_non_null(dirty);
        memset(dirty, 0xAA, sizes[i]);
        mmd_free(dirty);
        uint8_t *zeroed = mmd_alloc_zeroed(sizes[i]);
        assert_non_null(zeroed);
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(zeroed[k], 0);
        assert_int_equal(mmd_heap_blocks_in_use() - blocks, 1);
        mmd_free(zeroed);
    }
    assert_int_equal(mmd_heap_allocations() - calls, 2 * sizeof sizes / sizeof *sizes);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

static void arena_gives_zeroed_aligned_memory_and_all_of_it_back(void **state)
{
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_arena arena = {0};
    mmd_arena_finish(&arena); /* an empty arena may be finished */
    uint8_t *earlier = NULL;
    for (size_t i = 1; i < 400; i++) {
        uint8_t *memory = mmd_arena_alloc(&arena, i, 7);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % 32, 0);
        for (size_t k = 0; k < 7 * i; k++)
            assert_int_equal(memory[k], 0);
        memset(memory, 0xAA, 7 * i);
        if (earlier)
            assert_int_equal(earlier[0], 0xAA);
        earlier = memory;
    }
    assert_non_null(mmd_arena_alloc(&arena, 0, 16));
    assert_string_equal(mmd_arena_text(&arena, "abcdef", 3), "abc");
    assert_string_equal(mmd_arena_text(&arena, NULL, 0), "");
    mmd_arena_finish(&arena);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    assert_int_equal(arena.used, 0);
}

static void arena_keeps_its_limit_and_refuses_overflows(void **state)
{
    (void)state;
    mmd_arena arena = {.limit = 1024};
    assert_non_null(mmd_arena_alloc(&arena, 1, 1000));
    assert_null(mmd_arena_alloc(&arena, 1, 1));
    assert_null(mmd_arena_alloc(&arena, SIZE_MAX / 2, 4));
    assert_null(mmd_arena_alloc(&arena, SIZE_MAX, 1));
    assert_null(mmd_arena_text(&arena, "", SIZE_MAX));
    assert_false(mmd_arena_reserve(&arena, SIZE_MAX));
    mmd_arena_finish(&arena);
    assert_int_equal(arena.limit, 1024);
    assert_non_null(mmd_arena_alloc(&arena, 1, 1024));
    mmd_arena_finish(&arena);
}

static void arena_reserve_makes_what_follows_one_block(void **state)
{
    (void)state;
    mmd_arena arena = {0};
    assert_true(mmd_arena_reserve(&arena, 1 << 20));
    uint64_t calls = mmd_heap_allocations();
    for (int i = 0; i < 32768; i++)
        assert_non_null(mmd_arena_alloc(&arena, 1, 32));
    assert_int_equal(mmd_heap_allocations(), calls);
    mmd_arena_finish(&arena);
}

static void cursor_reads_little_endian(void **state)
{
    (void)state;
    const uint8_t bytes[] = {0xFE, 0x34, 0x12, 0x78, 0x56, 0x34, 0x82, 0xFF, 0xFE, 0xFF, 0xFD,
                             0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x80, 0x3F, 0x00, 0x00, 0x00, 0xC0};
    mmd_cursor cursor = mmd_cursor_make(bytes, sizeof bytes, NULL);
    assert_int_equal(mmd_read_u8(&cursor), 0xFE);
    assert_int_equal(mmd_read_u16(&cursor), 0x1234);
    assert_int_equal(mmd_read_u32(&cursor), 0x82345678);
    assert_int_equal(mmd_read_u8(&cursor), UINT8_MAX);
    assert_int_equal(mmd_read_u16(&cursor), UINT16_MAX - 1);
    assert_int_equal(mmd_read_i32(&cursor), -3);
    assert_true(mmd_read_f32(&cursor) == 1.0f);
    float value = 0.0f;
    mmd_read_floats(&cursor, &value, 1);
    assert_true(value == -2.0f);
    assert_true(mmd_cursor_ok(&cursor));
    assert_int_equal(mmd_cursor_left(&cursor), 0);
}

static void cursor_remembers_its_first_failure_and_stands_still(void **state)
{
    (void)state;
    mmd_error error = {0};
    const uint8_t bytes[6] = {1, 2, 3, 4, 5, 6};
    mmd_cursor cursor = mmd_cursor_make(bytes, sizeof bytes, &error);
    mmd_read_u32(&cursor);
    mmd_cursor_section(&cursor, "bone", 17);
    assert_int_equal(mmd_read_u32(&cursor), 0);
    assert_int_equal(cursor.status, MMD_ERROR_TRUNCATED);
    assert_int_equal(error.code, MMD_ERROR_TRUNCATED);
    assert_int_equal(error.offset, 4);
    assert_string_equal(error.section, "bone 17");
    assert_int_equal(mmd_read_u8(&cursor), 0); /* two bytes are left, but the cursor has failed */
    assert_null(mmd_read_bytes(&cursor, 1));
    assert_int_equal(mmd_cursor_fail(&cursor, MMD_ERROR_VALUE, "later"), MMD_ERROR_TRUNCATED);
    assert_int_equal(error.code, MMD_ERROR_TRUNCATED);
    assert_int_equal(mmd_cursor_left(&cursor), 2);
}

static void cursor_over_nothing_reads_nothing(void **state)
{
    (void)state;
    mmd_cursor cursor = mmd_cursor_make(NULL, 0, NULL);
    assert_non_null(mmd_read_bytes(&cursor, 0));
    assert_true(mmd_cursor_ok(&cursor));
    assert_int_equal(mmd_read_u8(&cursor), 0);
    assert_int_equal(cursor.status, MMD_ERROR_TRUNCATED);
}

static mmd_status status_of_count(int32_t count, size_t left, size_t min_size, uint32_t *result)
{
    uint8_t bytes[64] = {(uint8_t)count, (uint8_t)(count >> 8), (uint8_t)(count >> 16),
                         (uint8_t)(count >> 24)};
    mmd_cursor cursor = mmd_cursor_make(bytes, 4 + left, NULL);
    *result = mmd_cursor_count(&cursor, min_size);
    return cursor.status;
}

static void cursor_refuses_counts_that_cannot_follow(void **state)
{
    (void)state;
    uint32_t count;
    assert_int_equal(status_of_count(5, 50, 10, &count), MMD_OK);
    assert_int_equal(count, 5);
    assert_int_equal(status_of_count(0, 0, 10, &count), MMD_OK);
    assert_int_equal(status_of_count(6, 59, 10, &count), MMD_ERROR_COUNT);
    assert_int_equal(count, 0);
    assert_int_equal(status_of_count(-1, 50, 1, &count), MMD_ERROR_COUNT);
    assert_int_equal(count, 0);
    assert_int_equal(status_of_count(INT32_MAX, 50, SIZE_MAX, &count), MMD_ERROR_COUNT);
    mmd_cursor cursor = mmd_cursor_make("", 0, NULL);
    assert_int_equal(mmd_cursor_check_count(&cursor, UINT64_MAX, 1), 0);
    assert_int_equal(cursor.status, MMD_ERROR_COUNT);
}

static void buffer_writes_what_the_cursor_reads(void **state)
{
    (void)state;
    mmd_buffer buffer = {0};
    const float floats[2] = {0.1f, -1e30f};
    mmd_write_bytes(&buffer, NULL, 0);
    mmd_write_u8(&buffer, 200);
    mmd_write_u16(&buffer, 60000);
    mmd_write_u32(&buffer, 4000000000U);
    mmd_write_i32(&buffer, -7);
    mmd_write_f32(&buffer, 2.5f);
    mmd_write_floats(&buffer, floats, 2);
    mmd_write_zeros(&buffer, 3);
    mmd_write_format(&buffer, "%s-%04d", "frame", 12);
    mmd_cursor cursor = mmd_cursor_make(buffer.data, buffer.size, NULL);
    assert_int_equal(mmd_read_u8(&cursor), 200);
    assert_int_equal(mmd_read_u16(&cursor), 60000);
    assert_int_equal(mmd_read_u32(&cursor), 4000000000U);
    assert_int_equal(mmd_read_i32(&cursor), -7);
    assert_true(mmd_read_f32(&cursor) == 2.5f);
    assert_true(mmd_read_f32(&cursor) == floats[0]);
    assert_true(mmd_read_f32(&cursor) == floats[1]);
    assert_memory_equal(mmd_read_bytes(&cursor, 3), "\0\0\0", 3);
    assert_memory_equal(mmd_read_bytes(&cursor, 10), "frame-0012", 10);
    assert_int_equal(mmd_cursor_left(&cursor), 0);
    mmd_buffer_finish(&buffer);
    assert_null(buffer.data);
}

static void buffer_remembers_that_memory_ran_out(void **state)
{
    (void)state;
    mmd_buffer buffer = {0};
    mmd_write_u8(&buffer, 1);
    mmd_write_zeros(&buffer, SIZE_MAX / 2);
    assert_true(buffer.failed);
    mmd_write_u8(&buffer, 2);
    assert_int_equal(buffer.size, 1);
    mmd_buffer_finish(&buffer);
    assert_false(buffer.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_and_a_text),
        cmocka_unit_test(error_sentence_names_file_section_and_offset),
        cmocka_unit_test(error_sentence_is_safe_on_a_terminal_and_cut_at_its_capacity),
        cmocka_unit_test(log_sends_what_its_level_allows),
        cmocka_unit_test(heap_counts_calls_and_blocks),
        cmocka_unit_test(zeroed_memory_is_zeroed_and_counted),
        cmocka_unit_test(arena_gives_zeroed_aligned_memory_and_all_of_it_back),
        cmocka_unit_test(arena_keeps_its_limit_and_refuses_overflows),
        cmocka_unit_test(arena_reserve_makes_what_follows_one_block),
        cmocka_unit_test(cursor_reads_little_endian),
        cmocka_unit_test(cursor_remembers_its_first_failure_and_stands_still),
        cmocka_unit_test(cursor_over_nothing_reads_nothing),
        cmocka_unit_test(cursor_refuses_counts_that_cannot_follow),
        cmocka_unit_test(buffer_writes_what_the_cursor_reads),
        cmocka_unit_test(buffer_remembers_that_memory_ran_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
