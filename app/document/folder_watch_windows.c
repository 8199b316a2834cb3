/*
 * Watches folders with ReadDirectoryChangesW (folder_watch.h). All folders report to one completion port, at
 * which the thread sleeps. The system writes into the memory of a folder until its handle is closed and the
 * last report has come, so the thread frees it then. A watched folder that is renamed is not reported.
 */
#include "folder_watch_system.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/platform_windows.h"
#include "mmd/source.h"

/* What is reported of a folder: files that are written, made, renamed, deleted or given another time. */
#define EVENTS                                                                                               \
    (FILE_NOTIFY_CHANGE_FILE_NAME | FILE_NOTIFY_CHANGE_DIR_NAME | FILE_NOTIFY_CHANGE_SIZE |                  \
     FILE_NOTIFY_CHANGE_LAST_WRITE | FILE_NOTIFY_CHANGE_CREATION)

enum { REPORT_SIZE = 4096 };

/* A folder that is watched, or has been until a moment ago. */
typedef struct watched_folder {
    OVERLAPPED overlapped;
    HANDLE handle; /* INVALID_HANDLE_VALUE: it is not watched any more */
    platform_info info;
    DWORD report[REPORT_SIZE / sizeof(DWORD)];
} watched_folder;

typedef struct system_watch {
    folder_watch shared;
    pthread_t thread;
    HANDLE port;
    pthread_mutex_t lock;     /* of the handles of folders */
    watched_folder **folders; /* that are watched */
    size_t count, room;
    size_t left; /* folders that the thread has not freed yet */
    bool ends;   /* the thread ends when none is left */
} system_watch;

/* Asks for the next report of a folder. */
static bool ask(watched_folder *f)
{
    f->overlapped = (OVERLAPPED){0};
    return ReadDirectoryChangesW(f->handle, f->report, sizeof f->report, FALSE, EVENTS, NULL, &f->overlapped,
                                 NULL);
}

/* Takes a report: asks for the next one, or frees the folder if it is not watched any more. Returns whether
 * something has changed. */
static bool take_report(system_watch *w, watched_folder *f, bool succeeded)
{
    pthread_mutex_lock(&w->lock);
    bool is_watched = f->handle != INVALID_HANDLE_VALUE;
    bool goes_on = is_watched && succeeded && ask(f);
    if (is_watched && !goes_on) { /* the folder has gone */
        atomic_store(&w->shared.misses, true);
        CloseHandle(f->handle);
        f->handle = INVALID_HANDLE_VALUE;
        for (size_t i = 0; i < w->count; i++)
            if (w->folders[i] == f)
                w->folders[i--] = w->folders[--w->count];
    }
    if (!goes_on) {
        mmd_free(f);
        w->left--;
    }
    pthread_mutex_unlock(&w->lock);
    return is_watched;
}

static bool has_ended(system_watch *w)
{
    pthread_mutex_lock(&w->lock);
    bool ended = w->ends && w->left == 0;
    pthread_mutex_unlock(&w->lock);
    return ended;
}

static void *run(void *user)
{
    system_watch *w = user;
    while (!has_ended(w)) {
        DWORD size = 0;
        ULONG_PTR key = 0;
        OVERLAPPED *overlapped = NULL;
        bool succeeded = GetQueuedCompletionStatus(w->port, &size, &key, &overlapped, INFINITE);
        if (!overlapped) /* folder_watch_destroy has sent it */
            continue;
        if (take_report(w, (watched_folder *)(void *)overlapped, succeeded))
            folder_watch_stir(&w->shared);
    }
    return NULL;
}

folder_watch *folder_watch_create(void (*wake)(void *user), void *user)
{
    system_watch *w = mmd_alloc(sizeof *w);
    if (!w)
        return NULL;
    *w = (system_watch){.shared = {.wake = wake, .user = user}};
    w->port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, 1);
    pthread_mutex_init(&w->lock, NULL);
    if (w->port && platform_thread_start(&w->thread, run, w) == 0)
        return &w->shared;
    if (w->port)
        CloseHandle(w->port);
    pthread_mutex_destroy(&w->lock);
    mmd_free(w);
    return NULL;
}

