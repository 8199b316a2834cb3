/* Tests weights of motions and fades between dances against a computation in double precision of its own, and
 * physics that goes on through a fade. */
#include "support.h"

#include "bone_rig.h"
#include "hair_model.h"
#include "mmd/pose_parts.h"
#include "mmd/simulation.h"
#include "mmd/text.h"
#include "sim_scene.h"

/* --- The reference: lerp and slerp in double precision --- */

static double lerp(double a, double b, double t)
{
    return a + (b - a) * t;
}

/* Interpolates rotations along the shorter arc, or with a side of -1 the longer one, by the angle between
 * them. */
static void slerp(const float a[4], const float b[4], double t, double side, double out[4])
{
    double dot = 0, length = 0;
    for (int k = 0; k < 4; k++)
        dot += (double)a[k] * (double)b[k];
    double sign = (dot < 0 ? -1 : 1) * side, angle = acos(fmin(fabs(dot), 1) * side);
    double from = angle > 1e-6 ? sin((1 - t) * angle) / sin(angle) : 1 - t;
    double to = sign * (angle > 1e-6 ? sin(t * angle) / sin(angle) : t);
    for (int k = 0; k < 4; k++) {
        out[k] = from * (double)a[k] + to * (double)b[k];
        length += out[k] * out[k];
    }
    for (int k = 0; k < 4; k++)
        out[k] /= sqrt(length);
}

/* Requires a bone's value to be the mixture of two others. Rotations are compared up to the sign. */
static void expect_mixture(const mmd_transform *a, const mmd_transform *b, double weight,
                           const mmd_transform *found)
{
    double q[4], dot = 0;
    slerp(a->rotation, b->rotation, weight, 1, q);
    for (int k = 0; k < 4; k++)
        dot += q[k] * (double)found->rotation[k];
    for (int k = 0; k < 4; k++)
        assert_float_equal(found->rotation[k], q[k] * (dot < 0 ? -1 : 1), 2e-6);
    for (int k = 0; k < 3; k++)
        assert_float_equal(found->translation[k],
                           lerp((double)a->translation[k], (double)b->translation[k], weight), 1e-5);
}

/* --- Mixing --- */

static const float weights[] = {0.001f, 0.1f, 0.25f, 0.5f, 0.75f, 0.9f, 0.999f};
enum { WEIGHTS = sizeof weights / sizeof *weights };

static void bones_are_mixed_by_lerp_and_slerp(void **state)
{
    (void)state;
    static const float axes[][3] = {{1, 0, 0}, {0, 1, 0}, {1, -2, 0.5f}, {-0.3f, 0.2f, 0.9f}};
    static const double degrees[] = {0, 0.5, 30, 95, 150, 179, -120};
    for (int axis = 0; axis < 4; axis++)
        for (int turn = 0; turn < 7; turn++)
            for (int signs = 0; signs < 4; signs++) {
                mmd_transform a = {.translation = {1, -2, 3}}, b = {.translation = {-7, 0.5f, 11}};
                bone_rig_turn(axes[axis], 40, a.rotation);
                bone_rig_turn(axes[(axis + signs) % 4], degrees[turn], b.rotation);
                for (int k = 0; k < 4; k++) {
                    a.rotation[k] *= signs & 1 ? -1 : 1;
                    b.rotation[k] *= signs & 2 ? -1 : 1;
                }
                for (int w = 0; w < WEIGHTS; w++) {
                    mmd_transform mixed = a;
                    mmd_bone_value_mix(&mixed, &b, weights[w]);
                    expect_mixture(&a, &b, (double)weights[w], &mixed);
                }
            }
}

static void a_fade_is_a_smooth_step(void **state)
{
    (void)state;
    const mmd_fade fade = {.begins = 10, .ends = 40}, at_once = {.begins = 5, .ends = 5};
    assert_float_equal(mmd_fade_weight(&fade, -1), 0, 0);
    assert_float_equal(mmd_fade_weight(&fade, 10), 0, 0);
    assert_float_equal(mmd_fade_weight(&fade, 25), 0.5, 1e-7);
    assert_float_equal(mmd_fade_weight(&fade, 17.5), 0.0625 * (3 - 0.5), 1e-7);
    assert_float_equal(mmd_fade_weight(&fade, 40), 1, 0);
    assert_float_equal(mmd_fade_weight(&fade, 1e9), 1, 0);
    assert_float_equal(mmd_fade_weight(&at_once, 5), 0, 0);
    assert_float_equal(mmd_fade_weight(&at_once, 5.001), 1, 0);
}

