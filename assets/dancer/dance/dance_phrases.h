/* The choreography as data: phrases of one or more bars, in three layers (arms with chest and head; feet;
 * hips), and their order. A phrase is written for one side and danced on either. */
#ifndef DANCER_DANCE_PHRASES_H
#define DANCER_DANCE_PHRASES_H

#include "dance_arms.h"
#include "dance_kit.h"

/* Arms, chest and head reach this pose at `beat` of the phrase, after moving for `travel` beats. */
typedef struct dance_move {
    float beat, travel;
    dance_feel feel;
    dance_arm left, right;
    float bend, turn, lean; /* of the chest in degrees: forward, to her left, leaning left */
    float nod, face, tilt;  /* of the head relative to the hips: down, to her left, leaning left */
} dance_move;

/* A foot lands at `beat`. */
typedef struct dance_step {
    float beat, travel;
    int foot;     /* LEFT, RIGHT */
    float x, z;   /* of the ankle; z relative to its rest position, to the back */
    float out;    /* degrees that the toes point outward */
    float lift;   /* height on the way */
    float facing; /* degrees to her left by which x, z and out are rotated */
} dance_step;

/* Position of the hips at `beat`. */
typedef struct dance_hip {
    float beat, travel;
    dance_feel feel;
    float x, dip;      /* to her left; down */
    float tilt, twist; /* degrees: left side up, rotated to her left */
    float facing;      /* direction of the whole body, degrees to her left */
} dance_hip;

typedef struct dance_phrase {
    const dance_move *moves;
    const dance_step *steps;
    const dance_hip *hips;
    int move_count, step_count, hip_count, bars;
    float bounce; /* how far she drops on every beat */
} dance_phrase;

typedef struct dance_entry {
    int bar;
    const dance_phrase *phrase;
    bool mirrored;
} dance_entry;

extern const dance_entry dance_order[];
extern const int dance_order_count;

/* Return rows of a phrase as danced: beats from the start of the music, sides swapped if mirrored. */
dance_move dance_entry_move(const dance_entry *entry, int index);
dance_step dance_entry_step(const dance_entry *entry, int index);
dance_hip dance_entry_hip(const dance_entry *entry, int index);

#endif
