/*
 * Locates files: in the file system, or in an archive there, whose files are
 * named behind its own name ("miku.zip/tex/face.png"). An archive or a folder
 * given where one file is wanted stands for the file in it that is most likely
 * meant. Nothing is kept open or remembered between calls.
 */
#ifndef ODORI_LOCATE_H
#define ODORI_LOCATE_H

#include <limits.h>

#include "mmd/memory.h"
#include "mmd/source.h"

/* What a file is wanted for. */
typedef enum locate_role {
    LOCATE_SCENE, /* a file of the command line: a model, else a project, a motion, a pose */
    LOCATE_MODEL, /* a model, an accessory, a file of interchange */
    LOCATE_MOTION,
    LOCATE_CAMERA,
    LOCATE_POSE,
    LOCATE_SOUND,
} locate_role;

/* Reads a file whole. Errors of mmd_file_read and archive_open; error's file is set to path. */
mmd_status locate_read(const char *path, mmd_bytes *bytes, mmd_error *error);

/* Finds the archive that path is, or names something in. False: there is none. */
bool locate_archive(const char *path, char archive[PATH_MAX]);

/* Tells whether an ordinary file, or one in an archive, has exactly this name and may be read. */
bool locate_is_file(const char *path);

/*
 * Opens the archive that path names a file of; folder is that file's folder in
 * the archive ("" or "." for its root). MMD_OK with *source NULL: path is of
 * the file system.
 */
mmd_status locate_open_source(const char *path, mmd_source **source, char folder[MMD_PATH_MAX],
                              mmd_error *error);

/*
 * Chooses the file that path means: path itself, or in an archive or a folder
 * the file that fits the role: the largest model, the only motion (of several
 * the only one that moves models, or a camera). Prints on stderr which others
 * there are. MMD_ERROR_NOT_FOUND: none; MMD_ERROR_VALUE: several.
 */
mmd_status locate_choose(const char *path, locate_role role, char chosen[PATH_MAX], mmd_error *error);

/* Tells whether a file is a model by the ending of its name. */
bool locate_is_model_name(const char *name);

/* Finds the only sound of an archive or a folder. False: path is neither, or holds none or several. */
bool locate_only_sound(const char *path, char chosen[PATH_MAX]);

typedef struct locate_file {
    const char *name; /* below the archive or folder */
    uint64_t size;    /* bytes */
    bool encrypted;
} locate_file;

/* What an archive or a folder holds, folders in it too. Finish it in any case. */
typedef struct locate_contents {
    locate_file *files;
    size_t count, capacity;
    size_t left_out; /* entries of an archive that are no files, or whose names lead out of it */
    bool is_archive;
    bool failed; /* no memory, or too many files, while it was read */
    mmd_arena arena;
} locate_contents;
mmd_status locate_contents_read(const char *path, locate_contents *contents, mmd_error *error);
void locate_contents_finish(locate_contents *contents);

/* Tells whether path is an archive or a folder, or a folder in an archive. */
bool locate_is_container(const char *path);

/*
 * Lists the files that dropping an archive or a folder opens: the largest model
 * of each folder, else accessories; all motions, else the only pose; the only
 * sound. Prints on stderr what is not opened. Any other path gives that path
 * alone. Paths live in the arena.
 */
mmd_status locate_sort(const char *path, mmd_arena *arena, const char ***paths, size_t *count,
                       mmd_error *error);

#endif
