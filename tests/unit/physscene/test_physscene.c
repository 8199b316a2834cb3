/* The physics scene: which bodies collide, and what the check refuses and accepts. */
#include "support.h"

#include "mmd/physscene.h"

/* ---------------------------------------------------------------- filters */

static bool collide(const mmd_phys_filter *a, const mmd_phys_filter *b)
{
    mmd_phys_filter filters[2] = {*a, *b};
    mmd_physscene scene = {.filter_count = 2, .filters = filters};
    bool there = mmd_physscene_collides(&scene, 0, 1);
    assert_int_equal(there, mmd_physscene_collides(&scene, 1, 0));
    return there;
}

static void groups_collide_if_both_masks_let_them(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 4; bits++) {
        mmd_phys_filter a = {.group = 3, .mask = bits & 1 ? 1u << 15 : 0};
        mmd_phys_filter b = {.group = 15, .mask = bits & 2 ? 1u << 3 : 0};
        assert_int_equal(collide(&a, &b), bits == 3);
    }
    mmd_phys_filter self = {.group = 7, .mask = 1u << 7};
    assert_true(collide(&self, &self));
}

static const uint32_t systems[4] = {0, 1, 2, 3};

/* docs/formats.md 1: by intersection, in both directions. Names: 0 dynamic, 1 static, 2 other. */
static void systems_collide_by_intersection(void **state)
{
    (void)state;
    mmd_phys_filter floor = {.named = true, .systems = systems + 1, .system_count = 2};
    mmd_phys_filter likes = {.named = true,
                             .systems = systems,
                             .system_count = 1,
                             .has_collide_with = true,
                             .collide_with = systems,
                             .collide_count = 2};
    mmd_phys_filter shy = likes;
    shy.collide_count = 1;
    assert_true(collide(&likes, &floor));
    assert_false(collide(&shy, &floor));
    assert_true(collide(&likes, &shy));
    mmd_phys_filter hates = {.named = true,
                             .systems = systems,
                             .system_count = 1,
                             .not_collide_with = systems + 2,
                             .not_collide_count = 1};
    assert_false(collide(&hates, &floor));
    assert_true(collide(&hates, &likes));
}

static void an_empty_list_lets_nothing_pass(void **state)
{
    (void)state;
    mmd_phys_filter any = {.named = true, .systems = systems, .system_count = 1};
    mmd_phys_filter none = {.named = true, .systems = systems, .system_count = 1, .has_collide_with = true};
    mmd_phys_filter nameless = {.named = true};
    assert_true(collide(&any, &any));
    assert_false(collide(&none, &any));
    assert_false(collide(&none, &none));
    assert_true(collide(&nameless, &any));
}

static void no_filter_and_other_kinds_pass(void **state)
{
    (void)state;
    mmd_phys_filter filters[2] = {{.named = true, .has_collide_with = true}, {.group = 1, .mask = 0}};
    mmd_physscene scene = {.filter_count = 2, .filters = filters};
    assert_true(mmd_physscene_collides(&scene, -1, -1));
    assert_true(mmd_physscene_collides(&scene, 0, -1));
    assert_true(mmd_physscene_collides(&scene, -1, 1));
    assert_true(mmd_physscene_collides(&scene, 0, 1));
}

/* ------------------------------------------------------------------ check */

/* A scene with one of everything in memory of its own, so that tests can modify each number. */
typedef struct whole {
    mmd_physscene scene;
    mmd_phys_body bodies[2];
    mmd_phys_shape shapes[2];
    mmd_phys_mesh meshes[1];
    mmd_phys_material materials[1];
    mmd_phys_filter filters[1];
    mmd_phys_joint joints[1];
    mmd_phys_limit limits[2];
    mmd_phys_drive drives[2];
    mmd_phys_soft_body soft_bodies[1];
    mmd_phys_gravity gravities[1];
    float points[3][3];
    uint32_t indices[3];
    uint32_t vertices[3];
    mmd_phys_soft_anchor anchor;
    uint32_t pin;
    uint32_t system;
} whole;

