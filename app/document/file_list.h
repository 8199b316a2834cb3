/*
 * What can be opened without a dialog: the files that were opened last, and the
 * models that lie beside the first one of the scene, in its folder or archive.
 */
#ifndef ODORI_FILE_LIST_H
#define ODORI_FILE_LIST_H

#include "mmd/memory.h"
#include "edit/session.h"

enum { FILE_LIST_MAX = 60 };

/* Zero-initialise. */
typedef struct file_list {
    const char *paths[FILE_LIST_MAX];
    size_t count, beside; /* the first ones lie beside the model, the others were opened before */
    mmd_arena arena;
    char of[PATH_MAX]; /* the model's path, then, */
    size_t models;     /* and how many there were */
} file_list;

/* Looks again where the scene is another one. Reads a folder and a small file then. */
void file_list_follow(file_list *l, const odori_session *s);
void file_list_finish(file_list *l);

#endif
