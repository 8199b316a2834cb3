/* Tests edits of glTF nodes, which are bones with a scale: their stack of ops, the common handler, whole
 * matrices, physics, and that undo leaves nothing behind. */
#include "made_gltf.h"

#include <math.h>

#include "mmd/edit.h"
#include "mmd/simulation.h"

typedef struct scene {
    mmd_exchange *document;
    mmd_motion *motion; /* NULL if there is none */
    mmd_actor *actor;
    mmd_stage *stage;
    mmd_edit *edit;
    uint64_t blocks;
} scene;

/* Makes a root, a rotated child, and a grandchild with a mesh. The child's rotation and scale may be
 * animated. */
static mmd_exchange *three_nodes(bool animated)
{
    static const float points[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const float turns[2][4] = {{0, 0, 0.38268343f, 0.92387953f}, {0.5f, 0.5f, 0.5f, 0.5f}};
    static const float sizes[2][3] = {{1, 1, 1}, {2, 1, 0.5f}};
    made_gltf file = {.count = 0};
    char text[2048], moves[512] = "";
    int mesh = made_gltf_floats(&file, points[0], 3, "VEC3");
    if (animated) {
        int times = made_gltf_floats(&file, (const float[2]){0, 1}, 2, "SCALAR");
        int turn = made_gltf_floats(&file, turns[0], 2, "VEC4"),
            size = made_gltf_floats(&file, sizes[0], 2, "VEC3");
        snprintf(
            moves, sizeof moves,
            ",\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}},"
            "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"scale\"}}],\"samplers\":["
            "{\"input\":%d,\"output\":%d},{\"input\":%d,\"output\":%d}]}]",
            times, turn, times, size);
    }
    snprintf(text, sizeof text,
             "\"nodes\":[{\"name\":\"root\",\"children\":[1]},{\"name\":\"turned\",\"translation\":[1,0,0],"
             "\"rotation\":[0,0,0.38268343,0.92387953],\"children\":[2]},{\"name\":\"leaf\",\"mesh\":0,"
             "\"translation\":[0,1,0]}],\"meshes\":[{\"primitives\":[{\"mode\":0,\"attributes\":{"
             "\"POSITION\":%d}}]}]%s",
             mesh, moves);
    return made_gltf_read(&file, text);
}

static scene begin_with(mmd_exchange *document, uint64_t blocks, bool physics)
{
    scene s = {.document = document, .blocks = blocks};
    s.actor = mmd_actor_create(document->model);
    s.stage = mmd_stage_create();
    assert_true(s.actor && s.stage);
    assert_int_equal(mmd_actor_set_animations(s.actor, document->animations, document->animation_count, NULL),
                     MMD_OK);
    assert_int_equal(mmd_stage_add_actor(s.stage, s.actor, NULL), MMD_OK);
    mmd_physics_options options = mmd_default_physics_options();
    options.run_ahead = false;
    assert_int_equal(mmd_stage_set_physics(s.stage, physics ? &options : NULL, NULL), MMD_OK);
    mmd_stage_set_frame(s.stage, 15);
    s.edit = mmd_edit_create(s.stage, NULL);
    assert_non_null(s.edit);
    return s;
}

static scene begin(bool animated)
{
    uint64_t blocks = mmd_heap_blocks_in_use();
    return begin_with(three_nodes(animated), blocks, false);
}

static void end(scene *s)
{
    mmd_edit_destroy(s->edit);
    mmd_stage_destroy(s->stage);
    mmd_actor_destroy(s->actor);
    mmd_motion_destroy(s->motion);
    mmd_exchange_destroy(s->document);
    assert_int_equal(mmd_heap_blocks_in_use(), s->blocks);
}

static mmd_item node(uint32_t index)
{
    return (mmd_item){.kind = MMD_ITEM_BONE, .index = index};
}

static mmd_command *command(const scene *s, mmd_item item, mmd_edit_hint hint, mmd_component component,
                            double x, double y, double z)
{
    const double v[3] = {x, y, z};
    mmd_transform3d *object = mmd_edit_edit_transform3d(s->edit, item, hint);
    mmd_command *made = object ? mmd_transform3d_command(s->edit, object, component, v) : NULL;
    mmd_transform3d_destroy(object);
    return made;
}

static bool scale(const scene *s, uint32_t n, double x, double y, double z)
{
    return mmd_edit_do(s->edit, command(s, node(n), MMD_HINT_SCALE, MMD_SCALE, x, y, z));
}

static bool turn(const scene *s, uint32_t n, double x, double y, double z)
{
    return mmd_edit_do(s->edit, command(s, node(n), MMD_HINT_ROTATE, MMD_ROTATION, x, y, z));
}

static double largest_difference(const double *a, const double *b)
{
    double largest = 0;
    for (int k = 0; k < 16; k++)
        largest = fmax(largest, fabs(a[k] - b[k]));
    return largest;
}

static void expect_ops(const scene *s, uint32_t n, const char *last)
{
    mmd_op ops[MMD_OPS_MAX];
    char text[1024] = "";
    size_t count = mmd_edit_ops(s->edit, node(n), ops), length = 0;
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s%s", i ? " " : "",
                                   ops[i].inverse ? "!" : "", ops[i].name);
    const char *first = "rest motion:translate user:translate morph:translate append:translate ik "
                        "morph:rotate motion:rotate user:rotate append:rotate ";
    assert_memory_equal(text, first, strlen(first));
    assert_string_equal(text + strlen(first), last);
}

