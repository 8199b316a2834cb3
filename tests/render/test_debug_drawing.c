/* Debug drawing: lines of every shape, joint and contact in the right positions; drawn over images, in tiles
 * and with supersampling. */
#include "golden.h"
#include "made_scene.h"

#include "engine/view/debug_lines.h"
#include "hair_model.h"
#include "mmd/simulation.h"

enum { LINES = 4096 };

static mmd_render_line lines[LINES];

/* Returns the number of lines of a scene's bodies with these transforms. */
static size_t bodies_of(made_scene *made, const mmd_transform *places, const uint8_t *states,
                        mmd_render_line *to, size_t max)
{
    debug_edges *edges;
    ASSERT_OK(debug_edges_create(&made->scene, &edges, error));
    const debug_scene seen = {.scene = &made->scene, .edges = edges, .bodies = places, .states = states};
    size_t count = debug_bodies(&seen, to, max);
    debug_edges_destroy(edges);
    return count;
}

static size_t joints_of(made_scene *made, const mmd_transform *places)
{
    const debug_scene seen = {.scene = &made->scene, .bodies = places};
    return debug_joints(&seen, lines, LINES);
}

static double length_of(const float v[3])
{
    return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2]);
}

/* ------------------------------------------------------------------- lines */

/* Computes the smallest and the largest distance of the lines' ends from a point. */
static void reach(size_t count, const float from[3], double *nearest, double *farthest)
{
    *nearest = 1e9;
    *farthest = 0.0;
    for (size_t i = 0; i < count; i++)
        for (int end = 0; end < 2; end++) {
            const float *p = end ? lines[i].to : lines[i].from;
            const float way[3] = {p[0] - from[0], p[1] - from[1], p[2] - from[2]};
            *nearest = fmin(*nearest, length_of(way));
            *farthest = fmax(*farthest, length_of(way));
        }
}

static const struct {
    mmd_phys_shape_kind kind;
    float size[3];
    double nearest, farthest; /* distances of the lines' ends from the centre */
} shapes[] = {
    {MMD_PHYS_SPHERE, {2.0f, 0.0f, 0.0f}, 2.0, 2.0},
    {MMD_PHYS_BOX, {1.0f, 2.0f, 2.0f}, 3.0, 3.0},
    {MMD_PHYS_CAPSULE, {1.0f, 3.0f, 1.0f}, 1.802775638, 2.5},
    {MMD_PHYS_CAPSULE, {1.0f, 3.0f, 0.5f}, 1.58113883, 2.5},
    {MMD_PHYS_CYLINDER, {2.0f, 3.0f, 2.0f}, 2.5, 2.5},
    {MMD_PHYS_PLANE, {0.0f, 0.0f, 0.0f}, 0.0, 28.28427125},
};

static void lines_lie_on_shapes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        made_scene *made = made_scene_create();
        mmd_phys_body *body =
            made_body(made, MMD_PHYS_DYNAMIC, shapes[i].kind, shapes[i].size, 0.0f, 0.0f, 0.0f, 1.0f);
        made_first_shape(made, body)->size[2] = shapes[i].size[2];
        /* Rotated and moved, the distances are the same. */
        const mmd_transform place = {{0.5f, 0.5f, -0.5f, 0.5f}, {3.0f, -4.0f, 5.0f, 0.0f}};
        size_t count = bodies_of(made, &place, NULL, lines, LINES);
        double nearest, farthest;
        assert_true(count > 0 && count <= LINES);
        reach(count, place.translation, &nearest, &farthest);
        assert_true(fabs(nearest - shapes[i].nearest) < 1e-4);
        assert_true(fabs(farthest - shapes[i].farthest) < 1e-4);
        made_destroy(made, NULL);
    }
}

