/*
 * The bundled dancer: what whoever starts the program without a model sees.
 * Her files are made at build time (assets/) and lie in a folder beside the
 * program, or where it was installed, in ../share/odori/dancer.
 */
#ifndef ODORI_BUNDLED_H
#define ODORI_BUNDLED_H

#include <limits.h>

#include <stdbool.h>

#include "mmd/status.h"

/* Her name where a file is wanted: model, motion, camera or sound. */
#define BUNDLED_NAME "dancer"

/* From where on a clip of her dance shows most of it: a bar before the chorus. */
enum { BUNDLED_CLIP_FRAME = 540 };

typedef struct bundled {
    char model[PATH_MAX];
    char dance[PATH_MAX];
    char camera[PATH_MAX];
    char music[PATH_MAX]; /* "" where she does not dance her own dance */
} bundled;

/* Whether a file's name is BUNDLED_NAME and there is no such file. */
bool bundled_is_meant(const char *path);

/* Fills in where her files are. MMD_ERROR_NOT_FOUND. */
mmd_status bundled_find(bundled *b, mmd_error *error);

#endif
