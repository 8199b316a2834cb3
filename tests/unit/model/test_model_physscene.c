/* A model's bodies, joints and soft bodies as a physics scene. */
#include "damage.h"
#include "sample_models.h"
#include "support.h"

#include "mmd/format.h"

static void make(const mmd_model *model, mmd_physscene *scene)
{
    mmd_error error = {0};
    assert_int_equal(mmd_model_physscene(model, scene, &error), MMD_OK);
    assert_int_equal(mmd_physscene_check(scene, &error), MMD_OK);
}

static void near3(const float *a, const float *b, float tolerance)
{
    for (int k = 0; k < 3; k++)
        assert_float_equal(a[k], b[k], tolerance);
}

/* Makes a model of only bodies, one of each shape and mode, for tests to modify. */
static void sample_bodies(mmd_model *model, mmd_rigid_body bodies[3])
{
    for (uint8_t i = 0; i < 3; i++)
        bodies[i] = (mmd_rigid_body){.name = "b",
                                     .name_en = "",
                                     .bone = i,
                                     .group = i,
                                     .mask = 0xffff,
                                     .shape = i,
                                     .size = {1.0f + i, 2.0f, 3.0f},
                                     .position = {0.0f, i, 0.0f},
                                     .mass = 1.0f,
                                     .linear_damping = 0.5f,
                                     .angular_damping = 0.9f,
                                     .restitution = 0.25f,
                                     .friction = 0.5f,
                                     .mode = i};
    *model = (mmd_model){.body_count = 3, .bodies = bodies};
}

static void shapes_sizes_and_modes(void **state)
{
    (void)state;
    mmd_model model;
    mmd_rigid_body bodies[3];
    sample_bodies(&model, bodies);
    mmd_physscene scene;
    make(&model, &scene);
    const uint8_t kinds[3] = {MMD_PHYS_SPHERE, MMD_PHYS_BOX, MMD_PHYS_CAPSULE};
    const uint8_t motions[3] = {MMD_PHYS_KINEMATIC, MMD_PHYS_DYNAMIC, MMD_PHYS_DYNAMIC_BONE};
    const float sizes[3][3] = {{1.0f, 0.0f, 0.0f}, {2.0f, 2.0f, 3.0f}, {3.0f, 2.0f, 3.0f}};
    for (uint32_t i = 0; i < 3; i++) {
        const mmd_phys_body *body = &scene.bodies[i];
        const mmd_phys_shape *shape = &scene.shapes[body->first_shape];
        assert_int_equal(body->shape_count, 1);
        assert_int_equal(shape->kind, kinds[i]);
        assert_memory_equal(shape->size, sizes[i], sizeof sizes[i]);
        assert_true(shape->solid && !shape->trigger);
        assert_int_equal(body->motion, motions[i]);
        assert_true(body->auto_inertia && !body->auto_mass && !body->can_sleep && !body->disabled);
        assert_float_equal(body->gravity_factor, 1.0f, 0.0f);
        assert_float_equal(body->linear_damping, 0.5f, 0.0f);
        assert_int_equal(body->bone, i);
        assert_int_equal(scene.filters[shape->filter].group, i);
    }
    assert_int_equal(scene.filter_count, 3);
    assert_int_equal(scene.material_count, 1);
    assert_int_equal(scene.materials[0].friction_combine, MMD_COMBINE_MULTIPLY);
    assert_int_equal(scene.materials[0].restitution_combine, MMD_COMBINE_MULTIPLY);
    assert_float_equal(scene.materials[0].static_friction, 0.5f, 0.0f);
    assert_float_equal(scene.materials[0].dynamic_friction, 0.5f, 0.0f);
    assert_float_equal(scene.materials[0].restitution, 0.25f, 0.0f);
    assert_int_equal(scene.world.rate, 60);
    mmd_physscene_destroy(&scene);
}

static void without_a_bone_bodies_stand_or_fall(void **state)
{
    (void)state;
    mmd_model model;
    mmd_rigid_body bodies[3];
    sample_bodies(&model, bodies);
    for (int i = 0; i < 3; i++)
        bodies[i].bone = -1;
    mmd_physscene scene;
    make(&model, &scene);
    assert_int_equal(scene.bodies[0].motion, MMD_PHYS_STATIC);
    assert_int_equal(scene.bodies[1].motion, MMD_PHYS_DYNAMIC);
    assert_int_equal(scene.bodies[2].motion, MMD_PHYS_DYNAMIC);
    mmd_physscene_destroy(&scene);
}