static void what_does_not_fit_is_counted(void **state)
{
    (void)state;
    const float size[3] = {1.0f, 1.0f, 1.0f};
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, size, 0.0f, 0.0f, 0.0f, 1.0f);
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, size, 9.0f, 0.0f, 0.0f, 1.0f)->disabled = true;
    const mmd_transform places[2] = {made->bodies[0].rest, made->bodies[1].rest};
    assert_int_equal(bodies_of(made, places, NULL, NULL, 0), 12);
    memset(lines, 0xee, sizeof *lines * 13);
    assert_int_equal(bodies_of(made, places, NULL, lines, 5), 12);
    for (size_t i = 5 * sizeof *lines; i < 13 * sizeof *lines; i++)
        assert_int_equal(((const unsigned char *)lines)[i], 0xee);
    made_destroy(made, NULL);
}

static void assert_color(const mmd_render_line *line, int r, int g, int b)
{
    if (line->color[0] != r || line->color[1] != g || line->color[2] != b || line->color[3] != 255)
        fail_msg("%d,%d,%d,%d where %d,%d,%d is right", line->color[0], line->color[1], line->color[2],
                 line->color[3], r, g, b);
}

static void colors_tell_kinds_and_states(void **state)
{
    (void)state;
    const float size[3] = {1.0f, 1.0f, 1.0f};
    made_scene *made = made_scene_create();
    mmd_transform places[6];
    for (int i = 0; i < 6; i++)
        made_body(made, i < 4 ? (mmd_phys_motion)i : MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, size, 0.0f, 0.0f, 0.0f,
                  1.0f);
    made_first_shape(made, &made->bodies[5])->trigger = true;
    for (int i = 0; i < 6; i++)
        places[i] = made->bodies[i].rest;
    const uint8_t states[6] = {[2] = DEBUG_ASLEEP, [4] = DEBUG_HELD};
    assert_int_equal(bodies_of(made, places, states, lines, LINES), 6 * 12);
    assert_color(&lines[0], 130, 130, 135);
    assert_color(&lines[12], 30, 165, 65);
    assert_color(&lines[24], 120, 25, 25);
    assert_color(&lines[36], 60, 115, 255);
    assert_color(&lines[48], 240, 150, 0);
    assert_color(&lines[60], 200, 65, 215);
    made_destroy(made, NULL);
}

/* A joint whose bodies have separated has a red line as long as the gap. Movement within its limits is not
 * red. */
static void joints_apart_are_red(void **state)
{
    (void)state;
    const float size[3] = {1.0f, 1.0f, 1.0f};
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, size, 0.0f, 5.0f, 0.0f, 0.0f);
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, size, 0.0f, 3.0f, 0.0f, 1.0f);
    mmd_phys_joint *joint = made_joint(made, MMD_JOINT_PMX_SPRING, 0, 1, 0.0f, 4.0f, 0.0f);
    mmd_transform places[2] = {made->bodies[0].rest, made->bodies[1].rest};
    assert_int_equal(joints_of(made, places), 4); /* three axes and a dot */
    assert_color(&lines[3], 225, 145, 0);
    assert_memory_equal(lines[3].from, lines[3].to, sizeof lines[3].from);
    assert_true(fabs((double)lines[3].from[1] - 4.0) < 1e-5);
    places[1].translation[1] -= 0.5f;
    assert_int_equal(joints_of(made, places), 5);
    assert_color(&lines[4], 255, 0, 0);
    assert_true(fabs((double)lines[4].from[1] - (double)lines[4].to[1] - 0.5) < 1e-5);
    joint->pmx.linear_lower[1] = -1.0f;
    assert_int_equal(joints_of(made, places), 5);
    assert_color(&lines[4], 225, 145, 0);
    joint->disabled = true;
    assert_int_equal(joints_of(made, places), 0);
    made_destroy(made, NULL);
}

/*
 * Joints of glTF, OMI and Ragdoll are red beyond their limits of position and angle. Soft limits are ignored.
 */
