/* Tests outside parents against known numbers: bones that hang on bones of other actors, at any placement, by
 * keys, in cycles, and with physics on both sides, where seeking gives the same bits as playing. */
#include "support.h"

#include <math.h>

#include "hair_model.h"
#include "mmd/bake.h"
#include "sim_scene.h"

enum { STICK_ROOT, STICK_GRIP, STICK_TIP, STICK_FREE, STICK_BONES, STICKS = 4 };

/* A stick of four bones: root at the origin, grip at (0, 2, 0) under it, tip at (0, 5, 0) under the grip, and
 * one without a parent at (1, 0, 0). */
typedef struct stick {
    mmd_bone bones[STICK_BONES];
    mmd_model model;
    mmd_actor *actor;
} stick;

typedef struct sticks {
    stick items[STICKS];
    mmd_stage *stage;
} sticks;

static void make_stick(stick *s)
{
    static const float places[STICK_BONES][3] = {{0, 0, 0}, {0, 2, 0}, {0, 5, 0}, {1, 0, 0}};
    static const int parents[STICK_BONES] = {-1, STICK_ROOT, STICK_GRIP, -1};
    static const char *const names[STICK_BONES] = {"root", "grip", "tip", "free"};
    for (int b = 0; b < STICK_BONES; b++) {
        s->bones[b] = (mmd_bone){.name = names[b],
                                 .name_en = "",
                                 .parent = parents[b],
                                 .tail_bone = -1,
                                 .append_source = -1,
                                 .ik_target = -1};
        memcpy(s->bones[b].position, places[b], sizeof places[b]);
    }
    s->model = (mmd_model){.name = "",
                           .name_en = "",
                           .comment = "",
                           .comment_en = "",
                           .bone_count = STICK_BONES,
                           .bones = s->bones};
    assert_int_equal(mmd_model_prepare(&s->model, NULL), MMD_OK);
    s->actor = mmd_actor_create(&s->model);
    assert_non_null(s->actor);
}

static void open_sticks(sticks *s)
{
    s->stage = mmd_stage_create();
    assert_non_null(s->stage);
    for (int i = 0; i < STICKS; i++) {
        make_stick(&s->items[i]);
        assert_int_equal(mmd_stage_add_actor(s->stage, s->items[i].actor, NULL), MMD_OK);
    }
}

static void close_sticks(sticks *s)
{
    mmd_stage_destroy(s->stage);
    for (int i = 0; i < STICKS; i++) {
        mmd_actor_destroy(s->items[i].actor);
        mmd_arena_finish(&s->items[i].model.arena);
    }
}

static mmd_status hang(sticks *s, size_t child, int bone, int parent, int parent_bone)
{
    return mmd_stage_set_outside_parent(s->stage, child, bone, parent < 0 ? NULL : s->items[parent].actor,
                                        parent_bone, NULL);
}

static const float quarter[4] = {0, 0, 0.70710678f, 0.70710678f}; /* about Z: x becomes y, y becomes -x */
static const float straight[4] = {0, 0, 0, 1};

static void edit(sticks *s, size_t actor, uint32_t bone, float x, const float rotation[4])
{
    const float translation[3] = {x, 0, 0};
    mmd_pose_set_user(mmd_actor_pose(s->items[actor].actor), bone, translation, rotation);
}

static void assert_at(const sticks *s, size_t actor, int bone, double x, double y, double z)
{
    const float *t = mmd_pose_world(mmd_actor_pose(s->items[actor].actor))[bone].translation;
    assert_float_equal(t[0], x, 1e-4);
    assert_float_equal(t[1], y, 1e-4);
    assert_float_equal(t[2], z, 1e-4);
}

static void place(sticks *s, size_t index, float x, float turn_z, float scale)
{
    mmd_staging staging = mmd_default_staging();
    staging.position[0] = x;
    staging.rotation[2] = turn_z;
    staging.scale = scale;
    mmd_stage_set_staging(s->stage, index, &staging);
}

