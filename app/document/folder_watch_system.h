/* What the watch of each system (folder_watch_linux.c, folder_watch_windows.c) and folder_watch.c share. */
#ifndef ODORI_FOLDER_WATCH_SYSTEM_H
#define ODORI_FOLDER_WATCH_SYSTEM_H

#include <stdatomic.h>

#include "folder_watch.h"

/* The first member of the watch of a system. */
struct folder_watch {
    void (*wake)(void *user);
    void *user;
    atomic_bool stirs;  /* something has changed */
    atomic_bool misses; /* a folder is not watched */
};

/* Notes a change, and wakes somebody unless a change was noted already. */
void folder_watch_stir(folder_watch *w);

/* Adds a folder, which may have been added before. Returns whether it is watched. Each system has its own. */
bool folder_watch_add_folder(folder_watch *w, const char *folder);

#endif