static void a_nodes_scale_is_innermost_and_in_its_own_axes(void **state)
{
    (void)state;
    scene s = begin(false);
    expect_ops(&s, 0, "user:scale");
    expect_ops(&s, 1, "node:axes user:scale !node:axes");
    end(&s);
    s = begin(true);
    expect_ops(&s, 1, "node:axes user:scale !node:axes motion:scale");
    end(&s);
}

/* Tests nodes that are rotated, moved and scaled by edits, with and without animation. */
static void the_product_of_a_nodes_ops_is_what_the_pose_says(void **state)
{
    (void)state;
    for (int animated = 0; animated < 2; animated++) {
        scene s = begin(animated);
        for (uint32_t n = 0; n < 3; n++) {
            assert_true(scale(&s, n, 1.5, 0.5 + n, 2));
            assert_true(turn(&s, n, 20, 30 + 10 * n, 40));
            assert_true(
                mmd_edit_do(s.edit, command(&s, node(n), MMD_HINT_TRANSLATE, MMD_TRANSLATION, 1, 2, n)));
        }
        for (uint32_t n = 0; n < 3; n++) {
            float world[16];
            double a[16], b[16];
            mmd_edit_inclusive(s.edit, node(n), a);
            mmd_pose_bone_matrix(mmd_actor_pose(s.actor), n, world);
            for (int k = 0; k < 16; k++)
                b[k] = (double)world[k];
            assert_true(largest_difference(a, b) < 1e-4);
            mmd_edit_exclusive(s.edit, node(n), a);
            mmd_edit_inclusive(s.edit, mmd_edit_parent(s.edit, node(n)), b);
            assert_true(largest_difference(a, b) < 1e-4);
        }
        end(&s);
    }
}

/* A scale by 2 along its own X, which points at 45 degrees, keeps right angles to that axis. */
static void a_turned_node_grows_along_its_own_axes(void **state)
{
    (void)state;
    scene s = begin(false);
    assert_true(scale(&s, 1, 2, 1, 1));
    double m[16], half = sqrt(0.5);
    mmd_edit_inclusive(s.edit, node(1), m);
    const double along[2] = {half, half}, across[2] = {-half, half};
    double x[2], y[2];
    for (int k = 0; k < 2; k++) {
        x[k] = m[k] * along[0] + m[4 + k] * along[1];
        y[k] = m[k] * across[0] + m[4 + k] * across[1];
    }
    assert_true(fabs(hypot(x[0], x[1]) - 2) < 1e-5 && fabs(hypot(y[0], y[1]) - 1) < 1e-5);
    assert_true(fabs(x[0] * y[0] + x[1] * y[1]) < 1e-5);
    end(&s);
}

