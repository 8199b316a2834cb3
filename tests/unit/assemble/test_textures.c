/* Tests which files the name of a texture reaches: only what lies with the model (mmd/assemble.h). */
#define _XOPEN_SOURCE 700 /* realpath */
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/hashes.h"
#include "made_archive.h"
#include "mmd/assemble.h"
#include "mmd/format.h"
#include "stranger.h"

static char work[MMD_FILE_PATH_MAX];

static int setup(void **state)
{
    char path[MMD_FILE_PATH_MAX + 64], line[MMD_FILE_PATH_MAX + 256];
    (void)state;
    snprintf(path, sizeof path, "%s/textures-%ld", ODORI_BINARY, (long)getpid());
    if (mkdir(path, 0777) != 0 || !realpath(path, work))
        return -1;
    stranger_home(work);
    snprintf(line, sizeof line,
             "# folders\nXDG_MUSIC_DIR=\"$HOME/My \\\"Music\\\"\"\n  "
             "XDG_VIDEOS_DIR=\"%s/films\"\nnonsense\nXDG_X_DIR=\"",
             work);
    stranger_write_text(work, "config/user-dirs.dirs", line);
    snprintf(path, sizeof path, "%s/home", work);
    setenv("HOME", path, 1);
    snprintf(path, sizeof path, "%s/config", work);
    setenv("XDG_CONFIG_HOME", path, 1);
    snprintf(path, sizeof path, "%s/temp", work);
    setenv("TMPDIR", path, 1);
    return 0;
}

static int teardown(void **state)
{
    char command[MMD_FILE_PATH_MAX + 16];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", work);
    return system(command);
}