/* docs/mmd.md 5.2: sizes of zero collide like points and planes. Negative ones are zero. */
static void sizes_of_zero_collide(void **state)
{
    (void)state;
    for (uint8_t shape = 0; shape < 3; shape++)
        for (int k = 0; k < 3; k++) {
            mmd_model model;
            mmd_rigid_body bodies[3];
            sample_bodies(&model, bodies);
            bodies[shape].size[k] = k == 1 ? -1.0f : 0.0f;
            mmd_physscene scene;
            make(&model, &scene);
            assert_true(scene.shapes[shape].solid);
            assert_true(scene.shapes[shape].size[k] >= 0.0f);
            assert_false(scene.bodies[shape].disabled);
            mmd_physscene_destroy(&scene);
        }
}

static void numbers_that_are_not_finite_disable(void **state)
{
    (void)state;
    const float spoils[4] = {NAN, INFINITY, -INFINITY, 1e30f};
    for (int i = 0; i < 4; i++)
        for (size_t k = 0; k < 14; k++) {
            mmd_model model;
            mmd_rigid_body bodies[3];
            sample_bodies(&model, bodies);
            mmd_joint joint = {.name = "j", .name_en = "", .body_a = 0, .body_b = 1};
            model.joints = &joint;
            model.joint_count = 1;
            (&bodies[1].size[0])[k] = spoils[i]; /* size to friction are consecutive floats */
            mmd_physscene scene;
            make(&model, &scene);
            assert_true(scene.bodies[1].disabled && !scene.bodies[0].disabled);
            assert_true(scene.joints[0].disabled);
            mmd_physscene_destroy(&scene);
        }
}

/* R = Ry Rx Rz: the matrix of the angles, computed by hand. */
static void rests_turn_about_y_then_x_then_z(void **state)
{
    (void)state;
    mmd_model model;
    mmd_rigid_body bodies[3];
    sample_bodies(&model, bodies);
    const float angles[3] = {0.3f, -1.1f, 0.7f};
    memcpy(bodies[1].rotation, angles, sizeof angles);
    mmd_physscene scene;
    make(&model, &scene);
    float cx = cosf(angles[0]), sx = sinf(angles[0]), cy = cosf(angles[1]), sy = sinf(angles[1]);
    float cz = cosf(angles[2]), sz = sinf(angles[2]);
    const float x[3] = {cy * cz + sy * sx * sz, cx * sz, -sy * cz + cy * sx * sz};
    const float z[3] = {sy * cx, -sx, cy * cx};
    float matrix[16];
    mmd_transform_matrix(&scene.bodies[1].rest, matrix);
    near3(matrix, x, 1e-6f);
    near3(matrix + 8, z, 1e-6f);
    mmd_physscene_destroy(&scene);
}

static void joints_lie_where_the_file_says_from_both_sides(void **state)
{
    (void)state;
    mmd_model model;
    mmd_rigid_body bodies[3];
    sample_bodies(&model, bodies);
    bodies[0].rotation[1] = 1.0f;
    bodies[1].rotation[0] = -0.5f;
    mmd_joint joint = {.name = "j",
                       .name_en = "",
                       .kind = 3,
                       .body_a = 0,
                       .body_b = 1,
                       .position = {1.0f, 2.0f, 3.0f},
                       .rotation = {0.1f, 0.2f, 0.3f},
                       .linear_lower = {1.0f, 2.0f, 3.0f},
                       .angular_spring = {4.0f, 5.0f, 6.0f}};
    model.joints = &joint;
    model.joint_count = 1;
    mmd_physscene scene;
    make(&model, &scene);
    const mmd_phys_joint *made = &scene.joints[0];
    assert_int_equal(made->kind, MMD_JOINT_PMX_CONE_TWIST);
    assert_true(made->collide && !made->disabled);
    assert_memory_equal(made->pmx.linear_lower, joint.linear_lower, sizeof joint.linear_lower);
    assert_memory_equal(made->pmx.angular_spring, joint.angular_spring, sizeof joint.angular_spring);
    for (int side = 0; side < 2; side++) {
        mmd_transform place;
        float turn[4];
        mmd_transform_multiply(&scene.bodies[side].rest, side ? &made->frame_b : &made->frame_a, &place);
        near3(place.translation, joint.position, 1e-5f);
        mmd_rotation_yxz(joint.rotation, turn);
        for (int k = 0; k < 4; k++)
            assert_float_equal(place.rotation[k], turn[k], 1e-6f);
    }
    mmd_physscene_destroy(&scene);
}

