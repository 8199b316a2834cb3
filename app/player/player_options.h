/* The options that only `play` has. */
#ifndef ODORI_PLAYER_OPTIONS_H
#define ODORI_PLAYER_OPTIONS_H

#include "document/playlist.h"
#include "mascot.h"

typedef struct player_options {
    const char *playlist; /* path; NULL: none */
    bool first_page;      /* shows the first page if no file is named or one cannot be opened */
    bool no_settings;     /* does not read or write files in the user's folders */
    size_t max_models;    /* that a picture or an entry may bring; 0: SCENE_MODELS_MOST */
    odori_playlist list;  /* the entries of the playlist */
    mascot_plan mascot;
    double started; /* time when the program began to play */
} player_options;

/* Returns the group of options that fill `options`, which must outlive it. */
option_group group_of_player(player_options *options);

/* Checks options that belong together. Returns OPTIONS_PARSED, or EXIT_USAGE after reporting an error. */
int player_options_check(const player_options *options, const command_line *line);

/*
 * Reads the playlist, if there is one. If the command line names no file, the first entry is added to
 * `wanted`, with its audio (or silence) unless an audio file was given. Returns the errors of playlist_read.
 * Call player_options_finish in any case.
 */
mmd_status player_read_playlist(player_options *options, recipe *wanted, mmd_error *error);
void player_options_finish(player_options *options);

#endif
