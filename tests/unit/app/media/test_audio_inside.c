/* Tests that sounds in archives are read sample for sample like those outside, and that a file that is no
 * sound is rejected by its name. */
#include "media/audio_file.h"
#include "folder.h"
#include "made_archive.h"
#include "mmd/assemble.h"

enum { FRAMES = 5000, RATE = 8000, HEADER = 44, SIZE = HEADER + 2 * FRAMES };

static char folder[MMD_FILE_PATH_MAX];

static void path_of(const char *name, char path[MMD_FILE_PATH_MAX])
{
    snprintf(path, MMD_FILE_PATH_MAX, "%.4000s/%s", folder, name);
}

static void put(uint8_t *at, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Writes a sweep of 16 bits in one channel. */
static void make_wave(uint8_t wave[SIZE])
{
    memcpy(wave, "RIFF....WAVEfmt ....", 20);
    put(wave + 4, SIZE - 8, 4);
    put(wave + 16, 16, 4);
    put(wave + 20, 1, 2);
    put(wave + 22, 1, 2);
    put(wave + 24, RATE, 4);
    put(wave + 28, 2 * RATE, 4);
    put(wave + 32, 2, 2);
    put(wave + 34, 16, 2);
    memcpy(wave + 36, "data", 4);
    put(wave + 40, 2 * FRAMES, 4);
    for (uint32_t i = 0; i < FRAMES; i++)
        put(wave + HEADER + 2 * i, (i * i / 7) & 0xffff, 2);
}

static void write_file(const char *name, const void *data, size_t size)
{
    char path[MMD_FILE_PATH_MAX];
    path_of(name, path);
    assert_int_equal(mmd_file_write(path, data, size, NULL), MMD_OK);
}

static int make_files(void **state)
{
    static uint8_t wave[SIZE];
    (void)state;
    test_folder_make(folder);
    make_wave(wave);
    write_file("plain.wav", wave, sizeof wave);
    const made_file files[] = {{"deep/song.wav", wave, sizeof wave},
                               {"deep/cut.wav", wave, 20},
                               {"deep/text.wav", "no sound at all", 15},
                               {"deep/song.dat", wave, sizeof wave}};
    for (int kind = 0; kind < MADE_KINDS; kind++) {
        char name[32];
        mmd_bytes bytes = made_archive((made_kind)kind, files, sizeof files / sizeof *files, NULL);
        snprintf(name, sizeof name, "a.%s", made_kind_name((made_kind)kind));
        write_file(name, bytes.data, bytes.size);
        mmd_bytes_finish(&bytes);
    }
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    test_folder_remove(folder);
    return 0;
}

static audio_file *open_named(const char *name)
{
    char path[MMD_FILE_PATH_MAX];
    audio_file *file;
    mmd_error error = {0};
    path_of(name, path);
    if (audio_file_open(path, &file, &error) != MMD_OK)
        fail_msg("%s: %s", name, error.message);
    return file;
}

static void archives_sound_as_files_do(void **state)
{
    static const int64_t starts[] = {0, 4000, 123, -50, FRAMES - 10};
    static float a[2 * 700], b[2 * 700];
    (void)state;
    for (int kind = 0; kind < MADE_KINDS; kind++) {
        char name[64];
        snprintf(name, sizeof name, "a.%s/deep/song.wav", made_kind_name((made_kind)kind));
        audio_file *plain = open_named("plain.wav"), *inside = open_named(name);
        assert_int_equal(audio_file_length(inside), FRAMES);
        assert_int_equal(audio_file_rate(inside), RATE);
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
            audio_file_seek(plain, starts[i]);
            audio_file_seek(inside, starts[i]);
            audio_file_read(plain, a, 700);
            audio_file_read(inside, b, 700);
            assert_memory_equal(a, b, sizeof a);
        }
        audio_file_close(plain);
        audio_file_close(inside);
    }
}

static void names_tell_what_is_unpacked(void **state)
{
    char path[MMD_FILE_PATH_MAX];
    (void)state;
    path_of("a.zip/deep/song.wav", path);
    assert_true(audio_file_is_sound(path));
    path_of("a.zip/deep/text.wav", path);
    assert_false(audio_file_is_sound(path));
    path_of("a.zip/deep/song.dat", path);
    assert_false(audio_file_is_sound(path));
    path_of("a.zip/deep/none.wav", path);
    assert_false(audio_file_is_sound(path));
}

static void what_is_no_sound_is_refused(void **state)
{
    static const struct {
        const char *name;
        mmd_status status;
    } bad[] = {{"a.zip/deep/text.wav", MMD_ERROR_MAGIC},
               {"a.7z/deep/cut.wav", MMD_ERROR_VALUE},
               {"a.tar/deep/none.wav", MMD_ERROR_NOT_FOUND},
               {"none.zip/deep/song.wav", MMD_ERROR_NOT_FOUND}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char path[MMD_FILE_PATH_MAX];
        audio_file *file;
        mmd_error error = {0};
        path_of(bad[i].name, path);
        assert_int_equal(audio_file_open(path, &file, &error), bad[i].status);
        assert_null(file);
        assert_non_null(strstr(error.file, "wav"));
    }
}

static void archives_are_known_from_what_is_in_them(void **state)
{
    char path[MMD_FILE_PATH_MAX], archive[MMD_FILE_PATH_MAX], wanted[MMD_FILE_PATH_MAX];
    (void)state;
    path_of("a.zip", wanted);
    path_of("a.zip/deep/song.wav", path);
    assert_true(mmd_locate_archive(path, archive));
    assert_string_equal(archive, wanted);
    path_of("plain.wav", path);
    assert_false(mmd_locate_archive(path, archive));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archives_sound_as_files_do),
        cmocka_unit_test(names_tell_what_is_unpacked),
        cmocka_unit_test(what_is_no_sound_is_refused),
        cmocka_unit_test(archives_are_known_from_what_is_in_them),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