static const mmd_transform identity = {{0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};
static const char *names[1] = {"system"};

static void fill_soft_body(whole *w)
{
    w->anchor = (mmd_phys_soft_anchor){.node = 1, .body = 1};
    w->soft_bodies[0] = (mmd_phys_soft_body){.name = "cloth",
                                             .filter = 0,
                                             .mass = 1.0f,
                                             .node_count = 3,
                                             .nodes = (const float(*)[3])w->points,
                                             .index_count = 3,
                                             .indices = w->indices,
                                             .anchor_count = 1,
                                             .anchors = &w->anchor,
                                             .pin_count = 1,
                                             .pins = &w->pin,
                                             .vertex_count = 3,
                                             .vertices = w->vertices,
                                             .vertex_node = w->indices};
}

static void fill_shapes(whole *w)
{
    for (int i = 0; i < 2; i++)
        w->shapes[i] = (mmd_phys_shape){.kind = i ? MMD_PHYS_MESH : MMD_PHYS_BOX,
                                        .solid = true,
                                        .frame = identity,
                                        .size = {1.0f, 1.0f, 1.0f},
                                        .mesh = i - 1,
                                        .name = "box",
                                        .path = ""};
    w->meshes[0] = (mmd_phys_mesh){
        .point_count = 3, .points = (const float(*)[3])w->points, .index_count = 3, .indices = w->indices};
    w->materials[0] = mmd_default_phys_material();
    w->filters[0] = (mmd_phys_filter){.named = true, .systems = &w->system, .system_count = 1};
}

static void fill_bodies(whole *w)
{
    for (uint32_t i = 0; i < 2; i++)
        w->bodies[i] = (mmd_phys_body){.name = "hair",
                                       .path = "",
                                       .motion = MMD_PHYS_DYNAMIC,
                                       .rest = identity,
                                       .bone = -1,
                                       .mass = 1.0f,
                                       .inertia_rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                                       .first_shape = i,
                                       .shape_count = 1};
    w->joints[0] = (mmd_phys_joint){.name = "link",
                                    .path = "",
                                    .kind = MMD_JOINT_LIMITS_AND_DRIVES,
                                    .body_a = 0,
                                    .body_b = 1,
                                    .frame_a = identity,
                                    .frame_b = identity,
                                    .limit_count = 2,
                                    .drive_count = 2};
}

static void fill_limits(whole *w)
{
    w->limits[0] = (mmd_phys_limit){.axes = 7, .has_min = true, .has_max = true, .max = 1.0f};
    w->limits[1] = (mmd_phys_limit){.kind = MMD_LIMIT_ELLIPSE,
                                    .has_max = true,
                                    .max = 1.0f,
                                    .max2 = 0.5f,
                                    .soft = true,
                                    .stiffness = 1.0f,
                                    .damping = 1.0f};
    w->drives[0] = (mmd_phys_drive){.kind = MMD_DRIVE_POSE, .max_force = INFINITY, .target = identity};
    w->drives[1] = (mmd_phys_drive){.kind = MMD_DRIVE_LINEAR, .axis = 2};
    w->gravities[0] =
        (mmd_phys_gravity){.kind = MMD_GRAVITY_SHAPED, .body = 0, .direction = {0.0f, -1.0f, 0.0f}};
}

static void fill(whole *w)
{
    *w = (whole){.indices = {0, 1, 2}, .vertices = {4, 7, 9}};
    w->points[1][0] = w->points[2][1] = 1.0f;
    fill_soft_body(w);
    fill_shapes(w);
    fill_bodies(w);
    fill_limits(w);
    w->scene = (mmd_physscene){.world = mmd_default_gltf_world(),
                               .body_count = 2,
                               .bodies = w->bodies,
                               .shape_count = 2,
                               .shapes = w->shapes,
                               .mesh_count = 1,
                               .meshes = w->meshes,
                               .material_count = 1,
                               .materials = w->materials,
                               .filter_count = 1,
                               .filters = w->filters,
                               .system_count = 1,
                               .system_names = names,
                               .joint_count = 1,
                               .joints = w->joints,
                               .limit_count = 2,
                               .limits = w->limits,
                               .drive_count = 2,
                               .drives = w->drives,
                               .soft_body_count = 1,
                               .soft_bodies = w->soft_bodies,
                               .gravity_count = 1,
                               .gravities = w->gravities};
}

static void a_whole_scene_passes(void **state)
{
    (void)state;
    whole w;
    fill(&w);
    mmd_error error = {0};
    assert_int_equal(mmd_physscene_check(&w.scene, &error), MMD_OK);
    mmd_physscene empty = {.world = mmd_default_phys_world()};
    assert_int_equal(mmd_physscene_check(&empty, NULL), MMD_OK);
}

/* Requires this result of the check, and repairs the scene. */
static void refused(whole *w, mmd_status status, const char *section, const char *part)
{
    mmd_error error = {0};
    assert_int_equal(mmd_physscene_check(&w->scene, &error), status);
    assert_string_equal(error.section, section);
    assert_int_equal(error.offset, MMD_NO_OFFSET);
    if (!strstr(error.message, part))
        fail_msg("\"%s\" does not say \"%s\"", error.message, part);
    fill(w);
}

static void floats_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    whole w;
    fill(&w);
    const struct {
        float *number;
        const char *section, *part;
    } spoils[] = {{&w.scene.world.gravity[1], "world", "gravity"},
                  {&w.scene.world.joint_erp, "world", "errors"},
                  {&w.bodies[1].rest.translation[2], "body", "body 1 (hair) has a rest transform of"},
                  {&w.bodies[1].rest.rotation[0], "body", "rest transform"},
                  {&w.bodies[0].mass, "body", "mass"},
                  {&w.bodies[0].inertia[2], "body", "inertia"},
                  {&w.bodies[0].center[1], "body", "centre"},
                  {&w.bodies[0].linear_damping, "body", "linear damping"},
                  {&w.bodies[0].angular_velocity[0], "body", "angular velocity"},
                  {&w.bodies[0].gravity_factor, "body", "gravity factor"},
                  {&w.shapes[0].size[0], "shape", "shape 0 (box) has a size of"},
                  {&w.shapes[1].frame.translation[0], "shape", "frame"},
                  {&w.points[2][2], "mesh", "mesh 0 has a point of"},
                  {&w.materials[0].restitution, "material", "restitution"},
                  {&w.joints[0].frame_b.translation[1], "joint", "joint 0 (link) has a frame in B of"},
                  {&w.joints[0].pmx.angular_spring[0], "joint", "angular spring"},
                  {&w.limits[0].min, "limit", "limit 0 has a minimum of"},
                  {&w.limits[1].stiffness, "limit", "stiffness"},
                  {&w.drives[0].target.rotation[1], "drive", "target"},
                  {&w.drives[0].max_force, "drive", "force"},
                  {&w.drives[1].position_target, "drive", "drive 1 has a target of"},
                  {&w.soft_bodies[0].config[11], "soft body", "soft body 0 (cloth) has a setting of"},
                  {&w.gravities[0].radius, "gravity", "radius"}};
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        *spoils[i].number = NAN;
        refused(&w, MMD_ERROR_VALUE, spoils[i].section, spoils[i].part);
        assert_int_equal(mmd_physscene_check(&w.scene, NULL), MMD_OK);
    }
}

