/* Tests physics of small glTF documents made here: what the shared files lack (see test_gltf_physics.c). */
#include "made_gltf.h"
#include "physics_run.h"
#include "mmd/cursor.h"

/* Opens a floating body of 1 kg (node 1, with anchor node 2) and an anchor in the world (node 0), connected
 * by one joint. */
static run open_joint(const char *velocity, const char *limits, const char *drives, bool from_body)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
             "\"extensions\":{\"KHR_physics_rigid_bodies\":{\"physicsJoints\":[{\"limits\":[%s],\"drives\":[%"
             "s]}]},"
             "\"KHR_collision_shapes\":{\"shapes\":[{\"type\":\"box\"}]}},\"nodes\":["
             "{\"extensions\":{\"KHR_physics_rigid_bodies\":{%s}}},"
             "{\"children\":[2],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1,"
             "\"inertiaDiagonal\":[1,1,1],\"gravityFactor\":0,%s},\"collider\":{\"shape\":0}}}},"
             "{\"extensions\":{\"KHR_physics_rigid_bodies\":{%s}}}]}",
             limits, drives, from_body ? "" : "\"joint\":{\"connectedNode\":2,\"joint\":0}", velocity,
             from_body ? "\"joint\":{\"connectedNode\":0,\"joint\":0}" : "");
    run r = open_text(text);
    assert_int_equal(scene_of(&r)->joint_count, 1);
    assert_int_equal(scene_of(&r)->joints[0].body_a, from_body ? 0 : -1);
    assert_int_equal(scene_of(&r)->joints[0].body_b, from_body ? -1 : 0);
    return r;
}

/* Returns the body's position along, or rotation about, an axis of the file. */
static float value_of(const run *r, bool angular, int axis)
{
    mmd_transform t = at(r, 0);
    return angular ? twist(&t, axis) : t.translation[axis];
}

/* With a limit from -0.3 to 0.6 the body reaches either end and goes no farther. */
static void limits_on_one_axis_are_where_the_file_says(void **state)
{
    (void)state;
    for (int i = 0; i < 24; i++) {
        int axis = i % 3;
        bool angular = i / 3 % 2, backwards = i / 6 % 2, from_body = i / 12;
        char velocity[128], limits[256];
        float speed = backwards ? -1.0f : 1.0f;
        snprintf(velocity, sizeof velocity, "\"%sVelocity\":[%g,%g,%g]", angular ? "angular" : "linear",
                 axis == 0 ? (double)speed : 0, axis == 1 ? (double)speed : 0, axis == 2 ? (double)speed : 0);
        snprintf(limits, sizeof limits, "{\"%sAxes\":[%d],\"min\":-0.3,\"max\":0.6}",
                 angular ? "angular" : "linear", axis);
        run r = open_joint(velocity, limits, "", from_body);
        float least = 0, most = 0;
        for (int k = 0; k < RATE; k++) {
            mmd_world_step(r.world);
            float value = value_of(&r, angular, axis);
            least = fminf(least, value);
            most = fmaxf(most, value);
        }
        float low = from_body ? -0.6f : -0.3f, high = from_body ? 0.3f : 0.6f;
        measured(angular ? "limit about an axis" : "limit along an axis", backwards ? "least" : "most",
                 (double)(backwards ? least : most));
        assert_float_equal(backwards ? least : most, backwards ? low : high, 0.02f);
        end(&r);
    }
}

static void one_side_of_a_limit_may_be_open(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        bool angular = i % 2, min = i / 2;
        char limits[128];
        snprintf(limits, sizeof limits, "{\"%sAxes\":[%d],\"%s\":%s}", angular ? "angular" : "linear",
                 angular ? 0 : 2, min ? "min" : "max", min ? "-0.3" : "0.6");
        run r = open_joint("\"linearVelocity\":[0,0,0]", limits, "", false);
        const mmd_phys_limit *limit = &scene_of(&r)->limits[0];
        assert_int_equal(limit->has_max, min); /* mirrored */
        assert_int_equal(limit->has_min, !min);
        assert_float_equal(min ? limit->max : limit->min, (min ? 0.3f : -0.6f) * (angular ? 1 : METRE),
                           1e-5f);
        end(&r);
    }
}

