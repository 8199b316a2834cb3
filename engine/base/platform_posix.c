/*
 * The platform layer on Linux and other POSIX systems. Linux adds files without names (O_TMPFILE and linkat,
 * as described in open(2)) and the kinds of file systems; both need _GNU_SOURCE.
 */
#define _GNU_SOURCE
#include "mmd/platform.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

#include "mmd/memory.h"
#include "signals_posix.h"

/* -------------------------------------------------------------------- paths */

size_t platform_path_root(const char *path)
{
    return path[0] == '/';
}

void platform_path_tidy(char *path)
{
    (void)path; /* '\' is a character like others */
}

bool platform_path_resolve(const char *path, char resolved[MMD_FILE_PATH_MAX])
{
    static_assert(PATH_MAX <= MMD_FILE_PATH_MAX, "realpath writes up to PATH_MAX bytes");
    return realpath(path, resolved) != NULL;
}

bool platform_path_is_remote(const char *path, const char *folder)
{
    (void)path, (void)folder;
    return false;
}

bool platform_current_folder(char path[MMD_FILE_PATH_MAX])
{
    return getcwd(path, MMD_FILE_PATH_MAX) != NULL;
}

bool platform_home(char path[MMD_FILE_PATH_MAX])
{
    enum { ACCOUNT_SIZE = 4096 };
    const char *home = getenv("HOME");
    char text[ACCOUNT_SIZE];
    struct passwd entry, *user = NULL;
    if (!home || !*home)
        home = getpwuid_r(getuid(), &entry, text, sizeof text, &user) == 0 && user ? user->pw_dir : NULL;
    errno = home && *home ? ENAMETOOLONG : ENOENT;
    return home && *home && snprintf(path, MMD_FILE_PATH_MAX, "%s", home) < MMD_FILE_PATH_MAX;
}

/* -------------------------------------------------------------------- what lies at a path */

/* Converts a time. One before 1677 or after 2262 becomes the first or last that fits. */
static int64_t nanoseconds(struct timespec time)
{
    const int64_t second = 1000000000, seconds = time.tv_sec;
    return seconds >= INT64_MAX / second   ? INT64_MAX
           : seconds <= INT64_MIN / second ? INT64_MIN
                                           : seconds * second + time.tv_nsec;
}

/* Converts what stat wrote, unless it failed. */
static bool convert(int result, const struct stat *about, platform_info *info)
{
    if (result != 0)
        return false;
    const mode_t mode = about->st_mode;
    *info = (platform_info){
        .kind = S_ISREG(mode)    ? PLATFORM_FILE
                : S_ISDIR(mode)  ? PLATFORM_FOLDER
                : S_ISLNK(mode)  ? PLATFORM_LINK
                : S_ISFIFO(mode) ? PLATFORM_PIPE
                : S_ISSOCK(mode) ? PLATFORM_SOCKET
                                 : PLATFORM_DEVICE,
        .size = (uint64_t)about->st_size,
        .modified = nanoseconds(about->st_mtim),
        .changed = nanoseconds(about->st_ctim),
        .device = about->st_dev,
        .node = about->st_ino,
        .mode = mode & 0777,
        .is_own = about->st_uid == geteuid(),
    };
    return true;
}

bool platform_stat(const char *path, platform_info *info)
{
    struct stat about;
    return convert(stat(path, &about), &about, info);
}

bool platform_stat_link(const char *path, platform_info *info)
{
    struct stat about;
    return convert(lstat(path, &about), &about, info);
}

bool platform_stat_open(int file, platform_info *info)
{
    struct stat about;
    return convert(fstat(file, &about), &about, info);
}

bool platform_is_same(const platform_info *a, const platform_info *b)
{
    return a->device == b->device && a->node == b->node;
}

bool platform_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool platform_may_read(const char *path)
{
    return access(path, R_OK) == 0;
}

bool platform_may_write(const char *path)
{
    return access(path, W_OK) == 0;
}

/* -------------------------------------------------------------------- files */

int platform_open(const char *path, unsigned how, unsigned mode)
{
    int flags = how & PLATFORM_WRITE ? how & PLATFORM_READ ? O_RDWR : O_WRONLY : O_RDONLY;
    flags |= O_CLOEXEC | O_NOCTTY | (how & PLATFORM_WAIT ? 0 : O_NONBLOCK);
    flags |= how & PLATFORM_CREATE ? O_CREAT : 0;
    flags |= how & PLATFORM_NEW ? O_CREAT | O_EXCL : 0;
    flags |= how & PLATFORM_EMPTY ? O_TRUNC : 0;
    flags |= how & PLATFORM_APPEND ? O_APPEND : 0;
    flags |= how & PLATFORM_NO_LINK ? O_NOFOLLOW : 0;
    return open(path, flags, (mode_t)mode);
}

