/* Tests archives as sources of files: names, access in any order, and malicious archives. */
#include "made_archive.h"

#include <pthread.h>

#include "damage.h"
#include "mmd/archive.h"

/* --- Names --- */

static void names_stay_in_the_archive(void **state)
{
    static const struct {
        const char *name, *clean; /* NULL: entry is skipped */
    } cases[] = {
        {"a.pmx", "a.pmx"},
        {"a/b.pmx", "a/b.pmx"},
        {"a\\b.pmx", "a/b.pmx"},
        {"/etc/passwd", "etc/passwd"},
        {"//server/share/a", "server/share/a"},
        {"C:\\Windows\\a.pmx", "Windows/a.pmx"},
        {"c:a", "a"},
        {"/D:/c:\\x/a", "x/a"},
        {"./a//b/./c", "a/b/c"},
        {"a/../b", "b"},
        {"..", NULL},
        {"../a", NULL},
        {"a/../../b", NULL},
        {"..\\..\\a", NULL},
        {"C:..\\a", NULL},
        {"", NULL},
        {"/", NULL},
        {".", NULL},
        {"...", "..."},
    };
    char clean[MMD_PATH_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool kept = mmd_archive_name_clean(cases[i].name, false, clean);
        if (kept != (cases[i].clean != NULL) || (kept && strcmp(clean, cases[i].clean) != 0))
            fail_msg("%s: %s", cases[i].name, kept ? clean : "left out");
    }
    char longest[2 * MMD_PATH_MAX];
    memset(longest, 'a', sizeof longest);
    longest[MMD_PATH_MAX] = '\0';
    assert_false(mmd_archive_name_clean(longest, false, clean));
    longest[MMD_PATH_MAX - 1] = '\0';
    assert_true(mmd_archive_name_clean(longest, false, clean));
}

static void backslashes_within_characters_separate_nothing(void **state)
{
    char clean[MMD_PATH_MAX];
    (void)state;
    /*
     * 表\ソ.bmp: the second bytes of both characters are backslashes.
     */
    assert_true(mmd_archive_name_clean("\x95\x5c\\\x83\x5c.bmp", true, clean));
    assert_string_equal(clean, "表/ソ.bmp");
}

