/* The music, as a WAV file. */
#ifndef DANCER_MUSIC_H
#define DANCER_MUSIC_H

#include "mmd/memory.h"

void music_make(mmd_buffer *wav);

#endif
