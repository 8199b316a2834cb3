/*
 * A playlist of scenes. It is a text file with one entry per line, whose arguments are those of the command
 * line of `odori play`:
 *
 *   # a comment
 *   miku.pmx --motion "first dance.vmd" --camera camera.vmd --audio song.ogg
 *   rin.pmx len.pmx --motion twins.vmd --audio twins.wav
 *
 * Paths are relative to the folder of the playlist.
 */
#ifndef ODORI_PLAYLIST_H
#define ODORI_PLAYLIST_H

#include "mmd/memory.h"
#include "mmd/status.h"
#include "recipe/recipe.h"

enum { PLAYLIST_MAX = 10000, PLAYLIST_LINE_MAX = 8192 };

/* Zero-initialise for an empty playlist. */
typedef struct odori_playlist {
    recipe *entries; /* files, and audio if sound.path is not NULL */
    size_t count, capacity;
    size_t at;   /* index of the entry that plays, or after which the first one follows */
    bool is_own; /* it is the user's own, which is kept in the state folder; its entries may be pictures */
    unsigned version; /* changes with the entries */
    mmd_arena arena;
} odori_playlist;

/*
 * Reads a file. Errors: MMD_ERROR_SYNTAX for an unknown option, an option without value, an unclosed quote or
 * an entry without a file; MMD_ERROR_LIMIT for too long lines or too many entries; MMD_ERROR_VALUE when there
 * are no entries; MMD_ERROR_MEMORY, and those of mmd_file_read. The message names the line. Call
 * playlist_finish in any case.
 */
mmd_status playlist_read(const char *path, odori_playlist *list, mmd_error *error);

/* Parses a playlist from text, with paths relative to `folder`. */
mmd_status playlist_parse(const char *text, size_t size, const char *folder, odori_playlist *list,
                          mmd_error *error);
void playlist_finish(odori_playlist *list);

/* --- The user's own playlist: pictures of scenes in the state folder, with their sounds --- */

#define PLAYLIST_FOLDER "playlist"

/* Reads it into an empty list, which stays empty if there is none. A file that cannot be read is an error,
 * and the list is not the own one then, so that it does not take the place of that file. */
mmd_status playlist_read_own(odori_playlist *list, mmd_error *error);

/* Writes it if the list is that one. What another player has written meanwhile stays: entries that it added
 * come behind the others, those that it removed are dropped here, too. `removed` is the picture of an entry
 * that was just removed, or NULL. Returns false if the file cannot be read or written, which stays as it is.
 */
bool playlist_save_own(odori_playlist *list, const char *removed);

/* Appends an entry to its file, whatever list is played, and whatever another player has written there.
 * Returns false if that cannot be written. */
bool playlist_append_own(const char *picture, const char *sound);

/* Adds a picture with a sound, which may be NULL. Returns false when out of memory or the list is full. */
bool playlist_add_picture(odori_playlist *list, const char *path, const char *sound);

/* Removes an entry. */
void playlist_remove(odori_playlist *list, size_t index);

/* Deletes the picture of a removed entry if it is one of the state folder. */
void playlist_delete_picture(const char *picture);

/* Moves an entry to another index; those between move up or down. */
void playlist_move(odori_playlist *list, size_t from, size_t to);

enum { PLAYLIST_LABEL_MAX = 200 };

/* Writes what an entry is called: the names of its first file and its last motion, without endings. */
void playlist_label(const odori_playlist *list, size_t index, char label[PLAYLIST_LABEL_MAX]);

#endif
