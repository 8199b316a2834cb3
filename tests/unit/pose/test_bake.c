/* Baking: keyframes alone reproduce the bones, whatever moved them before. */
#define _DEFAULT_SOURCE /* M_PI */
#include "support.h"

#include "mmd/bake.h"
#include "mmd/format.h"
#include "mmd/reduce.h"

enum { BONES = 14, MORPHS = 3, FRAMES = 90 };

/* A model of only bones with everything that moves them, in arrays of the test. */
typedef struct rig {
    mmd_model model;
    mmd_bone bones[BONES];
    char names[BONES][8];
    mmd_morph morphs[MORPHS];
    mmd_bone_offset offsets[MORPHS][2];
    mmd_rigid_body bodies[2];
    mmd_ik_link links[2];
    mmd_arena arena;
    mmd_motion motion;
    mmd_pose *pose;
    mmd_clip *clip;
    mmd_pose_values values, previous;
    uint64_t random;
    bool overrides; /* bones are moved as physics does */
} rig;

static double part(uint64_t *state)
{
    return (double)(test_random(state) >> 11) / 9007199254740992.0 * 2.0 - 1.0;
}

static void random_turn(uint64_t *state, double largest, float q[4])
{
    double axis[3] = {part(state), part(state), part(state) + 0.01}, angle = largest * part(state) / 2.0;
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (int k = 0; k < 3; k++)
        q[k] = (float)(axis[k] / length * sin(angle));
    q[3] = (float)cos(angle);
}

static uint32_t add_bone(rig *r, int32_t parent)
{
    uint32_t b = r->model.bone_count++;
    snprintf(r->names[b], sizeof r->names[b], "b%u", b);
    r->bones[b] = (mmd_bone){.name = r->names[b],
                             .name_en = "",
                             .parent = parent,
                             .tail_bone = -1,
                             .append_source = -1,
                             .ik_target = -1};
    for (int k = 0; k < 3; k++)
        r->bones[b].position[k] =
            (parent < 0 ? 0.0f : r->bones[parent].position[k]) + (float)(3.0 * part(&r->random));
    return b;
}

static void fill_model(rig *r)
{
    r->model.name = "試験";
    r->model.name_en = r->model.comment = r->model.comment_en = "";
    r->model.bones = r->bones;
    r->model.morphs = r->morphs;
    r->model.bodies = r->bodies;
}

static void add_morph(rig *r, const char *name, uint32_t first, uint32_t second)
{
    uint32_t m = r->model.morph_count++;
    r->morphs[m] = (mmd_morph){.name = name, .name_en = "", .kind = MMD_MORPH_BONE, .count = 2};
    r->morphs[m].offsets.bone = r->offsets[m];
    const uint32_t bones[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        mmd_bone_offset *offset = &r->offsets[m][i];
        offset->bone = (int32_t)bones[i];
        offset->translation[0] = (float)part(&r->random);
        random_turn(&r->random, 1.0, offset->rotation);
    }
}

