/*
 * The common part of a world: creates the arrays that both backends share, checks and stores inputs, saves
 * and restores them, and calls the backend for the rest.
 */
#include "backend.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const mmd_physics_ops *const backends[] = {
    [MMD_PHYSICS_NULL] = &mmd_physics_null,
    [MMD_PHYSICS_BULLET] = &mmd_physics_bullet,
};

/* ------------------------------------------------------------- making it */

/* Computes the first index of each scene's bodies, joints and soft bodies, and the totals. */
static void count_parts(mmd_world *world)
{
    for (uint32_t s = 0; s < world->scene_count; s++) {
        const mmd_physscene *scene = world->scenes[s];
        world->first_body[s + 1] = world->first_body[s] + scene->body_count;
        world->first_joint[s + 1] = world->first_joint[s] + scene->joint_count;
        world->first_soft[s + 1] = world->first_soft[s] + scene->soft_body_count;
    }
    world->body_count = world->first_body[world->scene_count];
    world->joint_count = world->first_joint[world->scene_count];
    world->soft_count = world->first_soft[world->scene_count];
}

static bool keep_scenes(mmd_world *world, const mmd_physscene *const *scenes, size_t count)
{
    mmd_arena *arena = &world->arena;
    world->scene_count = (uint32_t)count;
    world->scenes = mmd_arena_alloc(arena, count, sizeof *world->scenes);
    world->first_body = mmd_arena_alloc(arena, count + 1, sizeof *world->first_body);
    world->first_joint = mmd_arena_alloc(arena, count + 1, sizeof *world->first_joint);
    world->first_soft = mmd_arena_alloc(arena, count + 1, sizeof *world->first_soft);
    if (!world->scenes || !world->first_body || !world->first_joint || !world->first_soft)
        return false;
    for (size_t s = 0; s < count; s++)
        world->scenes[s] = scenes[s];
    count_parts(world);
    return true;
}

static bool make_bodies(mmd_world *world)
{
    mmd_arena *arena = &world->arena;
    uint32_t count = world->body_count;
    world->bodies = mmd_arena_alloc(arena, count, sizeof *world->bodies);
    world->body_scene = mmd_arena_alloc(arena, count, sizeof *world->body_scene);
    world->transforms = mmd_arena_alloc(arena, count, sizeof *world->transforms);
    world->velocities = mmd_arena_alloc(arena, count, sizeof *world->velocities);
    world->targets = mmd_arena_alloc(arena, count, sizeof *world->targets);
    world->held = mmd_arena_alloc(arena, count, sizeof *world->held);
    return world->bodies && world->body_scene && world->transforms && world->velocities && world->targets &&
           world->held;
}

/* Initialises all bodies with their rest transforms and start velocities. */
static void put_bodies_at_rest(mmd_world *world)
{
    for (uint32_t s = 0; s < world->scene_count; s++)
        for (uint32_t b = world->first_body[s]; b < world->first_body[s + 1]; b++) {
            const mmd_phys_body *body = &world->scenes[s]->bodies[b - world->first_body[s]];
            world->bodies[b] = body;
            world->body_scene[b] = s;
            world->transforms[b] = world->targets[b] = body->rest;
            world->any_own_motion = world->any_own_motion || mmd_phys_has_own_motion(body);
            if (mmd_phys_is_dynamic(body)) {
                mmd_phys_start_velocity(body, &world->velocities[b]);
            } else if (body->motion == MMD_PHYS_KINEMATIC) {
                memcpy(world->velocities[b].linear, body->linear_velocity, sizeof body->linear_velocity);
                memcpy(world->velocities[b].angular, body->angular_velocity, sizeof body->angular_velocity);
            }
        }
}

static bool make_soft(mmd_world *world, uint32_t scene, const mmd_phys_soft_body *source,
                      mmd_world_soft *soft)
{
    *soft = (mmd_world_soft){
        .source = source,
        .scene = scene,
        .pins = mmd_arena_alloc(&world->arena, source->pin_count, sizeof *soft->pins),
        .positions = mmd_arena_alloc(&world->arena, source->node_count, sizeof *soft->positions),
        .normals = mmd_arena_alloc(&world->arena, source->node_count, sizeof *soft->normals),
    };
    if (!soft->pins || !soft->positions || !soft->normals)
        return false;
    for (uint32_t n = 0; n < source->node_count; n++)
        memcpy(soft->positions[n], source->nodes[n], sizeof source->nodes[n]);
    for (uint32_t p = 0; p < source->pin_count; p++)
        memcpy(soft->pins[p], source->nodes[source->pins[p]], sizeof soft->pins[p]);
    return true;
}

static bool make_softs(mmd_world *world)
{
    world->softs = mmd_arena_alloc(&world->arena, world->soft_count, sizeof *world->softs);
    bool done = world->softs != NULL;
    for (uint32_t s = 0; done && s < world->scene_count; s++)
        for (uint32_t i = world->first_soft[s]; done && i < world->first_soft[s + 1]; i++)
            done = make_soft(world, s, &world->scenes[s]->soft_bodies[i - world->first_soft[s]],
                             &world->softs[i]);
    return done;
}

