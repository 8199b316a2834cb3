/* Tests when the name "dancer" means the bundled dancer. The test runs a copy of itself, because the dancer
 * is searched for beside the program: "test_bundled NAME" ends with 0 if NAME means her, and with 1 if not.
 */
#include "support.h"

#include <errno.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/system.h"
#include "folder.h"
#include "mmd/platform.h"
#include "scene/bundled.h"

static char folder[MMD_FILE_PATH_MAX], copy[MMD_FILE_PATH_MAX];

static const char *in(const char *name)
{
    static char paths[4][MMD_FILE_PATH_MAX];
    static unsigned next;
    return path_join(paths[next++ % 4], folder, "%s", name);
}

static void put(const char *path, const void *data, size_t size)
{
    char above[MMD_FILE_PATH_MAX];
    mmd_path_folder(path, above, sizeof above);
    assert_true(path_make_folder(above));
    int file = platform_open(path, PLATFORM_WRITE | PLATFORM_NEW, 0777);
    assert_true(file >= 0 && system_write(file, data, size));
    assert_int_equal(close(file), 0);
}

static int make_folder(void **state)
{
    (void)state;
    char program[MMD_FILE_PATH_MAX];
    mmd_bytes bytes;
    test_folder_make(folder);
    if (!system_program_path(program) || mmd_file_read(program, &bytes, NULL) != MMD_OK)
        return -1;
    path_join(copy, in("bin"), "%s", mmd_path_name(program));
    put(copy, bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    return path_make_folder(in("empty")) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    test_folder_remove(folder);
    return 0;
}

/* Returns whether a name means the bundled dancer when the program is run in a folder. */
static bool is_meant(const char *name, const char *where)
{
    const char *const arguments[] = {copy, name, NULL};
    const system_start how = {.files = {-1, 1, 2, -1, -1}, .folder = where};
    system_process process;
    if (!system_process_start(&process, arguments, &how))
        fail_msg("%s in %s: %s", copy, where, strerror(errno));
    int code = system_process_wait(&process);
    assert_in_range(code, 0, 1);
    return code == 0;
}

static void a_folder_of_that_name_is_meant_unless_it_is_the_programs_own(void **state)
{
    (void)state;
    put(in("other/dancer/dancer.pmx"), "other", 5);
    assert_true(is_meant("dancer", in("empty")));
    assert_false(is_meant("dancer", in("other"))); /* there is no bundled one */
    put(in("bin/dancer/dancer.pmx"), "own", 3);
    assert_true(is_meant("dancer", in("bin")));
    assert_true(is_meant("dancer", in("empty")));
    assert_false(is_meant("dancer", in("other")));
    assert_false(is_meant("dancer/", in("bin")));
    assert_false(is_meant("./dancer", in("bin")));
    assert_false(is_meant("dancer.pmx", in("empty")));
    /* The same file under another name is hers; the same bytes are not. */
    assert_true(path_make_folder(in("linked/dancer")));
    assert_true(system_link(in("bin/dancer/dancer.pmx"), in("linked/dancer/dancer.pmx")));
    assert_true(is_meant("dancer", in("linked")));
    put(in("equal/dancer/dancer.pmx"), "own", 3);
    assert_false(is_meant("dancer", in("equal")));
    /* A file, and a folder without a model. */
    put(in("file/dancer"), "own", 3);
    assert_false(is_meant("dancer", in("file")));
    assert_true(path_make_folder(in("bare/dancer")));
    assert_false(is_meant("dancer", in("bare")));
}

static void an_installed_dancer_is_the_programs_own(void **state)
{
    (void)state;
    assert_true(platform_remove(in("bin/dancer/dancer.pmx")) && platform_remove_folder(in("bin/dancer")));
    put(in("share/odori/dancer/dancer.pmx"), "own", 3);
    assert_true(is_meant("dancer", in("share/odori")));
    assert_false(is_meant("dancer", in("other")));
}

int main(int argc, char **argv)
{
    system_begin(&argc, &argv);
    if (argc == 2)
        return bundled_is_meant(argv[1]) ? 0 : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_of_that_name_is_meant_unless_it_is_the_programs_own),
        cmocka_unit_test(an_installed_dancer_is_the_programs_own),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