static void joints_beyond_their_limits_are_red(void **state)
{
    (void)state;
    const float size[3] = {1.0f, 1.0f, 1.0f};
    mmd_phys_limit limits[2] = {
        {.kind = MMD_LIMIT_LINEAR, .axes = 7, .has_max = true},
        {.kind = MMD_LIMIT_ANGULAR, .axes = 4, .has_min = true, .has_max = true, .min = -0.3f, .max = 0.3f}};
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, size, 0.0f, 5.0f, 0.0f, 0.0f);
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, size, 0.0f, 3.0f, 0.0f, 1.0f);
    mmd_phys_joint *joint = made_joint(made, MMD_JOINT_LIMITS_AND_DRIVES, 0, 1, 0.0f, 3.0f, 0.0f);
    mmd_transform places[2] = {made->bodies[0].rest, made->bodies[1].rest};
    made->scene.limits = limits;
    made->scene.limit_count = joint->limit_count = 2;
    assert_int_equal(joints_of(made, places), 4);
    assert_color(&lines[3], 225, 145, 0);
    places[1].translation[0] += 0.2f;
    assert_int_equal(joints_of(made, places), 5);
    assert_color(&lines[3], 255, 0, 0);
    assert_color(&lines[4], 255, 0, 0);
    limits[0].max = 0.5f;
    assert_int_equal(joints_of(made, places), 5);
    assert_color(&lines[4], 225, 145, 0);
    places[1].translation[0] -= 0.2f;
    places[1].rotation[2] = sinf(0.25f); /* half a radian about Z */
    places[1].rotation[3] = cosf(0.25f);
    assert_int_equal(joints_of(made, places), 7); /* also the axes of B */
    assert_color(&lines[4], 255, 0, 0);
    assert_color(&lines[6], 255, 0, 0);
    limits[1].min = limits[1].max = 0.5f + 6.28318531f; /* full turns are not detected */
    assert_int_equal(joints_of(made, places), 4);
    limits[1].min = limits[1].max = 0.0f;
    limits[1].soft = true;
    assert_int_equal(joints_of(made, places), 4);
    made_destroy(made, NULL);
}

/* The corners of a cube, and inner points, which a hull ignores. Each side has two triangles. */
static const float cube_points[10][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},   {-1, -1, 1},
                                         {1, -1, 1},   {-1, 1, 1},  {1, 1, 1},   {0, 0.5f, 0}, {0, 0, 0.9f}};
static const uint32_t cube_indices[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 6, 5, 7, 0, 1, 4, 4, 1, 5,
                                          2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 5, 3, 7};

static size_t cube_lines(mmd_phys_motion motion, mmd_phys_shape_kind kind, uint32_t points, uint32_t indices)
{
    const float none[3] = {0.0f, 0.0f, 0.0f};
    made_scene *made = made_scene_create();
    mmd_phys_body *body = made_body(made, motion, kind, none, 0.0f, 0.0f, 0.0f, 1.0f);
    made_first_shape(made, body)->mesh = 0;
    made->scene.mesh_count = 1;
    made->meshes[0] = (mmd_phys_mesh){
        .point_count = points, .points = cube_points, .index_count = indices, .indices = cube_indices};
    const mmd_transform place = made->bodies[0].rest;
    size_t count = bodies_of(made, &place, NULL, lines, LINES);
    made_destroy(made, NULL);
    return count;
}

/* Requires that each line is parallel to an axis and as long as the cube's sides. */
static void assert_cube(size_t count)
{
    assert_int_equal(count, 12);
    for (size_t i = 0; i < count; i++) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++)
            sum += fabs((double)lines[i].from[k] - (double)lines[i].to[k]);
        assert_true(fabs(sum - 2.0) < 1e-5);
    }
}

/*
 * Hulls and meshes show the edges of their collision shape. A moving mesh is its hull, as in the simulation.
 */