static void drives_go_to_their_targets(void **state)
{
    (void)state;
    for (int i = 0; i < 24; i++) {
        int axis = i % 3;
        bool angular = i / 3 % 2, acceleration = i / 6 % 2, from_body = i / 12;
        char drive[256];
        snprintf(drive, sizeof drive,
                 "{\"type\":\"%s\",\"mode\":\"%s\",\"axis\":%d,\"positionTarget\":0.4,\"stiffness\":40,"
                 "\"damping\":10}",
                 angular ? "angular" : "linear", acceleration ? "acceleration" : "force", axis);
        run r = open_joint("\"linearVelocity\":[0,0,0]", "", drive, from_body);
        step(&r, 0.25f);
        float early = value_of(&r, angular, axis);
        step(&r, 5);
        float value = value_of(&r, angular, axis), sign = from_body ? -1.0f : 1.0f;
        /* x'' = 40 (0.4 - x) - 10 x' for a mass and moment of 1, at 0.25 s */
        float root = sqrtf(15.0f);
        float exact = 0.4f * (1 - expf(-1.25f) * (cosf(root * 0.25f) + 5 / root * sinf(root * 0.25f)));
        measured(angular ? "drive about an axis" : "drive along an axis", "error after 0.25 s",
                 (double)(early * sign - exact));
        assert_float_equal(value, sign * 0.4f, 2e-3f);
        assert_float_equal(early, sign * exact, 0.01f);
        end(&r);
    }
}

/* A soft limit is a spring with the file's stiffness: a mass of 1 kg at 1 m/s enters 100 N/m by 0.1 m. */
static void soft_limits_have_their_stiffness(void **state)
{
    (void)state;
    for (int angular = 0; angular < 2; angular++) {
        char limits[256];
        snprintf(limits, sizeof limits, "{\"%sAxes\":[0],\"min\":0,\"max\":0.2,\"stiffness\":100}",
                 angular ? "angular" : "linear");
        run r = open_joint(angular ? "\"angularVelocity\":[1,0,0]" : "\"linearVelocity\":[1,0,0]", limits, "",
                           false);
        float most = 0;
        for (int k = 0; k < RATE / 2; k++) {
            mmd_world_step(r.world);
            most = fmaxf(most, value_of(&r, angular, 0));
        }
        measured("soft limit", "goes to (0.3)", (double)most);
        assert_float_equal(most, 0.3f, 0.01f);
        end(&r);
    }
}

static run open_body(const char *node, const char *motion, const char *shape)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"extensions\":{"
             "\"KHR_physics_rigid_bodies\":{},\"KHR_implicit_shapes\":{\"shapes\":[%s]}},\"nodes\":[{%s"
             "\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{%s},\"collider\":{\"geometry\":"
             "{\"shape\":0}}}}}]}",
             shape, node, motion);
    return open_text(text);
}

static void numbers_of_bodies_are_in_units(void **state)
{
    (void)state;
    run r = open_body("\"rotation\":[0,0.70710678,0,0.70710678],\"translation\":[1,2,3],",
                      "\"mass\":0,\"inertiaDiagonal\":[1,2,0],\"inertiaOrientation\":[0.6,0,0,0.8],"
                      "\"centerOfMass\":[0.1,0.2,0.3],\"linearVelocity\":[0,0,1],\"angularVelocity\":[1,0,0],"
                      "\"gravityFactor\":0.5",
                      "{\"type\":\"sphere\"}");
    const mmd_phys_body *body = &scene_of(&r)->bodies[0];
    const float rest[3] = {12.5f, 25, -37.5f}, center[3] = {1.25f, 2.5f, -3.75f}, linear[3] = {12.5f, 0, 0},
                angular[3] = {0, 0, -1}, inertia[3] = {156.25f, 312.5f, 0};
    assert_int_equal(body->motion, MMD_PHYS_DYNAMIC);
    assert_true(body->mass == 0 && !body->auto_mass && !body->auto_inertia && !body->auto_center);
    assert_true(distance(body->rest.translation, rest) < 1e-4f);
    assert_true(distance(body->center, center) < 1e-4f);
    /* +Z of the file rotated by 90 degrees about Y is +X. +X becomes -Z, and a rotation about -Z in a
     * right-handed space is about -Z in the mirrored one. */
    assert_true(distance(body->linear_velocity, linear) < 1e-4f);
    assert_true(distance(body->angular_velocity, angular) < 1e-5f);
    assert_true(distance(body->inertia, inertia) < 1e-3f);
    assert_float_equal(body->inertia_rotation[0], -0.6f, 1e-6f);
    assert_float_equal(body->gravity_factor, 0.5f, 0);
    assert_float_equal(scene_of(&r)->world.gravity[1], -GRAVITY * METRE, 1e-3f);
    end(&r);
    r = open_body("", "", "{\"type\":\"box\"}");
    body = &scene_of(&r)->bodies[0];
    assert_true(body->auto_mass && body->auto_inertia && body->auto_center);
    end(&r);
}