/* --- Two dances for one rig: both move "both", each moves a bone of its own --- */

typedef struct duet {
    bone_rig first, second; /* the second one's model is not used */
    mmd_property_key shown[2];
    mmd_ik_switch off;
} duet;

static const float x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, tilted[3] = {1, 1, -1};

static void add_parts(bone_rig *rig)
{
    memset(rig, 0, sizeof *rig);
    bone_rig_add(rig, "both", -1, 0, 0, 0);
    bone_rig_add(rig, "first", -1, 0, 0, 0);
    bone_rig_add(rig, "second", -1, 0, 0, 0);
    bone_rig_morph(rig, "smile", MMD_MORPH_GROUP, NULL, 0);
    bone_rig_morph(rig, "blink", MMD_MORPH_GROUP, NULL, 0);
}

/* The second dance hides the model, turns IK off and physics off. */
static duet *make_duet(void)
{
    duet *d = mmd_alloc(sizeof *d);
    assert_non_null(d);
    memset(d, 0, sizeof *d);
    add_parts(&d->first);
    add_parts(&d->second);
    bone_rig_key(&d->first, 0, 0, (float[3]){1, 2, 3}, x_axis, 0);
    bone_rig_key(&d->first, 0, 20, (float[3]){5, 2, -3}, x_axis, 100);
    bone_rig_key(&d->first, 1, 0, (float[3]){0, 4, 0}, y_axis, 170);
    bone_rig_weight(&d->first, 0, 0, 0.25f);
    bone_rig_weight(&d->first, 0, 20, 1);
    bone_rig_key(&d->second, 0, 0, (float[3]){-9, 0, 8}, tilted, 130);
    bone_rig_key(&d->second, 0, 30, (float[3]){0, 1, 0}, tilted, -160);
    bone_rig_key(&d->second, 2, 0, (float[3]){2, 0, 0}, x_axis, -95);
    bone_rig_weight(&d->second, 0, 0, 0.75f);
    bone_rig_weight(&d->second, 1, 0, 0.5f);
    d->second.bone_keys[0][0].physics_off = d->second.bone_keys[0][1].physics_off = 1;
    d->off.on = 0;
    memcpy(d->off.name, "second", 6);
    d->shown[0] = (mmd_property_key){.frame = 0, .visible = 0, .switches = &d->off, .switch_count = 1};
    d->second.motion.property_keys = d->shown;
    d->second.motion.property_key_count = 1;
    d->first.bones[2].flags |= MMD_BONE_IK;
    d->first.bones[2].ik_target = 0;
    bone_rig_start(&d->first);
    bone_rig_start(&d->second);
    return d;
}

static void end_duet(duet *d)
{
    bone_rig_finish(&d->first);
    bone_rig_finish(&d->second);
    mmd_free(d);
}

typedef struct sampled {
    mmd_pose_values values;
    mmd_arena arena;
} sampled;

/* Samples motions with weights (NULL: without) at a frame. */
static sampled sample(const duet *d, const mmd_motion *const *motions, const float *given, size_t count,
                      double frame)
{
    sampled s = {.arena = {0}};
    mmd_clip *clip = given ? mmd_clip_create_weighted(&d->first.model, motions, given, count)
                           : mmd_clip_create(&d->first.model, motions, count);
    assert_non_null(clip);
    assert_true(mmd_pose_values_init(&s.values, &d->first.model, &s.arena));
    mmd_clip_sample(clip, frame, &s.values);
    mmd_clip_destroy(clip);
    return s;
}

static void expect_same_values(const duet *d, const sampled *a, const sampled *b)
{
    const mmd_model *m = &d->first.model;
    assert_memory_equal(a->values.bones, b->values.bones, m->bone_count * sizeof *a->values.bones);
    assert_memory_equal(a->values.weights, b->values.weights, m->morph_count * sizeof *a->values.weights);
    assert_memory_equal(a->values.ik_on, b->values.ik_on, m->bone_count);
    assert_memory_equal(a->values.physics_off, b->values.physics_off, m->bone_count);
    assert_int_equal(a->values.visible, b->values.visible);
}

