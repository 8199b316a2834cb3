/* Tests which files the name of a texture reaches on any system: neither devices nor streams, whatever case.
 */
#include "folder.h"
#include "mmd/assemble.h"
#include "stranger.h"

static char work[MMD_FILE_PATH_MAX];

/* Makes a model's folder and one beside it, in a folder that is none of the user's own. */
static int setup(void **state)
{
    static const char *const names[] = {"pack/a/tex/ok.png", "pack/b/x.png"};
    mmd_buffer picture = {0};
    (void)state;
    test_folder_make(work);
    stranger_picture(false, &picture);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        stranger_write(work, names[i], picture.data, picture.size);
    mmd_buffer_finish(&picture);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    test_folder_remove(work);
    return 0;
}

static mmd_texture_location locate(const char *folder, const char *name)
{
    char model[2 * MMD_FILE_PATH_MAX];
    snprintf(model, sizeof model, "%s/%s", folder, name);
    mmd_texture_location location = mmd_textures_beside(model, MMD_NAMED_PICTURES);
    assert_non_null(location.source);
    return location;
}

static void names_reach_files_only(void **state)
{
    static const struct {
        const char *name;
        mmd_status status;
    } cases[] = {
        {"tex/ok.png", MMD_OK},
        {"TEX\\Ok.PNG", MMD_OK},
        {".\\tex/../tex\\ok.png", MMD_OK},
        {"..\\b\\X.png", MMD_OK},
        {"NUL.png", MMD_ERROR_NOT_FOUND},
        {"tex/con.png", MMD_ERROR_NOT_FOUND},
        {"com1.png", MMD_ERROR_NOT_FOUND},
        {"tex/ok.png:x.png", MMD_ERROR_NOT_FOUND},
        {"tex:x/ok.png", MMD_ERROR_NOT_FOUND},
        {"tex./ok.png", MMD_ERROR_NOT_FOUND},
        {"tex /ok.png", MMD_ERROR_NOT_FOUND},
        {"te?/ok.png", MMD_ERROR_NOT_FOUND},
        {"tex/*.png", MMD_ERROR_NOT_FOUND},
        {"tex/ok.png.", MMD_ERROR_REFUSED},
        {"tex/ok.png::$DATA", MMD_ERROR_REFUSED},
        {"NUL", MMD_ERROR_REFUSED},
        {"\\\\.\\pipe\\a.png", MMD_ERROR_REFUSED},
        {"//?/C:/a.png", MMD_ERROR_REFUSED},
        {"\\\\server\\share\\a.png", MMD_ERROR_REFUSED},
        {"C:a.png", MMD_ERROR_REFUSED},
        {"c:\\a.png", MMD_ERROR_REFUSED},
        {"../../../a.png", MMD_ERROR_REFUSED},
    };
    mmd_texture_location location = locate(work, "pack/a/m.pmx");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[MMD_PATH_MAX];
        mmd_error error = {0};
        mmd_bytes bytes = {0};
        mmd_status status = mmd_textures_find(&location, cases[i].name, path, &error);
        if (status != cases[i].status)
            fail_msg("%s: %s", cases[i].name, status == MMD_OK ? path : error.message);
        if (status == MMD_OK)
            assert_int_equal(mmd_source_read(location.source, path, &bytes, NULL), MMD_OK);
        mmd_bytes_finish(&bytes);
    }
    mmd_source_destroy(location.source);
}

/* The source opens nothing else either, whatever name it gets. */
static void the_source_reads_files_only(void **state)
{
    static const char *const names[] = {
        "a/tex/ok.png:x.png", "a/NUL.png", "a/tex./ok.png",    "NUL.png",       "a/tex/con.png",
        "//./pipe/a.png",     "C:/a.png",  "a/../../none.png", "../../../a.png"};
    mmd_texture_location location = locate(work, "pack/a/m.pmx");
    mmd_bytes bytes = {0};
    (void)state;
    assert_int_equal(mmd_source_read(location.source, "a/tex/ok.png", &bytes, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mmd_source_read(location.source, names[i], &bytes, NULL) == MMD_OK)
            fail_msg("%s", names[i]);
    mmd_source_destroy(location.source);
}

/* Checks that nothing beside a folder of the user is looked at. Neither it nor the model need to be there. */
static void assert_private(const char *folder)
{
    char path[MMD_PATH_MAX];
    mmd_error error = {0};
    mmd_texture_location location = locate(folder, "none/m.pmx");
    mmd_status status = mmd_textures_find(&location, "../b/x.png", path, &error);
    if (status != MMD_ERROR_REFUSED || !strstr(error.message, "it lies outside of the model's folder"))
        fail_msg("%s: %s", folder, status == MMD_OK ? path : error.message);
    mmd_source_destroy(location.source);
}

static void own_folders_have_nothing_beside(void **state)
{
    static const char *const names[] = {"DESKTOP", "DOCUMENTS", "DOWNLOAD", "MUSIC", "PICTURES", "VIDEOS"};
    char path[MMD_FILE_PATH_MAX];
    mmd_user_folders folders;
    size_t found = 0;
    (void)state;
    mmd_user_folders_find(&folders);
    assert_false(mmd_user_folders_has(&folders, work));
    assert_true(mmd_user_folders_home(path) && mmd_user_folders_has(&folders, path));
    assert_private(path);
    assert_true(mmd_user_folders_account(path) && mmd_user_folders_has(&folders, path));
    assert_private(path);
    assert_true(platform_path_resolve("/", path) && mmd_user_folders_has(&folders, path));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!mmd_user_folder_find(names[i], path))
            continue;
        assert_true(platform_path_root(path) > 0 && mmd_user_folders_has(&folders, path));
        assert_private(path);
        found++;
    }
    assert_false(mmd_user_folder_find("NONE", path));
    print_message("%zu of the user's folders\n", found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_reach_files_only),
        cmocka_unit_test(the_source_reads_files_only),
        cmocka_unit_test(own_folders_have_nothing_beside),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
