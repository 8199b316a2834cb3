/* Poses of models built by hand with known results. */
#define _DEFAULT_SOURCE /* M_PI */
#include "support.h"

#include "mmd/pose.h"

/* A model of only bones, in arrays of the test. */
typedef struct rig {
    mmd_model model;
    mmd_bone bones[16];
    mmd_morph morphs[16];
    mmd_material materials[2];
    mmd_arena values_arena;
    mmd_pose_values values, previous;
    mmd_pose *pose;
} rig;

static uint32_t add_bone(rig *r, const char *name, int32_t parent, float x, float y, float z)
{
    uint32_t b = r->model.bone_count++;
    r->bones[b] = (mmd_bone){.name = name,
                             .name_en = "",
                             .position = {x, y, z},
                             .parent = parent,
                             .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE,
                             .tail_bone = -1,
                             .append_source = -1,
                             .ik_target = -1};
    return b;
}

static mmd_morph *add_morph(rig *r, const char *name, mmd_morph_kind kind, uint32_t count)
{
    mmd_morph *morph = &r->morphs[r->model.morph_count++];
    *morph = (mmd_morph){.name = name, .name_en = "", .kind = (uint8_t)kind, .count = count};
    return morph;
}

static void start(rig *r)
{
    r->model.name = r->model.name_en = r->model.comment = r->model.comment_en = "";
    r->model.bones = r->bones;
    r->model.morphs = r->morphs;
    r->model.materials = r->materials;
    mmd_error error = {0};
    assert_int_equal(mmd_model_prepare(&r->model, &error), MMD_OK);
    r->pose = mmd_pose_create(&r->model);
    assert_non_null(r->pose);
    assert_true(mmd_pose_values_init(&r->values, &r->model, &r->values_arena));
    assert_true(mmd_pose_values_init(&r->previous, &r->model, &r->values_arena));
}

static void stop(rig *r)
{
    mmd_pose_destroy(r->pose);
    mmd_arena_finish(&r->values_arena);
    mmd_arena_finish(&r->model.arena);
}

static void evaluate(rig *r)
{
    mmd_pose_evaluate(r->pose, &r->values, &r->previous);
    mmd_pose_finish(r->pose);
}

static void turn(float q[4], int axis, double degrees)
{
    q[0] = q[1] = q[2] = 0.0f;
    q[axis] = (float)sin(degrees * M_PI / 360.0);
    q[3] = (float)cos(degrees * M_PI / 360.0);
}

