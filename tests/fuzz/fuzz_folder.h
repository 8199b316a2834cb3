/* A temporary folder for targets whose readers open files by name. */
#ifndef ODORI_FUZZ_FOLDER_H
#define ODORI_FUZZ_FOLDER_H

#include <stddef.h>

enum { FUZZ_PATH_MAX = 512 };

/* Creates the folder, in memory where the system has /dev/shm, and makes it the current one. It is removed
 * when the program ends. Returns its path. */
const char *fuzz_folder(void);

/* Writes a file of the folder. name may begin with folders, which are created. */
void fuzz_folder_write(const char *name, const void *data, size_t size);

#endif