static void utf8_is_told_from_other_bytes(void **state)
{
    static const char *const good[] = {"", "a", "表", "é", "\xf0\x9f\x91\x8b"};
    static const char *const bad[] = {"\x95\x5c", "\xc0\x80",         "\xed\xa0\x80",
                                      "\xe8\xa1", "\xf4\x90\x80\x80", "\x80"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(mmd_archive_name_is_utf8(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(mmd_archive_name_is_utf8(bad[i]));
}

/* --- Reading --- */

static mmd_archive *open_bytes(const mmd_bytes *bytes)
{
    mmd_archive *archive = NULL;
    mmd_error error = {0};
    if (mmd_archive_open_memory(bytes->data, bytes->size, &archive, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    return archive;
}

static void assert_names(const mmd_archive *archive, const char *const *names, size_t count)
{
    size_t there;
    const mmd_archive_file *files = mmd_archive_files(archive, &there);
    assert_int_equal(there, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(files[i].name, names[i]);
}

static void assert_content(mmd_source *source, const char *name, const void *data, size_t size)
{
    char found[MMD_PATH_MAX];
    mmd_bytes bytes;
    mmd_error error = {0};
    if (!mmd_source_find(source, name, found))
        fail_msg("%s is not found", name);
    if (mmd_source_read(source, found, &bytes, &error) != MMD_OK)
        fail_msg("%s: %s %s", name, error.section, error.message);
    assert_int_equal(bytes.size, size);
    assert_memory_equal(bytes.data, data, size);
    mmd_bytes_finish(&bytes);
}

static void assert_text(mmd_source *source, const char *name, const char *text)
{
    assert_content(source, name, text, strlen(text));
}

enum { NOISE = 300000 };

/* Returns incompressible bytes, so that archives have more than one block. */
static uint8_t *make_noise(void)
{
    static uint8_t noise[NOISE];
    uint64_t seed = 1;
    for (size_t i = 0; i < NOISE; i++)
        noise[i] = (uint8_t)test_random(&seed);
    return noise;
}

static void files_of_every_kind_are_read_in_any_order(void **state)
{
    const uint8_t *noise = make_noise();
    const made_file files[] = {
        {"初音ミク/初音ミク.pmx", "model", 5},
        {"初音ミク/tex/Face.PNG", noise, NOISE},
        {"初音ミク/tex/empty.bmp", "", 0},
        {"readme.txt", "words", 5},
    };
    (void)state;
    for (int kind = 0; kind < MADE_KINDS; kind++) {
        uint64_t blocks = mmd_heap_blocks_in_use();
        mmd_bytes bytes = made_archive((made_kind)kind, files, 4, NULL);
        assert_true(mmd_archive_is(bytes.data, bytes.size));
        mmd_source *source = mmd_source_archive(open_bytes(&bytes));
        for (int round = 0; round < 2; round++) {
            assert_text(source, "readme.txt", "words");
            assert_content(source, "初音ミク\\TEX\\face.png", noise, NOISE);
            assert_content(source, "初音ミク/tex/empty.bmp", "", 0);
            assert_text(source, "初音ミク/初音ミク.pmx", "model");
        }
        mmd_source_destroy(source);
        mmd_bytes_finish(&bytes);
        assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    }
}

typedef struct seen_entries {
    char text[256];
    int left; /* entries still to be visited */
} seen_entries;

static bool see(void *user, const char *entry, bool is_folder)
{
    seen_entries *seen = user;
    strcat(strcat(seen->text, entry), is_folder ? "/ " : " ");
    return --seen->left != 0;
}

static void folders_are_listed_once(void **state)
{
    const made_file files[] = {
        {"b/c/2", "", 0}, {"a", "", 0}, {"b.x", "", 0}, {"b/c/1", "", 0}, {"b/d", "", 0}};
    mmd_bytes bytes = made_archive(MADE_ZIP, files, 5, NULL);
    mmd_source *source = mmd_source_archive(open_bytes(&bytes));
    seen_entries root = {"", 100}, b = {"", 100}, first = {"", 1}, none = {"", 100};
    (void)state;
    assert_true(mmd_source_list(source, "", see, &root));
    assert_string_equal(root.text, "a b.x b/ ");
    assert_true(mmd_source_list(source, "b", see, &b));
    assert_string_equal(b.text, "c/ d ");
    assert_true(mmd_source_list(source, "b", see, &first));
    assert_string_equal(first.text, "c/ ");
    assert_false(mmd_source_list(source, "c", see, &none));
    assert_false(mmd_source_list(source, "a", see, &none));
    mmd_source_destroy(source);
    mmd_bytes_finish(&bytes);
}

/* --- Encoding of names --- */

static void names_of_japanese_windows_are_read(void **state)
{
    /* 表/ソース.txt in CP932, without a flag for its encoding. */
    const made_entry entries[] = {{.name = "\x95\x5c/\x83\x5c\x81\x5b\x83\x58.txt", .data = "x", .size = 1}};
    static const char *const names[] = {"表/ソース.txt"};
    mmd_bytes bytes = made_zip(entries, 1);
    mmd_archive *archive = open_bytes(&bytes);
    (void)state;
    assert_names(archive, names, 1);
    mmd_archive_close(archive);
    mmd_bytes_finish(&bytes);
}

static void names_that_say_they_are_utf8_are(void **state)
{
    const made_entry entries[] = {{.name = "表/ソ.txt", .utf8 = true, .data = "x", .size = 1},
                                  {.name = "\x95\x5c/a", .data = "y", .size = 1},
                                  {.name = "plain", .data = "z", .size = 1}};
    static const char *const names[] = {"plain", "表/a", "表/ソ.txt"};
    mmd_bytes bytes = made_zip(entries, 3);
    mmd_archive *archive = open_bytes(&bytes);
    (void)state;
    assert_names(archive, names, 3);
    mmd_archive_close(archive);
    mmd_bytes_finish(&bytes);
}

/* As macOS writes them. */
static void names_of_utf8_that_do_not_say_so_are_read(void **state)
{
    const made_entry entries[] = {{.name = "表/ソ.txt", .data = "x", .size = 1}};
    static const char *const names[] = {"表/ソ.txt"};
    mmd_bytes bytes = made_zip(entries, 1);
    mmd_archive *archive = open_bytes(&bytes);
    (void)state;
    assert_names(archive, names, 1);
    mmd_archive_close(archive);
    mmd_bytes_finish(&bytes);
}

/* ﾐｸ in half width is valid UTF-8 by chance; another name of the archive decides the encoding of both. */
static void one_name_tells_of_the_others(void **state)
{
    const made_entry entries[] = {{.name = "\xd0\xb8.pmx", .data = "x", .size = 1},
                                  {.name = "\x95\x5c.txt", .data = "x", .size = 1},
                                  {.name = "и.pmx", .utf8 = true, .data = "x", .size = 1}};
    static const char *const names[] = {"и.pmx", "表.txt", "ﾐｸ.pmx"};
    mmd_bytes bytes = made_zip(entries, 3);
    mmd_archive *archive = open_bytes(&bytes);
    (void)state;
    assert_names(archive, names, 3);
    mmd_archive_close(archive);
    mmd_bytes_finish(&bytes);
}

static mmd_source *open_shared(const char *name)
{
    char path[1024];
    mmd_archive *archive = NULL;
    mmd_error error = {0};
    if (mmd_archive_open(shared_path(name, path, sizeof path), &archive, &error) != MMD_OK)
        fail_msg("%s: %s", name, error.message);
    return mmd_source_archive(archive);
}

static void others_archives_are_read(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    mmd_source *source = open_shared("data/archives/zip_filename_cp932.zip");
    assert_text(source, "表だよ/一覧表.txt", "Hello");
    assert_text(source, "表だよ/漢字.txt", "kanji");
    mmd_source_destroy(source);
    source = open_shared("data/archives/rar5_unicode.rar");
    assert_text(source, "👋🌎.txt", "Hello, world!");
    mmd_source_destroy(source);
    source = open_shared("data/archives/rar_unicode.rar");
    assert_text(source, "表だよ/漢字長いファイル名long-filename-in-漢字.txt", "kanji");
    mmd_source_destroy(source);
}

/* --- Threads --- */

enum { THREADS = 4, READS = 50, MEMBERS = 20 };

static void *read_many(void *user)
{
    static char not_read[] = "not read", read_wrong[] = "read wrong";
    mmd_source *source = user;
    uint64_t seed = (uint64_t)(uintptr_t)&seed;
    for (int i = 0; i < READS; i++) {
        char name[16], text[16];
        mmd_bytes bytes;
        unsigned number = (unsigned)(test_random(&seed) % MEMBERS);
        snprintf(name, sizeof name, "f%u", number);
        snprintf(text, sizeof text, "content %u", number);
        if (mmd_source_read(source, name, &bytes, NULL) != MMD_OK)
            return not_read;
        bool same = bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
        mmd_bytes_finish(&bytes);
        if (!same)
            return read_wrong;
    }
    return NULL;
}

static void threads_read_at_once(void **state)
{
    char names[MEMBERS][16], texts[MEMBERS][16];
    made_file files[MEMBERS];
    pthread_t threads[THREADS];
    (void)state;
    for (int i = 0; i < MEMBERS; i++) {
        snprintf(names[i], sizeof names[i], "f%d", i);
        snprintf(texts[i], sizeof texts[i], "content %d", i);
        files[i] = (made_file){names[i], texts[i], strlen(texts[i])};
    }
    for (int kind = 0; kind < MADE_KINDS; kind++) {
        mmd_bytes bytes = made_archive((made_kind)kind, files, MEMBERS, NULL);
        mmd_source *source = mmd_source_archive(open_bytes(&bytes));
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, read_many, source), 0);
        for (int i = 0; i < THREADS; i++) {
            void *trouble;
            assert_int_equal(pthread_join(threads[i], &trouble), 0);
            if (trouble)
                fail_msg("%s: %s", made_kind_name((made_kind)kind), (const char *)trouble);
        }
        mmd_source_destroy(source);
        mmd_bytes_finish(&bytes);
    }
}

/* --- Malicious archives --- */

static mmd_status open_status(const mmd_bytes *bytes, const char *text)
{
    mmd_archive *archive = NULL;
    mmd_error error = {0};
    mmd_status status = mmd_archive_open_memory(bytes->data, bytes->size, &archive, &error);
    mmd_archive_close(archive);
    if (status != MMD_OK && !strstr(error.message, text))
        fail_msg("no \"%s\" in: %s", text, error.message);
    return status;
}

static void names_that_leave_are_left_out(void **state)
{
    const made_entry entries[] = {{.name = "../../evil", .data = "x", .size = 1},
                                  {.name = "/abs", .data = "x", .size = 1},
                                  {.name = "C:\\win", .data = "x", .size = 1},
                                  {.name = "a/../../b", .data = "x", .size = 1}};
    static const char *const names[] = {"abs", "win"};
    mmd_bytes bytes = made_zip(entries, 4);
    mmd_archive *archive = open_bytes(&bytes);
    (void)state;
    assert_names(archive, names, 2);
    assert_int_equal(mmd_archive_left_out(archive), 2);
    mmd_archive_close(archive);
    mmd_bytes_finish(&bytes);
}

static void of_doubles_the_last_counts(void **state)
{
    const made_entry entries[] = {{.name = "a", .data = "first", .size = 5},
                                  {.name = "b", .data = "other", .size = 5},
                                  {.name = "./a", .data = "last", .size = 4}};
    mmd_bytes bytes = made_zip(entries, 3);
    mmd_source *source = mmd_source_archive(open_bytes(&bytes));
    (void)state;
    assert_text(source, "a", "last");
    assert_text(source, "b", "other");
    mmd_source_destroy(source);
    mmd_bytes_finish(&bytes);
}

static void bombs_are_refused(void **state)
{
    const made_entry ten_gib = {.name = "a", .data = "x", .size = 1, .size_said = 10ull << 30};
    const made_entry half_gib = {.name = "a", .data = "x", .size = 1, .size_said = 1ull << 29};
    (void)state;
    mmd_bytes bytes = made_zip(&ten_gib, 1);
    assert_int_equal(open_status(&bytes, "8 GiB"), MMD_ERROR_LIMIT);
    mmd_bytes_finish(&bytes);
    bytes = made_zip(&half_gib, 1);
    assert_int_equal(open_status(&bytes, "times"), MMD_ERROR_LIMIT);
    mmd_bytes_finish(&bytes);
}

static void many_entries_are_refused(void **state)
{
    enum { MANY = 100000 };
    made_entry *entries = calloc(MANY, sizeof *entries);
    char(*names)[12] = malloc(MANY * sizeof *names);
    (void)state;
    assert_true(entries && names);
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "%d", i);
        entries[i] = (made_entry){.name = names[i], .data = "", .size = 0};
    }
    mmd_bytes bytes = made_zip(entries, MANY);
    assert_int_equal(open_status(&bytes, "65536"), MMD_ERROR_LIMIT);
    mmd_bytes_finish(&bytes);
    bytes = made_zip(entries, 60000);
    assert_int_equal(open_status(&bytes, ""), MMD_OK);
    mmd_bytes_finish(&bytes);
    free(names);
    free(entries);
}

/* Zeros shrink to a thousandth, which no texture does. */
static void packed_zeros_are_refused(void **state)
{
    enum { ZEROS = 257 << 20 }; /* a little above the size from which the ratio is checked */
    void *zeros = calloc(ZEROS, 1);
    (void)state;
    assert_non_null(zeros);
    const made_file file = {"zeros", zeros, ZEROS};
    mmd_bytes bytes = made_archive(MADE_TAR_XZ, &file, 1, NULL);
    assert_int_equal(open_status(&bytes, "times"), MMD_ERROR_LIMIT);
    mmd_bytes_finish(&bytes);
    free(zeros);
}

static void encrypted_files_are_told(void **state)
{
    const made_file file = {"secret.pmx", "secret", 6};
    mmd_bytes bytes = made_archive(MADE_ZIP, &file, 1, "password"), read;
    mmd_source *source = mmd_source_archive(open_bytes(&bytes));
    mmd_error error = {0};
    (void)state;
    assert_int_equal(mmd_source_read(source, "secret.pmx", &read, &error), MMD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "encrypted"));
    mmd_source_destroy(source);
    mmd_bytes_finish(&bytes);
}

typedef struct damage_totals {
    size_t seen, inputs, opened, refused;
} damage_totals;

static void try_damaged(const uint8_t *data, size_t size, void *user)
{
    damage_totals *totals = user;
    mmd_archive *archive = NULL;
    mmd_error error = {0};
    size_t count;
#ifdef ODORI_TEST_SLOWLY
    if (totals->seen++ % 9) /* in sanitizer builds, a ninth of the copies */
        return;
#endif
    totals->inputs++;
    if (mmd_archive_open_memory(size ? data : (const uint8_t *)"", size, &archive, &error) != MMD_OK) {
        assert_true(error.message[0] != '\0');
        totals->refused++;
        return;
    }
    totals->opened++;
    const mmd_archive_file *files = mmd_archive_files(archive, &count);
    for (size_t i = 0; i < count; i++) {
        mmd_bytes bytes;
        error = (mmd_error){0};
        if (mmd_archive_read_file(archive, &files[i], &bytes, &error) != MMD_OK)
            assert_true(error.message[0] != '\0');
        mmd_bytes_finish(&bytes);
    }
    mmd_archive_close(archive);
}

static void try_damages(const char *what, const mmd_bytes *bytes)
{
    damage_totals totals = {0};
    uint64_t blocks = mmd_heap_blocks_in_use();
    damage_each(bytes->data, bytes->size, try_damaged, &totals);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    assert_true(totals.opened && totals.refused);
    print_message("%s: %zu inputs, %zu opened, %zu refused, 0 crashes\n", what, totals.inputs, totals.opened,
                  totals.refused);
}

static void damaged_archives_end_in_files_or_sentences(void **state)
{
    static char words[3000];
    const made_file files[] = {{"a/表.txt", words, sizeof words}, {"b", "b", 1}, {"a/c", words, 100}};
    uint64_t seed = 7;
    (void)state;
    for (size_t i = 0; i < sizeof words; i++)
        words[i] = (char)('a' + test_random(&seed) % 6);
    for (int kind = 0; kind < MADE_KINDS; kind++) {
        mmd_bytes bytes = made_archive((made_kind)kind, files, 3, NULL);
        try_damages(made_kind_name((made_kind)kind), &bytes);
        mmd_bytes_finish(&bytes);
    }
    if (!shared_exists()) {
        test_skip_part("no archives in %s", ODORI_SHARED);
        return;
    }
    static const char *const shared[] = {"data/archives/rar5_unicode.rar", "data/archives/rar_unicode.rar",
                                         "data/archives/zip_filename_cp932.zip"};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        mmd_bytes bytes = shared_read(shared[i]);
        try_damages(shared[i], &bytes);
        mmd_bytes_finish(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stay_in_the_archive),
        cmocka_unit_test(backslashes_within_characters_separate_nothing),
        cmocka_unit_test(utf8_is_told_from_other_bytes),
        cmocka_unit_test(files_of_every_kind_are_read_in_any_order),
        cmocka_unit_test(folders_are_listed_once),
        cmocka_unit_test(names_of_japanese_windows_are_read),
        cmocka_unit_test(names_that_say_they_are_utf8_are),
        cmocka_unit_test(names_of_utf8_that_do_not_say_so_are_read),
        cmocka_unit_test(one_name_tells_of_the_others),
        cmocka_unit_test(others_archives_are_read),
        cmocka_unit_test(threads_read_at_once),
        cmocka_unit_test(names_that_leave_are_left_out),
        cmocka_unit_test(of_doubles_the_last_counts),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(many_entries_are_refused),
        cmocka_unit_test(packed_zeros_are_refused),
        cmocka_unit_test(encrypted_files_are_told),
        cmocka_unit_test(damaged_archives_end_in_files_or_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
