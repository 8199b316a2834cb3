/* What archives unpack, how often, and how much of it they hold. */
#include <stdio.h>
#include <stdlib.h>

#include "folder.h"
#include "made_archive.h"
#include "mmd/archive.h"
#include "mmd/assemble.h"

enum { FILES = 5, LARGE = (MMD_ARCHIVE_KEPT_MAX / 4) + 1 };

static const char *const names[FILES] = {"a.png", "b.png", "c.png", "d.png", "e.png"};

/* Makes a tar.gz that has the files in the opposite order. Each byte of a file is its number. */
static mmd_bytes make_reversed(size_t size)
{
    made_file files[FILES];
    uint8_t *contents[FILES];
    for (size_t i = 0; i < FILES; i++) {
        contents[i] = malloc(size);
        assert_non_null(contents[i]);
        memset(contents[i], (int)i, size);
        files[FILES - 1 - i] = (made_file){names[i], contents[i], size};
    }
    mmd_bytes bytes = made_archive(MADE_TAR_GZ, files, FILES, NULL);
    for (size_t i = 0; i < FILES; i++)
        free(contents[i]);
    return bytes;
}

static mmd_archive *open_bytes(const mmd_bytes *bytes)
{
    mmd_archive *archive = NULL;
    mmd_error error = {0};
    if (mmd_archive_open_memory(bytes->data, bytes->size, &archive, &error) != MMD_OK)
        fail_msg("%s", error.message);
    return archive;
}

/* Reads a file and checks its contents. */
static void read_one(mmd_source *source, uint32_t index, size_t size)
{
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    if (mmd_source_read(source, names[index], &bytes, &error) != MMD_OK)
        fail_msg("%s", error.message);
    assert_int_equal(bytes.size, size);
    assert_int_equal(bytes.data[0], index);
    assert_int_equal(bytes.data[size - 1], index);
    mmd_bytes_finish(&bytes);
}

/* A compressed tar is unpacked to be listed; nothing of it is unpacked again. */
static void small_files_are_unpacked_once(void **state)
{
    (void)state;
    mmd_bytes bytes = make_reversed(100000);
    mmd_archive *archive = open_bytes(&bytes);
    mmd_source *source = mmd_source_archive(archive);
    for (int round = 0; round < 3; round++)
        for (uint32_t i = 0; i < FILES; i++)
            read_one(source, i, 100000);
    mmd_archive_work work = mmd_archive_get_work(archive);
    assert_int_equal(work.passes, 1);
    assert_int_equal(work.reads, FILES);
    mmd_source_destroy(source);
    mmd_bytes_finish(&bytes);
}

/* Files that are too large for the cache. In the planned order each pass unpacks each once. */
static void large_files_are_unpacked_in_order(void **state)
{
    (void)state;
    mmd_bytes bytes = make_reversed(LARGE);
    mmd_archive *archive = open_bytes(&bytes);
    mmd_source *source = mmd_source_archive(archive);
    uint32_t order[FILES];
    mmd_source_plan(source, names, FILES, order);
    for (uint32_t i = 0; i < FILES; i++)
        assert_int_equal(order[i], FILES - 1 - i);
    for (uint32_t i = 0; i < FILES; i++)
        read_one(source, order[i], LARGE);
    mmd_archive_work work = mmd_archive_get_work(archive);
    assert_int_equal(work.passes, 2); /* listing it, and reading it */
    assert_int_equal(work.reads, FILES);
    mmd_source_destroy(source);
    mmd_bytes_finish(&bytes);
}

