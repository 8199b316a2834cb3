/*
 * Locates files in the file system or in archives, whose files are addressed through the archive's path
 * ("miku.zip/tex/face.png"). An archive or folder in place of a file means the most likely file in it.
 * Nothing stays open or is remembered between calls.
 */
#ifndef ODORI_LOCATE_H
#define ODORI_LOCATE_H

#include <limits.h>

#include "mmd/memory.h"
#include "mmd/source.h"

/* What a file is needed for. */
typedef enum locate_role {
    LOCATE_SCENE, /* a file on the command line: a model, otherwise a project, a motion or a pose */
    LOCATE_MODEL, /* a model, an accessory, or an interchange file */
    LOCATE_MOTION,
    LOCATE_CAMERA,
    LOCATE_POSE,
    LOCATE_SOUND,
} locate_role;

/* Reads a whole file. Errors of mmd_file_read and mmd_archive_open; the error's file is set to path. */
mmd_status locate_read(const char *path, mmd_bytes *bytes, mmd_error *error);

/* Finds the archive that path is, or leads into. Returns false if there is none. */
bool locate_archive(const char *path, char archive[PATH_MAX]);

/* Tests whether a regular file, or one in an archive, has exactly this name and is readable. */
bool locate_is_file(const char *path);

/* Opens the archive that path leads into; folder receives the file's folder in it ("" or "." for the root).
 * MMD_OK with *source NULL: path is in the file system. */
mmd_status locate_open_source(const char *path, mmd_source **source, char folder[MMD_PATH_MAX],
                              mmd_error *error);

/*
 * Chooses the file that path means: path itself, or the file in an archive or folder that fits the role: the
 * largest model, the only motion (of several, the only one that moves models, or a camera). Prints the
 * alternatives on stderr. MMD_ERROR_NOT_FOUND: none; MMD_ERROR_VALUE: several.
 */
mmd_status locate_choose(const char *path, locate_role role, char chosen[PATH_MAX], mmd_error *error);

/* Tests whether a file name has the extension of a model. */
bool locate_is_model_name(const char *name);

/* Finds the only sound in an archive or folder. Returns false if path is neither, or has none or several. */
bool locate_only_sound(const char *path, char chosen[PATH_MAX]);

typedef struct locate_file {
    const char *name; /* path inside of the archive or folder */
    uint64_t size;    /* bytes */
    bool encrypted;
} locate_file;

/* Contents of an archive or folder, including subfolders. Finish it in either case. */
typedef struct locate_contents {
    locate_file *files;
    size_t count, capacity;
    size_t left_out; /* entries of an archive that are no files, or whose names lead out of it */
    bool is_archive;
    bool failed; /* out of memory or too many files; the list is incomplete */
    mmd_arena arena;
} locate_contents;
mmd_status locate_contents_read(const char *path, locate_contents *contents, mmd_error *error);
void locate_contents_finish(locate_contents *contents);

/* Tests whether path is an archive, a folder, or a folder in an archive. */
bool locate_is_container(const char *path);

/*
 * Lists the files that dropping an archive or folder opens: the largest model of each folder, or accessories
 * if there is none; all motions, or the pose if there is only one; the sound if there is only one. Prints
 * what is not opened on stderr. Any other path is returned as it is. Paths are allocated in the arena.
 */
mmd_status locate_sort(const char *path, mmd_arena *arena, const char ***paths, size_t *count,
                       mmd_error *error);

#endif