/* Adds keyframes with curves at every spacing-th frame to the bones whose bit is set. */
static void fill_motion(rig *r, uint32_t bones, uint32_t spacing)
{
    mmd_motion *motion = &r->motion;
    uint32_t count = FRAMES / spacing + 1;
    motion->bone_tracks = mmd_arena_alloc(&r->arena, BONES, sizeof *motion->bone_tracks);
    motion->morph_tracks = mmd_arena_alloc(&r->arena, MORPHS, sizeof *motion->morph_tracks);
    for (uint32_t b = 0; b < r->model.bone_count; b++) {
        if (!(bones >> b & 1))
            continue;
        mmd_bone_track *track = &motion->bone_tracks[motion->bone_track_count++];
        memcpy(track->name, r->model.bone_key[b], sizeof track->name);
        track->count = count;
        track->frames = mmd_arena_alloc(&r->arena, count, sizeof *track->frames);
        track->keys = mmd_arena_alloc(&r->arena, count, sizeof *track->keys);
        for (uint32_t i = 0; i < count; i++) {
            track->frames[i] = i * spacing;
            random_turn(&r->random, 2.0, track->keys[i].rotation);
            for (int k = 0; k < 3; k++)
                track->keys[i].translation[k] = (float)part(&r->random);
            for (int c = 0; c < 4; c++)
                track->keys[i].curve[c] = (mmd_curve){64, 0, 64, 127};
        }
    }
    for (uint32_t m = 0; m < r->model.morph_count; m++) {
        mmd_morph_track *track = &motion->morph_tracks[motion->morph_track_count++];
        memcpy(track->name, r->model.morph_key[m], sizeof track->name);
        track->count = 3;
        track->frames = mmd_arena_alloc(&r->arena, 3, sizeof *track->frames);
        track->weights = mmd_arena_alloc(&r->arena, 3, sizeof *track->weights);
        for (uint32_t i = 0; i < 3; i++) {
            track->frames[i] = 20 * i;
            track->weights[i] = (float)fabs(part(&r->random));
        }
    }
    motion->last_frame = FRAMES;
}

static void start(rig *r, uint32_t moved, uint32_t spacing)
{
    mmd_error error = {0};
    assert_int_equal(mmd_model_prepare(&r->model, &error), MMD_OK);
    fill_motion(r, moved, spacing);
    const mmd_motion *motion = &r->motion;
    r->clip = mmd_clip_create(&r->model, &motion, 1);
    r->pose = mmd_pose_create(&r->model);
    assert_true(r->clip && r->pose && mmd_pose_values_init(&r->values, &r->model, &r->arena) &&
                mmd_pose_values_init(&r->previous, &r->model, &r->arena));
}

/* Frees everything and requires that no memory leaks. */
static void stop(rig *r)
{
    mmd_clip_destroy(r->clip);
    mmd_pose_destroy(r->pose);
    mmd_arena_finish(&r->arena);
    mmd_arena_finish(&r->model.arena);
    assert_int_equal(mmd_heap_blocks_in_use(), 0);
}

/* Overrides the bones 4 and 6 with a swing about their pose. The position of 6 is fixed. */
static void override_bones(rig *r, double frame)
{
    static const uint32_t moved[] = {4, 6};
    for (size_t i = 0; r->overrides && i < 2; i++) {
        mmd_transform world = mmd_pose_world(r->pose)[moved[i]];
        double angle = 0.4 * sin(frame * 0.2 + (double)i);
        float swing[4] = {(float)sin(angle), 0.0f, 0.0f, (float)cos(angle)};
        mmd_transform turn = {.translation = {0.0f}};
        memcpy(turn.rotation, swing, sizeof swing);
        mmd_transform_multiply(&turn, &world, &world);
        mmd_pose_override(r->pose, moved[i], &world, i == 1);
    }
}

static const mmd_transform *play(rig *r, double frame)
{
    mmd_clip_sample(r->clip, frame, &r->values);
    mmd_clip_sample(r->clip, frame - 1.0, &r->previous);
    mmd_pose_evaluate(r->pose, &r->values, &r->previous);
    override_bones(r, frame);
    mmd_pose_finish(r->pose);
    return mmd_pose_world(r->pose);
}