static void hulls_and_meshes_have_their_edges(void **state)
{
    (void)state;
    assert_cube(cube_lines(MMD_PHYS_DYNAMIC, MMD_PHYS_HULL, 10, 0));
    assert_cube(cube_lines(MMD_PHYS_STATIC, MMD_PHYS_HULL, 10, 36));
    assert_cube(cube_lines(MMD_PHYS_STATIC, MMD_PHYS_MESH, 10, 36));
    assert_cube(cube_lines(MMD_PHYS_DYNAMIC, MMD_PHYS_MESH, 10, 6));
    assert_int_equal(cube_lines(MMD_PHYS_STATIC, MMD_PHYS_MESH, 10, 6),
                     4); /* one side without its diagonal */
    assert_int_equal(cube_lines(MMD_PHYS_STATIC, MMD_PHYS_MESH, 10, 12), 8);
    /* Coplanar points have no hull: they are drawn as dots with a box around them. */
    assert_int_equal(cube_lines(MMD_PHYS_DYNAMIC, MMD_PHYS_HULL, 4, 0), 4 + 12);
    assert_int_equal(cube_lines(MMD_PHYS_DYNAMIC, MMD_PHYS_HULL, 0, 0), 0);
}

/* Each link once, and dots where the soft body is pinned. */
static void soft_bodies_have_their_links(void **state)
{
    (void)state;
    const mmd_phys_soft_anchor anchor = {.node = 3};
    const uint32_t pins[2] = {0, 1}, rope[6] = {0, 1, 1, 2, 2, 3};
    const float places[4][4] = {{0}, {1.0f}, {0.0f, 2.0f}, {1.0f, 2.0f}};
    for (uint8_t shape = 0; shape < 2; shape++) {
        made_scene *made = made_scene_create();
        debug_edges *edges;
        made->softs[0] = (mmd_phys_soft_body){.shape = shape,
                                              .node_count = 4,
                                              .nodes = cube_points,
                                              .index_count = 6,
                                              .indices = shape ? rope : cube_indices,
                                              .anchor_count = 1,
                                              .anchors = &anchor,
                                              .pin_count = 2,
                                              .pins = pins};
        made->scene.soft_bodies = made->softs;
        made->scene.soft_body_count = 1;
        ASSERT_OK(debug_edges_create(&made->scene, &edges, error));
        const debug_scene seen = {.scene = &made->scene, .edges = edges};
        size_t links = shape ? 3 : 5, count = links + 3;
        assert_int_equal(debug_soft_body(&seen, 0, places, NULL, 0), count);
        assert_int_equal(debug_soft_body(&seen, 0, places, lines, LINES), count);
        assert_color(&lines[0], 0, 165, 180);
        assert_memory_equal(lines[count - 3].from, places[0], sizeof lines->from);
        assert_memory_equal(lines[count - 1].from, places[3], sizeof lines->from);
        assert_memory_equal(lines[count - 1].to, places[3], sizeof lines->from);
        debug_edges_destroy(edges);
        made_destroy(made, NULL);
    }
}

static void contacts_have_dots_and_normals(void **state)
{
    (void)state;
    const mmd_contact contacts[2] = {{.position = {1.0f, 2.0f, 3.0f}, .normal = {0.0f, 1.0f, 0.0f}},
                                     {.normal = {1.0f, 0.0f, 0.0f}, .depth = 0.5f}};
    assert_int_equal(debug_contacts(contacts, 2, lines, LINES), 4);
    assert_memory_equal(lines[0].from, lines[0].to, sizeof lines[0].from);
    assert_true((double)lines[1].to[1] > 2.1);
    assert_color(&lines[0], 255, 125, 0);
    assert_color(&lines[2], 255, 0, 80);
}

/* ---------------------------------------------------------------- images */

typedef struct hair_scene {
    hair_model hair;
    hair_motion motion;
    test_scene scene;
} hair_scene;

