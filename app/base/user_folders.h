/*
 * The folders in which a user gathers what does not belong together: the root, the home folder, Desktop,
 * Downloads and the like, those for temporary files, those in which disks appear (/media). What lies beside a
 * stranger's folder there is no business of the stranger's.
 */
#ifndef ODORI_USER_FOLDERS_H
#define ODORI_USER_FOLDERS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { USER_FOLDERS_MAX = 64 };

typedef struct user_folder {
    dev_t device;
    ino_t node;
} user_folder;

typedef struct user_folders {
    user_folder items[USER_FOLDERS_MAX];
    size_t count;
} user_folders;

/* Finds those that exist: of $HOME and of the account, by their usual names and by the user's settings. */
void user_folders_find(user_folders *folders);

/* Returns whether a path leads to one of them. */
bool user_folders_has(const user_folders *folders, const char *path);

/* Write the path of the home folder: that of $HOME, or of the account where there is none, or always of the
 * account. Return false if there is none either. */
bool user_folders_home(char path[PATH_MAX]);
bool user_folders_account(char path[PATH_MAX]);

/* Writes the path of the file with the settings of a home folder, user-dirs.dirs. Returns false if it is too
 * long. */
bool user_folders_settings(const char *home, char path[PATH_MAX]);

/* Writes the path of one of the user's folders, by the name that user-dirs.dirs has for it ("DESKTOP",
 * "DOCUMENTS", "DOWNLOAD", "MUSIC", "PICTURES", "VIDEOS"): as the settings of the home folder say, or by its
 * usual English name. Returns false if there is no such folder, or if the settings name the home folder in
 * its stead. */
bool user_folder_find(const char *name, char path[PATH_MAX]);

#endif
