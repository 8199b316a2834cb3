/* The locks that hang from the cap, as tables: fringe, side locks, locks swept back over the ears, short ones
 * at the nape, and the one that sticks up. Change a row to change the haircut. */
#include "hair.h"

#include "tool.h"

/* Kinds of locks. */
typedef enum lock_form { BROAD, CENTRE, FRAME, THIN, LONG, SWEPT, SHORT } lock_form;

static const struct {
    float height; /* of its ridge, as a share of half the width */
    float root, belly, point;
    int sections;
} forms[] = {
    [BROAD] = {0.42f, 0.12f, 0.45f, 1.3f, 20}, [CENTRE] = {0.51f, 0.12f, 0.42f, 1.4f, 20},
    [FRAME] = {0.40f, 0.12f, 0.50f, 1.1f, 20}, [THIN] = {0.64f, 0.35f, 0.48f, 1.2f, 14},
    [LONG] = {0.42f, 0.12f, 0.46f, 1.0f, 20},  [SWEPT] = {0.36f, 0.20f, 0.47f, 0.6f, 16},
    [SHORT] = {0.54f, 0.60f, 0.30f, 1.2f, 12},
};

enum { PLACES = 6 };

typedef struct lock_row {
    lock_form form;
    hair_chain_id chain, other;
    float mix; /* share of the second chain */
    float width;
    float roll; /* of its tip, in degrees */
    float u;
    hair_place places[PLACES]; /* from the root; y 0 ends the list */
} lock_row;

#define LINE(...)                                                                                            \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }

/* The broad locks begin at the whorl, under the lock that sticks up. The fringe sweeps to her left. Rows go
 * from her right to her left. */
static const lock_row fringe[] = {
    {FRAME, CHAIN_FRINGE_SIDE, CHAIN_NONE, 0, 0.40f, 8, 0.33f,
     LINE({-72, 19.59f, 0.04f}, {-70, 19.42f, 0.17f}, {-68, 18.9f, 0.24f}, {-65, 18.2f, 0.25f},
          {-62, 17.5f, 0.21f}, {-54, 16.75f, 0.11f})},
    {BROAD, CHAIN_FRINGE_SIDE, CHAIN_FRINGE, 0.2f, 0.44f, 6, 0.38f,
     LINE({-50, 19.59f, 0.04f}, {-50, 19.42f, 0.18f}, {-50, 19.0f, 0.29f}, {-51, 18.5f, 0.33f},
          {-50, 17.95f, 0.31f}, {-44, 17.40f, 0.20f})},
    {BROAD, CHAIN_FRINGE, CHAIN_FRINGE_SIDE, 0.3f, 0.42f, 4, 0.43f,
     LINE({-30, 19.59f, 0.04f}, {-29, 19.42f, 0.18f}, {-29, 19.0f, 0.28f}, {-28, 18.75f, 0.31f},
          {-25, 18.45f, 0.31f}, {-19, 18.14f, 0.25f})},
    {CENTRE, CHAIN_FRINGE, CHAIN_NONE, 0, 0.37f, 0, 0.48f,
     LINE({-10, 19.59f, 0.04f}, {-10, 19.42f, 0.20f}, {-10, 19.0f, 0.33f}, {-8, 18.6f, 0.37f},
          {-4, 17.95f, 0.36f}, {4, 17.15f, 0.27f})},
    {BROAD, CHAIN_FRINGE, CHAIN_FRINGE_SIDE, 0.3f, 0.40f, -4, 0.54f,
     LINE({10, 19.59f, 0.04f}, {10, 19.42f, 0.18f}, {12, 19.0f, 0.29f}, {15, 18.65f, 0.33f},
          {17, 18.40f, 0.32f}, {22, 18.12f, 0.25f})},
    {BROAD, CHAIN_FRINGE_SIDE, CHAIN_FRINGE, 0.2f, 0.44f, -6, 0.60f,
     LINE({31, 19.59f, 0.04f}, {33, 19.42f, 0.17f}, {36, 19.0f, 0.27f}, {42, 18.5f, 0.32f},
          {50, 17.95f, 0.30f}, {58, 17.40f, 0.22f})},
    {FRAME, CHAIN_FRINGE_SIDE, CHAIN_NONE, 0, 0.40f, -8, 0.66f,
     LINE({54, 19.59f, 0.04f}, {55, 19.42f, 0.16f}, {57, 18.9f, 0.24f}, {60, 18.2f, 0.26f},
          {63, 17.5f, 0.24f}, {69, 16.75f, 0.15f})},
    /* Thin locks between and below them. */
    {THIN, CHAIN_FRINGE_SIDE, CHAIN_FRINGE, 0.3f, 0.15f, 0, 0.40f,
     LINE({-40, 19.35f, 0.02f}, {-39, 18.9f, 0.22f}, {-36, 18.5f, 0.26f}, {-32, 18.16f, 0.20f})},
    {THIN, CHAIN_FRINGE, CHAIN_NONE, 0, 0.16f, 0, 0.46f,
     LINE({-20, 19.35f, 0.02f}, {-19, 18.9f, 0.22f}, {-16, 18.4f, 0.26f}, {-8, 17.62f, 0.22f})},
    {THIN, CHAIN_FRINGE, CHAIN_NONE, 0, 0.15f, 0, 0.51f,
     LINE({0, 19.35f, 0.02f}, {2, 18.9f, 0.22f}, {5, 18.45f, 0.27f}, {10, 18.04f, 0.24f})},
    {THIN, CHAIN_FRINGE_SIDE, CHAIN_FRINGE, 0.3f, 0.15f, 0, 0.57f,
     LINE({21, 19.35f, 0.02f}, {23, 18.9f, 0.22f}, {27, 18.5f, 0.26f}, {36, 18.16f, 0.22f})},
};