static void whole_and_no_weights_change_no_bit(void **state)
{
    (void)state;
    duet *d = make_duet();
    const mmd_motion *const both[] = {&d->first.motion, &d->second.motion};
    static const float cases[][2] = {{1, 1}, {1, 0}, {0, 1}, {0, 0}};
    for (int c = 0; c < 4; c++)
        for (int f = -5; f < 50; f += 3) {
            const mmd_motion *left[2];
            size_t count = 0;
            for (int i = 0; i < 2; i++)
                if (cases[c][i] > 0)
                    left[count++] = both[i];
            sampled weighted = sample(d, both, cases[c], 2, f + 0.25),
                    plain = sample(d, left, NULL, count, f + 0.25);
            expect_same_values(d, &weighted, &plain);
            mmd_arena_finish(&weighted.arena);
            mmd_arena_finish(&plain.arena);
        }
    end_duet(d);
}

/* Requires the weighted sum of the two dances at a frame, each sampled alone; a bone without keys in the
 * first one is mixed with rest. */
static void expect_weighted(const duet *d, float weight, double frame)
{
    const mmd_motion *const both[] = {&d->first.motion, &d->second.motion};
    const float given[] = {1, weight};
    sampled mixed = sample(d, both, given, 2, frame), a = sample(d, both, NULL, 1, frame),
            b = sample(d, both + 1, NULL, 1, frame);
    const mmd_transform rest = {.rotation = {0, 0, 0, 1}};
    bool on = weight >= 0.5f;
    expect_mixture(&a.values.bones[0], &b.values.bones[0], (double)weight, &mixed.values.bones[0]);
    assert_memory_equal(&mixed.values.bones[1], &a.values.bones[1], sizeof rest);
    expect_mixture(&rest, &b.values.bones[2], (double)weight, &mixed.values.bones[2]);
    assert_float_equal(mixed.values.weights[0],
                       lerp((double)a.values.weights[0], (double)b.values.weights[0], (double)weight), 1e-6);
    assert_float_equal(mixed.values.weights[1], 0.5 * (double)weight, 1e-6);
    assert_int_equal(mixed.values.visible, !on);
    assert_int_equal(mixed.values.ik_on[2], !on);
    assert_int_equal(mixed.values.physics_off[0], on);
    mmd_arena_finish(&mixed.arena);
    mmd_arena_finish(&a.arena);
    mmd_arena_finish(&b.arena);
}

static void a_weight_mixes_a_motion_with_those_below(void **state)
{
    (void)state;
    duet *d = make_duet();
    for (int w = 0; w < WEIGHTS; w++)
        for (double frame = 0; frame < 40; frame += 4.75)
            expect_weighted(d, weights[w], frame);
    end_duet(d);
}

static void a_later_whole_motion_hides_a_weighted_one(void **state)
{
    (void)state;
    duet *d = make_duet();
    const mmd_motion *const order[] = {&d->second.motion, &d->first.motion};
    sampled mixed = sample(d, order, (const float[]){0.5f, 1}, 2, 7),
            first = sample(d, order + 1, NULL, 1, 7), second = sample(d, order, NULL, 1, 7);
    const mmd_transform rest = {.rotation = {0, 0, 0, 1}};
    assert_memory_equal(&mixed.values.bones[0], &first.values.bones[0], sizeof rest);
    assert_float_equal(mixed.values.weights[0], first.values.weights[0], 0);
    expect_mixture(&rest, &second.values.bones[2], 0.5, &mixed.values.bones[2]);
    mmd_arena_finish(&mixed.arena);
    mmd_arena_finish(&first.arena);
    mmd_arena_finish(&second.arena);
    end_duet(d);
}

/* --- Fades of an actor --- */

/* Makes an actor that dances the second motion and fades out from the first. */
static mmd_actor *make_fading(const duet *d, const mmd_fade *fade)
{
    mmd_actor *actor = mmd_actor_create(&d->first.model);
    assert_non_null(actor);
    assert_int_equal(mmd_actor_add_motion(actor, &d->second.motion, NULL), MMD_OK);
    assert_int_equal(mmd_actor_add_motion(actor, &d->first.motion, NULL), MMD_OK);
    assert_int_equal(mmd_actor_fade_out(actor, 1, fade, NULL), MMD_OK);
    return actor;
}

