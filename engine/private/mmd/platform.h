/*
 * What the engine needs of the operating system: one interface, and behind it platform_posix.c or
 * platform_windows.c. Other files of the engine include no header of a system beyond those of C17,
 * <pthread.h> and <strings.h>, and have no #ifdef for systems. The program has a second layer above this one,
 * app/base/system.h.
 *
 * Paths are UTF-8 with '/' between names on every system, on Windows "C:/models/miku.pmx". Whoever takes a
 * path from Windows calls platform_path_tidy first; '\' occurs in no name there, so nothing is lost.
 * Functions that fail return false, -1 or NULL with errno set. All may be called from any thread.
 */
#ifndef MMD_PLATFORM_H
#define MMD_PLATFORM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mmd/source.h"

/* -------------------------------------------------------------------- paths */

/* Returns the bytes of the root at the beginning of a path: 1 of "/a", 3 of "C:/a", the name of the share of
 * "//server/share/a" with its '/', and 0 of a relative path. "C:a" is relative. */
size_t platform_path_root(const char *path);

/* Replaces the separators of the system by '/'. */
void platform_path_tidy(char *path);

/* Writes the absolute path of something that exists, links resolved. */
bool platform_path_resolve(const char *path, char resolved[MMD_FILE_PATH_MAX]);

/* Returns whether Windows would take a path for one of a server ("\\server\share\a", also with '/'), of a
 * device or of another name of its kernel ("\\.\pipe\a", "\??\a"). Looks at the text alone, on every system.
 */
bool platform_windows_is_remote(const char *path);

/* Returns whether two such paths have the same server and share. */
bool platform_windows_same_share(const char *a, const char *b);

/*
 * Returns whether a path that a file names must not even be looked at: opening it would make Windows contact
 * a server, with this user's name and a proof of the password, or a device. folder: where the file lies that
 * names it, "" for the current folder; what lies on the same share may be opened. False on other systems.
 */
bool platform_path_is_remote(const char *path, const char *folder);

/* Writes the path of the current folder. */
bool platform_current_folder(char path[MMD_FILE_PATH_MAX]);

/* Writes the path of the user's home folder. */
bool platform_home(char path[MMD_FILE_PATH_MAX]);

/* -------------------------------------------------------------------- what lies at a path */

typedef enum platform_kind {
    PLATFORM_FILE, /* a regular one */
    PLATFORM_FOLDER,
    PLATFORM_LINK, /* only from platform_stat_link */
    PLATFORM_PIPE,
    PLATFORM_SOCKET,
    PLATFORM_DEVICE
} platform_kind;

typedef struct platform_info {
    platform_kind kind;
    uint64_t size;
    int64_t modified, changed; /* nanoseconds since 1970; changed: contents or attributes */
    uint64_t device, node;     /* together identify a file while it exists */
    unsigned mode;             /* the permissions 0777; on Windows 0666 or 0444 */
    bool is_own;               /* it belongs to this user; on Windows always, where permissions decide */
} platform_info;

bool platform_stat(const char *path, platform_info *info);      /* follows links */
bool platform_stat_link(const char *path, platform_info *info); /* of the link itself */
bool platform_stat_open(int file, platform_info *info);
bool platform_is_same(const platform_info *a, const platform_info *b); /* the same file on the same disk */

bool platform_exists(const char *path); /* follows links */

/* Return whether this user may read or write what lies at a path. */
bool platform_may_read(const char *path);
bool platform_may_write(const char *path);

/* -------------------------------------------------------------------- files */

/* How a file is opened. Descriptors are binary and are not inherited by child processes. On Windows, an open
 * file can be renamed and removed as elsewhere. */
enum {
    PLATFORM_READ = 1,
    PLATFORM_WRITE = 2,
    PLATFORM_CREATE = 4,
    PLATFORM_NEW = 8,      /* create; fail with EEXIST if it exists */
    PLATFORM_APPEND = 16,  /* write at the end */
    PLATFORM_NO_LINK = 32, /* fail if it is a link */
    PLATFORM_EMPTY = 64,   /* remove the contents */
    PLATFORM_WAIT = 128    /* wait for the other end of a pipe, now and when reading or writing */
};

/* Opens a file. mode: permissions of a new one. Returns a descriptor for read, write, lseek and close of
 * <unistd.h>, or -1. */
int platform_open(const char *path, unsigned how, unsigned mode);

/* Creates a file without a name in a folder, which platform_name can give one. Returns -1 where the system or
 * the file system does not support that. */
int platform_open_unnamed(const char *folder, unsigned mode);
bool platform_name(int file, const char *path); /* fails with EEXIST if the path exists */

/* Returns whether a file is made up by the kernel, as those of /proc and /sys are. They are regular files by
 * their mode, but tell secrets of this machine, wait for events, or never end. */
bool platform_is_made_up(int file);

/* Returns whether a path leads to standard output or the like, which cannot be replaced by another file:
 * those below /dev/ and /proc/, NUL and CON. */
bool platform_is_device_path(const char *path);

/* Locks an open file against platform_lock of other processes until it is closed, without waiting. Fails with
 * EWOULDBLOCK if another one has it locked, and with another error where the file system has no locks. */
bool platform_lock(int file);

/* Reads at an offset, as many bytes as there are up to size. On Windows that is also where read goes on. */
bool platform_read_at(int file, void *data, size_t size, uint64_t offset, size_t *got);

/* Moves a file to a path, in place of the file that is there. */
bool platform_replace(const char *from, const char *to);
bool platform_remove(const char *path);        /* a file or link */
bool platform_remove_folder(const char *path); /* an empty one */
bool platform_make_folder(const char *path, unsigned mode);

/* -------------------------------------------------------------------- folders */

/* A folder that is being listed. */
typedef struct platform_folder platform_folder;

platform_folder *platform_folder_open(const char *path);

/* Returns the name of the next entry, or NULL after the last one. "." and ".." are left out, the order is
 * that of the system. The name is valid until the next call. */
const char *platform_folder_next(platform_folder *folder);

/* Reads what the last entry is, links followed. */
bool platform_folder_stat(platform_folder *folder, platform_info *info);

/* Returns whether the last entry is a folder or a link to one, as platform_folder_stat does but faster. */
bool platform_folder_has_folder(platform_folder *folder);
void platform_folder_close(platform_folder *folder); /* does nothing when NULL */

/* -------------------------------------------------------------------- the rest */

/* Fills bytes with numbers that nobody can guess. */
bool platform_random(void *bytes, size_t size);

/* Writes the system's sentence about a value of errno. */
void platform_error_text(int number, char *text, size_t capacity);

/* Returns the number of this process. */
uint64_t platform_process_number(void);

/* Starts a thread that leaves the signals that end the program to the main thread. Returns what
 * pthread_create does. */
int platform_thread_start(pthread_t *thread, void *(*run)(void *), void *context);

/* Holds back the signals that end the program on this thread, or lets them through again. Calls nest. Does
 * nothing on Windows, where a thread of the system brings them. */
void platform_hold_signals(void);
void platform_release_signals(void);

#endif