/* Both sides. */
static const lock_row sides[] = {
    /* In front of the ear. */
    {LONG, CHAIN_SIDE, CHAIN_NONE, 0, 0.34f, 0, 0.70f,
     LINE({84, 19.58f, 0.04f}, {82, 19.2f, 0.20f}, {77, 18.2f, 0.23f}, {71, 17.0f, 0.20f}, {67, 16.4f, 0.10f},
          {60, 15.85f, -0.04f})},
    {LONG, CHAIN_SIDE, CHAIN_NONE, 0, 0.28f, 0, 0.73f,
     LINE({104, 19.57f, 0.04f}, {99, 19.15f, 0.19f}, {91, 18.2f, 0.21f}, {83, 17.1f, 0.16f},
          {80, 16.25f, 0.0f})},
    {THIN, CHAIN_SIDE, CHAIN_FRINGE_SIDE, 0.4f, 0.15f, 0, 0.68f,
     LINE({67, 19.0f, 0.02f}, {67, 18.5f, 0.22f}, {65, 17.9f, 0.27f}, {63, 17.4f, 0.26f},
          {61, 16.85f, 0.20f})},
    /* The sideburn, flat on the skin, so that none shows at the temple from behind. */
    {FRAME, CHAIN_NONE, CHAIN_NONE, 0, 0.27f, 0, 0.72f,
     LINE({92, 18.4f, 0.0f}, {90, 18.0f, 0.09f}, {87, 17.6f, 0.10f}, {84, 17.25f, 0.06f}, {82, 16.95f, 0.0f},
          {79, 16.5f, -0.14f})},
    {FRAME, CHAIN_NONE, CHAIN_NONE, 0, 0.27f, 0, 0.69f,
     LINE({76, 18.7f, 0.0f}, {75, 18.2f, 0.10f}, {73, 17.8f, 0.12f}, {71, 17.45f, 0.10f}, {69, 17.1f, 0.05f},
          {66, 16.7f, -0.06f})},
    /* Swept back to the tie over the ear. */
    {SWEPT, CHAIN_NONE, CHAIN_NONE, 0, 0.32f, 0, 0.78f,
     LINE({84, 18.2f, 0.10f}, {98, 18.15f, 0.20f}, {122, 18.3f, 0.24f}, {150, 18.6f, 0.25f},
          {177, 18.85f, 0.20f})},
    /* Short locks behind the ear and at the nape, which come out from under the edge of the cap. */
    {SHORT, CHAIN_NAPE, CHAIN_NONE, 0, 0.15f, 0, 0.86f,
     LINE({114, 17.05f, -0.20f}, {114, 16.85f, -0.26f}, {113, 16.62f, -0.32f}, {111, 16.32f, -0.36f},
          {106, 15.92f, -0.36f})},
    {SHORT, CHAIN_NAPE, CHAIN_NONE, 0, 0.20f, 0, 0.88f,
     LINE({128, 16.90f, -0.34f}, {128, 16.70f, -0.42f}, {128, 16.48f, -0.51f}, {127, 16.16f, -0.55f},
          {123, 15.76f, -0.52f})},
    {SHORT, CHAIN_NAPE, CHAIN_NONE, 0, 0.20f, 0, 0.91f,
     LINE({147, 16.85f, -0.45f}, {147, 16.65f, -0.56f}, {148, 16.42f, -0.66f}, {148, 16.13f, -0.71f},
          {147, 15.82f, -0.70f})},
    {SHORT, CHAIN_NAPE, CHAIN_NONE, 0, 0.19f, 0, 0.95f,
     LINE({167, 16.80f, -0.54f}, {167, 16.60f, -0.66f}, {169, 16.36f, -0.77f}, {171, 16.12f, -0.82f},
          {174, 15.88f, -0.80f})},
};

