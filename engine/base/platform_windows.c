/*
 * The platform layer on Windows 7 and later. All functions take the wide ones of the system and the form of
 * paths that it uses as they are (\\?\C:\models\miku.pmx). So neither the code page nor the limit of 260
 * characters matters, and no name means a device: "NUL.png" is a file, if there is one. A ':' after the drive
 * would name a stream of a file; such paths are treated as missing.
 */
#undef _WIN32_WINNT
#define _WIN32_WINNT 0x0A000006 /* declares FileRenameInfoEx; older systems fail with an error */
#include "mmd/platform.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <windows.h>

#include <bcrypt.h>
#include <knownfolders.h>
#include <shlobj.h>

#include "mmd/memory.h"
#include "mmd/platform_windows.h"

/* -------------------------------------------------------------------- errors */

bool platform_fail(void)
{
    static const struct {
        DWORD error;
        int number;
    } rows[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},       {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},         {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},          {ERROR_BAD_NET_NAME, ENOENT},
        {ERROR_INVALID_DRIVE, ENOENT},        {ERROR_NOT_READY, ENOENT},
        {ERROR_DIRECTORY, ENOTDIR},           {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EACCES},    {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_FILE_EXISTS, EEXIST},          {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},     {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},     {ERROR_LOCK_VIOLATION, EWOULDBLOCK},
        {ERROR_IO_PENDING, EWOULDBLOCK},      {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},    {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},  {ERROR_INVALID_HANDLE, EBADF},
        {ERROR_CANT_RESOLVE_FILENAME, ELOOP}, {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_BAD_EXE_FORMAT, ENOEXEC},
    };
    const DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].error == error)
            errno = rows[i].number;
    return false;
}

static bool fail_with(int number)
{
    errno = number;
    return false;
}

/* -------------------------------------------------------------------- paths */

/* Characters of a path in the system's form: that of the current folder, and one that is relative to it. */
enum { WIDE_MAX = 2 * MMD_FILE_PATH_MAX + 16 };

static bool is_separator(wchar_t c)
{
    return c == L'/' || c == L'\\';
}

static bool has_drive(const wchar_t *path)
{
    return ((path[0] | 32) >= L'a' && (path[0] | 32) <= L'z') && path[1] == L':';
}

static bool is_share(const wchar_t *path)
{
    return is_separator(path[0]) && is_separator(path[1]);
}

size_t platform_path_root(const char *path)
{
    if (((path[0] | 32) >= 'a' && (path[0] | 32) <= 'z') && path[1] == ':')
        return is_separator(path[2]) ? 3 : 0;
    if (!is_separator(path[0]) || !is_separator(path[1]))
        return is_separator(path[0]);
    size_t at = 2 + strcspn(path + 2, "/\\");
    if (path[at])
        at += 1 + strcspn(path + at + 1, "/\\");
    return at + (path[at] != '\0');
}

void platform_path_tidy(char *path)
{
    for (char *at = path; *at; at++)
        if (*at == '\\')
            *at = '/';
    if (strncmp(path, "//?/UNC/", 8) == 0)
        memmove(path + 2, path + 8, strlen(path + 8) + 1);
    else if (strncmp(path, "//?/", 4) == 0)
        memmove(path, path + 4, strlen(path + 4) + 1);
}

bool platform_narrow_text(const wchar_t *wide, char *text, size_t capacity)
{
    if (WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, wide, -1, text, (int)capacity, NULL, NULL))
        return true;
    return fail_with(GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EILSEQ);
}

bool platform_narrow_path(const wchar_t *wide, char path[MMD_FILE_PATH_MAX])
{
    if (!platform_narrow_text(wide, path, MMD_FILE_PATH_MAX))
        return false;
    platform_path_tidy(path);
    return true;
}

wchar_t *platform_wide_text(const char *text)
{
    const int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide = size > 0 ? mmd_alloc((size_t)size * sizeof *wide) : NULL;
    if (wide)
        MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, size);
    else
        errno = size > 0 ? ENOMEM : EINVAL;
    return wide;
}

wchar_t *platform_wide_path(const char *path)
{
    wchar_t *wide = platform_wide_text(path);
    for (wchar_t *c = wide; c && *c; c++)
        *c = *c == L'/' ? L'\\' : *c;
    return wide;
}

/* Writes the folder to which a path is relative: the current one, of which "/a" means the root, or that of a
 * drive ("C:a"). "" for absolute paths. Returns where the path goes on from there, or NULL. */