static void open_hair(hair_scene *h, bool physics)
{
    mmd_physics_options options = mmd_default_physics_options();
    mmd_camera camera = mmd_default_camera();
    hair_model_make(&h->hair);
    hair_motion_make(&h->motion, 120);
    test_scene_open_made(&h->scene, &h->hair.model, NULL, 0);
    ASSERT_OK(mmd_actor_add_motion(h->scene.actor, &h->motion.motion, error));
    options.run_ahead = false;
    if (physics)
        ASSERT_OK(mmd_stage_set_physics(h->scene.stage, &options, error));
    camera.distance = -36.0f;
    camera.position[0] = 5.0f;
    camera.position[1] = 8.6f;
    mmd_stage_set_camera(h->scene.stage, &camera);
    mmd_stage_set_frame(h->scene.stage, 60.0);
}

static void close_hair(hair_scene *h)
{
    test_scene_close(&h->scene);
    hair_model_finish(&h->hair);
}

static mmd_view_options all_lines(void)
{
    mmd_view_options options = mmd_default_view_options();
    options.show_bodies = options.show_joints = options.show_contacts = true;
    options.samples = 4;
    return options;
}

static void bodies_joints_and_contacts_look_as_they_did(void **state)
{
    (void)state;
    golden kept;
    static hair_scene h;
    mmd_view_options options = all_lines();
    open_hair(&h, true);
    if (golden_start(&kept, h.scene.gpu))
        golden_check(&kept, &h.scene, &options, "debug-lines");
    close_hair(&h);
}

/* Finds the smallest box around the lines, in pixels. The image is white without them. */
static void find_box(const mmd_image *image, int box[4])
{
    memcpy(box, (const int[4]){(int)image->width, (int)image->height, -1, -1}, 4 * sizeof *box);
    for (int i = 0; i < (int)(image->width * image->height); i++) {
        int x = i % (int)image->width, y = i / (int)image->width;
        if (image->pixels[4 * i] > 240 && image->pixels[4 * i + 1] > 240 && image->pixels[4 * i + 2] > 240)
            continue;
        box[0] = x < box[0] ? x : box[0];
        box[1] = y < box[1] ? y : box[1];
        box[2] = x > box[2] ? x : box[2];
        box[3] = y > box[3] ? y : box[3];
    }
}

/* A model of twice the size has bodies and joints of twice the size, with and without physics. */
static void lines_are_as_large_as_their_model(void **state)
{
    (void)state;
    static hair_scene h;
    for (int physics = 0; physics < 2; physics++) {
        int boxes[2][4];
        for (int k = 0; k < 2; k++) {
            mmd_image image = {0};
            mmd_view_options options = all_lines();
            mmd_camera camera = mmd_default_camera();
            open_hair(&h, physics);
            mmd_staging staging = *mmd_stage_staging(h.scene.stage, 0);
            staging.scale = k ? 2.0f : 1.0f;
            staging.opacity = 0.01f;
            staging.position[0] = k ? 3.0f : 1.5f;
            mmd_stage_set_staging(h.scene.stage, 0, &staging);
            camera.distance = k ? -120.0f : -60.0f;
            camera.position[0] *= k ? 1.0f : 0.5f;
            camera.position[1] *= k ? 1.0f : 0.5f;
            mmd_stage_set_camera(h.scene.stage, &camera);
            mmd_stage_set_frame(h.scene.stage, 0.0);
            options.show_contacts = false;
            ASSERT_OK(mmd_view_picture(h.scene.view, h.scene.stage, &options, 400, 400, &image, error));
            find_box(&image, boxes[k]);
            mmd_image_finish(&image);
            close_hair(&h);
        }
        print_message("%d..%d x %d..%d, %d..%d x %d..%d\n", boxes[0][0], boxes[0][2], boxes[0][1],
                      boxes[0][3], boxes[1][0], boxes[1][2], boxes[1][1], boxes[1][3]);
        assert_true(boxes[0][2] - boxes[0][0] > 40 && boxes[0][3] - boxes[0][1] > 40);
        for (int i = 0; i < 4; i++)
            /* the widths of lines and the axes of joints keep their size */
            assert_true(abs(boxes[0][i] - boxes[1][i]) <= 5);
    }
}

