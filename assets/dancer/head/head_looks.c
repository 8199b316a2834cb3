/* The looks of the face as tables: eyes, mouths, brows, and which morph shows which. Positions are those of
 * the left side in model units, as seen from the front. */
#include "head.h"

#include "tool.h"

#define P(x, y)                                                                                              \
    {                                                                                                        \
        {                                                                                                    \
            (x), (y)                                                                                         \
        }                                                                                                    \
    }

enum { EYE_OPEN, EYE_BLINK, EYE_SMILE, EYE_CALM, EYE_SURPRISED, EYE_HALF, EYE_COUNT };

#define BLINK                                                                                                \
    P(0.230f, 17.19f), P(0.38f, 17.085f), P(0.58f, 17.02f), P(0.80f, 17.00f), P(1.00f, 17.035f),             \
        P(1.160f, 17.11f)
#define SMILE                                                                                                \
    P(0.230f, 17.12f), P(0.37f, 17.235f), P(0.57f, 17.33f), P(0.79f, 17.335f), P(0.99f, 17.24f),             \
        P(1.155f, 17.09f)
#define CALM                                                                                                 \
    P(0.235f, 17.24f), P(0.40f, 17.25f), P(0.60f, 17.23f), P(0.80f, 17.18f), P(0.98f, 17.11f),               \
        P(1.150f, 17.02f)

static const head_eye eyes[EYE_COUNT] = {
    [EYE_OPEN] = {.upper = {P(0.205f, 17.23f), P(0.27f, 17.525f), P(0.47f, 17.72f), P(0.74f, 17.775f),
                            P(1.02f, 17.665f), P(1.180f, 17.425f)},
                  .lower = {P(0.205f, 17.23f), P(0.30f, 17.04f), P(0.49f, 16.945f), P(0.74f, 16.925f),
                            P(1.01f, 17.025f), P(1.180f, 17.425f)},
                  .wing = P(0.150f, 0.085f),
                  .spike = P(0.185f, 0.105f)},
    [EYE_BLINK] = {.upper = {BLINK},
                   .lower = {BLINK},
                   .wing = P(0.115f, 0.045f),
                   .spike = P(0.05f, 0.02f),
                   .closed = 1},
    [EYE_SMILE] = {.upper = {SMILE},
                   .lower = {SMILE},
                   .wing = P(0.095f, -0.085f),
                   .spike = P(0.03f, -0.03f),
                   .closed = 1},
    [EYE_CALM] =
        {.upper = {CALM}, .lower = {CALM}, .wing = P(0.11f, -0.06f), .spike = P(0.04f, -0.02f), .closed = 1},
    [EYE_SURPRISED] = {.upper = {P(0.205f, 17.25f), P(0.26f, 17.61f), P(0.455f, 17.855f), P(0.74f, 17.915f),
                                 P(1.03f, 17.775f), P(1.185f, 17.46f)},
                       .lower = {P(0.205f, 17.25f), P(0.28f, 16.98f), P(0.48f, 16.85f), P(0.74f, 16.83f),
                                 P(1.02f, 16.95f), P(1.185f, 17.46f)},
                       .wing = P(0.150f, 0.090f),
                       .spike = P(0.185f, 0.12f)},
    [EYE_HALF] = {.upper = {P(0.215f, 17.20f), P(0.28f, 17.34f), P(0.47f, 17.41f), P(0.74f, 17.42f),
                            P(1.02f, 17.40f), P(1.170f, 17.32f)},
                  .lower = {P(0.215f, 17.20f), P(0.30f, 17.05f), P(0.49f, 16.96f), P(0.74f, 16.945f),
                            P(1.00f, 17.045f), P(1.170f, 17.32f)},
                  .wing = P(0.14f, 0.00f),
                  .spike = P(0.17f, 0.03f)},
};