static void joints_that_hold_nothing_are_disabled(void **state)
{
    (void)state;
    const int32_t pairs[5][2] = {{-1, 0}, {0, -1}, {-1, -1}, {1, 1}, {0, 1}};
    mmd_model model;
    mmd_rigid_body bodies[3];
    sample_bodies(&model, bodies);
    mmd_joint joints[6];
    for (int i = 0; i < 6; i++)
        joints[i] = (mmd_joint){.name = "", .name_en = "", .body_a = 0, .body_b = 1};
    for (int i = 0; i < 5; i++) {
        joints[i].body_a = pairs[i][0];
        joints[i].body_b = pairs[i][1];
    }
    joints[5].linear_upper[2] = NAN;
    model.joints = joints;
    model.joint_count = 6;
    mmd_physscene scene;
    make(&model, &scene);
    for (int i = 0; i < 6; i++)
        assert_int_equal(scene.joints[i].disabled, i != 4);
    mmd_physscene_destroy(&scene);
}

static void equal_filters_and_materials_are_made_once(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    mmd_rigid_body *bodies = test_calloc(COUNT, sizeof *bodies);
    for (uint32_t i = 0; i < COUNT; i++) {
        bodies[i] = (mmd_rigid_body){.name = "", .name_en = "", .bone = -1, .mode = 1};
        bodies[i].group = (uint8_t)(i % 16);
        bodies[i].mask = (uint16_t)(i / 16 % 250);
        bodies[i].friction = (float)(i % 7);
    }
    mmd_model model = {.body_count = COUNT, .bodies = bodies};
    mmd_physscene scene;
    make(&model, &scene);
    assert_int_equal(scene.filter_count, 4000);
    assert_int_equal(scene.material_count, 7);
    for (uint32_t i = 0; i < COUNT; i++) {
        const mmd_phys_filter *filter = &scene.filters[scene.shapes[i].filter];
        assert_true(filter->group == bodies[i].group && filter->mask == bodies[i].mask && !filter->named);
        assert_float_equal(scene.materials[scene.shapes[i].material].dynamic_friction, (float)(i % 7), 0.0f);
    }
    mmd_physscene_destroy(&scene);
    test_free(bodies);
}

/* ------------------------------------------------------------ soft bodies */

/* Two squares of two triangles each, side by side, with a seam between them: the vertices 1, 2 and 4, 7 share
 * two positions. Material 0 has one triangle elsewhere. */
typedef struct cloth {
    mmd_model model;
    float position[12][3];
    uint32_t indices[15];
    mmd_material materials[2];
    mmd_soft_body soft[2];
    mmd_soft_anchor anchors[3];
    int32_t pins[4];
    mmd_rigid_body body;
} cloth;

static void make_cloth(cloth *c)
{
    static const float places[12][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, -0.0f}, {2, 0, 0},
                                        {2, 1, 0}, {1, 1, 0}, {9, 9, 9}, {8, 9, 9}, {9, 8, 9},     {0, 0, 0}};
    static const uint32_t indices[15] = {8, 9, 10, 0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
    *c = (cloth){.anchors = {{0, 5, 1}, {0, 8, 0}, {-1, 5, 0}}, .pins = {7, 2, 3, 8}};
    memcpy(c->position, places, sizeof places);
    memcpy(c->indices, indices, sizeof indices);
    c->materials[0] = (mmd_material){.first_index = 0, .index_count = 3};
    c->materials[1] = (mmd_material){.first_index = 3, .index_count = 12};
    c->body = (mmd_rigid_body){.name = "", .name_en = "", .bone = -1, .size = {1.0f}};
    for (int i = 0; i < 2; i++)
        c->soft[i] = (mmd_soft_body){.name = "cloth",
                                     .name_en = "",
                                     .material = 1,
                                     .group = 2,
                                     .mask = 5,
                                     .mass = 2.0f,
                                     .anchor_count = 3,
                                     .anchors = c->anchors,
                                     .pin_count = 4,
                                     .pins = c->pins};
    c->model = (mmd_model){.vertices = {.count = 12, .position = c->position},
                           .index_count = 15,
                           .indices = c->indices,
                           .material_count = 2,
                           .materials = c->materials,
                           .body_count = 1,
                           .bodies = &c->body,
                           .soft_body_count = 1,
                           .soft_bodies = c->soft};
}

