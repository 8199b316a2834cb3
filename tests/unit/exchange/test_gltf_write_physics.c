/*
 * Tests physics written to glTF in all four dialects and read again: every body and joint of the shared
 * files, of PMX models and of Ragdoll dumps is unchanged, or a loss reports the difference; PMX joints move
 * as Bullet moves them. Figures are printed when ODORI_MEASURE is set; with ODORI_KEEP=FOLDER the files are
 * kept there.
 */
#include "cli.h"
#include "hair_model.h"
#include "mmd/format.h"
#include "mmd/physics.h"
#include "phys_scenes.h"
#include "phys_trip.h"
#include "support.h"

enum { DIALECTS = 4 };

/* ----------------------------------------------------------------- files */

typedef struct tally {
    const char *prefix;
    mmd_dialect dialect;
    size_t files, bodies, joints, body_differences, joint_differences, unexplained;
} tally;

static void count(tally *sum, const trip *t)
{
    sum->files++;
    sum->bodies += t->from->body_count;
    sum->joints += t->from->joint_count;
    sum->body_differences += t->body_differences;
    sum->joint_differences += t->joint_differences;
    sum->unexplained += t->unexplained;
}

static void tell(const tally *sum)
{
    print_message("    %-18s as %-11s %3zu files, %5zu bodies, %4zu joints: %zu and %zu values differ, %zu "
                  "without a loss that says so\n",
                  sum->prefix, trip_dialects[sum->dialect], sum->files, sum->bodies, sum->joints,
                  sum->body_differences, sum->joint_differences, sum->unexplained);
}

static mmd_source *folder_of(const char *name)
{
    char folder[512], full[1024];
    snprintf(folder, sizeof folder, "%s", name);
    *strrchr(folder, '/') = 0;
    return mmd_source_folder(shared_path(folder, full, sizeof full));
}

