/*
 * The rows that the keyframe editor shows. With a selection there is one row for each selected item (bones,
 * morphs, camera, light, self-shadow, switches of a model). Without one there is a row for each of these,
 * apart from morphs, that has keyframes. The other morphs with keyframes follow last. The view is updated
 * before each frame.
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
    bool selected;        /* the rows are those of the selection, not of everything that has keyframes */
    uint32_t morphs;      /* number of rows at the end that are morphs which are not selected */
    uint32_t late;        /* number of rows of the selected model whose first keyframe holds from frame 0
                             (key_rest.h) */
    uint32_t late_from;   /* the earliest of these keyframes */
    bool keying;          /* edits write keyframes (auto-key) */
    uint64_t source_hash; /* of the scene and selection that the rows were built from; 0: none were built */
} key_view;

/* Updates the rows and their keyframes. Returns false when out of memory; there are no rows then. */
bool key_view_gather(key_view *view, const struct odori_session *s);
/* Frees the rows and clears the view. */
void key_view_finish(key_view *view);

#ifdef __cplusplus
}
#endif

#endif
