/* From the rows of the choreography to keys: arms, chest and head; feet and hips. */
#ifndef DANCER_DANCE_BODY_H
#define DANCER_DANCE_BODY_H

#include "dance_kit.h"
#include "dance_phrases.h"

/* Arms, shoulders, hands, chest, head and eyes (dance_upper.c). */
void dance_upper(dance_book *book);

/* Feet, hips, and the bending of the knees on every beat (dance_lower.c). */
void dance_lower(dance_book *book);

/* Called by dance_lower after feet and hips. Lowers the hips wherever a leg could not reach its foot, and
 * bends the legs (dance_legs.c). */
void dance_legs(dance_book *book);

/* Expressions and lips (dance_face.c). */
void dance_face(dance_book *book);

#endif
