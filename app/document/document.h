/*
 * What an interactive session has beside its scene: file opener, playlist, audio, key bindings. Commands of
 * this room and of the player reach it through the session's owner.
 */
#ifndef ODORI_DOCUMENT_H
#define ODORI_DOCUMENT_H

#include "edit/session.h"

struct key_bindings;
struct odori_playlist;
struct file_opener;
struct odori_audio;
struct audio_memory;

typedef struct document {
    struct key_bindings *bindings;       /* bindings.h; NULL: there are none */
    struct odori_playlist *playlist;     /* playlist.h; NULL: there is none */
    struct file_opener *opener;          /* opens files (open.h); NULL when files cannot be opened */
    struct odori_audio *audio;           /* audio.h; NULL: audio cannot be played */
    struct audio_memory *offsets;        /* stores audio offsets (preferences.h); NULL: they are not stored */
    bool has_window;                     /* the session is shown in a window */
    void *player;                        /* player_parts of the player's commands; NULL: there is no player */
} document;

/* Returns the document that owns the session, or an empty one. */
const document *document_of(const odori_session *s);

#endif