static void assert_near(const float *actual, double x, double y, double z, double limit)
{
    double wanted[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        if (!(fabs((double)actual[k] - wanted[k]) <= limit))
            fail_msg("(%g, %g, %g) where (%g, %g, %g) is right", (double)actual[0], (double)actual[1],
                     (double)actual[2], x, y, z);
}

static const float *place(const rig *r, uint32_t bone)
{
    return mmd_pose_world(r->pose)[bone].translation;
}

/* Returns the signed angle in degrees of a rotation about one axis. */
static double angle_about(const float q[4], int axis)
{
    return 2.0 * atan2(q[axis], q[3]) * 180.0 / M_PI;
}

static void children_follow_their_parents(void **state)
{
    (void)state;
    rig r = {0};
    uint32_t a = add_bone(&r, "a", -1, 0, 1, 0), b = add_bone(&r, "b", 0, 1, 1, 0),
             c = add_bone(&r, "c", 1, 2, 1, 0);
    start(&r);
    turn(r.values.bones[a].rotation, 2, 90);
    turn(r.values.bones[b].rotation, 2, 90);
    r.values.bones[a].translation[2] = 5;
    evaluate(&r);
    assert_near(place(&r, a), 0, 1, 5, 1e-6);
    assert_near(place(&r, b), 0, 2, 5, 1e-6);
    assert_near(place(&r, c), -1, 2, 5, 1e-6);
    /* The palette transforms rest positions to world positions. */
    assert_near(mmd_pose_palette(r.pose)[a].translation, 1, 1, 5, 1e-6);
    stop(&r);
}

static void append_extrapolates_and_chains(void **state)
{
    (void)state;
    static const float ratios[] = {0.5f, -1.0f, 2.0f, -2.0f};
    rig r = {0};
    add_bone(&r, "source", -1, 0, 0, 0);
    for (int i = 0; i < 4; i++) {
        uint32_t b = add_bone(&r, "appended", -1, 0, 0, 0);
        r.bones[b].flags |= MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION;
        r.bones[b].append_source = 0;
        r.bones[b].append_ratio = ratios[i];
    }
    uint32_t chained = add_bone(&r, "chained", -1, 0, 0, 0);
    r.bones[chained].flags |= MMD_BONE_APPEND_ROTATION;
    r.bones[chained].append_source = 3; /* which rotates by twice the source */
    r.bones[chained].append_ratio = 0.25f;
    start(&r);
    turn(r.values.bones[0].rotation, 1, 40);
    r.values.bones[0].translation[0] = 3;
    turn(r.values.bones[3].rotation, 1, 10); /* its own rotation is passed on with its append */
    evaluate(&r);
    for (int i = 0; i < 4; i++) {
        double own = i == 2 ? 10.0 : 0.0;
        assert_float_equal(angle_about(mmd_pose_world(r.pose)[1 + i].rotation, 1),
                           40.0 * (double)ratios[i] + own, 1e-3);
        assert_near(place(&r, 1 + (uint32_t)i), 3.0 * (double)ratios[i], 0, 0, 1e-5);
    }
    assert_float_equal(angle_about(mmd_pose_world(r.pose)[chained].rotation, 1), 22.5, 1e-3);
    stop(&r);
}

static void the_local_flag_of_append_changes_nothing(void **state)
{
    (void)state;
    rig r = {0};
    add_bone(&r, "parent", -1, 0, 0, 0);
    add_bone(&r, "source", 0, 2, 0, 0);
    uint32_t b = add_bone(&r, "local", -1, 0, 7, 0);
    r.bones[b].flags |= MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION | MMD_BONE_APPEND_LOCAL;
    r.bones[b].append_source = 1;
    r.bones[b].append_ratio = 1.0f;
    start(&r);
    turn(r.values.bones[0].rotation, 2, 90);
    turn(r.values.bones[1].rotation, 2, 30);
    r.values.bones[1].translation[0] = 1;
    evaluate(&r);
    assert_near(place(&r, b), 1, 7, 0, 1e-5);
    assert_float_equal(angle_about(mmd_pose_world(r.pose)[b].rotation, 2), 30.0, 1e-3);
    stop(&r);
}

static void a_parent_later_in_the_order_is_one_frame_late(void **state)
{
    (void)state;
    rig r = {0};
    uint32_t child = add_bone(&r, "child", 1, 1, 0, 0), parent = add_bone(&r, "parent", -1, 0, 0, 0);
    r.bones[parent].layer = 1;
    start(&r);
    assert_true(mmd_pose_needs_previous(r.pose));
    r.previous.bones[parent].translation[1] = 3;
    r.values.bones[parent].translation[1] = 4;
    for (int again = 0; again < 2; again++) {
        evaluate(&r);
        assert_near(place(&r, parent), 0, 4, 0, 1e-6);
        assert_near(place(&r, child), 1, 3, 0, 1e-6);
    }
    stop(&r);
}

/* The IK bone comes before its chain in the file, and one link is not an ancestor of the target. */
static void a_solver_before_its_chain_is_the_same_in_whatever_order(void **state)
{
    (void)state;
    rig r = {0};
    mmd_ik_link links[3] = {{.bone = 2}, {.bone = 4}, {.bone = 1}};
    uint32_t goal = add_bone(&r, "goal", -1, 3, 2, 1);
    add_bone(&r, "thigh", -1, 0, 10, 0);
    add_bone(&r, "shin", 1, 0, 5, 0);
    uint32_t foot = add_bone(&r, "foot", 2, 0, 0, 0);
    add_bone(&r, "aside", -1, 1, 1, 1);
    r.bones[goal].flags |= MMD_BONE_IK;
    r.bones[goal].ik_target = (int32_t)foot;
    r.bones[goal].ik_loops = 20;
    r.bones[goal].ik_limit = 1.0f;
    r.bones[goal].ik_link_count = 3;
    r.bones[goal].ik_links = links;
    start(&r);
    assert_false(mmd_pose_needs_previous(r.pose)); /* the solver uses its chain at this frame */
    mmd_transform worlds[2][8];
    for (int visit = 0; visit < 8; visit++) {
        double place_in_time = visit == 0 || visit == 7 ? 0.3 : visit * 1.7;
        r.values.bones[goal].translation[0] = (float)(2.0 * sin(place_in_time));
        r.previous.bones[goal].translation[0] = (float)(2.0 * sin(place_in_time - 0.1));
        turn(r.values.bones[1].rotation, 0, 20.0 * place_in_time);
        turn(r.previous.bones[1].rotation, 0, 20.0 * place_in_time - 2.0);
        evaluate(&r);
        if (visit == 0 || visit == 7)
            memcpy(worlds[visit == 7], mmd_pose_world(r.pose), r.model.bone_count * sizeof(mmd_transform));
    }
    assert_memory_equal(worlds[0], worlds[1], r.model.bone_count * sizeof(mmd_transform));
    stop(&r);
}

/* Adds thigh, shin and foot along a vertical line, slightly bent, with a goal at the foot. */
static void add_leg(rig *r, mmd_ik_link links[2], uint32_t *foot, uint32_t *goal)
{
    add_bone(r, "thigh", -1, 0, 10, 0);
    add_bone(r, "shin", 0, 0, 5, -0.05f);
    *foot = add_bone(r, "foot", 1, 0, 0, 0);
    *goal = add_bone(r, "goal", -1, 0, 0, 0);
    links[0] =
        (mmd_ik_link){.bone = 1, .has_limit = true, .lower = {-3.14159f, 0, 0}, .upper = {-0.0087f, 0, 0}};
    links[1] = (mmd_ik_link){.bone = 0};
    mmd_bone *bone = &r->bones[*goal];
    bone->flags |= MMD_BONE_IK;
    bone->ik_target = (int32_t)*foot;
    bone->ik_loops = 40;
    bone->ik_limit = 2.0f;
    bone->ik_link_count = 2;
    bone->ik_links = links;
}

/* Tests all 24 layers of the IK bone, the links and the target, as MMD has them: on the last layer IK reaches
 * the goal of this frame, whatever the previous frame was; before the thigh's layer it changes nothing. */
static void a_solver_reaches_its_goal_if_its_chain_comes_before_it(void **state)
{
    (void)state;
    for (int order = 0; order < 24; order++) {
        rig r = {0};
        mmd_ik_link links[2];
        uint32_t foot, goal;
        add_leg(&r, links, &foot, &goal);
        int left[4] = {0, 1, 2, 3};
        for (int b = 0, rest = order; b < 4; b++) {
            int pick = rest % (4 - b);
            rest /= 4 - b;
            r.bones[b].layer = left[pick];
            left[pick] = left[3 - b];
        }
        start(&r);
        for (int visit = 0; visit < 3; visit++) {
            r.previous.bones[goal].translation[1] = 4.0f + (float)visit;
            r.values.bones[goal].translation[1] = visit == 1 ? 1.0f : 3.0f;
            r.values.bones[goal].translation[2] = visit == 1 ? 1.0f : -1.0f;
            evaluate(&r);
            if (r.bones[goal].layer == 3)
                assert_near(place(&r, foot), 0, visit == 1 ? 1 : 3, visit == 1 ? 1 : -1, 0.02);
            else if (r.bones[goal].layer < r.bones[0].layer)
                assert_near(place(&r, foot), 0, 0, 0, 1e-6);
        }
        stop(&r);
    }
}

static void a_fixed_axis_takes_the_limits_of_one_axis(void **state)
{
    (void)state;
    rig r = {0};
    mmd_ik_link link = {.bone = 0, .has_limit = true, .lower = {0, -0.5f, 0}, .upper = {0, 0.5f, 0}};
    add_bone(&r, "link", -1, 0, 0, 0);
    add_bone(&r, "target", 0, 5, 0, 0);
    uint32_t goal = add_bone(&r, "goal", -1, 0, 0, 5);
    r.bones[0].flags |= MMD_BONE_FIXED_AXIS;
    r.bones[0].fixed_axis[1] = -3.0f;
    r.bones[goal].flags |= MMD_BONE_IK;
    r.bones[goal].ik_target = 1;
    r.bones[goal].ik_loops = 10;
    r.bones[goal].ik_limit = 1.0f;
    r.bones[goal].ik_link_count = 1;
    r.bones[goal].ik_links = &link;
    start(&r);
    evaluate(&r);
    assert_float_equal(fabs(angle_about(mmd_pose_world(r.pose)[0].rotation, 1)), 0.5 * 180.0 / M_PI, 1e-3);
    assert_near(mmd_pose_world(r.pose)[0].rotation, 0, (double)mmd_pose_world(r.pose)[0].rotation[1], 0,
                1e-6);
    assert_true(place(&r, 1)[2] > 1.0f);
    stop(&r);
}

static void layers_come_before_indices_and_physics_splits_them(void **state)
{
    (void)state;
    rig r = {0};
    add_bone(&r, "late", -1, 0, 0, 0);
    add_bone(&r, "after", -1, 0, 0, 0);
    add_bone(&r, "first", -1, 0, 0, 0);
    r.bones[0].layer = 2;
    r.bones[1].flags |= MMD_BONE_AFTER_PHYSICS;
    start(&r);
    assert_int_equal(r.model.bone_order[0], 2);
    assert_int_equal(r.model.bone_order[1], 0);
    assert_int_equal(r.model.bone_order[2], 1);
    assert_int_equal(r.model.bone_order_before, 2);
    stop(&r);
}

static void ik_reaches_its_goal_and_bends_the_knee_forward(void **state)
{
    (void)state;
    rig r = {0};
    mmd_ik_link links[2];
    uint32_t foot, goal;
    add_leg(&r, links, &foot, &goal);
    start(&r);
    r.values.bones[goal].translation[1] = 3;
    r.values.bones[goal].translation[2] = -1;
    evaluate(&r);
    assert_near(place(&r, foot), 0, 3, -1, 0.02);
    assert_true(place(&r, 1)[2] < -1.0f); /* the knee points to where models look, -z */
    stop(&r);
}

static void a_goal_out_of_reach_stretches_the_leg_towards_it(void **state)
{
    (void)state;
    rig r = {0};
    mmd_ik_link links[2];
    uint32_t foot, goal;
    add_leg(&r, links, &foot, &goal);
    start(&r);
    r.values.bones[goal].translation[0] = 30;
    evaluate(&r);
    const float *f = place(&r, foot);
    assert_true(f[0] > 9.0f && isfinite(f[1]) && isfinite(f[2]));
    stop(&r);
}

/* Makes a goal of a new bone for the chain of target and its two parents. */
static uint32_t add_goal(rig *r, const char *name, int32_t parent, uint32_t target, mmd_ik_link links[2])
{
    const float *at = r->bones[target].position;
    uint32_t goal = add_bone(r, name, parent, at[0], at[1], at[2]);
    mmd_bone *bone = &r->bones[goal];
    links[0].bone = r->bones[target].parent;
    links[1].bone = r->bones[links[0].bone].parent;
    bone->flags |= MMD_BONE_IK;
    bone->ik_target = (int32_t)target;
    bone->ik_loops = 40;
    bone->ik_limit = 2.0f;
    bone->ik_link_count = 2;
    bone->ik_links = links;
    return goal;
}

/* Adds a chain of three bones, slightly bent. Returns its last bone. */
static uint32_t add_chain(rig *r, const char *name, float x)
{
    uint32_t first = add_bone(r, name, -1, x, 10, 0);
    add_bone(r, "middle", (int32_t)first, x, 5, -0.05f);
    return add_bone(r, "end", (int32_t)first + 1, x, 0, 0);
}

/*
 * A left leg, a right leg that depends on nothing, and an arm whose goal hangs on the left foot. Tests all
 * orders of the three: the right leg has the same bits with the others on or off, before or after them, and
 * the arm, where it comes after the left leg, reaches the goal where that took it.
 */
static void solvers_wait_for_what_they_depend_on(void **state)
{
    (void)state;
    mmd_transform right_alone[3];
    for (int order = 0; order < 6; order++) {
        rig r = {0};
        mmd_ik_link links[3][2] = {{{0}}};
        uint32_t left = add_chain(&r, "left", 1), right = add_chain(&r, "right", -1),
                 hand = add_chain(&r, "arm", 4);
        uint32_t goals[3];
        uint32_t above =
            add_bone(&r, "above", -1, 0, 0, 0); /* evaluated late, but in time for the right leg */
        goals[0] = add_goal(&r, "left goal", -1, left, links[0]);
        goals[1] = add_goal(&r, "right goal", (int32_t)above, right, links[1]);
        goals[2] = add_goal(&r, "arm's goal", (int32_t)left, hand, links[2]);
        static const int places[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        for (int i = 0; i < 3; i++)
            r.bones[goals[i]].layer = 2 * places[order][i] + 2;
        r.bones[above].layer = r.bones[goals[1]].layer - 1;
        start(&r);
        r.values.bones[above].translation[1] = 2;
        r.values.bones[goals[0]].translation[1] = 3;
        r.values.bones[goals[1]].translation[2] = -2;
        for (int others = 0; others < 2; others++) {
            r.values.ik_on[goals[0]] = r.values.ik_on[goals[2]] = (uint8_t)others;
            evaluate(&r);
            const mmd_transform *world = mmd_pose_world(r.pose);
            if (order == 0 && !others)
                memcpy(right_alone, &world[right - 2], sizeof right_alone);
            assert_memory_equal(right_alone, &world[right - 2], sizeof right_alone);
            assert_near(place(&r, right), -1, 2, -2, 0.02);
        }
        assert_near(place(&r, left), 1, 3, 0, 0.02);
        const float *goal = place(&r, goals[2]);
        if (places[order][2] > places[order][0])
            assert_near(place(&r, hand), goal[0], goal[1], goal[2], 0.02);
        stop(&r);
    }
}

static void ik_switched_off_leaves_the_keys(void **state)
{
    (void)state;
    rig r = {0};
    mmd_ik_link links[2];
    uint32_t foot, goal;
    add_leg(&r, links, &foot, &goal);
    start(&r);
    r.values.bones[goal].translation[1] = 3;
    turn(r.values.bones[0].rotation, 2, 90);
    r.values.ik_on[goal] = 0;
    evaluate(&r);
    assert_near(place(&r, foot), 10, 10, 0, 1e-5);
    stop(&r);
}

static void a_link_with_a_fixed_axis_turns_about_it_only(void **state)
{
    (void)state;
    rig r = {0};
    mmd_ik_link link = {.bone = 0};
    add_bone(&r, "link", -1, 0, 0, 0);
    add_bone(&r, "target", 0, 5, 1, 0);
    uint32_t goal = add_bone(&r, "goal", -1, 3, 2, 4);
    r.bones[0].flags |= MMD_BONE_FIXED_AXIS;
    r.bones[0].fixed_axis[1] = 2.0f; /* not of unit length */
    r.bones[goal].flags |= MMD_BONE_IK;
    r.bones[goal].ik_target = 1;
    r.bones[goal].ik_loops = 10;
    r.bones[goal].ik_limit = 1.0f;
    r.bones[goal].ik_link_count = 1;
    r.bones[goal].ik_links = &link;
    start(&r);
    evaluate(&r);
    assert_near(place(&r, 1), 3, 1, 4, 1e-3);
    stop(&r);
}

static void user_edits_are_innermost_and_pass_to_append(void **state)
{
    (void)state;
    rig r = {0};
    add_bone(&r, "edited", -1, 0, 0, 0);
    add_bone(&r, "child", 0, 1, 0, 0);
    uint32_t follower = add_bone(&r, "follower", -1, 0, 0, 0);
    r.bones[follower].flags |= MMD_BONE_APPEND_ROTATION;
    r.bones[follower].append_source = 0;
    r.bones[follower].append_ratio = 1.0f;
    start(&r);
    float q[4], t[3] = {0, 2, 0}, back[3];
    turn(q, 0, 90);
    mmd_pose_set_user(r.pose, 0, t, q);
    turn(r.values.bones[0].rotation, 2, 90);
    evaluate(&r);
    assert_near(place(&r, 1), 0, 3, 0, 1e-5); /* Rz Rx (1,0,0) = (0,1,0), after the lift by 2 */
    float up[3] = {0, 0, 0};
    const float *turned = mmd_pose_world(r.pose)[follower].rotation;
    for (int k = 0; k < 4; k++)
        assert_float_equal(turned[k], mmd_pose_world(r.pose)[0].rotation[k], 1e-6);
    mmd_pose_get_user(r.pose, 0, back, q);
    assert_near(back, 0, 2, 0, 0);
    float none[4] = {0, 0, 0, 1};
    mmd_pose_set_user(r.pose, 0, up, none);
    evaluate(&r);
    assert_near(place(&r, 1), 0, 1, 0, 1e-6);
    stop(&r);
}

static void overrides_move_what_hangs_on_them_and_appends(void **state)
{
    (void)state;
    rig r = {0};
    add_bone(&r, "hair", -1, 0, 5, 0);
    add_bone(&r, "tip", 0, 0, 4, 0);
    uint32_t helper = add_bone(&r, "helper", -1, 0, 0, 0);
    uint32_t after = add_bone(&r, "after", 0, 1, 5, 0);
    r.bones[helper].flags |= MMD_BONE_APPEND_ROTATION;
    r.bones[helper].append_source = 0;
    r.bones[helper].append_ratio = 0.5f;
    r.bones[after].flags |= MMD_BONE_AFTER_PHYSICS;
    start(&r);
    mmd_transform world = {.translation = {2, 5, 0}};
    turn(world.rotation, 2, 90);
    mmd_pose_evaluate(r.pose, &r.values, NULL);
    mmd_pose_override(r.pose, 0, &world, false);
    mmd_pose_finish(r.pose);
    assert_near(place(&r, 0), 2, 5, 0, 1e-6);
    assert_near(place(&r, 1), 3, 5, 0, 1e-6);
    assert_near(place(&r, after), 2, 6, 0, 1e-6);
    assert_float_equal(angle_about(mmd_pose_world(r.pose)[helper].rotation, 2), 45.0, 1e-3);
    mmd_pose_override(r.pose, 0, &world, true); /* rotation only */
    evaluate(&r);
    assert_near(place(&r, 0), 0, 5, 0, 1e-6);
    assert_near(place(&r, 1), 1, 5, 0, 1e-6);
    mmd_pose_override(r.pose, 0, NULL, false);
    evaluate(&r);
    assert_near(place(&r, 1), 0, 4, 0, 1e-6);
    stop(&r);
}

static void an_external_parent_carries_the_bone(void **state)
{
    (void)state;
    rig r = {0};
    add_bone(&r, "prop", -1, 0, 0, 0);
    add_bone(&r, "end", 0, 0, 0, -1);
    start(&r);
    mmd_transform hand = {.translation = {1, 2, 3}};
    turn(hand.rotation, 1, 90);
    mmd_pose_set_external_parent(r.pose, 0, &hand);
    evaluate(&r);
    assert_near(place(&r, 0), 1, 2, 3, 1e-6);
    assert_near(place(&r, 1), 0, 2, 3, 1e-6);
    mmd_pose_set_external_parent(r.pose, 0, NULL);
    evaluate(&r);
    assert_near(place(&r, 0), 0, 0, 0, 1e-6);
    stop(&r);
}

static void groups_spread_once_and_flips_select(void **state)
{
    (void)state;
    rig r = {0};
    mmd_group_offset group[] = {{1, 0.5f}, {2, 2.0f}}, nested[] = {{0, 1.0f}},
                     circle[] = {{5, 1.0f}, {1, 1.0f}}, flip[] = {{7, 0.9f}, {8, 0.8f}, {-1, 1.0f}};
    add_morph(&r, "group", MMD_MORPH_GROUP, 2)->offsets.group = group;
    add_morph(&r, "v1", MMD_MORPH_VERTEX, 0);
    add_morph(&r, "v2", MMD_MORPH_VERTEX, 0);
    add_morph(&r, "outer", MMD_MORPH_GROUP, 1)->offsets.group = nested;
    add_morph(&r, "none", MMD_MORPH_VERTEX, 0);
    add_morph(&r, "circle", MMD_MORPH_GROUP, 2)->offsets.group = circle;
    add_morph(&r, "flip", MMD_MORPH_FLIP, 3)->offsets.group = flip;
    add_morph(&r, "f1", MMD_MORPH_VERTEX, 0);
    add_morph(&r, "f2", MMD_MORPH_VERTEX, 0);
    mmd_group_offset to_flip[] = {{6, 1.0f}}, to_group[] = {{9, 1.0f}};
    add_morph(&r, "group of a flip", MMD_MORPH_GROUP, 1)->offsets.group = to_flip;
    add_morph(&r, "group of that", MMD_MORPH_GROUP, 1)->offsets.group = to_group;
    start(&r);
    r.values.weights[0] = 0.4f;
    r.values.weights[1] = 0.1f;
    r.values.weights[3] = 0.6f; /* a group in a group counts for nothing, as in MMD */
    r.values.weights[5] = 0.25f;
    r.values.weights[6] = 0.5f; /* of three: (3 + 1) 0.5 - 1 = the second */
    evaluate(&r);
    const float *w = mmd_pose_weights(r.pose);
    assert_float_equal(w[0], 0.4, 0.0);
    assert_float_equal(w[1], 0.1 + 0.5 * 0.4 + 0.25, 1e-6);
    assert_float_equal(w[2], 0.8, 1e-6);
    assert_float_equal(w[7], 0.0, 0.0);
    assert_float_equal(w[8], 0.8, 1e-6);
    r.values.weights[6] = 0.0f;
    r.values.weights[9] = 0.25f; /* through a group: the first */
    evaluate(&r);
    assert_float_equal(mmd_pose_weights(r.pose)[7], 0.9, 1e-6);
    r.values.weights[9] = 0.0f;
    r.values.weights[10] = 0.25f; /* through two: none */
    evaluate(&r);
    assert_float_equal(mmd_pose_weights(r.pose)[7], 0.0, 0.0);
    r.values.weights[10] = 0.0f;
    r.values.weights[6] = INFINITY;
    evaluate(&r);
    assert_float_equal(mmd_pose_weights(r.pose)[8], 0.0, 0.0);
    stop(&r);
}

static void bone_morphs_add_up_and_turn(void **state)
{
    (void)state;
    rig r = {0};
    mmd_bone_offset one = {.bone = 0, .translation = {0, 2, 0}}, two = {.bone = 0, .translation = {4, 0, 0}};
    turn(one.rotation, 2, 60);
    turn(two.rotation, 2, 20);
    add_bone(&r, "bone", -1, 0, 0, 0);
    add_morph(&r, "one", MMD_MORPH_BONE, 1)->offsets.bone = &one;
    add_morph(&r, "two", MMD_MORPH_BONE, 1)->offsets.bone = &two;
    start(&r);
    r.values.weights[0] = 0.5f;
    r.values.weights[1] = 1.0f;
    turn(r.values.bones[0].rotation, 2, 5);
    evaluate(&r);
    assert_near(place(&r, 0), 4, 1, 0, 1e-6);
    assert_float_equal(angle_about(mmd_pose_world(r.pose)[0].rotation, 2), 55.0, 1e-3);
    r.values.weights[0] = r.values.weights[1] = 0.0f;
    evaluate(&r);
    assert_near(place(&r, 0), 0, 0, 0, 1e-6);
    stop(&r);
}

static void material_morphs_multiply_then_add(void **state)
{
    (void)state;
    rig r = {0};
    r.model.material_count = 2;
    for (int i = 0; i < 2; i++)
        r.materials[i] = (mmd_material){.name = "", .diffuse = {0.8f, 0.6f, 0.4f, 1.0f}, .edge_size = 1.0f};
    mmd_material_offset multiply = {.material = -1, .operation = 0}, add = {.material = 1, .operation = 1};
    multiply.values.diffuse[3] = 0.0f;
    multiply.values.diffuse[0] = 0.5f;
    add.values.diffuse[1] = 0.3f;
    add.values.texture_factor[3] = 0.7f;
    add_morph(&r, "fade", MMD_MORPH_MATERIAL, 1)->offsets.material = &multiply;
    add_morph(&r, "tint", MMD_MORPH_MATERIAL, 1)->offsets.material = &add;
    mmd_group_offset members = {0, 0.5f};
    add_morph(&r, "group", MMD_MORPH_GROUP, 1)->offsets.group = &members;
    start(&r);
    r.values.weights[0] = 1.0f;
    r.values.weights[1] = 0.5f;
    evaluate(&r);
    const mmd_material_values *m = mmd_pose_materials(r.pose);
    assert_float_equal(m[0].diffuse[0], 0.4, 1e-6);
    assert_float_equal(m[0].diffuse[3], 0.0, 1e-6);
    assert_float_equal(m[1].diffuse[1], 0.6 * 0.0 + 0.15, 1e-6); /* times 0, as in the record */
    assert_float_equal(m[1].texture_factor[3], 0.0, 1e-6);
    assert_float_equal(mmd_pose_material_adds(r.pose)[1].texture[3], 0.35, 1e-6);
    assert_float_equal(mmd_pose_material_adds(r.pose)[0].texture[3], 0.0, 0.0);
    r.values.weights[0] = 0.5f;
    r.values.weights[2] = 1.0f; /* halfway twice: MMD's picture of such a colour has 0.75 * 0.75 */
    evaluate(&r);
    assert_float_equal(mmd_pose_materials(r.pose)[0].diffuse[0], 0.8 * 0.75 * 0.75, 1e-6);
    stop(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_follow_their_parents),
        cmocka_unit_test(append_extrapolates_and_chains),
        cmocka_unit_test(the_local_flag_of_append_changes_nothing),
        cmocka_unit_test(a_parent_later_in_the_order_is_one_frame_late),
        cmocka_unit_test(a_solver_before_its_chain_is_the_same_in_whatever_order),
        cmocka_unit_test(a_solver_reaches_its_goal_if_its_chain_comes_before_it),
        cmocka_unit_test(a_fixed_axis_takes_the_limits_of_one_axis),
        cmocka_unit_test(layers_come_before_indices_and_physics_splits_them),
        cmocka_unit_test(ik_reaches_its_goal_and_bends_the_knee_forward),
        cmocka_unit_test(a_goal_out_of_reach_stretches_the_leg_towards_it),
        cmocka_unit_test(solvers_wait_for_what_they_depend_on),
        cmocka_unit_test(ik_switched_off_leaves_the_keys),
        cmocka_unit_test(a_link_with_a_fixed_axis_turns_about_it_only),
        cmocka_unit_test(user_edits_are_innermost_and_pass_to_append),
        cmocka_unit_test(overrides_move_what_hangs_on_them_and_appends),
        cmocka_unit_test(an_external_parent_carries_the_bone),
        cmocka_unit_test(groups_spread_once_and_flips_select),
        cmocka_unit_test(bone_morphs_add_up_and_turn),
        cmocka_unit_test(material_morphs_multiply_then_add),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