static void an_actor_fades_from_one_dance_to_the_next(void **state)
{
    (void)state;
    duet *d = make_duet();
    const mmd_motion *const both[] = {&d->first.motion, &d->second.motion};
    const mmd_fade fade = {.ahead = 11, .begins = 0, .ends = 16};
    mmd_actor *actor = make_fading(d, &fade);
    static const double frames[] = {0, 3.5, 8, 12.25, 15.5, 2, 40, 5, 0};
    assert_float_equal(mmd_actor_last_frame(actor), 30, 0);
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        double t = fmin(frames[i] / 16, 1), weight = t * t * (3 - 2 * t);
        sampled before = sample(d, both, NULL, 1, frames[i] + 11),
                after = sample(d, both + 1, NULL, 1, frames[i]);
        mmd_actor_set_frame(actor, frames[i]);
        const mmd_pose_values *found = mmd_actor_values(actor);
        for (uint32_t b = 0; b < 3; b++)
            expect_mixture(&before.values.bones[b], &after.values.bones[b], weight, &found->bones[b]);
        for (uint32_t m = 0; m < 2; m++)
            assert_float_equal(
                found->weights[m],
                lerp((double)before.values.weights[m], (double)after.values.weights[m], weight), 1e-6);
        assert_int_equal(found->visible, weight < 0.5);
        if (frames[i] >= 16)
            assert_memory_equal(found->bones, after.values.bones, 3 * sizeof *found->bones);
        mmd_arena_finish(&before.arena);
        mmd_arena_finish(&after.arena);
    }
    mmd_actor_destroy(actor);
    end_duet(d);
}

/* Returns the distance between two rotations, whatever their signs. */
static double apart(const double a[4], const float b[4])
{
    double dot = 0;
    for (int k = 0; k < 4; k++)
        dot += a[k] * (double)b[k];
    return 1 - fabs(dot);
}

/* The two dances of a top: it turns once in 40 frames to the left, or to the right. */
static void make_top(bone_rig *rig, double degrees)
{
    memset(rig, 0, sizeof *rig);
    bone_rig_add(rig, "top", -1, 0, 0, 0);
    for (uint32_t i = 0; i < BONE_RIG_KEYS; i++)
        bone_rig_key(rig, 0, 20 * i, (float[3]){0, 0, 0}, y_axis, i * degrees);
    bone_rig_start(rig);
}

static void a_fade_does_not_change_sides(void **state)
{
    (void)state;
    bone_rig left, right;
    make_top(&left, 170);
    make_top(&right, -170);
    const mmd_motion *const both[] = {&left.motion, &right.motion};
    const mmd_fade fade = {.ahead = 3, .begins = 0, .ends = 40};
    mmd_actor *actor = mmd_actor_create(&left.model);
    assert_int_equal(mmd_actor_add_motion(actor, both[1], NULL), MMD_OK);
    assert_int_equal(mmd_actor_add_motion(actor, both[0], NULL), MMD_OK);
    assert_int_equal(mmd_actor_fade_out(actor, 1, &fade, NULL), MMD_OK);
    float was[4] = {0};
    int longer = 0;
    for (int i = 0; i <= 400; i++) {
        double q[2][4], frame = i * 0.1, weight = (double)mmd_fade_weight(&fade, frame);
        const mmd_transform before = bone_rig_pose(&left, frame + 3)[0],
                            after = bone_rig_pose(&right, frame)[0];
        mmd_actor_set_frame(actor, frame);
        const float *found = mmd_actor_values(actor)->bones[0].rotation;
        slerp(before.rotation, after.rotation, weight, 1, q[0]);
        slerp(before.rotation, after.rotation, weight, -1, q[1]);
        double shorter = apart(q[0], found), other = apart(q[1], found);
        assert_true(fmin(shorter, other) < 1e-5);
        longer += other < shorter - 1e-3;
        if (i == 200)
            assert_true(shorter < 1e-5);
        double old[4] = {(double)was[0], (double)was[1], (double)was[2], (double)was[3]};
        if (i > 0) /* at most 4 degrees in a tenth of a frame */
            assert_true(apart(old, found) < 1 - cos(2 * 3.14159 / 180));
        memcpy(was, found, sizeof was);
    }
    assert_true(longer > 20);
    mmd_actor_destroy(actor);
    bone_rig_finish(&left);
    bone_rig_finish(&right);
}