static mmd_status status_of(const char *model, const char *name, mmd_named_files also,
                            char path[MMD_PATH_MAX], mmd_error *error)
{
    char file[2 * MMD_FILE_PATH_MAX];
    snprintf(file, sizeof file, "%s%s%s", model[0] == '/' ? "" : work, model[0] == '/' ? "" : "/", model);
    mmd_texture_location location = mmd_textures_beside(file, also);
    assert_non_null(location.source);
    mmd_status status = mmd_textures_find(&location, name, path, error);
    mmd_bytes bytes = {0};
    if (status == MMD_OK) /* what is found can be read */
        assert_int_equal(mmd_source_read(location.source, path, &bytes, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    mmd_source_destroy(location.source);
    return status;
}

/* Checks that a name is refused with this reason; NULL: that it leads to a file. */
static void check(const char *model, const char *name, const char *why)
{
    char path[MMD_PATH_MAX];
    mmd_error error = {0};
    mmd_status status = status_of(model, name, MMD_NAMED_PICTURES, path, &error);
    if (status != (why ? MMD_ERROR_REFUSED : MMD_OK) || (why && !strstr(error.message, why)))
        fail_msg("%s of %s: %s, not %s", name, model, status == MMD_OK ? path : error.message,
                 why ? why : "found");
}

#define OUTSIDE "it lies outside of the model's folder"
#define LINK    "a link leads out of the model's folder"
#define DOT     "a part of its name begins with a dot"
#define ROOT    "it is an absolute path"

/* --- The model's folder --- */

static void names_stay_in_the_models_folder(void **state)
{
    static const char model[] = "home/Downloads/miku/m.pmx";
    static const char *const cases[][2] = {
        {"tex/ok.png", NULL},
        {"TEX\\OK.PNG", NULL},
        {"./tex//.\\ok.png", NULL},
        {"tex/../tex/ok.png", NULL},
        {"in.png", NULL},
        {"../../.ssh/id_rsa", DOT},
        {"../../.ssh/key.png", DOT},
        {"../../Pictures/private.png", OUTSIDE},
        {"..\\..\\Pictures\\private.png", OUTSIDE},
        {"tex/../../../Pictures/private.png", OUTSIDE},
        {"linkdir/../../../Pictures/private.png", OUTSIDE},
        {"../other/o.png", OUTSIDE},
        {".hid/a.png", DOT},
        {"tex/.b.png", DOT},
        {"..png", DOT},
        {"...\\ok.png", DOT},
        {"link.png", LINK},
        {"linkdir/private.png", LINK},
        {"hidden.png", "a link leads to a file or folder whose name begins with a dot"},
        {"/etc/a.png", ROOT},
        {"\\a.png", ROOT},
        {"//server/share/a.png", ROOT},
        {"C:\\Users\\a.png", ROOT},
        {"c:tex/ok.png", ROOT},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(model, cases[i][0], cases[i][1]);
}

/* The source opens nothing else either, whatever name it gets. */
static void the_source_reads_nothing_else(void **state)
{
    static const char *const names[] = {"other/o.png",
                                        "miku/../other/o.png",
                                        "../Pictures/private.png",
                                        "miku/link.png",
                                        "miku/.hid/a.png",
                                        "miku/linkdir/private.png",
                                        "../home/.ssh/id_rsa",
                                        "link.png",
                                        "../../Pictures/private.png",
                                        "../../../etc/passwd",
                                        ".hid/a.png",
                                        "../other/o.png",
                                        "../../.ssh/key.png",
                                        "hidden.png",
                                        "linkdir/private.png",
                                        "../miku/.hid/../../m.png",
                                        "miku/notes.txt",
                                        ".hide/x.png"};
    char file[2 * MMD_FILE_PATH_MAX];
    mmd_bytes bytes = {0};
    (void)state;
    stranger_write_text(work, "home/Downloads/miku/notes.txt", "");
    stranger_write_text(work, "home/models/miku/notes.txt", "");
    stranger_link(work, "home/models/miku/link.png", "../../Pictures/private.png");
    stranger_write_text(work, "home/models/.hide/x.png", "");
    for (int k = 0; k < 2; k++) {
        snprintf(file, sizeof file, "%s/home/%s/miku/m.pmx", work, k ? "models" : "Downloads");
        mmd_texture_location location = mmd_textures_beside(file, MMD_NAMED_PICTURES);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (mmd_source_read(location.source, names[i], &bytes, NULL) == MMD_OK)
                fail_msg("%s", names[i]);
        mmd_source_destroy(location.source);
    }
}

static void names_end_like_pictures(void **state)
{
    static const char *const good[] = {"png", "bmp", "jpg", "jpeg", "tga", "dds",
                                       "gif", "psd", "sph", "spa",  "BMP"};
    static const char *const bad[] = {"txt", "pem", "x", "bin", "png~", "png.gz", "", "pmx", "vmd"};
    char name[64], path[MMD_PATH_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(name, sizeof name, "none.%s", good[i]);
        assert_int_equal(status_of("home/Downloads/miku/m.pmx", name, MMD_NAMED_PICTURES, path, NULL),
                         MMD_ERROR_NOT_FOUND);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(name, sizeof name, "none.%s", bad[i]);
        check("home/Downloads/miku/m.pmx", name, "its name does not end like a picture's");
    }
    check("home/Downloads/miku/m.pmx", "id_rsa", "its name does not end like a picture's");
    static const char *const kinds[] = {"none.X", "none.bin"};
    for (int also = MMD_NAMED_PICTURES; also <= MMD_NAMED_BUFFERS; also++)
        for (int i = 0; i < 2; i++)
            assert_int_equal(
                status_of("home/Downloads/miku/m.pmx", kinds[i], (mmd_named_files)also, path, NULL),
                also == i + 1 ? MMD_ERROR_NOT_FOUND : MMD_ERROR_REFUSED);
}

/* What is refused as a buffer is not told to be no picture only. */
static void the_endings_of_buffers_are_named(void **state)
{
    char path[MMD_PATH_MAX];
    mmd_error error = {0};
    (void)state;
    assert_int_equal(status_of("home/Downloads/miku/m.pmx", "id_rsa", MMD_NAMED_BUFFERS, path, &error),
                     MMD_ERROR_REFUSED);
    if (!strstr(error.message, "or a buffer's (bin, glbin, glbuf)"))
        fail_msg("%s", error.message);
}

/* --- Folders beside it --- */

static void put_pair(const char *folder)
{
    char name[256];
    mmd_buffer plain = {0};
    stranger_picture(false, &plain);
    snprintf(name, sizeof name, "%s/a/m.pmx", folder);
    stranger_write_text(work, name, "");
    snprintf(name, sizeof name, "%s/b/.h/x.png", folder);
    stranger_write(work, name, plain.data, plain.size);
    snprintf(name, sizeof name, "%s/b/x.png", folder);
    stranger_write(work, name, plain.data, plain.size);
    snprintf(name, sizeof name, "%s/x.png", folder);
    stranger_write(work, name, plain.data, plain.size);
    mmd_buffer_finish(&plain);
}

static void folders_beside_a_models_folder_are_followed(void **state)
{
    (void)state;
    put_pair("home/models");
    stranger_write_text(work, "far/private.png", "");
    stranger_link(work, "home/models/linked", "../../far");
    stranger_link(work, "home/models/b/up.png", "../x.png");
    stranger_link(work, "home/models/b/same.png", "x.png");
    static const char model[] = "home/models/a/m.pmx";
    check(model, "..\\b\\x.png", NULL);
    check(model, "../B/X.png", NULL);
    check(model, "../b/same.png", NULL);
    check(model, "../b/../b/x.png", NULL);
    check(model, "../x.png", "it lies above the model's folder");
    check(model, "../../models/b/x.png", "it leads more than one folder up");
    check(model, "../../Pictures/private.png", "it leads more than one folder up");
    check(model, "../b/.h/x.png", DOT);
    check(model, "../linked/private.png", LINK);
    check(model, "../b/up.png", LINK);
}

static void private_folders_have_nothing_beside(void **state)
{
    static const char *const folders[] = {
        "home/Downloads", "home/Desktop",   "home/Documents",    "home/Pictures", "home/Music", "home/Videos",
        "home/Public",    "home/Templates", "home/My \"Music\"", "films",         "temp",       "home"};
    char model[256];
    (void)state;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        put_pair(folders[i]);
        snprintf(model, sizeof model, "%s/a/m.pmx", folders[i]);
        check(model, "../b/x.png", OUTSIDE);
        snprintf(model, sizeof model, "%s/m.pmx", folders[i]);
        check(model, "../b/x.png", OUTSIDE);
        check(model, "b/x.png", NULL);
    }
    check("/tmp/m.pmx", "../etc/x.png", OUTSIDE);
    check("/usr/m.pmx", "../etc/x.png", OUTSIDE);
    put_pair("other"); /* only these folders, not those beside them */
    check("other/a/m.pmx", "../b/x.png", NULL);
    check("other/m.pmx", "../films/x.png", "it lies in one of the user's own folders");
}

/* No private folder is entered on the way to a file, however far above it the model is. */
static void private_folders_are_not_entered(void **state)
{
    static const char private[] = "it lies in one of the user's own folders";
    mmd_buffer plain = {0};
    (void)state;
    stranger_picture(false, &plain);
    stranger_write(work, "home/Pictures/p.png", plain.data, plain.size);
    stranger_write(work, "home/pics/p.png", plain.data, plain.size);
    mmd_buffer_finish(&plain);
    put_pair("other");
    char model[MMD_FILE_PATH_MAX + 16], name[MMD_FILE_PATH_MAX + 32];
    snprintf(model, sizeof model, "%s", work);
    *strrchr(model, '/') = '\0'; /* the model is in a folder beside the one with home */
    strcat(model, "/a/m.pmx");
    snprintf(name, sizeof name, "../%s/home/Pictures/p.png", strrchr(work, '/') + 1);
    check(model, name, private);
    check("other/m.pmx", "../home/Pictures/p.png", private);
    check("m.pmx", "home/Pictures/p.png", private);
    check("m.pmx", "home/pics/p.png", private);
    check("home/m.pmx", "Pictures/p.png", private);
    check("home/m.pmx", "pics/p.png", NULL);
    stranger_link(work, "home/round", "Pictures");
    check("home/m.pmx", "round/p.png", private);
    check("home/Pictures/m.pmx", "p.png", NULL);
}

/* A disk has nothing to do with the one beside it. */
static void disks_have_nothing_beside(void **state)
{
    (void)state;
    check("/mnt/none/m.pmx", "../b/x.png", OUTSIDE);
    check("/media/none/m.pmx", "../b/x.png", OUTSIDE);
}

/* A link to a private folder is that folder. */
static void private_folders_are_known_by_any_name(void **state)
{
    (void)state;
    put_pair("home/Downloads");
    stranger_link(work, "alias", "home/Downloads");
    check("alias/a/m.pmx", "../b/x.png", OUTSIDE);
    stranger_write_text(work, "home/m.pmx", "");
    check("other/m.pmx", "../home/x.png", "it lies in one of the user's own folders");
}

/* The home folder that the system has for the user is private, whatever $HOME is. */
static void home_need_not_be_set(void **state)
{
    const struct passwd *user = getpwuid(getuid());
    char model[MMD_FILE_PATH_MAX], home[MMD_FILE_PATH_MAX];
    (void)state;
    snprintf(model, sizeof model, "%s/none/m.pmx", user ? user->pw_dir : "/home");
    check(model, "../b/x.png", OUTSIDE);
    snprintf(home, sizeof home, "%s", getenv("HOME"));
    unsetenv("HOME");
    check(model, "../b/x.png", OUTSIDE);
    setenv("HOME", home, 1);
}

/* --- Archives --- */

static void names_stay_in_the_archive(void **state)
{
    mmd_buffer plain = {0};
    char model[2 * MMD_FILE_PATH_MAX];
    (void)state;
    stranger_picture(false, &plain);
    const made_file files[] = {{"miku/model/m.pmx", "", 0},
                               {"miku/tex/x.png", plain.data, plain.size},
                               {"y.png", plain.data, plain.size},
                               {"miku/.h/x.png", plain.data, plain.size},
                               {".top/m.pmx", "", 0},
                               {".top/z.png", plain.data, plain.size}};
    mmd_bytes zip = made_archive(MADE_ZIP, files, sizeof files / sizeof *files, NULL);
    stranger_write(work, "home/Downloads/pack/a.zip", zip.data, zip.size);
    stranger_write(work, "home/Downloads/pack/y.png", plain.data, plain.size);
    mmd_bytes_finish(&zip);
    mmd_buffer_finish(&plain);
    snprintf(model, sizeof model, "%s/home/Downloads/pack/a.zip/miku/model/m.pmx", work);
    check(model, "../tex/x.png", NULL);
    check(model, "..\\..\\y.png", NULL);
    check(model, "../../../y.png", "it leads out of the archive");
    check(model, "../../../../../Pictures/private.png", "it leads out of the archive");
    check(model, "../.h/x.png", DOT);
    check(model, "../../../../../.ssh/id_rsa", DOT);
    check(model, "/etc/passwd.png", ROOT);
    snprintf(model, sizeof model, "%s/home/Downloads/pack/a.zip/.top/m.pmx", work);
    check(model, "z.png", NULL); /* the archive's own folder may have any name */
}

/* --- Hashes and lists --- */

static void only_pictures_with_the_model_are_hashed(void **state)
{
    static const char *const names[] = {
        "tex/ok.png", "link.png",   "text.png",   "../../Pictures/private.png",
        "in.png",     "none.png",   "TEX/ok.png", "../../.ssh/id_rsa",
        ".hid/a.png", "hidden.png", "tex",        "linkdir/private.png"};
    enum { COUNT = sizeof names / sizeof *names };
    mmd_buffer file = {0};
    mmd_model *model = NULL;
    char path[2 * MMD_FILE_PATH_MAX];
    texture_digests digests;
    (void)state;
    stranger_model(names, COUNT, &file);
    assert_int_equal(mmd_pmx_read(file.data, file.size, &model, NULL), MMD_OK);
    mmd_buffer_finish(&file);
    snprintf(path, sizeof path, "%s/home/Downloads/miku/m.pmx", work);
    mmd_texture_location location = mmd_textures_beside(path, MMD_NAMED_PICTURES);
    assert_true(texture_digests_read(&digests, model, &location));
    assert_int_equal(digests.count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        bool is_good = i == 0 || i == 4 || i == 6;
        if ((digests.items[i].text[0] != '\0') != is_good)
            fail_msg("%s: %s", names[i], digests.items[i].text);
    }
    assert_string_equal(digests.items[4].text, digests.items[0].text);
    assert_string_equal(digests.items[6].text, digests.items[0].text);
    texture_digests_finish(&digests);
    mmd_source_destroy(location.source);
    mmd_model_destroy(model);
}

/* What hinders the search is told apart from a file that is not there. */
static void a_file_that_cannot_be_opened_is_not_missing(void **state)
{
    static const char *const names[] = {"round.png", "none.png"};
    mmd_model model = {.texture_count = 2, .textures = (const char **)(uintptr_t)names};
    char path[2 * MMD_FILE_PATH_MAX];
    mmd_texture_files files;
    (void)state;
    stranger_link(work, "home/Downloads/miku/round.png", "round.png");
    snprintf(path, sizeof path, "%s/home/Downloads/miku/m.pmx", work);
    mmd_texture_location location = mmd_textures_beside(path, MMD_NAMED_PICTURES);
    assert_true(mmd_texture_files_find(&files, &model, &location));
    assert_true(!files.items[0].path && !files.items[0].is_missing && !files.items[0].is_refused);
    assert_non_null(strstr(files.items[0].why, "it cannot be opened: "));
    assert_true(!files.items[1].path && files.items[1].is_missing);
    mmd_texture_files_finish(&files);
    mmd_source_destroy(location.source);
}

static void every_texture_is_found_once(void **state)
{
    static const char *const names[] = {"tex/ok.png", "none.png", "TEX\\OK.png", "link.png", "tex/ok.png"};
    mmd_model model = {.texture_count = 5, .textures = (const char **)(uintptr_t)names};
    char path[2 * MMD_FILE_PATH_MAX];
    mmd_texture_files files;
    (void)state;
    snprintf(path, sizeof path, "%s/home/Downloads/miku/m.pmx", work);
    mmd_texture_location location = mmd_textures_beside(path, MMD_NAMED_PICTURES);
    assert_true(mmd_texture_files_find(&files, &model, &location));
    assert_int_equal(files.count, 5);
    assert_string_equal(files.items[0].path, files.items[2].path);
    assert_int_equal(files.items[0].first, 0);
    assert_int_equal(files.items[2].first, 0);
    assert_int_equal(files.items[4].first, 0);
    assert_true(!files.items[1].path && !files.items[1].is_refused);
    assert_string_equal(files.items[1].why, "there is no such file");
    assert_true(!files.items[3].path && files.items[3].is_refused);
    mmd_texture_files_finish(&files);
    mmd_source_destroy(location.source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stay_in_the_models_folder),
        cmocka_unit_test(the_source_reads_nothing_else),
        cmocka_unit_test(names_end_like_pictures),
        cmocka_unit_test(the_endings_of_buffers_are_named),
        cmocka_unit_test(folders_beside_a_models_folder_are_followed),
        cmocka_unit_test(private_folders_have_nothing_beside),
        cmocka_unit_test(private_folders_are_not_entered),
        cmocka_unit_test(disks_have_nothing_beside),
        cmocka_unit_test(private_folders_are_known_by_any_name),
        cmocka_unit_test(home_need_not_be_set),
        cmocka_unit_test(names_stay_in_the_archive),
        cmocka_unit_test(only_pictures_with_the_model_are_hashed),
        cmocka_unit_test(a_file_that_cannot_be_opened_is_not_missing),
        cmocka_unit_test(every_texture_is_found_once),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