static void shapes_are_scaled_as_their_nodes(void **state)
{
    (void)state;
    static const struct {
        const char *node, *shape;
        uint8_t kind;
        float size[3];
        uint32_t losses;
    } cases[] = {
        {"", "{\"type\":\"box\"}", MMD_PHYS_BOX, {0.5f, 0.5f, 0.5f}, 0},
        {"", "{\"type\":\"sphere\",\"sphere\":{}}", MMD_PHYS_SPHERE, {0.5f, 0, 0}, 0},
        {"", "{\"type\":\"capsule\"}", MMD_PHYS_CAPSULE, {0.25f, 0.5f, 0.25f}, 0},
        {"",
         "{\"type\":\"cylinder\",\"cylinder\":{\"radiusTop\":0}}",
         MMD_PHYS_CYLINDER,
         {0.25f, 0.5f, 0},
         0},
        {"\"scale\":[2,3,4],", "{\"type\":\"box\",\"box\":{\"size\":[1,2,3]}}", MMD_PHYS_BOX, {1, 3, 6}, 0},
        {"\"scale\":[2,2,2],", "{\"type\":\"capsule\"}", MMD_PHYS_CAPSULE, {0.5f, 1, 0.5f}, 0},
        {"\"scale\":[2,4,2],", "{\"type\":\"cylinder\"}", MMD_PHYS_CYLINDER, {0.5f, 2, 0.5f}, 0},
        {"\"scale\":[1,2,3],", "{\"type\":\"sphere\"}", MMD_PHYS_SPHERE, {1.5f, 0, 0}, 1},
        {"", "{\"type\":\"plane\",\"plane\":{\"sizeX\":4,\"sizeZ\":2}}", MMD_PHYS_BOX, {2, 0.01f, 1}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run r = open_body(cases[i].node, "", cases[i].shape);
        const mmd_phys_shape *shape = &scene_of(&r)->shapes[0];
        assert_int_equal(shape->kind, cases[i].kind);
        for (int k = 0; k < 3; k++)
            assert_float_equal(shape->size[k] / METRE, cases[i].size[k], 1e-4f);
        assert_int_equal(r.document->losses.count, cases[i].losses);
        end(&r);
    }
}

/* A ball falls onto an endless plane that has the frame of its node. */
static void planes_face_up(void **state)
{
    (void)state;
    run r = open_text(
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"extensions\":{"
        "\"KHR_implicit_shapes\":{\"shapes\":[{\"type\":\"plane\"},{\"type\":\"sphere\"}]},"
        "\"KHR_physics_rigid_bodies\":{}},\"nodes\":[{\"translation\":[0,1,0],\"extensions\":{"
        "\"KHR_physics_rigid_bodies\":{\"collider\":{\"geometry\":{\"shape\":0}}}}},"
        "{\"translation\":[7,3,-9],\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{},"
        "\"collider\":{\"geometry\":{\"shape\":1}}}}}]}");
    assert_int_equal(scene_of(&r)->bodies[0].motion, MMD_PHYS_STATIC);
    step(&r, 5);
    assert_float_equal(at(&r, 1).translation[1], 1.5f, 5e-3f);
    end(&r);
}

/*
 * Where OMI differs: total heights, its defaults, automatic inertia, later constraints of an axis, softness.
 */
static const char omi_document[] =
    "{\"asset\":{\"version\":\"2.0\",\"generator\":\"%s\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1,2]}],"
    "\"extensions\":{\"OMI_physics_shape\":{\"shapes\":[{\"type\":\"capsule\"}]},"
    "\"OMI_physics_gravity\":{\"gravity\":2,\"direction\":[0,0,3]},"
    "\"OMI_physics_joint\":{\"constraints\":[{\"linearAxes\":[0,1,2]},"
    "{\"linearAxes\":[1],\"lowerLimit\":-1,\"upperLimit\":2,\"stiffness\":%s},{\"angularAxes\":[0,2]}]}},"
    "\"nodes\":[{\"extensions\":{\"OMI_physics_body\":{\"motion\":{\"type\":\"dynamic\"},"
    "\"collider\":{\"shape\":0}}}},{\"extensions\":{\"OMI_physics_body\":{\"motion\":{\"type\":\"static\"},"
    "\"collider\":{\"shape\":-1}}}},{\"name\":\"joint\",\"extensions\":{\"OMI_physics_joint\":{"
    "\"constraints\":[0,1,2],\"nodeA\":0,\"nodeB\":1}}}]}";

static void omi_says_some_things_otherwise(void **state)
{
    (void)state;
    static const struct {
        const char *generator, *stiffness;
        bool soft;
    } cases[] = {
        {"", "500", true}, {"", "1.5", false}, {"Godot Engine v4.1", "500", false}, {"odori 1", "1.5", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2048];
        snprintf(text, sizeof text, omi_document, cases[i].generator, cases[i].stiffness);
        run r = open_text(text);
        const mmd_physscene *scene = scene_of(&r);
        assert_int_equal(r.document->dialect, MMD_DIALECT_OMI_CONSTRAINTS);
        assert_float_equal(scene->world.gravity[2], -2 * METRE, 1e-4f);
        assert_float_equal(scene->shapes[0].size[0], 0.5f * METRE, 1e-4f);
        assert_float_equal(scene->shapes[0].size[1], 1.0f * METRE, 1e-4f);
        assert_true(scene->bodies[0].mass == 1 && !scene->bodies[0].auto_mass &&
                    scene->bodies[0].auto_inertia);
        assert_int_equal(scene->joint_count, 1);
        assert_false(scene->joints[0].collide);
        assert_int_equal(scene->joints[0].limit_count, 3);
        assert_int_equal(scene->limits[0].axes, 5);
        assert_int_equal(scene->limits[1].axes, 2);
        assert_int_equal(scene->limits[1].soft, cases[i].soft);
        assert_float_equal(scene->limits[1].min, -METRE, 1e-4f);
        assert_int_equal(scene->limits[2].kind, MMD_LIMIT_ANGULAR);
        bool expected = false;
        for (uint32_t k = 0; k < r.document->losses.count; k++)
            expected = expected || strcmp(r.document->losses.items[k].code, "unit.ambiguous") == 0;
        assert_int_equal(expected, !cases[i].soft);
        end(&r);
    }
}

static void omi_newer_joints_are_as_khr_says_them(void **state)
{
    (void)state;
    run r = open_text(
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"extensions\":{"
        "\"OMI_physics_joint\":{\"physicsJoints\":[{\"limits\":[{\"angularAxes\":[0],\"min\":-0.5,\"max\":1}]"
        ","
        "\"drives\":[{\"type\":\"linear\",\"mode\":\"force\",\"axis\":2,\"positionTarget\":2,\"maxForce\":4,"
        "\"stiffness\":3,\"damping\":1}]}]}},\"nodes\":[{\"extensions\":{\"OMI_physics_body\":{\"motion\":{"
        "\"type\":\"dynamic\",\"mass\":2}},\"OMI_physics_joint\":{\"joint\":0,\"connectedNode\":1}}},{}]}");
    const mmd_physscene *scene = scene_of(&r);
    assert_int_equal(r.document->dialect, MMD_DIALECT_OMI_PHYSICS_JOINTS);
    assert_int_equal(scene->joints[0].body_a, 0);
    assert_int_equal(scene->joints[0].body_b, -1);
    assert_float_equal(scene->limits[0].min, -1.0f, 1e-6f);
    assert_float_equal(scene->limits[0].max, 0.5f, 1e-6f);
    assert_float_equal(scene->drives[0].position_target, -2 * METRE, 1e-4f);
    assert_float_equal(scene->drives[0].stiffness, 3, 0);
    assert_float_equal(scene->drives[0].max_force, 4 * METRE, 1e-4f);
    end(&r);
}

/* ---------------------------------------------------------------- mistakes */

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *motion, *collider, *limit;
        mmd_status status;
        const char *section;
    } cases[] = {
        {"\"mass\":-1", "\"shape\":0", "", MMD_ERROR_VALUE, "motion.mass"},
        {"\"mass\":1e308", "\"shape\":0", "", MMD_ERROR_VALUE, "motion.mass"},
        {"\"linearVelocity\":[1,2]", "\"shape\":0", "", MMD_ERROR_VALUE, "linearVelocity"},
        {"\"inertiaDiagonal\":[1,1,1],\"inertiaOrientation\":[0,0,0,0]", "\"shape\":0", "", MMD_ERROR_VALUE,
         "inertiaOrientation"},
        {"\"isKinematic\":1", "\"shape\":0", "", MMD_ERROR_VALUE, "isKinematic"},
        {"", "\"shape\":1", "", MMD_ERROR_INDEX, "collider.shape"},
        {"", "\"shape\":0,\"collisionFilter\":0", "", MMD_ERROR_INDEX, "collisionFilter"},
        {"", "\"shape\":0", "{\"linearAxes\":[3],\"min\":0,\"max\":0}", MMD_ERROR_VALUE, "linearAxes[0]"},
        {"", "\"shape\":0", "{\"linearAxes\":[0],\"min\":1,\"max\":0}", MMD_ERROR_VALUE, "limits[0]"},
        {"", "\"shape\":0", "{\"linearAxes\":[0],\"stiffness\":-1}", MMD_ERROR_VALUE, "stiffness"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"extensions\":{"
                 "\"KHR_collision_shapes\":{\"shapes\":[{\"type\":\"box\"}]},\"KHR_physics_rigid_bodies\":{"
                 "\"physicsJoints\":[{\"limits\":[%s]}]}},\"nodes\":[{\"extensions\":{"
                 "\"KHR_physics_rigid_bodies\":{\"motion\":{%s},\"collider\":{%s},\"joint\":{\"joint\":0,"
                 "\"connectedNode\":0}}}}]}",
                 cases[i].limit, cases[i].motion, cases[i].collider);
        mmd_exchange *document = NULL;
        mmd_error error = {0};
        assert_int_equal(mmd_exchange_read(text, strlen(text), NULL, "", &document, &error), cases[i].status);
        assert_null(document);
        if (!strstr(error.section, cases[i].section))
            print_error("%s is not in \"%s\"\n", cases[i].section, error.section);
        /* Long sections are cut off at the end. */
        assert_true(strstr(error.section, cases[i].section) ||
                    strlen(error.section) == MMD_ERROR_SECTION_MAX - 1);
    }
}