static void floats_that_are_too_large_are_refused(void **state)
{
    (void)state;
    whole w;
    fill(&w);
    const struct {
        float *number, value;
        const char *section, *part;
    } spoils[] = {
        {&w.scene.world.gravity[1], -1e10f, "world", "the world has a gravity of -1e+10"},
        {&w.bodies[1].rest.translation[2], 2e9f, "body", "body 1 (hair) has a rest transform of 2e+09"},
        {&w.bodies[0].mass, 1e13f, "body", "has a mass of 1e+13; the limit for simulation is 1e+12"},
        {&w.bodies[0].inertia[2], 1e31f, "body", "has an inertia of"},
        {&w.bodies[0].angular_velocity[0], 1e20f, "body", "has an angular velocity of"},
        {&w.shapes[0].size[0], 3e38f, "shape", "shape 0 (box) has a size of 3e+38"},
        {&w.points[2][2], -3e38f, "mesh", "mesh 0 has a point of"},
        {&w.materials[0].restitution, 1e20f, "material", "restitution"},
        {&w.joints[0].frame_b.translation[1], 1e20f, "joint", "frame in B"},
        {&w.limits[1].stiffness, 1e31f, "limit", "stiffness"},
        {&w.drives[1].position_target, 1e31f, "drive", "target"},
        {&w.soft_bodies[0].config[11], 1e13f, "soft body", "setting"},
        {&w.gravities[0].radius, 1e10f, "gravity", "radius"}};
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        *spoils[i].number = spoils[i].value;
        refused(&w, MMD_ERROR_VALUE, spoils[i].section, spoils[i].part);
    }
}

