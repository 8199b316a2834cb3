/* The offset of a sound to a dance, kept where it was found by ear: in the user's state folder, by what is in
 * both. */
#ifndef ODORI_AUDIO_MEMORY_H
#define ODORI_AUDIO_MEMORY_H

#include "files/hashes.h"
#include "edit/session.h"

/* Which dance and sound a session plays, as far as it was looked at. Zeroed: none yet. */
typedef struct audio_memory {
    unsigned opened;     /* audio_opened, then */
    const void *motions; /* the last of its motions, then */
    size_t motion_count;
    digest pair;       /* "": no dance, or no sound */
    double offset;     /* as it was found */
    double now;        /* as it was before the last picture */
    bool begun, given; /* given: the first one's was said on the command line */
} audio_memory;

/* Before every picture: where dance or sound are others, the last one's offset is kept and theirs is set, if
 * any is known. Costs nothing while they stay. */
void audio_memory_follow(audio_memory *m, odori_session *s);

/* At the end. */
void audio_memory_keep(audio_memory *m, odori_session *s);

#endif