/* Writes the motion and reads it back, so that the test uses what a file contains. */
static mmd_motion *through_file(const mmd_motion *motion)
{
    mmd_buffer bytes = {0};
    mmd_motion *read;
    assert_int_equal(mmd_vmd_write(motion, &bytes, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(bytes.data, bytes.size, &read, NULL), MMD_OK);
    mmd_buffer_finish(&bytes);
    return read;
}

/* Bakes the frames up to `last`, and returns the motion as read back from a file. *made may receive the
 * baker. */
static mmd_motion *bake(rig *r, const mmd_bake_options *options, uint32_t last, mmd_bake **made)
{
    const mmd_motion *source = &r->motion;
    mmd_motion *motion;
    mmd_bake *b = mmd_bake_create(&r->model, &source, 1, options);
    assert_non_null(b);
    for (uint32_t f = options->first_frame; f <= last; f++)
        assert_int_equal(mmd_bake_frame(b, play(r, (double)f), &r->values, NULL), MMD_OK);
    assert_int_equal(mmd_bake_finish(b, &motion, NULL), MMD_OK);
    mmd_motion *read = through_file(motion);
    mmd_motion_destroy(motion);
    if (made)
        *made = b;
    else
        mmd_bake_destroy(b);
    return read;
}

typedef struct farthest {
    double place, turn;
} farthest;

/*
 * Plays only the motion and compares it with the rig. Bones whose bit is set in `ignored` are not compared.
 */
static farthest replay(rig *r, const mmd_motion *motion, uint32_t first, uint32_t last, uint32_t ignored)
{
    farthest result = {0.0, 0.0};
    mmd_clip *clip = mmd_clip_create(&r->model, &motion, 1);
    mmd_pose *pose = mmd_pose_create(&r->model);
    mmd_pose_values values, previous;
    mmd_arena arena = {0};
    assert_true(mmd_pose_values_init(&values, &r->model, &arena));
    assert_true(mmd_pose_values_init(&previous, &r->model, &arena));
    for (uint32_t f = first; f <= last; f++) {
        const mmd_transform *wanted = play(r, (double)f);
        mmd_clip_sample(clip, (double)f, &values);
        mmd_clip_sample(clip, (double)f - 1.0, &previous);
        mmd_pose_evaluate(pose, &values, &previous);
        mmd_pose_finish(pose);
        const mmd_transform *got = mmd_pose_world(pose);
        for (uint32_t b = 0; b < r->model.bone_count; b++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                sum += pow((double)wanted[b].translation[k] - (double)got[b].translation[k], 2.0);
            if (ignored >> b & 1)
                continue;
            /* Far from the origin, single precision has fewer decimals. */
            double far = 0.0;
            for (int k = 0; k < 3; k++)
                far = fmax(far, fabs((double)wanted[b].translation[k]));
            result.place = fmax(result.place, sqrt(sum) / fmax(1.0, far / 32.0));
            result.turn = fmax(result.turn, (double)mmd_rotation_angle(wanted[b].rotation, got[b].rotation));
        }
    }
    mmd_clip_destroy(clip);
    mmd_pose_destroy(pose);
    mmd_arena_finish(&arena);
    return result;
}

/* Makes bones with random parents and append sources in random order. backward: also bones later in the
 * order. */
static void make_random_rig(rig *r, uint64_t seed, bool backward)
{
    r->random = seed;
    fill_model(r);
    for (int32_t i = 0; i < BONES; i++) {
        uint32_t b = add_bone(r, i == 0 ? -1 : (int32_t)(test_random(&r->random) % (uint64_t)i));
        mmd_bone *bone = &r->bones[b];
        uint64_t dice = test_random(&r->random);
        if (backward && dice % 5 == 0)
            bone->layer = (int32_t)(dice / 5 % 3);
        if (i > 1 && dice / 64 % 2 == 0) {
            bone->append_source = (int32_t)(dice / 128 % (uint64_t)i);
            bone->append_ratio = (float)(1.5 * part(&r->random));
            bone->flags |= dice / 4096 % 3 != 0 ? MMD_BONE_APPEND_ROTATION : 0;
            bone->flags |= dice / 16384 % 3 != 0 ? MMD_BONE_APPEND_TRANSLATION : 0;
            bone->flags |= dice / 65536 % 4 == 0 ? MMD_BONE_APPEND_LOCAL : 0;
        }
        if (i > 6 && dice / 262144 % 4 == 0)
            bone->flags |= MMD_BONE_AFTER_PHYSICS;
    }
    add_morph(r, "m0", 2, 5);
    add_morph(r, "m1", 5, 9);
}

/* Adds a user edit and an external parent. */
static void disturb(rig *r)
{
    float up[3] = {0.5f, 1.0f, 0.0f}, q[4];
    random_turn(&r->random, 1.0, q);
    mmd_pose_set_user(r->pose, 3, up, q);
    mmd_transform hand = {.translation = {1.0f, 2.0f, 3.0f}};
    random_turn(&r->random, 1.0, hand.rotation);
    mmd_pose_set_external_parent(r->pose, 1, &hand);
    r->overrides = true;
}

static void every_bone_is_put_where_it_was_whatever_moved_it(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        rig r = {.overrides = false};
        make_random_rig(&r, seed, seed > 20);
        start(&r, 0x3adb, 7);
        disturb(&r);
        mmd_bake_options options = mmd_default_bake_options();
        mmd_motion *motion = bake(&r, &options, FRAMES, NULL);
        farthest away = replay(&r, motion, 0, FRAMES, 0);
        /* Appends here move bones by up to a hundred units, so the error is twice that of a dance. */
        if (!(away.place <= 2e-5) || !(away.turn <= 1e-5))
            fail_msg("rig %u: %g units, %g radians", (unsigned)seed, away.place, away.turn);
        mmd_motion_destroy(motion);
        stop(&r);
    }
}