static void indices_that_point_at_nothing_are_refused(void **state)
{
    (void)state;
    whole w;
    fill(&w);
    const struct {
        int32_t *number, value;
        const char *section, *part;
    } spoils[] = {{&w.shapes[1].mesh, 1, "shape", "mesh 1, but there are only 1"},
                  {&w.shapes[1].mesh, -1, "shape", "mesh -1"},
                  {&w.shapes[0].material, 1, "shape", "material 1"},
                  {&w.shapes[0].filter, -2, "shape", "filter -2"},
                  {&w.joints[0].body_a, 2, "joint", "body A 2, but there are only 2"},
                  {&w.joints[0].body_b, INT32_MIN, "joint", "body B -2147483648"},
                  {&w.bodies[0].bone, -2, "body", "bone -2"},
                  {&w.anchor.body, 2, "soft body", "anchor's body 2"},
                  {&w.gravities[0].shape, 2, "gravity", "shape 2"},
                  {&w.gravities[0].body, 2, "gravity", "body 2"}};
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        *spoils[i].number = spoils[i].value;
        refused(&w, MMD_ERROR_INDEX, spoils[i].section, spoils[i].part);
    }
}

static void runs_and_lists_beyond_the_end_are_refused(void **state)
{
    (void)state;
    whole w;
    fill(&w);
    const struct {
        uint32_t *number, value;
        const char *section, *part;
    } spoils[] = {{&w.bodies[1].shape_count, 2, "body", "2 shapes from 1 on, but there are only 2"},
                  {&w.bodies[1].first_shape, UINT32_MAX, "body", "shapes"},
                  {&w.joints[0].limit_count, 3, "joint", "3 limits"},
                  {&w.joints[0].first_drive, 1, "joint", "2 drives from 1 on"},
                  {&w.indices[1], 3, "mesh", "point 3"},
                  {&w.system, 1, "filter", "system 1"},
                  {&w.pin, 3, "soft body", "pinned node 3"},
                  {&w.anchor.node, 4, "soft body", "anchored node 4"}};
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        *spoils[i].number = spoils[i].value;
        refused(&w, MMD_ERROR_INDEX, spoils[i].section, spoils[i].part);
    }
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    whole w;
    fill(&w);
    w.bodies[1].mass = -1.0f;
    refused(&w, MMD_ERROR_VALUE, "body", "negative mass, -1");
    w.shapes[0].size[2] = -0.5f;
    refused(&w, MMD_ERROR_VALUE, "shape", "negative size, -0.5");
    w.bodies[0].rest.rotation[3] = 2.0f;
    refused(&w, MMD_ERROR_VALUE, "body", "of length 2 instead of 1");
    w.limits[0].min = 2.0f;
    refused(&w, MMD_ERROR_VALUE, "limit", "minimum of 2 above its maximum of 1");
    w.limits[0].axes = 0;
    refused(&w, MMD_ERROR_VALUE, "limit", "axes 0");
    w.limits[0].axes = 8;
    refused(&w, MMD_ERROR_VALUE, "limit", "axes 8");
    w.joints[0].body_b = 0;
    refused(&w, MMD_ERROR_VALUE, "joint", "joins a body with itself");
    w.joints[0].body_a = w.joints[0].body_b = -1;
    refused(&w, MMD_ERROR_VALUE, "joint", "joins the world with itself");
    w.joints[0].kind = 7;
    refused(&w, MMD_ERROR_VALUE, "joint", "kind 7");
    w.scene.world.joint_lever = 2;
    refused(&w, MMD_ERROR_VALUE, "world", "lever of joints 2");
    w.scene.world.rate = 19;
    refused(&w, MMD_ERROR_VALUE, "world", "19 steps");
    w.scene.world.iterations = 1001;
    refused(&w, MMD_ERROR_VALUE, "world", "1001 iterations");
    w.vertices[2] = 7;
    refused(&w, MMD_ERROR_VALUE, "soft body", "vertex 7");
    w.meshes[0].index_count = 2;
    refused(&w, MMD_ERROR_VALUE, "mesh", "2 indices");
}