static void a_bone_lands_on_the_other_and_goes_with_it(void **state)
{
    (void)state;
    sticks s;
    open_sticks(&s);
    assert_int_equal(hang(&s, 1, STICK_ROOT, 0, STICK_TIP), MMD_OK);
    assert_true(mmd_stage_has_outside_parents(s.stage, 1));
    mmd_stage_set_frame(s.stage, 0);
    assert_at(&s, 1, STICK_ROOT, 0, 5, 0);
    assert_at(&s, 1, STICK_TIP, 0, 10, 0);
    assert_at(&s, 1, STICK_FREE, 1, 0, 0);
    edit(&s, 0, STICK_GRIP, 7, quarter); /* the grip moves to (7, 2, 0), its child tip to (4, 2, 0) */
    mmd_stage_set_frame(s.stage, 0);
    assert_at(&s, 0, STICK_TIP, 4, 2, 0);
    assert_at(&s, 1, STICK_ROOT, 4, 2, 0);
    assert_at(&s, 1, STICK_TIP, -1, 2, 0); /* the tip's offset of 5 along y now points along -x */
    assert_int_equal(hang(&s, 1, STICK_ROOT, -1, 0), MMD_OK);
    assert_false(mmd_stage_has_outside_parents(s.stage, 1));
    mmd_stage_set_frame(s.stage, 0);
    assert_at(&s, 1, STICK_TIP, 0, 5, 0);
    close_sticks(&s);
}

/* The bone keeps its offset from the origin and that of its own parent (docs/mmd.md 4.4). */
static void a_bone_away_from_the_origin_keeps_its_distance(void **state)
{
    (void)state;
    sticks s;
    open_sticks(&s);
    edit(&s, 0, STICK_ROOT, 3, quarter);
    assert_int_equal(hang(&s, 1, STICK_GRIP, 0, STICK_ROOT), MMD_OK);
    edit(&s, 1, STICK_ROOT, 1, straight);
    mmd_stage_set_frame(s.stage, 0);
    assert_at(&s, 1, STICK_ROOT, 1, 0, 0);
    assert_at(&s, 1, STICK_GRIP, 3 - 2, 1, 0);
    assert_at(&s, 1, STICK_TIP, 3 - 5, 1, 0);
    close_sticks(&s);
}

static void a_whole_actor_hangs_by_all_that_has_no_parent(void **state)
{
    (void)state;
    sticks s;
    open_sticks(&s);
    edit(&s, 0, STICK_ROOT, 3, quarter);
    assert_int_equal(hang(&s, 1, MMD_WHOLE_ACTOR, 0, STICK_ROOT), MMD_OK);
    mmd_stage_set_frame(s.stage, 0);
    assert_at(&s, 1, STICK_ROOT, 3, 0, 0);
    assert_at(&s, 1, STICK_TIP, -2, 0, 0);
    assert_at(&s, 1, STICK_FREE, 3, 1, 0);
    /* the bone's own outside parent overrides the actor's */
    assert_int_equal(hang(&s, 1, STICK_FREE, 0, STICK_TIP), MMD_OK);
    mmd_stage_set_frame(s.stage, 0);
    assert_at(&s, 1, STICK_ROOT, 3, 0, 0);
    assert_at(&s, 1, STICK_FREE, -2, 1, 0);
    assert_int_equal(hang(&s, 1, STICK_FREE, -1, 0), MMD_OK);
    mmd_stage_set_frame(s.stage, 0);
    assert_at(&s, 1, STICK_FREE, 3, 1, 0);
    close_sticks(&s);
}

/* The order on the stage does not matter: the last stick is the parent of the first, and the first of the
 * second. */
static void chains_are_posed_parents_first(void **state)
{
    (void)state;
    sticks s;
    open_sticks(&s);
    assert_int_equal(hang(&s, 0, STICK_ROOT, 3, STICK_TIP), MMD_OK);
    assert_int_equal(hang(&s, 1, STICK_ROOT, 0, STICK_TIP), MMD_OK);
    edit(&s, 3, STICK_ROOT, 1, quarter);
    for (int again = 0; again < 2; again++) {
        mmd_stage_set_frame(s.stage, 0);
        assert_at(&s, 3, STICK_TIP, -4, 0, 0);
        assert_at(&s, 0, STICK_TIP, -9, 0, 0);
        assert_at(&s, 1, STICK_TIP, -14, 0, 0);
    }
    close_sticks(&s);
}

