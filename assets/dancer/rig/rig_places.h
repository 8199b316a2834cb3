/* Positions of the joints of arm and leg at rest, on her left side, shared by the skeleton (rig_body.c), the
 * body and the dance. */
#ifndef DANCER_RIG_PLACES_H
#define DANCER_RIG_PLACES_H

/* A vec3 as a constant initialiser. */
#define RIG_AT(x, y, z)                                                                                      \
    {                                                                                                        \
        {                                                                                                    \
            (x), (y), (z)                                                                                    \
        }                                                                                                    \
    }

/* The arm slopes down by 36 degrees from the shoulder. */
#define RIG_SHOULDER_X 1.30f
#define RIG_SHOULDER_Y 15.05f
#define RIG_ARM_COS    0.809017f
#define RIG_ARM_SIN    0.587785f
#define RIG_ON_ARM(along, z)                                                                                 \
    RIG_AT(RIG_SHOULDER_X + RIG_ARM_COS * (along), RIG_SHOULDER_Y - RIG_ARM_SIN * (along), z)

#define RIG_COLLAR   RIG_AT(0.35f, 15.2f, 0.1f)
#define RIG_SHOULDER RIG_ON_ARM(0, 0.15f)
#define RIG_ELBOW    RIG_ON_ARM(2.7f, 0.2f)
#define RIG_WRIST    RIG_ON_ARM(5.1f, 0.1f)

#define RIG_CENTER RIG_AT(0, 8, 0)
#define RIG_GROOVE RIG_AT(0, 8.4f, 0)
#define RIG_WAIST  RIG_AT(0, 12.2f, 0) /* where 上半身 and 下半身 rotate */
#define RIG_LEG    RIG_AT(0.85f, 10.6f, 0)
#define RIG_KNEE   RIG_AT(0.85f, 6.0f, -0.08f)
#define RIG_ANKLE  RIG_AT(0.85f, 1.3f, 0.12f)

#endif
