/*
 * The locks that hang from the cap, as tables: fringe, side locks, what is
 * swept back over the ears and what is short at the nape, and the one that
 * never lies down. Change a row to change the haircut.
 */
#include "hair.h"

enum { PLACES = 6 };

typedef struct lock_row {
    hair_chain_id chain, other;
    float mix; /* how much it follows the other chain */
    float width, depth, root, belly, point;
    float roll[2];
    float u;
    int sections;
    hair_place places[PLACES]; /* from the root; y 0: no more */
} lock_row;

/*
 * All of these begin at the whorl, under the one that never lies down. The fringe sweeps to her left. Rows
 * from her right to her left.
 */
static const lock_row fringe[] = {
    {CHAIN_FRINGE_SIDE, CHAIN_NONE, 0, 0.40f, 0.16f, 0.2f, 0.50f, 1.1f, {0, 8}, 0.33f, 18,
     {{-70, 19.59f, 0.06f}, {-68, 19.3f, 0.24f}, {-66, 18.5f, 0.30f}, {-62, 17.6f, 0.28f}, {-54, 16.75f, 0.14f}}},
    {CHAIN_FRINGE_SIDE, CHAIN_FRINGE, 0.2f, 0.45f, 0.18f, 0.2f, 0.48f, 1.2f, {0, 6}, 0.38f, 18,
     {{-50, 19.59f, 0.06f}, {-49, 19.3f, 0.26f}, {-48, 18.6f, 0.33f}, {-44, 17.9f, 0.33f}, {-35, 17.30f, 0.22f}}},
    {CHAIN_FRINGE, CHAIN_FRINGE_SIDE, 0.3f, 0.43f, 0.18f, 0.2f, 0.48f, 1.2f, {0, 4}, 0.43f, 18,
     {{-30, 19.59f, 0.06f}, {-29, 19.3f, 0.27f}, {-28, 18.7f, 0.33f}, {-24, 18.2f, 0.33f}, {-16, 17.72f, 0.26f}}},
    {CHAIN_FRINGE, CHAIN_NONE, 0, 0.38f, 0.19f, 0.2f, 0.46f, 1.3f, {0, 0}, 0.48f, 18,
     {{-10, 19.59f, 0.06f}, {-10, 19.3f, 0.30f}, {-8, 18.7f, 0.37f}, {-4, 17.9f, 0.35f}, {4, 17.1f, 0.26f}}},
    {CHAIN_FRINGE, CHAIN_FRINGE_SIDE, 0.3f, 0.43f, 0.18f, 0.2f, 0.48f, 1.2f, {0, -4}, 0.54f, 18,
     {{10, 19.59f, 0.06f}, {11, 19.3f, 0.27f}, {14, 18.7f, 0.33f}, {20, 18.2f, 0.33f}, {30, 17.70f, 0.25f}}},
    {CHAIN_FRINGE_SIDE, CHAIN_FRINGE, 0.2f, 0.45f, 0.18f, 0.2f, 0.48f, 1.2f, {0, -6}, 0.60f, 18,
     {{31, 19.59f, 0.06f}, {32, 19.3f, 0.25f}, {36, 18.6f, 0.32f}, {42, 17.9f, 0.32f}, {53, 17.30f, 0.25f}}},
    {CHAIN_FRINGE_SIDE, CHAIN_NONE, 0, 0.40f, 0.16f, 0.2f, 0.50f, 1.1f, {0, -8}, 0.66f, 18,
     {{54, 19.59f, 0.06f}, {55, 19.3f, 0.24f}, {58, 18.5f, 0.30f}, {62, 17.6f, 0.30f}, {68, 16.75f, 0.20f}}},
    /* Thin ones between and below them. */
    {CHAIN_FRINGE_SIDE, CHAIN_FRINGE, 0.3f, 0.17f, 0.10f, 0.3f, 0.55f, 1.1f, {0, 0}, 0.40f, 14,
     {{-40, 19.45f, 0.06f}, {-39, 18.9f, 0.22f}, {-36, 18.4f, 0.26f}, {-29, 17.82f, 0.20f}}},
    {CHAIN_FRINGE, CHAIN_NONE, 0, 0.18f, 0.10f, 0.3f, 0.55f, 1.1f, {0, 0}, 0.46f, 14,
     {{-20, 19.45f, 0.06f}, {-19, 18.9f, 0.22f}, {-16, 18.4f, 0.26f}, {-9, 17.55f, 0.22f}}},
    {CHAIN_FRINGE, CHAIN_NONE, 0, 0.18f, 0.10f, 0.3f, 0.55f, 1.1f, {0, 0}, 0.51f, 14,
     {{0, 19.45f, 0.06f}, {2, 18.9f, 0.22f}, {6, 18.4f, 0.27f}, {15, 17.75f, 0.24f}}},
    {CHAIN_FRINGE_SIDE, CHAIN_FRINGE, 0.3f, 0.17f, 0.10f, 0.3f, 0.55f, 1.1f, {0, 0}, 0.57f, 14,
     {{21, 19.45f, 0.06f}, {23, 18.9f, 0.22f}, {29, 18.4f, 0.26f}, {41, 17.75f, 0.22f}}},
};

