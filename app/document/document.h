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
struct save_list;
struct file_chooser;
struct file_page;
struct autosave_drafts;

typedef struct document {
    struct key_bindings *bindings;   /* bindings.h; NULL: there are none */
    struct odori_playlist *playlist; /* playlist.h; NULL: there is none */
    struct file_opener *opener;      /* opens files (open.h); NULL when files cannot be opened */
    struct odori_audio *audio;       /* audio.h; NULL: audio cannot be played */
    struct audio_memory *offsets;    /* stores audio offsets (preferences.h); NULL: they are not stored */
    struct save_list *saving;        /* save.h; NULL: nothing is saved by lists */
    const char *trouble;             /* why the first file was not opened; NULL: it was */
    struct file_page *page;          /* the player's own page of files (file_page.h); NULL: likewise */
    struct file_chooser *chooser;    /* asks for files (chooser.h); NULL: there is no window */
    struct autosave_drafts *drafts;  /* autosave.h; NULL: unsaved edits are kept at the end only */
    bool has_window;                 /* the session is shown in a window */
    void *player;                    /* player_parts of the player's commands; NULL: there is no player */
} document;

/* Returns the document that owns the session, or an empty one. */
const document *document_of(const odori_session *s);

#endif