/* Nodes 0 and 3 are animated; node 0 has as children a body with a motion (1) and a collider (2). */
static void animation_moves_what_has_keys_and_what_is_fixed_to_it(void **state)
{
    (void)state;
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,3]}],"
        "\"buffers\":[{\"byteLength\":32,\"uri\":\"data:application/octet-stream;base64,"
        "AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAA=\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":24}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],"
        "\"max\":[1]},{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],"
        "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":["
        "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
        "{\"sampler\":0,\"target\":{\"node\":3,\"path\":\"translation\"}}]}],"
        "\"extensions\":{\"KHR_collision_shapes\":{\"shapes\":[{\"type\":\"box\"}]}},\"nodes\":["
        "{\"children\":[1,2]},"
        "{\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1},\"collider\":{\"shape\":0}}}}"
        ","
        "{\"extensions\":{\"KHR_physics_rigid_bodies\":{\"collider\":{\"shape\":0}}}},"
        "{\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1},\"collider\":{\"shape\":0}}}}"
        "]}";
    run r = open_text(text);
    assert_int_equal(scene_of(&r)->body_count, 3);
    assert_int_equal(scene_of(&r)->bodies[body_at(&r, 1)].motion, MMD_PHYS_DYNAMIC);
    assert_int_equal(scene_of(&r)->bodies[body_at(&r, 2)].motion, MMD_PHYS_KINEMATIC);
    assert_int_equal(scene_of(&r)->bodies[body_at(&r, 3)].motion, MMD_PHYS_KINEMATIC);
    end(&r);
}

