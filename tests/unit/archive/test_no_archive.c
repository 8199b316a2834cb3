/* Tests what a build without libarchive does (ODORI_ARCHIVES=OFF): files in folders are found as ever, and
 * archives are refused. The functions of no_archive.c take the place of the library's in this program. */
#include "engine/archive/no_archive.c"

#include "folder.h"
#include "made_archive.h"
#include "mmd/assemble.h"
#include "stranger.h"

static char work[MMD_FILE_PATH_MAX];

static int make_folder(void **state)
{
    (void)state;
    test_folder_make(work);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    test_folder_remove(work);
    return 0;
}

static void archives_are_refused(void **state)
{
    (void)state;
    const made_file files[] = {{"m.pmx", "x", 1}};
    mmd_bytes zip = made_archive(MADE_ZIP, files, 1, NULL);
    mmd_archive *archive = NULL;
    mmd_error error = {0};
    assert_false(mmd_archive_is(zip.data, zip.size));
    assert_int_equal(mmd_archive_open_memory(zip.data, zip.size, &archive, &error), MMD_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "this build opens no archives");
    assert_null(archive);
    assert_int_equal(mmd_archive_open(work, &archive, NULL), MMD_ERROR_UNSUPPORTED);
    assert_int_equal(mmd_archive_open_shared(work, &archive, NULL), MMD_ERROR_UNSUPPORTED);
    mmd_archive_close(archive);
    mmd_bytes_finish(&zip);
}

static void folders_work_without(void **state)
{
    (void)state;
    static const char *const textures[] = {"tex/a.png"};
    char path[2 * sizeof work], found[MMD_PATH_MAX];
    mmd_buffer model = {0}, picture = {0};
    mmd_model_file file;
    mmd_error error = {0};
    stranger_model(textures, 1, &model);
    stranger_picture(false, &picture);
    stranger_write(work, "one/m.pmx", model.data, model.size);
    stranger_write(work, "one/tex/a.png", picture.data, picture.size);
    const made_file files[] = {{"m.pmx", model.data, model.size}};
    mmd_bytes zip = made_archive(MADE_ZIP, files, 1, NULL);
    stranger_write(work, "m.zip", zip.data, zip.size);
    snprintf(path, sizeof path, "%s/one", work);
    if (mmd_model_file_read(path, &file, &error) != MMD_OK)
        fail_msg("%s", error.message);
    assert_int_equal(mmd_textures_find(&file.textures, file.model->textures[0], found, NULL), MMD_OK);
    assert_true(mmd_textures_decode(&file.textures, found, NULL));
    mmd_model_file_finish(&file);
    snprintf(path, sizeof path, "%s/m.zip", work);
    assert_int_equal(mmd_model_file_read(path, &file, &error), MMD_ERROR_MAGIC);
    snprintf(path, sizeof path, "%s/m.zip/m.pmx", work);
    assert_int_equal(mmd_model_file_read(path, &file, &error), MMD_ERROR_NOT_FOUND);
    mmd_bytes_finish(&zip);
    mmd_buffer_finish(&model);
    mmd_buffer_finish(&picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archives_are_refused),
        cmocka_unit_test(folders_work_without),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