static void reduced_keys_keep_the_limits_of_every_bone(void **state)
{
    (void)state;
    size_t exact = 0, reduced = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rig r = {.overrides = false};
        make_random_rig(&r, seed, seed > 15);
        start(&r, 0x3adb, 30);
        disturb(&r);
        mmd_bake_options options = mmd_default_bake_options();
        mmd_motion *motion = bake(&r, &options, FRAMES, NULL);
        exact += motion->bone_key_count;
        mmd_motion_destroy(motion);
        options.position_error = 0.02f;
        options.rotation_error = 0.01f;
        options.window = seed % 2 ? 40 : 600;
        motion = bake(&r, &options, FRAMES, NULL);
        reduced += motion->bone_key_count;
        farthest away = replay(&r, motion, 0, FRAMES, 0);
        if (!(away.place <= 0.02 + 1e-5) || !(away.turn <= 0.01 + 1e-5))
            fail_msg("rig %u: %g units, %g radians", (unsigned)seed, away.place, away.turn);
        mmd_motion_destroy(motion);
        stop(&r);
    }
    print_message("%zu keys, reduced %zu\n", exact, reduced);
    assert_true(reduced < exact * 3 / 4);
}

/* Makes two bones and a target that IK moves to a goal. */
static void make_ik_rig(rig *r)
{
    fill_model(r);
    static const float places[5][3] = {{0, 8, 0}, {0, 4, -0.1f}, {0, 0, 0}, {0, 0, 0}, {5, 0, 0}};
    for (int32_t i = 0; i < 5; i++) {
        uint32_t b = add_bone(r, i == 1 || i == 2 ? i - 1 : -1);
        memcpy(r->bones[b].position, places[i], sizeof places[i]);
    }
    r->links[0] = (mmd_ik_link){.bone = 1};
    r->links[1] = (mmd_ik_link){.bone = 0};
    mmd_bone *goal = &r->bones[3];
    goal->flags |= MMD_BONE_IK;
    goal->ik_target = 2;
    goal->ik_loops = 40;
    goal->ik_limit = 2.0f;
    goal->ik_link_count = 2;
    goal->ik_links = r->links;
}