static void a_fade_in_a_fade_goes_on(void **state)
{
    (void)state;
    duet *d = make_duet();
    const mmd_fade outer = {.ahead = 4, .begins = 0, .ends = 20},
                   inner = {.ahead = 15, .begins = -6, .ends = 10};
    mmd_actor *once = make_fading(d, &inner);
    /* The dance of `once`, 4 frames ahead, gives way to nothing but rest. */
    mmd_actor *twice = mmd_actor_create(&d->first.model);
    const mmd_fade moved = {.ahead = inner.ahead + 4, .begins = inner.begins - 4, .ends = inner.ends - 4};
    assert_int_equal(mmd_actor_add_motion(twice, &d->first.motion, NULL), MMD_OK);
    assert_int_equal(mmd_actor_add_motion(twice, &d->second.motion, NULL), MMD_OK);
    assert_int_equal(mmd_actor_fade_out(twice, 0, &moved, NULL), MMD_OK);
    assert_int_equal(mmd_actor_fade_out(twice, 1, &outer, NULL), MMD_OK);
    const mmd_transform rest = {.rotation = {0, 0, 0, 1}};
    for (double frame = 0; frame < 24; frame += 1.5) {
        mmd_actor_set_frame(once, frame + 4);
        mmd_actor_set_frame(twice, frame);
        for (uint32_t b = 0; b < 3; b++) { /* on either side */
            double q[2][4], weight = (double)mmd_fade_weight(&outer, frame);
            const mmd_transform *from = &mmd_actor_values(once)->bones[b],
                                *found = &mmd_actor_values(twice)->bones[b];
            for (int side = 0; side < 2; side++)
                slerp(from->rotation, rest.rotation, weight, side ? -1 : 1, q[side]);
            assert_true(fmin(apart(q[0], found->rotation), apart(q[1], found->rotation)) < 1e-5);
            for (int k = 0; k < 3; k++)
                assert_float_equal(found->translation[k], lerp((double)from->translation[k], 0, weight),
                                   1e-5);
        }
    }
    assert_int_equal(mmd_actor_end_fades(twice, NULL), MMD_OK);
    mmd_actor_set_frame(twice, 0);
    assert_memory_equal(&mmd_actor_values(twice)->bones[0], &rest, sizeof rest);
    mmd_actor_destroy(once);
    mmd_actor_destroy(twice);
    end_duet(d);
}

static void a_fade_takes_nothing_from_the_heap(void **state)
{
    (void)state;
    duet *d = make_duet();
    const mmd_fade fade = {.ahead = 11, .begins = 0, .ends = 16};
    mmd_actor *actor = make_fading(d, &fade);
    assert_int_equal(mmd_actor_set_weight(actor, 0, 0.5f, NULL), MMD_OK);
    uint64_t before = mmd_heap_allocations();
    for (double frame = 0; frame < 30; frame += 0.5)
        mmd_actor_set_frame(actor, frame);
    assert_int_equal(mmd_heap_allocations() - before, 0);
    mmd_actor_destroy(actor);
    end_duet(d);
}

/* --- Physics --- */

enum { CHANGE = 150, FADE = 60, AFTER = 60 };

/* Two stages with the same hair: the dance before, and the one that follows it from CHANGE on. */
typedef struct change {
    hair_model hair;
    hair_motion before, after;
    sim_scene from, to;
    int at; /* the last frame of the dance before */
} change;

