/* Turns the choreography (dance_phrases.c) into keys, layer by layer. */
#include "dance.h"

#include "dance_body.h"

void dance_make(mmd_buffer *vmd)
{
    dance_book book = {0};
    dance_lower(&book);
    dance_upper(&book);
    dance_face(&book);
    dance_finish(&book);
    dance_write(&book, vmd);
}