static void ik_becomes_keys_and_is_switched_off(void **state)
{
    (void)state;
    rig r = {.random = 5};
    make_ik_rig(&r);
    start(&r, 1u << 3 | 1u << 4, 15);
    mmd_bake_options options = mmd_default_bake_options();
    mmd_motion *motion = bake(&r, &options, FRAMES, NULL);
    assert_int_equal(motion->property_key_count, 1);
    assert_int_equal(motion->property_keys[0].frame, 0);
    assert_int_equal(motion->property_keys[0].switch_count, 1);
    assert_string_equal((const char *)motion->property_keys[0].switches[0].name, "b3");
    assert_int_equal(motion->property_keys[0].switches[0].on, 0);
    farthest away = replay(&r, motion, 0, FRAMES, 0);
    assert_true(away.place <= 1e-5 && away.turn <= 1e-5);
    assert_true(mmd_motion_find_bone(motion, r.model.bone_key[0])->count > FRAMES / 2);
    /* Bones moved only by motions have the motion's keyframes with their curves. Bones that never move have
     * none. */
    const mmd_bone_track *kept = mmd_motion_find_bone(motion, r.model.bone_key[4]);
    assert_int_equal(kept->count, r.motion.bone_tracks[1].count);
    assert_memory_equal(kept->keys, r.motion.bone_tracks[1].keys, kept->count * sizeof *kept->keys);
    assert_null(mmd_motion_find_bone(motion, r.model.bone_key[2]));
    mmd_motion_destroy(motion);
    stop(&r);
}

static void frames_from_the_middle_keep_their_numbers_and_values(void **state)
{
    (void)state;
    rig r = {.random = 6};
    make_ik_rig(&r);
    add_morph(&r, "m0", 0, 4);
    add_morph(&r, "m1", 0, 4);
    start(&r, 1u << 3 | 1u << 4, 30);
    mmd_bake_options options = mmd_default_bake_options();
    options.first_frame = 10;
    mmd_motion *motion = bake(&r, &options, 50, NULL);
    farthest away = replay(&r, motion, 10, 50, 0);
    assert_true(away.place <= 1e-5 && away.turn <= 1e-5);
    const mmd_bone_track *cut = mmd_motion_find_bone(motion, r.model.bone_key[4]);
    assert_int_equal(cut->frames[0], 10);
    assert_int_equal(cut->frames[cut->count - 1], 50);
    assert_int_equal(motion->morph_tracks[0].frames[0], 10);
    assert_int_equal(motion->morph_tracks[0].frames[1], 20);
    assert_int_equal(motion->morph_tracks[0].count, 3);
    assert_int_equal(motion->last_frame, 50);
    mmd_motion_destroy(motion);
    stop(&r);
}

/* Bakes with a morph weight that no motion contains. */
static void morphs_are_copied_or_sampled_where_a_hand_set_them(void **state)
{
    (void)state;
    rig r = {.random = 7};
    make_ik_rig(&r);
    add_morph(&r, "m0", 0, 4);
    add_morph(&r, "m1", 0, 4);
    start(&r, 1u << 3, 30);
    const mmd_motion *source = &r.motion;
    mmd_bake_options options = mmd_default_bake_options();
    mmd_bake *b = mmd_bake_create(&r.model, &source, 1, &options);
    for (uint32_t f = 0; f <= 30; f++) {
        const mmd_transform *world = play(&r, (double)f);
        r.values.weights[1] = f < 20 ? 0.25f : 0.25f + 0.1f * (float)(f - 19);
        assert_int_equal(mmd_bake_frame(b, world, &r.values, NULL), MMD_OK);
    }
    mmd_motion *motion;
    assert_int_equal(mmd_bake_finish(b, &motion, NULL), MMD_OK);
    const mmd_morph_track *copied = &motion->morph_tracks[0], *sampled = &motion->morph_tracks[1];
    assert_int_equal(copied->count, 3); /* 0, 20, and the cut at 30 */
    assert_memory_equal(copied->weights, r.motion.morph_tracks[0].weights, 2 * sizeof(float));
    assert_int_equal(sampled->count, 13); /* 0, 19, then every frame */
    assert_int_equal(sampled->frames[1], 19);
    assert_float_equal(sampled->weights[1], 0.25, 0.0);
    mmd_motion_destroy(motion);
    mmd_bake_destroy(b);
    stop(&r);
}