static void meshes_are_welded_by_position(void **state)
{
    (void)state;
    cloth c;
    make_cloth(&c);
    mmd_physscene scene;
    make(&c.model, &scene);
    const mmd_phys_soft_body *soft = &scene.soft_bodies[0];
    assert_int_equal(soft->node_count, 6);
    assert_int_equal(soft->vertex_count, 8);
    for (uint32_t i = 0; i < soft->vertex_count; i++)
        near3(soft->nodes[soft->vertex_node[i]], c.position[soft->vertices[i]], 0.0f);
    assert_int_equal(soft->index_count, 12);
    for (uint32_t i = 0; i < 12; i++)
        near3(soft->nodes[soft->indices[i]], c.position[c.indices[3 + i]], 0.0f);
    assert_int_equal(scene.filters[soft->filter].mask, 5);
    mmd_physscene_destroy(&scene);
}

static void anchors_and_pins_are_nodes(void **state)
{
    (void)state;
    cloth c;
    make_cloth(&c);
    mmd_physscene scene;
    make(&c.model, &scene);
    const mmd_phys_soft_body *soft = &scene.soft_bodies[0];
    /* those of a vertex of another material and of no body were dropped */
    assert_int_equal(soft->anchor_count, 1);
    assert_true(soft->anchors[0].near_mode);
    near3(soft->nodes[soft->anchors[0].node], c.position[5], 0.0f);
    assert_int_equal(soft->pin_count, 2); /* 7 and 2 are one */
    assert_true(soft->pins[0] < soft->pins[1]);
    mmd_physscene_destroy(&scene);
}

static void ropes_have_each_edge_once(void **state)
{
    (void)state;
    cloth c;
    make_cloth(&c);
    c.soft[0].shape = 1;
    const uint32_t lines[12] = {0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 0, 3}; /* A-B-A */
    memcpy(c.indices + 3, lines, sizeof lines);
    mmd_physscene scene;
    make(&c.model, &scene);
    const uint32_t links[8] = {0, 1, 1, 2, 2, 3, 0, 3};
    assert_int_equal(scene.soft_bodies[0].index_count, 8);
    assert_memory_equal(scene.soft_bodies[0].indices, links, sizeof links);
    mmd_physscene_destroy(&scene);
}

static void soft_bodies_without_a_mesh_of_their_own_are_empty(void **state)
{
    (void)state;
    cloth c;
    make_cloth(&c);
    c.model.soft_body_count = 2; /* of one material */
    mmd_physscene scene;
    make(&c.model, &scene);
    assert_int_equal(scene.soft_bodies[0].node_count, 6);
    assert_int_equal(scene.soft_bodies[1].node_count, 0);
    mmd_physscene_destroy(&scene);
    c.soft[1].material = -1;
    c.position[6][1] = NAN;
    make(&c.model, &scene);
    assert_int_equal(scene.soft_bodies[0].node_count, 0);
    assert_int_equal(scene.soft_bodies[1].node_count, 0);
    mmd_physscene_destroy(&scene);
    c.position[6][1] = 1.0f;
    c.soft[0].config[3] = NAN;
    make(&c.model, &scene);
    assert_int_equal(scene.soft_bodies[0].node_count, 0);
    mmd_physscene_destroy(&scene);
}

/* ------------------------------------------------------------- real files */