enum {
    MOUTH_REST,
    MOUTH_A,
    MOUTH_I,
    MOUTH_U,
    MOUTH_E,
    MOUTH_O,
    MOUTH_GRIN,
    MOUTH_POUT,
    MOUTH_UP,
    MOUTH_DOWN,
    MOUTH_COUNT
};

static const head_mouth mouths[MOUTH_COUNT] = {
    [MOUTH_REST] = {.upper = {P(0, 16.540f), P(0.08f, 16.541f), P(0.165f, 16.555f), P(0.235f, 16.585f)},
                    .lower = {P(0, 16.513f), P(0.08f, 16.516f), P(0.165f, 16.539f), P(0.235f, 16.585f)}},
    [MOUTH_A] = {.upper = {P(0, 16.600f), P(0.12f, 16.602f), P(0.22f, 16.580f), P(0.275f, 16.515f)},
                 .lower = {P(0, 16.195f), P(0.11f, 16.212f), P(0.215f, 16.320f), P(0.275f, 16.515f)},
                 .jaw = 0.15f,
                 .corner = 0.06f,
                 .teeth = 0.27f,
                 .tongue = 0.145f},
    [MOUTH_I] = {.upper = {P(0, 16.570f), P(0.13f, 16.574f), P(0.25f, 16.592f), P(0.330f, 16.615f)},
                 .lower = {P(0, 16.445f), P(0.13f, 16.455f), P(0.25f, 16.512f), P(0.330f, 16.615f)},
                 .jaw = 0.02f,
                 .corner = 0.04f,
                 .teeth = 0.72f},
    [MOUTH_U] = {.upper = {P(0, 16.585f), P(0.05f, 16.578f), P(0.085f, 16.553f), P(0.100f, 16.515f)},
                 .lower = {P(0, 16.430f), P(0.05f, 16.440f), P(0.085f, 16.472f), P(0.100f, 16.515f)},
                 .jaw = 0.02f,
                 .pout = 0.06f},
    [MOUTH_E] = {.upper = {P(0, 16.585f), P(0.13f, 16.587f), P(0.24f, 16.575f), P(0.300f, 16.540f)},
                 .lower = {P(0, 16.370f), P(0.13f, 16.380f), P(0.24f, 16.440f), P(0.300f, 16.540f)},
                 .jaw = 0.06f,
                 .corner = 0.06f,
                 .teeth = 0.44f,
                 .tongue = 0.075f},
    [MOUTH_O] = {.upper = {P(0, 16.610f), P(0.085f, 16.597f), P(0.145f, 16.545f), P(0.165f, 16.450f)},
                 .lower = {P(0, 16.295f), P(0.085f, 16.312f), P(0.145f, 16.370f), P(0.165f, 16.450f)},
                 .jaw = 0.10f,
                 .pout = 0.04f,
                 .corner = 0.04f,
                 .tongue = 0.125f},
    [MOUTH_GRIN] = {.upper = {P(0, 16.535f), P(0.12f, 16.545f), P(0.24f, 16.585f), P(0.330f, 16.660f)},
                    .lower = {P(0, 16.425f), P(0.12f, 16.445f), P(0.24f, 16.525f), P(0.330f, 16.660f)},
                    .jaw = 0.01f,
                    .corner = 0.05f,
                    .teeth = 0.80f},
    [MOUTH_POUT] = {.upper = {P(0, 16.565f), P(0.06f, 16.560f), P(0.12f, 16.543f), P(0.160f, 16.510f)},
                    .lower = {P(0, 16.541f), P(0.06f, 16.538f), P(0.12f, 16.524f), P(0.160f, 16.510f)},
                    .pout = 0.05f},
    [MOUTH_UP] = {.upper = {P(0, 16.535f), P(0.09f, 16.540f), P(0.185f, 16.573f), P(0.265f, 16.635f)},
                  .lower = {P(0, 16.512f), P(0.09f, 16.518f), P(0.185f, 16.557f), P(0.265f, 16.635f)}},
    [MOUTH_DOWN] = {.upper = {P(0, 16.552f), P(0.08f, 16.548f), P(0.165f, 16.525f), P(0.235f, 16.480f)},
                    .lower = {P(0, 16.530f), P(0.08f, 16.526f), P(0.165f, 16.508f), P(0.235f, 16.480f)}},
};

