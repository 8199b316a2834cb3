#include "folder.h"

#include <stdio.h>
#include <windows.h>
#include <winioctl.h>

#include "mmd/memory.h"
#include "mmd/platform_windows.h"

/* A link to a folder has another kind than one to a file. */
bool test_link(const char *target, const char *path)
{
    char folder[MMD_FILE_PATH_MAX], from[MMD_FILE_PATH_MAX];
    platform_info info;
    DWORD flags = 2; /* SYMBOLIC_LINK_FLAG_ALLOW_UNPRIVILEGED_CREATE */
    mmd_path_folder(path, folder, sizeof folder);
    snprintf(from, sizeof from, "%s/%s", folder, target);
    if (platform_stat(from, &info) && info.kind == PLATFORM_FOLDER)
        flags |= SYMBOLIC_LINK_FLAG_DIRECTORY;
    wchar_t *wide_target = platform_wide_path(target), *wide_path = platform_long_path(path);
    /* Wine 8 says that it made one, and makes none. */
    bool made = wide_target && wide_path && CreateSymbolicLinkW(wide_path, wide_target, flags) &&
                platform_stat_link(path, &info) && info.kind == PLATFORM_LINK;
    mmd_free(wide_target);
    mmd_free(wide_path);
    return made;
}

bool test_file_stretch(const char *path, uint64_t size)
{
    wchar_t *wide = platform_long_path(path);
    DWORD got;
    LARGE_INTEGER end = {.QuadPart = (LONGLONG)size};
    HANDLE file = wide ? CreateFileW(wide, GENERIC_WRITE, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL)
                       : INVALID_HANDLE_VALUE;
    mmd_free(wide);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    DeviceIoControl(file, FSCTL_SET_SPARSE, NULL, 0, NULL, 0, &got, NULL);
    bool ok = SetFilePointerEx(file, end, NULL, FILE_BEGIN) && SetEndOfFile(file);
    CloseHandle(file);
    return ok;
}
