/*
 * Bodies dropped upright on an infinite plane come to stand on it and stay at rest: on a plane of KHR and
 * Ragdoll's ground, boxes, cylinders, hulls and tables, also tilted, spinning and after a high drop. On the
 * ground of PMX boxes fall over, as in MMD (test_mmd_bodies.c).
 */
#include "made_scene.h"
#include "physics_run.h"

static const double degree = 180 / 3.14159265358979;

/* Returns the angle between a body's Y and the world's, in degrees. */
static double lean_of(const mmd_world *world, uint32_t body)
{
    const float *q = mmd_world_transforms(world)[body].rotation;
    double x = (double)q[0], z = (double)q[2];
    return 2 * asin(fmin(1, sqrt(x * x + z * z))) * degree;
}

/* --- from files: a row of boxes of 0.1 x 0.3 x 0.1 m, dropped from these heights in m --- */

static const float drops[] = {0.001f, 0.02f, 0.1f, 0.3f, 1.0f};
enum { DROPS = sizeof drops / sizeof *drops };

/* Opens a glTF with a KHR plane and a row of boxes above it. */
static run open_khr_plane(void)
{
    char text[8192];
    int used = snprintf(
        text, sizeof text,
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1,2,3,4,5]}],"
        "\"extensionsUsed\":[\"KHR_physics_rigid_bodies\",\"KHR_implicit_shapes\"],\"extensions\":{"
        "\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"plane\",\"plane\":{}},{\"type\":\"box\","
        "\"box\":{\"size\":[0.1,0.3,0.1]}}]}},\"nodes\":[{\"extensions\":{\"KHR_physics_rigid_bodies\":{"
        "\"collider\":{\"geometry\":{\"shape\":0}}}}}");
    for (int i = 0; i < DROPS; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         ",{\"translation\":[%d,%g,0],\"extensions\":{\"KHR_physics_rigid_bodies\":{"
                         "\"motion\":{\"mass\":1},\"collider\":{\"geometry\":{\"shape\":1}}}}}",
                         i, (double)(0.15f + drops[i]));
    snprintf(text + used, sizeof text - (size_t)used, "]}");
    return open_text(text);
}

/* Opens a Ragdoll dump with a ground and a row of boxes above it. */
static run open_ragdoll_ground(void)
{
    char text[8192];
    int used = snprintf(text, sizeof text,
                        "{\"schema\":\"ragdoll-1.0\",\"entities\":{\"1\":{\"id\":1,\"components\":{"
                        "\"SolverComponent\":{\"type\":\"SolverComponent\",\"members\":{\"useGround\":true,"
                        "\"gravity\":{\"type\":\"Vector3\",\"values\":[0,-982,0]}}}}}");
    for (int i = 0; i < DROPS; i++)
        used += snprintf(
            text + used, sizeof text - (size_t)used,
            ",\"%d\":{\"id\":%d,\"components\":{\"SceneComponent\":{\"type\":\"SceneComponent\",\"members\":{"
            "\"entity\":{\"type\":\"Entity\",\"value\":1}}},\"RestComponent\":{\"type\":\"RestComponent\","
            "\"members\":{\"matrix\":{\"type\":\"Matrix44\",\"values\":[1,0,0,0,0,1,0,0,0,0,1,0,%d,%g,0,1]}}}"
            ",\"GeometryDescriptionComponent\":{\"type\":\"GeometryDescriptionComponent\",\"members\":{"
            "\"type\":\"Box\",\"extents\":{\"type\":\"Vector3\",\"values\":[10,30,10]}}},\"RigidComponent\":"
            "{\"type\":\"RigidComponent\",\"members\":{\"mass\":1,\"kinematic\":false,"
            "\"sleepThreshold\":5e-6}}}}",
            i + 2, i + 2, 100 * i, (double)(15 + 100 * drops[i]));
    snprintf(text + used, sizeof text - (size_t)used, "}}");
    return open_text(text);
}

static void boxes_of_files_stand(void **state)
{
    (void)state;
    for (int ragdoll = 0; ragdoll < 2; ragdoll++) {
        run r = ragdoll ? open_ragdoll_ground() : open_khr_plane();
        uint32_t first = scene_of(&r)->body_count - DROPS;
        for (int late = 0; late < 2; late++) {
            step(&r, late ? 58 : 2);
            for (uint32_t i = 0; i < DROPS; i++) {
                char what[96];
                const float *p = mmd_world_transforms(r.world)[first + i].translation;
                double lean = lean_of(r.world, first + i), height = (double)(p[1] / METRE);
                snprintf(what, sizeof what, "dropped by %g m, degrees after %d s", (double)drops[i],
                         late ? 60 : 2);
                measured(ragdoll ? "Ragdoll's ground" : "KHR plane", what, lean);
                assert_true(lean < 0.1);
                assert_float_equal(height, 0.15f, 1e-3f);
                assert_float_equal(p[0] / METRE, (float)i, 5e-3f);
            }
        }
        end(&r);
    }
}

/* --- all shapes, in glTF's world --- */

typedef struct stander {
    const char *name;
    mmd_phys_shape_kind kind;
    float size[3], height; /* height of the centre when it stands */
    float lean, spin;      /* degrees about a tilted axis; radians/s about Y */
    bool legs;             /* a table with four legs */
} stander;