static size_t pixels_that_differ(const mmd_image *a, const mmd_image *b, int limit)
{
    size_t count = 0;
    for (size_t i = 0; i < (size_t)a->width * a->height; i++) {
        bool differs = false;
        for (int k = 0; k < 3; k++)
            differs |= abs(a->pixels[4 * i + k] - b->pixels[4 * i + k]) > limit;
        count += differs;
    }
    return count;
}

static void tiles_have_no_seams(void **state)
{
    (void)state;
    static hair_scene h;
    mmd_image whole = {0}, tiled = {0};
    mmd_view_options options = all_lines();
    open_hair(&h, true);
    ASSERT_OK(mmd_view_picture(h.scene.view, h.scene.stage, &options, 400, 300, &whole, error));
    options.tile = 96;
    ASSERT_OK(mmd_view_picture(h.scene.view, h.scene.stage, &options, 400, 300, &tiled, error));
    size_t off = pixels_that_differ(&whole, &tiled, 8);
    print_message("%zu pixels off\n", off);
    assert_true(off <= 12); /* rounding at edges */
    mmd_image_finish(&whole);
    mmd_image_finish(&tiled);
    close_hair(&h);
}

/* Without physics, bodies follow their bones. Each switch draws something different, and drawing a frame
 * again allocates nothing. */
static void switches_draw_and_allocate_nothing(void **state)
{
    (void)state;
    static hair_scene h;
    for (int physics = 0; physics < 2; physics++) {
        mmd_image plain = {0}, shown = {0};
        mmd_view_options options = mmd_default_view_options();
        open_hair(&h, physics);
        ASSERT_OK(mmd_view_picture(h.scene.view, h.scene.stage, &options, 200, 150, &plain, error));
        options.show_joints = true;
        ASSERT_OK(mmd_view_picture(h.scene.view, h.scene.stage, &options, 200, 150, &shown, error));
        size_t joints = pixels_that_differ(&plain, &shown, 8);
        options.show_joints = false;
        options.show_bodies = true;
        ASSERT_OK(mmd_view_picture(h.scene.view, h.scene.stage, &options, 200, 150, &shown, error));
        size_t bodies = pixels_that_differ(&plain, &shown, 8);
        print_message("joints %zu, bodies %zu pixels\n", joints, bodies);
        assert_true(joints > 20 && bodies > 200);
        options = all_lines();
        ASSERT_OK(mmd_view_picture(h.scene.view, h.scene.stage, &options, 200, 150, &shown, error));
        uint64_t allocations = mmd_heap_allocations();
        ASSERT_OK(mmd_view_picture(h.scene.view, h.scene.stage, &options, 200, 150, &shown, error));
        assert_true(mmd_heap_allocations() == allocations);
        mmd_image_finish(&plain);
        mmd_image_finish(&shown);
        close_hair(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_lie_on_shapes),
        cmocka_unit_test(what_does_not_fit_is_counted),
        cmocka_unit_test(colors_tell_kinds_and_states),
        cmocka_unit_test(joints_apart_are_red),
        cmocka_unit_test(joints_beyond_their_limits_are_red),
        cmocka_unit_test(hulls_and_meshes_have_their_edges),
        cmocka_unit_test(soft_bodies_have_their_links),
        cmocka_unit_test(contacts_have_dots_and_normals),
        cmocka_unit_test(bodies_joints_and_contacts_look_as_they_did),
        cmocka_unit_test(lines_are_as_large_as_their_model),
        cmocka_unit_test(tiles_have_no_seams),
        cmocka_unit_test(switches_draw_and_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
