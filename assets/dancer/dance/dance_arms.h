/*
 * Arms defined by the position of the hand instead of angles. A shape says where the wrist goes (a point of
 * the model at rest, moved along by the chest), which way the elbow points and what the palm faces. The
 * rotations of the joints follow from it.
 */
#ifndef DANCER_DANCE_ARMS_H
#define DANCER_DANCE_ARMS_H

#include "dance_kit.h"

typedef enum dance_hand { HAND_RELAXED, HAND_OPEN, HAND_FLAT, HAND_FIST, HAND_POINT, HAND_PEACE } dance_hand;

/* Shapes of an arm, the vocabulary of the dance. */
typedef enum dance_arm {
    ARM_DOWN,       /* hanging beside the skirt */
    ARM_DOWN_BACK,  /* the same, a little behind */
    ARM_HIP,        /* a fist on the hip */
    ARM_LOW,        /* open, low and aside */
    ARM_CUP,        /* palm up in front of the sash, as if holding water */
    ARM_CROSS,      /* across the body in front of the sash */
    ARM_CROSS_LOW,  /* the arm that crosses below it */
    ARM_SIDE,       /* straight out, palm down */
    ARM_SIDE_UP,    /* straight out, palm up */
    ARM_WING,       /* out, elbow bent, hand hanging; before a sweep */
    ARM_SWEEP_IN,   /* across the chest to the other side, palm leading */
    ARM_HIGH,       /* up and out, half of a V */
    ARM_TOP,        /* straight up */
    ARM_OVER,       /* over the head to the other side */
    ARM_SUN,        /* a raised arc, palm towards the light */
    ARM_AIM_HIGH,   /* the disco point, up and out */
    ARM_AIM_LOW,    /* its other end, across to the far hip */
    ARM_AIM_FRONT,  /* at the audience */
    ARM_OFFER,      /* a hand held out, palm up */
    ARM_CLAP,       /* hands together in front of the chest */
    ARM_CLAP_OPEN,  /* hands apart */
    ARM_CLAP_HIGH,  /* together over the head, a little in front */
    ARM_HEART,      /* flat on the heart */
    ARM_HEART_OVER, /* on the hand that is already there */
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

/* Rotations of one arm's joints, as keys need them. */
typedef struct dance_joints {
    quat shoulder, arm, arm_twist, elbow, wrist_twist, wrist;
    quat finger[15];
} dance_joints;

dance_joints dance_arm_joints(dance_arm shape, int side);

#endif
