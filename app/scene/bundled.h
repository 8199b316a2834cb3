/* The bundled dancer, who is shown when the program is started without a model. Her files are made at build
 * time (assets/); they are in a folder beside the program, or in ../share/odori/dancer where it is installed.
 */
#ifndef ODORI_BUNDLED_H
#define ODORI_BUNDLED_H

#include <stdbool.h>

#include "mmd/source.h"
#include "mmd/status.h"

/* Her name in place of a model, motion, camera or sound file. */
#define BUNDLED_NAME "dancer"

/* First frame of the clip of her dance: one bar before the chorus. */
enum { BUNDLED_CLIP_FRAME = 540 };

typedef struct bundled {
    char model[MMD_FILE_PATH_MAX];
    char dance[MMD_FILE_PATH_MAX];
    char camera[MMD_FILE_PATH_MAX];
    char music[MMD_FILE_PATH_MAX]; /* "" if she does not dance her own dance */
} bundled;

/* Tests whether a file name is BUNDLED_NAME, and nothing else has that name: what is there, if anything, is
 * her own folder, as in the folder of the program. */
bool bundled_is_meant(const char *path);

/* Finds her files. MMD_ERROR_NOT_FOUND. */
mmd_status bundled_find(bundled *b, mmd_error *error);

#endif