/* A file with KHR and OMI is read as KHR. What only OMI has is dropped, and what both have is noted. */
static void the_other_family_is_told(void **state)
{
    (void)state;
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"extensions\":{"
        "\"KHR_collision_shapes\":{\"shapes\":[{\"type\":\"box\"}]},"
        "\"OMI_physics_shape\":{\"shapes\":[{\"type\":\"box\"}]},"
        "\"OMI_physics_joint\":{\"constraints\":[{\"linearAxes\":[0,1,2]}]}},\"nodes\":["
        "{\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{\"mass\":1}},"
        "\"OMI_physics_body\":{\"motion\":{\"type\":\"dynamic\"},\"collider\":{\"shape\":0}}}},"
        "{\"extensions\":{\"OMI_physics_body\":{\"trigger\":{\"shape\":0}},"
        "\"OMI_physics_joint\":{\"constraints\":[0],\"nodeA\":0,\"nodeB\":1},"
        "\"OMI_physics_gravity\":{\"type\":\"point\"}}}]}";
    static const struct {
        const char *path;
        mmd_loss_severity severity;
    } expected[] = {{"nodes[0].extensions.OMI_physics_body.motion", MMD_LOSS_INFO},
                    {"nodes[0].extensions.OMI_physics_body.collider", MMD_LOSS_DROPPED},
                    {"nodes[1].extensions.OMI_physics_body.trigger", MMD_LOSS_DROPPED},
                    {"nodes[1].extensions.OMI_physics_joint", MMD_LOSS_DROPPED},
                    {"nodes[1].extensions.OMI_physics_gravity", MMD_LOSS_DROPPED}};
    run r = open_text(text);
    const mmd_losses *losses = &r.document->losses;
    assert_int_equal(scene_of(&r)->body_count, 1);
    assert_int_equal(losses->count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_string_equal(losses->items[i].code, "dialect.ignored");
        assert_string_equal(losses->items[i].path, expected[i].path);
        assert_int_equal(losses->items[i].severity, expected[i].severity);
    }
    end(&r);
}