static change *make_change(int at, bool fades, bool goes_on)
{
    change *c = mmd_alloc(sizeof *c);
    mmd_physics_options options = sim_scene_options();
    assert_non_null(c);
    memset(c, 0, sizeof *c);
    c->at = at;
    hair_model_make(&c->hair);
    hair_motion_make(&c->before, 600);
    hair_motion_make(&c->after, 600);
    for (uint32_t i = 0; i < c->after.tracks[0].count; i++) { /* calmer, and elsewhere */
        mmd_bone_key *key = &c->after.keys[0][i];
        key->translation[0] = 0.5f * key->translation[0] + 2;
        key->translation[2] = -0.5f * key->translation[2];
        key->rotation[1] *= 0.4f;
        key->rotation[3] = sqrtf(1 - key->rotation[1] * key->rotation[1]);
    }
    const mmd_motion *before = &c->before.motion, *after = &c->after.motion;
    sim_scene_make(&c->from, 1, &c->hair.model, &before, &options);
    sim_scene_make(&c->to, 1, &c->hair.model, &after, &options);
    for (int frame = 0; frame <= at; frame++)
        mmd_stage_set_frame(c->from.stage, frame);
    if (fades) {
        const mmd_fade fade = {.ahead = at, .begins = 0, .ends = FADE};
        assert_int_equal(mmd_actor_add_motion(c->to.actors[0], before, NULL), MMD_OK);
        assert_int_equal(mmd_actor_fade_out(c->to.actors[0], 1, &fade, NULL), MMD_OK);
    }
    mmd_body_start starts[HAIR_BODIES];
    if (goes_on)
        assert_true(mmd_stage_take_starts(c->from.stage, 0, starts));
    for (uint32_t b = 0; goes_on && b < HAIR_BODIES; b++)
        assert_int_equal(mmd_stage_start_body(c->to.stage, 0, b, &starts[b], NULL), MMD_OK);
    return c;
}

static void end_change(change *c)
{
    sim_scene_finish(&c->from);
    sim_scene_finish(&c->to);
    hair_model_finish(&c->hair);
    mmd_free(c);
}

/* Returns the largest distance that a body of the chain has moved from where it was, and notes where it is.
 */
static double step_of(mmd_stage *stage, mmd_transform was[HAIR_BODIES])
{
    double largest = 0;
    const mmd_transform *now = mmd_stage_bodies(stage, 0);
    for (int b = BODY_1; b <= BODY_3; b++) {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += pow((double)now[b].translation[k] - (double)was[b].translation[k], 2);
        largest = fmax(largest, sqrt(sum));
    }
    memcpy(was, now, HAIR_BODIES * sizeof *was);
    return largest;
}

/* Returns the largest step of a body in a dance, or, of the change, from the last frame of the one before
 * on. */
static double largest_step(mmd_stage *stage, int first, int last, mmd_transform was[HAIR_BODIES])
{
    double largest = 0;
    for (int frame = first; frame <= last; frame++) {
        mmd_stage_set_frame(stage, frame);
        largest = fmax(largest, step_of(stage, was));
    }
    return largest;
}

/* Returns how far the bodies jump from the last frame of the dance before to the first of the next. */
static double first_step(const change *c)
{
    mmd_transform was[HAIR_BODIES];
    mmd_stage_set_frame(c->from.stage, c->at);
    mmd_stage_set_frame(c->to.stage, 0);
    memcpy(was, mmd_stage_bodies(c->from.stage, 0), sizeof was);
    return step_of(c->to.stage, was);
}

/* Returns the largest step of a body in a change to the next dance. */
static double step_of_change(const change *c)
{
    mmd_transform was[HAIR_BODIES];
    mmd_stage_set_frame(c->from.stage, c->at);
    memcpy(was, mmd_stage_bodies(c->from.stage, 0), sizeof was);
    return largest_step(c->to.stage, 0, FADE + AFTER, was);
}

/* Returns the largest step of a body in a whole dance, once it has begun. */
static double step_of_dance(mmd_stage *stage)
{
    mmd_transform was[HAIR_BODIES];
    mmd_stage_set_frame(stage, 10);
    memcpy(was, mmd_stage_bodies(stage, 0), sizeof was);
    return largest_step(stage, 11, 600, was);
}

/* A body moves no farther in a fade than in dancing; where the dances are hardest to join (at frame 328) not
 * much farther. A reset or a cut throws it. */