static const wchar_t *find_start(const wchar_t *path, wchar_t start[MMD_FILE_PATH_MAX])
{
    wchar_t drive[4] = {path[0], L':', L'.', L'\0'};
    start[0] = L'\0';
    if (is_share(path) || (has_drive(path) && is_separator(path[2])))
        return path;
    DWORD size = has_drive(path) ? GetFullPathNameW(drive, MMD_FILE_PATH_MAX, start, NULL)
                                 : GetCurrentDirectoryW(MMD_FILE_PATH_MAX, start);
    if (size == 0 || size >= MMD_FILE_PATH_MAX) {
        errno = size ? ENAMETOOLONG : ENOENT;
        return NULL;
    }
    return has_drive(path) ? path + 2 : path;
}

/* Appends the parts of a path with '\\' in front of each, without "." and "..". Parts before least stay.
 * Fails with ENOENT if one has a ':', and with ENAMETOOLONG. */
static bool append_parts(wchar_t wide[WIDE_MAX], size_t *used, size_t least, const wchar_t *path)
{
    while (*path) {
        size_t length = 0;
        while (path[length] && !is_separator(path[length]))
            if (path[length++] == L':')
                return fail_with(ENOENT);
        if (length == 2 && path[0] == L'.' && path[1] == L'.') {
            while (*used > least && wide[--*used] != L'\\')
                continue;
        } else if (length > 0 && !(length == 1 && path[0] == L'.')) {
            if (*used + 1 + length >= WIDE_MAX - 2)
                return fail_with(ENAMETOOLONG);
            wide[(*used)++] = L'\\';
            memcpy(wide + *used, path, length * sizeof *path);
            *used += length;
        }
        path += length + (path[length] != L'\0');
    }
    return true;
}

/* Appends the root of an absolute path in the system's form: a drive, or a server and its share. Returns
 * where the path goes on. */
static const wchar_t *append_root(wchar_t wide[WIDE_MAX], size_t *used, const wchar_t *path)
{
    const bool drive = has_drive(path);
    const wchar_t *prefix = drive ? L"\\\\?\\" : L"\\\\?\\UNC\\", *end = path + 2;
    for (int parts = drive ? 2 : 0; *end && parts < 2; end++)
        parts += is_separator(*end);
    end -= !drive && is_separator(end[-1]);
    *used = wcslen(prefix);
    memcpy(wide, prefix, *used * sizeof *wide);
    for (const wchar_t *at = drive ? path : path + 2; at < end; at++)
        wide[(*used)++] = *at == L'/' ? L'\\' : *at;
    return end;
}

/* Converts a path to the system's form: absolute, and taken as it is. Returns false with errno set. */
static bool to_wide(const char *path, wchar_t wide[WIDE_MAX])
{
    wchar_t given[MMD_FILE_PATH_MAX], start[MMD_FILE_PATH_MAX];
    size_t used;
    char tidy[MMD_FILE_PATH_MAX];
    if (!*path || strlen(path) >= sizeof tidy)
        return fail_with(*path ? ENAMETOOLONG : ENOENT);
    memcpy(tidy, path, strlen(path) + 1);
    platform_path_tidy(tidy);
    if (!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, tidy, -1, given, MMD_FILE_PATH_MAX))
        return fail_with(ENOENT); /* no name is anything else than Unicode */
    const wchar_t *rest = find_start(given, start);
    if (!rest)
        return false;
    const wchar_t *after = append_root(wide, &used, start[0] ? start : rest);
    const size_t least = used;
    const bool is_from_root = start[0] && is_separator(given[0]);
    if ((!is_from_root && !append_parts(wide, &used, least, after)) ||
        (start[0] && !append_parts(wide, &used, least, rest)))
        return false;
    if (used == least)
        wide[used++] = L'\\';
    wide[used] = L'\0';
    return true;
}

bool platform_path_is_remote(const char *path, const char *folder)
{
    char resolved[MMD_FILE_PATH_MAX];
    if (!platform_windows_is_remote(path) || platform_windows_same_share(path, folder))
        return false;
    /* The folder may be on a drive that stands for the share. */
    return !platform_path_resolve(*folder ? folder : ".", resolved) ||
           !platform_windows_same_share(path, resolved);
}