static hair_line places_line(const lock_row *row, int side)
{
    int count = 0;
    while (count < PLACES && row->places[count].y > 0)
        count++;
    return hair_line_places(row->places, count, side);
}

static hair_chain chain_of(const rig *r, hair_chain_id id, float x)
{
    return hair_chain_find(r, id, hair_chain_is_pair(id) && x < 0 ? -1 : 1);
}

static void add_lock(cage *c, const rig *r, const lock_row *row, int side)
{
    hair_line line = places_line(row, side);
    const hair_shape shape = {.width = row->width,
                              .depth = row->width * forms[row->form].height,
                              .root = forms[row->form].root,
                              .belly = forms[row->form].belly,
                              .point = forms[row->form].point,
                              .roll = {0, row->roll * (float)side},
                              .bend = 0.28f,
                              .u = side < 0 ? 1 - row->u : row->u,
                              .v = {0.06f, 0.95f},
                              .sections = forms[row->form].sections,
                              .material = MATERIAL_HAIR};
    float x = line.at[0].x;
    hair_chain a = chain_of(r, row->chain, x), b = chain_of(r, row->other, x);
    hair_lock_add(c, &line, &shape, &a, &b, row->other == CHAIN_NONE ? 0 : row->mix);
}

static void add_ahoge(cage *c, const rig *r)
{
    const vec3 points[] = {{{0.02f, 19.55f, -0.15f}},
                           {{0.0f, 19.95f, -0.05f}},
                           {{0.08f, 20.36f, -0.25f}},
                           {{0.28f, 20.48f, -0.68f}},
                           {{0.5f, 20.22f, -1.0f}}};
    const vec3 root = {{0, 0, 1}}, tip = {{0.3f, 1, 0.1f}};
    const hair_shape shape = {0.15f, 0.08f, 0.35f,        0.5f, 1.0f,         {0, 0},
                              0.0f,  0.2f,  {0.2f, 1.0f}, 16,   MATERIAL_HAIR};
    hair_line line = hair_line_points(points, TOOL_COUNT(points), root, tip);
    hair_chain chain = hair_chain_find(r, CHAIN_AHOGE, 1);
    hair_lock_add(c, &line, &shape, &chain, &chain, 0);
}

void hair_locks_add(dancer *d)
{
    cage c;
    cage_init(&c, &d->arena);
    for (size_t i = 0; i < TOOL_COUNT(fringe); i++)
        add_lock(&c, &d->rig, &fringe[i], 1);
    for (size_t i = 0; i < TOOL_COUNT(sides); i++) {
        add_lock(&c, &d->rig, &sides[i], 1);
        add_lock(&c, &d->rig, &sides[i], -1);
    }
    add_ahoge(&c, &d->rig);
    dancer_add(d, "hair", &c);
}