static void what_only_looks_odd_passes(void **state)
{
    (void)state;
    whole w;
    fill(&w);
    w.bodies[0].mass = 0.0f;
    memset(w.shapes[0].size, 0, sizeof w.shapes[0].size);
    w.joints[0].pmx.linear_lower[0] = 1.0f; /* above the upper limit: a free axis */
    w.limits[0].has_min = false;            /* min is then ignored */
    w.limits[0].min = NAN;
    w.joints[0].body_b = -1;
    w.bodies[0].disabled = true;
    assert_int_equal(mmd_physscene_check(&w.scene, NULL), MMD_OK);
    w.joints[0].body_a = -1;
    w.joints[0].disabled = true;
    assert_int_equal(mmd_physscene_check(&w.scene, NULL), MMD_OK);
}

/* A name as long as an error message, with percent signs, is harmless. */
static void long_names_are_cut_in_messages(void **state)
{
    (void)state;
    whole w;
    fill(&w);
    char name[600];
    memset(name, '%', sizeof name);
    name[sizeof name - 1] = '\0';
    w.bodies[0].name = name;
    w.bodies[0].mass = NAN;
    refused(&w, MMD_ERROR_VALUE, "body", "%%%) has a mass of");
}

/* ----------------------------------------------------------- hulls, edges */

static const float corners[9][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, 0},   {0, 0, 2},
                                    {2, 0, 2}, {0, 2, 2}, {2, 2, 2}, {1, 1.5f, 1}};

/* A cube's hull has twelve triangles that face outwards, and each edge is found once. */
static void hulls_have_the_edges_of_their_points(void **state)
{
    (void)state;
    uint32_t *indices, (*edges)[2], edge_count;
    mmd_phys_mesh hull = {.point_count = 9, .points = corners};
    assert_true(mmd_hull_triangles(corners, 9, &indices, &hull.index_count));
    hull.indices = indices;
    assert_int_equal(hull.index_count, 36);
    for (uint32_t i = 0; i < 36; i++)
        assert_true(indices[i] < 8);
    assert_true(mmd_mesh_edges(&hull, false, &edges, &edge_count));
    assert_int_equal(edge_count, 18);
    mmd_free(edges);
    assert_true(mmd_mesh_edges(&hull, true, &edges, &edge_count));
    assert_int_equal(edge_count, 12);
    for (uint32_t i = 1; i < edge_count; i++)
        assert_true(edges[i][0] < edges[i][1] &&
                    (edges[i - 1][0] < edges[i][0] || edges[i - 1][1] < edges[i][1]));
    mmd_free(edges);
    mmd_free(indices);
    assert_false(mmd_hull_triangles(corners, 4, &indices, &hull.index_count)); /* coplanar */
    assert_false(mmd_hull_triangles(corners, 3, &indices, &hull.index_count));
}

static void meshes_may_be_empty_or_flat(void **state)
{
    (void)state;
    const uint32_t indices[9] = {0, 1, 3, 0, 3, 2, 5, 5, 6};
    uint32_t(*edges)[2], count;
    mmd_phys_mesh mesh = {.point_count = 9, .points = corners, .indices = indices};
    assert_true(mmd_mesh_edges(&mesh, true, &edges, &count));
    assert_int_equal(count, 0);
    mmd_free(edges);
    mesh.index_count = 8; /* a missing triangle */
    assert_true(mmd_mesh_edges(&mesh, true, &edges, &count));
    assert_int_equal(count, 4);
    mmd_free(edges);
    mesh.index_count = 9; /* no area, and one edge */
    assert_true(mmd_mesh_edges(&mesh, false, &edges, &count));
    assert_int_equal(count, 6);
    mmd_free(edges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_collide_if_both_masks_let_them),
        cmocka_unit_test(systems_collide_by_intersection),
        cmocka_unit_test(an_empty_list_lets_nothing_pass),
        cmocka_unit_test(no_filter_and_other_kinds_pass),
        cmocka_unit_test(a_whole_scene_passes),
        cmocka_unit_test(floats_that_are_not_finite_are_refused),
        cmocka_unit_test(floats_that_are_too_large_are_refused),
        cmocka_unit_test(indices_that_point_at_nothing_are_refused),
        cmocka_unit_test(runs_and_lists_beyond_the_end_are_refused),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(what_only_looks_odd_passes),
        cmocka_unit_test(long_names_are_cut_in_messages),
        cmocka_unit_test(hulls_have_the_edges_of_their_points),
        cmocka_unit_test(meshes_may_be_empty_or_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
