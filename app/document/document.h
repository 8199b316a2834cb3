/*
 * What a session has beside its scene where a person works with it: files that
 * are opened, a playlist, sound, keys. Commands of this room and of the player
 * find it through the session's owner.
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
    const struct key_bindings *bindings; /* keyboard (bindings.h); NULL: there are none */
    struct odori_playlist *playlist;     /* playlist.h; NULL: there is none */
    struct file_opener *opener;          /* opens files (open.h); NULL when files cannot be opened */
    struct odori_audio *audio;           /* plays along (audio.h); NULL: nothing does */
    struct audio_memory *heard;          /* offsets that are kept (preferences.h); NULL: none are */
    bool has_window;                     /* a person sees it */
    void *player;                        /* for the player's own commands; NULL: nothing */
} document;

/* The document that owns the session; where none does, an empty one. */
const document *document_of(const odori_session *s);

#endif