/* 10,000 losses are listed, further ones are counted by severity. */
static void losses_beyond_the_limit_are_counted(void **state)
{
    (void)state;
    mmd_buffer text = {0};
    mmd_exchange *document;
    mmd_write_format(&text,
                     "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_physics_rigid_bodies\"],"
                     "\"nodes\":[");
    for (int i = 0; i < 10123; i++)
        mmd_write_format(&text,
                         "%s{\"extensions\":{\"OMI_physics_body\":{\"motion\":{\"type\":\"dynamic\"}}%s}}",
                         i ? "," : "", i > 10099 ? ",\"KHR_physics_rigid_bodies\":{\"motion\":{}}" : "");
    mmd_write_format(&text, "]}");
    assert_false(text.failed);
    assert_int_equal(mmd_exchange_read(text.data, text.size, NULL, NULL, &document, NULL), MMD_OK);
    assert_int_equal(document->losses.count, 10000);
    assert_int_equal(document->losses.left_out[MMD_LOSS_DROPPED], 100);
    assert_int_equal(document->losses.left_out[MMD_LOSS_APPROXIMATED], 0);
    assert_int_equal(document->losses.left_out[MMD_LOSS_INFO], 23);
    mmd_exchange_destroy(document);
    mmd_buffer_finish(&text);
}

/* One range for metres and radians becomes two limits, with a warning. */
static void a_limit_of_both_kinds_is_told(void **state)
{
    (void)state;
    run r = open_joint("\"linearVelocity\":[0,0,0]",
                       "{\"linearAxes\":[0],\"angularAxes\":[1],\"min\":-0.5,\"max\":0.5}", "", false);
    const mmd_loss *loss = made_gltf_loss(r.document, "joint.invalid");
    assert_int_equal(scene_of(&r)->limit_count, 2);
    assert_non_null(loss);
    assert_int_equal(loss->severity, MMD_LOSS_APPROXIMATED);
    assert_string_equal(loss->path, "extensions.KHR_physics_rigid_bodies.physicsJoints[0].limits[0]");
    char text[MMD_LOSS_TEXT_MAX];
    const mmd_loss made = {.code = "joint.invalid",
                           .severity = MMD_LOSS_DROPPED,
                           .path = "nodes[3]",
                           .field = "min",
                           .source = "5",
                           .emitted = "4"};
    assert_non_null(strstr(mmd_loss_text(loss, text), "joint.invalid (approximated) extensions.KHR_"));
    assert_string_equal(mmd_loss_text(&made, text), "joint.invalid (dropped) nodes[3]: min 5 -> 4");
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_on_one_axis_are_where_the_file_says),
        cmocka_unit_test(one_side_of_a_limit_may_be_open),
        cmocka_unit_test(drives_go_to_their_targets),
        cmocka_unit_test(soft_limits_have_their_stiffness),
        cmocka_unit_test(numbers_of_bodies_are_in_units),
        cmocka_unit_test(shapes_are_scaled_as_their_nodes),
        cmocka_unit_test(planes_face_up),
        cmocka_unit_test(omi_says_some_things_otherwise),
        cmocka_unit_test(omi_newer_joints_are_as_khr_says_them),
        cmocka_unit_test(animation_moves_what_has_keys_and_what_is_fixed_to_it),
        cmocka_unit_test(mistakes_are_told_with_their_place),
        cmocka_unit_test(the_other_family_is_told),
        cmocka_unit_test(losses_beyond_the_limit_are_counted),
        cmocka_unit_test(a_limit_of_both_kinds_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