static const stander standers[] = {
    {"box", MMD_PHYS_BOX, {0.625f, 1.875f, 0.625f}, 1.875f, 0, 0, false},
    {"box, leaning by 3", MMD_PHYS_BOX, {0.625f, 1.875f, 0.625f}, 1.875f, 3, 0, false},
    {"box, turning", MMD_PHYS_BOX, {0.625f, 1.875f, 0.625f}, 1.875f, 0, 3, false},
    {"slab on its edge", MMD_PHYS_BOX, {3, 3, 0.5f}, 3, 0, 0, false},
    {"thin plate, leaning by 5", MMD_PHYS_BOX, {5, 0.05f, 3}, 0.05f, 5, 0, false},
    {"cylinder", MMD_PHYS_CYLINDER, {0.6f, 3.75f, 0.6f}, 1.875f, 0, 0, false},
    {"cylinder, leaning by 3", MMD_PHYS_CYLINDER, {0.6f, 3.75f, 0.6f}, 1.875f, 3, 0, false},
    {"cylinder, turning", MMD_PHYS_CYLINDER, {0.6f, 3.75f, 0.6f}, 1.875f, 0, 5, false},
    {"coin, leaning by 15", MMD_PHYS_CYLINDER, {2, 0.2f, 2}, 0.1f, 15, 0, false},
    {"tapered cylinder", MMD_PHYS_CYLINDER, {0.8f, 3.75f, 0.3f}, 1.875f, 0, 0, false},
    {"hull of six corners", MMD_PHYS_HULL, {0, 0, 0}, 2, 0, 0, false},
    {"hull, leaning by 3", MMD_PHYS_HULL, {0, 0, 0}, 2, 3, 0, false},
    {"table", MMD_PHYS_BOX, {2, 0.1f, 2}, 1.1f, 0, 0, true},
    {"table, turning", MMD_PHYS_BOX, {2, 0.1f, 2}, 1.1f, 0, 2, true},
};
enum { STANDERS = sizeof standers / sizeof *standers };

/* A prism on a triangle with one blunt corner. */
static const float prism_points[6][3] = {{-1, -2, -0.6f}, {1, -2, -0.6f}, {0, -2, 0.8f},
                                         {-1, 2, -0.6f},  {1, 2, -0.6f},  {0, 2, 0.8f}};

/* Adds a tilted and spinning body at a height above its standing position. */
static void add_stander(made_scene *made, const stander *s, float x, float drop)
{
    mmd_phys_body *body =
        made_body(made, MMD_PHYS_DYNAMIC, s->kind, s->size, x, s->height + drop + s->lean * 0.05f, 0, 1);
    float half = s->lean * 0.5f / (float)degree;
    memcpy(body->rest.rotation, (float[4]){0.8f * sinf(half), 0, 0.6f * sinf(half), cosf(half)},
           sizeof body->rest.rotation);
    body->angular_velocity[1] = s->spin;
    if (s->kind == MMD_PHYS_HULL)
        made_first_shape(made, body)->mesh = 0;
    for (int leg = 0; s->legs && leg < 4; leg++)
        made_shape(made, MMD_PHYS_BOX, (float[3]){0.1f, 0.5f, 0.1f}, leg & 1 ? 1.8f : -1.8f, -0.6f,
                   leg & 2 ? 1.8f : -1.8f);
}

static void all_shapes_stand(float drop)
{
    made_scene *made = made_scene_create();
    double rate = 240, most = 0, stir = 0;
    made->settings = mmd_default_gltf_world();
    made->meshes[0] = (mmd_phys_mesh){.point_count = 6, .points = prism_points};
    made->scene.mesh_count = 1;
    for (int i = 0; i < STANDERS; i++)
        add_stander(made, &standers[i], 12.0f * (float)i - 80, drop);
    made_body(made, MMD_PHYS_STATIC, MMD_PHYS_PLANE, (float[3]){0, 0, 0}, 0, 0, 0, 0);
    mmd_world *world = made_world(made);
    mmd_transform before[STANDERS];
    for (int n = 1; n <= (int)(60 * rate); n++) {
        mmd_world_step(world);
        const mmd_transform *now = mmd_world_transforms(world);
        for (int i = 0; i < STANDERS && (n == 2 * rate || n == 60 * rate); i++) {
            char what[96];
            double lean = lean_of(world, (uint32_t)i);
            snprintf(what, sizeof what, "%s from %g, degrees after %g s", standers[i].name, (double)drop,
                     n / rate);
            measured("plane", what, lean);
            most = fmax(most, lean);
            assert_true(lean < (n == 60 * rate ? 0.2 : 0.5));
            assert_float_equal(now[i].translation[1], standers[i].height, 0.05f);
        }
        for (int i = 0; i < STANDERS && n > 50 * rate; i++)
            stir = fmax(stir, (double)distance(now[i].translation, before[i].translation) * rate);
        memcpy(before, now, STANDERS * sizeof *before);
    }
    measured("plane", "fastest of all in the last 10 s, units/s", stir);
    assert_true(stir < 0.02);
    made_destroy(made, world);
}

static void all_shapes_stand_on_a_plane(void **state)
{
    (void)state;
    all_shapes_stand(0.25f);
    all_shapes_stand(4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_of_files_stand),
        cmocka_unit_test(all_shapes_stand_on_a_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
