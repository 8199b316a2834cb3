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
 * is what is played and, where no sound was, its sound (else silence). Errors
 * of playlist_read. Finish the options in any case.
 */
mmd_status player_read_playlist(player_options *options, recipe *wanted, mmd_error *error);
void player_options_finish(player_options *options);

#endif