wchar_t *platform_long_path(const char *path)
{
    wchar_t wide[WIDE_MAX];
    if (!to_wide(path, wide))
        return NULL;
    const size_t size = (wcslen(wide) + 1) * sizeof *wide;
    wchar_t *copy = mmd_alloc(size);
    if (copy)
        memcpy(copy, wide, size);
    else
        errno = ENOMEM;
    return copy;
}

bool platform_current_folder(char path[MMD_FILE_PATH_MAX])
{
    wchar_t wide[MMD_FILE_PATH_MAX];
    const DWORD size = GetCurrentDirectoryW(MMD_FILE_PATH_MAX, wide);
    if (size == 0)
        return platform_fail();
    return size < MMD_FILE_PATH_MAX ? platform_narrow_path(wide, path) : fail_with(ENAMETOOLONG);
}

bool platform_home(char path[MMD_FILE_PATH_MAX])
{
    wchar_t *wide = NULL;
    bool ok = SHGetKnownFolderPath(&FOLDERID_Profile, KF_FLAG_DONT_VERIFY, NULL, &wide) == S_OK &&
              platform_narrow_path(wide, path);
    CoTaskMemFree(wide);
    return ok || fail_with(ENOENT);
}

/* -------------------------------------------------------------------- handles */

enum { SHARE_ALL = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

/* Returns whether an open file is a folder, or a link to one. */
static bool is_folder(HANDLE handle)
{
    FILE_BASIC_INFO basic;
    return GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof basic) &&
           (basic.FileAttributes & FILE_ATTRIBUTE_DIRECTORY);
}

/* Returns whether a path ends like that of a folder. */
static bool names_folder(const char *path)
{
    return *path && is_separator(path[strlen(path) - 1]);
}

/* Opens what lies at a path, also a folder, for this access. Returns INVALID_HANDLE_VALUE with errno set. */
static HANDLE open_existing(const char *path, DWORD access, bool link)
{
    wchar_t wide[WIDE_MAX];
    if (!to_wide(path, wide))
        return INVALID_HANDLE_VALUE;
    HANDLE handle = CreateFileW(wide, access, SHARE_ALL, NULL, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS | (link ? FILE_FLAG_OPEN_REPARSE_POINT : 0), NULL);
    if (handle == INVALID_HANDLE_VALUE)
        platform_fail();
    if (handle != INVALID_HANDLE_VALUE && names_folder(path) && !is_folder(handle)) {
        CloseHandle(handle);
        errno = ENOTDIR;
        return INVALID_HANDLE_VALUE;
    }
    return handle;
}

/* Returns whether an open file is a link or a mounted folder itself. Other reparse points, such as files in
 * OneDrive, are files. */
static bool is_link(HANDLE handle)
{
    FILE_ATTRIBUTE_TAG_INFO tag;
    return GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) &&
           (tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
           (tag.ReparseTag == IO_REPARSE_TAG_SYMLINK || tag.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT);
}

/* Converts a time of the system, in 100 ns since 1601. One before 1677 or after 2262 becomes the first or
 * last that fits. */
static int64_t nanoseconds(int64_t time)
{
    const int64_t since = time < 0 ? INT64_MIN : time - INT64_C(116444736000000000);
    return since > INT64_MAX / 100 ? INT64_MAX : since < INT64_MIN / 100 ? INT64_MIN : since * 100;
}

