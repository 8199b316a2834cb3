/*
 * What the sheet of keys shows: a row for each item that is selected (bones,
 * morphs, camera, light, self shadow, a model's switches), or for each but the
 * morphs that has keys where nothing is; and the morphs that have any. It is gathered again before each
 * picture, but rows are looked for only where something else is selected or played.
 */
#ifndef ODORI_KEY_VIEW_H
#define ODORI_KEY_VIEW_H

#include "edit/key_row.h"

#ifdef __cplusplus
extern "C" {
#endif

struct odori_session;

/* Zero-initialise. */
typedef struct key_view {
    key_row *rows;
    uint32_t count, room;
    bool selected;   /* these rows are what is selected; else all that has keys */
    uint32_t morphs; /* the last so many rows are morphs that are not selected */
    bool keying;     /* edits write keys */
    uint64_t of;     /* of what scene and selection the rows are */
} key_view;

/* Gathers the rows anew where they changed. False: out of memory, and there are no rows. */
bool key_view_gather(key_view *view, const struct odori_session *s);
void key_view_finish(key_view *view);

#ifdef __cplusplus
}
#endif

#endif