mmd_status mmd_world_create(mmd_physics_backend backend, const mmd_phys_world *settings,
                            const mmd_physscene *const *scenes, size_t scene_count, mmd_world **out,
                            mmd_error *error)
{
    assert(out);
    assert(backend == MMD_PHYSICS_NULL || backend == MMD_PHYSICS_BULLET);
    assert(settings->rate >= 20 && settings->rate <= 2000);
    assert(settings->iterations >= 1 && settings->iterations <= 1000);
    assert(scene_count < UINT32_MAX && (scenes || !scene_count));
    *out = NULL;
    mmd_world *world = mmd_alloc(sizeof *world);
    if (!world)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "world", MMD_NO_OFFSET, "no memory for a world");
    *world = (mmd_world){.ops = backends[backend], .settings = *settings, .dt = 1.0f / (float)settings->rate};
    mmd_status status = MMD_ERROR_MEMORY;
    if (keep_scenes(world, scenes, scene_count) && make_bodies(world) && make_softs(world)) {
        put_bodies_at_rest(world);
        status = world->ops->create(world, error);
    } else {
        mmd_error_set(error, status, "world", MMD_NO_OFFSET, "no memory for a world's arrays");
    }
    if (status != MMD_OK) {
        mmd_world_destroy(world);
        return status;
    }
    *out = world;
    return MMD_OK;
}

void mmd_world_destroy(mmd_world *world)
{
    if (!world)
        return;
    world->ops->destroy(world);
    mmd_arena_finish(&world->arena);
    mmd_free(world);
}

uint32_t mmd_world_body_count(const mmd_world *world)
{
    assert(world);
    return world->body_count;
}

uint32_t mmd_world_first_soft_body(const mmd_world *world, size_t scene)
{
    assert(scene <= world->scene_count);
    return world->first_soft[scene];
}

/* ---------------------------------------------------------- what goes in */

/* Tests whether all numbers are finite. A sum is finite only if its terms are; sums that overflow are
 * rejected, too. */
static bool transform_is_finite(const mmd_transform *t)
{
    float sum = 0.0f;
    for (int k = 0; k < 4; k++)
        sum += fabsf(t->rotation[k]) + fabsf(t->translation[k]);
    return isfinite(sum);
}

void mmd_world_set_targets(mmd_world *world, const mmd_transform *targets)
{
    assert(world);
    for (uint32_t b = 0; b < world->body_count; b++)
        if (mmd_world_is_driven(world, b) && transform_is_finite(&targets[b]))
            world->targets[b] = targets[b];
    world->has_new_targets = true;
}

void mmd_world_set_held(mmd_world *world, const uint8_t *held)
{
    assert(world);
    if (!memcmp(world->held, held, world->body_count))
        return;
    for (uint32_t b = 0; b < world->body_count; b++) {
        bool wanted = held[b] && mmd_phys_is_dynamic(world->bodies[b]);
        if (wanted == world->held[b])
            continue;
        world->held[b] = wanted;
        world->targets[b] = world->transforms[b];
        world->ops->hold(world, b);
    }
}

void mmd_world_place(mmd_world *world, uint32_t count, const uint32_t *bodies,
                     const mmd_transform *transforms, const mmd_velocity *velocities)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t b = bodies[i];
        assert(b < world->body_count && transform_is_finite(&transforms[i]));
        world->transforms[b] = world->targets[b] = transforms[i];
        world->velocities[b] = velocities ? velocities[i] : (mmd_velocity){.linear = {0.0f}};
        world->ops->place(world, b);
    }
}

void mmd_world_correct(mmd_world *world, uint32_t count, const uint32_t *bodies, const float (*positions)[4])
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t b = bodies[i];
        assert(b < world->body_count && mmd_phys_is_dynamic(world->bodies[b]));
        memcpy(world->transforms[b].translation, positions[i], 3 * sizeof(float));
        world->ops->correct(world, b);
    }
}

void mmd_world_impulse(mmd_world *world, uint32_t count, const mmd_impulse *impulses)
{
    for (uint32_t i = 0; i < count; i++) {
        assert(impulses[i].body < world->body_count);
        if (mmd_phys_is_dynamic(world->bodies[impulses[i].body]) && !world->held[impulses[i].body])
            world->ops->impulse(world, &impulses[i]);
    }
}

void mmd_world_place_soft(mmd_world *world, uint32_t soft, const float (*positions)[4],
                          const float velocity[3])
{
    assert(soft < world->soft_count);
    memcpy(world->softs[soft].positions, positions,
           world->softs[soft].source->node_count * sizeof *positions);
    world->ops->place_soft(world, soft, velocity);
}

