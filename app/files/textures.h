/*
 * Where a model's textures come from, a folder or an archive: one answer for
 * all who draw and for those who only look. Model folders share textures beside them ("..\\tex"),
 * so the source's root lies up to two levels above the model's own folder.
 */
#ifndef ODORI_TEXTURES_H
#define ODORI_TEXTURES_H

#include <limits.h>

#include "mmd/source.h"

typedef struct texture_place {
    mmd_source *source;
    char folder[MMD_PATH_MAX]; /* the model's, below the source's root; "" is the root */
} texture_place;

/* The place of a model file's textures; its source is NULL when out of memory. Whoever takes the source
 * destroys it. */
texture_place textures_beside(const char *model_path);

/* The folder of the file system that is the source's root. False: it is none, but in an archive. */
bool textures_root(const texture_place *place, const char *model_path, char root[PATH_MAX]);

/* The file that the model means by name, as mmd_view_add_model finds it. */
bool textures_find(const texture_place *place, const char *name, char path[MMD_PATH_MAX]);

/* Whether what was found is a picture that can be read; else error says why not. */
bool textures_decode(const texture_place *place, const char *path, mmd_error *error);

#endif