/* All archives share one cache. What does not fit is read again, with the same result. */
static void archives_share_one_cache(void **state)
{
    (void)state;
    enum { SIZE = MMD_ARCHIVE_KEPT_MAX / 8 };
    mmd_bytes bytes = make_reversed(SIZE);
    assert_int_equal(mmd_archives_kept(), 0);
    mmd_source *first = mmd_source_archive(open_bytes(&bytes));
    assert_int_equal(mmd_archives_kept(), FILES * (uint64_t)SIZE);
    mmd_source *second = mmd_source_archive(open_bytes(&bytes));
    assert_int_equal(mmd_archives_kept(), MMD_ARCHIVE_KEPT_MAX);
    for (uint32_t i = 0; i < FILES; i++)
        read_one(second, i, SIZE);
    assert_int_equal(mmd_archives_kept(), MMD_ARCHIVE_KEPT_MAX);
    mmd_source_destroy(first);
    assert_int_equal(mmd_archives_kept(), 3 * (uint64_t)SIZE);
    mmd_source_destroy(second);
    assert_int_equal(mmd_archives_kept(), 0);
    mmd_bytes_finish(&bytes);
}

static void files_that_nothing_names_are_not_cached(void **state)
{
    (void)state;
    const made_file files[] = {
        {"zeros", "12345", 5}, {"a.dat", "123", 3}, {"a.PNG", "1234567", 7}, {"m.pmx", "12", 2}};
    mmd_bytes bytes = made_archive(MADE_TAR_GZ, files, 4, NULL), read = {0};
    mmd_source *source = mmd_source_archive(open_bytes(&bytes));
    assert_int_equal(mmd_archives_kept(), 9);
    assert_int_equal(mmd_source_read(source, "zeros", &read, NULL), MMD_OK);
    assert_int_equal(read.size, 5);
    mmd_bytes_finish(&read);
    assert_int_equal(mmd_archives_kept(), 9);
    mmd_source_destroy(source);
    mmd_bytes_finish(&bytes);
}

static void planned_names_may_be_missing(void **state)
{
    (void)state;
    static const char *const some[] = {"none.png", "a.png", NULL, "e.png"};
    mmd_bytes bytes = make_reversed(10);
    mmd_source *source = mmd_source_archive(open_bytes(&bytes));
    uint32_t order[4];
    mmd_source_plan(source, some, 4, order);
    assert_int_equal(order[0], 3);
    assert_int_equal(order[1], 1);
    assert_int_equal(order[2], 0);
    assert_int_equal(order[3], 2);
    mmd_source_plan(source, NULL, 0, NULL);
    mmd_source_destroy(source);
    mmd_source *plain = mmd_source_memory(NULL, 0);
    mmd_source_plan(plain, some, 4, order);
    assert_int_equal(order[0], 2); /* NULLs first, then as they were given */
    assert_int_equal(order[1], 0);
    mmd_source_destroy(plain);
    mmd_bytes_finish(&bytes);
}

/* --- Archives in files --- */

static char folder[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX + 16];

