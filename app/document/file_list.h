/*
 * Files that can be opened without a dialog: recent files, and the models in the folder or archive of the
 * scene's first model.
 */
#ifndef ODORI_FILE_LIST_H
#define ODORI_FILE_LIST_H

#include "mmd/memory.h"
#include "edit/session.h"
#include "mmd/source.h"

enum { FILE_LIST_MAX = 60 };

/* Zero-initialise. */
typedef struct file_list {
    const char *paths[FILE_LIST_MAX];
    size_t count,
        beside; /* the first `beside` paths are in the folder of the model, the others are recent files */
    mmd_arena arena;
    char of[MMD_FILE_PATH_MAX]; /* path of the first model, for which the list was made */
    size_t models;              /* number of models then */
} file_list;

/* Updates the list if the scene has changed. This reads a folder and a small file. */
void file_list_follow(file_list *l, const odori_session *s);
void file_list_finish(file_list *l);

#endif