static void both_may_stand_somewhere(void **state)
{
    (void)state;
    sticks s;
    float m[16];
    open_sticks(&s);
    assert_int_equal(hang(&s, 1, STICK_ROOT, 0, STICK_TIP), MMD_OK);
    place(&s, 0, 10, 0, 2); /* its tip is at (10, 10, 0) */
    mmd_stage_set_frame(s.stage, 0);
    assert_at(&s, 1, STICK_ROOT, 10, 10, 0);
    place(&s, 1, -6, 1.57079632679f, 4); /* the child has another position, rotation and size */
    mmd_stage_set_frame(s.stage, 0);
    mmd_stage_placement(s.stage, 1, m);
    const mmd_transform *root = &mmd_pose_world(mmd_actor_pose(s.items[1].actor))[STICK_ROOT];
    const float *t = root->translation;
    for (int k = 0; k < 3; k++) {
        static const double wanted[3] = {10, 10, 0};
        double world = m[12 + k];
        for (int j = 0; j < 3; j++)
            world += (double)m[4 * j + k] * (double)t[j];
        assert_float_equal(world, wanted[k], 1e-4);
    }
    assert_float_equal(root->rotation[2], -0.70710678,
                       1e-5); /* rotated back, so it is upright in the world */
    close_sticks(&s);
}