static int make_folder(void **state)
{
    (void)state;
    test_folder_make(folder);
    snprintf(path, sizeof path, "%s/a.tar.gz", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    test_folder_remove(folder);
    return 0;
}

static void write_reversed(size_t size)
{
    mmd_bytes bytes = make_reversed(size);
    assert_int_equal(mmd_file_write(path, bytes.data, bytes.size, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
}

static mmd_archive *open_path(void)
{
    mmd_archive *archive = NULL;
    mmd_error error = {0};
    if (mmd_archive_open_shared(path, &archive, &error) != MMD_OK)
        fail_msg("%s", error.message);
    return archive;
}

static void archives_are_shared_while_they_are_used_or_held(void **state)
{
    (void)state;
    write_reversed(10);
    uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_archive *first = open_path(), *second = open_path();
    assert_ptr_equal(first, second);
    mmd_archive_close(first);
    assert_int_equal(mmd_archive_get_work(second).passes, 1);
    mmd_archive_close(second);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    mmd_archives_hold();
    first = open_path();
    mmd_archive_close(first);
    second = open_path();
    assert_ptr_equal(first, second);
    if (test_replaces_open_files(folder)) {
        write_reversed(11); /* a changed file is another archive */
        mmd_archive *changed = open_path();
        assert_ptr_not_equal(changed, second);
        size_t count;
        assert_int_equal(mmd_archive_files(changed, &count)->size, 11);
        mmd_archive_close(changed);
    }
    mmd_archive_close(second);
    mmd_archives_release();
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

/* The textures of a model have the order of its archive, and each file comes once. */
static void textures_are_read_in_the_order_of_the_archive(void **state)
{
    (void)state;
    char inside[MMD_FILE_PATH_MAX + 32];
    const char *listed[] = {"a.png", "c.png", "C.png", "none.png", "e.png"};
    const mmd_model model = {.textures = listed, .texture_count = 5};
    mmd_texture_files files;
    write_reversed(10);
    snprintf(inside, sizeof inside, "%s/m.pmx", path);
    mmd_texture_location location = mmd_textures_beside(inside, MMD_NAMED_PICTURES);
    assert_non_null(location.source);
    assert_true(mmd_texture_files_find(&files, &model, &location));
    uint32_t seen = 0, expected[] = {4, 1, 0};
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t at = files.order[i];
        if (files.items[at].path && files.items[at].first == at)
            assert_int_equal(at, expected[seen++]);
    }
    assert_int_equal(seen, 3);
    mmd_texture_files_finish(&files);
    mmd_source_destroy(location.source);
}

/* --- Limits --- */

static void assert_limit(const made_entry *entries, size_t count, const char *text)
{
    mmd_bytes zip = made_zip(entries, count);
    mmd_archive *archive = NULL;
    mmd_error error = {0};
    assert_int_equal(mmd_archive_open_memory(zip.data, zip.size, &archive, &error), MMD_ERROR_LIMIT);
    if (!strstr(error.message, text))
        fail_msg("%s", error.message);
    mmd_bytes_finish(&zip);
}

static void unpacked_bytes_are_bounded_in_proportion(void **state)
{
    (void)state;
    const size_t size = 3 << 20;
    uint8_t *filler = calloc(size, 1);
    const uint64_t claim = 450 << 20;
    const made_entry bomb = {.name = "a", .data = "x", .size = 1, .size_said = 300 << 20};
    const made_entry many[] = {{.name = "a", .data = filler, .size = size},
                               {.name = "b", .data = "x", .size = 1, .size_said = claim},
                               {.name = "c", .data = "x", .size = 1, .size_said = claim},
                               {.name = "d", .data = "x", .size = 1, .size_said = claim},
                               {.name = "e", .data = "x", .size = 1, .size_said = claim},
                               {.name = "f", .data = "x", .size = 1, .size_said = claim}};
    assert_limit(&bomb, 1, "over 1200 times as large");
    assert_limit(many, 6, "more than 2 GiB and are over 200 times as large");

    /* one file of a small archive */
    const made_entry one[] = {{.name = "a", .data = filler, .size = size},
                              {.name = "b", .data = "x", .size = 1, .size_said = 600 << 20}};
    mmd_bytes zip = made_zip(one, 2);
    mmd_source *source = mmd_source_archive(open_bytes(&zip));
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    assert_int_equal(mmd_source_read(source, "b", &bytes, &error), MMD_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "larger than 512 MiB"));
    mmd_source_destroy(source);
    mmd_bytes_finish(&zip);
    free(filler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_files_are_unpacked_once),
        cmocka_unit_test(large_files_are_unpacked_in_order),
        cmocka_unit_test(archives_share_one_cache),
        cmocka_unit_test(files_that_nothing_names_are_not_cached),
        cmocka_unit_test(planned_names_may_be_missing),
        cmocka_unit_test(archives_are_shared_while_they_are_used_or_held),
        cmocka_unit_test(textures_are_read_in_the_order_of_the_archive),
        cmocka_unit_test(unpacked_bytes_are_bounded_in_proportion),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
