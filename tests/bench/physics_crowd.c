/*
 * Measures the cost of resetting many bodies at once, as when a model with all its bodies teleports: balls in
 * a block touch their neighbours, and in every tenth step each one moves to the position of another.
 *
 *   physics_crowd [BODIES...]    (1000 20000)
 */
#include "physics_run.h"

#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 60, EVERY = 10, FIRST = 5, TIMES = STEPS / EVERY };

typedef struct crowd {
    uint32_t count;
    mmd_phys_body *bodies;
    mmd_phys_shape *shapes;
    uint32_t *numbers;
    mmd_transform *places; /* of all bodies, in order */
} crowd;

/* Returns the transform at an index of a block of layers, whose spacing is slightly less than a ball's
 * diameter. Other orders of the indices give each body another position. */
static mmd_transform place_of(uint32_t count, uint32_t rank)
{
    uint32_t side = 1;
    while (side * side * side < count)
        side++;
    const float apart = 0.99f;
    return (mmd_transform){{0.0f, 0.0f, 0.0f, 1.0f},
                           {apart * (float)(rank % side), apart * (float)(rank / side % side),
                            apart * (float)(rank / side / side), 0.0f}};
}

static crowd crowd_make(uint32_t count)
{
    crowd c = {.count = count,
               .bodies = physics_run_alloc(count, sizeof *c.bodies),
               .shapes = physics_run_alloc(count, sizeof *c.shapes),
               .numbers = physics_run_alloc(count, sizeof *c.numbers),
               .places = physics_run_alloc(count, sizeof *c.places)};
    for (uint32_t b = 0; b < count; b++) {
        c.numbers[b] = b;
        c.bodies[b] = (mmd_phys_body){.name = "",
                                      .path = "",
                                      .motion = MMD_PHYS_DYNAMIC,
                                      .auto_inertia = true,
                                      .rest = place_of(count, b),
                                      .bone = -1,
                                      .mass = 1.0f,
                                      .inertia_rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                                      .first_shape = b,
                                      .shape_count = 1};
        c.shapes[b] = (mmd_phys_shape){.kind = MMD_PHYS_SPHERE,
                                       .solid = true,
                                       .frame = {{0.0f, 0.0f, 0.0f, 1.0f}, {0.0f}},
                                       .size = {0.5f},
                                       .mesh = -1,
                                       .material = -1,
                                       .filter = -1,
                                       .name = "",
                                       .path = ""};
    }
    return c;
}

static void crowd_finish(crowd *c)
{
    free(c->bodies);
    free(c->shapes);
    free(c->numbers);
    free(c->places);
}

/* Moves each body to the position of another: alternately in reverse order and scattered over the block. */
static void mix(crowd *c, uint32_t turn)
{
    uint64_t stride = 7919 + 2 * turn;
    while (c->count % stride == 0)
        stride++;
    for (uint32_t b = 0; b < c->count; b++) {
        uint32_t rank = turn % 2 ? c->count - 1 - b : (uint32_t)(stride * b % c->count);
        c->places[b] = place_of(c->count, rank);
    }
}

static mmd_world *make_world(const crowd *c)
{
    mmd_phys_world settings = mmd_default_phys_world();
    settings.ground = false;
    settings.iterations = 1;
    mmd_physscene scene = {.world = settings,
                           .bodies = c->bodies,
                           .body_count = c->count,
                           .shapes = c->shapes,
                           .shape_count = c->count};
    const mmd_physscene *scenes[1] = {&scene};
    mmd_world *world;
    if (mmd_world_create(MMD_PHYSICS_BULLET, &settings, scenes, 1, &world, NULL) != MMD_OK)
        exit(3);
    return world;
}

static void measure(crowd *c)
{
    double put[TIMES], after[TIMES], others[STEPS];
    size_t puts = 0, steps = 0;
    mmd_world *world = make_world(c);
    for (uint32_t step = 0; step < STEPS; step++) {
        bool puts_back = step % EVERY == FIRST;
        if (puts_back)
            mix(c, step / EVERY);
        double began = physics_run_seconds();
        if (puts_back)
            mmd_world_place(world, c->count, c->numbers, c->places, NULL);
        double placed = physics_run_seconds();
        mmd_world_step(world);
        double ended = physics_run_seconds();
        if (puts_back) {
            put[puts] = placed - began;
            after[puts++] = ended - placed;
        } else {
            others[steps++] = ended - placed;
        }
    }
    printf(
        "%u bodies put back at once: %.2f ms, the step behind it %.2f ms, other steps %.2f ms (medians; %zu "
        "contacts)\n",
        c->count, 1e3 * physics_run_median(put, puts), 1e3 * physics_run_median(after, puts),
        1e3 * physics_run_median(others, steps), mmd_world_contacts(world, NULL, 0));
    mmd_world_destroy(world);
}

static bool run(long count)
{
    if (count < 1 || count > 1000000)
        return false;
    crowd c = crowd_make((uint32_t)count);
    measure(&c);
    crowd_finish(&c);
    return true;
}

int main(int argc, char **argv)
{
    bool sound = argc > 1 || (run(1000) && run(20000));
    for (int i = 1; i < argc && sound; i++)
        sound = run(atol(argv[i]));
    if (!sound)
        fputs("physics_crowd [BODIES...]\n", stderr);
    return sound ? 0 : 2;
}
