/* Drafts without a name, or with hidden names. */
#include "file_draft.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mmd/platform.h"
#include "mmd/source.h"

/* The form of a hidden name: .mmd-0123456789abcdef.tmp */
#define BEGINNING ".mmd-"
#define ENDING    ".tmp"
enum { DIGITS = 16, NAMES_TRIED = 100 };

/* Writes a hidden name in target's folder that nobody can guess. Returns false with errno set. */
static bool make_name(const char *target, char name[MMD_FILE_PATH_MAX])
{
    char folder[MMD_FILE_PATH_MAX];
    uint64_t number;
    if (!platform_random(&number, sizeof number))
        return false;
    mmd_path_folder(target, folder, sizeof folder);
    int length = snprintf(name, MMD_FILE_PATH_MAX, "%s/" BEGINNING "%016" PRIx64 ENDING, folder, number);
    if (length < MMD_FILE_PATH_MAX)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

/* Returns whether an open file still has a name. */
static bool is_at(int file, const char *path)
{
    platform_info opened, present;
    return platform_stat_open(file, &opened) && platform_stat_link(path, &present) &&
           platform_is_same(&opened, &present);
}

/* Locks a new file. Returns false if file_draft_sweep of another process took it for one that was left. File
 * systems without locks need none, because nothing is swept there. */
static bool lock(int file, const char *path)
{
    return (platform_lock(file) || errno != EWOULDBLOCK) && is_at(file, path);
}

/* Creates the file under a hidden name. */
static bool open_named(file_draft *draft, const char *target, unsigned mode)
{
    for (int i = 0; i < NAMES_TRIED; i++) {
        if (!make_name(target, draft->temporary))
            break;
        draft->file = platform_open(draft->temporary,
                                    PLATFORM_READ | PLATFORM_WRITE | PLATFORM_NEW | PLATFORM_NO_LINK, mode);
        if (draft->file < 0 && errno != EEXIST)
            break;
        if (draft->file >= 0 && lock(draft->file, draft->temporary))
            return true;
        if (draft->file >= 0)
            close(draft->file);
    }
    draft->file = -1;
    draft->temporary[0] = '\0';
    return false;
}

/* Creates the file without a name. The lock is for the moment when it has one. */
static bool open_unnamed(file_draft *draft, const char *target, unsigned mode)
{
    char folder[MMD_FILE_PATH_MAX];
    mmd_path_folder(target, folder, sizeof folder);
    draft->file = platform_open_unnamed(folder, mode);
    if (draft->file >= 0)
        platform_lock(draft->file);
    return draft->file >= 0;
}

static const file_draft_helper *helper;

void file_draft_set_helper(const file_draft_helper *given)
{
    helper = given;
}

bool file_draft_open(file_draft *draft, const char *target, unsigned mode)
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

/* Gives an unnamed file the name of target, or a hidden name if target exists, because platform_name replaces
 * nothing. Returns false with errno set. */
static bool name_draft(file_draft *draft, const char *target)
{
    if (platform_name(draft->file, target))
        return true;
    for (int i = 0; i < NAMES_TRIED && errno == EEXIST; i++) {
        if (!make_name(target, draft->temporary))
            break;
        if (platform_name(draft->file, draft->temporary))
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
    /* A signal between the two steps would leave the hidden name. */
    platform_hold_signals();
    bool ok = is_stored(draft->file);
    if (ok && draft->link > 0) {
        errno = end_linked(draft, true);
        ok = errno == 0;
    } else if (ok) {
        ok = (*draft->temporary || name_draft(draft, target)) &&
             (!*draft->temporary || platform_replace(draft->temporary, target));
    }
    if (ok)
        draft->temporary[0] = '\0';
    file_draft_drop(draft);
    int number = errno;
    platform_release_signals();
    errno = number;
    return ok;
}

void file_draft_drop(file_draft *draft)
{
    int number = errno;
    if (draft->link > 0)
        end_linked(draft, false);
    if (*draft->temporary)
        platform_remove(draft->temporary);
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

/* Removes a draft if its lock is free. */
static void sweep_one(const char *path)
{
    platform_info about;
    int file = platform_open(path, PLATFORM_READ | PLATFORM_NO_LINK, 0);
    if (file < 0)
        return;
    if (platform_stat_open(file, &about) && about.kind == PLATFORM_FILE && about.is_own &&
        platform_lock(file) && is_at(file, path))
        platform_remove(path);
    close(file);
}

void file_draft_sweep(const char *folder)
{
    char path[MMD_FILE_PATH_MAX];
    platform_folder *listing = platform_folder_open(folder);
    for (const char *entry; listing && (entry = platform_folder_next(listing));)
        if (is_hidden_name(entry) && snprintf(path, sizeof path, "%s/%s", folder, entry) < (int)sizeof path)
            sweep_one(path);
    platform_folder_close(listing);
}
