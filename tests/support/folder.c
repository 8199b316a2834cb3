#include "folder.h"

#include <errno.h>
#include <inttypes.h>

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

bool test_is_windows(void)
{
    return platform_path_root("C:/") == 3;
}
