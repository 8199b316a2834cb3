/* A dance that is opened takes the place of the older ones of its dancers. */
#ifndef ODORI_DANCE_EDIT_H
#define ODORI_DANCE_EDIT_H

#include "session.h"

/* What a dance that was opened has switched off. */
typedef struct dance_ending {
    const char *path; /* of the first one */
    size_t count;     /* number of them */
    bool has_camera;  /* a camera ended with them */
} dance_ending;

/*
 * Where motions of the scene from an index on were opened just now, and are dances (mmd_motion_is_dance),
 * switches off the earlier dances of the same dancers: their weights become 0. A camera that came with a
 * dance which nobody dances any more, in the same file, or in an archive or folder from which the new ones do
 * not come, ends with it. This is part of the current step: undo switches the opened motions off and the
 * others on again. Returns whether anything was switched off; without memory nothing is.
 */
bool dance_edit_end_older(odori_session *s, size_t from, dance_ending *ended);

#endif