static void every_sample_gives_a_scene_that_passes(void **state)
{
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    for (uint8_t size = 1; size <= 4; size *= 2) {
        mmd_model model;
        sample_everything(&model, 1, size);
        mmd_physscene scene;
        make(&model, &scene);
        assert_int_equal(scene.body_count, model.body_count);
        assert_int_equal(scene.joint_count, model.joint_count);
        assert_int_equal(scene.soft_body_count, model.soft_body_count);
        mmd_physscene_destroy(&scene);
        sample_finish(&model);
    }
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

static void try_damaged(const uint8_t *data, size_t size, void *user)
{
    size_t *scenes = user;
    mmd_model *model = NULL;
    if (mmd_model_read(data, size, &model, NULL) != MMD_OK)
        return;
    mmd_physscene scene;
    make(model, &scene);
    mmd_physscene_destroy(&scene);
    mmd_model_destroy(model);
    ++*scenes;
}

static void damaged_files_that_can_be_read_give_scenes_that_pass(void **state)
{
    (void)state;
    mmd_model model;
    sample_everything(&model, 1, 1);
    mmd_buffer file = {0};
    assert_int_equal(mmd_pmx_write(&model, &file, NULL), MMD_OK);
    size_t scenes = 0;
    damage_each(file.data, file.size, try_damaged, &scenes);
    assert_true(scenes > 100);
    mmd_buffer_finish(&file);
    sample_finish(&model);
}

static void visit(const char *name, void *user)
{
    size_t *joints = user;
    mmd_bytes bytes = shared_read(name);
    mmd_model *model = NULL;
    if (mmd_model_read(bytes.data, bytes.size, &model, NULL) == MMD_OK) {
        mmd_physscene scene;
        make(model, &scene);
        for (uint32_t i = 0; i < scene.joint_count; i++)
            *joints += !scene.joints[i].disabled;
        mmd_physscene_destroy(&scene);
        mmd_model_destroy(model);
    }
    mmd_bytes_finish(&bytes);
}

static void every_model_that_we_have_gives_a_scene_that_passes(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    size_t joints = 0;
    shared_each(".pmx", visit, &joints);
    shared_each(".pmd", visit, &joints);
    assert_true(joints > 100);
}

/* Bodies are asked of the model's own list, or of the physics scene that it came with. */
static void bodies_are_those_of_the_list_or_the_scene(void **state)
{
    (void)state;
    mmd_model model;
    mmd_rigid_body bodies[3];
    mmd_physscene scene;
    sample_bodies(&model, bodies);
    bodies[2].bone = -1;
    for (int owned = 0; owned < 2; owned++) {
        assert_int_equal(mmd_model_body_count(&model), 3);
        assert_string_equal(mmd_model_body_name(&model, 1), "b");
        assert_int_equal(mmd_model_body_bone(&model, 1), 1);
        assert_int_equal(mmd_model_body_bone(&model, 2), -1);
        assert_false(mmd_model_bone_is_driven(&model, 0)); /* its body follows it */
        assert_true(mmd_model_bone_is_driven(&model, 1));
        assert_false(mmd_model_bone_is_driven(&model, -1));
        assert_int_equal(mmd_model_has_dynamic_scene(&model), owned);
        if (!owned) {
            make(&model, &scene);
            model.physscene = &scene;
            model.body_count = 0;
        }
    }
    scene.bodies[1].disabled = true;
    assert_false(mmd_model_bone_is_driven(&model, 1));
    mmd_physscene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_sizes_and_modes),
        cmocka_unit_test(without_a_bone_bodies_stand_or_fall),
        cmocka_unit_test(sizes_of_zero_collide),
        cmocka_unit_test(numbers_that_are_not_finite_disable),
        cmocka_unit_test(rests_turn_about_y_then_x_then_z),
        cmocka_unit_test(joints_lie_where_the_file_says_from_both_sides),
        cmocka_unit_test(joints_that_hold_nothing_are_disabled),
        cmocka_unit_test(equal_filters_and_materials_are_made_once),
        cmocka_unit_test(meshes_are_welded_by_position),
        cmocka_unit_test(anchors_and_pins_are_nodes),
        cmocka_unit_test(ropes_have_each_edge_once),
        cmocka_unit_test(soft_bodies_without_a_mesh_of_their_own_are_empty),
        cmocka_unit_test(bodies_are_those_of_the_list_or_the_scene),
        cmocka_unit_test(every_sample_gives_a_scene_that_passes),
        cmocka_unit_test(damaged_files_that_can_be_read_give_scenes_that_pass),
        cmocka_unit_test(every_model_that_we_have_gives_a_scene_that_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