static void bodies_go_on_through_a_fade(void **state)
{
    (void)state;
    static const int changes[] = {100, 208, 280, 328};
    for (int i = 0; i < 4; i++) {
        change *c = make_change(changes[i], true, true), *cut = make_change(changes[i], false, false),
               *reset = make_change(changes[i], true, false);
        double dancing = fmax(step_of_dance(c->from.stage), step_of_dance(cut->to.stage)),
               fade = step_of_change(c), fade_reset = step_of_change(reset), hard = step_of_change(cut);
        print_message("largest step of a body: dancing %.3f, fade %.3f, with a reset %.3f, cut %.3f\n",
                      dancing, fade, fade_reset, hard);
        assert_true(fade <= (changes[i] == 328 ? 1.3 : 1) * dancing);
        assert_true(fade_reset > dancing && hard > 2 * dancing);
        assert_int_equal(mmd_stage_physics_report(c->to.stage).reset_bodies, 0);
        assert_float_equal(first_step(c), 0, 1e-6);
        assert_true(first_step(reset) > 0.1);
        end_change(c);
        end_change(cut);
        end_change(reset);
    }
}

static void the_first_frame_has_the_bodies_of_the_last(void **state)
{
    (void)state;
    change *c = make_change(CHANGE, true, true);
    mmd_transform was[HAIR_BODIES];
    memcpy(was, mmd_stage_bodies(c->from.stage, 0), sizeof was);
    mmd_stage_set_frame(c->to.stage, 0);
    assert_memory_equal(mmd_stage_bodies(c->to.stage, 0) + BODY_1, was + BODY_1, 3 * sizeof *was);
    mmd_stage_clear_starts(c->to.stage, 0);
    mmd_stage_set_frame(c->to.stage, 0);
    assert_true(memcmp(mmd_stage_bodies(c->to.stage, 0) + BODY_1, was + BODY_1, 3 * sizeof *was) != 0);
    end_change(c);
}

static void seeking_in_a_fade_equals_playing(void **state)
{
    (void)state;
    change *c = make_change(CHANGE, true, true);
    sim_record *played = sim_scene_play(&c->to, FADE + AFTER);
    static const uint32_t order[] = {100, 5, 0, 29, 31, 14, 119, 1};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        sim_scene_expect(&c->to, order[i], &played[order[i]], "fade");
    sim_records_finish(played, FADE + AFTER);
    end_change(c);
}

static void starts_follow_placement_and_scale(void **state)
{
    (void)state;
    change *c = make_change(CHANGE, true, true);
    mmd_staging staging = mmd_default_staging();
    staging.position[0] = 5;
    staging.rotation[1] = 1;
    staging.scale = 2;
    mmd_transform was[HAIR_BODIES];
    for (int i = 0; i < 2; i++)
        mmd_stage_set_staging(i ? c->to.stage : c->from.stage, 0, &staging);
    mmd_stage_set_frame(c->from.stage, 0);
    for (int frame = 0; frame <= CHANGE; frame++)
        mmd_stage_set_frame(c->from.stage, frame);
    memcpy(was, mmd_stage_bodies(c->from.stage, 0), sizeof was);
    mmd_body_start starts[HAIR_BODIES];
    assert_true(mmd_stage_take_starts(c->from.stage, 0, starts));
    for (uint32_t b = 0; b < HAIR_BODIES; b++)
        assert_int_equal(mmd_stage_start_body(c->to.stage, 0, b, &starts[b], NULL), MMD_OK);
    mmd_stage_set_frame(c->to.stage, 0);
    const mmd_transform *now = mmd_stage_bodies(c->to.stage, 0);
    for (int b = BODY_1; b <= BODY_3; b++)
        for (int k = 0; k < 3; k++)
            assert_float_equal(now[b].translation[k], was[b].translation[k], 1e-4);
    end_change(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bones_are_mixed_by_lerp_and_slerp),
        cmocka_unit_test(a_fade_is_a_smooth_step),
        cmocka_unit_test(whole_and_no_weights_change_no_bit),
        cmocka_unit_test(a_weight_mixes_a_motion_with_those_below),
        cmocka_unit_test(a_later_whole_motion_hides_a_weighted_one),
        cmocka_unit_test(an_actor_fades_from_one_dance_to_the_next),
        cmocka_unit_test(a_fade_does_not_change_sides),
        cmocka_unit_test(a_fade_in_a_fade_goes_on),
        cmocka_unit_test(a_fade_takes_nothing_from_the_heap),
        cmocka_unit_test(bodies_go_on_through_a_fade),
        cmocka_unit_test(the_first_frame_has_the_bodies_of_the_last),
        cmocka_unit_test(seeking_in_a_fade_equals_playing),
        cmocka_unit_test(starts_follow_placement_and_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