int platform_open_unnamed(const char *folder, unsigned mode)
{
#ifdef O_TMPFILE
    if (access("/proc/self/fd", X_OK) != 0) /* is needed to give the file its name later */
        return -1;
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, (mode_t)mode);
#else
    (void)folder, (void)mode;
    errno = ENOTSUP;
    return -1;
#endif
}

bool platform_name(int file, const char *path)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

bool platform_is_made_up(int file)
{
#ifdef __linux__
    static const uint32_t kinds[] = {PROC_SUPER_MAGIC,   SYSFS_MAGIC,         DEBUGFS_MAGIC,    TRACEFS_MAGIC,
                                     CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, SECURITYFS_MAGIC, BPF_FS_MAGIC,
                                     PSTOREFS_MAGIC,     EFIVARFS_MAGIC,      SELINUX_MAGIC};
    struct statfs system;
    if (fstatfs(file, &system) != 0)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if ((uint32_t)system.f_type == kinds[i])
            return true;
#else
    (void)file;
#endif
    return false;
}

bool platform_is_device_path(const char *path)
{
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

bool platform_lock(int file)
{
    return flock(file, LOCK_EX | LOCK_NB) == 0;
}

bool platform_read_at(int file, void *data, size_t size, uint64_t offset, size_t *got)
{
    *got = 0;
    while (*got < size) {
        ssize_t more = pread(file, (char *)data + *got, size - *got, (off_t)(offset + *got));
        if (more == 0)
            break;
        if (more > 0)
            *got += (size_t)more;
        else if (errno != EINTR)
            return false;
    }
    return true;
}

bool platform_replace(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool platform_remove(const char *path)
{
    return unlink(path) == 0;
}

bool platform_remove_folder(const char *path)
{
    return rmdir(path) == 0;
}

bool platform_make_folder(const char *path, unsigned mode)
{
    return mkdir(path, (mode_t)mode) == 0;
}

/* -------------------------------------------------------------------- folders */

struct platform_folder {
    DIR *listing;
    const struct dirent *entry; /* the last one; NULL: none yet */
};

platform_folder *platform_folder_open(const char *path)
{
    DIR *listing = opendir(path);
    platform_folder *folder = listing ? mmd_alloc(sizeof *folder) : NULL;
    if (folder) {
        *folder = (platform_folder){listing, NULL};
    } else if (listing) {
        closedir(listing);
        errno = ENOMEM;
    }
    return folder;
}

const char *platform_folder_next(platform_folder *folder)
{
    do
        folder->entry = readdir(folder->listing);
    while (folder->entry &&
           (strcmp(folder->entry->d_name, ".") == 0 || strcmp(folder->entry->d_name, "..") == 0));
    return folder->entry ? folder->entry->d_name : NULL;
}

bool platform_folder_stat(platform_folder *folder, platform_info *info)
{
    struct stat about;
    assert(folder->entry);
    return convert(fstatat(dirfd(folder->listing), folder->entry->d_name, &about, 0), &about, info);
}

bool platform_folder_has_folder(platform_folder *folder)
{
    platform_info info;
    assert(folder->entry);
    if (folder->entry->d_type != DT_UNKNOWN && folder->entry->d_type != DT_LNK)
        return folder->entry->d_type == DT_DIR;
    return platform_folder_stat(folder, &info) && info.kind == PLATFORM_FOLDER;
}

void platform_folder_close(platform_folder *folder)
{
    if (!folder)
        return;
    closedir(folder->listing);
    mmd_free(folder);
}

/* -------------------------------------------------------------------- the rest */

bool platform_random(void *bytes, size_t size)
{
#ifdef __linux__
    return getrandom(bytes, size, 0) == (ssize_t)size;
#else
    return getentropy(bytes, size) == 0;
#endif
}

void platform_error_text(int number, char *text, size_t capacity)
{
#ifdef __GLIBC__ /* its own strerror_r, since this file asks for _GNU_SOURCE */
    char buffer[128];
    snprintf(text, capacity, "%s", strerror_r(number, buffer, sizeof buffer));
#else
    if (strerror_r(number, text, capacity) != 0)
        snprintf(text, capacity, "error %d", number);
#endif
}

uint64_t platform_process_number(void)
{
    return (uint64_t)getpid();
}

int platform_thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    platform_hold_signals();
    int code = pthread_create(thread, NULL, run, context);
    platform_release_signals();
    return code;
}

/* What this thread let through before it held signals back, and how often it did since. */
static _Thread_local sigset_t before;
static _Thread_local unsigned holds;

void platform_hold_signals(void)
{
    sigset_t ending;
    if (holds++ > 0)
        return;
    sigemptyset(&ending);
    for (size_t i = 0; i < ENDING_SIGNAL_COUNT; i++)
        sigaddset(&ending, ending_signals[i]);
    pthread_sigmask(SIG_BLOCK, &ending, &before);
}

void platform_release_signals(void)
{
    assert(holds > 0);
    if (--holds == 0)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
}
