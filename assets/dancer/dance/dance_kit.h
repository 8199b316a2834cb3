/* Tracks under construction: keys are added in order of time, bone by bone, and finally written as a VMD. */
#ifndef DANCER_DANCE_KIT_H
#define DANCER_DANCE_KIT_H

#include "mmd/memory.h"
#include "mmd/motion.h"
#include "music/score.h"
#include "vector.h"

/* Single bones, then pairs: BONE_… + 0 is the left one, + 1 the right one. */
typedef enum dance_bone {
    BONE_CENTER,
    BONE_GROOVE,
    BONE_LOWER,
    BONE_UPPER,
    BONE_UPPER2,
    BONE_NECK,
    BONE_HEAD,
    BONE_EYES,
    BONE_SHOULDER,
    BONE_ARM = BONE_SHOULDER + 2,
    BONE_ARM_TWIST = BONE_ARM + 2,
    BONE_ELBOW = BONE_ARM_TWIST + 2,
    BONE_WRIST_TWIST = BONE_ELBOW + 2,
    BONE_WRIST = BONE_WRIST_TWIST + 2,
    BONE_FOOT = BONE_WRIST + 2, /* the leg's IK goal */
    BONE_LEG = BONE_FOOT + 2,
    BONE_KNEE = BONE_LEG + 2,
    BONE_ANKLE = BONE_KNEE + 2,
    BONE_FINGERS = BONE_ANKLE + 2, /* thumb 0 1 2, index 1 2 3, … little 1 2 3: 15 pairs */
    BONE_COUNT = BONE_FINGERS + 30
} dance_bone;

enum { LEFT, RIGHT };

/* Transform of a bone relative to rest. */
typedef struct dance_place {
    vec3 move;
    quat turn;
} dance_place;

typedef struct dance_key {
    int frame;
    dance_place place;
    mmd_curve curve[4]; /* from the previous key; by MMD_CHANNEL_… */
    bool settles;       /* ends an overshoot */
} dance_key;

typedef struct dance_track {
    dance_key *keys;
    uint32_t count, capacity;
} dance_track;

typedef struct dance_weight_key {
    int frame;
    float weight;
} dance_weight_key;

enum { DANCE_MORPHS_MAX = 24 };

typedef struct dance_morph {
    const char *name;
    dance_weight_key *keys;
    uint32_t count, capacity;
} dance_morph;

typedef struct dance_book {
    mmd_arena arena;
    dance_track tracks[BONE_COUNT];
    dance_morph morphs[DANCE_MORPHS_MAX];
    uint32_t morph_count;
} dance_book;

/* How a move feels. Its overshoot is corrected within a few frames after the arrival, which gives a hit its
 * punch. */
typedef enum dance_feel {
    FEEL_HIT,  /* snaps, overshoots, settles */
    FEEL_TAP,  /* snaps and stops; for hands that touch something */
    FEEL_SOFT, /* a gentle start and end, a little overshoot */
    FEEL_FLOW, /* swings through without stopping; outer joints lag behind */
    FEEL_EVEN  /* constant speed; for parts of a longer rotation */
} dance_feel;

dance_place dance_turned(quat turn);

/* Returns a rotation from degrees: forward, to her left, leaning to her left. */
quat dance_turn(float bend, float turn, float lean);

/* Returns the mirror image at x = 0. */
quat dance_mirror(quat turn);

/* Returns the frame of a beat, counted from the start of the music. */
int dance_frame(float beat);

/* Adds a key. Of two keys in one frame the later one wins. Frames after the music are moved to its end. */
void dance_put_key(dance_book *book, int bone, const dance_key *key);
/* Adds a key with the same curve for all channels. */
void dance_put(dance_book *book, int bone, int frame, const dance_place *place, mmd_curve curve);

/* Moves a bone from its current transform to `place`: it starts at `from` (after winding up slightly in the
 * other direction), arrives at `to` and settles. */
void dance_go(dance_book *book, int bone, int from, int to, const dance_place *place, dance_feel feel);

/* Returns the transform at any frame, as MMD computes it. */
dance_place dance_at(const dance_track *track, float frame);

/* Return the track of a morph by name, creating it if necessary, and add a key to it. */
dance_morph *dance_morph_of(dance_book *book, const char *name);
void dance_weight(dance_morph *morph, int frame, float weight);

/* Holds the last value of every track to the end of the music, and removes keys that change nothing. */
void dance_finish(dance_book *book);

/* Writes everything. The book is empty afterwards. */
void dance_write(dance_book *book, mmd_buffer *vmd);

/* Initialises a motion with the header and model name that both VMDs have. */
void dance_header(mmd_motion *motion, const char *model);

#endif
