/*
 * Drafts with Linux's O_TMPFILE and linkat, as described in open(2), or with hidden names. These need
 * _GNU_SOURCE, which changes the meaning of other functions, hence the separate file.
 */
#define _GNU_SOURCE
#include "file_draft.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mmd/source.h"
#include "thread.h"

/* The form of a hidden name: .mmd-0123456789abcdef.tmp */
#define BEGINNING ".mmd-"
#define ENDING    ".tmp"
enum { DIGITS = 16, NAMES_TRIED = 100 };

/* Writes a hidden name in target's folder that nobody can guess. Returns false with errno set. */
static bool make_name(const char *target, char name[MMD_FILE_PATH_MAX])
{
    char folder[MMD_FILE_PATH_MAX];
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return false;
    mmd_path_folder(target, folder, sizeof folder);
    int length = snprintf(name, MMD_FILE_PATH_MAX, "%s/" BEGINNING "%016" PRIx64 ENDING, folder, number);
    if (length < MMD_FILE_PATH_MAX)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

/* Locks a new file. Returns false if file_draft_sweep of another process took it for one that was left. File
 * systems without locks need none, because nothing is swept there. */
static bool lock(int file)
{
    struct stat about;
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return fstat(file, &about) == 0 && about.st_nlink > 0;
}

/* Creates the file under a hidden name. */
static bool open_named(file_draft *draft, const char *target, mode_t mode)
{
    for (int i = 0; i < NAMES_TRIED; i++) {
        if (!make_name(target, draft->temporary))
            break;
        draft->file = open(draft->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        if (draft->file < 0 && errno != EEXIST)
            break;
        if (draft->file >= 0 && lock(draft->file))
            return true;
        if (draft->file >= 0)
            close(draft->file);
    }
    draft->file = -1;
    draft->temporary[0] = '\0';
    return false;
}

/* Creates the file without a name. The lock is for the moment when it has one. */
static bool open_unnamed(file_draft *draft, const char *target, mode_t mode)
{
#ifdef O_TMPFILE
    char folder[MMD_FILE_PATH_MAX];
    if (access("/proc/self/fd", X_OK) != 0) /* is needed to give the file its name later */
        return false;
    mmd_path_folder(target, folder, sizeof folder);
    draft->file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    if (draft->file >= 0)
        flock(draft->file, LOCK_EX | LOCK_NB);
    return draft->file >= 0;
#else
    (void)draft, (void)target, (void)mode;
    return false;
#endif
}

static const file_draft_helper *helper;

void file_draft_set_helper(const file_draft_helper *given)
{
    helper = given;
}

bool file_draft_open(file_draft *draft, const char *target, mode_t mode)
{
    static atomic_bool has_swept;
    char folder[MMD_FILE_PATH_MAX];
    *draft = (file_draft){.file = -1};
    int code = helper ? helper->open(draft, target, mode) : FILE_DRAFT_OWN;
    if (code != FILE_DRAFT_OWN) {
        errno = code;
        return code == 0;
    }
    mmd_path_folder(target, folder, sizeof folder);
    if (!atomic_exchange(&has_swept, true))
        file_draft_sweep(folder);
    return open_unnamed(draft, target, mode) || open_named(draft, target, mode);
}

/* Gives an unnamed file a name that is free. */
static bool name(int file, const char *path)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

/* Gives an unnamed file the name of target, or a hidden name if target exists, because linkat replaces
 * nothing. Returns false with errno set. */
static bool name_draft(file_draft *draft, const char *target)
{
    if (name(draft->file, target))
        return true;
    for (int i = 0; i < NAMES_TRIED && errno == EEXIST; i++) {
        if (!make_name(target, draft->temporary))
            break;
        if (name(draft->file, draft->temporary))
            return true;
    }
    draft->temporary[0] = '\0';
    return false;
}

/* Reports errors that some file systems keep back until a file is closed. */
static bool is_stored(int file)
{
    int copy = dup(file);
    return copy >= 0 && close(copy) == 0;
}

/* Lets the helper put a draft in place, or drop it. Returns 0 or an errno value. */
static int end_linked(file_draft *draft, bool keeps)
{
    int code = helper->end(draft->link, keeps);
    close(draft->link);
    draft->link = 0;
    return code;
}

bool file_draft_finish(file_draft *draft, const char *target)
{
    sigset_t ending, before;
    thread_ending_signals(&ending);
    /* A signal between the two steps would leave the hidden name. */
    pthread_sigmask(SIG_BLOCK, &ending, &before);
    bool ok = is_stored(draft->file);
    if (ok && draft->link > 0) {
        errno = end_linked(draft, true);
        ok = errno == 0;
    } else if (ok) {
        ok = (*draft->temporary || name_draft(draft, target)) &&
             (!*draft->temporary || rename(draft->temporary, target) == 0);
    }
    if (ok)
        draft->temporary[0] = '\0';
    file_draft_drop(draft);
    int number = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = number;
    return ok;
}

void file_draft_drop(file_draft *draft)
{
    int number = errno;
    if (draft->link > 0)
        end_linked(draft, false);
    if (*draft->temporary)
        unlink(draft->temporary);
    if (draft->file >= 0)
        close(draft->file);
    *draft = (file_draft){.file = -1};
    errno = number;
}

/* Returns whether a name has the form of a hidden one. */
static bool is_hidden_name(const char *entry)
{
    size_t begin = sizeof BEGINNING - 1;
    return strncmp(entry, BEGINNING, begin) == 0 && strspn(entry + begin, "0123456789abcdef") == DIGITS &&
           strcmp(entry + begin + DIGITS, ENDING) == 0;
}

/* Removes a draft of a folder if its lock is free. */
static void sweep_one(int folder, const char *entry)
{
    struct stat opened, present;
    int file = openat(folder, entry, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return;
    if (fstat(file, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_uid == geteuid() &&
        flock(file, LOCK_EX | LOCK_NB) == 0 && fstatat(folder, entry, &present, AT_SYMLINK_NOFOLLOW) == 0 &&
        present.st_dev == opened.st_dev && present.st_ino == opened.st_ino)
        unlinkat(folder, entry, 0);
    close(file);
}

void file_draft_sweep(const char *folder)
{
    DIR *listing = opendir(folder);
    for (struct dirent *entry; listing && (entry = readdir(listing));)
        if (is_hidden_name(entry->d_name))
            sweep_one(dirfd(listing), entry->d_name);
    if (listing)
        closedir(listing);
}
