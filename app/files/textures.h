/*
 * The files that a model's file names: its textures, the .x file of a .vac, the buffers of a glTF. This is
 * the one place that decides which of them are opened. Drawing, hashing, converting and copying all use it.
 *
 * A name leads to a file in the model's folder, or in a folder beside that ("..\\tex\\a.png"), links
 * resolved. Folders beside are not looked into where the model's folder or the one above is the root, the
 * home folder, one of the user's folders (Downloads, Desktop ...), /tmp or where disks are (/media); and none
 * of these is entered on the way to a file. The folder above is listed only for names that lead up. In an
 * archive a name leads to any file of it. No part of a name begins with a dot, and it ends like a picture's
 * name, or as its kind does.
 */
#ifndef ODORI_TEXTURES_H
#define ODORI_TEXTURES_H

#include <limits.h>

#include "mmd/model.h"
#include "mmd/source.h"

/* Which files a model's file may name besides pictures. */
typedef enum named_files {
    NAMED_PICTURES,  /* none */
    NAMED_ACCESSORY, /* of a .vac: .x */
    NAMED_BUFFERS,   /* of a glTF: .bin, .glbin, .glbuf */
} named_files;

/* Where a model's textures are: a source that opens nothing else. Its root is the model's folder or, if
 * folders beside that may be looked into, the folder above. */
typedef struct texture_location {
    mmd_source *source;
    char folder[MMD_PATH_MAX]; /* the model's folder, relative to the root; "" for the root */
} texture_location;

/* Finds the files beside a model file. source is NULL if out of memory; the caller destroys it. */
texture_location textures_beside(const char *model_path, named_files also);

/*
 * Finds the folder in the file system that is the source's root. Returns false if the root is in an archive.
 */
bool textures_root(const texture_location *location, const char *model_path, char root[PATH_MAX]);

/* Finds the file of a texture by its name in the model, as mmd_view_add_model does. Fails as
 * mmd_source_look_up. */
mmd_status textures_find(const texture_location *location, const char *name, char path[MMD_PATH_MAX],
                         mmd_error *error);

/* Reads a file and decodes it to see whether it is a picture. Returns false with the reason in error. */
bool textures_decode(const texture_location *location, const char *path, mmd_error *error);

/* The file of one texture of a model. */
typedef struct texture_file {
    const char *path; /* in the source; NULL: there is none */
    const char *why;  /* why there is none; NULL otherwise */
    bool is_refused;  /* there is none because the name is refused */
    bool is_missing;  /* there is none of this name */
    bool is_too_large; /* it is not decoded, because that takes too much time or memory */
    uint32_t first;   /* the first texture with the same file */
} texture_file;

/* The files of all textures of a model, so that each is read once, however many names it has. */
typedef struct texture_files {
    texture_file *items; /* model->texture_count elements */
    uint32_t *order; /* their indices in the order in which reading their files costs least */
    uint32_t count;
    mmd_arena arena;
} texture_files;

/* Returns false if out of memory. Finish it in either case. */
bool texture_files_find(texture_files *files, const mmd_model *model, const texture_location *location);
void texture_files_finish(texture_files *files);

#endif