enum { BROW_REST, BROW_SERIOUS, BROW_TROUBLED, BROW_CHEERFUL, BROW_ANGRY, BROW_UP, BROW_DOWN, BROW_COUNT };

static const head_brow brows[BROW_COUNT] = {
    [BROW_REST] = {{P(0.30f, 18.05f), P(0.56f, 18.155f), P(0.87f, 18.15f), P(1.18f, 17.97f)}},
    [BROW_SERIOUS] = {{P(0.25f, 17.90f), P(0.54f, 17.985f), P(0.86f, 18.05f), P(1.18f, 18.02f)}},
    [BROW_TROUBLED] = {{P(0.27f, 18.26f), P(0.55f, 18.20f), P(0.85f, 18.06f), P(1.13f, 17.85f)}},
    [BROW_CHEERFUL] = {{P(0.33f, 18.11f), P(0.58f, 18.29f), P(0.88f, 18.29f), P(1.17f, 18.04f)}},
    [BROW_ANGRY] = {{P(0.22f, 17.83f), P(0.53f, 17.97f), P(0.87f, 18.14f), P(1.17f, 18.23f)}},
    [BROW_UP] = {{P(0.30f, 18.24f), P(0.56f, 18.355f), P(0.87f, 18.35f), P(1.18f, 18.17f)}},
    [BROW_DOWN] = {{P(0.30f, 17.92f), P(0.56f, 17.995f), P(0.87f, 17.985f), P(1.18f, 17.84f)}},
};

#define EYES(morph, eye)                                                                                     \
    {                                                                                                        \
        morph, &eyes[eye], &mouths[MOUTH_REST], &brows[BROW_REST]                                            \
    }
#define MOUTH(morph, lips)                                                                                   \
    {                                                                                                        \
        morph, &eyes[EYE_OPEN], &mouths[lips], &brows[BROW_REST]                                             \
    }
#define BROWS(morph, brow)                                                                                   \
    {                                                                                                        \
        morph, &eyes[EYE_OPEN], &mouths[MOUTH_REST], &brows[brow]                                            \
    }

const head_look head_looks[] = {
    EYES(MORPH_COUNT, EYE_OPEN),
    EYES(MORPH_BLINK, EYE_BLINK),
    EYES(MORPH_SMILE, EYE_SMILE),
    EYES(MORPH_WINK, EYE_SMILE),
    EYES(MORPH_WINK2, EYE_BLINK),
    EYES(MORPH_CALM, EYE_CALM),
    EYES(MORPH_SURPRISED, EYE_SURPRISED),
    EYES(MORPH_HALF, EYE_HALF),
    MOUTH(MORPH_A, MOUTH_A),
    MOUTH(MORPH_I, MOUTH_I),
    MOUTH(MORPH_U, MOUTH_U),
    MOUTH(MORPH_E, MOUTH_E),
    MOUTH(MORPH_O, MOUTH_O),
    MOUTH(MORPH_GRIN, MOUTH_GRIN),
    MOUTH(MORPH_POUT, MOUTH_POUT),
    MOUTH(MORPH_CORNERS_UP, MOUTH_UP),
    MOUTH(MORPH_CORNERS_DOWN, MOUTH_DOWN),
    BROWS(MORPH_SERIOUS, BROW_SERIOUS),
    BROWS(MORPH_TROUBLED, BROW_TROUBLED),
    BROWS(MORPH_CHEERFUL, BROW_CHEERFUL),
    BROWS(MORPH_ANGRY, BROW_ANGRY),
    BROWS(MORPH_BROW_UP, BROW_UP),
    BROWS(MORPH_BROW_DOWN, BROW_DOWN),
};
const int head_look_count = TOOL_COUNT(head_looks);