void mmd_world_set_pins(mmd_world *world, uint32_t soft, const float (*positions)[3])
{
    assert(soft < world->soft_count);
    memcpy(world->softs[soft].pins, positions, world->softs[soft].source->pin_count * sizeof *positions);
}

void mmd_world_set_gravity(mmd_world *world, const float gravity[3])
{
    assert(world);
    if (!memcmp(world->settings.gravity, gravity, sizeof world->settings.gravity))
        return;
    memcpy(world->settings.gravity, gravity, sizeof world->settings.gravity);
    world->ops->set_gravity(world);
}

void mmd_world_set_ground(mmd_world *world, bool on)
{
    assert(world);
    if (world->settings.ground == on)
        return;
    world->settings.ground = on;
    world->ops->set_ground(world);
}

/* ------------------------------------------------------ step, what comes out */

/* Advances the targets of kinematic bodies with a velocity by one step. */
static void advance_targets(mmd_world *world)
{
    for (uint32_t b = 0; b < world->body_count; b++) {
        const mmd_phys_body *body = world->bodies[b];
        if (mmd_phys_has_own_motion(body))
            mmd_transform_advance(&world->targets[b], body->linear_velocity, body->angular_velocity,
                                  world->dt);
    }
}

void mmd_world_step(mmd_world *world)
{
    assert(world);
    if (world->any_own_motion && !world->has_new_targets)
        advance_targets(world);
    world->has_new_targets = false;
    world->ops->step(world);
}

const mmd_transform *mmd_world_transforms(const mmd_world *world)
{
    assert(world);
    return world->transforms;
}

const mmd_velocity *mmd_world_velocities(const mmd_world *world)
{
    assert(world);
    return world->velocities;
}

const float (*mmd_world_soft_positions(const mmd_world *world, uint32_t soft))[4]
{
    assert(soft < world->soft_count);
    return (const float(*)[4])world->softs[soft].positions;
}

const float (*mmd_world_soft_normals(const mmd_world *world, uint32_t soft))[4]
{
    assert(soft < world->soft_count);
    return (const float(*)[4])world->softs[soft].normals;
}

bool mmd_world_soft_was_lost(const mmd_world *world, uint32_t soft)
{
    assert(soft < world->soft_count);
    return world->softs[soft].lost;
}

size_t mmd_world_contacts(const mmd_world *world, mmd_contact *contacts, size_t max)
{
    assert(world);
    assert(contacts || max == 0);
    return world->ops->contacts(world, contacts, max);
}

size_t mmd_world_trigger_events(const mmd_world *world, mmd_trigger_event *events, size_t max)
{
    assert(world);
    assert(events || max == 0);
    return world->ops->trigger_events(world, events, max);
}

/* -------------------------------------------------------------- snapshots */

/* The state of the world itself, in order. visit saves, restores or counts each part. */
typedef void visit_bytes(void *context, void *bytes, size_t size);

static void visit_state(mmd_world *world, visit_bytes *visit, void *context)
{
    size_t count = world->body_count;
    visit(context, world->settings.gravity, sizeof world->settings.gravity);
    visit(context, &world->settings.ground, sizeof world->settings.ground);
    visit(context, world->transforms, count * sizeof *world->transforms);
    visit(context, world->velocities, count * sizeof *world->velocities);
    visit(context, world->targets, count * sizeof *world->targets);
    visit(context, world->held, count);
    for (uint32_t s = 0; s < world->soft_count; s++) {
        const mmd_world_soft *soft = &world->softs[s];
        visit(context, soft->pins, soft->source->pin_count * sizeof *soft->pins);
        visit(context, soft->positions, soft->source->node_count * sizeof *soft->positions);
        visit(context, soft->normals, soft->source->node_count * sizeof *soft->normals);
    }
}

static void count_bytes(void *context, void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)context += size;
}

static void save_bytes(void *context, void *bytes, size_t size)
{
    uint8_t **state = context;
    memcpy(*state, bytes, size);
    *state += size;
}

static void restore_bytes(void *context, void *bytes, size_t size)
{
    const uint8_t **state = context;
    memcpy(bytes, *state, size);
    *state += size;
}

/* Removes const for counting and saving, which only read. */
static mmd_world *without_const(const mmd_world *world)
{
    return (mmd_world *)(uintptr_t)world;
}

size_t mmd_world_state_size(const mmd_world *world)
{
    assert(world);
    size_t size = 0;
    visit_state(without_const(world), count_bytes, &size);
    return size + world->ops->state_size(world);
}

void mmd_world_save(const mmd_world *world, void *state)
{
    assert(world);
    uint8_t *end = state;
    visit_state(without_const(world), save_bytes, &end);
    world->ops->save(world, end);
}

void mmd_world_restore(mmd_world *world, const void *state)
{
    assert(world);
    const uint8_t *end = state;
    visit_state(world, restore_bytes, (void *)&end);
    world->ops->restore(world, end);
}
