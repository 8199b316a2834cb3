/*
 * Arms by where the hand is, not by angles: a shape says where the wrist goes
 * (a point of the resting model, carried along by the chest), which way the
 * elbow points and what the palm faces. The joints' turns follow from it.
 */
#ifndef DANCER_DANCE_ARMS_H
#define DANCER_DANCE_ARMS_H

#include "dance_kit.h"

typedef enum dance_hand { HAND_RELAXED, HAND_OPEN, HAND_FLAT, HAND_FIST, HAND_POINT, HAND_PEACE } dance_hand;

/* Shapes of an arm: the vocabulary of the dance. */
typedef enum dance_arm {
    ARM_DOWN,       /* hanging beside the skirt */
    ARM_DOWN_BACK,  /* the same, a little behind */
    ARM_HIP,        /* a fist on the hip */
    ARM_LOW,        /* open, low and aside */
    ARM_CUP,        /* palm up before the sash, as if it held water */
    ARM_CROSS,      /* across the body before the sash */
    ARM_CROSS_LOW,  /* and the arm that crosses below */
    ARM_SIDE,       /* straight out, palm down */
    ARM_SIDE_UP,    /* straight out, palm up */
    ARM_WING,       /* out, elbow bent, hand hanging: before a sweep */
    ARM_SWEEP_IN,   /* across the chest to the other side, palm leading */
    ARM_HIGH,       /* up and out, half of a V */
    ARM_TOP,        /* straight up */
    ARM_OVER,       /* over the head to the other side */
    ARM_SUN,        /* a raised arc, palm to the light */
    ARM_AIM_HIGH,   /* the disco point, up and out */
    ARM_AIM_LOW,    /* and its other end, across to the far hip */
    ARM_AIM_FRONT,  /* at you */
    ARM_OFFER,      /* a hand held out, palm up */
    ARM_CLAP,       /* hands together before the chest */
    ARM_CLAP_OPEN,  /* and apart */
    ARM_CLAP_HIGH,  /* together over the head, a little in front */
    ARM_HEART,      /* flat on the heart */
    ARM_HEART_OVER, /* and on the hand that is there */
    ARM_BROW,       /* shading the eyes */
    ARM_PEACE,      /* two fingers beside the eye */
    ARM_CALL,       /* a hand beside the mouth */
    ARM_ROLL_HIGH,  /* fists roll around each other */
    ARM_ROLL_FRONT,
    ARM_ROLL_LOW,
    ARM_ROLL_BACK,
    ARM_RUN_FRONT, /* elbows bent, running */
    ARM_RUN_BACK,
    ARM_GUARD, /* fists before the shoulders */
    ARM_SHAPES
} dance_arm;

/* Turns of one arm's joints, as keys want them. */
typedef struct dance_joints {
    versors shoulder, arm, arm_twist, elbow, wrist_twist, wrist;
    versors finger[15];
} dance_joints;

dance_joints dance_arm_joints(dance_arm shape, int side);

#endif
