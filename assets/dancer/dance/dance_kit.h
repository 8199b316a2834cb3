/*
 * Tracks under construction: keys are put down in order of time, bone by bone,
 * and written as a VMD in the end.
 */
#ifndef DANCER_DANCE_KIT_H
#define DANCER_DANCE_KIT_H

#include <cglm/struct.h>

#include "mmd/cursor.h"
#include "mmd/memory.h"
#include "mmd/motion.h"
#include "music/score.h"

#define DEGREES(angle) ((angle)*GLM_PIf / 180.0f)

/* Bones that there is one of, then pairs: BONE_… + 0 is the left one, + 1 the right one. */
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

/* Where a bone is, relative to rest. */
typedef struct dance_place {
    vec3s move;
    versors turn;
} dance_place;

typedef struct dance_key {
    int frame;
    dance_place place;
    mmd_curve curve[4]; /* from the key before; by MMD_CHANNEL_… */
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

/* How a move goes. Its overshoot is paid back in a few frames after the arrival: that is what makes a hit a
 * hit. */
typedef enum dance_feel {
    FEEL_HIT,  /* snaps, overshoots, settles */
    FEEL_TAP,  /* snaps and stops: hands that meet something */
    FEEL_SOFT, /* a gentle start and end, a little overshoot */
    FEEL_FLOW, /* swings through, no stop in between; far joints drag behind */
    FEEL_EVEN  /* at one speed: a part of a longer turn */
} dance_feel;

dance_place dance_turned(versors turn);

/* Degrees: forward, to her left, leaning to her left. */
versors dance_turn(float bend, float turn, float lean);

/* The mirror image at x = 0. */
versors dance_mirror(versors turn);

/* The frame of a beat, counted from the start of the music. */
int dance_frame(float beat);

/* Of two keys in a frame the later counts. Frames beyond the music are brought to its end. */
void dance_put_key(dance_book *book, int bone, const dance_key *key);
/* One with the same curve for all channels. */
void dance_put(dance_book *book, int bone, int frame, const dance_place *place, mmd_curve curve);

/*
 * From wherever the bone is to `place`: it sets out at `from` (having wound up
 * a little the other way), arrives at `to` and settles.
 */
void dance_go(dance_book *book, int bone, int from, int to, const dance_place *place, dance_feel feel);

/* The place at any frame, as MMD will have it. */
dance_place dance_at(const dance_track *track, float frame);

/* The track of a morph of this name (made if there is none), and a key of it. */
dance_morph *dance_morph_of(dance_book *book, const char *name);
void dance_weight(dance_morph *morph, int frame, float weight);

/* Every track holds its last value to the end of the music; keys that change nothing go. */
void dance_finish(dance_book *book);

/* Writes everything; the book is empty afterwards. */
void dance_write(dance_book *book, mmd_buffer *vmd);

/* A motion as both VMDs start: name and header. */
void dance_header(mmd_motion *motion, const char *model);

#endif
