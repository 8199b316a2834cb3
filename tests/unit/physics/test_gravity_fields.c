/*
 * Gravity fields: the pull of each kind at a point, order, replacing and stopping; nearest points on shapes.
 */
#include "support.h"

#include "engine/physics/gravity.h"
#include "engine/physics/nearest.h"

static const mmd_transform identity = {{0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};

static void equal3(const float *a, float x, float y, float z, float tolerance)
{
    const float b[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        assert_float_equal(a[k], b[k], tolerance);
}

/* Computes the pull of fields at a point. All fields belong to body 0 at `frame`, and the world's gravity is
 * (0, -1, 0). */
static void pull_of(mmd_physscene *scene, const mmd_transform *frame, float x, float y, float z, float out[3])
{
    uint32_t order[8];
    const uint8_t inside[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    const float world[3] = {0.0f, -1.0f, 0.0f}, point[3] = {x, y, z};
    mmd_gravity_order(scene, order);
    mmd_gravity_at(scene, order, frame, inside, world, point, out);
}

/* Computes the pull of a single field that stops others, in world space. */
static void alone(mmd_phys_gravity field, float x, float y, float z, float out[3])
{
    field.stop = true;
    mmd_physscene scene = {.gravity_count = 1, .gravities = &field};
    pull_of(&scene, &identity, x, y, z, out);
}

static void directional_is_the_same_everywhere(void **state)
{
    (void)state;
    float a[3];
    alone((mmd_phys_gravity){.kind = MMD_GRAVITY_DIRECTIONAL,
                             .gravity = 5.0f,
                             .direction = {0.6f, -0.8f, 0.0f}},
          7.0f, 8.0f, 9.0f, a);
    equal3(a, 3.0f, -4.0f, 0.0f, 1e-6f);
}

/* The example of the extension: a quarter at twice the unit distance, four times at half of it. */
static void points_pull_by_the_inverse_square(void **state)
{
    (void)state;
    mmd_phys_gravity field = {.kind = MMD_GRAVITY_POINT, .gravity = 8.0f, .unit_distance = 10.0f};
    float a[3];
    alone(field, 0.0f, 20.0f, 0.0f, a);
    equal3(a, 0.0f, -2.0f, 0.0f, 1e-6f);
    alone(field, -5.0f, 0.0f, 0.0f, a);
    equal3(a, 32.0f, 0.0f, 0.0f, 1e-5f);
    alone(field, 0.0f, 0.0f, 0.0f, a);
    equal3(a, 0.0f, 0.0f, 0.0f, 0.0f);
    alone(field, 0.0f, 0.0f, 1e-5f, a); /* bounded, not 8e12 */
    equal3(a, 0.0f, 0.0f, -8192.0f, 1e-2f);
    field.unit_distance = 0.0f;
    alone(field, 0.0f, 3.0f, 4.0f, a);
    equal3(a, 0.0f, -4.8f, -6.4f, 1e-5f);
    field.gravity = -5.0f;
    alone(field, 0.0f, 3.0f, 4.0f, a);
    equal3(a, 0.0f, 3.0f, 4.0f, 1e-5f);
}

static void discs_pull_to_their_inside_and_tori_to_their_edge(void **state)
{
    (void)state;
    mmd_phys_gravity field = {.kind = MMD_GRAVITY_DISC, .gravity = 5.0f, .radius = 2.0f};
    float a[3];
    alone(field, 1.0f, 3.0f, 1.0f, a);
    equal3(a, 0.0f, -5.0f, 0.0f, 1e-6f);
    alone(field, 5.0f, -4.0f, 0.0f, a);
    equal3(a, -3.0f, 4.0f, 0.0f, 1e-5f);
    alone(field, 1.0f, 0.0f, 1.0f, a);
    equal3(a, 0.0f, 0.0f, 0.0f, 0.0f);
    field.kind = MMD_GRAVITY_TORUS;
    alone(field, 0.0f, 0.0f, 0.5f, a);
    equal3(a, 0.0f, 0.0f, 5.0f, 1e-6f);
    alone(field, 0.0f, 4.0f, 5.0f, a);
    equal3(a, 0.0f, -4.0f, -3.0f, 1e-5f);
}

static void lines_pull_to_the_nearest_segment(void **state)
{
    (void)state;
    static const float points[3][3] = {{0.0f, 0.0f, 0.0f}, {10.0f, 0.0f, 0.0f}, {10.0f, 10.0f, 0.0f}};
    mmd_phys_gravity field = {
        .kind = MMD_GRAVITY_LINE, .gravity = 5.0f, .unit_distance = 1.0f, .point_count = 3, .points = points};
    float a[3];
    alone(field, 4.0f, 0.0f, 2.0f, a);
    equal3(a, 0.0f, 0.0f, -1.25f, 1e-6f);
    alone(field, 12.0f, 6.0f, 0.0f, a);
    equal3(a, -1.25f, 0.0f, 0.0f, 1e-6f);
    alone(field, -0.6f, 0.8f, 0.0f, a);
    equal3(a, 3.0f, -4.0f, 0.0f, 1e-5f);
}

/* A cube-shaped planet pulls straight down above its sides and diagonally above its corners. Its shape is off
 * centre. */
static void shapes_pull_to_their_surface(void **state)
{
    (void)state;
    mmd_phys_shape shape = {.kind = MMD_PHYS_BOX, .frame = identity, .size = {1.0f, 1.0f, 1.0f}};
    shape.frame.translation[0] = 10.0f;
    mmd_phys_gravity field = {.kind = MMD_GRAVITY_SHAPED, .gravity = 5.0f, .stop = true};
    mmd_physscene scene = {.gravity_count = 1, .gravities = &field, .shape_count = 1, .shapes = &shape};
    float a[3];
    pull_of(&scene, &identity, 10.5f, 7.0f, 0.5f, a);
    equal3(a, 0.0f, -5.0f, 0.0f, 1e-6f);
    pull_of(&scene, &identity, 14.0f, 5.0f, 0.0f, a);
    equal3(a, -3.0f, -4.0f, 0.0f, 1e-5f);
    pull_of(&scene, &identity, 10.2f, 0.3f, 0.0f, a);
    equal3(a, 0.0f, 0.0f, 0.0f, 0.0f);
}

/*
 * Fields are in the space of their body, which is rotated by a quarter turn about Z and located at (1, 0, 0).
 */
static void fields_follow_their_bodies(void **state)
{
    (void)state;
    const mmd_transform frame = {{0.0f, 0.0f, 0.70710678f, 0.70710678f}, {1.0f, 0.0f, 0.0f, 0.0f}};
    mmd_phys_gravity fields[2] = {
        {.kind = MMD_GRAVITY_DIRECTIONAL, .gravity = 5.0f, .direction = {0.0f, -1.0f, 0.0f}, .stop = true},
        {.kind = MMD_GRAVITY_POINT, .gravity = 5.0f, .stop = true}};
    float a[3];
    mmd_physscene scene = {.gravity_count = 1, .gravities = fields};
    pull_of(&scene, &frame, 0.0f, 0.0f, 0.0f, a);
    equal3(a, 5.0f, 0.0f, 0.0f, 1e-5f);
    scene.gravities = fields + 1;
    pull_of(&scene, &frame, 1.0f, 9.0f, 0.0f, a);
    equal3(a, 0.0f, -5.0f, 0.0f, 1e-5f);
}

static mmd_phys_gravity along_x(int32_t priority, float gravity, bool replace, bool stop)
{
    return (mmd_phys_gravity){.kind = MMD_GRAVITY_DIRECTIONAL,
                              .priority = priority,
                              .gravity = gravity,
                              .replace = replace,
                              .stop = stop,
                              .direction = {1.0f, 0.0f, 0.0f}};
}

/* Higher priorities apply first. The world's (0, -1, 0) comes last. */
static void fields_add_replace_and_stop(void **state)
{
    (void)state;
    const struct {
        mmd_phys_gravity fields[3];
        float x, y;
    } cases[] = {{{along_x(0, 1, false, false), along_x(5, 10, false, false), along_x(-5, 100, false, false)},
                  111.0f,
                  -1.0f},
                 {{along_x(0, 1, true, false), along_x(5, 10, false, false), along_x(-5, 100, false, false)},
                  101.0f,
                  -1.0f},
                 {{along_x(0, 1, false, true), along_x(5, 10, false, false), along_x(-5, 100, false, false)},
                  11.0f,
                  0.0f},
                 {{along_x(0, 1, true, true), along_x(5, 10, false, false), along_x(-5, 100, false, false)},
                  1.0f,
                  0.0f},
                 {{along_x(0, 1, false, true), along_x(0, 10, false, false), along_x(0, 100, false, false)},
                  1.0f,
                  0.0f}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mmd_phys_gravity fields[3];
        memcpy(fields, cases[i].fields, sizeof fields);
        mmd_physscene scene = {.gravity_count = 3, .gravities = fields};
        float a[3];
        pull_of(&scene, &identity, 0.0f, 0.0f, 0.0f, a);
        equal3(a, cases[i].x, cases[i].y, 0.0f, 1e-5f);
    }
}

/* Tests ten thousand fields with few priorities. */
static void order_is_by_priority_then_the_scenes(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    mmd_phys_gravity *fields = test_calloc(COUNT, sizeof *fields);
    uint32_t *order = test_calloc(COUNT, sizeof *order);
    uint64_t random = 3;
    for (int i = 0; i < COUNT; i++)
        fields[i].priority = (int32_t)(test_random(&random) % 9) - 4;
    mmd_physscene scene = {.gravity_count = COUNT, .gravities = fields};
    mmd_gravity_order(&scene, order);
    for (int i = 1; i < COUNT; i++) {
        int32_t before = fields[order[i - 1]].priority, after = fields[order[i]].priority;
        assert_true(before > after || (before == after && order[i - 1] < order[i]));
    }
    test_free(fields);
    test_free(order);
}

static void fields_outside_of_which_one_is_do_nothing(void **state)
{
    (void)state;
    mmd_phys_gravity fields[2] = {along_x(0, 1, false, false), along_x(0, 10, false, true)};
    fields[0].body = -1; /* everywhere */
    mmd_physscene scene = {.gravity_count = 2, .gravities = fields};
    uint32_t order[2];
    const uint8_t inside[2] = {0, 0};
    const float world[3] = {0.0f, -1.0f, 0.0f}, point[3] = {0.0f, 0.0f, 0.0f};
    float a[3];
    mmd_gravity_order(&scene, order);
    mmd_gravity_at(&scene, order, &identity, inside, world, point, a);
    equal3(a, 1.0f, -1.0f, 0.0f, 0.0f);
}

/* ----------------------------------------------------------- nearest points */

static void nearest(mmd_phys_shape_kind kind, float x, float y, float z, const float p[3], float out[3])
{
    static const float cube[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                     {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    static const uint32_t top[6] = {2, 3, 7, 2, 7, 6};
    mmd_phys_mesh mesh = {.point_count = 8, .points = cube, .index_count = 6, .indices = top};
    mmd_physscene scene = {.mesh_count = 1, .meshes = &mesh};
    const mmd_phys_shape shape = {.kind = (uint8_t)kind, .size = {x, y, z}, .mesh = 0};
    mmd_nearest_on_shape(&scene, &shape, p, out);
}

static void nearest_points_of_each_shape(void **state)
{
    (void)state;
    const struct {
        mmd_phys_shape_kind kind;
        float size[3], p[3], expected[3];
    } cases[] = {
        {MMD_PHYS_SPHERE, {2, 0, 0}, {3, 0, 4}, {1.2f, 0, 1.6f}},
        {MMD_PHYS_SPHERE, {2, 0, 0}, {1, 1, 0}, {1, 1, 0}},
        {MMD_PHYS_BOX, {1, 2, 3}, {5, -5, 1}, {1, -2, 1}},
        {MMD_PHYS_CAPSULE, {1, 4, 1}, {3, 1, 0}, {1, 1, 0}},
        {MMD_PHYS_CAPSULE, {1, 4, 1}, {3, 6, 0}, {0.6f, 2.8f, 0}},
        {MMD_PHYS_CAPSULE, {1, 4, 0}, {3, -2, 0}, {1, -2, 0}},
        {MMD_PHYS_CAPSULE, {1, 4, 0}, {0, 5, 0}, {0, 2, 0}},
        {MMD_PHYS_CAPSULE, {5, 1, 1}, {0, 9, 0}, {0, 4.5f, 0}}, /* one sphere is inside the other */
        {MMD_PHYS_CYLINDER, {1, 4, 1}, {3, 1, 0}, {1, 1, 0}},
        {MMD_PHYS_CYLINDER, {1, 4, 1}, {3, 3, 0}, {1, 2, 0}},
        {MMD_PHYS_CYLINDER, {1, 4, 1}, {0.5f, 3, 0}, {0.5f, 2, 0}},
        {MMD_PHYS_CYLINDER, {4, 4, 0}, {4, 2, 0}, {2, 0, 0}}, /* a cone; the nearest point is on its slope */
        {MMD_PHYS_HULL, {0, 0, 0}, {0.3f, 5, -0.2f}, {0.3f, 1, -0.2f}},
        {MMD_PHYS_HULL, {0, 0, 0}, {3, 4, 5}, {1, 1, 1}},
        {MMD_PHYS_HULL, {0, 0, 0}, {0.5f, -3, 4}, {0.5f, -1, 1}},
        {MMD_PHYS_HULL, {0, 0, 0}, {0.3f, -0.4f, 0.5f}, {0.3f, -0.4f, 0.5f}},
        {MMD_PHYS_MESH, {0, 0, 0}, {0.3f, -5, -0.2f}, {0.3f, 1, -0.2f}},
        {MMD_PHYS_MESH, {0, 0, 0}, {4, 0, -3}, {1, 1, -1}},
        {MMD_PHYS_PLANE, {0, 0, 0}, {4, 3, -3}, {4, 0, -3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float out[3];
        nearest(cases[i].kind, cases[i].size[0], cases[i].size[1], cases[i].size[2], cases[i].p, out);
        equal3(out, cases[i].expected[0], cases[i].expected[1], cases[i].expected[2], 1e-5f);
    }
}

/* Compares a hull in the shape of a box with the box, at many points. */
static void hulls_are_as_near_as_their_boxes(void **state)
{
    (void)state;
    uint64_t random = 7;
    float worst = 0.0f;
    for (int i = 0; i < 2000; i++) {
        float p[3], box[3], hull[3];
        for (int k = 0; k < 3; k++)
            p[k] = (float)(test_random(&random) >> 40) / 2097152.0f - 4.0f;
        nearest(MMD_PHYS_BOX, 1.0f, 1.0f, 1.0f, p, box);
        nearest(MMD_PHYS_HULL, 0.0f, 0.0f, 0.0f, p, hull);
        for (int k = 0; k < 3; k++)
            worst = fmaxf(worst, fabsf(box[k] - hull[k]));
    }
    assert_true(worst < 1e-3f);
}

static void triangles_without_area_are_their_edges(void **state)
{
    (void)state;
    const float a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {4, 0, 0}, p[3] = {3, 5, 0};
    float out[3];
    mmd_nearest_on_triangle(a, b, c, p, out);
    equal3(out, 3.0f, 0.0f, 0.0f, 1e-6f);
    mmd_nearest_on_triangle(b, b, b, p, out);
    equal3(out, 1.0f, 0.0f, 0.0f, 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directional_is_the_same_everywhere),
        cmocka_unit_test(points_pull_by_the_inverse_square),
        cmocka_unit_test(discs_pull_to_their_inside_and_tori_to_their_edge),
        cmocka_unit_test(lines_pull_to_the_nearest_segment),
        cmocka_unit_test(shapes_pull_to_their_surface),
        cmocka_unit_test(fields_follow_their_bodies),
        cmocka_unit_test(fields_add_replace_and_stop),
        cmocka_unit_test(order_is_by_priority_then_the_scenes),
        cmocka_unit_test(fields_outside_of_which_one_is_do_nothing),
        cmocka_unit_test(nearest_points_of_each_shape),
        cmocka_unit_test(hulls_are_as_near_as_their_boxes),
        cmocka_unit_test(triangles_without_area_are_their_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
