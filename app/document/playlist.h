/*
 * A playlist: dances one after another. A text file, a line an entry, with
 * words as on the command line of `odori play`:
 *
 *   # what is danced tonight
 *   miku.pmx --motion "first dance.vmd" --camera camera.vmd --audio song.ogg
 *   rin.pmx len.pmx --motion twins.vmd --audio twins.wav
 *
 * Paths are meant from the playlist's folder.
 */
#ifndef ODORI_PLAYLIST_H
#define ODORI_PLAYLIST_H

#include "mmd/memory.h"
#include "mmd/status.h"
#include "recipe/recipe.h"

enum { PLAYLIST_MAX = 10000, PLAYLIST_LINE_MAX = 8192 };

/* Zeroed is valid and empty. */
typedef struct odori_playlist {
    recipe *entries; /* files, and a sound where sound.path is not NULL */
    size_t count, capacity;
    size_t at; /* the entry that plays */
    mmd_arena arena;
} odori_playlist;

/*
 * Reads a file. MMD_ERROR_SYNTAX: an option that entries do not have, or one
 * without its value, a quote that is not closed, an entry without a file;
 * MMD_ERROR_LIMIT: lines or entries over what is allowed; MMD_ERROR_VALUE: no
 * entries; MMD_ERROR_MEMORY, and errors of mmd_file_read. The message names the
 * line. Finish it in any case.
 */
mmd_status playlist_read(const char *path, odori_playlist *list, mmd_error *error);

/* The same from text; folder: of the paths. */
mmd_status playlist_parse(const char *text, size_t size, const char *folder, odori_playlist *list,
                          mmd_error *error);
void playlist_finish(odori_playlist *list);

#endif
