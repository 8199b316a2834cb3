/* Options of `play` alone. */
#ifndef ODORI_PLAYER_OPTIONS_H
#define ODORI_PLAYER_OPTIONS_H

#include "document/playlist.h"

typedef struct player_options {
    const char *playlist; /* path; NULL: none */
    bool no_settings;     /* nothing is read from or written to the user's folders */
    odori_playlist list;  /* what is in the playlist */
} player_options;

option_group group_of_player(player_options *options);

/*
 * Reads the playlist, if there is one. Where no file was given its first entry
 * is the scene and, where no sound was, *audio its sound ("none": silence).
 * EXIT_DONE or the exit code of what it reported. Finish the options in any case.
 */
int player_read_playlist(player_options *options, scene_options *scene, const char **audio);
void player_options_finish(player_options *options);

#endif