void folder_watch_destroy(folder_watch *watch)
{
    system_watch *w = (system_watch *)watch;
    if (!w)
        return;
    folder_watch_clear(watch);
    pthread_mutex_lock(&w->lock);
    w->ends = true;
    pthread_mutex_unlock(&w->lock);
    PostQueuedCompletionStatus(w->port, 0, 0, NULL);
    pthread_join(w->thread, NULL);
    CloseHandle(w->port);
    pthread_mutex_destroy(&w->lock);
    mmd_free(w->folders);
    mmd_free(w);
}

void folder_watch_clear(folder_watch *watch)
{
    system_watch *w = (system_watch *)watch;
    pthread_mutex_lock(&w->lock);
    for (size_t i = 0; i < w->count; i++) {
        CancelIoEx(w->folders[i]->handle, &w->folders[i]->overlapped);
        CloseHandle(w->folders[i]->handle);
        w->folders[i]->handle = INVALID_HANDLE_VALUE;
    }
    w->count = 0;
    pthread_mutex_unlock(&w->lock);
    atomic_store(&w->shared.misses, false);
}

/* Returns whether a folder, whose path is resolved, is on a disk of another computer. */
static bool is_remote(const char *path)
{
    const wchar_t root[] = {(wchar_t)path[0], L':', L'\\', L'\0'};
    return path[1] != ':' || GetDriveTypeW(root) == DRIVE_REMOTE;
}

/* Opens a folder. Returns INVALID_HANDLE_VALUE if it cannot be watched. */
static HANDLE open_folder(const char *folder)
{
    char whole[MMD_FILE_PATH_MAX];
    if (!platform_path_resolve(folder, whole) || is_remote(whole))
        return INVALID_HANDLE_VALUE;
    wchar_t *path = platform_long_path(whole);
    if (!path)
        return INVALID_HANDLE_VALUE;
    HANDLE handle =
        CreateFileW(path, FILE_LIST_DIRECTORY, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OVERLAPPED, NULL);
    mmd_free(path);
    return handle;
}

/* Returns whether a folder is watched already. */
static bool has_folder(const system_watch *w, const platform_info *info)
{
    for (size_t i = 0; i < w->count; i++)
        if (platform_is_same(&w->folders[i]->info, info))
            return true;
    return false;
}

/* Makes room for another folder. Returns false when out of memory. */
static bool make_room(system_watch *w)
{
    if (w->count < w->room)
        return true;
    size_t room = w->room ? 2 * w->room : 8;
    watched_folder **grown = mmd_realloc(w->folders, room * sizeof(watched_folder *));
    if (!grown)
        return false;
    w->folders = grown;
    w->room = room;
    return true;
}

/* Begins to watch a folder. The folders are locked. */
static bool watch_folder(system_watch *w, const char *folder, const platform_info *info)
{
    watched_folder *f = make_room(w) ? mmd_alloc(sizeof *f) : NULL;
    if (!f)
        return false;
    *f = (watched_folder){.handle = open_folder(folder), .info = *info};
    if (f->handle != INVALID_HANDLE_VALUE && CreateIoCompletionPort(f->handle, w->port, 0, 0) && ask(f)) {
        w->folders[w->count++] = f;
        w->left++;
        return true;
    }
    if (f->handle != INVALID_HANDLE_VALUE)
        CloseHandle(f->handle);
    mmd_free(f);
    return false;
}

bool folder_watch_add_folder(folder_watch *watch, const char *folder)
{
    system_watch *w = (system_watch *)watch;
    platform_info info;
    pthread_mutex_lock(&w->lock);
    bool is_watched =
        platform_stat(folder, &info) && (has_folder(w, &info) || watch_folder(w, folder, &info));
    pthread_mutex_unlock(&w->lock);
    return is_watched;
}