/* Both sides. */
static const lock_row sides[] = {
    /* In front of the ear. */
    {CHAIN_SIDE, CHAIN_NONE, 0, 0.36f, 0.18f, 0.2f, 0.46f, 1.0f, {0, 0}, 0.70f, 22,
     {{82, 19.58f, 0.04f}, {81, 19.2f, 0.24f}, {77, 18.2f, 0.30f}, {71, 17.0f, 0.28f}, {67, 16.4f, 0.16f},
      {60, 15.8f, 0.0f}}},
    {CHAIN_SIDE, CHAIN_NONE, 0, 0.28f, 0.14f, 0.25f, 0.46f, 1.0f, {0, 0}, 0.73f, 20,
     {{100, 19.55f, 0.04f}, {97, 19.1f, 0.20f}, {90, 18.2f, 0.23f}, {83, 17.1f, 0.21f}, {80, 16.25f, 0.04f}}},
    {CHAIN_SIDE, CHAIN_FRINGE_SIDE, 0.4f, 0.15f, 0.09f, 0.5f, 0.45f, 1.0f, {0, 0}, 0.68f, 14,
     {{67, 19.0f, 0.02f}, {67, 18.5f, 0.22f}, {64, 17.8f, 0.24f}, {60, 17.0f, 0.14f}, {57, 16.3f, -0.04f}}},
    /* Swept back to the tie. */
    {CHAIN_NONE, CHAIN_NONE, 0, 0.34f, 0.12f, 0.3f, 0.45f, 0.6f, {0, 0}, 0.78f, 14,
     {{84, 18.2f, 0.02f}, {98, 18.15f, 0.14f}, {122, 18.3f, 0.19f}, {150, 18.65f, 0.22f}, {176, 18.85f, 0.22f}}},
    {CHAIN_NONE, CHAIN_NONE, 0, 0.32f, 0.12f, 0.3f, 0.45f, 0.6f, {0, 0}, 0.82f, 14,
     {{110, 17.2f, 0.0f}, {120, 17.5f, 0.14f}, {138, 18.0f, 0.19f}, {160, 18.5f, 0.22f}, {176, 18.8f, 0.22f}}},
    /* Short ones behind the ear and at the nape: they leave the cap and flick out. */
    {CHAIN_NAPE, CHAIN_NONE, 0, 0.17f, 0.10f, 0.4f, 0.40f, 1.2f, {0, 0}, 0.86f, 12,
     {{112, 17.9f, -0.10f}, {112, 17.3f, 0.05f}, {110, 16.8f, -0.10f}, {106, 16.4f, -0.28f}, {101, 16.0f, -0.34f}}},
    {CHAIN_NAPE, CHAIN_NONE, 0, 0.22f, 0.12f, 0.4f, 0.40f, 1.2f, {0, 0}, 0.88f, 12,
     {{128, 17.9f, -0.10f}, {128, 17.2f, 0.04f}, {128, 16.75f, -0.15f}, {127, 16.3f, -0.38f}, {123, 15.85f, -0.42f}}},
    {CHAIN_NAPE, CHAIN_NONE, 0, 0.22f, 0.12f, 0.4f, 0.40f, 1.2f, {0, 0}, 0.91f, 12,
     {{146, 17.8f, -0.10f}, {146, 17.1f, 0.02f}, {147, 16.7f, -0.2f}, {148, 16.3f, -0.46f}, {147, 15.95f, -0.52f}}},
    {CHAIN_NAPE, CHAIN_NONE, 0, 0.22f, 0.12f, 0.4f, 0.40f, 1.2f, {0, 0}, 0.95f, 12,
     {{166, 17.7f, -0.10f}, {166, 17.0f, 0.0f}, {168, 16.7f, -0.2f}, {170, 16.35f, -0.5f}, {173, 16.05f, -0.6f}}},
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
                              .depth = row->depth,
                              .root = row->root,
                              .belly = row->belly,
                              .point = row->point,
                              .roll = {row->roll[0] * (float)side, row->roll[1] * (float)side},
                              .bend = 0.28f,
                              .u = side < 0 ? 1 - row->u : row->u,
                              .v = {0.06f, 0.95f},
                              .sections = row->sections,
                              .material = MATERIAL_HAIR};
    float x = line.at[0].x;
    hair_chain a = chain_of(r, row->chain, x), b = chain_of(r, row->other, x);
    hair_lock_add(c, &line, &shape, &a, &b, row->other == CHAIN_NONE ? 0 : row->mix);
}

static void add_ahoge(cage *c, const rig *r)
{
    const vec3s points[] = {{{0.02f, 19.55f, -0.15f}}, {{0.02f, 20.0f, -0.1f}}, {{0.12f, 20.45f, -0.3f}},
                            {{0.32f, 20.55f, -0.75f}}, {{0.5f, 20.3f, -1.1f}}};
    const vec3s root = {{0, 0, 1}}, tip = {{0.3f, 1, 0.1f}};
    const hair_shape shape = {0.15f, 0.08f, 0.35f, 0.5f, 1.0f, {0, 0}, 0.0f, 0.2f, {0.2f, 1.0f}, 16, MATERIAL_HAIR};
    hair_line line = hair_line_points(points, sizeof points / sizeof *points, root, tip);
    hair_chain chain = hair_chain_find(r, CHAIN_AHOGE, 1);
    hair_lock_add(c, &line, &shape, &chain, &chain, 0);
}

void hair_locks_add(dancer *d)
{
    cage c;
    cage_init(&c, &d->arena);
    for (size_t i = 0; i < sizeof fringe / sizeof *fringe; i++)
        add_lock(&c, &d->rig, &fringe[i], 1);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        add_lock(&c, &d->rig, &sides[i], 1);
        add_lock(&c, &d->rig, &sides[i], -1);
    }
    add_ahoge(&c, &d->rig);
    dancer_add(d, "hair", &c);
}
