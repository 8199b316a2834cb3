/*
 * The choreography as data: phrases of a bar or more, in three layers (arms
 * with chest and head; feet; hips), and the order they are danced in. A phrase
 * is written for one side and danced on either.
 */
#ifndef DANCER_DANCE_PHRASES_H
#define DANCER_DANCE_PHRASES_H

#include "dance_arms.h"
#include "dance_kit.h"

/* Arms, chest and head arrive in this shape at `beat` of the phrase, after `travel` beats on the way. */
typedef struct dance_move {
    float beat, travel;
    dance_feel feel;
    dance_arm left, right;
    float bend, turn, lean; /* of the chest, degrees: forward, to her left, leaning left */
    float nod, face, tilt;  /* of the head, seen from the hips: down, to her left, leaning left */
} dance_move;

/* A foot lands at `beat`. */
typedef struct dance_step {
    float beat, travel;
    int foot;     /* LEFT, RIGHT */
    float x, z;   /* of the ankle; z from its place at rest, to the back */
    float out;    /* degrees that the toes point outward */
    float lift;   /* height on the way */
    float facing; /* degrees to her left that x, z and out are turned by */
} dance_step;

/* Where the hips are at `beat`. */
typedef struct dance_hip {
    float beat, travel;
    dance_feel feel;
    float x, dip;      /* to her left; down */
    float tilt, twist; /* degrees: the left side up, turned to her left */
    float facing;      /* of all of her, degrees to her left */
} dance_hip;

typedef struct dance_phrase {
    const dance_move *moves;
    const dance_step *steps;
    const dance_hip *hips;
    int move_count, step_count, hip_count, bars;
    float bounce; /* how far she gives way on every beat */
} dance_phrase;

typedef struct dance_entry {
    int bar;
    const dance_phrase *phrase;
    bool mirrored;
} dance_entry;

extern const dance_entry dance_order[];
extern const int dance_order_count;

/* Phrases as danced: beats from the start of the music, sides changed where mirrored. */
dance_move dance_entry_move(const dance_entry *entry, int index);
dance_step dance_entry_step(const dance_entry *entry, int index);
dance_hip dance_entry_hip(const dance_entry *entry, int index);

#endif