static void turns_are_limited_by_what_hangs_on_the_bone(void **state)
{
    (void)state;
    rig r = {.random = 12};
    make_ik_rig(&r);
    float places[1][3] = {{5.0f, 0.0f, 20.0f}}, weights[1][4] = {{1.0f}};
    int32_t bones[1][4] = {{4, -1, -1, -1}};
    r.model.vertices = (mmd_vertices){.count = 1, .position = places, .weight = weights, .bone = bones};
    start(&r, 1u << 3 | 1u << 4, 30);
    const mmd_motion *source = &r.motion;
    mmd_bake_options options = mmd_default_bake_options();
    options.position_error = 0.2f;
    mmd_bake *b = mmd_bake_create(&r.model, &source, 1, &options);
    assert_float_equal(mmd_bake_rotation_limit(b, 4), 0.01, 1e-6); /* a vertex 20 units away */
    assert_float_equal(mmd_bake_rotation_limit(b, 0), 0.05, 1e-4); /* a child 4 units away */
    assert_float_equal(mmd_bake_rotation_limit(b, 2), 0.2, 1e-6);  /* nothing depends on it */
    mmd_bake_destroy(b);
    options.rotation_error = 0.03f;
    b = mmd_bake_create(&r.model, &source, 1, &options);
    assert_float_equal(mmd_bake_rotation_limit(b, 4), 0.03, 1e-6);
    mmd_bake_destroy(b);
    stop(&r);
}

static void a_fixed_axis_is_told_and_its_children_are_right(void **state)
{
    (void)state;
    rig r = {.random = 8};
    fill_model(&r);
    for (int32_t i = 0; i < 4; i++)
        add_bone(&r, i - 1);
    r.bones[1].flags |= MMD_BONE_FIXED_AXIS;
    r.bones[1].fixed_axis[0] = 3.0f;
    start(&r, 0xd, 9);
    float none[3] = {0.0f, 0.0f, 0.0f}, q[4];
    random_turn(&r.random, 1.0, q);
    mmd_pose_set_user(r.pose, 1, none, q);
    mmd_bake_options options = mmd_default_bake_options();
    mmd_bake *made;
    mmd_motion *motion = bake(&r, &options, FRAMES, &made);
    assert_int_equal(mmd_bake_bone_obstacle(made, 1), MMD_BAKE_FIXED_AXIS);
    assert_int_equal(mmd_bake_bone_obstacle(made, 2), MMD_BAKE_NONE);
    farthest others = replay(&r, motion, 0, FRAMES, 1u << 1), all = replay(&r, motion, 0, FRAMES, 0);
    assert_true(others.place <= 1e-5 && others.turn <= 1e-5);
    assert_true(all.place <= 1e-5 && all.turn > 1e-3);
    mmd_motion_destroy(motion);
    mmd_bake_destroy(made);
    stop(&r);
}

