/* What Linux offers for the sandbox. Only sandbox_linux.c and sandbox_helper_linux.c use it. */
#ifndef ODORI_SANDBOX_SYSTEM_H
#define ODORI_SANDBOX_SYSTEM_H

#include <stdbool.h>

/* What may be done with a file, or with all files in a folder. */
enum {
    MAY_READ = 1,    /* read files and list folders */
    MAY_WRITE = 2,   /* write, create, rename and remove files and folders */
    MAY_EXECUTE = 4, /* start programs */
    MAY_DEVICE = 8,  /* read, write and control devices */
    MAY_LIST = 16    /* list folders, but read no file */
};

/* Begins a list of files. Returns whether the system can restrict files. */
bool sandbox_system_begin(void);

/* Adds a file or folder to the list, links resolved. Does nothing if there is none. */
void sandbox_system_allow(const char *path, unsigned may);

/* Restricts the process to the list, and takes network sockets from it. local_sockets: those between
 * processes of this machine stay. Returns how, or "". */
const char *sandbox_system_enter(bool local_sockets);

#endif