static void keys_hand_it_over(void **state)
{
    (void)state;
    sticks s;
    size_t count;
    open_sticks(&s);
    const mmd_outside_key keys[] = {
        {0, NULL, -1}, {10, s.items[0].actor, STICK_TIP}, {20, s.items[2].actor, STICK_GRIP}, {30, NULL, -1}};
    assert_int_equal(mmd_stage_set_outside_keys(s.stage, 1, STICK_ROOT, keys, 4, NULL), MMD_OK);
    assert_float_equal(mmd_stage_last_frame(s.stage), 30, 0);
    edit(&s, 2, STICK_ROOT, 8, straight);
    static const struct {
        double frame, x, y;
    } rows[] = {{5, 0, 0},  {10, 0, 5}, {19.9, 0, 5}, {20, 8, 2},
                {29, 8, 2}, {30, 0, 0}, {15, 0, 5},   {9.9, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        mmd_stage_set_frame(s.stage, rows[i].frame);
        assert_at(&s, 1, STICK_ROOT, rows[i].x, rows[i].y, 0);
    }
    assert_int_equal(mmd_stage_outside_keys(s.stage, 1, STICK_ROOT, &count)[2].frame, 20);
    assert_int_equal(count, 4);
    assert_null(mmd_stage_outside_keys(s.stage, 1, STICK_TIP, &count));
    assert_int_equal(count, 0);
    close_sticks(&s);
}

static void rings_are_refused(void **state)
{
    (void)state;
    sticks s;
    size_t count;
    mmd_staging staging = mmd_default_staging();
    open_sticks(&s);
    assert_int_equal(hang(&s, 0, STICK_ROOT, 0, STICK_TIP), MMD_ERROR_VALUE);
    assert_int_equal(hang(&s, 1, STICK_ROOT, 0, STICK_TIP), MMD_OK);
    assert_int_equal(hang(&s, 2, STICK_ROOT, 1, STICK_TIP), MMD_OK);
    assert_int_equal(hang(&s, 0, STICK_FREE, 2, STICK_TIP), MMD_ERROR_VALUE);
    assert_null(mmd_stage_outside_keys(s.stage, 0, STICK_FREE, &count));
    mmd_stage_set_frame(s.stage, 0);
    assert_at(&s, 2, STICK_TIP, 0, 15, 0);
    /* the fourth is placed on the third, so that a bone of the first on it would close a cycle */
    staging.parent = s.items[2].actor;
    staging.parent_bone = STICK_TIP;
    mmd_stage_set_staging(s.stage, 3, &staging);
    assert_int_equal(hang(&s, 0, STICK_FREE, 3, STICK_TIP), MMD_ERROR_VALUE);
    mmd_stage_set_frame(s.stage, 0);
    assert_at(&s, 0, STICK_FREE, 1, 0, 0);
    close_sticks(&s);
}

/* Parent and child may swap roles at a key, as long as no frame has both directions. */
static void who_leads_may_change(void **state)
{
    (void)state;
    sticks s;
    open_sticks(&s);
    const mmd_outside_key first[] = {{0, s.items[1].actor, STICK_TIP}, {50, NULL, -1}},
                          then[] = {{0, NULL, -1}, {50, s.items[0].actor, STICK_TIP}},
                          both[] = {{0, NULL, -1}, {49, s.items[0].actor, STICK_TIP}};
    assert_int_equal(mmd_stage_set_outside_keys(s.stage, 0, STICK_ROOT, first, 2, NULL), MMD_OK);
    assert_int_equal(mmd_stage_set_outside_keys(s.stage, 1, STICK_ROOT, both, 2, NULL), MMD_ERROR_VALUE);
    assert_int_equal(mmd_stage_set_outside_keys(s.stage, 1, STICK_ROOT, then, 2, NULL), MMD_OK);
    mmd_stage_set_frame(s.stage, 49);
    assert_at(&s, 0, STICK_TIP, 0, 10, 0);
    assert_at(&s, 1, STICK_TIP, 0, 5, 0);
    mmd_stage_set_frame(s.stage, 50);
    assert_at(&s, 0, STICK_TIP, 0, 5, 0);
    assert_at(&s, 1, STICK_TIP, 0, 10, 0);
    close_sticks(&s);
}

/* A placement that closes a cycle afterwards does not make evaluation loop or diverge. */
static void a_ring_closed_by_a_placement_ends(void **state)
{
    (void)state;
    sticks s;
    mmd_staging staging = mmd_default_staging();
    open_sticks(&s);
    assert_int_equal(hang(&s, 1, STICK_ROOT, 0, STICK_TIP), MMD_OK);
    staging.parent = s.items[1].actor;
    staging.parent_bone = STICK_TIP;
    mmd_stage_set_staging(s.stage, 0, &staging);
    for (int again = 0; again < 3; again++) {
        mmd_stage_set_frame(s.stage, again);
        for (int b = 0; b < STICK_BONES; b++)
            assert_true(fabsf(mmd_pose_world(mmd_actor_pose(s.items[1].actor))[b].translation[1]) < 100.0f);
    }
    close_sticks(&s);
}

static void one_that_is_not_on_the_stage_holds_nothing(void **state)
{
    (void)state;
    sticks s;
    stick other;
    open_sticks(&s);
    make_stick(&other);
    assert_int_equal(mmd_stage_set_outside_parent(s.stage, 1, STICK_ROOT, other.actor, STICK_TIP, NULL),
                     MMD_OK);
    mmd_stage_set_frame(s.stage, 0);
    assert_at(&s, 1, STICK_ROOT, 0, 0, 0);
    mmd_actor_destroy(other.actor);
    mmd_arena_finish(&other.model.arena);
    mmd_stage_set_frame(s.stage, 1);
    assert_at(&s, 1, STICK_ROOT, 0, 0, 0);
    close_sticks(&s);
}

/* ------------------------------------------------------------ physics */

/* The first actor's hair hangs on a bone of the second, which swings. */
typedef struct swing {
    hair_model hair;
    hair_motion motion, still;
    sim_scene sim;
} swing;

static swing *begin_swing(bool shared, uint32_t threads, int parent_bone)
{
    swing *s = mmd_alloc(sizeof *s);
    mmd_physics_options options = sim_scene_options();
    assert_non_null(s);
    memset(s, 0, sizeof *s);
    hair_model_make(&s->hair);
    hair_motion_make(&s->motion, 400);
    hair_motion_make(&s->still, 0);
    options.shared_world = shared;
    options.threads = threads;
    const mmd_motion *motions[2] = {&s->still.motion, &s->motion.motion};
    sim_scene_make(&s->sim, 2, &s->hair.model, motions, &options);
    assert_int_equal(
        mmd_stage_set_outside_parent(s->sim.stage, 0, HAIR_CENTER, s->sim.actors[1], parent_bone, NULL),
        MMD_OK);
    return s;
}

static void end_swing(swing *s)
{
    sim_scene_finish(&s->sim);
    hair_model_finish(&s->hair);
    mmd_free(s);
}

static const mmd_transform *bone(const swing *s, size_t actor, int which)
{
    return &mmd_pose_world(mmd_actor_pose(s->sim.actors[actor]))[which];
}

static double apart(const mmd_transform *a, const mmd_transform *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += pow((double)a->translation[k] - (double)b->translation[k], 2);
    return sqrt(sum);
}

/*
 * Checks an actor without motion on a bone of the other: its centre stays fixed relative to that bone in
 * every frame, with physics. The head's body is at its bone, except that a parent bone moved by physics is
 * one step ahead.
 */
static void expect_held(int holder, double head_off, double hair_off, uint64_t put_back)
{
    swing *s = begin_swing(false, 0, holder);
    mmd_transform first = {{0}, {0}};
    for (int frame = 0; frame < 200; frame++) {
        mmd_transform seen, inverse, offset = {.translation = {0, 0.5f, 0}, .rotation = {0, 0, 0, 1}};
        mmd_stage_set_frame(s->sim.stage, frame);
        mmd_transform_inverse(bone(s, 1, holder), &inverse);
        mmd_transform_multiply(&inverse, bone(s, 0, HAIR_CENTER), &seen);
        first = frame == 0 ? seen : first;
        assert_true(apart(&seen, &first) < 1e-4);
        const mmd_transform *bodies = mmd_stage_bodies(s->sim.stage, 0);
        mmd_transform_multiply(bone(s, 0, HAIR_HEAD), &offset, &seen);
        assert_true(apart(&bodies[BODY_HEAD], &seen) < head_off);
        assert_true(apart(&bodies[BODY_1], bone(s, 0, HAIR_HEAD)) < hair_off);
    }
    assert_true(mmd_stage_physics_report(s->sim.stage).reset_bodies <= put_back);
    end_swing(s);
}

static void physics_goes_with_what_holds_it(void **state)
{
    (void)state;
    expect_held(HAIR_HEAD, 1e-4, 3.0, 0);
    expect_held(HAIR_TIP, 5.0, 6.0, 30); /* this bone whips about */
}

static void what_is_sought_is_what_is_played(void **state)
{
    (void)state;
    enum { FRAMES = 240 };
    static const double frames[] = {200, 40, 239, 3, 120, 0, 119};
    swing *s = begin_swing(true, 0, HAIR_3);
    sim_record *played = sim_scene_play(&s->sim, FRAMES);
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        sim_scene_expect(&s->sim, frames[i], &played[(int)frames[i]], "sought");
    end_swing(s);
    sim_records_finish(played, FRAMES);
    for (uint32_t threads = 0; threads <= 3; threads += 3) {
        s = begin_swing(false, threads, HAIR_3);
        sim_record *own = sim_scene_play(&s->sim, FRAMES);
        end_swing(s);
        s = begin_swing(false, threads ? 0 : 3, HAIR_3);
        for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
            sim_scene_expect(&s->sim, frames[i], &own[(int)frames[i]], "sought, in worlds of their own");
        end_swing(s);
        sim_records_finish(own, FRAMES);
    }
}

/* Changing the outside parent while a frame is shown moves the hair along, and changing it back restores
 * every bit. */
static void hanging_it_elsewhere_carries_its_hair(void **state)
{
    (void)state;
    swing *s = begin_swing(false, 0, HAIR_HEAD);
    mmd_stage *stage = s->sim.stage;
    for (int frame = 0; frame <= 100; frame++)
        mmd_stage_set_frame(stage, frame);
    sim_record before = sim_scene_record(&s->sim);
    mmd_transform head = *bone(s, 0, HAIR_HEAD), hair = mmd_stage_bodies(stage, 0)[BODY_2], inverse, was, is;
    mmd_transform_inverse(&head, &inverse);
    mmd_transform_multiply(&inverse, &hair, &was);
    assert_int_equal(mmd_stage_set_outside_parent(stage, 0, HAIR_CENTER, NULL, 0, NULL), MMD_OK);
    mmd_stage_set_frame(stage, 100);
    assert_true(apart(bone(s, 0, HAIR_HEAD), &head) > 5.0);
    mmd_transform_inverse(bone(s, 0, HAIR_HEAD), &inverse);
    mmd_transform_multiply(&inverse, &mmd_stage_bodies(stage, 0)[BODY_2], &is);
    assert_true(apart(&is, &was) < 1e-3);
    assert_int_equal(mmd_stage_set_outside_parent(stage, 0, HAIR_CENTER, s->sim.actors[1], HAIR_HEAD, NULL),
                     MMD_OK);
    mmd_stage_set_frame(stage, 100);
    sim_record back = sim_scene_record(&s->sim);
    assert_true(sim_record_same(&before, &back));
    sim_record_finish(&before);
    sim_record_finish(&back);
    end_swing(s);
}

static void a_holder_that_is_turned_by_hand_takes_it_along(void **state)
{
    (void)state;
    static const float none[3] = {0, 0, 0}, turn[4] = {0, 0.5f, 0, 0.86602540f};
    swing *s = begin_swing(true, 0, HAIR_HEAD);
    mmd_stage *stage = s->sim.stage;
    for (int frame = 0; frame <= 60; frame++)
        mmd_stage_set_frame(stage, frame);
    mmd_transform inverse, was, is;
    mmd_transform_inverse(bone(s, 0, HAIR_HEAD), &inverse);
    mmd_transform_multiply(&inverse, &mmd_stage_bodies(stage, 0)[BODY_2], &was);
    mmd_pose_set_user(mmd_actor_pose(s->sim.actors[1]), HAIR_CENTER, none, turn);
    mmd_stage_set_frame(stage, 60);
    mmd_transform_inverse(bone(s, 0, HAIR_HEAD), &inverse);
    mmd_transform_multiply(&inverse, &mmd_stage_bodies(stage, 0)[BODY_2], &is);
    assert_true(apart(&is, &was) < 1e-3);
    end_swing(s);
}

/* An append from a bone with an outside parent that physics moves gets the rotation without the outside
 * parent. */
static void appends_do_not_see_the_outside(void **state)
{
    (void)state;
    hair_model hair;
    mmd_arena arena = {0};
    mmd_pose_values values;
    hair_model_make(&hair);
    mmd_pose *pose = mmd_pose_create(&hair.model);
    assert_true(pose && mmd_pose_values_init(&values, &hair.model, &arena));
    const mmd_transform hand = {.translation = {3, 1, 0}, .rotation = {0, 0, 0.70710678f, 0.70710678f}};
    mmd_pose_set_external_parent(pose, HAIR_2, &hand);
    mmd_pose_evaluate(pose, &values, NULL);
    mmd_pose_finish(pose);
    mmd_transform moved = mmd_pose_world(pose)[HAIR_2], ribbon = mmd_pose_world(pose)[HAIR_RIBBON];
    mmd_pose_evaluate(pose, &values, NULL);
    mmd_pose_override(pose, HAIR_2, &moved, false);
    mmd_pose_finish(pose);
    const mmd_transform *now = &mmd_pose_world(pose)[HAIR_RIBBON];
    for (int k = 0; k < 4; k++)
        assert_float_equal(now->rotation[k], ribbon.rotation[k], 1e-5);
    mmd_pose_destroy(pose);
    mmd_arena_finish(&arena);
    hair_model_finish(&hair);
}

/* ------------------------------------------------------- baking, delays */

/* Baked keys of an actor on an outside parent put the bones at the same position without that parent. */
static void baked_keys_need_no_parent(void **state)
{
    (void)state;
    sticks s;
    mmd_motion *motion;
    mmd_bake_options options = mmd_default_bake_options();
    open_sticks(&s);
    assert_int_equal(hang(&s, 1, STICK_ROOT, 0, STICK_TIP), MMD_OK);
    mmd_bake *bake = mmd_bake_create(&s.items[1].model, NULL, 0, &options);
    assert_non_null(bake);
    for (int frame = 0; frame < 4; frame++) {
        edit(&s, 0, STICK_ROOT, (float)frame, frame % 2 ? quarter : straight);
        mmd_stage_set_frame(s.stage, frame);
        assert_int_equal(mmd_bake_frame(bake, mmd_pose_world(mmd_actor_pose(s.items[1].actor)),
                                        mmd_actor_values(s.items[1].actor), NULL),
                         MMD_OK);
    }
    assert_int_equal(mmd_bake_finish(bake, &motion, NULL), MMD_OK);
    mmd_bake_destroy(bake);
    assert_int_equal(hang(&s, 1, STICK_ROOT, -1, 0), MMD_OK);
    assert_int_equal(mmd_actor_add_motion(s.items[1].actor, motion, NULL), MMD_OK);
    mmd_stage_set_frame(s.stage, 2);
    assert_at(&s, 1, STICK_TIP, 2, 10, 0);
    mmd_stage_set_frame(s.stage, 3);
    assert_at(&s, 1, STICK_TIP, 3 - 10, 0, 0);
    close_sticks(&s);
    mmd_motion_destroy(motion);
}

static void a_delay_begins_the_dance_later(void **state)
{
    (void)state;
    swing *s = begin_swing(false, 0, HAIR_HEAD), *other = begin_swing(false, 0, HAIR_HEAD);
    mmd_actor *late = s->sim.actors[1];
    assert_float_equal(mmd_actor_last_frame(late), 400, 0);
    mmd_actor_set_delay(late, 30);
    assert_float_equal(mmd_actor_delay(late), 30, 0);
    assert_float_equal(mmd_actor_last_frame(late), 430, 0);
    static const double frames[] = {60, 10, 30, 137.5};
    for (int i = 0; i < 4; i++) {
        mmd_stage_set_frame(s->sim.stage, frames[i]);
        mmd_stage_set_frame(other->sim.stage, fmax(frames[i] - 30, 0));
        assert_memory_equal(bone(s, 1, HAIR_CENTER), bone(other, 1, HAIR_CENTER), sizeof(mmd_transform));
    }
    mmd_actor_set_delay(late, -20);
    mmd_stage_set_frame(s->sim.stage, 40);
    mmd_stage_set_frame(other->sim.stage, 60);
    assert_memory_equal(bone(s, 1, HAIR_CENTER), bone(other, 1, HAIR_CENTER), sizeof(mmd_transform));
    end_swing(s);
    end_swing(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bone_lands_on_the_other_and_goes_with_it),
        cmocka_unit_test(a_bone_away_from_the_origin_keeps_its_distance),
        cmocka_unit_test(a_whole_actor_hangs_by_all_that_has_no_parent),
        cmocka_unit_test(chains_are_posed_parents_first),
        cmocka_unit_test(both_may_stand_somewhere),
        cmocka_unit_test(keys_hand_it_over),
        cmocka_unit_test(rings_are_refused),
        cmocka_unit_test(who_leads_may_change),
        cmocka_unit_test(a_ring_closed_by_a_placement_ends),
        cmocka_unit_test(one_that_is_not_on_the_stage_holds_nothing),
        cmocka_unit_test(physics_goes_with_what_holds_it),
        cmocka_unit_test(what_is_sought_is_what_is_played),
        cmocka_unit_test(hanging_it_elsewhere_carries_its_hair),
        cmocka_unit_test(a_holder_that_is_turned_by_hand_takes_it_along),
        cmocka_unit_test(appends_do_not_see_the_outside),
        cmocka_unit_test(baked_keys_need_no_parent),
        cmocka_unit_test(a_delay_begins_the_dance_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
