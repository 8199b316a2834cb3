/* Folders of tests, and what tests of files need of the system beyond mmd/platform.h. */
#ifndef ODORI_TEST_FOLDER_H
#define ODORI_TEST_FOLDER_H

#include "mmd/platform.h"

/* Makes a new folder below the build folder, and writes its resolved path. */
void test_folder_make(char path[MMD_FILE_PATH_MAX]);

/* Removes a folder with everything in it, links themselves. Fails the test if something stays. */
void test_folder_remove(const char *path);

/* Makes folders in one another, the first in a folder that exists, and writes the path of the last one, which
 * has more than 260 characters. */
void test_folder_make_deep(const char *folder, char path[MMD_FILE_PATH_MAX]);

/* Returns the number of a folder's entries. */
size_t test_folder_count(const char *path);

/* Makes a symbolic link. Returns false where the user may not, as on Windows without developer mode. */
bool test_link(const char *target, const char *path);

/* Sets a file's size to one that fills no disk. Returns false where the file system has no holes. */
bool test_file_stretch(const char *path, uint64_t size);

/* Returns whether a file can take the place of one that is open. Reports a skipped part of the test where
 * not: under Wine 8, and on file systems of Windows other than NTFS. */
bool test_replaces_open_files(const char *folder);

/* Returns whether this is Windows, which has other paths. */
bool test_is_windows(void);

#endif
