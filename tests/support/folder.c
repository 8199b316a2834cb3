#include "folder.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "support.h"

void test_folder_make(char path[MMD_FILE_PATH_MAX])
{
    static unsigned made;
    char made_path[MMD_FILE_PATH_MAX];
    snprintf(made_path, sizeof made_path, "%s/test-%" PRIu64 "-%u", ODORI_BINARY, platform_process_number(),
             made++);
    if (!platform_make_folder(made_path, 0777) || !platform_path_resolve(made_path, path))
        fail_msg("%s: %s", made_path, strerror(errno));
}

void test_folder_remove(const char *path)
{
    char name[MMD_FILE_PATH_MAX];
    platform_info info;
    platform_folder *folder = platform_folder_open(path);
    for (const char *entry; folder && (entry = platform_folder_next(folder));) {
        assert_true(snprintf(name, sizeof name, "%s/%s", path, entry) < (int)sizeof name);
        if (platform_stat_link(name, &info) && info.kind == PLATFORM_FOLDER)
            test_folder_remove(name);
        else if (!platform_remove(name))
            fail_msg("%s: %s", name, strerror(errno));
    }
    platform_folder_close(folder);
    if (!platform_remove_folder(path))
        fail_msg("%s: %s", path, strerror(errno));
}

void test_folder_make_deep(const char *folder, char path[MMD_FILE_PATH_MAX])
{
    size_t used = (size_t)snprintf(path, MMD_FILE_PATH_MAX, "%s", folder);
    for (int i = 0; i < 14; i++) {
        used += (size_t)snprintf(path + used, MMD_FILE_PATH_MAX - used, "/長い名前のフォルダ-0123456789");
        assert_true(used < MMD_FILE_PATH_MAX && platform_make_folder(path, 0777));
    }
}

size_t test_folder_count(const char *path)
{
    size_t count = 0;
    platform_folder *folder = platform_folder_open(path);
    assert_non_null(folder);
    while (platform_folder_next(folder))
        count++;
    platform_folder_close(folder);
    return count;
}

bool test_replaces_open_files(const char *folder)
{
    char path[2][MMD_FILE_PATH_MAX + 16];
    int file = -1;
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "%s/replaces-%d", folder, i);
        assert_int_equal(mmd_file_write(path[i], "", 0, NULL), MMD_OK);
    }
    file = platform_open(path[1], PLATFORM_READ, 0);
    bool replaces = platform_replace(path[0], path[1]);
    assert_true(replaces || (test_is_windows() && errno == EACCES));
    close(file);
    assert_true(replaces || platform_remove(path[0]));
    assert_true(platform_remove(path[1]));
    if (!replaces)
        test_skip_part("open files are not replaced here");
    return replaces;
}

bool test_is_windows(void)
{
    return platform_path_root("C:/") == 3;
}