static void bones_without_a_name_of_their_own_are_told(void **state)
{
    (void)state;
    rig r = {.random = 9};
    fill_model(&r);
    for (int32_t i = 0; i < 6; i++)
        add_bone(&r, i - 1);
    r.bones[2].name = r.bones[1].name;
    r.bones[3].name = "";
    r.bones[4].internal = true;
    start(&r, 0x3, 9);
    float up[3] = {0.0f, 1.0f, 0.0f}, q[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    for (uint32_t b = 2; b < 5; b++)
        mmd_pose_set_user(r.pose, b, up, q);
    mmd_bake_options options = mmd_default_bake_options();
    mmd_bake *made;
    mmd_motion *motion = bake(&r, &options, 30, &made);
    assert_int_equal(mmd_bake_bone_obstacle(made, 1), MMD_BAKE_NONE);
    assert_int_equal(mmd_bake_bone_obstacle(made, 2), MMD_BAKE_NAME_TAKEN);
    assert_int_equal(mmd_bake_bone_obstacle(made, 3), MMD_BAKE_NO_NAME);
    assert_int_equal(mmd_bake_bone_obstacle(made, 4), MMD_BAKE_INTERNAL);
    farthest others = replay(&r, motion, 0, 30, 0x1c);
    assert_true(others.place <= 1e-5 && others.turn <= 1e-5);
    mmd_motion_destroy(motion);
    mmd_bake_destroy(made);
    stop(&r);
}

static void bones_that_bodies_move_are_switched_off(void **state)
{
    (void)state;
    for (int on = 0; on < 2; on++) {
        rig r = {.random = 10};
        make_ik_rig(&r);
        r.model.body_count = 2;
        r.bodies[0] = (mmd_rigid_body){.name = "", .name_en = "", .bone = 4, .mode = 1};
        r.bodies[1] = (mmd_rigid_body){.name = "", .name_en = "", .bone = 3, .mode = 0};
        start(&r, 1u << 3, 30);
        mmd_bake_options options = mmd_default_bake_options();
        options.physics_off = on;
        options.position_error = options.rotation_error = 0.01f;
        mmd_motion *motion = bake(&r, &options, FRAMES, NULL);
        const mmd_bone_track *still = mmd_motion_find_bone(motion, r.model.bone_key[4]);
        assert_int_equal(still != NULL, on);
        if (still)
            assert_true(still->count == 1 && still->keys[0].physics_off);
        assert_false(mmd_motion_find_bone(motion, r.model.bone_key[3])->keys[0].physics_off);
        mmd_motion_destroy(motion);
        stop(&r);
    }
}

static void visibility_and_broken_worlds_are_kept(void **state)
{
    (void)state;
    rig r = {.random = 11};
    make_ik_rig(&r);
    start(&r, 1u << 3 | 1u << 4, 30);
    const mmd_motion *source = &r.motion;
    mmd_bake_options options = mmd_default_bake_options();
    mmd_bake *b = mmd_bake_create(&r.model, &source, 1, &options);
    mmd_transform world[BONES];
    for (uint32_t f = 0; f <= 20; f++) {
        memcpy(world, play(&r, (double)f), r.model.bone_count * sizeof *world);
        if (f == 5)
            world[4].translation[0] = world[4].rotation[2] = NAN;
        r.values.visible = f < 10;
        assert_int_equal(mmd_bake_frame(b, world, &r.values, NULL), MMD_OK);
    }
    mmd_motion *motion;
    assert_int_equal(mmd_bake_finish(b, &motion, NULL), MMD_OK);
    assert_int_equal(motion->property_key_count, 2);
    assert_int_equal(motion->property_keys[1].frame, 10);
    assert_int_equal(motion->property_keys[1].visible, 0);
    assert_int_equal(motion->property_keys[1].switch_count, 1);
    const mmd_bone_track *track = mmd_motion_find_bone(motion, r.model.bone_key[4]);
    assert_true(track->frames[5] == 5);
    assert_memory_equal(track->keys[5].translation, track->keys[4].translation, 3 * sizeof(float));
    mmd_motion_destroy(motion);
    mmd_bake_destroy(b);
    stop(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bone_is_put_where_it_was_whatever_moved_it),
        cmocka_unit_test(reduced_keys_keep_the_limits_of_every_bone),
        cmocka_unit_test(ik_becomes_keys_and_is_switched_off),
        cmocka_unit_test(frames_from_the_middle_keep_their_numbers_and_values),
        cmocka_unit_test(morphs_are_copied_or_sampled_where_a_hand_set_them),
        cmocka_unit_test(turns_are_limited_by_what_hangs_on_the_bone),
        cmocka_unit_test(a_fixed_axis_is_told_and_its_children_are_right),
        cmocka_unit_test(bones_without_a_name_of_their_own_are_told),
        cmocka_unit_test(bones_that_bodies_move_are_switched_off),
        cmocka_unit_test(visibility_and_broken_worlds_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
