/* What the files are for that somebody chooses (chooser.h). */
#ifndef ODORI_CHOOSER_AIM_H
#define ODORI_CHOOSER_AIM_H

#include <stdbool.h>
#include <stddef.h>

#include "mmd/source.h"

/* Zeroed: they are opened. */
typedef struct chooser_aim {
    bool replaces;                /* one file takes the place of a model */
    size_t model;                 /* its number */
    char path[MMD_FILE_PATH_MAX]; /* and its file, by which it is known to be the same still */
} chooser_aim;

#endif