static bool stat_handle(HANDLE handle, platform_info *info)
{
    BY_HANDLE_FILE_INFORMATION about;
    FILE_BASIC_INFO basic;
    const DWORD type = GetFileType(handle);
    if (type == FILE_TYPE_UNKNOWN && GetLastError() != NO_ERROR)
        return platform_fail();
    if (type != FILE_TYPE_DISK) {
        *info = (platform_info){
            .kind = type == FILE_TYPE_PIPE ? PLATFORM_PIPE : PLATFORM_DEVICE, .mode = 0666, .is_own = true};
        return true;
    }
    if (!GetFileInformationByHandle(handle, &about) ||
        !GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof basic))
        return platform_fail();
    *info = (platform_info){
        .kind = is_link(handle)                                       ? PLATFORM_LINK
                : (about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) ? PLATFORM_FOLDER
                                                                      : PLATFORM_FILE,
        .size = (uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow,
        .modified = nanoseconds(basic.LastWriteTime.QuadPart),
        .changed = nanoseconds(basic.ChangeTime.QuadPart),
        .device = about.dwVolumeSerialNumber,
        .node = (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow,
        .mode = about.dwFileAttributes & FILE_ATTRIBUTE_READONLY ? 0444 : 0666,
        .is_own = true,
    };
    return true;
}

/* Reads what an opened handle is, and closes it. */
static bool stat_and_close(HANDLE handle, platform_info *info)
{
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    bool ok = stat_handle(handle, info);
    int number = errno;
    CloseHandle(handle);
    errno = number;
    return ok;
}

/* Writes the path of an open file of which the system does not know the drive, such as one on a disk in
 * memory: the path on its volume, after the drive of the path that led to it. Fails if a link led to another
 * volume.
 */
static bool resolve_on_drive(HANDLE handle, const char *path, wchar_t wide[WIDE_MAX])
{
    wchar_t given[WIDE_MAX], drive[] = L"\\\\?\\C:\\";
    platform_info about, root;
    if (!to_wide(path, given) || !has_drive(given + 4))
        return false;
    drive[4] = given[4];
    HANDLE opened = CreateFileW(drive, FILE_READ_ATTRIBUTES, SHARE_ALL, NULL, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (opened == INVALID_HANDLE_VALUE)
        return platform_fail();
    if (!stat_and_close(opened, &root) || !stat_handle(handle, &about) || root.device != about.device)
        return fail_with(ENOENT);
    union {
        FILE_NAME_INFO info;
        char room[sizeof(FILE_NAME_INFO) + WIDE_MAX * sizeof(wchar_t)];
    } name;
    if (!GetFileInformationByHandleEx(handle, FileNameInfo, &name, sizeof name))
        return platform_fail();
    const size_t length = name.info.FileNameLength / sizeof *wide;
    if (length + 7 > WIDE_MAX)
        return fail_with(ENAMETOOLONG);
    memcpy(wide, drive, 6 * sizeof *wide);
    memcpy(wide + 6, name.info.FileName, length * sizeof *wide);
    wide[6 + length] = L'\0';
    return true;
}

bool platform_path_resolve(const char *path, char resolved[MMD_FILE_PATH_MAX])
{
    wchar_t wide[WIDE_MAX];
    HANDLE handle = open_existing(path, FILE_READ_ATTRIBUTES, false);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    const DWORD size = GetFinalPathNameByHandleW(handle, wide, WIDE_MAX, VOLUME_NAME_DOS);
    bool ok = (size > 0 && size < WIDE_MAX) || (platform_fail(), resolve_on_drive(handle, path, wide));
    ok = ok && platform_narrow_path(wide, resolved);
    int number = errno;
    CloseHandle(handle);
    errno = number;
    return ok;
}

/* -------------------------------------------------------------------- what lies at a path */

bool platform_stat(const char *path, platform_info *info)
{
    if (platform_is_device_path(path)) {
        *info = (platform_info){.kind = PLATFORM_DEVICE, .mode = 0666, .is_own = true};
        return true;
    }
    return stat_and_close(open_existing(path, FILE_READ_ATTRIBUTES, false), info);
}

bool platform_stat_link(const char *path, platform_info *info)
{
    if (platform_is_device_path(path))
        return platform_stat(path, info);
    return stat_and_close(open_existing(path, FILE_READ_ATTRIBUTES, true), info);
}

bool platform_stat_open(int file, platform_info *info)
{
    return stat_handle((HANDLE)_get_osfhandle(file), info);
}

bool platform_is_same(const platform_info *a, const platform_info *b)
{
    return a->device == b->device && a->node == b->node;
}

bool platform_exists(const char *path)
{
    platform_info info;
    return platform_stat(path, &info);
}

static bool may_open(const char *path, DWORD access)
{
    HANDLE handle = platform_is_device_path(path) ? NULL : open_existing(path, access, false);
    if (handle && handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
    return handle != INVALID_HANDLE_VALUE;
}

bool platform_may_read(const char *path)
{
    return may_open(path, FILE_READ_DATA);
}

bool platform_may_write(const char *path)
{
    return may_open(path, FILE_WRITE_DATA); /* of a folder: add a file */
}

/* -------------------------------------------------------------------- files */

/* Returns whether a new file may have a name. Explorer and other programs cannot even remove those that end
 * with a dot or a space, and those that mean devices: NUL, "COM1.png". */
static bool is_usable_name(const char *path)
{
    static const char *const devices[] = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"};
    const char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');
    const char *name = slash > back ? slash + 1 : back ? back + 1 : path;
    size_t length = strlen(name), stem = strcspn(name, ".");
    if (length > 0 && (name[length - 1] == '.' || name[length - 1] == ' '))
        return false;
    while (stem > 0 && name[stem - 1] == ' ')
        stem--;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (stem == strlen(devices[i]) && strncasecmp(name, devices[i], stem) == 0)
            return false;
    return !(stem == 4 && (strncasecmp(name, "COM", 3) == 0 || strncasecmp(name, "LPT", 3) == 0) &&
             name[3] >= '0' && name[3] <= '9');
}

/* Opens a device or a named pipe for writing. Only what the user names gets here: paths that a file names
 * are joined to its folder. */
static HANDLE open_device(const char *path)
{
    wchar_t wide[MMD_FILE_PATH_MAX];
    if (!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, MMD_FILE_PATH_MAX)) {
        errno = ENOENT;
        return INVALID_HANDLE_VALUE;
    }
    HANDLE handle = CreateFileW(wide, GENERIC_WRITE, SHARE_ALL, NULL, OPEN_EXISTING, 0, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        platform_fail();
    return handle;
}

/* Makes a descriptor of a handle, or closes it. */
static int describe(HANDLE handle, unsigned how)
{
    const int flags = _O_BINARY | _O_NOINHERIT | (how & PLATFORM_APPEND ? _O_APPEND : 0);
    int file = _open_osfhandle((intptr_t)handle, flags);
    if (file < 0) {
        CloseHandle(handle);
        errno = EMFILE;
    }
    return file;
}

int platform_open(const char *path, unsigned how, unsigned mode)
{
    wchar_t wide[WIDE_MAX];
    const bool creates = how & (PLATFORM_CREATE | PLATFORM_NEW);
    HANDLE handle;
    (void)mode; /* a new file has the permissions of its folder */
    if (platform_is_device_path(path) && (how & PLATFORM_WRITE) && !(how & PLATFORM_NEW)) {
        handle = open_device(path);
        return handle == INVALID_HANDLE_VALUE ? -1 : describe(handle, how & ~(unsigned)PLATFORM_APPEND);
    }
    if (names_folder(path) || (creates && !is_usable_name(path))) {
        errno = names_folder(path) ? ENOTDIR : EINVAL;
        return -1;
    }
    if (!to_wide(path, wide))
        return -1;
    /* A file to append to is opened for writing anywhere, because ftruncate asks for that. */
    const DWORD access = (how & PLATFORM_READ ? GENERIC_READ : 0) |
                         (how & PLATFORM_WRITE ? GENERIC_WRITE | FILE_READ_ATTRIBUTES : 0);
    handle = CreateFileW(wide, access, SHARE_ALL, NULL,
                         how & PLATFORM_NEW      ? CREATE_NEW
                         : how & PLATFORM_CREATE ? OPEN_ALWAYS
                                                 : OPEN_EXISTING,
                         FILE_ATTRIBUTE_NORMAL | (how & PLATFORM_NO_LINK ? FILE_FLAG_OPEN_REPARSE_POINT : 0),
                         NULL);
    bool ok = handle != INVALID_HANDLE_VALUE || platform_fail();
    if (ok && (how & PLATFORM_NO_LINK) && is_link(handle))
        ok = fail_with(ELOOP);
    if (ok && (how & PLATFORM_EMPTY) && !SetEndOfFile(handle))
        ok = platform_fail();
    if (ok)
        return describe(handle, how);
    int number = errno;
    if (handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
    errno = number;
    return -1;
}

int platform_open_unnamed(const char *folder, unsigned mode)
{
    (void)folder, (void)mode;
    errno = ENOTSUP;
    return -1;
}

bool platform_name(int file, const char *path)
{
    (void)file, (void)path;
    return fail_with(ENOTSUP);
}

bool platform_is_made_up(int file)
{
    (void)file;
    return false;
}

bool platform_is_device_path(const char *path)
{
    static const char *const names[] = {"NUL", "CON", "CONOUT$", "NUL:", "CON:"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(path, names[i]) == 0)
            return true;
    return strncasecmp(path, "//./pipe/", 9) == 0 || strncasecmp(path, "\\\\.\\pipe\\", 9) == 0;
}

bool platform_lock(int file)
{
    /* A lock keeps others from reading what it covers, so it covers a byte that no file has. */
    OVERLAPPED at = {.OffsetHigh = 0x40000000};
    return LockFileEx((HANDLE)_get_osfhandle(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1,
                      0, &at) ||
           platform_fail();
}

bool platform_read_at(int file, void *data, size_t size, uint64_t offset, size_t *got)
{
    *got = 0;
    while (*got < size) {
        const uint64_t from = offset + *got;
        const size_t left = size - *got;
        OVERLAPPED at = {.Offset = (DWORD)from, .OffsetHigh = (DWORD)(from >> 32)};
        DWORD more = 0;
        if (!ReadFile((HANDLE)_get_osfhandle(file), (char *)data + *got,
                      left < (1 << 30) ? (DWORD)left : 1 << 30, &more, &at) &&
            GetLastError() != ERROR_HANDLE_EOF)
            return platform_fail();
        if (more == 0)
            break;
        *got += more;
    }
    return true;
}

/* Returns whether the last error says that this Windows, or this file system, has no renaming or removing of
 * open files. Windows 10 brought them. */
static bool lacks_function(void)
{
    const DWORD error = GetLastError();
    return error == ERROR_INVALID_PARAMETER || error == ERROR_INVALID_FUNCTION ||
           error == ERROR_NOT_SUPPORTED || error == ERROR_CALL_NOT_IMPLEMENTED ||
           error == ERROR_INVALID_LEVEL;
}

/* Renames a file, also where the other one is open. */
static bool rename_once(const wchar_t *from, const wchar_t *to)
{
    union {
        FILE_RENAME_INFO info;
        char room[sizeof(FILE_RENAME_INFO) + WIDE_MAX * sizeof(wchar_t)];
    } wish = {.room = {0}};
    const size_t length = wcslen(to);
    HANDLE handle = CreateFileW(from, DELETE | SYNCHRONIZE, SHARE_ALL, NULL, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    wish.info.Flags = FILE_RENAME_FLAG_REPLACE_IF_EXISTS | FILE_RENAME_FLAG_POSIX_SEMANTICS;
    wish.info.FileNameLength = (DWORD)(length * sizeof *to);
    memcpy(wish.info.FileName, to, (length + 1) * sizeof *to);
    bool ok = SetFileInformationByHandle(handle, FileRenameInfoEx, &wish, sizeof wish);
    DWORD error = GetLastError();
    CloseHandle(handle);
    SetLastError(error);
    return ok || (lacks_function() && MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING));
}

bool platform_replace(const char *from, const char *to)
{
    enum { TRIES = 10, WAIT_MS = 20 };
    wchar_t wide_from[WIDE_MAX], wide_to[WIDE_MAX];
    platform_info moved, there;
    if (!is_usable_name(to))
        return fail_with(EINVAL);
    if (!to_wide(from, wide_from) || !to_wide(to, wide_to) || !platform_stat_link(from, &moved))
        return false;
    if (platform_stat_link(to, &there) && there.kind == PLATFORM_FOLDER && moved.kind != PLATFORM_FOLDER)
        return fail_with(EISDIR);
    /* Virus scanners keep new files to themselves for a moment. */
    for (int i = 0; i < TRIES; i++) {
        if (rename_once(wide_from, wide_to))
            return true;
        if (GetLastError() != ERROR_ACCESS_DENIED && GetLastError() != ERROR_SHARING_VIOLATION)
            break;
        DWORD error = GetLastError();
        Sleep(WAIT_MS);
        SetLastError(error);
    }
    return platform_fail();
}

bool platform_remove(const char *path)
{
    FILE_DISPOSITION_INFO_EX wish = {FILE_DISPOSITION_FLAG_DELETE | FILE_DISPOSITION_FLAG_POSIX_SEMANTICS |
                                     FILE_DISPOSITION_FLAG_IGNORE_READONLY_ATTRIBUTE};
    FILE_DISPOSITION_INFO old = {.DeleteFile = TRUE};
    platform_info info;
    HANDLE handle = open_existing(path, DELETE | FILE_READ_ATTRIBUTES, true);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    bool ok = stat_handle(handle, &info);
    if (ok && info.kind == PLATFORM_FOLDER)
        ok = fail_with(EISDIR);
    else if (ok)
        ok =
            SetFileInformationByHandle(handle, FileDispositionInfoEx, &wish, sizeof wish) ||
            (lacks_function() && SetFileInformationByHandle(handle, FileDispositionInfo, &old, sizeof old)) ||
            platform_fail();
    int number = errno;
    CloseHandle(handle);
    errno = number;
    return ok;
}

bool platform_remove_folder(const char *path)
{
    wchar_t wide[WIDE_MAX];
    return to_wide(path, wide) && (RemoveDirectoryW(wide) || platform_fail());
}

bool platform_make_folder(const char *path, unsigned mode)
{
    wchar_t wide[WIDE_MAX];
    (void)mode;
    if (!is_usable_name(path)) /* "." and ".." are none, but exist */
        return fail_with(platform_exists(path) ? EEXIST : EINVAL);
    return to_wide(path, wide) && (CreateDirectoryW(wide, NULL) || platform_fail());
}

/* -------------------------------------------------------------------- folders */

struct platform_folder {
    HANDLE find;            /* INVALID_HANDLE_VALUE: an empty folder */
    WIN32_FIND_DATAW entry; /* the last one, or the first one to come */
    bool is_begun;
    char name[3 * MAX_PATH + 1];
    char path[MMD_FILE_PATH_MAX];
};

platform_folder *platform_folder_open(const char *path)
{
    wchar_t wide[WIDE_MAX];
    if (!to_wide(path, wide))
        return NULL;
    platform_folder *folder = mmd_alloc(sizeof *folder);
    if (!folder) {
        errno = ENOMEM;
        return NULL;
    }
    *folder = (platform_folder){.is_begun = false};
    memcpy(folder->path, path, strlen(path) + 1);
    const size_t length = wcslen(wide);
    wcscpy(wide + length, wide[length - 1] == L'\\' ? L"*" : L"\\*");
    folder->find = FindFirstFileExW(wide, FindExInfoBasic, &folder->entry, FindExSearchNameMatch, NULL,
                                    FIND_FIRST_EX_LARGE_FETCH);
    /* The root of an empty disk has not even "." and "..". */
    if (folder->find == INVALID_HANDLE_VALUE && GetLastError() != ERROR_FILE_NOT_FOUND) {
        platform_info about;
        mmd_free(folder);
        platform_fail();
        if (platform_stat(path, &about) && about.kind != PLATFORM_FOLDER)
            errno = ENOTDIR;
        return NULL;
    }
    return folder;
}

const char *platform_folder_next(platform_folder *folder)
{
    while (folder->find != INVALID_HANDLE_VALUE) {
        if (folder->is_begun && !FindNextFileW(folder->find, &folder->entry))
            break;
        folder->is_begun = true;
        if (wcscmp(folder->entry.cFileName, L".") != 0 && wcscmp(folder->entry.cFileName, L"..") != 0 &&
            platform_narrow_text(folder->entry.cFileName, folder->name, sizeof folder->name))
            return folder->name;
    }
    return NULL;
}

bool platform_folder_stat(platform_folder *folder, platform_info *info)
{
    char path[MMD_FILE_PATH_MAX];
    assert(folder->is_begun);
    if (snprintf(path, sizeof path, "%s/%s", folder->path, folder->name) >= (int)sizeof path)
        return fail_with(ENAMETOOLONG);
    return platform_stat(path, info);
}

bool platform_folder_has_folder(platform_folder *folder)
{
    platform_info info;
    const DWORD attributes = folder->entry.dwFileAttributes;
    assert(folder->is_begun);
    if (!(attributes & FILE_ATTRIBUTE_REPARSE_POINT))
        return attributes & FILE_ATTRIBUTE_DIRECTORY;
    return platform_folder_stat(folder, &info) && info.kind == PLATFORM_FOLDER;
}

void platform_folder_close(platform_folder *folder)
{
    if (!folder)
        return;
    if (folder->find != INVALID_HANDLE_VALUE)
        FindClose(folder->find);
    mmd_free(folder);
}

/* -------------------------------------------------------------------- the rest */

bool platform_random(void *bytes, size_t size)
{
    return BCryptGenRandom(NULL, bytes, (ULONG)size, BCRYPT_USE_SYSTEM_PREFERRED_RNG) == 0 || fail_with(EIO);
}

void platform_error_text(int number, char *text, size_t capacity)
{
    snprintf(text, capacity, "%s", strerror(number)); /* of this thread */
}

uint64_t platform_process_number(void)
{
    return GetCurrentProcessId();
}

int platform_thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    return pthread_create(thread, NULL, run, context);
}

void platform_hold_signals(void) {}

void platform_release_signals(void) {}
