/* The folders in which a user gathers files, as Windows knows them, and the roots of all disks. */
#include <stdio.h>
#include <string.h>
#include <windows.h>

#include <knownfolders.h>
#include <shlobj.h>

#include "mmd/platform.h"
#include "mmd/platform_windows.h"
#include "user_folders.h"

/* Writes the path of a known folder, which may have been moved to another disk. */
static bool find_known(const KNOWNFOLDERID *id, char path[MMD_FILE_PATH_MAX])
{
    wchar_t *wide = NULL;
    bool ok = SHGetKnownFolderPath(id, KF_FLAG_DONT_VERIFY, NULL, &wide) == S_OK &&
              platform_narrow_path(wide, path);
    CoTaskMemFree(wide);
    return ok;
}

bool mmd_user_folders_account(char path[MMD_FILE_PATH_MAX])
{
    return platform_home(path);
}

bool mmd_user_folders_settings(const char *home, char path[MMD_FILE_PATH_MAX])
{
    (void)home, (void)path;
    return false; /* Windows keeps them in its registry */
}

bool mmd_user_folder_find(const char *name, char path[MMD_FILE_PATH_MAX])
{
    static const struct {
        const char *name;
        const KNOWNFOLDERID *id;
    } known[] = {{"DESKTOP", &FOLDERID_Desktop},    {"DOCUMENTS", &FOLDERID_Documents},
                 {"DOWNLOAD", &FOLDERID_Downloads}, {"MUSIC", &FOLDERID_Music},
                 {"PICTURES", &FOLDERID_Pictures},  {"VIDEOS", &FOLDERID_Videos}};
    char home[MMD_FILE_PATH_MAX];
    platform_info about, own;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return find_known(known[i].id, path) && platform_stat(path, &about) &&
                   about.kind == PLATFORM_FOLDER &&
                   !(platform_home(home) && platform_stat(home, &own) && platform_is_same(&own, &about));
    return false;
}

/* Adds the roots of all disks that are there, without waiting for those of the network. */
static void add_disks(mmd_user_folders *folders)
{
    const DWORD disks = GetLogicalDrives();
    char root[] = "A:/";
    for (; root[0] <= 'Z'; root[0]++) {
        const wchar_t wide[] = {(wchar_t)root[0], L':', L'\\', L'\0'};
        if ((disks >> (root[0] - 'A') & 1) && GetDriveTypeW(wide) != DRIVE_REMOTE)
            user_folders_add(folders, root);
    }
}

void mmd_user_folders_find(mmd_user_folders *folders)
{
    static const KNOWNFOLDERID *const known[] = {
        &FOLDERID_Profile,   &FOLDERID_UserProfiles,   &FOLDERID_Desktop,        &FOLDERID_Downloads,
        &FOLDERID_Documents, &FOLDERID_Pictures,       &FOLDERID_Music,          &FOLDERID_Videos,
        &FOLDERID_Templates, &FOLDERID_Public,         &FOLDERID_PublicDesktop,  &FOLDERID_PublicDownloads,
        &FOLDERID_SkyDrive,  &FOLDERID_RoamingAppData, &FOLDERID_LocalAppData,   &FOLDERID_ProgramData,
        &FOLDERID_Windows,   &FOLDERID_ProgramFiles,   &FOLDERID_ProgramFilesX86};
    wchar_t wide[MMD_FILE_PATH_MAX];
    char path[MMD_FILE_PATH_MAX];
    *folders = (mmd_user_folders){.count = 0};
    add_disks(folders);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (find_known(known[i], path))
            user_folders_add(folders, path);
    if (GetTempPathW(MMD_FILE_PATH_MAX, wide) && platform_narrow_path(wide, path))
        user_folders_add(folders, path);
}
