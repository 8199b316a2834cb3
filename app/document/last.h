/*
 * The scene that was shown when the program ended last, which the first page offers again, and the folder of
 * the user's own playlist. Both are pictures of odori (recipe/provenance.h) in the state folder:
 *
 *   last.png, last           the scene; its name and its sound, a line each
 *   playlist/, playlist.txt  the dances of the own playlist
 */
#ifndef ODORI_LAST_H
#define ODORI_LAST_H

#include <stdbool.h>

#include "mmd/source.h"

typedef struct last_scene {
    char picture[MMD_FILE_PATH_MAX]; /* path of the picture, whether it is there or not */
    char name[256];
    char sound[MMD_FILE_PATH_MAX]; /* "": there was none */
} last_scene;

/* Reads what is known of the last scene. Returns false if there is none. */
bool last_scene_find(last_scene *l);

/* Returns whether a path is that of a picture which these functions or the own playlist have stored. */
bool last_scene_is_own(const char *path);

/* Writes name and sound beside the picture, or deletes all of it. */
void last_scene_note(const last_scene *l);
void last_scene_forget(void);

#endif