static void the_common_handler_edits_nodes(void **state)
{
    (void)state;
    scene s = begin(false);
    mmd_transform3d *object = mmd_edit_edit_transform3d(s.edit, node(1), MMD_HINT_NONE);
    double v[3];
    for (mmd_component c = MMD_TRANSLATION; c <= MMD_SCALE; c++)
        assert_true(mmd_transform3d_get(s.edit, object, c, v));
    assert_false(mmd_transform3d_get(s.edit, object, MMD_ROTATE_PIVOT, v));
    mmd_transform3d_destroy(object);
    assert_null(mmd_edit_edit_transform3d(s.edit, node(1), MMD_HINT_ROTATE_PIVOT));
    assert_string_equal(mmd_edit_refusal(s.edit),
                        "turned of (1st model) has no pivot: nodes of a glTF have none");
    assert_true(mmd_edit_remove_handler(s.edit, "common"));
    assert_null(mmd_edit_edit_transform3d(s.edit, node(1), MMD_HINT_SCALE));
    assert_null(mmd_edit_transform3d(s.edit, node(1)));
    assert_true(mmd_edit_set_chain(s.edit, NULL, NULL, 0));
    static const double wrong[][3] = {{0, 1, 1}, {1, -1, 1}, {1, 1, 2000}, {1, 1e-4, 1}, {NAN, 1, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(scale(&s, 1, wrong[i][0], wrong[i][1], wrong[i][2]));
    assert_null(mmd_pose_affine_palette(mmd_actor_pose(s.actor)));
    end(&s);
}

/* A whole matrix is split among the node's three ops, whatever ops lie between them. */
static void a_node_lands_where_its_matrix_was_set(void **state)
{
    (void)state;
    for (int animated = 0; animated < 2; animated++) {
        scene s = begin(animated);
        double wanted[16], now[16];
        assert_true(turn(&s, 1, 10, 20, 30));
        assert_true(scale(&s, 1, 3, 2, 1));
        mmd_edit_local(s.edit, node(1), wanted);
        mmd_edit_undo(s.edit);
        mmd_edit_undo(s.edit);
        wanted[12] += 4;
        wanted[14] -= 5;
        mmd_transform3d *object = mmd_edit_transform3d(s.edit, node(1));
        assert_true(mmd_edit_do(s.edit, mmd_transform3d_matrix_command(s.edit, object, wanted)));
        mmd_edit_local(s.edit, node(1), now);
        assert_true(largest_difference(now, wanted) < 1e-4);
        float size[3];
        mmd_pose_get_user_scale(mmd_actor_pose(s.actor), 1, size);
        assert_true(fabsf(size[0] - 3) < 1e-4f && fabsf(size[1] - 2) < 1e-4f && fabsf(size[2] - 1) < 1e-4f);
        wanted[4] += 0.5; /* shear */
        assert_false(mmd_edit_do(s.edit, mmd_transform3d_matrix_command(s.edit, object, wanted)));
        assert_true(strlen(mmd_edit_refusal(s.edit)) > 0);
        mmd_transform3d_destroy(object);
        end(&s);
    }
}

static void an_undone_scale_leaves_nothing_behind(void **state)
{
    (void)state;
    scene s = begin(false);
    const mmd_pose *pose = mmd_actor_pose(s.actor);
    mmd_transform before[3];
    memcpy(before, mmd_pose_palette(pose), sizeof before);
    mmd_command *c = command(&s, node(0), MMD_HINT_SCALE, MMD_SCALE, 1, 1, 1);
    for (int k = 1; k <= 20; k++)
        assert_true(mmd_command_set(s.edit, c, (const double[3]){1 + 0.1 * k, 1, 1 + 0.2 * k}));
    assert_true(mmd_edit_add(s.edit, c));
    double m[16];
    mmd_edit_inclusive(s.edit, node(2), m);
    assert_non_null(mmd_pose_affine_palette(pose));
    assert_true(fabs(m[12] - (1 - sqrt(0.5)) * 3 / 0.08) <
                1e-3); /* the leaf's position is scaled with the root */
    assert_int_equal(mmd_edit_history_steps(s.edit), 1);
    assert_true(mmd_edit_undo(s.edit));
    mmd_edit_inclusive(s.edit, node(2), m);
    assert_null(mmd_pose_affine_palette(pose));
    assert_memory_equal(before, mmd_pose_palette(pose), sizeof before);
    assert_true(mmd_edit_redo(s.edit));
    float size[3];
    mmd_pose_get_user_scale(pose, 0, size);
    assert_true(size[0] == 3 && size[1] == 1 && size[2] == 5);
    end(&s);
}

static mmd_motion *own_motion(void *context, uint32_t actor, uint32_t bone)
{
    (void)actor;
    (void)bone;
    return context;
}

static void keys_hold_no_scale(void **state)
{
    (void)state;
    scene s = begin(false);
    assert_int_equal(mmd_motion_copy(NULL, &s.motion, NULL), MMD_OK);
    assert_int_equal(mmd_actor_add_motion(s.actor, s.motion, NULL), MMD_OK);
    assert_true(scale(&s, 1, 2, 3, 4));
    const mmd_edit_keying keying = {.motion = own_motion, .context = s.motion};
    mmd_edit_set_keying(s.edit, &keying);
    assert_false(scale(&s, 1, 1, 1, 1));
    assert_non_null(strstr(mmd_edit_refusal(s.edit), "hold no scale"));
    assert_true(turn(&s, 1, 0, 0, 30));
    assert_int_equal(s.motion->bone_key_count, 1);
    assert_true(mmd_edit_do(s.edit, mmd_edit_key_command(s.edit, node(1))));
    float size[3];
    mmd_pose_get_user_scale(mmd_actor_pose(s.actor), 1, size);
    assert_true(size[0] == 2 && size[1] == 3 && size[2] == 4); /* registering a key keeps the scale */
    end(&s);
}

/* --- Physics --- */

static mmd_exchange *boxes(void)
{
    made_gltf file = {.count = 0};
    return made_gltf_read(
        &file,
        "\"nodes\":[{\"name\":\"root\",\"children\":[1,2]},{\"name\":\"follows\",\"translation\":[2,0,0],"
        "\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"isKinematic\":true},\"collider\":{"
        "\"geometry\":{\"shape\":0}}}}},{\"name\":\"falls\",\"translation\":[0,5,0],\"extensions\":{"
        "\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1},\"collider\":{\"geometry\":{\"shape\":0}}}}}],"
        "\"extensionsUsed\":[\"KHR_implicit_shapes\",\"KHR_physics_rigid_bodies\"],\"extensions\":{"
        "\"KHR_physics_rigid_bodies\":{},\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"box\",\"box\":{"
        "\"size\":[1,1,1]}}]}}");
}

/* A body that follows its node moves with the scale of the root, in the simulation too. A falling one can
 * only be edited while paused. */
static void bodies_follow_nodes_that_are_scaled(void **state)
{
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    scene s = begin_with(boxes(), blocks, true);
    assert_int_equal(mmd_stage_physscene(s.stage, 0)->body_count, 2);
    double before = (double)mmd_stage_bodies(s.stage, 0)[0].translation[0];
    assert_true(fabs(before - 2 / 0.08) < 1e-3);
    assert_true(scale(&s, 0, 3, 1, 1));
    double m[16];
    mmd_edit_inclusive(s.edit, node(1), m);
    for (int frame = 15; frame < 45; frame++)
        mmd_stage_set_frame(s.stage, frame);
    double after = (double)mmd_stage_bodies(s.stage, 0)[0].translation[0];
    if (!(fabs(after - 6 / 0.08) < 1e-3))
        fail_msg("the body is at %g where %g is wanted", after, 6 / 0.08);
    assert_false(scale(&s, 2, 2, 2, 2));
    assert_non_null(strstr(mmd_edit_refusal(s.edit), "is moved by physics"));
    mmd_edit_options options = mmd_default_edit_options();
    options.paused = true;
    mmd_edit_set_options(s.edit, &options);
    assert_true(scale(&s, 2, 2, 2, 2));
    float world[16];
    mmd_edit_inclusive(s.edit, node(2), m);
    mmd_pose_bone_matrix(mmd_actor_pose(s.actor), 2, world);
    for (int k = 0; k < 16; k++)
        assert_true(fabs((double)world[k] - m[k]) < 1e-3);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_nodes_scale_is_innermost_and_in_its_own_axes),
        cmocka_unit_test(the_product_of_a_nodes_ops_is_what_the_pose_says),
        cmocka_unit_test(a_turned_node_grows_along_its_own_axes),
        cmocka_unit_test(the_common_handler_edits_nodes),
        cmocka_unit_test(a_node_lands_where_its_matrix_was_set),
        cmocka_unit_test(an_undone_scale_leaves_nothing_behind),
        cmocka_unit_test(keys_hold_no_scale),
        cmocka_unit_test(bodies_follow_nodes_that_are_scaled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