static mmd_exchange *open_shared(const char *name, mmd_source *source)
{
    mmd_bytes bytes = shared_read(name);
    mmd_exchange *document = NULL;
    assert_int_equal(mmd_exchange_read(bytes.data, bytes.size, source, "", &document, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    return document;
}

static void convert_document(const char *name, mmd_exchange *document, mmd_source *source, tally *sum)
{
    mmd_exchange_options options = {.format = MMD_EXCHANGE_GLTF, .dialect = sum->dialect};
    mmd_exchange_input input = {.document = document};
    write_job job = {.input = &input,
                     .options = &options,
                     .model = document->model,
                     .scene = document->physscene,
                     .source = document->format,
                     .kept = document->kept};
    trip t = {.name = name, .dialect = sum->dialect};
    trip_go(&t, &job, source);
    trip_compare(&t);
    count(sum, &t);
    trip_end(&t);
}

static void convert_file(const char *name, void *user)
{
    tally *sum = user;
    if (strncmp(name, sum->prefix, strlen(sum->prefix)) != 0)
        return;
    mmd_source *source = folder_of(name);
    mmd_exchange *document = open_shared(name, source);
    convert_document(name, document, source, sum);
    mmd_exchange_destroy(document);
    mmd_source_destroy(source);
}

static void all_files_say_the_same_in_every_dialect(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    static const char *const prefixes[] = {"data/khr_seed/", "data/khr_current/", "data/omi/",
                                           "data/ragdoll/"};
    size_t unexplained = 0;
    for (size_t i = 0; i < 4; i++)
        for (int dialect = 1; dialect <= DIALECTS; dialect++) {
            tally sum = {.prefix = prefixes[i], .dialect = (mmd_dialect)dialect};
            shared_each(i < 3 ? ".gltf" : ".json", convert_file, &sum);
            if (i == 3)
                shared_each(".rag", convert_file, &sum);
            assert_true(sum.files > 0);
            tell(&sum);
            unexplained += sum.unexplained;
        }
    assert_int_equal(unexplained, 0);
}

/* ------------------------------------------------------------------- PMX */

static mmd_model *open_pmx(const char *path)
{
    mmd_bytes bytes = {0};
    mmd_model *model = NULL;
    if (path[0] == '/')
        assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    else
        bytes = shared_read(path);
    assert_int_equal(mmd_pmx_read(bytes.data, bytes.size, &model, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    return model;
}

static void write_pmx(trip *t, const mmd_model *model, const mmd_physscene *scene)
{
    mmd_exchange_options options = {.format = MMD_EXCHANGE_GLTF, .dialect = t->dialect};
    mmd_exchange_input input = {.model = model};
    write_job job = {
        .input = &input, .options = &options, .model = model, .scene = scene, .source = MMD_EXCHANGE_PMX};
    trip_go(t, &job, NULL);
}

/* Lets no shape of a scene collide. */
static void open_shapes(mmd_physscene *scene, mmd_phys_shape **copy)
{
    *copy = malloc((scene->shape_count + 1) * sizeof **copy);
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        (*copy)[i] = scene->shapes[i];
        (*copy)[i].solid = false;
    }
    scene->shapes = *copy;
}

/* Runs both scenes for ten seconds in the PMX's world; returns the largest distance between the two copies of
 * a body. free_run: without joints, ground and contacts. */
static double run_apart(const trip *t, bool free_run)
{
    mmd_physscene scenes[2] = {*t->from, *trip_back(t)};
    mmd_phys_world settings = t->from->world;
    mmd_world *worlds[2];
    double worst = 0;
    mmd_phys_shape *copies[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        const mmd_physscene *scene = &scenes[i];
        if (free_run)
            open_shapes(&scenes[i], &copies[i]);
        settings.ground = t->from->world.ground && i == 0 && !free_run;
        settings.gravity[1] = scene->world.gravity[1];
        scenes[i].joint_count = free_run ? 0 : scene->joint_count;
        scenes[i].body_count = free_run ? t->from->body_count : scene->body_count;
        assert_int_equal(mmd_world_create(MMD_PHYSICS_BULLET, &settings, &scene, 1, &worlds[i], NULL),
                         MMD_OK);
    }
    for (uint32_t s = 0; s < 10 * settings.rate; s++) {
        mmd_world_step(worlds[0]);
        mmd_world_step(worlds[1]);
        for (uint32_t i = 0; i < t->from->body_count; i++) /* indices of bodies are the same */
            if (!t->from->bodies[i].disabled)
                worst = fmax(worst, trip_apart(&mmd_world_transforms(worlds[0])[i],
                                               &mmd_world_transforms(worlds[1])[i]));
    }
    mmd_world_destroy(worlds[0]);
    mmd_world_destroy(worlds[1]);
    free(copies[0]);
    free(copies[1]);
    return worst;
}

/* Without joints bodies move equally; with joints roughly, because MMD's joints are not rigid. */
static void expect_same_motion(const trip *t)
{
    bool springs = t->dialect != MMD_DIALECT_OMI_CONSTRAINTS;
    double free = run_apart(t, true), joined = springs || getenv("ODORI_MEASURE") ? run_apart(t, false) : 0;
    if (getenv("ODORI_MEASURE")) {
        trip_tell_losses(t);
        print_message(
            "        largest distance of a body in 10 s: %.4f units; without joints and ground %.5f\n",
            joined, free);
    }
    assert_true(free < 5e-3);
    assert_true(!springs || joined < 1.2);
}

static void convert_pmx(const char *path, size_t *unexplained)
{
    mmd_model *model = open_pmx(path);
    mmd_physscene scene;
    assert_int_equal(mmd_model_physscene(model, &scene, NULL), MMD_OK);
    for (int dialect = 1; dialect <= DIALECTS; dialect++) {
        tally sum = {.prefix = strrchr(path, '/') + 1, .dialect = (mmd_dialect)dialect};
        trip t = {.name = sum.prefix, .dialect = sum.dialect};
        write_pmx(&t, model, &scene);
        trip_compare(&t);
        for (uint32_t i = 0; i < scene.body_count;
             i++) /* indices are the same; the ground comes after them */
            assert_int_equal(trip_body(&t, (int32_t)i), i);
        assert_int_equal(trip_back(&t)->body_count, scene.body_count + 1);
        count(&sum, &t);
        tell(&sum);
        *unexplained += t.unexplained;
        expect_same_motion(&t);
        trip_end(&t);
    }
    mmd_physscene_destroy(&scene);
    mmd_model_destroy(model);
}

static size_t node_count(const trip *t)
{
    return json_array_size(json_object_get(t->document->kept->root, "nodes"));
}

/* Rewriting in one dialect after another reuses the nodes of joints, anchors and shapes. */
static void documents_do_not_grow(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    static const mmd_dialect way[] = {MMD_DIALECT_KHR_COLLISION_SHAPES, MMD_DIALECT_OMI_CONSTRAINTS,
                                      MMD_DIALECT_KHR_IMPLICIT_SHAPES, MMD_DIALECT_OMI_PHYSICS_JOINTS,
                                      MMD_DIALECT_KHR_COLLISION_SHAPES};
    enum { WAY = sizeof way / sizeof way[0] };
    mmd_model *model = open_pmx("data/models/miku/初音ミク.pmx");
    mmd_physscene scene;
    assert_int_equal(mmd_model_physscene(model, &scene, NULL), MMD_OK);
    trip trips[WAY] = {{.name = "miku", .dialect = way[0]}};
    write_pmx(&trips[0], model, &scene);
    for (int i = 1; i < WAY; i++) {
        const mmd_exchange *before = trips[i - 1].document;
        mmd_exchange_options options = {.format = MMD_EXCHANGE_GLTF, .dialect = way[i]};
        mmd_exchange_input input = {.document = before};
        write_job job = {.input = &input,
                         .options = &options,
                         .model = before->model,
                         .scene = before->physscene,
                         .source = MMD_EXCHANGE_GLTF,
                         .kept = before->kept};
        trips[i] = (trip){.name = "miku", .dialect = way[i]};
        trip_go(&trips[i], &job, NULL);
        trip_compare(&trips[i]);
        assert_int_equal(trips[i].unexplained, 0);
        assert_int_equal(node_count(&trips[i]), node_count(&trips[0]));
    }
    for (int i = WAY - 1; i >= 0; i--)
        trip_end(&trips[i]);
    mmd_physscene_destroy(&scene);
    mmd_model_destroy(model);
}

static void pmx_models_say_the_same(void **state)
{
    (void)state;
    static const char *const models[] = {"data/models/miku/初音ミク.pmx",
                                         "data/models/test_hair_physics.pmx"};
    REQUIRE_SHARED();
    size_t unexplained = 0;
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        convert_pmx(models[i], &unexplained);
    assert_int_equal(unexplained, 0);
}

#ifndef ODORI_TEST_SLOWLY
/* dancer21 has all that dancer has. */
static void dancers_say_the_same(void **state)
{
    (void)state;
    cli_need_dancer();
    size_t unexplained = 0;
    convert_pmx(ODORI_BINARY "/dancer/dancer21.pmx", &unexplained);
    assert_int_equal(unexplained, 0);
}
#endif

/* ------------------------------------------------- PMX's kinds, simulated */

/* A ball on an arm at a joint of each PMX kind, pushed about or along an axis for a second, ends at a limit,
 * and at the same one after reading the file again. A wrong sign would end on the other side. */
typedef struct push {
    const char *name;
    mmd_phys_joint_kind kind;
    mmd_pmx_joint numbers;
    float linear[3], angular[3]; /* directions of the push */
} push;

static mmd_transform end_of(const mmd_physscene *scene, int32_t body, const push *pushed)
{
    mmd_phys_world settings = mmd_default_phys_world();
    mmd_world *world;
    settings.ground = false;
    settings.rate = 240;
    settings.iterations = 50;
    settings.damping = MMD_DAMPING_ADDITIONAL; /* calms what springs back from a limit */
    settings.exact_restitution = true;
    memset(settings.gravity, 0, sizeof settings.gravity);
    assert_int_equal(mmd_world_create(MMD_PHYSICS_BULLET, &settings, &scene, 1, &world, NULL), MMD_OK);
    for (int i = 0; i < 480; i++) {
        mmd_impulse impulse = {.body = (uint32_t)body};
        for (int k = 0; k < 3; k++) {
            impulse.linear[k] = i < 240 ? 0.3f * pushed->linear[k] : 0;
            impulse.angular[k] = i < 240 ? 0.3f * pushed->angular[k] : 0;
        }
        mmd_world_impulse(world, 1, &impulse);
        mmd_world_step(world);
    }
    mmd_transform at = mmd_world_transforms(world)[body];
    mmd_world_destroy(world);
    return at;
}

static void try_push(const push *pushed, mmd_dialect dialect)
{
    static const mmd_rigid_body bodies[2] = {
        {.name = "a", .name_en = "", .bone = -1, .size = {1, 1, 1}, .position = {0, 10, 0}, .mode = 0},
        {.name = "b",
         .name_en = "",
         .bone = -1,
         .group = 1,
         .size = {1, 1, 1},
         .position = {0, 10, 0},
         .mass = 1,
         .linear_damping = 0.5f,
         .angular_damping = 0.5f,
         .mode = 1}};
    mmd_rigid_body own[2] = {bodies[0], bodies[1]};
    mmd_joint joint = {.name = "j",
                       .name_en = "",
                       .kind = (uint8_t)pushed->kind,
                       .body_a = 0,
                       .body_b = 1,
                       .position = {0, 10, 0}};
    const mmd_pmx_joint *n = &pushed->numbers;
    memcpy(joint.linear_lower, n->linear_lower, sizeof joint.linear_lower);
    memcpy(joint.linear_upper, n->linear_upper, sizeof joint.linear_upper);
    memcpy(joint.angular_lower, n->angular_lower, sizeof joint.angular_lower);
    memcpy(joint.angular_upper, n->angular_upper, sizeof joint.angular_upper);
    memcpy(joint.linear_spring, n->linear_spring, sizeof joint.linear_spring);
    memcpy(joint.angular_spring, n->angular_spring, sizeof joint.angular_spring);
    mmd_model model = {.name = "m", .body_count = 2, .bodies = own, .joint_count = 1, .joints = &joint};
    mmd_physscene scene;
    assert_int_equal(mmd_model_physscene(&model, &scene, NULL), MMD_OK);
    trip t = {.name = pushed->name, .dialect = dialect};
    write_pmx(&t, &model, &scene);
    mmd_transform a = end_of(&scene, 1, pushed), b = end_of(trip_back(&t), trip_body(&t, 1), pushed);
    if (getenv("ODORI_MEASURE"))
        print_message("    %-24s %-11s moved %.3f, turned %.3f; apart %.3f units, %.3f\n", pushed->name,
                      trip_dialects[dialect], trip_apart(&scene.bodies[1].rest, &a),
                      trip_turned(&scene.bodies[1].rest, &a), trip_apart(&a, &b), trip_turned(&a, &b));
    assert_true(trip_apart(&a, &b) < 0.1);
    assert_true(trip_turned(&a, &b) < 0.05);
    trip_end(&t);
    mmd_physscene_destroy(&scene);
}

static void pmx_joints_end_where_bullet_ends_them(void **state)
{
    (void)state;
    static const push pushes[] = {
        {"6dof x",
         MMD_JOINT_PMX_6DOF,
         {.linear_lower = {-1, 0, 0}, .linear_upper = {2, 0, 0}},
         {1, 0, 0},
         {0}},
        {"6dof z",
         MMD_JOINT_PMX_6DOF,
         {.linear_lower = {0, 0, -1}, .linear_upper = {0, 0, 2}},
         {0, 0, 1},
         {0}},
        {"6dof z back",
         MMD_JOINT_PMX_6DOF,
         {.linear_lower = {0, 0, -1}, .linear_upper = {0, 0, 2}},
         {0, 0, -1},
         {0}},
        {"6dof about x",
         MMD_JOINT_PMX_6DOF,
         {.angular_lower = {-0.3f}, .angular_upper = {0.8f}},
         {0},
         {1, 0, 0}},
        {"6dof about y",
         MMD_JOINT_PMX_6DOF,
         {.angular_lower = {0, -0.3f}, .angular_upper = {0, 0.8f}},
         {0},
         {0, 1, 0}},
        {"6dof about z",
         MMD_JOINT_PMX_6DOF,
         {.angular_lower = {0, 0, -0.3f}, .angular_upper = {0, 0, 0.8f}},
         {0},
         {0, 0, 1}},
        {"6dof about -z",
         MMD_JOINT_PMX_6DOF,
         {.angular_lower = {0, 0, -0.3f}, .angular_upper = {0, 0, 0.8f}},
         {0},
         {0, 0, -1}},
        {"slider x",
         MMD_JOINT_PMX_SLIDER,
         {.linear_lower = {-1, 0, 0}, .linear_upper = {2, 0, 0}},
         {1, 0, 0},
         {0}},
        {"slider about x",
         MMD_JOINT_PMX_SLIDER,
         {.angular_lower = {-0.3f}, .angular_upper = {0.8f}},
         {0},
         {1, 0, 0}},
        {"slider about -x",
         MMD_JOINT_PMX_SLIDER,
         {.angular_lower = {-0.3f}, .angular_upper = {0.8f}},
         {0},
         {-1, 0, 0}},
        {"hinge",
         MMD_JOINT_PMX_HINGE,
         {.angular_lower = {-0.3f}, .angular_upper = {0.8f}, .linear_spring = {0.9f, 0.3f, 0}},
         {0},
         {0, 0, 1}},
        {"hinge back",
         MMD_JOINT_PMX_HINGE,
         {.angular_lower = {-0.3f}, .angular_upper = {0.8f}, .linear_spring = {0.9f, 0.3f, 0}},
         {0},
         {0, 0, -1}},
        {"cone twist about x",
         MMD_JOINT_PMX_CONE_TWIST,
         {.angular_lower = {0.3f, 0.5f, 0.8f}, .linear_spring = {1, 0.3f, 1}},
         {0},
         {1, 0, 0}},
        {"cone twist about y",
         MMD_JOINT_PMX_CONE_TWIST,
         {.angular_lower = {0.3f, 0.5f, 0.8f}, .linear_spring = {1, 0.3f, 1}},
         {0},
         {0, 1, 0}},
        {"cone twist about z",
         MMD_JOINT_PMX_CONE_TWIST,
         {.angular_lower = {0.3f, 0.5f, 0.8f}, .linear_spring = {1, 0.3f, 1}},
         {0},
         {0, 0, 1}},
        {"slider's motor",
         MMD_JOINT_PMX_SLIDER,
         {.linear_lower = {-1, 0, 0}, .linear_upper = {2, 0, 0}, .linear_spring = {1, 3, 100}},
         {0},
         {0}},
        {"slider's turning motor",
         MMD_JOINT_PMX_SLIDER,
         {.angular_lower = {-0.3f}, .angular_upper = {0.8f}, .angular_spring = {1, 1, 100}},
         {0},
         {0}},
        {"hinge's motor",
         MMD_JOINT_PMX_HINGE,
         {.angular_lower = {-0.3f},
          .angular_upper = {0.8f},
          .linear_spring = {0.9f, 0.3f, 0},
          .angular_spring = {1, 1, 100}},
         {0},
         {0}},
        {"spring",
         MMD_JOINT_PMX_SPRING,
         {.linear_lower = {-9, 0, 0}, .linear_upper = {9, 0, 0}, .linear_spring = {20, 0, 0}},
         {1, 0, 0},
         {0}},
    };
    for (size_t i = 0; i < sizeof pushes / sizeof pushes[0]; i++) {
        bool motor = strstr(pushes[i].name, "motor") || pushes[i].kind == MMD_JOINT_PMX_SPRING;
        try_push(&pushes[i], MMD_DIALECT_KHR_COLLISION_SHAPES);
        try_push(&pushes[i], MMD_DIALECT_KHR_IMPLICIT_SHAPES);
        try_push(&pushes[i], MMD_DIALECT_OMI_PHYSICS_JOINTS);
        if (!motor)
            try_push(&pushes[i], MMD_DIALECT_OMI_CONSTRAINTS);
    }
}

/* ----------------------------------------------------------- made scenes */

static void write_made(trip *t, const phys_builder *builder)
{
    mmd_exchange_options options = {.format = MMD_EXCHANGE_GLTF, .dialect = t->dialect};
    mmd_exchange_input input = {0};
    write_job job = {
        .input = &input, .options = &options, .scene = &builder->scene, .source = MMD_EXCHANGE_RAGDOLL};
    trip_go(t, &job, NULL);
    trip_compare(t);
}

static void expect_all_dialects(const char *name, const phys_builder *builder)
{
    assert_int_equal(mmd_physscene_check(&builder->scene, NULL), MMD_OK);
    for (int dialect = 1; dialect <= DIALECTS; dialect++) {
        trip t = {.name = name, .dialect = (mmd_dialect)dialect};
        write_made(&t, builder);
        if (getenv("ODORI_MEASURE")) {
            print_message("    %s as %s: %zu values differ\n", name, trip_dialects[dialect],
                          t.body_differences + t.joint_differences);
            trip_tell_losses(&t);
        }
        assert_int_equal(t.unexplained, 0);
        trip_end(&t);
    }
}

static mmd_transform turned_place(float x, float y, float z)
{
    mmd_transform made = {.translation = {x, y, z}};
    const float angles[3] = {0.3f, -0.7f, 1.1f};
    mmd_rotation_yxz(angles, made.rotation);
    return made;
}

/*
 * Every property of a body, with rotated frames; a static body of two shapes; triggers; planes; the ground.
 */
static void made_bodies_come_back(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    builder.scene.world.ground = true;
    builder.scene.world.ground_height = -3;
    builder.materials[0] = (mmd_phys_material){.static_friction = 0.9f,
                                               .dynamic_friction = 0.4f,
                                               .restitution = 0.2f,
                                               .friction_combine = MMD_COMBINE_MINIMUM,
                                               .restitution_combine = MMD_COMBINE_MAXIMUM,
                                               .name = "rubber"};
    builder.scene.material_count = 1;
    int32_t spun = phys_body(&builder, MMD_PHYS_DYNAMIC, 1, 2, 3, 4);
    mmd_phys_body *body = &builder.bodies[spun];
    mmd_transform place = turned_place(12, 30, -40);
    body->rest = place;
    body->auto_inertia = body->auto_center = body->auto_mass = false;
    for (int k = 0; k < 3; k++) {
        body->inertia[k] = (float)(k + 1) * 10;
        body->center[k] = 0.1f * (float)(k + 1);
        body->linear_velocity[k] = (float)(k - 1) * 3;
        body->angular_velocity[k] = (float)k + 1;
    }
    memcpy(body->inertia_rotation, turned_place(0, 0, 0).rotation, sizeof body->inertia_rotation);
    body->gravity_factor = 0.25f;
    body->linear_damping = 0.3f;
    mmd_phys_shape *shape = phys_box(&builder, 0.1f, 0.2f, 0.3f);
    shape->material = 0;
    shape = phys_sphere(&builder, 0.5f);
    shape->frame = turned_place(1, 2, 3);
    shape = phys_sphere(&builder, 0.75f);
    shape->trigger = true;
    phys_body(&builder, MMD_PHYS_STATIC, 0, -1, 0, 0);
    phys_box(&builder, 5, 0.5f, 5);
    phys_body(&builder, MMD_PHYS_STATIC, 5, 0, 0, 0);
    shape = phys_box(&builder, 0.5f, 0.5f, 0.5f);
    shape->frame = turned_place(1, 0, 0);
    phys_sphere(&builder, 0.25f)->frame = turned_place(-3, 0, 0);
    phys_body(&builder, MMD_PHYS_STATIC, 5, 5, 0, 0);
    phys_box(&builder, 0.5f, 0.5f, 0.5f)->trigger = true;
    shape = phys_sphere(&builder, 0.5f);
    shape->trigger = true;
    shape->frame = turned_place(0, 8, 0);
    phys_body(&builder, MMD_PHYS_KINEMATIC, -5, 5, 0, 0);
    phys_box(&builder, 0.5f, 0.5f, 0.5f);
    phys_body(&builder, MMD_PHYS_STATIC, -5, 1, 0, 0);
    expect_all_dialects("bodies", &builder);
}

static void made_filters_come_back(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    builder.scene.world.ground = true;
    for (int i = 0; i < 20; i++) {
        builder.filters[i] =
            (mmd_phys_filter){.group = (uint8_t)(i % 16), .mask = (uint16_t)(i == 3 ? 0 : 0x9E37 * (i + 1))};
        phys_body(&builder, MMD_PHYS_DYNAMIC, (float)i, 1, 0, 1);
        phys_sphere(&builder, 0.1f)->filter = i;
    }
    builder.scene.filter_count = 20;
    expect_all_dialects("filters", &builder);
    trip t = {.name = "filters", .dialect = MMD_DIALECT_KHR_IMPLICIT_SHAPES};
    write_made(&t, &builder);
    const mmd_physscene *back = trip_back(&t);
    const mmd_phys_body *ground = &back->bodies[back->body_count - 1];
    assert_string_equal(ground->name, "ground");
    for (uint32_t i = 0; i < 20; i++)
        assert_true(trip_touch(back, &back->bodies[i], ground));
    trip_end(&t);
}

/* Limits of every kind, soft and one-sided ones, drives, joints to the world, and frames that differ. */
static void made_joints_come_back(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    for (int i = 0; i < 3; i++) {
        phys_body(&builder, i ? MMD_PHYS_DYNAMIC : MMD_PHYS_STATIC, (float)i, 1, 0, 1);
        phys_box(&builder, 0.1f, 0.1f, 0.1f);
        builder.bodies[i].rest = turned_place(10 * (float)i, 5, 2);
    }
    for (uint8_t set = 1; set < 8; set++) {
        phys_joint(&builder, 1, 2, 1.5f, 1, 0);
        phys_limit(&builder, MMD_LIMIT_LINEAR, set, set & (set - 1) ? 0 : -0.2f, 0.5f);
        phys_limit(&builder, MMD_LIMIT_ANGULAR, set, set & (set - 1) ? 0 : -0.3f, 0.7f)->soft = set == 3;
        builder.limits[builder.scene.limit_count - 1].stiffness = 50;
        builder.limits[builder.scene.limit_count - 1].damping = 2;
    }
    phys_joint(&builder, 1, -1, 1, 1, 0)->collide = true;
    phys_limit(&builder, MMD_LIMIT_LINEAR, 1, -0.2f, 0.5f)->has_min = false;
    phys_limit(&builder, MMD_LIMIT_ANGULAR, 2, -0.2f, 0.5f)->has_max = false;
    phys_joint(&builder, -1, 2, 2, 1, 0)->frame_b.translation[0] += 3;
    phys_limit(&builder, MMD_LIMIT_ELLIPSE, 6, 0, 0.5f)->max2 = 0.5f;
    phys_joint(&builder, 0, 2, 2, 1, 0);
    for (uint8_t axis = 0; axis < 6; axis++) {
        mmd_phys_drive *drive =
            phys_drive(&builder, axis < 3 ? MMD_DRIVE_LINEAR : MMD_DRIVE_ANGULAR, axis % 3);
        drive->position_target = 0.1f * (float)(axis + 1);
        drive->velocity_target = axis & 1 ? 0.5f : 0;
        drive->stiffness = 10;
        drive->damping = axis & 1 ? 2.0f : 0;
        drive->acceleration = axis == 4;
        drive->max_force = axis == 5 ? 30 : INFINITY;
    }
    phys_joint(&builder, 0, 1, 1, 1, 0);
    mmd_phys_drive *pose = phys_drive(&builder, MMD_DRIVE_POSE, 0);
    pose->target = turned_place(1, 2, 3);
    pose->stiffness = pose->angular_stiffness = 7;
    expect_all_dialects("joints", &builder);
}

/*
 * KHR lacks the world's gravity, so gravity factors express it, or OMI's extension if it does not point down.
 */
static void gravity_is_said(void **state)
{
    (void)state;
    static const float gravities[][3] = {{0, -98, 0}, {0, 0, 0}, {0, 50, 0}, {3, -40, 7}};
    for (size_t i = 0; i < sizeof gravities / sizeof gravities[0]; i++) {
        phys_builder builder;
        phys_begin(&builder);
        memcpy(builder.scene.world.gravity, gravities[i], sizeof gravities[i]);
        phys_body(&builder, MMD_PHYS_DYNAMIC, 0, 1, 0, 1);
        phys_box(&builder, 0.1f, 0.1f, 0.1f);
        phys_body(&builder, MMD_PHYS_DYNAMIC, 0, 2, 0, 1);
        phys_box(&builder, 0.1f, 0.1f, 0.1f);
        builder.bodies[1].gravity_factor = 0.5f;
        expect_all_dialects("gravity", &builder);
    }
}

/* Removes everything of physics, the names of the extensions too, and nothing else. */
static void physics_is_taken_out(void **state)
{
    (void)state;
    static const char text[] =
        "{\"extensionsUsed\":[\"KHR_physics_rigid_bodies\",\"KHR_lights_punctual\"],\"extensionsRequired\":["
        "\"KHR_implicit_shapes\"],\"extensions\":{\"OMI_physics_shape\":{}},\"nodes\":[{\"name\":\"a\","
        "\"extensions\":{\"OMI_physics_joint\":{},\"KHR_lights_punctual\":{\"light\":0}}},{\"extensions\":"
        "{\"KHR_physics_rigid_bodies\":{}},\"extras\":{\"x\":1}}]}";
    static const char left[] =
        "{\"extensionsUsed\":[\"KHR_lights_punctual\"],\"nodes\":[{\"name\":\"a\","
        "\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}}},{\"extras\":{\"x\":1}}]}";
    json_t *expected = json_loads(left, 0, NULL);
    gltf_builder builder = {.root = json_loads(text, 0, NULL)};
    gltf_strip_physics(&builder);
    assert_true(json_equal(builder.root, expected));
    json_decref(builder.root);
    json_decref(expected);
}

/* --------------------------------------------------- nodes of a new file */

/* Makes hair whose bones, bodies and joints have the same names; also two bones and two joints share one. */
static void make_namesakes(hair_model *hair)
{
    hair_model_make(hair);
    for (int b = 0; b < HAIR_BODIES; b++)
        hair->bodies[b].name = hair->bodies[b].bone < 0 ? "ball" : hair->bones[hair->bodies[b].bone].name;
    for (int j = 0; j < HAIR_JOINTS; j++)
        hair->joints[j].name = j ? hair->bones[HAIR_2].name : hair->bones[HAIR_1].name;
    hair->bones[HAIR_RIBBON].name = hair->bones[HAIR_2].name;
}

static mmd_exchange_output convert_input(const mmd_exchange_input *input, mmd_exchange_format format,
                                         mmd_dialect dialect)
{
    mmd_exchange_options options = {.format = format, .dialect = dialect};
    mmd_exchange_output output;
    mmd_error error = {0};
    if (mmd_exchange_write(input, &options, &output, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    return output;
}

static json_t *main_json(const mmd_exchange_output *output)
{
    return json_loadb((const char *)output->files[0].data.data, output->files[0].data.size, 0, NULL);
}

/* Reads a JSON document, whose other files are those of the output beside. */
static mmd_exchange *read_json(json_t *root, const mmd_exchange_output *beside)
{
    mmd_memory_file files[8];
    mmd_exchange *document;
    mmd_error error = {0};
    char *text = json_dumps(root, 0);
    for (uint32_t i = 0; i < beside->count && i < 8; i++)
        files[i] =
            (mmd_memory_file){beside->files[i].name, beside->files[i].data.data, beside->files[i].data.size};
    mmd_source *source = mmd_source_memory(files, beside->count);
    if (mmd_exchange_read(text, strlen(text), source, "", &document, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    mmd_source_destroy(source);
    free(text);
    return document;
}

static json_t *node_at(json_t *root, size_t i)
{
    return json_array_get(json_object_get(root, "nodes"), i);
}

static const char *node_name(json_t *root, size_t i)
{
    return json_string_value(json_object_get(node_at(root, i), "name"));
}

static bool is_body_node(json_t *root, size_t i)
{
    json_t *held = json_object_get(node_at(root, i), "extensions");
    return json_object_get(json_object_get(held, "KHR_physics_rigid_bodies"), "motion") ||
           json_object_get(json_object_get(held, "OMI_physics_body"), "motion");
}

static size_t find_node(json_t *root, const char *name)
{
    size_t i = 0, count = json_array_size(json_object_get(root, "nodes"));
    while (i < count && (!node_name(root, i) || strcmp(node_name(root, i), name) != 0))
        i++;
    if (i == count)
        fail_msg("no node is called %s", name);
    return i;
}

/* Returns the parent of a node, or -1 for a root. */
static int parent_of(json_t *root, size_t node)
{
    for (size_t i = 0; i < json_array_size(json_object_get(root, "nodes")); i++) {
        json_t *children = json_object_get(node_at(root, i), "children");
        for (size_t k = 0; k < json_array_size(children); k++)
            if (json_integer_value(json_array_get(children, k)) == (json_int_t)node)
                return (int)i;
    }
    return -1;
}

/* Checks that no node with a motion is below another and that names are unique; returns the number of nodes
 * with a motion. */
static size_t expect_siblings(json_t *root)
{
    size_t count = json_array_size(json_object_get(root, "nodes")), bodies = 0;
    for (size_t i = 0; i < count; i++) {
        bodies += is_body_node(root, i);
        for (int at = (int)i; is_body_node(root, i) && (at = parent_of(root, (size_t)at)) >= 0;)
            assert_false(is_body_node(root, (size_t)at));
        for (size_t k = 0; node_name(root, i) && k < i; k++)
            if (node_name(root, k))
                assert_string_not_equal(node_name(root, i), node_name(root, k));
    }
    return bodies;
}

static bool is_told(const mmd_exchange_output *output, const char *code, const char *path)
{
    for (uint32_t i = 0; i < output->losses.count; i++)
        if (strcmp(output->losses.items[i].code, code) == 0 &&
            strcmp(output->losses.items[i].path, path) == 0)
            return true;
    return false;
}

/* In the file the bodies of the chain are children of the head, each with its bone below it. Reading restores
 * the hierarchy of bones and their names, and the way back gives the same PMX. */
static void bodies_stand_beside_each_other(void **state)
{
    (void)state;
    hair_model hair;
    mmd_buffer pmx = {0};
    make_namesakes(&hair);
    assert_int_equal(mmd_pmx_write(&hair.model, &pmx, NULL), MMD_OK);
    for (int dialect = 1; dialect <= DIALECTS; dialect++) {
        mmd_exchange_input input = {.model = &hair.model};
        mmd_exchange_output output = convert_input(&input, MMD_EXCHANGE_GLTF, (mmd_dialect)dialect);
        json_t *root = main_json(&output);
        /* plus the ground */
        assert_int_equal(expect_siblings(root), dialect <= MMD_DIALECT_KHR_IMPLICIT_SHAPES ? 6 : 7);
        static const char *const bodies[] = {"髪1 (body)", "髪2 (body)", "髪3 (body)", "髪先 (body)",
                                             "頭 (body)"};
        for (size_t i = 0; i < 5; i++)
            assert_string_equal(node_name(root, (size_t)parent_of(root, find_node(root, bodies[i]))), "頭");
        for (int b = HAIR_1; b <= HAIR_3; b++)
            assert_string_equal(node_name(root, (size_t)parent_of(root, (size_t)b)), bodies[b - HAIR_1]);
        assert_string_equal(node_name(root, HAIR_RIBBON), "髪2 (2)");
        find_node(root, "髪2 (joint)");
        find_node(root, "髪2 (joint 2)");
        assert_true(is_told(&output, "body.parted", "body 4 (髪先)"));
        assert_false(is_told(&output, "body.parted", "body 0 (頭)"));

        mmd_exchange *document = read_json(root, &output);
        const mmd_model *model = document->model;
        for (int b = 0; b < HAIR_BONES; b++) {
            int32_t above = model->bones[b].parent;
            while (above >= HAIR_BONES) /* skips nodes of bodies, and the root */
                above = model->bones[above].parent;
            assert_int_equal(above, hair.bones[b].parent);
            assert_string_equal(model->bones[b].name, hair.bones[b].name);
            assert_true(above < 0 || model->bones[above].layer < model->bones[b].layer);
        }
        for (int b = 0; b < HAIR_BODIES; b++)
            assert_string_equal(document->physscene->bodies[b].name, hair.bodies[b].name);
        for (int j = 0; j < HAIR_JOINTS; j++)
            assert_string_equal(document->physscene->joints[j].name, hair.joints[j].name);
        mmd_exchange_input again = {.document = document};
        mmd_exchange_output back = convert_input(&again, MMD_EXCHANGE_PMX, MMD_DIALECT_NONE);
        assert_int_equal(back.files[0].data.size, pmx.size);
        assert_memory_equal(back.files[0].data.data, pmx.data, pmx.size);
        mmd_exchange_output_finish(&back);
        mmd_exchange_destroy(document);
        json_decref(root);
        mmd_exchange_output_finish(&output);
    }
    mmd_buffer_finish(&pmx);
    hair_model_finish(&hair);
}

/* The same for a Ragdoll dump, whose bodies are its bones. */
static void bodies_of_a_ragdoll_stand_beside_each_other(void **state)
{
    (void)state;
    hair_model hair;
    make_namesakes(&hair);
    mmd_exchange_input input = {.model = &hair.model};
    mmd_exchange_output dump = convert_input(&input, MMD_EXCHANGE_RAGDOLL, MMD_DIALECT_NONE);
    json_t *root = main_json(&dump);
    mmd_exchange *ragdoll = read_json(root, &dump);
    json_decref(root);
    for (int dialect = 1; dialect <= DIALECTS; dialect++) {
        mmd_exchange_input from = {.document = ragdoll};
        mmd_exchange_output output = convert_input(&from, MMD_EXCHANGE_GLTF, (mmd_dialect)dialect);
        root = main_json(&output);
        assert_true(expect_siblings(root) >= HAIR_BODIES);
        mmd_exchange *document = read_json(root, &output);
        for (uint32_t i = 0; i < ragdoll->model->bone_count; i++) {
            int32_t was = ragdoll->model->bones[i].parent;
            assert_string_equal(document->model->bones[i].name, ragdoll->model->bones[i].name);
            if (was >= 0)
                assert_int_equal(document->model->bones[i].parent, was);
        }
        mmd_exchange_destroy(document);
        json_decref(root);
        mmd_exchange_output_finish(&output);
    }
    mmd_exchange_destroy(ragdoll);
    mmd_exchange_output_finish(&dump);
    hair_model_finish(&hair);
}

/*
 * Names that another program gave are used, without our suffix if it is still there. All others are restored.
 */
static void names_of_others_are_taken(void **state)
{
    (void)state;
    hair_model hair;
    make_namesakes(&hair);
    mmd_exchange_input input = {.model = &hair.model};
    mmd_exchange_output output = convert_input(&input, MMD_EXCHANGE_GLTF, MMD_DIALECT_KHR_IMPLICIT_SHAPES);
    json_t *root = main_json(&output);
    json_object_set_new(node_at(root, find_node(root, "髪2 (body)")), "name", json_string("fringe (body)"));
    json_object_set_new(node_at(root, find_node(root, "髪3 (body)")), "name", json_string("tail"));
    json_object_set_new(node_at(root, find_node(root, "髪2 (joint 2)")), "name",
                        json_string("hinge (joint 2)"));
    mmd_exchange *document = read_json(root, &output);
    const mmd_physscene *scene = document->physscene;
    static const char *const bodies[] = {"頭", "髪1", "髪先", "ball", "fringe", "tail"};
    static const char *const joints[] = {"髪1", "髪2", "hinge"};
    assert_int_equal(scene->body_count, 6);
    assert_int_equal(scene->joint_count, 3);
    for (size_t i = 0; i < 6; i++) { /* renamed bodies come after the others */
        uint32_t k = 0;
        while (k < 6 && strcmp(scene->bodies[k].name, bodies[i]) != 0)
            k++;
        assert_true(k < 6);
    }
    for (size_t i = 0; i < 3; i++) {
        uint32_t k = 0;
        while (k < 3 && strcmp(scene->joints[k].name, joints[i]) != 0)
            k++;
        assert_true(k < 3);
    }
    mmd_exchange_destroy(document);
    json_decref(root);
    mmd_exchange_output_finish(&output);
    hair_model_finish(&hair);
}

/* Invalid values of carriedBy leave all bones at the parents that their nodes have in the file. */
static void carriers_in_a_circle_do_no_harm(void **state)
{
    (void)state;
    static const char *const others[] = {"髪2", "髪3", "髪2 (body)", "nobody", ""};
    hair_model hair;
    make_namesakes(&hair);
    mmd_exchange_input input = {.model = &hair.model};
    mmd_exchange_output output = convert_input(&input, MMD_EXCHANGE_GLTF, MMD_DIALECT_KHR_COLLISION_SHAPES);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        json_t *root = main_json(&output);
        size_t body = find_node(root, "髪2 (body)"), below = find_node(root, "髪3 (body)");
        json_t *record = json_object_get(json_object_get(node_at(root, body), "extras"), "mmd");
        assert_string_equal(json_string_value(json_object_get(record, "carriedBy")), "髪1");
        json_object_set_new(record, "carriedBy", json_string(others[i]));
        mmd_exchange *document = read_json(root, &output);
        const mmd_bone *bones = document->model->bones;
        bool circle = i < 3;
        assert_int_equal(bones[body].parent, HAIR_HEAD);
        assert_int_equal(bones[below].parent, circle ? HAIR_HEAD : HAIR_2);
        mmd_exchange_destroy(document);
        json_decref(root);
    }
    mmd_exchange_output_finish(&output);
    hair_model_finish(&hair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_stand_beside_each_other),
        cmocka_unit_test(bodies_of_a_ragdoll_stand_beside_each_other),
        cmocka_unit_test(names_of_others_are_taken),
        cmocka_unit_test(carriers_in_a_circle_do_no_harm),
        cmocka_unit_test(all_files_say_the_same_in_every_dialect),
        cmocka_unit_test(pmx_models_say_the_same),
#ifndef ODORI_TEST_SLOWLY
        cmocka_unit_test(dancers_say_the_same),
#endif
        cmocka_unit_test(documents_do_not_grow),
        cmocka_unit_test(pmx_joints_end_where_bullet_ends_them),
        cmocka_unit_test(made_bodies_come_back),
        cmocka_unit_test(made_filters_come_back),
        cmocka_unit_test(made_joints_come_back),
        cmocka_unit_test(gravity_is_said),
        cmocka_unit_test(physics_is_taken_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
